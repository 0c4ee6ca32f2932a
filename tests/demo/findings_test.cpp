// SPDX-License-Identifier: MIT
// A finding is marked where its accesses are drawn, and nowhere else: every mark is compared with what the
// check says in words, and with the trace.
#include "demo/findings.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "made.hpp"
#include "support/contains.hpp"
#include "support/kept_folder.hpp"

using demo::Demonstration;
using demo::Frame;

namespace {

Demonstration made_of(const std::string& name, const std::string& lab, const std::string& file) {
  const demo::Options options{.lab = lab, .file = file};
  demo::Stage stage(workbook::here(), options);
  return demo::make(*demo::find(name), stage);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.rfind(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

std::string skeleton_of_lab_04() {
  return os::read_file(workbook::here().source_root + "/solutions/04_shared_memory/histogram.cu").value();
}

std::uint64_t block_of(const facts::Trace& trace, std::size_t number) {
  if (trace.interleaved) return trace.events[number].block;
  while (trace.events[number].step != facts::TraceStep::block_begins) --number;
  return trace.events[number].block;
}

std::string thread_text(const facts::Trace& trace, std::size_t event, unsigned lane) {
  return fmt::format("thread ({},0,0) of block ({},0,0)", trace.events[event].warp * 32 + lane,
                     block_of(trace, event));
}

// Bytes from the array's beginning.
std::uint64_t place_of(const facts::TraceEvent& event, unsigned lane) {
  const int before = std::popcount(event.lanes & ((1u << lane) - 1));
  return event.each.empty() ? event.first + static_cast<std::uint64_t>(before * event.stride)
                            : event.each.at(static_cast<std::size_t>(before));
}

// Whether what the check says is about this access: the thread, the element, the line, and what it does
// there.
void check_said(const demo::Run& run, const demo::FaultyAccess& access) {
  REQUIRE(access.event < run.trace.events.size());
  const facts::TraceEvent& event = run.trace.events[access.event];
  REQUIRE(event.is_access());
  CHECK((event.lanes >> access.lane & 1) == 1);
  const std::string said = run.finding.message + run.finding.evidence;
  CHECK_MESSAGE(contains(said, thread_text(run.trace, access.event, access.lane)), said);
  const facts::TraceArray& array = run.trace.arrays.at(event.array);
  CHECK_MESSAGE(contains(said, fmt::format("{}[{}]", array.name, place_of(event, access.lane) / event.size)),
                said);
  const std::string role = event.step == facts::TraceStep::load    ? "reads"
                           : event.step == facts::TraceStep::store ? "writes"
                                                                   : "changes";
  CHECK(std::ranges::any_of(run.finding.where, [&](const facts::Location& place) {
    return place.line == run.lines.at(access.event) && place.role.starts_with(role);
  }));
}

// Checks each mark and each sentence; how many marks there are.
std::size_t check_marks(const Demonstration& demonstration) {
  std::size_t marks = 0;
  for (const Frame& frame : demonstration.frames) {
    const demo::Run& run = demonstration.runs.at(frame.run);
    CAPTURE(frame.caption);
    for (const demo::Panel& panel : frame.panels) {
      for (const demo::Cell& cell : panel.cells) {
        if (!cell.mark) continue;
        ++marks;
        CHECK(cell.mark->word == name_of(run.finding.verdict));
        CHECK(cell.mark->access.event < frame.events);
        check_said(run, cell.mark->access);
        if (!cell.shows) continue;
        const facts::TraceEvent& event = run.trace.events[cell.mark->access.event];
        CHECK(cell.shows->array == event.array);
        CHECK(cell.shows->at == place_of(event, cell.mark->access.lane));
      }
    }
  }
  return marks;
}

// The frames of a scene that tell of a finding.
std::vector<const Frame*> telling(const Demonstration& demonstration, const demo::Scene& scene) {
  std::vector<const Frame*> frames;
  for (const std::size_t number : scene.frames) {
    if (!demonstration.frames[number].finding.empty()) frames.push_back(&demonstration.frames[number]);
  }
  return frames;
}

}  // namespace

TEST_CASE("both writes of a race are marked, in every order of the threads") {
  const Demonstration& race = made("race");
  CHECK(check_marks(race) > 40);
  for (const std::size_t scene : {0u, 1u}) {
    CAPTURE(race.scenes.at(scene).title);
    const std::vector<const Frame*> frames = telling(race, race.scenes.at(scene));
    REQUIRE(frames.size() == 2);
    CHECK(frames[0]->finding == "race: two threads change histo[1] without an atomic (first access)");
    CHECK(frames[1]->finding == "race: two threads change histo[1] without an atomic (second access)");
    for (const Frame* const frame : frames) CHECK(contains(frame->caption, " writes histo[1]: "));
  }
  // With atomics there is nothing to mark.
  for (const demo::Scene& scene : race.scenes) {
    if (scene.title == "With atomics, in turns") CHECK(telling(race, scene).empty());
  }
}

TEST_CASE("a race between blocks is marked at the counter") {
  const Demonstration shown =
      made_of("privatization", "", workbook::here().source_root + "/labs/02_global_atomics/demos/race.cu");
  CHECK(shown.runs.at(0).finding.verdict == facts::Verdict::race);
  CHECK(check_marks(shown) == 2);
  CHECK(telling(shown, shown.scenes.at(0)).size() == 2);
}

TEST_CASE("a missing barrier is marked where the two threads meet") {
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("no_barrier.cu", replaced(skeleton_of_lab_04(), "  __syncthreads();\n", ""));
  const Demonstration shown = made_of("privatization", "04", file);
  CHECK(shown.runs.at(0).finding.verdict == facts::Verdict::race);
  CHECK(check_marks(shown) == 2);
}

TEST_CASE("a counter that nobody has set to zero is marked at its first change") {
  const KeptFolder folder("demo");
  const std::string file = folder.write("unset.cu", replaced(skeleton_of_lab_04(), "counts[bin] = 0;", ";"));
  const Demonstration shown = made_of("banks", "04", file);
  CHECK(shown.runs.at(0).finding.verdict == facts::Verdict::uninitialised);
  CHECK(check_marks(shown) > 0);
  for (const demo::Scene& scene : shown.scenes) CHECK(telling(shown, scene).size() == 1);
}

TEST_CASE("accesses that a barrier of their block orders are no race, another block's barrier orders none") {
  // Threads 0 and 1 of block 0 write x[0]; the barrier stands between their first writes.
  const auto store = [](std::uint64_t block, unsigned thread) {
    return facts::TraceEvent{
        .step = facts::TraceStep::store, .block = block, .lanes = 1u << thread, .place = 7, .size = 4};
  };
  const auto barrier_of = [](std::uint64_t block) {
    return facts::TraceEvent{.step = facts::TraceStep::barrier, .block = block};
  };
  facts::Trace trace{.arrays = {{.name = "x", .shared = true, .bytes = 4, .element_bytes = 4}},
                     .events = {store(0, 0), barrier_of(0), store(0, 1), store(0, 0)},
                     .interleaved = true};
  const facts::Finding race{.verdict = facts::Verdict::race,
                            .threads = {{.thread = 0, .site = 7}, {.thread = 1, .site = 7}}};
  std::vector<demo::FaultyAccess> found = demo::faulty_accesses(trace, race);
  REQUIRE(found.size() == 2);
  CHECK(found[0].event == 3);
  CHECK(found[0].lane == 0);
  CHECK(found[1].event == 2);
  CHECK(found[1].lane == 1);

  trace.events = {store(0, 0), barrier_of(1), store(0, 1)};
  found = demo::faulty_accesses(trace, race);
  REQUIRE(found.size() == 2);
  CHECK(found[0].event == 0);
  CHECK(found[1].event == 2);

  trace.events = {store(0, 0), barrier_of(0), store(0, 1)};
  CHECK(demo::faulty_accesses(trace, race).empty());
}

TEST_CASE("threads of two blocks race in global memory, and not at one place of shared memory") {
  facts::Trace trace{.arrays = {{.name = "x", .shared = true, .bytes = 4, .element_bytes = 4}},
                     .events = {},
                     .interleaved = true};
  for (const std::uint64_t block : {0u, 1u})
    trace.events.push_back(
        {.step = facts::TraceStep::store, .block = block, .lanes = 1, .place = 7, .size = 4});
  const facts::Finding race{.verdict = facts::Verdict::race,
                            .threads = {{.block = 0, .site = 7}, {.block = 1, .site = 7}}};
  CHECK(demo::faulty_accesses(trace, race).empty());
  trace.arrays[0].shared = false;
  CHECK(demo::faulty_accesses(trace, race).size() == 2);
}

TEST_CASE("the frame of a fault stands behind the last thing that its thread has done") {
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("late.cu",
                   "#include \"lab.hpp\"\n"
                   "template <class Binning>\n"
                   "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned "
                   "int* histo) {\n"
                   "  const std::size_t i = threadIdx.x + std::size_t{blockDim.x} * blockIdx.x;\n"
                   "  if (i >= length) return;\n"
                   "  const int bin = Binning::bin_of(data[i]);\n"
                   "  if (bin >= 0) atomicAdd(&histo[bin], 1u);\n"
                   "  if (data[i + 1] == 0) histo[0] = 0;\n"
                   "}\n"
                   "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  const Demonstration shown = made_of("privatization", "02", file);
  const std::vector<std::size_t>& frames = shown.scenes.at(0).frames;
  const auto fault = std::ranges::find_if(
      frames, [&](std::size_t frame) { return !shown.frames.at(frame).finding.empty(); });
  REQUIRE(fault != frames.end());
  REQUIRE(fault != frames.begin());
  CHECK(shown.frames[*fault].caption == "Thread 7 of block 3 goes no further");
  CHECK(shown.frames[*(fault - 1)].caption.starts_with("Thread 7 of block 3 adds 1 to histo["));
}

TEST_CASE("a thread that leaves its array stops in a frame of its own, behind what it has done") {
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("outside.cu",
                   "#include \"lab.hpp\"\n"
                   "template <class Binning>\n"
                   "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned "
                   "int* histo) {\n"
                   "  const std::size_t i = threadIdx.x + std::size_t{blockDim.x} * blockIdx.x;\n"
                   "  if (i >= length) return;\n"
                   "  const int bin = Binning::bin_of(data[i]);\n"
                   "  if (data[i + 1] != 0 && bin >= 0) atomicAdd(&histo[bin], 1u);\n"
                   "}\n"
                   "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  const Demonstration shown = made_of("privatization", "02", file);
  CHECK(check_marks(shown) == 0);
  const std::vector<const Frame*> frames = telling(shown, shown.scenes.at(0));
  REQUIRE(frames.size() == 1);
  CHECK(frames[0]->caption == "Thread 7 of block 3 goes no further");
  CHECK(frames[0]->finding == "out_of_bounds: histogram_kernel read data[32]; data has 32 bytes");
  CHECK(frames[0]->line == 7);
  const facts::Trace& trace = shown.runs.at(0).trace;
  std::size_t before = 0;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    if (event.is_access() && event.block == 3 && event.lanes == 1u << 7) {
      CHECK(e < frames[0]->events);
      ++before;
    }
  }
  CHECK(before > 0);
}
