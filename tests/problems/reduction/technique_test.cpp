// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "problems/reduction/reduction_reference.hpp"

using problems::Rule;
using reduction::Conduct;

namespace {

// 512 blocks of 1024 threads over 2^20 elements, each with a tree whose threads are neighbours.
Conduct converged() {
  return {{512,
           1024,
           {{"input_bytes", 1 << 22},
            {"input_requests", 1 << 15},
            {"input_sectors", 1 << 17},
            {"partial_writes", 512},
            {"shared_reads", 512 * 4094},
            {"shared_writes", 512 * 3071},
            {"shared_requests", 512 * 136},
            {"fewest_shared_requests", 512 * 136},
            {"most_input_bytes", 8},
            {"most_writes", 14},
            {"most_shared_reads", 22}}},
          1 << 20};
}

Conduct with(const char* counter, std::uint64_t value) {
  Conduct conduct = converged();
  conduct.launch.counts[counter] = value;
  return conduct;
}

bool keeps(const Rule& rule, const Conduct& conduct) { return !reduction::rule_fault(rule, conduct); }

}  // namespace

TEST_CASE("a coalesced, converged tree keeps all rules but those of later exercises") {
  for (const char* const rule :
       {"many_threads", "tree", "partials", "shared_memory", "coalesced", "converged"})
    CHECK_MESSAGE(keeps({rule, {}}, converged()), rule);
  CHECK_FALSE(keeps({"coarsening", {4}}, converged()));
  CHECK_FALSE(keeps({"shuffles", {}}, converged()));
}

TEST_CASE("each rule refuses what it is there for, in numbers") {
  CHECK(
      reduction::rule_fault({"coalesced", {}}, with("input_sectors", 1 << 18)) ==
      "the result is right, but the lanes of a warp read elements that do not lie side by side: 32,768 loads "
      "of warps for 4,194,304 bytes of data touch 262,144 sectors of 32 bytes; this lab allows 163,840");
  CHECK_FALSE(keeps({"converged", {}}, with("shared_requests", 512 * 446)));
  CHECK(keeps({"converged", {}}, with("shared_requests", 512 * 204)));
  CHECK_FALSE(keeps({"tree", {}}, with("most_shared_reads", 2048)));
  CHECK(reduction::rule_fault({"tree", {}}, with("combining_atomics", 774)) ==
        "the result is right, but values are combined by 774 atomics, one after another; this lab combines "
        "them in a tree");
  CHECK_FALSE(keeps({"partials", {}}, with("partial_writes", 513)));
  CHECK_FALSE(keeps({"partials", {}}, with("elsewhere_writes", 1)));
  CHECK_FALSE(keeps({"shared_memory", {}}, with("shared_writes", 0)));
  CHECK_FALSE(keeps({"many_threads", {}}, with("most_input_bytes", 1 << 22)));
  CHECK_FALSE(keeps({"many_threads", {}}, with("most_writes", 1 << 17)));
}

TEST_CASE("a grid that is bounded is coarsened, and warps that shuffle leave a value each") {
  Conduct bounded = converged();
  bounded.launch.grid = 256;
  bounded.launch.block = 256;
  CHECK(keeps({"coarsening", {4}}, bounded));
  CHECK(keeps({"coarsening", {16}}, bounded));
  CHECK_FALSE(keeps({"coarsening", {17}}, bounded));
  bounded.launch.counts["shared_writes"] = 256 * 8;
  bounded.launch.counts["shared_reads"] = 256 * 8;
  CHECK(keeps({"shuffles", {}}, bounded));
  // The first warp clears a value for each of its lanes.
  bounded.launch.counts["shared_writes"] = 256 * (32 + 8);
  bounded.launch.counts["shared_reads"] = 256 * 32;
  CHECK(keeps({"shuffles", {}}, bounded));
  // A tree over a value of each thread.
  bounded.launch.counts["shared_writes"] = 256 * (2 * 256 - 1);
  CHECK_FALSE(keeps({"shuffles", {}}, bounded));
}

TEST_CASE("a rule that there is not is an error, and those that there are have names") {
  CHECK_THROWS_AS(reduction::rule_fault({"private_copies", {}}, converged()), std::invalid_argument);
  CHECK(reduction::technique_rules().size() == 8);
  CHECK(reduction::reference().rules() == reduction::technique_rules());
}

TEST_CASE("where the launch does not grow with the input the rules get a longer one") {
  std::vector<std::uint64_t> lengths;
  const auto run = [&](const problems::Case& what) -> std::optional<problems::Launch> {
    lengths.push_back(what.length);
    Conduct conduct = converged();
    return conduct.launch;
  };
  const auto fault = reduction::technique_fault({{"coarsening", {4}}}, 1 << 20, run);
  CHECK(lengths == std::vector<std::uint64_t>{1 << 20, (1 << 21) + 3});
  CHECK(fault.has_value() == false);
}
