// SPDX-License-Identifier: MIT
// What demonstrations show is what happened: every picture is compared with the trace of its run, replayed
// here by other means.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "made.hpp"
#include "measure/gpu_device.hpp"

using demo::Cell;
using demo::Demonstration;
using demo::Frame;

namespace {

// What memory holds, element by element, after the first events of a trace.
using Values = std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t>;
Values after(const facts::Trace& trace, std::size_t events) {
  Values values;
  std::uint64_t block = 0;
  for (std::size_t e = 0; e < events; ++e) {
    const facts::TraceEvent& event = trace.events.at(e);
    if (trace.interleaved || event.name() == "begin") block = event.block;
    if (!event.is_access()) continue;
    const bool shared = trace.arrays.at(event.array).shared;
    const auto lanes = static_cast<std::size_t>(std::popcount(event.lanes));
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint64_t at =
          event.each.empty() ? event.first + i * static_cast<std::uint64_t>(event.stride) : event.each[i];
      const auto& known = event.name() == "load" ? event.read : event.written;
      if (!known.empty()) values[{event.array, shared ? block : 0, at}] = known[i];
    }
  }
  return values;
}

// The numbers of a text in front of anything else: "3", "3 of 9".
std::string number_in(const std::string& text) {
  return text.substr(0, text.find_first_not_of("0123456789"));
}

void check_cell(const Demonstration& demonstration, const Frame& frame, const Values& values,
                const Cell& cell) {
  const facts::Trace& trace = demonstration.runs.at(frame.run).trace;
  const auto& [array, at, block] = *cell.shows;
  const facts::TraceArray& shown = trace.arrays.at(array);
  const auto held = values.find({array, shown.shared ? block : 0, at});
  if (held == values.end()) {
    CHECK((cell.text == "?" || (!shown.shared && cell.text == "0")));
  } else if (shown.element_bytes == 1) {
    CHECK((held->second <= ' ' || cell.text.find(static_cast<char>(held->second)) != cell.text.npos));
  } else {
    CHECK(number_in(cell.text) == std::to_string(held->second));
  }
}

}  // namespace

TEST_CASE("every frame shows what memory held, and the line that was executed") {
  std::size_t compared = 0;
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const Demonstration& demonstration = made(std::string(entry.name));
    CHECK(demonstration.frames.size() > 4);
    for (const Frame& frame : demonstration.frames) {
      if (demonstration.runs.empty()) continue;
      const demo::Run& run = demonstration.runs.at(frame.run);
      CAPTURE(frame.events);
      REQUIRE(frame.events <= run.trace.events.size());
      CHECK(frame.line == (frame.events == 0 ? 0 : run.lines.at(frame.events - 1)));
      const Values values = after(run.trace, frame.events);
      for (const demo::Panel& panel : frame.panels) {
        CAPTURE(panel.title);
        for (const Cell& cell : panel.cells) {
          if (!cell.shows) continue;
          ++compared;
          check_cell(demonstration, frame, values, cell);
        }
      }
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("scenes go through the events of their runs in order, from nothing to the end") {
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const Demonstration& demonstration = made(std::string(entry.name));
    REQUIRE_FALSE(demonstration.scenes.empty());
    CHECK_FALSE(demonstration.question.empty());
    CHECK(std::ranges::any_of(demonstration.frames, &Frame::in_handout));
    for (const demo::Scene& scene : demonstration.scenes) {
      CAPTURE(scene.title);
      REQUIRE_FALSE(scene.frames.empty());
      CHECK(demonstration.frames.at(scene.frames.front()).events == 0);
      for (std::size_t i = 0; i < scene.frames.size(); ++i) {
        const Frame& now = demonstration.frames.at(scene.frames[i]);
        if (i > 0 && !demonstration.runs.empty())
          CHECK(now.events > demonstration.frames.at(scene.frames[i - 1]).events);
        CHECK_FALSE(now.caption.empty());
        CHECK(now.caption.back() != '.');  // whoever draws it ends the sentence
      }
      REQUIRE(scene.source < std::max<std::size_t>(demonstration.sources.size(), 1));
    }
  }
}

TEST_CASE("the lines that frames name are among those of their source") {
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const Demonstration& demonstration = made(std::string(entry.name));
    for (const demo::Scene& scene : demonstration.scenes) {
      for (const std::size_t number : scene.frames) {
        const int line = demonstration.frames.at(number).line;
        CHECK((line == 0 || std::ranges::count(demonstration.sources.at(scene.source).numbers, line) == 1));
      }
    }
  }
}

TEST_CASE("names are different, and an unknown one is found nowhere") {
  std::set<std::string_view> names;
  for (const demo::Entry& entry : demo::demonstrations()) {
    CHECK(names.insert(entry.name).second);
    CHECK(demo::find(entry.name) == &entry);
  }
  CHECK(demo::find("nothing") == nullptr);
}

TEST_CASE("docs/lecturers.md describes every demonstration, with captions that are among its frames") {
  std::ifstream guide(workbook::here().source_root + "/docs/lecturers.md");
  std::map<std::string, std::size_t> quoted;
  std::string name;
  for (std::string line; std::getline(guide, line);) {
    if (line.starts_with("## ")) name.clear();
    if (line.starts_with("### ")) quoted[name = line.substr(4)];
    if (!line.starts_with("> ")) continue;
    CAPTURE(line);
    REQUIRE(demo::find(name));
    ++quoted[name];
    // Where there is a GPU, its own latencies are shown, and not those of the record.
    if (name == "latency" && measure::gpu_device(workbook::here()).works) continue;
    CHECK(std::ranges::count(made(name).frames, line.substr(2), &Frame::caption) > 0);
  }
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    // Times are in the records alone.
    CHECK(quoted.contains(std::string(entry.name)));
    CHECK((quoted[std::string(entry.name)] > 0 || made(std::string(entry.name)).runs.empty()));
  }
}
