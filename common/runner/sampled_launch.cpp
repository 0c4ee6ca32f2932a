// SPDX-License-Identifier: MIT
#include "runner/sampled_launch.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "runner/executor.hpp"
#include "runner/launch_outcome.hpp"
#include "simulator/memory_map.hpp"

namespace runner {

namespace {

// Where an index of 32 bits that has become negative leads to: so it is known whose it is.
constexpr std::size_t gap_elements = std::size_t{1} << 31;

class ReadObserver final : public simulator::Observer {
 public:
  ReadObserver(const simulator::DeviceBuffer& input, std::size_t element_bytes, std::uint64_t most_accesses)
      : begin_(reinterpret_cast<std::uintptr_t>(input.bytes().data())),
        bytes_(input.bytes().size()),
        element_bytes_(element_bytes),
        most_accesses_(most_accesses) {}

  void access(const simulator::WarpAccess& access) override {
    accesses_ += static_cast<unsigned>(std::popcount(access.lanes));
    if (accesses_ > most_accesses_) simulator::give_up_launch();
    if (access.kind != simulator::AccessKind::load) return;
    simulator::for_each_lane(access.lanes, [&](unsigned lane) {
      const std::uintptr_t offset = access.address(lane) - begin_;
      if (offset >= bytes_) return;
      if (end_ == 0) place_ = access.place;
      end_ = std::max<std::uint64_t>(end_, offset + access.size);
      bytes_read_ += access.size;
    });
  }

  SampledReads reads() const {
    SampledReads reads{.accesses = accesses_,
                       .end = (end_ + element_bytes_ - 1) / element_bytes_,
                       .reads = bytes_read_ / element_bytes_,
                       .given_up = accesses_ > most_accesses_};
    if (end_ > 0) reads.sites = {place_};
    return reads;
  }

 private:
  std::uintptr_t begin_, bytes_;
  std::size_t element_bytes_;
  std::uint64_t most_accesses_, accesses_ = 0, end_ = 0, bytes_read_ = 0;
  std::uint32_t place_ = 0;
};

// So many blocks that each has as much as the sample's part, where those of the exercise's own launch have
// more.
LaunchShape shape_of_sample(LaunchShape own, const LaunchShape& of_longest, const BlockSample& sample,
                            std::size_t length) {
  if (sample.longest / std::max(of_longest.grid, 1u) > sample.part)
    own.grid = static_cast<unsigned>(length / sample.part);
  return own;
}

std::vector<std::uint64_t> blocks_at(const std::vector<unsigned>& places, unsigned grid) {
  std::vector<std::uint64_t> blocks;
  for (const unsigned place : places)
    blocks.push_back(std::uint64_t{grid - 1} * std::min(place, 1000u) / 1000);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

}  // namespace

void run_sample(const Exercise& exercise, const Variant& variant, const RunRequest& request,
                const ShapeFor& shape_for, RunAnswer& answer) {
  const BlockSample& sample = *request.options.sample;
  const std::optional<LaunchShape> own = shape_for(request.length), of_longest = shape_for(sample.longest);
  if (!own || !of_longest) return;
  const LaunchShape shape = shape_of_sample(*own, *of_longest, sample, request.length);
  answer.grid = shape.grid;
  answer.block = shape.block;
  const Exercise made = exercise.made_for(variant);
  const bool one_copy = exercise.outputs == Outputs::one;
  try {
    const simulator::DeviceBuffer input(request.length * variant.element_bytes,
                                        {.name = made.input.name,
                                         .element_bytes = made.input.element_bytes,
                                         .read_only = true,
                                         .gap_bytes = gap_elements * variant.element_bytes,
                                         .has_holes = true});
    const simulator::DeviceBuffer output(
        (one_copy ? 1 : std::size_t{std::max(shape.grid, 1u)}) * variant.result_bytes(request.length),
        {.name = made.output.name, .element_bytes = made.output.element_bytes, .has_holes = true});
    ReadObserver reads(input, variant.element_bytes, sample.most_accesses);
    LaunchOutcome outcome;
    outcome.configuration.checks = outcome.configuration.counters = false;
    outcome.configuration.skips_draws = true;
    outcome.configuration.blocks = blocks_at(sample.places, std::max(shape.grid, 1u));
    outcome.configuration.observers = {&reads};
    if (request.end_after_ms)
      outcome.configuration.time_limit = std::chrono::milliseconds(*request.end_after_ms);
    variant.launch(shape, input.bytes().data(), request.length, output.bytes().data(), outcome);
    if (outcome.result.refused)
      answer.failure = RunFailure{RunFailure::Kind::launch_error, *outcome.result.refused};
    for (const simulator::Hazard& hazard : outcome.result.hazards)
      answer.observations.push_back(simulator::observation_of(hazard, true));
    answer.sample = reads.reads();
    const auto result = output.bytes().first(variant.result_bytes(request.length));
    add_output(answer, {result.begin(), result.end()});
  } catch (const std::bad_alloc&) {
    answer.failure = RunFailure{RunFailure::Kind::too_large, "there is no address space for such an input"};
  }
}

}  // namespace runner
