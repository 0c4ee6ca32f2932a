// SPDX-License-Identifier: MIT
#include "runner/passes.hpp"

#include <doctest/doctest.h>

#include "made_exercise.hpp"
#include "runner/executor.hpp"

using runner::Outputs;
using runner::Passes;

namespace {

constexpr runner::Variant numbers{"numbers", 4, 4, nullptr};

// Blocks of 256 threads that take two elements each.
LaunchShape halved(std::size_t length) { return {static_cast<unsigned>((length + 511) / 512), 256}; }

Passes passes(std::size_t length, LaunchShape (*shape)(std::size_t), Outputs outputs = Outputs::until_one) {
  return passes_of(exercise_of(numbers, outputs, shape), length, shape(length), shape);
}

std::vector<std::pair<std::size_t, unsigned>> lengths_and_grids(const Passes& passes) {
  std::vector<std::pair<std::size_t, unsigned>> all;
  for (const runner::Pass& pass : passes.all) all.emplace_back(pass.length, pass.shape.grid);
  return all;
}

using All = std::vector<std::pair<std::size_t, unsigned>>;

}  // namespace

TEST_CASE("a kernel whose blocks leave a value each is launched over these until one is left") {
  CHECK(lengths_and_grids(passes(1, halved)) == All{{1, 1}});
  CHECK(lengths_and_grids(passes(512, halved)) == All{{512, 1}});
  CHECK(lengths_and_grids(passes(513, halved)) == All{{513, 2}, {2, 1}});
  CHECK(lengths_and_grids(passes(1 << 20, halved)) == All{{1 << 20, 2048}, {2048, 4}, {4, 1}});
  CHECK(passes(1 << 20, halved).fault.empty());
}

TEST_CASE("any other kernel is launched once") {
  CHECK(lengths_and_grids(passes(1 << 20, halved, Outputs::one)) == All{{1 << 20, 2048}});
  CHECK(lengths_and_grids(passes(1 << 20, halved, Outputs::one_per_block)) == All{{1 << 20, 2048}});
}

TEST_CASE("a launch that leaves as many values as it reads would never end, and is told in plain words") {
  CHECK(passes(5000,
               [](std::size_t) {
                 return LaunchShape{1024, 256};
               })
            .fault ==
        "launch_shape(1024) asks for 1024 blocks, which leaves 1024 partial results, as many as before; the "
        "launches would never come to an end");
  CHECK(passes(5000,
               [](std::size_t length) {
                 return LaunchShape{length == 5000 ? 7u : 9u, 256};
               })
            .fault ==
        "launch_shape(7) asks for 9 blocks, which leaves 9 partial results, more than before; the launches "
        "would "
        "never come to an end");
  CHECK(passes(5000,
               [](std::size_t length) {
                 return LaunchShape{static_cast<unsigned>(length - 1), 1};
               })
            .fault ==
        "after 64 launches there are still 4936 partial results; each launch has to leave far fewer than it "
        "reads");
}

TEST_CASE("a launch of no blocks is left for the device to refuse") {
  const Passes none = passes(5000, [](std::size_t length) {
    return LaunchShape{length == 5000 ? 7u : 0u, 256};
  });
  CHECK(none.fault.empty());
  CHECK(lengths_and_grids(none) == All{{5000, 7}, {7, 0}});
}

TEST_CASE("sizes of elements and the guard are the variant's where it has its own") {
  runner::Exercise exercise = exercise_of(numbers);
  CHECK(exercise.made_for(numbers).input_guard == 'm');
  CHECK(exercise.made_for(numbers).input.element_bytes == 1);
  exercise.input.element_bytes = exercise.output.element_bytes = 0;
  runner::Variant wide = numbers;
  wide.element_bytes = 16;
  wide.output_bytes = 8;
  wide.input_guard = 0;
  CHECK(exercise.made_for(wide).input_guard == 0);
  CHECK(exercise.made_for(wide).input.element_bytes == 16);
  CHECK(exercise.made_for(wide).output.element_bytes == 8);
}

TEST_CASE("the output for an empty input is the variant's, or zeros") {
  const unsigned identity = 0xffffffffu;
  runner::Variant variant = numbers;
  CHECK(runner::empty_output(variant) == problems::Output(4, 0));
  variant.empty_output = &identity;
  CHECK(runner::empty_output(variant) == problems::Output(4, 0xff));
}
