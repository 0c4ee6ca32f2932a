// SPDX-License-Identifier: MIT
#include "runner/host_memory.hpp"

#include <doctest/doctest.h>

#include <cstring>

using runner::RunAnswer;
using runner::RunLayouts;
using Bytes = std::vector<unsigned char>;
using Bins = std::vector<std::uint32_t>;

namespace {

// The two buffers of a run on "hello" with 7 bins, which begins 3 bytes after an aligned address.
struct Run {
  RunLayouts layouts{{3, 5}, {0, 28}};
  Bytes data = Bytes(layouts.data.total(), 0xee), histo = Bytes(layouts.histogram.total(), 0xee);

  Run() { fill(layouts, *problems::hold({'h', 'e', 'l', 'l', 'o'}), data, histo); }

  void count(std::size_t bin, std::uint32_t value) {
    std::memcpy(histo.data() + layouts.histogram.begin() + 4 * bin, &value, 4);
  }
  RunAnswer collected() const {
    RunAnswer answer;
    collect(layouts, 7, data, histo, answer);
    return answer;
  }
};

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("the input lies between bytes that every binning counts, the zeroed histogram between a pattern") {
  const Run run;
  CHECK(run.data == joined({Bytes(4096 + 3, 'm'), {'h', 'e', 'l', 'l', 'o'}, Bytes(4096, 'm')}));
  CHECK(run.histo == joined({Bytes(4096, 0xa5), Bytes(28, 0), Bytes(4096, 0xa5)}));
}

TEST_CASE("what the kernel counted is collected, and nothing else is seen where nothing else was written") {
  Run run;
  run.count(0, 1);
  run.count(6, 0xffffffffu);
  const RunAnswer answer = run.collected();
  CHECK(answer.bins == std::vector<Bins>{{1, 0, 0, 0, 0, 0, 0xffffffffu}});
  CHECK(answer.observations.empty());
}

TEST_CASE("of several copies of the histogram the first is collected") {
  Run run;
  run.layouts.histogram.payload = 56;
  run.histo.resize(run.layouts.histogram.total());
  clear_histogram(run.layouts.histogram, run.histo);
  run.count(0, 5);
  run.count(7, 6);  // of the second copy
  const RunAnswer answer = run.collected();
  CHECK(answer.bins == std::vector<Bins>{{5, 0, 0, 0, 0, 0, 0}});
  CHECK(answer.observations.empty());
}

TEST_CASE("what was written outside is told, with the bins") {
  Run run;
  run.count(2, 9);
  SUBCASE("behind the histogram") {
    run.count(7, 1);
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 1);
    CHECK(answer.observations[0].message == "the kernel wrote histo[7]; histo has 7 counters");
    CHECK(answer.bins == std::vector<Bins>{{0, 0, 9, 0, 0, 0, 0}});
  }
  SUBCASE("before the data, within the bytes of misalignment") {
    run.data[run.layouts.data.begin() - 2] = 'x';
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 1);
    CHECK(answer.observations[0].message ==
          "the kernel wrote data[-2]; data has 5 bytes, and they are only to be read");
  }
  SUBCASE("beside both: first the data, then the histogram") {
    run.data.back() = 'x';
    run.histo.front() = 0;
    const RunAnswer answer = run.collected();
    REQUIRE(answer.observations.size() == 2);
    CHECK(answer.observations[0].message ==
          "the kernel wrote data[4100]; data has 5 bytes, and they are only to be read");
    CHECK(answer.observations[1].message == "the kernel wrote histo[-1024]; histo has 7 counters");
  }
}

TEST_CASE("clearing makes the histogram fresh, its guard zones too") {
  Run run;
  const Bytes fresh = run.histo;
  run.count(0, 5);
  run.count(7, 5);
  run.histo.front() = 0;
  clear_histogram(run.layouts.histogram, run.histo);
  CHECK(run.histo == fresh);
}

TEST_CASE("the same result of two runs is collected once") {
  Run run;
  run.count(1, 4);
  RunAnswer answer;
  collect(run.layouts, 7, run.data, run.histo, answer);
  collect(run.layouts, 7, run.data, run.histo, answer);
  CHECK(answer.bins.size() == 1);
  run.count(1, 5);
  collect(run.layouts, 7, run.data, run.histo, answer);
  CHECK(answer.bins == std::vector<Bins>{{0, 4, 0, 0, 0, 0, 0}, {0, 5, 0, 0, 0, 0, 0}});
}
