// SPDX-License-Identifier: MIT
#include "runner/executor.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "made_exercise.hpp"
#include "support/outputs.hpp"

using runner::Exercise;
using runner::Outputs;
using runner::RunAnswer;
using runner::RunRequest;

namespace {

LaunchShape one_thread_a_byte(std::size_t length) {
  return {static_cast<unsigned>((length + 99) / 100), 100, 64};
}
LaunchShape of_no_threads(std::size_t) { return {5, 0}; }
LaunchShape of_many_threads(std::size_t) { return {0xffffffffu, 1024}; }

Exercise exercise_with(LaunchShape (*launch_shape)(std::size_t), Outputs outputs = Outputs::one) {
  return exercise_of(letters4, outputs, launch_shape);
}

LaunchShape shape(const Exercise& exercise, std::optional<unsigned> block, std::optional<unsigned> grid) {
  RunRequest request;
  request.length = 950;
  request.options.block = block;
  request.options.grid = grid;
  return requested_shape(exercise, request);
}

void check_shape(const LaunchShape& shape, unsigned grid, unsigned block) {
  CHECK(shape.grid == grid);
  CHECK(shape.block == block);
}

}  // namespace

TEST_CASE("without a request the launch shape is the exercise's own, for the request's length") {
  const LaunchShape own = shape(exercise_with(&one_thread_a_byte), {}, {});
  check_shape(own, 10, 100);
  CHECK(own.shared_bytes == 64);
}

TEST_CASE("another block size keeps the number of threads, rounded up to whole blocks") {
  const Exercise exercise = exercise_with(&one_thread_a_byte);
  check_shape(shape(exercise, 250, {}), 4, 250);
  check_shape(shape(exercise, 1000, {}), 1, 1000);
  check_shape(shape(exercise, 1001, {}), 1, 1001);
  check_shape(shape(exercise, 999, {}), 2, 999);
  check_shape(shape(exercise, 1, {}), 1000, 1);
  CHECK(shape(exercise, 250, {}).shared_bytes == 64);
}

TEST_CASE("another grid is taken as it is, with another block or without") {
  const Exercise exercise = exercise_with(&one_thread_a_byte);
  check_shape(shape(exercise, {}, 3), 3, 100);
  check_shape(shape(exercise, {}, 0), 0, 100);
  check_shape(shape(exercise, 32, 3), 3, 32);
}

TEST_CASE("a block of 0 threads is passed on, for the device to refuse") {
  check_shape(shape(exercise_with(&one_thread_a_byte), 0, {}), 10, 0);
  check_shape(shape(exercise_with(&of_no_threads), 64, {}), 0, 64);
  check_shape(shape(exercise_with(&of_no_threads), {}, {}), 5, 0);
}

TEST_CASE("more blocks than a number holds become the most that it holds") {
  check_shape(shape(exercise_with(&of_many_threads), 1, {}), std::numeric_limits<unsigned>::max(), 1);
}

TEST_CASE("the output takes what its variant says, one copy or one for each block") {
  const Exercise one = exercise_with(&one_thread_a_byte),
                 each = exercise_with(&one_thread_a_byte, Outputs::one_per_block);
  CHECK(output_bytes(one, letters4, 1000, {10, 100}) == 28);
  CHECK(output_bytes(each, letters4, 1000, {10, 100}) == 280);
  CHECK(output_bytes(each, letters4, 1000, {1, 100}) == 28);
  CHECK(output_bytes(each, letters4, 1000, {0, 100}) == 28);
  CHECK(output_bytes(each, letters4, 1000, {0xffffffffu, 1}) == 28 * std::size_t{0xffffffffu});
}

TEST_CASE("an output may grow with the input, and is the result as a whole") {
  runner::Variant prefix_sums = letters4;
  prefix_sums.output_bytes = 8;
  prefix_sums.output_bytes_per_element = 4;
  CHECK(prefix_sums.result_bytes(0) == 8);
  CHECK(prefix_sums.result_bytes(1000) == 4008);
  CHECK(output_bytes(exercise_with(&one_thread_a_byte), prefix_sums, 1000, {10, 100}) == 4008);
}

TEST_CASE("the input lies as many of its elements past an aligned address as was asked for") {
  constexpr runner::Variant words{"words", 4, 28, nullptr};
  const Exercise one = exercise_of(letters4), each = exercise_of(words, Outputs::one_per_block);
  RunRequest request;
  request.length = 10;
  request.misalignment = 3;
  const runner::RunLayouts of_bytes = layouts_of(one, letters4, request, {5, 100}),
                           of_words = layouts_of(each, words, request, {5, 100});
  CHECK(of_bytes.input == runner::GuardedLayout{3, 10});
  CHECK(of_bytes.output == runner::GuardedLayout{0, 28});
  CHECK(of_words.input == runner::GuardedLayout{12, 40});
  CHECK(of_words.output == runner::GuardedLayout{0, 140});
}

TEST_CASE("an answer keeps the first four different results, the first run's first") {
  RunAnswer answer;
  add_output(answer, output_of({1, 2}));
  add_output(answer, output_of({1, 2}));
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{1, 2}});
  for (unsigned i = 9; i > 4; --i) add_output(answer, output_of({i, i}));
  add_output(answer, output_of({1, 2}));
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{1, 2}, {9, 9}, {8, 8}, {7, 7}});
}
