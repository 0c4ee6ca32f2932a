// SPDX-License-Identifier: MIT
// What each demonstration draws of its own - who has read a byte, which banks are wanted, which lanes work,
// what has been counted so far - is worked out here from the events before each frame, and from nothing else.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <tuple>

#include "made.hpp"

using demo::Cell;
using demo::Demonstration;
using demo::Frame;
using demo::Panel;
using facts::Trace;
using facts::TraceEvent;
using facts::TraceStep;

namespace {

struct Access {
  unsigned lane;
  std::uint64_t at;
  std::size_t nth;  // among the event's lanes
};

std::vector<Access> accesses_of(const TraceEvent& event) {
  std::vector<Access> all;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((event.lanes >> lane & 1) == 0) continue;
    const std::size_t n = all.size();
    all.push_back(
        {lane,
         event.each.empty() ? event.first + n * static_cast<std::uint64_t>(event.stride) : event.each.at(n),
         n});
  }
  return all;
}

bool changes_atomically(const TraceEvent& event) {
  return event.step == TraceStep::atomic || event.step == TraceStep::compare_and_swap ||
         event.step == TraceStep::atomic_increment;
}

bool is_input(const Trace& trace, const TraceEvent& event) {
  return event.is_access() && trace.arrays.at(event.array).name == "data";
}

// Calls it with each frame of the scenes that are played, the trace of its run, and the events since the
// frame before.
template <class Check>
std::size_t each_frame(const Demonstration& demonstration, const Check& check) {
  std::size_t frames = 0;
  for (const demo::Scene& scene : demonstration.scenes) {
    CAPTURE(scene.title);
    std::size_t before = 0;
    for (const std::size_t number : scene.frames) {
      const Frame& frame = demonstration.frames.at(number);
      CAPTURE(frame.caption);
      check(frame, demonstration.runs.at(frame.run).trace, before);
      before = frame.events;
      ++frames;
    }
  }
  return frames;
}

std::string figure_of(const Frame& frame, const std::string& label) {
  for (const Panel& panel : frame.panels) {
    for (const Cell& cell : panel.cells) {
      if (cell.label == label) return cell.text;
    }
  }
  FAIL("there is no figure ", label);
  return {};
}

std::string digits_of(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_first_not_of("0123456789", begin) - begin);
}

// The letters that a run has read after so many events.
std::set<std::uint64_t> bytes_read(const Trace& trace, std::size_t events) {
  std::set<std::uint64_t> read;
  for (std::size_t e = 0; e < events; ++e) {
    if (!is_input(trace, trace.events[e])) continue;
    for (const Access& access : accesses_of(trace.events[e])) read.insert(access.at);
  }
  return read;
}

}  // namespace

TEST_CASE("a letter has its reader's colour once it has been read, and not before") {
  for (const char* const name : {"histogram", "aggregation"}) {
    CAPTURE(name);
    const std::size_t frames =
        each_frame(made(name), [](const Frame& frame, const Trace& trace, std::size_t before) {
          const std::set<std::uint64_t> read = bytes_read(trace, frame.events),
                                        earlier = bytes_read(trace, before);
          const std::vector<Cell>& letters = frame.panels.at(0).cells;
          for (std::size_t i = 0; i < letters.size(); ++i) {
            CHECK((letters[i].series > 0) == read.contains(i));
            CHECK((letters[i].look == demo::Look::now) == (read.contains(i) && !earlier.contains(i)));
          }
        });
    CHECK(frames > 40);
  }
}

TEST_CASE("letters and atomics of aggregation are those of the events so far") {
  each_frame(made("aggregation"), [](const Frame& frame, const Trace& trace, std::size_t) {
    std::size_t letters = 0, atomics = 0;
    std::uint64_t added = 0;
    std::optional<std::uint64_t> counters;  // the commit's atomics go to another array
    for (std::size_t e = 0; e < frame.events; ++e) {
      const TraceEvent& event = trace.events[e];
      letters += is_input(trace, event);
      if (!changes_atomically(event)) continue;
      if (!counters) counters = event.array;
      if (event.array != *counters) continue;
      ++atomics;
      added += event.written.at(0) - event.read.at(0);
    }
    CHECK(figure_of(frame, "letters read") == std::to_string(letters));
    CHECK(figure_of(frame, "not yet in a counter") == std::to_string(letters - added));
    CHECK(figure_of(frame, "atomics") == std::to_string(atomics));
  });
}

TEST_CASE("bars are as long as their counters are high") {
  for (const char* const name : {"histogram", "aggregation"}) {
    CAPTURE(name);
    std::map<std::size_t, double> scales;  // of each run
    const Demonstration& demonstration = made(name);
    each_frame(demonstration, [&](const Frame& frame, const Trace&, std::size_t) {
      for (const Cell& cell : frame.panels.at(1).cells) {
        const std::string value = digits_of(cell.text);
        const double count = value.empty() ? 0 : std::stod(value);
        if (count == 0) {
          CHECK(cell.share == 0);
          continue;
        }
        const double scale = scales.try_emplace(frame.run, cell.share / count).first->second;
        CHECK(cell.share == doctest::Approx(count * scale));
      }
    });
    CHECK(scales.size() == demonstration.scenes.size());
  }
}

