// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "measure/ncu/profile.hpp"
#include "support/made_records.hpp"

using measure::counted_on_both;

namespace {

Json made_profile(std::uint64_t sectors) {
  Json json = made_count("04_shared_memory", "histogram", {{"global_load_sectors", sectors}});
  json["backend"] = "gpu";
  json["kind"] = "profile";
  return json;
}

}  // namespace

TEST_CASE("a profile stands beside the newest simulated record of the same launch") {
  const auto simulated = [](std::uint64_t sectors) {
    return made_count("04_shared_memory", "histogram", {{"global_load_sectors", sectors}});
  };
  Json other_launch = simulated(3), other_seed_tree = simulated(4);
  other_launch["launch"]["grid"] = 1;
  other_seed_tree["tree"] = "student";
  const auto found = counted_on_both(
      read_all({simulated(1), simulated(2), other_launch, other_seed_tree, made_profile(10)}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].measured.counters.at("global_load_sectors") == 10);
  CHECK(found[0].simulated.at("global_load_sectors") == 2);
}

TEST_CASE(
    "what a profile holds of its own simulation goes first; of two profiles of one launch the newer is "
    "shown") {
  Json newer = made_profile(11);
  newer["simulated"] = {{"global_load_sectors", 12}};
  const auto found = counted_on_both(read_all(
      {made_profile(10), newer, made_count("04_shared_memory", "histogram", {{"global_load_sectors", 1}})}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].measured.counters.at("global_load_sectors") == 11);
  CHECK(found[0].simulated.at("global_load_sectors") == 12);
}

TEST_CASE("timed runs without counters are no profiles; a profile that nobody simulated is shown alone") {
  CHECK(counted_on_both(read_all(made_ladder())).empty());
  const auto found = counted_on_both(read_all({made_profile(10)}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].simulated.empty());
}
