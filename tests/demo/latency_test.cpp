// SPDX-License-Identifier: MIT
// The demonstration of latencies shows what the calibration's record holds, to one scale.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "made.hpp"
#include "measure/atomic_queues.hpp"
#include "measure/gpu_device.hpp"

using Json = nlohmann::json;

namespace {

// The answers of eight full warps, read from the record anew.
std::vector<unsigned> answers(const std::string& memory, unsigned words) {
  std::ifstream file(workbook::here().source_root + "/docs/records/calibration/h200.jsonl");
  std::vector<unsigned> found;
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    if (json.at("what") == "atomic_queue" && json.at("memory") == memory && json.at("warps") == 8 &&
        json.at("active") == 32 && json.at("words") == words)
      found = json.at("answered_cycles").get<std::vector<unsigned>>();
  }
  REQUIRE(found.size() == 8);
  return found;
}

bool is_of_record() {
  if (!measure::gpu_device(workbook::here()).works) return true;
  MESSAGE("left out: on a machine with a GPU it is measured there");
  return false;
}

}  // namespace

TEST_CASE("each frame shows the answers that had come, and how far the others were") {
  if (!is_of_record()) return;
  const demo::Demonstration& latency = made("latency");
  const unsigned longest = std::ranges::max(answers("global", 1));
  const std::vector<std::pair<std::string, unsigned>> settings{{"global", 1}, {"global", 7}, {"global", 256},
                                                               {"shared", 1}, {"shared", 7}, {"shared", 256}};
  REQUIRE(latency.scenes.size() == settings.size() + 1);
  for (std::size_t scene = 0; scene < settings.size(); ++scene) {
    CAPTURE(latency.scenes[scene].title);
    const std::vector<unsigned> answered = answers(settings[scene].first, settings[scene].second);
    std::vector<unsigned> times = answered;
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const std::vector<std::size_t>& frames = latency.scenes[scene].frames;
    REQUIRE(frames.size() == times.size() + 1);
    for (std::size_t step = 0; step < frames.size(); ++step) {
      const demo::Frame& frame = latency.frames.at(frames[step]);
      const unsigned now = step == 0 ? 0 : times[step - 1];
      REQUIRE(frame.panels.size() == 1);
      REQUIRE(frame.panels[0].cells.size() == 8);
      for (std::size_t warp = 0; warp < 8; ++warp) {
        const demo::Cell& cell = frame.panels[0].cells[warp];
        const bool has_come = step > 0 && answered[warp] <= now;
        CHECK(cell.text == (has_come ? std::to_string(answered[warp]) : ""));
        CHECK(cell.share == doctest::Approx(std::min(now, answered[warp]) / static_cast<double>(longest)));
        CHECK((cell.look == demo::Look::now) == (step > 0 && answered[warp] == now));
      }
    }
  }
}

TEST_CASE("all are compared by their last answers, and the GPU is named") {
  if (!is_of_record()) return;
  const demo::Demonstration& latency = made("latency");
  const demo::Frame& end = latency.frames.at(latency.scenes.back().frames.back());
  std::vector<std::string> texts;
  for (const demo::Cell& cell : end.panels.at(0).cells) texts.push_back(cell.text);
  std::vector<std::string> expected;
  for (const std::string memory : {"global", "shared"}) {
    expected.push_back(memory == "global" ? "510" : "80");  // one atomic alone
    for (const unsigned words : {1u, 7u, 256u})
      expected.push_back(std::to_string(std::ranges::max(answers(memory, words))));
  }
  CHECK(texts == expected);
  // Bar after bar is uncovered, and nothing is given away before.
  const std::vector<std::size_t>& steps = latency.scenes.back().frames;
  REQUIRE(steps.size() == expected.size() + 1);
  const double longest = static_cast<double>(std::ranges::max(answers("global", 1)));
  for (std::size_t shown = 0; shown < steps.size(); ++shown) {
    const std::vector<demo::Cell>& bars = latency.frames.at(steps[shown]).panels.at(0).cells;
    REQUIRE(bars.size() == expected.size());
    for (std::size_t bar = 0; bar < bars.size(); ++bar) {
      CHECK(bars[bar].text == (bar < shown ? expected[bar] : ""));
      CHECK(bars[bar].share == doctest::Approx(bar < shown ? std::stod(expected[bar]) / longest : 0));
      CHECK((bars[bar].look == demo::Look::now) == (bar + 1 == shown));
    }
  }
  CHECK(latency.notes.at(0).starts_with("Measured on NVIDIA H200 (docs/records/calibration/h200.jsonl): "));
}

TEST_CASE("the highlighted line is the atomic of the kernel that was measured") {
  const demo::Demonstration& latency = made("latency");
  const demo::Source& source = latency.sources.at(0);
  const int line = latency.frames.at(latency.scenes[0].frames.at(1)).line;
  const auto at = std::ranges::find(source.numbers, line);
  REQUIRE(at != source.numbers.end());
  CHECK(source.lines[static_cast<std::size_t>(at - source.numbers.begin())].find("atomicAdd(own,") !=
        std::string::npos);
}

TEST_CASE("of the calibration's lines only queues are read") {
  const measure::AtomicQueues read = measure::read_atomic_queues(
      "{\"gpu\":\"g\",\"clock_mhz\":1000,\"what\":\"barrier\"}\n"
      "{\"gpu\":\"g\",\"clock_mhz\":1000,\"what\":\"atomic_queue\",\"memory\":\"shared\",\"warps\":2,"
      "\"active\":1,"
      "\"words\":1,\"word_stride\":1,\"sent_cycles\":[0,1],\"answered_cycles\":[9,7]}\n",
      "here");
  CHECK(read.gpu == "g");
  CHECK(read.origin == "here");
  REQUIRE(read.queues.size() == 1);
  REQUIRE(read.find(true, 2, 1, 1) == &read.queues[0]);
  CHECK(read.find(false, 2, 1, 1) == nullptr);
  CHECK(read.queues[0].last_answer() == 9);
  CHECK_THROWS_AS(measure::read_atomic_queues("nothing\n", "here"), Json::exception);
}
