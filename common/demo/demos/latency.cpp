// SPDX-License-Identifier: MIT
// How long atomics wait for each other, with times to scale: the threads of a block add to one counter or to
// many, in global or in shared memory. Measured on a GPU. (PMPP, figure 9.7)
#include <fmt/core.h>

#include <algorithm>

#include "demo/panels.hpp"
#include "demo/stage.hpp"
#include "facts/errors.hpp"
#include "measure/atomic_queues.hpp"
#include "report/numbers.hpp"

namespace demo {

namespace in_latency {

using measure::AtomicQueue;

constexpr unsigned warps = 8, lanes = lanes_of_warp;
constexpr const char* kernel = "one_atomic_each";

std::string cycles_text(double cycles, double clock_mhz) {
  return fmt::format("{} cycles, {:.0f} ns", report::number_text(cycles), 1e3 * cycles / clock_mhz);
}

// The kernel that was measured.
Source source_of(const Stage& stage, int& line_of_atomic) {
  Source source = stage.lines_of(stage.workbook().source_root + "/common/model/calibrate/atomic_queues.cuh");
  const auto begin =
      std::ranges::find_if(source.lines, [](const auto& line) { return line.find(kernel) != line.npos; });
  const auto end = std::find(begin, source.lines.end(), "}");
  const auto first = begin - source.lines.begin(), last = end - source.lines.begin();
  source.lines = {begin, end};
  source.numbers = {source.numbers.begin() + first, source.numbers.begin() + last};
  const auto atomic = std::ranges::find_if(
      source.lines, [](const auto& line) { return line.find("atomicAdd(") != line.npos; });
  line_of_atomic = atomic == source.lines.end()
                       ? 0
                       : source.numbers[static_cast<std::size_t>(atomic - source.lines.begin())];
  return source;
}

// "warp 3 has its results", "warps 3 and 5 have their results"
std::string have_results(const std::vector<std::size_t>& answered) {
  if (answered.size() == 1) return fmt::format("warp {} has its results", answered.front());
  std::string list;
  for (std::size_t i = 0; i < answered.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == answered.size() ? " and " : ", ", answered[i]);
  return fmt::format("warps {} have their results", list);
}

// One queue, answer after answer; `longest` is the time of a full bar, the same in all scenes.
class Storyteller {
 public:
  Storyteller(Demonstration& demonstration, const AtomicQueue& queue, double clock_mhz, double longest,
              int line)
      : demonstration_(demonstration), queue_(queue), clock_mhz_(clock_mhz), longest_(longest), line_(line) {}

  std::vector<std::size_t> tell() {
    add(0, fmt::format("{} threads of {} warps add to {}, all at the same time", queue_.warps * queue_.active,
                       queue_.warps,
                       queue_.words == 1 ? "one counter" : fmt::format("{} counters", queue_.words)));
    std::vector<std::uint64_t> times = queue_.answered;
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (const std::uint64_t time : times) {
      std::vector<std::size_t> answered;
      for (std::size_t warp = 0; warp < queue_.warps; ++warp) {
        if (queue_.answered[warp] == time) answered.push_back(warp);
      }
      add(time, fmt::format("After {} {}", cycles_text(static_cast<double>(time), clock_mhz_),
                            have_results(answered)));
    }
    demonstration_.frames.back().in_handout = true;
    return frames_;
  }

 private:
  void add(std::uint64_t now, std::string caption) {
    Panel panel{.kind = Panel::Kind::bars, .title = "Cycles from the first atomic to a warp's results"};
    std::size_t done = 0;
    for (std::size_t warp = 0; warp < queue_.warps; ++warp) {
      const std::uint64_t answered = queue_.answered[warp];
      const bool is_done = now > 0 && answered <= now;
      done += is_done;
      panel.cells.push_back({.text = is_done ? std::to_string(answered) : "",
                             .label = fmt::format("warp {}", warp),
                             .series = is_done ? 1u : 0u,
                             .look = is_done && answered == now ? Look::now : Look::plain,
                             .share = static_cast<double>(std::min(answered, now)) / longest_});
    }
    Frame frame{.caption = std::move(caption), .line = now > 0 ? line_ : 0, .events = done};
    frame.panels.push_back(std::move(panel));
    frames_.push_back(add_frame(demonstration_, std::move(frame)));
  }

