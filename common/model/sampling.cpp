// SPDX-License-Identifier: MIT
#include "model/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace model {

namespace {

// What a sample holds: threads, and elements for each, or up to half as many more.
constexpr std::uint64_t sampled_threads = 16384;
constexpr double sampled_work = 64;
// A long sample has so many times as much work for each thread, and so many times fewer threads.
constexpr unsigned longer = 16;
// By which part the steps of a kind may lie elsewhere in a sample with much work than samples with little
// foretell, and by which part of all steps: blocks' inputs make them differ.
constexpr double alike = 0.2, rare = 0.02;
// Elements of a sample of blocks with all their work, and of one such block at most: more than two of these
// take too long.
constexpr double whole_sample = sampled_threads * sampled_work, largest_block = 2 * whole_sample;
// One block alone does not tell which words it changes together with others.
constexpr std::uint64_t fewest_blocks = 2;
// Of a sample of many blocks with little to do: blocks and elements.
constexpr std::uint64_t most_blocks_of_little = 1024, most_of_little = 1 << 17;
// How far blocks may be from the mean in what more work makes them do: the mean difference, as a part. Where
// as many blocks do more as do not it is 1, and more where fewer do.
constexpr double even = 0.5;
// Where a thread has so few elements, large blocks are no reason to sample but a few.
constexpr double little_work = 4;
constexpr std::uint64_t fewest_sampled_blocks = 64;

// Of a thread with more work than `most`: as much or half as much, and on top what the launch's work leaves
// over when it is divided into such halves. So the last turn of a loop is as full as in the launch, and
// pieces that the threads share out lie as far apart, but for some lines.
double work_of_sample(const Launch& launch, double most, bool half) {
  if (launch.work <= most) return (half ? 0.5 : 1) * launch.work;
  return (half ? 0.5 : 1) * most + std::fmod(std::ceil(launch.work), most / 2);
}

double steps_of(const Step& step) { return step.kind == StepKind::shared_cas_word ? 0 : 1 + step.rounds; }

double steps_of(const BlockSteps& block) {
  double steps = 0;
  for (const WarpSteps& warp : block.warps) {
    for (const Step& step : warp) steps += steps_of(step);
  }
  return steps;
}

// Of a mean block.
using StepsByPlace = std::map<std::pair<StepKind, unsigned>, double>;

StepsByPlace steps_by_place(const Stream& stream) {
  StepsByPlace steps;
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      for (const Step& step : warp) steps[{step.kind, step.place}] += steps_of(step);
    }
  }
  for (auto& [place, count] : steps) count /= static_cast<double>(stream.blocks.size());
  return steps;
}

SampleSize sample_of_threads(const Launch& launch, std::uint64_t length, std::uint64_t blocks, double work) {
  const std::uint64_t grid = std::min(std::max(blocks, fewest_blocks), launch.grid);
  const double threads = static_cast<double>(grid) * launch.block;
  return {grid, std::min(length, static_cast<std::uint64_t>(work * threads))};
}

}  // namespace

std::vector<double> growth_of_blocks(const std::vector<Sample>& samples) {
  const std::vector<BlockSteps>&less = samples.front().stream.blocks, &more = samples.back().stream.blocks;
  std::vector<double> growth;
  for (std::size_t b = 0; b < more.size(); ++b) growth.push_back(steps_of(more[b]) - steps_of(less.at(b)));
  return growth;
}

double steps_of_block(const std::vector<Sample>& samples, double work) {
  return for_work(samples, work, [](const Stream& stream) {
    double steps = 0;
    for (const BlockSteps& block : stream.blocks) steps += steps_of(block);
    return steps / static_cast<double>(stream.blocks.size());
  });
}

SampleSize sample_size(const Launch& launch, std::uint64_t length, bool half) {
  const std::uint64_t fewest = launch.work <= little_work ? fewest_sampled_blocks : 1;
  return sample_of_threads(launch, length, std::max(sampled_threads / launch.block, fewest),
                           work_of_sample(launch, sampled_work, half));
}

