// SPDX-License-Identifier: MIT
#include "runner/guard.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "made_exercise.hpp"
#include "support/outputs.hpp"

using runner::GuardedLayout;
using runner::HostMemory;
using runner::RunAnswer;
using runner::RunLayouts;
using Bytes = std::vector<unsigned char>;

namespace {

constexpr GuardedLayout layout{3, 100};
constexpr unsigned char guard = 0x77;

// What is found where the bytes at these distances from the payload's begin were overwritten.
std::optional<std::int64_t> found(const std::map<std::int64_t, unsigned char>& written) {
  std::vector<unsigned char> all(layout.total(), guard);
  for (const auto& [distance, byte] : written) {
    all.at(static_cast<std::size_t>(static_cast<std::int64_t>(layout.begin()) + distance)) = byte;
  }
  const std::span<const unsigned char> view = all;
  return first_overwritten(layout, view.first(layout.begin()), view.subspan(layout.end()), guard);
}

constexpr std::int64_t zone = runner::guard_bytes;

facts::Observation overwritten(std::int64_t distance, std::size_t bytes) {
  return runner::input_overwritten(exercise_of(letters4), distance, bytes);
}
facts::Observation overrun(std::int64_t distance) {
  return runner::output_overrun(exercise_of(letters4), distance, 28);
}

// The two buffers of a run on "hello" with 7 counters, which begins 3 bytes after an aligned address. They
// have held something else before.
struct Run {
  const runner::Exercise exercise = exercise_of(letters4);
  const RunLayouts layouts;
  HostMemory memory{exercise};

  explicit Run(std::size_t output_bytes = 28) : layouts{{3, 5}, {0, output_bytes}} {
    prepare(false);
    std::ranges::fill(data(), 0xee);
    std::ranges::fill(histo(), 0xee);
    prepare(false);
    memory.clear_output();
  }

  void prepare(bool same_input) {
    memory.prepare(layouts, *problems::hold({'h', 'e', 'l', 'l', 'o'}), same_input);
  }
  // With their guard zones.
  std::span<unsigned char> data() { return {memory.input() - layouts.input.begin(), layouts.input.total()}; }
  std::span<unsigned char> histo() {
    return {memory.output() - layouts.output.begin(), layouts.output.total()};
  }

  void count(std::size_t bin, std::uint32_t value) { std::memcpy(memory.output() + 4 * bin, &value, 4); }
  void collect(RunAnswer& answer) const { memory.collect(letters4.output_bytes, answer); }
  RunAnswer collected() const {
    RunAnswer answer;
    collect(answer);
    return answer;
  }
};

Bytes bytes_of(std::span<const unsigned char> bytes) { return {bytes.begin(), bytes.end()}; }

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("the payload lies between two guard zones, behind the bytes of misalignment") {
  CHECK(runner::guard_bytes == 4096);
  CHECK(layout.begin() == 4099);
  CHECK(layout.end() == 4199);
  CHECK(layout.total() == 4199 + 4096);
}

TEST_CASE("untouched guard zones give nothing, whatever the payload holds") {
  CHECK_FALSE(found({}).has_value());
  CHECK_FALSE(found({{0, 1}, {50, 2}, {99, 3}}).has_value());
}

TEST_CASE("a byte behind the payload is named by its distance from the payload's begin, the nearest first") {
  CHECK(found({{100, 1}}) == 100);
  CHECK(found({{105, 1}, {103, 2}, {300, 3}}) == 103);
  CHECK(found({{100 + zone - 1, 1}}) == 100 + zone - 1);
}

TEST_CASE("a byte before the payload has a negative distance, the nearest first") {
  CHECK(found({{-1, 1}}) == -1);
  CHECK(found({{-20, 1}, {-3, 2}, {-300, 3}}) == -3);
  CHECK(found({{-zone - 3, 1}}) == -zone - 3);
}

TEST_CASE("where both zones were touched, the one behind is named") {
  CHECK(found({{-1, 1}, {200, 2}}) == 200);
}

TEST_CASE("a guard zone may be of no bytes") {
  const GuardedLayout none{0, 0};
  CHECK_FALSE(first_overwritten(none, {}, {}, guard).has_value());
}

TEST_CASE("a write to the input is told as an index into its array") {
  const auto told = overwritten(1000, 1000);
  CHECK(told.verdict == facts::Verdict::out_of_bounds);
  CHECK(told.message == "the kernel wrote data[1000]; data has 1000 bytes, and they are only to be read");
  CHECK(told.sites.empty());
  CHECK(overwritten(-3, 10).message ==
        "the kernel wrote data[-3]; data has 10 bytes, and they are only to be read");
}

TEST_CASE(
    "a write beside the output is told as an index into its array, whichever byte of an element it was") {
  const auto message = [](std::int64_t distance) { return overrun(distance).message; };
  CHECK(overrun(28).verdict == facts::Verdict::out_of_bounds);
  CHECK(message(28) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(31) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(32) == "the kernel wrote histo[8]; histo has 7 counters");
  CHECK(message(-1) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-4) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-5) == "the kernel wrote histo[-2]; histo has 7 counters");
}

