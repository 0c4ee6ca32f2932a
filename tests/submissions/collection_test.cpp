// SPDX-License-Identifier: MIT
// The collection as a whole; judge_submissions.cpp judges each.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"
#include "support/normalised.hpp"

namespace files = std::filesystem;

namespace {

struct Submission {
  std::string lab, exercise, verdict, text;
};

std::string text_of(const files::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// By path: LAB/VERDICT/FILE, in lab 05 LAB/EXERCISE/VERDICT/FILE.
const std::map<std::string, Submission>& submissions() {
  static const std::map<std::string, Submission> all = [] {
    std::map<std::string, Submission> found;
    const files::path folder = workbook::here().source_root + "/tests/submissions";
    for (const auto& entry : files::recursive_directory_iterator(folder)) {
      const files::path path = files::relative(entry.path(), folder);
      const bool source = path.extension() == ".cu" || path.extension() == ".cpp";
      if (!source || !path.has_parent_path()) continue;
      const files::path exercise = path.parent_path().parent_path();
      found[path.string()] = {path.begin()->string(), exercise.string(), path.parent_path().filename().string(), text_of(entry.path())};
    }
    return found;
  }();
  return all;
}

}  // namespace

TEST_CASE("each lab has twelve submissions at least, each exercise four right ones at least, and all labs a hundred") {
  std::map<std::string, int> of_lab, right;
  for (const auto& [path, submission] : submissions()) {
    ++of_lab[submission.lab];
    right[submission.exercise] += submission.verdict == "pass";
  }
  CHECK(submissions().size() >= 100);
  CHECK(of_lab.size() >= 6);
  // A lab may have none; where it has some, each of its exercises has.
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (of_lab.count(exercise.lab) == 0) continue;
    CAPTURE(exercise.lab);
    CHECK(right.count(workbook::here().is_only_one(exercise) ? exercise.lab : exercise.lab + "/" + exercise.name) == 1);
  }
  for (const auto& counted : of_lab) {
    CAPTURE(counted.first);
    CHECK(!workbook::here().find(counted.first).empty());
    CHECK(counted.second >= 12);
  }
  for (const auto& counted : right) {
    CAPTURE(counted.first);
    CHECK(counted.second >= 4);
  }
}

TEST_CASE("each submission lies in the folder of a verdict, and says on top what it is for") {
  for (const auto& found : submissions()) {
    CAPTURE(found.first);
    CHECK(facts::find_verdict(found.second.verdict).has_value());
    const std::string purpose = found.second.verdict == "pass" ? "// Right: " : "// Wrong: ";
    CHECK(found.second.text.find("// SPDX-License-Identifier: MIT\n" + purpose) == 0);
  }
}

TEST_CASE("no two submissions are alike but for names and constants, save another lab's solution that is handed in") {
  std::map<std::string, std::vector<std::pair<std::string, Submission>>> alike;
  for (const auto& found : submissions()) {
    auto& others = alike[normalised(found.second.text)];
    for (const auto& other : others) {
      CAPTURE(found.first);
      CAPTURE(other.first);
      const bool handed_in = found.second.verdict == "technique" || other.second.verdict == "technique";
      const bool of_another_lab = handed_in && found.second.exercise != other.second.exercise;
      CHECK(of_another_lab);
    }
    others.push_back(found);
  }
}

TEST_CASE("each exercise with a kernel has three submissions at least that say on top what a GPU tells of them") {
  const std::string begin = "\n// on a GPU: ";
  std::map<std::string, int> of_exercise;
  for (const auto& found : submissions()) {
    const std::string& path = found.first;
    const Submission& submission = found.second;
    const std::size_t at = submission.text.find(begin);
    if (path.find(".cu") == std::string::npos) continue;
    of_exercise[submission.exercise] += at != std::string::npos;
    if (at == std::string::npos) continue;
    CAPTURE(path);
    const std::size_t word = at + begin.size();
    CHECK(facts::find_verdict(submission.text.substr(word, submission.text.find_first_of(" \n", word) - word)).has_value());
    CHECK(at < submission.text.find("#include"));
  }
  CHECK(of_exercise.size() >= 6);
  for (const auto& counted : of_exercise) {
    CAPTURE(counted.first);
    CHECK(counted.second >= 3);
  }
}
