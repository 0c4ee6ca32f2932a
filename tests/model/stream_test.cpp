// SPDX-License-Identifier: MIT
// What the observer writes down of kernels of a few lines.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <array>
#include <string>
#include <vector>

#include "model/stream_observer.hpp"
#include "simulator/launch.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/program_image.hpp"
#include "stream_kernels.hpp"

namespace {

template <class Program>
model::Stream stream_of(unsigned grid, unsigned block, const Program& program) {
  model::StreamObserver observer;
  simulator::LaunchConfiguration configuration{dim3(grid), dim3(block)};
  configuration.observers = {&observer};
  const auto run = [](const void* arguments) { (*static_cast<const Program*>(arguments))(); };
  const simulator::LaunchResult result = simulator::launch(configuration, {run, &program});
  CHECK(!result.refused);
  return observer.take();
}

// "load 1 4": kind, cost and sectors of each step; "joins" where it does.
std::string text_of(const model::WarpSteps& steps) {
  constexpr std::array<const char*, static_cast<std::size_t>(model::StepKind::count)> names{"",
                                                                                            "",
                                                                                            "end",
                                                                                            "load",
                                                                                            "store",
                                                                                            "atomic",
                                                                                            "common atomic",
                                                                                            "exchange",
                                                                                            "shared load",
                                                                                            "shared store",
                                                                                            "increment",
                                                                                            "shared atomic",
                                                                                            "shared exchange",
                                                                                            "loop of swaps",
                                                                                            "word",
                                                                                            "constants",
                                                                                            "shuffle",
                                                                                            "vote",
                                                                                            "match",
                                                                                            "reduction",
                                                                                            "barrier"};
  std::string text;
  for (const model::Step& step : steps) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", names[static_cast<std::size_t>(step.kind)]);
    if (step.joins) text += " joins";
    if (step.cost > 0) text += fmt::format(" {}", step.cost);
    if (step.sectors > 0) text += fmt::format(" {}", step.sectors);
  }
  return text;
}

// In global memory, from the beginning of a line.
class Words {
 public:
  explicit Words(std::size_t count) : buffer_(count * sizeof(unsigned)) {}
  unsigned* data() const { return reinterpret_cast<unsigned*>(buffer_.bytes().data()); }
  const unsigned char* bytes() const { return reinterpret_cast<const unsigned char*>(data()); }

 private:
  simulator::DeviceBuffer buffer_;
};

}  // namespace

TEST_CASE("a warp that copies a line loads four sectors and stores four") {
  const Words in(64), out(64);
  const model::Stream stream = stream_of(1, 64, [&] { copy_words(in.data(), out.data()); });
  REQUIRE(stream.blocks.size() == 1);
  REQUIRE(stream.blocks[0].warps.size() == 2);
  for (const model::WarpSteps& warp : stream.blocks[0].warps)
    CHECK(text_of(warp) == "load 1 4, store 1 4, end");
  CHECK(stream.grid == 1);
  CHECK(stream.block == 64);
}

TEST_CASE("four loads of a line bring its sectors once, and have one place") {
#if defined(__clang__)
  constexpr unsigned blocks_of_a_turn = 2;  // the body, and the step to the next turn
#else
  constexpr unsigned blocks_of_a_turn = 1;
#endif
  const Words in(32), sum(32);
  const model::Stream stream = stream_of(2, 32, [&] { add_four_bytes(in.bytes(), sum.data()); });
  REQUIRE(stream.blocks.size() == 2);
  const model::WarpSteps& first = stream.blocks[0].warps.at(0);
  // All lanes add to one word, which takes 32 turns; its sector is new to the first block alone.
  CHECK(text_of(first) == "load 1 4, load 1, load 1, load 1, common atomic 32 1, end");
  CHECK(text_of(stream.blocks[1].warps.at(0)) == "load 1 4, load 1, load 1, load 1, common atomic 32, end");
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(first[i].place == first[0].place);
    CHECK(first[i].entered == blocks_of_a_turn);
  }
  CHECK(first[4].place != first[0].place);
  CHECK(stream.common_lines == 1);
  CHECK(stream.common_turns == 64);
  CHECK(stream.busiest_turns == 64);
  CHECK(stream.own_pieces == 0);
}

