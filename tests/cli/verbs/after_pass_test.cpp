// SPDX-License-Identifier: MIT
#include "cli/predict/predictions.hpp"
#include "cli/verbs/verbs.hpp"
#include "lab.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "state_file.hpp"

namespace {

// A check of a lab on the simulator with one case, the one by which labs are compared.
judge::CheckReport passed_with(const std::string& lab, const facts::Counters& counters,
                               std::uint64_t length = histogram::technique_length) {
  judge::CheckReport report{.exercise = workbook::here().find(lab).at(0), .backend = facts::Backend::sim};
  judge::CaseResult result{.what = {"letters4", "letters", length}};
  result.answer = runner::RunAnswer{};
  result.answer->counters = counters;
  report.cases.push_back(result);
  return report;
}

std::string next_step(const std::string& lab) {
  return workbook::here().has_solutions ? "  next: lab compare " + lab + "\n" : "";
}

const facts::Counters of_03{{"global_atomics", 1077246}, {"warps", 100}};
const facts::Counters of_04{{"global_atomics", 7170}, {"warps", 105}, {"shared_atomics", 1048579}};

const std::string changes =
    "against your lab 03, letters, binning letters4:\n"
    "                                      03            04\n"
    "  bytes                        1,048,579     1,048,579\n"
    "  global_atomics               1,077,246         7,170  150 times fewer\n"
    "  shared_atomics                       0     1,048,579  new\n";

}  // namespace

TEST_CASE("counters that changed by more than a tenth are told, in the order in which counters are shown") {
  const problems::Problem& problem = *problems::find_problem("histogram");
  CHECK(cli::changed_counters(
            problem, {{{"barriers", 10}, {"threads", 100}, {"warps", 100}, {"shared_atomics", 5}}, 1048953},
            "03", {{{"barriers", 30}, {"threads", 110}, {"warps", 89}}, 1049227}, "04") ==
        "                                      03            04\n"
        "  bytes                        1,048,953     1,049,227\n"
        "  warps                              100            89  1.12 times fewer\n"
        "  barriers                            10            30  3 times as many\n"
        "  shared_atomics                       5             0  none any more\n");
  CHECK(cli::changed_counters(problem, {of_03, 1048953}, "03", {of_03, 1049227}, "04").empty());
}

TEST_CASE(
    "after pass: what changed against the lab before, once that has passed too, and the solution to compare "
    "with") {
  const StateFile kept("predictions.json");
  CHECK(cli::after_pass_text(passed_with("04", of_04), "sim") ==
        "against lab 03: lab profile 04\n" + next_step("04"));
  cli::after_pass_text(passed_with("03", of_03), "sim");
  CHECK(cli::after_pass_text(passed_with("04", of_04), "sim") == changes + next_step("04"));
}

TEST_CASE("after pass: what was predicted is set against what the check counted") {
  const StateFile kept("predictions.json");
  cli::after_pass_text(passed_with("03", of_03), "sim");
  REQUIRE(lab({"predict", "04", "--answers", "0.01,,0.5"}).code == 0);
  const std::string in_need =
      workbook::here().has_gpu ? "needs a GPU: lab check 04 --on gpu\n" : "needs a GPU\n";
  CHECK(
      cli::after_pass_text(passed_with("04", of_04), "sim") ==
      "predicted:\n"
      "  global atomics, against lab 03: you said 0.01; counted 7,170 against 1,077,246, so 0.00666: "
      "right\n"
      "    The counting has left global memory; what remains are the commits, one for each bin and block. So "
      "the larger the blocks, the fewer there are.\n"
      "  time, against lab 03: you said 0.5; " +
          in_need + changes + next_step("04"));
}

TEST_CASE("after pass: figures counted at different lengths are told with these") {
  const StateFile kept("predictions.json");
  cli::after_pass_text(passed_with("03", of_03, 1048953), "sim");
  REQUIRE(lab({"predict", "04", "--answers", "0.01"}).code == 0);
  const std::string text = cli::after_pass_text(passed_with("04", of_04, 1049335), "sim");
  CHECK(
      text.find("  global atomics, against lab 03: you said 0.01; counted 7,170 over 1,049,335 bytes against "
                "1,077,246 over 1,048,953 bytes, so 0.00666: right\n") != std::string::npos);
  CHECK(text.find("against your lab 03, letters, binning letters4:\n"
                  "                                      03            04\n"
                  "  bytes                        1,048,953     1,049,335\n") != std::string::npos);
  // They are kept with the outcome, which the report shows too.
  const auto outcome = lab({"predict", "04", "--json"}).json().at("questions").at(0).at("outcome");
  CHECK(outcome.at("of_length") == 1049335);
  CHECK(outcome.at("against_length") == 1048953);
}

TEST_CASE("after pass: a figure that no run has given is told to be unknown") {
  const StateFile kept("predictions.json");
  REQUIRE(lab({"predict", "04", "--answers", "0.01,a"}).code == 0);
  cli::after_pass_text(passed_with("04", of_04), "sim");  // of the past, and not asked
  const judge::CheckReport without_counters = passed_with("04", {});
  CHECK(cli::after_pass_text(without_counters, "gpu") ==
        "predicted:\n"
        "  global atomics, against lab 03: you said 0.01; needs the simulator: lab check 04 --on sim\n"
        "  wavefronts of a shared atomic: you said a) about 1: lanes that add 1 to the same counter are "
        "served together; "
        "needs the simulator: lab check 04 --on sim\n" +
            next_step("04"));
  CHECK(cli::after_pass_text(passed_with("04", of_04), "sim")
            .find("known once lab 03 has passed on the simulator: lab check 03\n") != std::string::npos);
}

TEST_CASE("before pass nothing of this is told, and nothing kept") {
  const StateFile kept("predictions.json");
  judge::CheckReport report = passed_with("04", of_04);
  report.finding.verdict = facts::Verdict::race;
  CHECK(cli::after_pass_text(report, "sim").empty());
  CHECK_FALSE(std::filesystem::exists(kept.path()));
}
