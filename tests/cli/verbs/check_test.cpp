// SPDX-License-Identifier: MIT
#include <set>
#include <sstream>

#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;

// design: "Counter names, on both backends".
const std::set<std::string> counter_names{"global_load_requests",
                                          "global_store_requests",
                                          "global_store_sectors",
                                          "warp_steps",
                                          "thread_steps",
                                          "global_load_sectors",
                                          "global_atomic_requests",
                                          "shared_atomic_requests",
                                          "shared_atomic_wavefronts",
                                          "shared_load_requests",
                                          "shared_load_wavefronts",
                                          "shared_store_requests",
                                          "shared_store_wavefronts",
                                          "global_atomics",
                                          "shared_atomics",
                                          "barriers",
                                          "warps",
                                          "threads"};

void check_passing_document(const Json& report, const workbook::ExerciseInfo& exercise) {
  CHECK(keys_of(report) ==
        "lab exercise backend verdict diagnosis message where evidence missing seed cases counters derived "
        "further notes");
  CHECK(report.at("lab") == exercise.lab);
  CHECK(report.at("exercise") == exercise.name);
  CHECK(report.at("backend") == (exercise.launched ? "sim" : "cpu"));
  CHECK(report.at("verdict") == "pass");
  CHECK(report.at("diagnosis").is_null());
  CHECK(report.at("where").empty());
  CHECK(report.at("seed") == 5);
  CHECK(report.at("further").empty());
  CHECK(report.at("notes").empty());
  REQUIRE(report.at("cases").size() > 50);
  for (const Json& one : report.at("cases")) {
    const auto variant = problems::find_problem(exercise.problem)->variant_option();
    REQUIRE(keys_of(one) == std::string(variant) + " input length verdict diagnosis");
    CHECK(one.at("verdict") == "pass");
    CHECK(one.at("diagnosis").is_null());
  }
  CHECK(report.at("counters").empty() == !exercise.launched);
  CHECK(report.at("derived").empty() == !exercise.launched);
  for (const auto& counter : report.at("counters").items()) {
    CAPTURE(counter.key());
    CHECK(counter_names.count(counter.key()) == 1);
    CHECK(counter.value().is_number_unsigned());
  }
}

LabResult check_solution(const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"check", name, "--solution", "--on", "sim"};
  words.insert(words.end(), more.begin(), more.end());
  return lab(words);
}

}  // namespace

TEST_CASE("every solution passes on the simulator, as one JSON document with the keys of the documents" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    const std::string name = workbook.short_name(exercise);
    CAPTURE(name);
    const LabResult result = check_solution(name, {"--json", "--seed", "5"});
    CHECK(result.code == 0);
    check_passing_document(result.json(), exercise);
  }
}

TEST_CASE("a lab with two exercises is a list of two documents") {
  if (!can_simulate_solutions()) return;
  const LabResult result = check_solution("05", {"--json", "--seed", "5"});
  CHECK(result.code == 0);
  const Json document = result.json();
  REQUIRE(keys_of(document) == "exercises");
  REQUIRE(document.at("exercises").size() == 2);
  const auto both = workbook::here().find("05");
  check_passing_document(document.at("exercises")[0], both.at(0));
  check_passing_document(document.at("exercises")[1], both.at(1));
}

TEST_CASE("a check without JSON says what was judged, and the verdict") {
  if (!can_simulate_solutions()) return;
  const LabResult result = check_solution("05/contiguous");
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.rfind("05_coarsening contiguous on sim\npass: ", 0) == 0);
}

TEST_CASE("without a seed every check has another one" * doctest::test_suite("long")) {
  if (!workbook::here().has_solutions) return;
  const auto seed = [] { return check_solution("01", {"--json"}).json().at("seed").get<std::uint64_t>(); };
  CHECK(seed() != seed());
}

TEST_CASE("a runner that ends at once gives no pass: code 1, and the next step is said") {
  if (!workbook::here().has_solutions) return;
  const std::vector<std::string> wrapper{"WORKBOOK_WRAPPER=sh -c exit"};
  const LabResult text = lab({"check", "01", "--solution"}, wrapper);
  CHECK(text.code == 1);
  CHECK(text.out ==
        "01_sequential histogram on cpu\n"
        "protocol: the program ended without an answer (exit code 0)\n"
        "  next: lab hint 01\n");
  const LabResult document = lab({"check", "01", "--solution", "--json"}, wrapper);
  CHECK(document.code == 1);
  CHECK(document.json().at("verdict") == "protocol");
  CHECK(document.json().at("cases").empty());
}

TEST_CASE("what the tool finds that the runner runs under counts, by its exit code" *
          doctest::test_suite("long")) {
  if (!workbook::here().has_solutions) return;
  const TemporaryFolder folder;
  const auto check_under = [&](const std::string& last_words) {
    const std::string tool = folder.write("tool", "#!/bin/sh\n\"$@\"\n" + last_words);
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    return lab({"check", "01", "--solution", "--json"}, {"WORKBOOK_WRAPPER=" + tool}).json();
  };
  const Json found = check_under("echo '========= ERROR SUMMARY: 1 error'\nexit 86\n");
  CHECK(found.at("verdict") == "crash");
  CHECK(found.at("message") ==
        "`" + folder.path() +
            "/tool` ended with exit code 86\n  it printed:\n    ========= ERROR SUMMARY: 1 error");
  CHECK(found.at("cases").size() > 1);
  CHECK(check_under("exit 0\n").at("verdict") == "pass");
}

TEST_CASE("the list names every exercise with its file and state") {
  const LabResult result = lab({"list", "--json"});
  CHECK(result.code == 0);
  const Json document = result.json();
  REQUIRE(keys_of(document) == "exercises");
  const workbook::Workbook& workbook = workbook::here();
  REQUIRE(document.at("exercises").size() == workbook.exercises.size());
  for (std::size_t i = 0; i < workbook.exercises.size(); ++i) {
    const Json& entry = document.at("exercises")[i];
    const workbook::ExerciseInfo& exercise = workbook.exercises[i];
    CHECK(keys_of(entry) == "lab exercise file state attempts best_time_ms best_time_of");
    CHECK(entry.at("lab") == exercise.lab);
    CHECK(entry.at("exercise") == exercise.name);
    CHECK(entry.at("file") == workbook.source_file(exercise, workbook::Tree::student));
    CHECK_FALSE(entry.at("state").get<std::string>().empty());
    CHECK(entry.at("attempts").is_number_unsigned());
  }
  std::istringstream text(lab({"list"}).out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
    CHECK((lines.size() == 1 || line.rfind("next: ", 0) == 0 || line.size() <= 80));
  }
  // The folder, the titles, the exercises, the next step.
  REQUIRE(lines.size() == workbook.exercises.size() + 3);
  CHECK(lines[0] == "in " + workbook.shortened(workbook.labs_dir) + "/");
  CHECK(lines[1] == "file                            state                         attempts  best, ms");
  CHECK(lines.back().rfind("next: ", 0) == 0);
}