TEST_CASE("a loop over the input loads once in each turn") {
  const Words in(96), sums(32);
  const model::Stream stream = stream_of(1, 32, [&] { add_up(in.data(), 96, sums.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) == "load 1 4, load 1 4, load 1 4, store 1 4, end");
}

TEST_CASE("lanes that increment one word of shared memory are one wavefront") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { count_in_shared_memory(out.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) ==
        "shared store 1, barrier, increment 1, barrier, shared load 1, store 1 1, end");
}

TEST_CASE("a word that a GPU keeps in a register across a vote is loaded once") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { ask_and_add(out.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) ==
        "shared store 1, barrier, shared load 1, vote 1, store 1 4, end");
}

TEST_CASE("an addition of floats in shared memory is a loop with a round for each lane of a word") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { add_floats_in_shared_memory(out.data()); });
  const model::WarpSteps& steps = stream.blocks.at(0).warps.at(0);
  // four loads, and four compare-and-swaps that take two turns each
  CHECK(text_of(steps) ==
        "shared store 1, barrier, loop of swaps 12, word, word, word, word, word, word, word, word, "
        "barrier, shared load 1, store 1 4, end");
  CHECK(steps.at(2).rounds == 4);
  CHECK(steps.at(2).bytes == 4);
  // eight words, each of which four lanes change
  for (std::size_t word = 3; word < 11; ++word) CHECK(steps.at(word).rounds == 4);
}

TEST_CASE("lanes that change one word by compare-and-swaps try until the last has succeeded") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { add_by_swaps(out.data()); });
  // four, three, two and one lanes on a bank's word, twice each
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) ==
        "shared store 1, barrier, shared load 1, shared exchange 8, shared exchange 6, shared exchange 4, "
        "shared exchange 2, barrier, shared load 1, store 1 4, end");
}

TEST_CASE("a line that all blocks change is common, and those of a block alone are its own") {
  const Words words(5 * 128);
  const model::Stream stream = stream_of(4, 32, [&] { count_twice(words.data()); });
  REQUIRE(stream.blocks.size() == 4);
  // The second atomic has a word for each lane, four sectors of one line that nobody has changed.
  CHECK(text_of(stream.blocks[0].warps.at(0)) == "common atomic 32 1, atomic 4 4, end");
  CHECK(text_of(stream.blocks[3].warps.at(0)) == "common atomic 32, atomic 4 4, end");
  CHECK(stream.common_lines == 1);
  CHECK(stream.own_pieces == 4);
}

TEST_CASE("a copy whose ends lie in its neighbours' lines is its block's own") {
  const Words words(3 * 128);
  for (const unsigned offset : {0u, 8u}) {  // of the copies from the begin of a line, in words
    CAPTURE(offset);
    const model::Stream stream = stream_of(2, 32, [&] { count_in_own_copy(words.data() + offset); });
    CHECK(stream.common_lines == 0);
    // 16 sectors that no atomic has changed, a turn each
    CHECK(text_of(stream.blocks.at(1).warps.at(0)) == "atomic 16 16, end");
  }
}

TEST_CASE("a compare-and-swap is told from an atomic") {
  const Words lock(32);
  const model::Stream stream = stream_of(1, 32, [&] { take(lock.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) == "exchange 1 1, end");
}

TEST_CASE("operations of a warp are told apart, with different values and with what 8 bytes take") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { exchange_values(out.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) ==
        "match 3, shuffle 2, shuffle 1, reduction 1, vote 1, store 1 4, end");
}

TEST_CASE("groups of a warp that make an operation at once make it in one instruction") {
  const Words out(32);
  const model::Stream stream = stream_of(1, 32, [&] { shuffle_in_halves(out.data()); });
  CHECK(text_of(stream.blocks.at(0).warps.at(0)) == "shuffle 1, store 1 4, end");
}

