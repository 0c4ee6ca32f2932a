// SPDX-License-Identifier: MIT
#include "cli/verbs/verbs.hpp"
#include "lab.hpp"

namespace {

using Json = nlohmann::ordered_json;

measure::Record counted(const std::vector<std::uint64_t>& bins, const std::vector<std::uint64_t>& expected) {
  measure::Record report{.exercise = {.problem = "histogram"}};
  report.result = problems::bytes_of<std::uint64_t>(bins);
  report.expected = problems::bytes_of<std::uint64_t>(expected);
  return report;
}

std::string said(std::uint64_t seed, const measure::Record& report) {
  return cli::lockstep_text(seed, cli::lost_updates(report).value());
}

}  // namespace

TEST_CASE("every solution loses nothing in lockstep, whatever the seed" * doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  for (const std::string name : {"02", "03", "04", "05/contiguous", "05/interleaved", "06"}) {
    for (const std::string seed : {"1", "20"}) {
      for (const std::string binning : {"letters4", "bytes"}) {
        CAPTURE(name);
        CAPTURE(seed);
        const LabResult result = lab({"run", name, "--solution", "--lockstep", "--seed", seed, "--input",
                                      "skewed", "--binning", binning, "--length", "20001", "--json"});
        CHECK(result.code == 0);
        const Json json = result.json();
        CHECK(json.at("backend") == "sim");
        CHECK(json.at("verdict") == "pass");
        CHECK(json.at("lockstep").at("seed") == std::stoi(seed));
        CHECK(json.at("lockstep").at("updates") > 10'000);
        CHECK(json.at("lockstep").at("lost") == 0);
        CHECK(keys_of(json.at("counters")) == "barriers threads warps");
      }
    }
  }
}

TEST_CASE("a run in lockstep says how many updates were lost") {
  if (!can_simulate_solutions()) return;
  const LabResult result = lab({"run", "02", "--solution", "--input", "phrase", "--lockstep", "--seed", "7"});
  CHECK(result.code == 0);
  CHECK(result.out.find("\npass: equal to the CPU's count\nlockstep, seed 7: 0 of 38 updates lost\n") !=
        std::string::npos);
  CHECK_FALSE(lab({"run", "02", "--solution", "--input", "phrase", "--json"}).json().contains("lockstep"));
}

TEST_CASE("what is lost is what bins fall short of the CPU's count") {
  CHECK(said(1, counted({500'000, 487'580}, {500'000, 548'576})) ==
        "lockstep, seed 1: 60,996 of 1,048,576 updates lost");
  CHECK(said(2, counted({3, 4}, {3, 4})) == "lockstep, seed 2: 0 of 7 updates lost");
  CHECK(said(3, counted({9, 1}, {3, 4})) ==
        "lockstep, seed 3: 3 of 7 updates lost");  // one bin's surplus is no other's gain
  CHECK_FALSE(cli::lost_updates(counted({}, {3, 4})));
  CHECK_FALSE(cli::lost_updates(counted({1, 2, 3}, {3, 4})));
}

TEST_CASE("lockstep is refused where it cannot be") {
  CHECK(refusal({"run", "01", "--lockstep"}) ==
        "lab: --lockstep works on the simulator alone; lab 01 launches no kernel\n");
  CHECK(refusal({"run", "04", "--on", "gpu", "--lockstep"}) ==
        "lab: --lockstep works on the simulator alone; --on sim chooses it\n");
}
