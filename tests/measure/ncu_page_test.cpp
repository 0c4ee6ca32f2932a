// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "measure/ncu/metrics.hpp"

namespace {

const std::string page =
    "==PROF== words of ncu's own\n"
    "\"ID\",\"Kernel Name\",\"Grid "
    "Size\",\"launch__thread_count\",\"gpu__time_duration.sum\",\"sass__inst_executed_per_opcode\",\"odd\"\n"
    "\"\",\"\",\"\",\"thread\",\"ns\",\"inst\",\"\"\n"
    "\"0\",\"void histogram_kernel<Letters4>(const unsigned char *, unsigned long)\",\"(4, 1, "
    "1)\",\"1,024\",\"2368.5\","
    "\"16 (ATOMS.POPC.INC: 5; BAR.SYNC: 8; BAR.ARV: 3)\",\"say \"\"a, b\"\"\"\n"
    "\"1\",\"flush\",\"(1, 1, 1)\",\"n/a\",\"1\",\"7\",\"\"\n";

const facts::Quantity threads{"threads", {{"launch__thread_count"}}, ""};
const facts::Quantity barriers{"barriers", {{"sass__inst_executed_per_opcode", "BAR"}}, ""};

}  // namespace

TEST_CASE("a page of ncu's gives each launch with its figures") {
  const auto launches = measure::read_raw_page(page);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == "void histogram_kernel<Letters4>(const unsigned char *, unsigned long)");
  CHECK(launches[0].cells.at("odd").value == "say \"a, b\"");
  CHECK(launches[0].value(threads) == 1024);
  CHECK(launches[0].value({"time", {{"gpu__time_duration.sum"}}, "ns"}) == 2368.5);
  CHECK(launches[0].value(barriers) == 11);
  CHECK(launches[0].value({"sum", {{"launch__thread_count"}, {"gpu__time_duration.sum"}}, ""}) == 3392.5);
  CHECK(launches[1].kernel == "flush");
}

TEST_CASE("what ncu does not give is nothing, not 0") {
  const auto launches = measure::read_raw_page(page);
  REQUIRE(launches.size() == 2);
  CHECK_FALSE(launches[1].value(threads));
  CHECK_FALSE(launches[1].value(barriers));
  CHECK_FALSE(launches[0].value({"unknown", {{"dram__bytes.sum"}}, "byte"}));
}

TEST_CASE("a page that cannot be what was asked for is refused") {
  const auto launches = measure::read_raw_page(page);
  REQUIRE_FALSE(launches.empty());
  CHECK_THROWS_WITH_AS(launches[0].value({"time", {{"gpu__time_duration.sum"}}, "byte"}),
                       "ncu gives gpu__time_duration.sum in \"ns\" instead of \"byte\"", measure::PageError);
  CHECK_THROWS_WITH_AS(measure::read_raw_page("==ERROR== nothing\n"), "ncu printed no table",
                       measure::PageError);
  CHECK_THROWS_WITH_AS(measure::read_raw_page("\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\"\n"),
                       "a row of ncu's page has 1 fields under 2 column names", measure::PageError);
}