TEST_CASE(
    "a load has the wavefronts of the fullest bank, or of its lines: each that is missed, or four at a "
    "time") {
  const Words in(32 * 33), out(32);
  const auto first_load = [&](unsigned stride) {
    const model::Stream stream = stream_of(1, 32, [&] { load_apart(in.data(), stride, out.data()); });
    return stream.blocks.at(0).warps.at(0).at(0);
  };
  // 32 words in a row, then a line for each lane: in the same bank, and in 32 of them
  CHECK(first_load(1).cost == 1);
  CHECK(first_load(1).lines == 1);
  CHECK(first_load(1).half_pieces == 0);
  CHECK(first_load(32).cost == 32);
  CHECK(first_load(32).lines == 32);
  CHECK(first_load(32).half_pieces == 32);
  CHECK(first_load(33).cost == 32);
  CHECK(first_load(33).lines == 32);
  CHECK(first_load(9).cost == 9);
  CHECK(first_load(9).lines == 9);
  // The second time L1 holds them.
  const model::Stream again = stream_of(1, 32, [&] { load_apart_twice(in.data(), 33, out.data()); });
  CHECK(again.blocks.at(0).warps.at(0).at(2).cost == 8);
}

TEST_CASE("both sectors of a piece come from DRAM together where a warp asks for one right after the other") {
  const Words in(64), out(32);
  const auto loads = [&](const auto& kernel) {
    const model::Stream stream = stream_of(1, 32, [&] { kernel(in.data(), out.data()); });
    std::vector<int> half_pieces;
    for (const model::Step& step : stream.blocks.at(0).warps.at(0)) {
      if (step.kind != model::StepKind::global_load) continue;
      CHECK(step.sectors == 4);
      half_pieces.push_back(step.half_pieces);
    }
    return half_pieces;
  };
  CHECK(loads(load_sectors_in_turn<false>) == std::vector{4, -4});
  CHECK(loads(load_sectors_in_turn<true>) == std::vector{4, 4});
}

TEST_CASE("loads of a block that want the two sectors of a piece have a number in common") {
  const Words in(64), out(96);
  const auto numbers = [](const model::Stream& stream) {
    std::vector<unsigned> found;
    for (const model::WarpSteps& warp : stream.blocks.at(0).warps) {
      for (const model::Step& step : warp) {
        if (step.kind == model::StepKind::global_load) found.push_back(step.half_of);
      }
    }
    return found;
  };
  using Numbers = std::vector<unsigned>;
  CHECK(numbers(stream_of(1, 32, [&] { load_sectors_in_turn<true>(in.data(), out.data()); })) ==
        Numbers{1, 1});
  // Three warps load a byte each: 96 bytes, of which the last sector has no neighbour.
  CHECK(numbers(stream_of(1, 96, [&] { copy_bytes(in.bytes(), out.data()); })) == Numbers{1, 1, 0});
  CHECK(numbers(stream_of(1, 64, [&] { copy_words(in.data(), out.data()); })) == Numbers{0, 0});
}

TEST_CASE("a warp whose lanes part goes both ways where there is code on each") {
  model::PartedWays ways;
  CHECK_FALSE(ways.enter(0xff));
  CHECK_FALSE(ways.enter(0x0f));
  CHECK_FALSE(ways.enter(0x0f));  // further on, on the same way
  CHECK(ways.enter(0xf0));
  CHECK_FALSE(ways.enter(0xff));  // they meet
  // Some pass by.
  CHECK_FALSE(ways.enter(0x0f));
  CHECK_FALSE(ways.enter(0xff));
  // On a way, lanes part again; and three ways are two partings.
  CHECK_FALSE(ways.enter(0x0f));
  CHECK_FALSE(ways.enter(0x03));
  CHECK(ways.enter(0x0c));
  CHECK_FALSE(ways.enter(0x0f));
  CHECK(ways.enter(0x30));
  CHECK(ways.enter(0xc0));
  // Of a loop that some leave early.
  CHECK_FALSE(ways.enter(0xff));
  CHECK_FALSE(ways.enter(0x7f));
  CHECK_FALSE(ways.enter(0x3f));
  CHECK_FALSE(ways.enter(0xff));
}

