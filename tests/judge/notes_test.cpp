// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "judge/check.hpp"

namespace {

const std::string nowhere = "/nonexistent/program";

facts::Observation note(std::string message, std::vector<std::uint64_t> sites) {
  return {.message = std::move(message), .sites = std::move(sites)};
}

}  // namespace

TEST_CASE("the first note of a place stands for all of them, with what it was noted with") {
  judge::Notes notes;
  notes.add(
      {note("wrote flag[0]", {16, 16}), note("wrote other[0]", {16, 32}), note("wrote flag[1]", {16, 16})},
      "\n  with 1 byte");
  notes.add({note("wrote flag[2]", {16, 16}), note("wrote last[0]", {32})}, "\n  with 2 bytes");
  const auto told = notes.told(nowhere);
  REQUIRE(told.size() == 3);
  CHECK(told[0].message == "wrote flag[0]\n  with 1 byte");
  CHECK(told[0].where.empty());
  CHECK(told[1].message == "wrote other[0]\n  with 1 byte");
  CHECK(told[2].message == "wrote last[0]\n  with 2 bytes");
}

TEST_CASE("sixteen places are noted and no more, however many a runner tells of") {
  judge::Notes notes;
  for (std::uint64_t place = 0; place < 1000; ++place) notes.add({note(std::to_string(place), {place})});
  const auto told = notes.told(nowhere);
  REQUIRE(told.size() == 16);
  CHECK(told.back().message == "15");
}

TEST_CASE("where nothing was noted nothing is told") { CHECK(judge::Notes().told(nowhere).empty()); }