  Demonstration& demonstration_;
  const AtomicQueue& queue_;
  double clock_mhz_, longest_;
  int line_;
  std::vector<std::size_t> frames_;
};

// The last answers beside each other; the first frame leaves out the times, to be guessed.
std::vector<std::size_t> compare(Demonstration& demonstration, const std::vector<Cell>& bars) {
  std::vector<std::size_t> frames;
  for (std::size_t shown = 0; shown <= bars.size(); ++shown) {
    Panel panel{.kind = Panel::Kind::bars, .title = "Cycles until the last result is there"};
    for (std::size_t i = 0; i < bars.size(); ++i) {
      Cell cell = bars[i];
      if (i >= shown) cell = {.label = cell.label};
      if (i + 1 == shown) cell.look = Look::now;
      panel.cells.push_back(std::move(cell));
    }
    Frame frame{.caption = shown == 0 ? "To the same scale"
                                      : bars[shown - 1].label + ": " + bars[shown - 1].text + " cycles",
                .events = shown};
    frame.panels.push_back(std::move(panel));
    frames.push_back(add_frame(demonstration, std::move(frame)));
  }
  demonstration.frames.back().in_handout = true;
  return frames;
}

Demonstration make_latency(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "256 threads add to a counter at the same time. How much longer does it take than one atomic alone: if "
      "the counter lies in global memory, and in shared memory?";
  const measure::AtomicQueues measured = measure::atomic_queues(stage.workbook());
  const auto need = [&](bool shared, unsigned of_warps, unsigned active,
                        unsigned words) -> const AtomicQueue& {
    const AtomicQueue* const queue = measured.find(shared, of_warps, active, words);
    if (!queue)
      throw facts::MachineError(fmt::format("{} lacks a queue that is to be shown", measured.origin));
    return *queue;
  };
  struct Setting {
    const char* title;
    bool shared;
    unsigned words;
  };
  constexpr std::array settings{
      Setting{"Global memory, one counter", false, 1},
      Setting{"Global memory, 7 counters", false, 7},
      Setting{"Global memory, a counter each", false, warps * lanes},
      Setting{"Shared memory, one counter", true, 1},
      Setting{"Shared memory, 7 counters", true, 7},
      Setting{"Shared memory, a counter each", true, warps * lanes},
  };
  double longest = 0;
  for (const Setting& setting : settings)
    longest = std::max(longest,
                       static_cast<double>(need(setting.shared, warps, lanes, setting.words).last_answer()));
  int line = 0;
  demonstration.sources.push_back(source_of(stage, line));
  demonstration.sources.push_back({.file = measured.origin});
  std::vector<Cell> bars;
  const auto add_bar = [&](std::string label, std::uint64_t cycles, unsigned series) {
    bars.push_back({.text = std::to_string(cycles),
                    .label = std::move(label),
                    .series = series,
                    .share = static_cast<double>(cycles) / longest});
  };
  for (const bool shared : {false, true}) {
    const unsigned series = shared ? 2 : 1;
    add_bar(fmt::format("{} memory, one atomic alone", shared ? "Shared" : "Global"),
            need(shared, 1, 1, 1).last_answer(), series);
    for (const Setting& setting : settings) {
      if (setting.shared != shared) continue;
      const AtomicQueue& queue = need(shared, warps, lanes, setting.words);
      demonstration.scenes.push_back(
          {setting.title, 0, Storyteller(demonstration, queue, measured.clock_mhz, longest, line).tell()});
      add_bar(setting.title, queue.last_answer(), series);
    }
  }
  demonstration.scenes.push_back({"All of them", 1, compare(demonstration, bars)});
  demonstration.notes.push_back(
      fmt::format("Measured on {} ({}): one block of {} threads; of seven launches the one "
                  "of median length",
                  measured.gpu, measured.origin, warps * lanes));
  return demonstration;
}

}  // namespace in_latency

extern const Entry latency_demo{"latency",
                                "how long atomics wait for each other, in global and in shared memory",
                                in_latency::make_latency,
                                {.kernel = false, .text = false}};

}  // namespace demo
