// SPDX-License-Identifier: MIT
#include "facts/trace.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string>

#include "kernels.hpp"
#include "launching.hpp"

using facts::Trace;
using facts::TraceEvent;
using facts::TraceStep;
using simulator::DeviceBuffer;
using simulator::LaunchConfiguration;

namespace {

LaunchConfiguration traced(dim3 grid, dim3 block, std::vector<facts::TraceRequest::Blocks> blocks) {
  LaunchConfiguration configuration{grid, block};
  configuration.trace = {.blocks = std::move(blocks)};
  return configuration;
}

std::string offsets_text(const TraceEvent& event) {
  if (event.each.empty()) return fmt::format("{}{:+}", event.first, event.stride);
  std::string text;
  for (const std::uint64_t offset : event.each) text += (text.empty() ? "" : ",") + std::to_string(offset);
  return text;
}

// "load warp 0 ffffffff data 1 0+2": step, warp, lanes, array, bytes a lane, offset of the first lane and
// stride.
std::string text_of(const Trace& trace, const TraceEvent& event) {
  constexpr const char* names[] = {"begin",     "load",    "store",        "atomic", "compare_and_swap",
                                   "increment", "barrier", "warp_barrier", "end"};
  const std::string step = names[static_cast<unsigned>(event.step)];
  switch (event.step) {
    case TraceStep::block_begins:
      return fmt::format("{} {}", step, event.block);
    case TraceStep::block_ends:
    case TraceStep::barrier:
      return step;
    case TraceStep::warp_barrier:
      return fmt::format("{} warp {} {:08x}", step, event.warp, event.lanes);
    default:
      return fmt::format("{} warp {} {:08x} {} {} {}", step, event.warp, event.lanes,
                         trace.arrays.at(event.array).name, event.size, offsets_text(event));
  }
}

std::vector<std::string> lines(const Trace& trace) {
  std::vector<std::string> all;
  for (const TraceEvent& event : trace.events) all.push_back(text_of(trace, event));
  return all;
}

struct EveryStep {
  DeviceBuffer in{128, {"in", 1}}, out{16, {"out", 4}};

  EveryStep() {
    std::ranges::fill(in.bytes(), 0);
    std::ranges::fill(out.bytes(), 0);
  }

  Trace trace(const LaunchConfiguration& configuration) const {
    return launch(configuration,
                  [&] { every_step(in.bytes().data(), reinterpret_cast<unsigned*>(out.bytes().data())); })
        .trace.value();
  }
};

}  // namespace

TEST_CASE("a launch is traced only if it is asked for") {
  const DeviceArray<unsigned> marks(32);
  CHECK_FALSE(launch({1, 32}, [&] { mark(marks.data()); }).trace.has_value());
  CHECK(launch(traced(1, 32, {{0, 0}}), [&] { mark(marks.data()); }).trace.has_value());
}

TEST_CASE("a trace holds what the warps of a block did, step by step") {
  const Trace trace = EveryStep().trace(traced(1, 64, {{0, 0}}));
  CHECK(lines(trace) == std::vector<std::string>{
                            "begin 0",
                            "load warp 0 ffffffff in 1 0+2",
                            "store warp 0 ffffffff words 4 124-4",
                            "warp_barrier warp 0 ffffffff",
                            "increment warp 0 49249249 words 4 0+12",
                            "load warp 1 ffffffff in 1 64+2",
                            "store warp 1 ffffffff words 4 252-4",
                            "warp_barrier warp 1 ffffffff",
                            "increment warp 1 92492492 words 4 132+12",
                            "barrier",
                            "load warp 0 ffffffff words 4 0+0",
                            "atomic warp 0 ffffffff out 4 0+0",
                            "load warp 1 ffffffff words 4 0+0",
                            "atomic warp 1 ffffffff out 4 0+0",
                            "end",
                        });
  CHECK_FALSE(trace.truncated);
}

