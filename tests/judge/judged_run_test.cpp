// SPDX-License-Identifier: MIT
// What the judge makes of answers: the runner of hostile_runner.cpp says whatever the test wants.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "facts/words.hpp"
#include "hostile.hpp"
#include "judge/case.hpp"
#include "judge/check.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "support/outputs.hpp"

using facts::Finding;
using facts::Verdict;
using judge::CaseResult;

namespace {

std::string answer(const std::string& outputs, const std::string& observations = "",
                   const std::string& failure = "") {
  return R"({"outputs":[)" + outputs +
         R"(],"grid":4,"block":2000,"times_ms":[],"counters":{},"observations":[)" + observations + "]" +
         (failure.empty() ? "" : R"(,"failure":)" + failure) + "}";
}

std::string observation(const std::string& kind, const std::string& diagnosis = "") {
  return R"({"kind":")" + kind + R"(","message":"it did","sites":[],"diagnosis":")" + diagnosis + R"("})";
}

std::string failure(const std::string& kind) {
  return R"({"kind":")" + kind + R"(","message":"so said the device"})";
}

const std::string phrase_bins = document_of({5, 5, 6, 10, 10, 1, 1});
const std::string wrong_bins = document_of({4, 5, 6, 10, 10, 1, 1});

CaseResult judged(const std::string& answer) {
  judge::RunnerSession session(hostile("answers", {"ANSWER=" + answer}));
  REQUIRE_FALSE(judge::start_session(session));
  runner::RunRequest request;
  request.variant = "letters4";
  request.length = 41;
  const std::vector<std::uint64_t> expected{5, 5, 6, 10, 10, 1, 1};
  return judge::judged_run(session, hostile_program(), histogram::reference(), request,
                           problems::bytes_of<std::uint64_t>(expected));
}

// "verdict: message | verdict: message"
std::string findings(const CaseResult& run) {
  std::string all;
  for (const Finding& finding : run.findings) {
    all += (all.empty() ? "" : " | ") + std::string(name_of(finding.verdict)) + ": " + finding.message;
  }
  return all;
}

judge::CheckReport checked(const std::string& behaviour, const std::string& setting) {
  const workbook::ExerciseInfo exercise = workbook::here().find("02").at(0);
  return judge::check_runner(hostile(behaviour, {setting}), exercise, facts::Backend::sim, {.seed = 7});
}

}  // namespace

TEST_CASE("control: the right bins and nothing else are no finding") {
  const CaseResult run = judged(answer(phrase_bins));
  CHECK(findings(run).empty());
  CHECK_FALSE(run.left_out);
  REQUIRE(run.answer);
  CHECK(run.answer->block == 2000);
}

TEST_CASE("wrong bins are a wrong answer; of runs that differ this is said") {
  const std::string wrong = "wrong_answer: 1 of 7 bins differs\n  bin 0 (a-d): expected 5, got 4";
  CHECK(findings(judged(answer(wrong_bins))) == wrong);
  CHECK(findings(judged(answer(phrase_bins + "," + wrong_bins))) ==
        wrong + "\n  another run on the same input gave other counts");
}

TEST_CASE("no output, or too short a one, breaks the protocol") {
  CHECK(findings(judged(answer(""))) == "protocol: the answer holds no output");
  CHECK(findings(judged(answer(document_of({})))) == "protocol: 0 bins came back instead of 7");
}

TEST_CASE("what a kernel did comes with its own verdict, before the wrong answer") {
  CHECK(findings(judged(answer(phrase_bins, observation("race")))) == "race: it did");
  CHECK(
      findings(judged(answer(wrong_bins, observation("race") + "," + observation("out_of_bounds")))) ==
      "out_of_bounds: it did | race: it did | wrong_answer: 1 of 7 bins differs\n  bin 0 (a-d): expected 5, "
      "got 4");
}

TEST_CASE("what lies where a result would is compared only where nothing else is the matter") {
  const auto unfinished = [](const std::string& observations) {
    std::string told = answer(wrong_bins, observations);
    told.insert(told.size() - 1, R"(,"unfinished":{"launches_run":1,"launches":2})");
    return findings(judged(told));
  };
  CHECK(unfinished(observation("race")) == "race: it did");
  CHECK(unfinished("") == "wrong_answer: 1 of 7 bins differs\n  bin 0 (a-d): expected 5, got 4");
}