TEST_CASE("of ways on which lanes access memory each but the first counts") {
  model::PartedWays ways;
  ways.enter(0xff);
  CHECK(ways.access() == 0);  // together
  ways.enter(0x0f);
  CHECK(ways.access() == 0);
  ways.enter(0xf0);
  CHECK(ways.access() == 1);
  CHECK(ways.access() == 0);  // once for each way
  // They meet, and part again: one way has no access.
  ways.enter(0xff);
  ways.enter(0x0f);
  ways.enter(0xf0);
  CHECK(ways.access() == 0);
  // A way within a way belongs to both.
  ways.enter(0xff);
  ways.enter(0x0f);
  CHECK(ways.access() == 0);
  ways.enter(0xf0);
  ways.enter(0x30);
  CHECK(ways.access() == 1);
  ways.enter(0xc0);
  CHECK(ways.access() == 1);
}

TEST_CASE("lanes that add and lanes that subtract make a warp go both ways") {
  const Words out(32);
  const model::Stream stream = stream_of(2, 32, [&] { add_or_subtract(out.data()); });
#if defined(__clang__)
  constexpr unsigned of_block = 2;  // the way past the first `if` has a basic block, too
#else
  constexpr unsigned of_block = 1;
#endif
  CHECK(stream.went_both_ways == 2 * of_block);
  CHECK(stream.accessed_on_both_ways == 2);
}

TEST_CASE("what a loop loads from constant memory in each turn is loaded once") {
  const Words out(32);
  const auto steps = [&](unsigned turns) {
    return text_of(stream_of(1, 32, [&] { add_constants(turns, out.data()); }).blocks.at(0).warps.at(0));
  };
  // four words, beginning with another one in each of four turns
  CHECK(steps(1) == "constants 4, store 1 4, end");
  CHECK(steps(4) == "constants 4, constants 4, constants 4, constants 4, store 1 4, end");
  CHECK(steps(9) == steps(4));
}

TEST_CASE("of loads of shared memory that go along 16 bytes in an unrolled loop the stream has one") {
  const Words out(32);
  const auto loads_of = [&](const auto& kernel) {
    const model::Stream stream = stream_of(1, 32, [&] { kernel(out.data()); });
    std::vector<unsigned> wavefronts;
    for (const model::Step& step : stream.blocks.at(0).warps.at(0)) {
      if (step.kind == model::StepKind::shared_load) wavefronts.push_back(step.cost);
    }
    return wavefronts;
  };
  CHECK(loads_of(add_up_rows).size() == 2);
  // Of halves of words nvcc makes no longer loads.
  CHECK(loads_of(add_up_halves).size() == 8);
}

TEST_CASE("stores of an unrolled loop stand behind its loads, each of which has its own turn in front") {
  const Words in(128), out(32);
  const model::Stream stream = stream_of(1, 32, [&] { stage_words(in.data(), out.data()); });
  const model::WarpSteps& steps = stream.blocks.at(0).warps.at(0);
  CHECK(text_of(steps) ==
        "load 1 4, load 1 4, load 1 4, load 1 4, shared store 1, shared store 1, shared store 1, "
        "shared store 1, barrier, shared load 1, store 1 4, end");
  CHECK(steps.at(1).entered > 0);  // one basic block with g++, two with clang
  CHECK(steps.at(2).entered == steps.at(1).entered);
  CHECK(steps.at(3).entered == steps.at(1).entered);
}

TEST_CASE("of a launch with too many steps only their number is told") {
  const unsigned length = 2'000'100;
  const Words in(length), sums(1);
  const model::Stream stream = stream_of(1, 1, [&] { add_up(in.data(), length, sums.data()); });
  CHECK(stream.blocks.empty());
  // the loads, a store and the end
  CHECK(stream.made_steps == length + 2);
}

TEST_CASE("arithmetic, branches and divisions by a number that the program does not know are counted") {
  const Words in(64), out(32);
  const model::Stream stream = stream_of(1, 32, [&] { divide(in.data(), out.data()); });
  const model::WarpSteps& steps = stream.blocks.at(0).warps.at(0);
  REQUIRE(text_of(steps) == "load 1 4, load 1 4, store 1 4, end");
  unsigned divisions = 0, arithmetic = 0, branches = 0;
  for (const model::Step& step : steps) {
    divisions += step.divisions;
    arithmetic += step.arithmetic;
    branches += step.branches;
  }
  CHECK(divisions == 2);
  CHECK(branches == 0);
  CHECK(arithmetic > 5);  // how many it is the compiler decides
  CHECK(arithmetic < 50);
}
