// SPDX-License-Identifier: MIT
// How much of a launch a sample has, and what the time of the whole launch is worked out to be from samples.
#include <doctest/doctest.h>

#include <cmath>

#include "model/estimate.hpp"
#include "steps_by_hand.hpp"

using by_hand::dram_load;
using by_hand::end;
using by_hand::increment;
using by_hand::plain;
using by_hand::round_device;
using model::BlockSteps;
using model::Step;
using model::StepKind;

TEST_CASE("a sample has the launch's work for each thread, up to 64 elements, and fewer blocks") {
  const model::Launch one_each{.grid = 1 << 20, .block = 1024, .work = 1};
  CHECK(model::sample_size(one_each, 1 << 30).grid == 64);
  CHECK(model::sample_size(one_each, 1 << 30).length == 64 * 1024);
  const model::Launch many{.grid = 100, .block = 256, .work = 1000};
  CHECK(model::sample_size(many, 1 << 30).grid == 64);
  // 1,000 is 8 more than a multiple of 32.
  CHECK(model::sample_size(many, 1 << 30).length == 64 * 256 * (64 + 8));
  CHECK(model::sample_size(many, 1 << 30, true).length == 64 * 256 * (32 + 8));
  CHECK(model::sample_size({.grid = 100, .block = 256, .work = 60}, 1 << 30, true).length == 64 * 256 * 30);
  CHECK(model::sample_size(many, 1000, true).length == 1000);
  CHECK(model::sample_size({.grid = 3, .block = 32, .work = 1000}, 1 << 30).grid == 3);
}

TEST_CASE("a sample that is too long becomes one of fewer blocks, and then of less work") {
  const model::SampleSize size{.grid = 64, .length = 64 * 1000};
  CHECK(model::part_of(size, 1).grid == 64);
  CHECK(model::part_of(size, 1).length == 64 * 1000);
  CHECK(model::part_of(size, 0.26).grid == 16);
  CHECK(model::part_of(size, 0.26).length == 16 * 1000);
  // Two blocks, for one does not tell what they have in common
  CHECK(model::part_of(size, 1.0 / 128).grid == 2);
  CHECK(model::part_of(size, 1.0 / 128).length == 500);
  CHECK(model::part_of({.grid = 1, .length = 1000}, 0.5).grid == 1);
  CHECK(model::part_of({.grid = 1, .length = 1000}, 0.5).length == 500);
}

TEST_CASE("a kernel that takes many elements at a time needs samples with as many") {
  const model::Launch many{.grid = 100, .block = 256, .work = 1000},
      few{.grid = 100, .block = 256, .work = 64};
  CHECK(model::may_need_long_samples(many));
  CHECK_FALSE(model::may_need_long_samples(few));
  CHECK(model::long_sample_size(many, 1 << 30).grid == 4);
  CHECK(model::long_sample_size(many, 1 << 30).length == 4 * 256 * 1000);
  CHECK(model::long_sample_size(many, 1 << 30, true).length == 4 * 256 * 500);
  const model::Launch more{.grid = 100, .block = 256, .work = 2000.5};
  CHECK(model::long_sample_size(more, 1 << 30).length == 4 * 256 * (1024 + 2001 % 512));
  CHECK(model::long_sample_size(more, 1 << 30, true).length == 4 * 256 * (512 + 2001 % 512));
  // 16 loads for 256 elements, and one for each that is left
  const auto sample = [](unsigned work, unsigned at_a_time) {
    const unsigned steps = work / at_a_time * (at_a_time > 1 ? 16 : 1) + work % at_a_time;
    return model::Sample{static_cast<double>(work),
                         {.grid = 1, .block = 32, .blocks = {{{std::vector<Step>(steps, dram_load)}}}}};
  };
  CHECK(model::foretell({sample(32, 1), sample(64, 1)}, sample(1024, 1)));
  CHECK_FALSE(model::foretell({sample(32, 256), sample(64, 256)}, sample(1024, 256)));
  CHECK(model::foretell({sample(512, 256), sample(1024, 256)}, sample(1024, 256)));
}