TEST_CASE(
    "each byte of partition shows the thread that has read it, and each sector how often it was asked for") {
  const std::size_t frames =
      each_frame(made("partition"), [](const Frame& frame, const Trace& trace, std::size_t before) {
        std::map<std::uint64_t, unsigned> readers;
        std::map<std::uint64_t, unsigned> uses;
        std::set<std::uint64_t> bytes_now, sectors_now;
        std::size_t requests = 0, sectors = 0;
        for (std::size_t e = 0; e < frame.events; ++e) {
          if (!is_input(trace, trace.events[e])) continue;
          ++requests;
          std::set<std::uint64_t> touched;
          for (const Access& access : accesses_of(trace.events[e])) {
            readers[access.at] = access.lane;
            touched.insert(access.at / 32);
            if (e >= before) bytes_now.insert(access.at);
          }
          sectors += touched.size();
          for (const std::uint64_t sector : touched) ++uses[sector];
          if (e >= before) sectors_now = touched;
        }
        const std::vector<Cell>& bytes = frame.panels.at(0).cells;
        REQUIRE(bytes.size() == 128);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          const bool is_read = readers.contains(i);
          CHECK(bytes[i].text == (is_read ? std::to_string(readers.at(i)) : ""));
          CHECK(bytes[i].series == (is_read ? readers.at(i) + 1 : 0));
          CHECK((bytes[i].look == demo::Look::now) == bytes_now.contains(i));
        }
        const std::vector<Cell>& row = frame.panels.at(1).cells;
        REQUIRE(row.size() == 5);
        for (std::uint64_t s = 0; s < 4; ++s) {
          CHECK(row[s + 1].text == (uses.contains(s) ? std::to_string(uses.at(s)) : "\u2013"));
          CHECK((row[s + 1].look == demo::Look::now) == sectors_now.contains(s));
        }
        CHECK(figure_of(frame, "requests") == std::to_string(requests));
        CHECK(figure_of(frame, "sectors") == std::to_string(sectors));
        CHECK(figure_of(frame, "from L2") == std::to_string(uses.size()));
        CHECK(figure_of(frame, "from L1") == std::to_string(sectors - uses.size()));
      });
  CHECK(frames > 30);
}

TEST_CASE("lanes and words of each bank are those of the request that the frame shows") {
  const std::size_t frames =
      each_frame(made("banks"), [](const Frame& frame, const Trace& trace, std::size_t) {
        std::array<unsigned, 32> lanes{};
        std::array<std::set<std::uint64_t>, 32> words;
        if (frame.events > 0) {
          const TraceEvent& event = trace.events[frame.events - 1];
          REQUIRE(trace.arrays.at(event.array).shared);
          for (const Access& access : accesses_of(event)) {
            ++lanes.at(access.at / 4 % 32);
            words.at(access.at / 4 % 32).insert(access.at / 4);
          }
        }
        for (std::size_t bank = 0; bank < 32; ++bank) {
          const std::string of_lanes = frame.panels.at(0).cells.at(bank).text,
                            of_words = frame.panels.at(1).cells.at(bank).text;
          CHECK(of_lanes == (lanes[bank] == 0 ? "" : std::to_string(lanes[bank])));
          CHECK(of_words == (lanes[bank] == 0 ? "" : std::to_string(words[bank].size())));
        }
      });
  CHECK(frames > 20);
}

TEST_CASE("the lanes of divergence are those that have accessed memory since the barrier before") {
  const std::size_t frames =
      each_frame(made("divergence"), [](const Frame& frame, const Trace& trace, std::size_t before) {
        std::array<unsigned, 4> working{};
        std::uint64_t accesses = 0, lanes = 0;
        for (std::size_t e = 0; e < frame.events; ++e) {
          const TraceEvent& event = trace.events[e];
          CHECK((e < before || e == before || event.step != TraceStep::barrier ||
                 std::none_of(trace.events.begin() + static_cast<std::ptrdiff_t>(before),
                              trace.events.begin() + static_cast<std::ptrdiff_t>(e),
                              [](const TraceEvent& earlier) { return earlier.is_access(); })));
          if (!event.is_access()) continue;
          ++accesses;
          lanes += static_cast<std::uint64_t>(std::popcount(event.lanes));
          if (e >= before) working.at(event.warp) |= event.lanes;
        }
        const std::vector<Cell>& cells = frame.panels.at(0).cells;
        REQUIRE(cells.size() == 128);
        for (unsigned i = 0; i < 128; ++i) {
          const bool works = (working[i / 32] >> (i % 32) & 1) != 0;
          CHECK((cells[i].look == demo::Look::now) == works);
          CHECK(cells[i].text.empty() == !works);
        }
        CHECK(digits_of(frame.panels.at(1).title.substr(frame.panels.at(1).title.find(','))) ==
              std::to_string(accesses));
        const double average = accesses == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(accesses);
        CHECK(frame.panels.at(1).cells.at(0).text == fmt::format("{:.1f}", average));
        CHECK(frame.panels.at(1).cells.at(0).share == doctest::Approx(average / 32));
      });
  CHECK(frames > 10);
}

