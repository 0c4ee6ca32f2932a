// SPDX-License-Identifier: MIT
#include "runner/host_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "made_exercise.hpp"
#include "support/outputs.hpp"

using runner::HostMemory;
using runner::RunAnswer;
using runner::RunLayouts;
using Bytes = std::vector<unsigned char>;

namespace {

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
  void collect(RunAnswer& answer) const { memory.collect(letters4, answer); }
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