TEST_CASE("samples with few elements do not show the turns of a loop that loads many ahead") {
  // A thread loads six vectors of 16 elements, and then in each turn six further ones. It counts elements one
  // by one.
  const auto sample = [](unsigned work, unsigned ahead) {
    Step first = dram_load, further = dram_load;
    further.place = static_cast<std::uint8_t>(first.place + 1);
    std::vector<Step> steps(work, increment);
    for (unsigned vector = 0; vector < work / 16; ++vector) steps.push_back(vector < ahead ? first : further);
    return model::Sample{static_cast<double>(work), {.grid = 1, .block = 32, .blocks = {{{steps}}}}};
  };
  CHECK_FALSE(model::foretell({sample(64, 6), sample(96, 6)}, sample(1024, 6)));
  CHECK(model::foretell({sample(64, 1), sample(96, 1)}, sample(1024, 1)));
  CHECK(model::foretell({sample(512, 6), sample(1024, 6)}, sample(1024, 6)));
  // One load among so many other steps does not matter.
  const auto with_a_load = [](std::size_t steps, std::uint8_t place) {
    model::Sample result{static_cast<double>(steps),
                         {.grid = 1, .block = 32, .blocks = {{{std::vector<Step>(steps, increment)}}}}};
    Step load = dram_load;
    load.place = place;
    result.stream.blocks[0].warps[0].push_back(load);
    return result;
  };
  CHECK(model::foretell({with_a_load(100, 1), with_a_load(200, 1)}, with_a_load(300, 2)));
  CHECK_FALSE(model::foretell({with_a_load(10, 1), with_a_load(20, 1)}, with_a_load(30, 2)));
}

TEST_CASE("one block has drawn all work, however much each block does in any case") {
  const auto sample = [](const std::vector<std::size_t>& steps_of_blocks) {
    model::Sample result{.stream = {.block = 32}};
    for (const std::size_t steps : steps_of_blocks)
      result.stream.blocks.push_back({{std::vector<Step>(steps, dram_load)}});
    return result;
  };
  CHECK(model::done_by_one(sample({1000, 40, 40, 41, 40, 40, 40, 40})));
  CHECK(model::done_by_one(sample({300, 40, 40, 41, 40, 40, 40, 40})));
  CHECK_FALSE(model::done_by_one(sample({300, 300, 40, 40, 40, 40, 40, 40})));
  CHECK_FALSE(model::done_by_one(sample({60, 40, 40, 40, 40, 40, 40, 40})));  // something on top
  CHECK_FALSE(model::done_by_one(sample({1000})));
}

TEST_CASE("blocks that take a fixed piece of the input are sampled with all of it") {
  const model::Launch launch{.grid = 4096, .block = 64, .work = 256};
  // A quarter of the input is enough for a quarter of the blocks; the others have nothing.
  const auto sample = [](double work, const std::vector<std::size_t>& steps_of_blocks) {
    model::Sample result{.work = work, .stream = {.grid = 8, .block = 32}};
    for (const std::size_t steps : steps_of_blocks)
      result.stream.blocks.push_back({{std::vector<Step>(steps, dram_load)}});
    return result;
  };
  const model::Sample half = sample(32, {256, 1, 1, 1, 1, 1, 1, 1}),
                      whole = sample(64, {256, 256, 1, 1, 1, 1, 1, 1}),
                      shared_half = sample(32, {32, 30, 33, 32, 32, 32, 32, 32}),
                      shared_whole = sample(64, {64, 62, 66, 60, 64, 64, 64, 64});
  CHECK(model::uneven({half, whole}, launch));
  CHECK_FALSE(model::uneven({shared_half, shared_whole}, launch));
  CHECK_FALSE(model::uneven({whole}, launch));
  // Where the sample has all the work it shows what the blocks do.
  CHECK_FALSE(model::uneven({half, whole}, {.grid = 4096, .block = 64, .work = 64}));
  // As many blocks as 1 Mi elements are for, and without half of the last one's piece
  CHECK(model::whole_sample_size(launch, 1 << 26).grid == 64);
  CHECK(model::whole_sample_size(launch, 1 << 26).length == 64 * 64 * 256);
  CHECK(model::whole_sample_size(launch, 1 << 26, true).length == 64 * 64 * 256 - 32 * 256);
  CHECK(model::whole_sample_size({.grid = 3, .block = 64, .work = 256}, 3 * 64 * 256).grid == 3);
  // Of blocks with very much work a part
  CHECK(model::whole_sample_size({.grid = 100, .block = 1024, .work = 1e6}, 1 << 30).grid == 2);
  CHECK(model::whole_sample_size({.grid = 100, .block = 1024, .work = 1e6}, 1 << 30).length == 1 << 22);
}

