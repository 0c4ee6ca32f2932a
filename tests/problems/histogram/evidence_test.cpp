// SPDX-License-Identifier: MIT
// Evidence from runners that lie, on each backend; tests/submissions has it from kernels.
#include <doctest/doctest.h>

#include <set>

#include "hostile.hpp"
#include "judge/check.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/histogram/mistakes.hpp"

namespace {

facts::Finding explained(const std::string& behaviour, facts::Backend backend) {
  const workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true, "histogram"};
  return judge::check_runner(hostile(behaviour, {"BLOCK=256"}), exercise, backend, {.seed = 7}).finding;
}

}  // namespace

TEST_CASE("runs that differ from process to process are not deterministic, on every backend") {
  for (const facts::Backend backend : {facts::Backend::sim, facts::Backend::gpu, facts::Backend::cpu}) {
    CAPTURE(name_of(backend));
    const facts::Finding finding = explained("is never the same", backend);
    CHECK(finding.diagnosis == "not_deterministic");
    CHECK(finding.message.rfind("two runs on the same input give different counts\n  bin 0 (a-d): ", 0) == 0);
  }
}

TEST_CASE("runs that differ within a process alone depend on what memory held") {
  for (const facts::Backend backend : {facts::Backend::sim, facts::Backend::gpu, facts::Backend::cpu}) {
    CAPTURE(name_of(backend));
    const facts::Finding finding = explained("counts its runs", backend);
    CHECK(finding.diagnosis == "uncleared_counters");
    CHECK(finding.message ==
          "the counts depend on what memory held before the launch\n"
          "  the same input, bin 0 (a-d): 0 in the first launch of a process, 1 in a later one\n"
          "  first seen with 0 bytes of `letters`, binning letters4: 1 of 7 bins differs\n"
          "  bin 0 (a-d): expected 0, got 1");
  }
}

TEST_CASE("a run that fails as the first of its process is run once more") {
  const facts::Finding finding = explained("counts its runs from 1", facts::Backend::sim);
  CHECK(finding.diagnosis == "uncleared_counters");
  CHECK(finding.message.find("1 in the first launch of a process, 2 in a later one") != std::string::npos);
}

TEST_CASE("the letter around the input is told from one that is counted twice where it can be read") {
  CHECK(explained("counts a byte too many", facts::Backend::gpu).diagnosis == "past_the_end");
  CHECK(explained("counts a byte too many", facts::Backend::cpu).diagnosis == "past_the_end");
  CHECK(explained("counts a byte too many", facts::Backend::sim).diagnosis == "double_counting");
}

TEST_CASE("a runner that ends among the further runs changes nothing about wrong counts, and ends them") {
  const judge::RunnerSettings settings = hostile("is honest once", {"BLOCK=256"});
  judge::RunnerSession session(settings);
  REQUIRE_FALSE(judge::start_session(session));
  const problems::Reference& reference = histogram::reference();
  const problems::Case what{"letters4", "letters", 100};
  const auto input = histogram::make_input("letters", 100, 7);
  judge::CaseResult failed = judge::judge_case(session, settings.program, reference, what, *input);
  REQUIRE(failed.passed());
  failed.answer->outputs[0][0] += 1;
  judge::SessionReruns reruns(session, settings, reference, facts::Backend::sim, 7);
  const auto evidence = histogram::gather_evidence({what, failed.answer->outputs[0]}, reruns);
  REQUIRE(reruns.troubled().size() == 1);
  CHECK(reruns.troubled()[0].findings.at(0).verdict == facts::Verdict::protocol);
  CHECK(evidence.at(0).random.empty());
}

TEST_CASE("enough random inputs are taken of the longest length, each another") {
  const judge::RunnerSettings settings = hostile("counts a byte too many", {"BLOCK=256"});
  judge::RunnerSession session(settings);
  REQUIRE_FALSE(judge::start_session(session));
  const problems::Reference& reference = histogram::reference();
  const problems::Case what{"letters4", "letters", 100};
  const auto input = histogram::make_input("letters", 100, 7);
  const judge::CaseResult failed = judge::judge_case(session, settings.program, reference, what, *input);
  REQUIRE_FALSE(failed.passed());
  judge::SessionReruns reruns(session, settings, reference, facts::Backend::sim, 7);
  const auto gathered = histogram::gather_evidence({what, failed.answer->outputs.at(0)}, reruns);
  const histogram::Evidence& evidence = gathered.at(0);
  std::set<std::vector<unsigned char>> inputs;
  for (const histogram::Sample& sample : evidence.random) {
    if (sample.length == evidence.random.back().length) inputs.insert(sample.bytes);
  }
  CHECK(inputs.size() == histogram::enough_inputs);
  CHECK(evidence.mixed.empty());
}