TEST_CASE("what a runner notes is no finding, and holds no commands to the terminal") {
  std::string noting = answer(phrase_bins);
  noting.insert(noting.size() - 1,
                R"(,"notes":[{"kind":"pass","message":"a \u001b[2Jflag","sites":[],"diagnosis":""}])");
  const CaseResult run = judged(noting);
  CHECK(findings(run).empty());
  REQUIRE(run.answer.value().notes.size() == 1);
  CHECK(run.answer->notes[0].message == "a ?[2Jflag");
  const judge::CheckReport report = checked("answers", "ANSWER=" + noting);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].message == "a ?[2Jflag\n  with 1 byte of `letters`, binning letters4");
}

TEST_CASE("a runner cannot choose its verdict") {
  for (const std::string kind : {"pass", "unavailable", "not_started", "technique", "nonsense", ""}) {
    CAPTURE(kind);
    const CaseResult run = judged(answer(wrong_bins, observation(kind)));
    REQUIRE_FALSE(run.findings.empty());
    CHECK(name_of(run.findings.front().verdict) == "protocol");
  }
}

TEST_CASE("a runner says what a race lacks, and makes no other diagnosis") {
  const auto diagnosis = [](const std::string& kind, const std::string& said) {
    return judged(answer(phrase_bins, observation(kind, said))).findings.at(0).diagnosis;
  };
  for (const std::string lacking : {"missing_atomic", "missing_barrier", "missing_warp_sync"}) {
    CHECK(diagnosis("race", lacking) == lacking);
    CHECK(diagnosis("out_of_bounds", lacking).empty());
  }
  CHECK(diagnosis("race", "lost_updates").empty());
  CHECK(diagnosis("race", "\\u001b[2J").empty());
}

TEST_CASE("a failed launch is told with its shape, an error of the device as a crash") {
  CHECK(findings(judged(answer("", "", failure("launch_error")))) ==
        "launch_error: so said the device\n  a launch of 4 blocks of 2,000 threads; a block has 1 to 1,024 "
        "threads");
  CHECK(findings(judged(answer("", "", failure("device_error")))) == "crash: so said the device");
}

TEST_CASE("a failure is no answer, even if right bins come with it") {
  CHECK(findings(judged(answer(phrase_bins, "", failure("device_error")))) == "crash: so said the device");
}

TEST_CASE("a case that does not fit the device is left out, with the reason") {
  const CaseResult run = judged(answer("", "", failure("too_large")));
  CHECK(findings(run).empty());
  CHECK(run.left_out == "so said the device");
}

TEST_CASE("a backend that cannot run here is unavailable, never a pass") {
  const judge::CheckReport report = checked("is honest", "UNAVAILABLE=no driver");
  CHECK(report.finding.verdict == Verdict::unavailable);
  CHECK(report.finding.message == "the backend sim cannot run here: no driver");
  CHECK(report.cases.empty());
}

TEST_CASE("a check goes through every case of every length") {
  const judge::CheckReport report = checked("is honest", "BLOCK=256");
  CHECK(report.finding.verdict == Verdict::pass);
  std::vector<problems::Case> cases;
  for (const auto& [length, of_length] : judge::check_cases(histogram::reference(), 256, 7, false))
    cases.insert(cases.end(), of_length.begin(), of_length.end());
  std::vector<problems::Case> judged;
  for (const judge::CaseResult& result : report.cases) judged.push_back(result.what);
  CHECK(judged == cases);
  const std::uint64_t longest = histogram::reference().drawn_technique_length(7);
  CHECK(report.finding.message.rfind(
            fmt::format("{} cases, lengths 0 to {}", cases.size(), facts::separated(longest)), 0) == 0);
  CHECK(report.counters.at("threads") == longest);
  CHECK(report.seed == 7);
}

TEST_CASE("a case that is short and yet too large for the device is no pass") {
  const judge::CheckReport report = checked("answers", "ANSWER=" + answer("", "", failure("too_large")));
  CHECK(report.finding.verdict == Verdict::limit);
  CHECK(report.finding.message == "so said the device\n  with 1 byte of `letters`, binning letters4");
}

TEST_CASE("a block size that no device has does not make the judge wait for gigabytes") {
  const judge::CheckReport report = checked("is honest", "BLOCK=4294967295");
  CHECK(report.finding.verdict == Verdict::pass);
  CHECK(report.cases.back().what.length == histogram::reference().drawn_technique_length(7));
}

TEST_CASE("a runner that is gone ends the check at that case") {
  const judge::CheckReport report = checked("is honest once", "BLOCK=256");
  CHECK(report.finding.verdict == Verdict::protocol);
  CHECK(report.finding.message ==
        "the program ended without an answer (exit code 0)\n"
        "  with 0 bytes of `letters`, binning letters4");
  CHECK(report.cases.size() == 1);
}