SampleSize long_sample_size(const Launch& launch, std::uint64_t length, bool half) {
  return sample_of_threads(launch, length, sampled_threads / longer / launch.block,
                           work_of_sample(launch, longer * sampled_work, half));
}

SampleSize part_of(const SampleSize& size, double part) {
  const double blocks = part * static_cast<double>(size.grid);
  const std::uint64_t whole =
      std::max(std::min(size.grid, fewest_blocks), static_cast<std::uint64_t>(blocks));
  const double left = std::min(blocks, static_cast<double>(whole)) / static_cast<double>(size.grid);
  return {whole, static_cast<std::uint64_t>(std::llround(static_cast<double>(size.length) * left))};
}

bool uneven(const std::vector<Sample>& samples, const Launch& launch) {
  if (samples.size() < 2 || launch.work <= sampled_work) return false;
  const std::vector<double> growth = growth_of_blocks(samples);
  const auto blocks = static_cast<double>(growth.size());
  const double mean = std::accumulate(growth.begin(), growth.end(), 0.0) / blocks;
  double difference = 0;
  for (const double one : growth) difference += std::abs(one - mean) / blocks;
  return difference > even * std::abs(mean);
}

SampleSize last_block_sample_size(const Launch& launch, std::uint64_t length) {
  const std::uint64_t grid = std::min(launch.grid, most_blocks_of_little);
  return {grid, std::min({length, grid * launch.block, most_of_little})};
}

bool done_by_one(const Sample& sample) {
  const std::vector<BlockSteps>& blocks = sample.stream.blocks;
  if (blocks.size() < 2) return false;
  std::vector<double> steps;
  for (const BlockSteps& block : blocks) steps.push_back(steps_of(block));
  const auto [least, most] = std::ranges::minmax(steps);
  const double all = std::accumulate(steps.begin(), steps.end(), 0.0),
               number = static_cast<double>(blocks.size()), of_others = (all - most) / (number - 1);
  // What each block does in any case is no part of the work.
  return most - least > 0.5 * (all - number * least) && most > 2 * of_others;
}

SampleSize whole_sample_size(const Launch& launch, std::uint64_t length, bool cut) {
  const double of_block = std::min(launch.work * launch.block, largest_block);
  const std::uint64_t blocks =
      std::min(launch.grid, std::max(fewest_blocks, static_cast<std::uint64_t>(whole_sample / of_block)));
  const double elements = of_block * (static_cast<double>(blocks) - (cut ? 0.5 : 0));
  return {blocks, std::min(length, static_cast<std::uint64_t>(std::llround(elements)))};
}

bool foretell(const std::vector<Sample>& samples, const Sample& long_sample) {
  const Sample &less = samples.front(), &more = samples.back();
  const double times = more.work > less.work ? (long_sample.work - more.work) / (more.work - less.work) : 0;
  StepsByPlace amiss = steps_by_place(long_sample.stream);
  double all = 0;
  std::map<StepKind, double> seen, amiss_of_kind;
  for (const auto& [place, steps] : amiss) all += steps, seen[place.first] += steps;
  for (const auto& [place, steps] : steps_by_place(more.stream)) amiss[place] -= (1 + times) * steps;
  for (const auto& [place, steps] : steps_by_place(less.stream)) amiss[place] += times * steps;
  for (const auto& [place, steps] : amiss) amiss_of_kind[place.first] += std::abs(steps);
  return std::ranges::all_of(amiss_of_kind, [&](const auto& one) {
    return one.second <= std::max(alike * seen[one.first], rare * all);
  });
}

bool needs_one_sample(const Launch& launch) { return launch.work < 2; }

bool may_need_long_samples(const Launch& launch) { return launch.work >= 2 * sampled_work; }

}  // namespace model