TEST_CASE("atomics of privatization are those of the events so far, all and on the busiest counter") {
  const std::size_t frames =
      each_frame(made("privatization"), [](const Frame& frame, const Trace& trace, std::size_t) {
        std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> counters;
        std::size_t all = 0, busiest = 0;
        for (std::size_t e = 0; e < frame.events; ++e) {
          const TraceEvent& event = trace.events[e];
          if (!changes_atomically(event)) continue;
          for (const Access& access : accesses_of(event)) {
            const std::uint64_t block = trace.arrays.at(event.array).shared ? event.block : 0;
            busiest = std::max(busiest, ++counters[{event.array, block, access.at}]);
            ++all;
          }
        }
        CHECK(figure_of(frame, "all") == std::to_string(all));
        CHECK(figure_of(frame, "on the busiest counter") == std::to_string(busiest));
      });
  CHECK(frames == 30 + 46 + 50);
}

TEST_CASE("a row of race is one access: in its thread's column, with the value that it has found or left") {
  std::size_t rows = 0;
  for (const Frame& frame : made("race").frames) {
    const Trace& trace = made("race").runs.at(frame.run).trace;
    CAPTURE(frame.caption);
    const Panel& table = frame.panels.at(0);
    const std::size_t columns = table.headings.size();
    std::vector<const TraceEvent*> accesses;
    for (std::size_t e = 0; e < frame.events; ++e) {
      if (trace.events[e].is_access()) accesses.push_back(&trace.events[e]);
    }
    for (std::size_t row = 0; row * columns < table.cells.size(); ++row) {
      for (std::size_t column = 1; column < columns; ++column) {
        const std::string& text = table.cells[row * columns + column].text;
        const bool is_its = row < accesses.size() &&
                            column == accesses[row]->warp * 32 + accesses_of(*accesses[row]).front().lane + 1;
        CHECK(text.empty() == !is_its);
        if (!is_its) continue;
        ++rows;
        const TraceEvent& event = *accesses[row];
        const std::uint64_t value = (event.step == TraceStep::load ? event.read : event.written).at(0);
        const std::string shown =
            is_input(trace, event) ? fmt::format("'{}'", static_cast<char>(value)) : std::to_string(value);
        const std::string verb = event.step == TraceStep::load ? "reads " + shown
                                 : event.step == TraceStep::store
                                     ? "writes " + shown
                                     : fmt::format("{} to {}", event.read.at(0), shown);
        CHECK(text.substr(0, verb.size()) == verb);
      }
    }
  }
  CHECK(rows > 500);
}

TEST_CASE("what a caption says a thread does is the last event before the frame") {
  const std::regex deed(
      "(?:^|and )(?:Thread ([0-9]+)(?: of block ([0-9]+))? |The thread )?(reads|writes|adds) (?:([0-9]+) to "
      ")?"
      "([a-z]+)\\[([0-9]+)\\](?: in one step)?: (?:'(.)'|([0-9]+))(?: becomes ([0-9]+))?");
  std::size_t checked = 0;
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const Demonstration& demonstration = made(std::string(entry.name));
    for (const Frame& frame : demonstration.frames) {
      CAPTURE(frame.caption);
      std::string last;
      std::smatch said, found;
      for (std::string rest = frame.caption; std::regex_search(rest, found, deed); rest = found.suffix()) {
        last = found.str();
        std::regex_search(last, said, deed);
      }
      if (last.empty() || frame.events == 0) continue;
      ++checked;
      const demo::Run& run = demonstration.runs.at(frame.run);
      const TraceEvent& event = run.trace.events.at(frame.events - 1);
      REQUIRE(event.is_access());
      const Access access = accesses_of(event).front();
      const std::string verb = event.step == TraceStep::load    ? "reads"
                               : event.step == TraceStep::store ? "writes"
                                                                : "adds";
      CHECK(said[3] == verb);
      CHECK(said[5] == run.trace.arrays.at(event.array).name);
      CHECK(said[6] == std::to_string(access.at / event.size));
      if (said[1].matched) CHECK(std::stoul(said[1]) == event.warp * 32 + access.lane);
      if (said[2].matched) CHECK(std::stoul(said[2]) == event.block);
      const std::uint64_t value = (verb == "writes" ? event.written : event.read).at(0);
      const std::string shown =
          said[7].matched ? std::to_string(static_cast<unsigned char>(said[7].str()[0])) : said[8].str();
      CHECK(shown == std::to_string(value));
      if (verb != "adds") continue;
      CHECK(said[9] == std::to_string(event.written.at(0)));
      CHECK(said[4] == std::to_string(event.written.at(0) - value));
    }
  }
  CHECK(checked > 300);
}