TEST_CASE("a trace names its arrays in the order in which they are touched, with space and size") {
  const Trace trace = EveryStep().trace(traced(1, 64, {{0, 0}}));
  REQUIRE(trace.arrays.size() == 3);
  CHECK(trace.arrays[0].name == "in");
  CHECK_FALSE(trace.arrays[0].shared);
  CHECK(trace.arrays[0].bytes == 128);
  CHECK(trace.arrays[0].element_bytes == 1);
  CHECK(trace.arrays[1].name == "words");
  CHECK(trace.arrays[1].shared);
  CHECK(trace.arrays[1].bytes == 256);
  CHECK(trace.arrays[2].name == "out");
  CHECK(trace.arrays[2].element_bytes == 4);
}

TEST_CASE("accesses and barriers have their places in the program, barriers other ones than accesses") {
  const Trace trace = EveryStep().trace(traced(1, 64, {{0, 0}}));
  for (const TraceEvent& event : trace.events) {
    const bool has_none = event.step == TraceStep::block_begins || event.step == TraceStep::block_ends;
    CAPTURE(text_of(trace, event));
    CHECK(lies_in(event.place, &every_step) == !has_none);
  }
  CHECK(trace.events[1].place == trace.events[5].place);  // the load of either warp
  CHECK(trace.events[3].place == trace.events[7].place);  // their __syncwarp
  CHECK(trace.events[3].place > trace.events[2].place);
  CHECK(trace.events[9].place > trace.events[4].place);  // the barrier after the increment
}

TEST_CASE("only chosen blocks are traced, in the order in which they run") {
  const auto begins = [](std::vector<facts::TraceRequest::Blocks> blocks) {
    const Trace trace = EveryStep().trace(traced(4, 64, std::move(blocks)));
    std::vector<std::uint64_t> numbers;
    for (const TraceEvent& event : trace.events) {
      if (event.step == TraceStep::block_begins) numbers.push_back(event.block);
    }
    CHECK(trace.events.size() == 15 * numbers.size());
    return numbers;
  };
  using Numbers = std::vector<std::uint64_t>;
  CHECK(begins({{3, 3}, {0, 1}}) == Numbers{0, 1, 3});
  CHECK(begins({{2, 99}}) == Numbers{2, 3});
  CHECK(begins({{0, 2}, {1, 1}}) == Numbers{0, 1, 2});
  CHECK(begins({{4, 9}}).empty());
  CHECK(begins({}).empty());
}

TEST_CASE("lanes that point into different arrays are an event for each array") {
  const DeviceBuffer first(128, {"first", 4}), second(128, {"second", 4});
  const auto words = [](const DeviceBuffer& buffer) {
    return reinterpret_cast<unsigned*>(buffer.bytes().data());
  };
  const Trace trace =
      launch(traced(1, 8, {{0, 0}}), [&] {
        write_either([](unsigned lane) { return lane % 2 == 1; }, words(first), words(second));
      }).trace.value();
  CHECK(lines(trace) == std::vector<std::string>{"begin 0", "store warp 0 00000055 first 4 0+8",
                                                 "store warp 0 000000aa second 4 4+8", "end"});
}

TEST_CASE("offsets that are no arithmetic sequence are listed, lane by lane") {
  const DeviceArray<unsigned> next(std::vector<unsigned>{2, 0, 3, 1}), out(4);
  const Trace trace =
      launch(traced(1, 4, {{0, 0}}), [&] { follow(next.data(), 2, out.data()); }).trace.value();
  CHECK(lines(trace) == std::vector<std::string>{"begin 0", "load warp 0 0000000f memory 4 0+4",
                                                 "load warp 0 0000000f memory 4 8,0,12,4",
                                                 "store warp 0 0000000f memory 4 0+4", "end"});
  CHECK(trace.arrays.size() == 2);  // of the same name
}

