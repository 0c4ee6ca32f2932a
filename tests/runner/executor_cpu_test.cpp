// SPDX-License-Identifier: MIT
// The backend that calls an exercise as a plain function. LaunchOutcome is the backend's own, and not looked
// at.
#include <doctest/doctest.h>

#include <string>

#include "made_exercise.hpp"
#include "runner/executor.hpp"
#include "support/outputs.hpp"

using runner::LaunchOutcome;
using runner::RunAnswer;
using runner::RunRequest;
using runner::Variant;

namespace {

int calls = 0;
std::string seen;

void count_calls(const LaunchShape& shape, const void* data, std::size_t length, void* output,
                 LaunchOutcome&) {
  auto* const histo = static_cast<unsigned*>(output);
  ++calls;
  seen.assign(static_cast<const char*>(data), length);
  histo[0] += shape.grid * shape.block;
  histo[1] += static_cast<unsigned>(length);
  histo[2] += reinterpret_cast<std::uintptr_t>(data) % 8;
}

void differ_each_time(const LaunchShape&, const void*, std::size_t, void* output, LaunchOutcome&) {
  static_cast<unsigned*>(output)[0] = static_cast<unsigned>(++calls);
}

void write_outside(const LaunchShape&, const void*, std::size_t, void* output, LaunchOutcome&) {
  ++calls;
  static_cast<unsigned*>(output)[7] = 1;
}

RunAnswer run(decltype(Variant::launch) launch, unsigned warm_ups, unsigned samples,
              unsigned misalignment = 0) {
  calls = 0;
  const Variant variant{"letters4", 1, 28, launch};
  const runner::Exercise exercise = exercise_of(variant);
  RunRequest request{.variant = "letters4", .length = 5, .misalignment = misalignment};
  request.warm_ups = warm_ups;
  request.samples = samples;
  request.timed = true;
  return make_executor(exercise)->run(variant, request, *problems::hold({'h', 'e', 'l', 'l', 'o'}));
}

}  // namespace

TEST_CASE("the function gets the input and cleared counters in every run; only samples are timed") {
  const RunAnswer answer = run(&count_calls, 2, 3);
  CHECK(calls == 5);
  CHECK(seen == "hello");
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{1, 5, 0, 0, 0, 0, 0}});
  CHECK(answer.times_ms.size() == 3);
  CHECK(answer.grid == 1);
  CHECK(answer.block == 1);
  CHECK(answer.observations.empty());
  CHECK_FALSE(answer.failure.has_value());
}

TEST_CASE("the data begin as many bytes after an aligned address as was asked for") {
  CHECK(counters_in(run(&count_calls, 0, 1, 3).outputs).at(0).at(2) == 3);
  CHECK(seen == "hello");
}

TEST_CASE("results that differ are all kept, those of warm-ups are not") {
  CHECK(counters_in(run(&differ_each_time, 1, 3).outputs) ==
        std::vector<Counters32>{{2, 0, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 0, 0, 0, 0}});
}

TEST_CASE("a write outside is observed, and ends the runs") {
  const RunAnswer answer = run(&write_outside, 0, 3);
  CHECK(calls == 1);
  REQUIRE(answer.observations.size() == 1);
  CHECK(answer.observations[0].verdict == facts::Verdict::out_of_bounds);
  CHECK(answer.observations[0].message == "the kernel wrote histo[7]; histo has 7 counters");
}