TEST_CASE("an index counts the exercise's own elements, in its own words") {
  runner::Exercise exercise = exercise_of(letters4);
  exercise.input = {"values", "numbers", 8};
  CHECK(runner::input_overwritten(exercise, 87, 80).message ==
        "the kernel wrote values[10]; values has 10 numbers, and they are only to be read");
  CHECK(runner::input_overwritten(exercise, -1, 80).message ==
        "the kernel wrote values[-1]; values has 10 numbers, and they are only to be read");
}

TEST_CASE("the input lies between bytes that every variant counts, the zeroed output between a pattern") {
  Run run;
  CHECK(bytes_of(run.data()) == joined({Bytes(4096 + 3, 'm'), {'h', 'e', 'l', 'l', 'o'}, Bytes(4096, 'm')}));
  CHECK(bytes_of(run.histo()) == joined({Bytes(4096, 0xa5), Bytes(28, 0), Bytes(4096, 0xa5)}));
}

TEST_CASE("what the kernel counted is collected, and nothing else is seen where nothing else was written") {
  Run run;
  run.count(0, 1);
  run.count(6, 0xffffffffu);
  const RunAnswer answer = run.collected();
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{1, 0, 0, 0, 0, 0, 0xffffffffu}});
  CHECK(answer.observations.empty());
}

TEST_CASE("of several copies of the output the first is collected") {
  Run run(56);
  run.count(0, 5);
  run.count(7, 6);  // of the second copy
  const RunAnswer answer = run.collected();
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{5, 0, 0, 0, 0, 0, 0}});
  CHECK(answer.observations.empty());
}

TEST_CASE("what was written outside is told, with the output") {
  Run run;
  run.count(2, 9);
  SUBCASE("behind the output") {
    run.count(7, 1);
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 1);
    CHECK(answer.observations[0].message == "the kernel wrote histo[7]; histo has 7 counters");
    CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{0, 0, 9, 0, 0, 0, 0}});
  }
  SUBCASE("before the input, within the bytes of misalignment") {
    run.data()[run.layouts.input.begin() - 2] = 'x';
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 1);
    CHECK(answer.observations[0].message ==
          "the kernel wrote data[-2]; data has 5 bytes, and they are only to be read");
  }
  SUBCASE("beside both: first the input, then the output") {
    run.data().back() = 'x';
    run.histo().front() = 0;
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 2);
    CHECK(answer.observations[0].message ==
          "the kernel wrote data[4100]; data has 5 bytes, and they are only to be read");
    CHECK(answer.observations[1].message == "the kernel wrote histo[-1024]; histo has 7 counters");
  }
}

TEST_CASE("clearing makes the output fresh, its guard zones too") {
  Run run;
  const Bytes fresh = bytes_of(run.histo());
  run.count(0, 5);
  run.count(7, 5);
  run.histo().front() = 0;
  run.memory.clear_output();
  CHECK(bytes_of(run.histo()) == fresh);
}

TEST_CASE("the same result of two runs is collected once") {
  Run run;
  run.count(1, 4);
  RunAnswer answer;
  run.collect(answer);
  run.collect(answer);
  CHECK(answer.outputs.size() == 1);
  run.count(1, 5);
  run.collect(answer);
  CHECK(counters_in(answer.outputs) == std::vector<Counters32>{{0, 4, 0, 0, 0, 0, 0}, {0, 5, 0, 0, 0, 0, 0}});
}

TEST_CASE("an input that is there already is not read again") {
  Run run;
  run.memory.input()[1] = 'a';
  run.prepare(true);
  CHECK(run.memory.input()[1] == 'a');
  run.prepare(false);
  CHECK(run.memory.input()[1] == 'e');
}

TEST_CASE("a write into the input is found by comparing it with what was sent") {
  Run run;
  const auto input = problems::hold({'h', 'e', 'l', 'l', 'o'});
  RunAnswer answer;
  run.memory.compare_input(*input, answer);
  CHECK(answer.observations.empty());
  run.memory.input()[3] = 'x';
  run.memory.compare_input(*input, answer);
  REQUIRE(answer.observations.size() == 1);
  CHECK(answer.observations.front().verdict == facts::Verdict::out_of_bounds);
  CHECK(answer.observations.front().message == "the kernel wrote data[3], which is only to be read");
}