TEST_CASE("what samples leave out is worked out from their difference") {
  // a block's steps: as many increments as elements, of a cycle each
  const auto sample = [](unsigned work) {
    std::vector<Step> steps(work, increment);
    steps.push_back(end);
    return model::Sample{static_cast<double>(work), {.grid = 4, .block = 32, .blocks = {{{steps}}}}};
  };
  const model::Launch launch{.grid = 10, .block = 32, .work = 1000};
  const model::Estimate estimate = model::estimate(launch, {sample(32), sample(64)}, round_device(), plain);
  CHECK(estimate.ms == doctest::Approx((1001 * 1e-3 + 1) * 1e-3));  // and 1 us for the launch
  CHECK(estimate.low == doctest::Approx(estimate.ms / 1.25));
  CHECK(estimate.high == doctest::Approx(estimate.ms * 1.25));
  CHECK(estimate.bound_by.front().what == "issue");
}

TEST_CASE("what a loop over the rest does is not repeated") {
  // as many turns as four elements, each with a load, and a load of another place that takes longer
  const auto sample = [](unsigned work) {
    const Step turn{.kind = StepKind::shared_load, .cost = 1, .place = 1},
        rest{.kind = StepKind::shared_load, .cost = 200, .place = 2};
    std::vector<Step> steps(work / 4, turn);
    steps.insert(steps.end(), {rest, end});
    return model::Sample{static_cast<double>(work), {.grid = 4, .block = 32, .blocks = {{{steps}}}}};
  };
  const model::Launch launch{.grid = 10, .block = 32, .work = 400};
  const model::Estimate estimate = model::estimate(launch, {sample(32), sample(64)}, round_device(), plain);
  // 100 turns, the rest, its latency, and 1 us for the launch
  CHECK(estimate.ms == doctest::Approx((100 + 1 + 200 + 20 + 1) * 1e-6 + 1e-3).epsilon(0.001));
}

TEST_CASE("blocks that have a turn more than others in a sample do not have it again in each repetition") {
  const auto sample = [](double work, const std::vector<std::size_t>& turns_of_blocks) {
    const Step turn{.kind = StepKind::shared_load, .entered = 2, .cost = 1, .place = 1};
    model::Sample result{.work = work, .stream = {.grid = 2, .block = 32}};
    for (const std::size_t turns : turns_of_blocks) {
      std::vector<Step> steps(turns, turn);
      steps.push_back(end);
      result.stream.blocks.push_back({{steps}});
    }
    return result;
  };
  model::Device device = round_device();
  device.multiprocessors = 1;
  const auto cycles = [&](const std::vector<std::size_t>& turns_of_blocks) {
    const model::Launch launch{.grid = 2, .block = 32, .work = 64 + 9 * 32};
    const std::vector<model::Sample> samples{sample(32, {8, 8}), sample(64, turns_of_blocks)};
    return model::estimate(launch, samples, device, plain).ms * 1e6 - 1000;
  };
  constexpr double turn = 1 + 1 + 20;  // the instruction, L1 and its latency
  // 14 turns and nine times six; 16 turns, and in nine repetitions as many as the mean
  CHECK(cycles({14, 14}) == doctest::Approx((14 + 9 * 6) * turn).epsilon(0.01));
  CHECK(cycles({16, 12}) == doctest::Approx((16 + 9 * 6) * turn).epsilon(0.01));
}

