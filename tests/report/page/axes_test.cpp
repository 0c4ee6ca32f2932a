// SPDX-License-Identifier: MIT
#include "report/page/axes.hpp"

#include <doctest/doctest.h>

using namespace report::page;

TEST_CASE("throughputs lie on a logarithmic axis with SI prefixes at its marks") {
  const ValueAxis narrow = throughput_axis({42, 330});
  CHECK(narrow.logarithmic);
  CHECK(narrow.tics == "'20 GB/s' 20, '50 GB/s' 50, '100 GB/s' 100, '200 GB/s' 200, '500 GB/s' 500");
  CHECK(narrow.fraction(narrow.from) == doctest::Approx(0));
  CHECK(narrow.fraction(narrow.to) == doctest::Approx(1));
  CHECK(throughput_axis({0.5, 4600}).tics ==
        "'100 MB/s' 0.1, '1 GB/s' 1, '10 GB/s' 10, '100 GB/s' 100, '1 TB/s' 1000, '10 TB/s' 10000");
}

TEST_CASE("counts begin at 0, unless the smallest would then not be told from it") {
  CHECK(count_axis({1, 4}).from == 0);
  CHECK_FALSE(count_axis({1, 4}).logarithmic);
  CHECK(count_axis({1, 51}).logarithmic);
  CHECK_FALSE(count_axis({0, 1000}).logarithmic);
}

TEST_CASE("labels at the ends of curves are moved apart, in the order of their curves") {
  const ValueAxis axis{0, 100};
  CHECK(end_labels({{"05/contiguous", "#030303", 50}, {"04", "#030302", 49}, {"02", "#030301", 10}}, axis) ==
        "set rmargin 12\n"
        "set label '02' at graph 1.02, graph 0.100 left textcolor rgb '#030301'\n"
        "set label '04' at graph 1.02, graph 0.490 left textcolor rgb '#030302'\n"
        "set label '05/contiguous' at graph 1.02, graph 0.555 left textcolor rgb '#030303'\n");
  // At the top they are moved down.
  CHECK(end_labels({{"a", "#030301", 100}, {"b", "#030302", 100}}, axis) ==
        "set rmargin 2\n"
        "set label 'a' at graph 1.02, graph 0.935 left textcolor rgb '#030301'\n"
        "set label 'b' at graph 1.02, graph 1.000 left textcolor rgb '#030302'\n");
}

TEST_CASE("what a point says on hover is text") {
  CHECK(hover_string("04: 5 GB/s\" x `y`") == "\"04: 5 GB/s x y\"");
}