TEST_CASE("what does not fit is left out from there on, and said") {
  LaunchConfiguration configuration = traced(4, 64, {{0, 3}});
  configuration.trace->most_bytes = 3 * 64;
  const Trace cut = EveryStep().trace(configuration);
  CHECK(cut.truncated);
  CHECK(lines(cut) == std::vector<std::string>{"begin 0", "load warp 0 ffffffff in 1 0+2",
                                               "store warp 0 ffffffff words 4 124-4"});
  configuration.trace->most_bytes = 4 * 15 * 64;  // exactly what it takes
  CHECK_FALSE(EveryStep().trace(configuration).truncated);
  configuration.trace->most_events = 4 * 15;
  CHECK_FALSE(EveryStep().trace(configuration).truncated);
  configuration.trace->most_events = 3;
  const Trace three = EveryStep().trace(configuration);
  CHECK(three.truncated);
  CHECK(lines(three) == lines(cut));

  // A listed offset takes 12: the second load does not fit beside the first.
  const DeviceArray<unsigned> next(std::vector<unsigned>{2, 0, 3, 1}), out(4);
  LaunchConfiguration listed = traced(1, 4, {{0, 0}});
  listed.trace->most_bytes = 3 * 64 + 4 * 12 - 1;
  const Trace trace = launch(listed, [&] { follow(next.data(), 2, out.data()); }).trace.value();
  CHECK(trace.truncated);
  CHECK(trace.events.size() == 2);
}

TEST_CASE("a trace changes neither counters nor hazards, and can be made without them") {
  EveryStep kernel;
  const auto counters = [&](const LaunchConfiguration& configuration) {
    const simulator::LaunchResult result = launch(configuration, [&] {
      every_step(kernel.in.bytes().data(), reinterpret_cast<unsigned*>(kernel.out.bytes().data()));
    });
    CHECK(result.hazards.empty());
    return result.counters.value("warp_steps");
  };
  const LaunchConfiguration plain{4, 64};
  LaunchConfiguration alone = traced(4, 64, {{0, 3}});
  CHECK(counters(alone) == counters(plain));
  alone.checks = alone.counters = false;
  CHECK(counters(alone) == 0);
  CHECK(lines(kernel.trace(alone)) == lines(kernel.trace(traced(4, 64, {{0, 3}}))));
}

namespace {

std::vector<std::uint64_t> numbers(const std::vector<std::uint64_t>& values, std::size_t most) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(most, values.size()))};
}

}  // namespace

TEST_CASE("on request a trace holds what accesses find and leave") {
  const EveryStep every;
  LaunchConfiguration configuration = traced(1, 64, {{0, 0}});
  configuration.trace->values = true;
  for (std::size_t i = 0; i < every.in.bytes().size(); ++i)
    every.in.bytes()[i] = static_cast<unsigned char>(i);
  const Trace trace =
      launch(configuration, [&] {
        every_step(every.in.bytes().data(), reinterpret_cast<unsigned*>(every.out.bytes().data()));
      }).trace.value();
  using Values = std::vector<std::uint64_t>;
  // The same events as without.
  CHECK(lines(trace) == lines(EveryStep().trace(traced(1, 64, {{0, 0}}))));
  const TraceEvent &load = trace.events[1], &store = trace.events[2], &increment = trace.events[4];
  CHECK(numbers(load.read, 3) == Values{0, 2, 4});
  CHECK(load.read.size() == 32);
  CHECK(load.written.empty());
  CHECK(store.read.empty());
  CHECK(store.written.size() == 32);
  REQUIRE(increment.read.size() == static_cast<std::size_t>(std::popcount(increment.lanes)));
  for (std::size_t i = 0; i < increment.read.size(); ++i)
    CHECK(increment.written[i] == increment.read[i] + 1);
  CHECK(trace.events[9].read.empty());  // a barrier
}

TEST_CASE("without a request there are no values") {
  for (const TraceEvent& event : EveryStep().trace(traced(1, 64, {{0, 0}})).events) {
    CHECK(event.read.empty());
    CHECK(event.written.empty());
  }
}