TEST_CASE("loads of shared memory that continue each other are one, where the compiler knows the turns") {
  const Step first{.kind = StepKind::shared_load, .cost = 32, .place = 1};
  Step next = first;
  next.joins = true;
  next.entered = 1;
  const auto sample = [&](unsigned loads) {
    std::vector<Step> steps;
    for (unsigned i = 0; i < loads; ++i) steps.push_back(i % 4 == 0 ? first : next);
    steps.push_back(end);
    return model::Sample{1, {.grid = 1, .block = 32, .blocks = {{{steps}}}}};
  };
  const auto cycles = [&](const std::vector<model::Sample>& samples) {
    const model::Launch launch{.grid = 1, .block = 32, .work = samples.back().work};
    return model::estimate(launch, samples, round_device(), plain).ms * 1e6 - 1000;
  };
  // two of 32 wavefronts, the latency, and the end
  CHECK(cycles({sample(8)}) == doctest::Approx(1 + 2 * 32 + 20 + 1));
  // as many turns as nobody can count: eight that wait for each other
  std::vector<model::Sample> both{sample(4), sample(8)};
  for (model::Sample& one : both) {
    for (Step& step : one.stream.blocks[0].warps[0]) {
      if (step.kind == StepKind::shared_load) step.entered = 1;
    }
  }
  CHECK(cycles(both) == doctest::Approx(8 * (1 + 32 + 20) + 1));
}

TEST_CASE("loads of a loop that grows with the work wait for each other") {
  const auto sample = [](unsigned work, bool grows) {
    std::vector<Step> steps;
    for (unsigned i = 0; i < work; ++i) {
      // Of loads that do not grow with it, four at a time.
      Step step = dram_load;
      step.place = 1;
      step.entered = 1;
      if (!grows && i % 4 == 0) steps.push_back(increment);
      steps.push_back(step);
    }
    steps.insert(steps.end(), {increment, end});
    return model::Sample{static_cast<double>(work), {.grid = 1, .block = 32, .blocks = {{{steps}}}}};
  };
  const model::Launch launch{.grid = 1, .block = 32, .work = 16};
  const auto cycles = [&](bool grows) {
    return 1e6 * model::estimate(launch, {sample(8, grows), sample(16, grows)}, round_device(), plain).ms -
           1000;
  };
  CHECK(cycles(true) == doctest::Approx(16 * 503 + 2));
  CHECK(cycles(false) == doctest::Approx(4 * 507 + 2));
}

TEST_CASE("the range allows for the error of instructions that are estimated") {
  model::InstructionTable uncertain = plain;
  uncertain.error = 0.6;
  const std::vector<model::Sample> samples{{1, {.grid = 1, .block = 32, .blocks = {{{{increment, end}}}}}}};
  model::Launch launch{.grid = 1, .block = 32, .work = 1};
  const model::Estimate without_code = model::estimate(launch, samples, round_device(), uncertain);
  CHECK(without_code.high == doctest::Approx(without_code.ms * 1.65));  // the root of 0.25 and 0.6, squared
  CHECK(without_code.low == doctest::Approx(without_code.ms / 1.65));
}

TEST_CASE("the range allows for the error of the sample") {
  const auto block_of = [](unsigned increments) {
    std::vector<Step> steps(increments, increment);
    steps.push_back(end);
    return BlockSteps{{steps}};
  };
  // An increment counts 2, with its instruction and its wavefront.
  const auto estimated = [&](std::uint64_t grid, std::vector<BlockSteps> blocks) {
    const auto count = static_cast<unsigned>(blocks.size());
    return model::estimate({.grid = grid, .block = 32, .work = 1},
                           {{1, {.grid = count, .block = 32, .blocks = std::move(blocks)}}}, round_device(),
                           plain);
  };
  CHECK(estimated(400, {block_of(5), block_of(5), block_of(5), block_of(5)}).sampling_error == 0);
  const model::Estimate sampled = estimated(400, {block_of(5), block_of(7), block_of(5), block_of(7)});
  // Three differences of 4: a variance of 16 / 2, of 4 of 400 blocks, whose mean is 12.
  const double error = 1.645 * std::sqrt(8. / 4 * 0.99) / 12;
  CHECK(sampled.sampling_error == doctest::Approx(error));
  CHECK(sampled.high == doctest::Approx(sampled.ms * (1 + std::hypot(0.25, error))));
  // All blocks of the launch were seen.
  CHECK(estimated(4, {block_of(5), block_of(7), block_of(5), block_of(7)}).sampling_error == 0);
}
