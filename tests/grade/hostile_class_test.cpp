// SPDX-License-Identifier: MIT
// A class of the files in tests/judge/hostile, through lab grade: each gets the verdict that stands on top of
// it, and nothing outside of OUT has changed, with a sandbox and without.
#include <doctest/doctest.h>

#include <filesystem>

#include "grade/sandbox.hpp"
#include "hostile_files.hpp"
#include "lab.hpp"
#include "support/contains.hpp"
#include "traces.hpp"

namespace {

namespace files = std::filesystem;

// Every hostile file as a submission of its own, and the verdicts that they are to have.
std::map<std::string, std::string> hand_in_all(const TemporaryFolder& folder) {
  std::map<std::string, std::string> verdicts;
  for (const files::path& source : sources_in("hostile")) {
    const std::string name = source.stem(), lab = folder.path() + "/" + name + "/labs/02_global_atomics";
    files::create_directories(lab);
    files::copy_file(source, lab + "/histogram.cu");
    files::copy(source.parent_path() / "parts", lab + "/parts", files::copy_options::recursive);
    const std::string text = text_of(source), judged = line_behind(text, "judged");
    const std::string expected = judged.empty() ? line_behind(text, "expected") : judged;
    verdicts[name] = expected.substr(0, expected.find(':'));
    // What it includes does not lie there now.
    if (name == "includes_a_submission") verdicts[name] = "build_error";
  }
  return verdicts;
}

// The other verdict that a file may get: which of two limits it meets first depends on the machine.
std::map<std::string, std::string> other_verdicts() {
  std::map<std::string, std::string> verdicts;
  for (const files::path& source : sources_in("hostile")) {
    const std::string other = line_behind(text_of(source), "or");
    if (!other.empty()) verdicts[source.stem()] = other.substr(0, other.find(':'));
  }
  return verdicts;
}

// Behind the name.
std::string row_of(const std::string& gradebook, const std::string& name) {
  const std::size_t at = gradebook.find("\n" + name + ",");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 2;
  return name + ": " + gradebook.substr(begin, gradebook.find("\r\n", begin) - begin);
}

void check_class(const std::vector<std::string>& more) {
  TemporaryFolder folder, output, temporary;
  auto verdicts = hand_in_all(folder);
  // There are no solutions in the sandbox, so this does not compile.
  if (more.empty()) verdicts["includes_the_solution"] = "build_error";
  const std::string made = output.path() + "/grades";
  traces::Tree before = traces::everything(), handed_in;
  CHECK(before.size() > 1000);
  traces::add(handed_in, folder.path());
  std::vector<std::string> words{"grade", folder.path(), "--output", made, "--lab", "02", "--seed", "42"};
  words.insert(words.end(), more.begin(), more.end());
  const LabResult result = lab(words, {"TMPDIR=" + temporary.path()});
  CHECK(result.err.empty());
  CHECK(result.code == 0);
  CHECK(verdicts.size() >= 60);
  const std::string gradebook = text_of(made + "/gradebook.csv");
  const auto others = other_verdicts();
  for (const auto& [name, verdict] : verdicts) {
    const std::string row = row_of(gradebook, name);
    const auto other = others.find(name);
    if (other != others.end() && row == name + ": " + other->second + ",0") continue;
    CHECK(row == name + ": " + verdict + ",0");
  }
  CHECK(traces::processes_of(made) == 0);
  CHECK_FALSE(files::exists(made + "/.scratch"));
  CHECK(files::is_empty(temporary.path()));
  CHECK(traces::leftovers() == std::set<std::string>{});
  traces::check_unchanged(before, traces::everything());
  traces::Tree still;
  traces::add(still, folder.path());
  traces::check_unchanged(handed_in, still);
}

}  // namespace

TEST_SUITE_BEGIN("long");

TEST_CASE("a class of hostile files changes nothing outside of OUT, without a sandbox") {
  if (workbook::here().has_simulator) check_class({"--no-sandbox"});
}

TEST_CASE("a class of hostile files changes nothing outside of OUT, in the sandbox") {
  if (!workbook::here().has_simulator) return;
  if (const auto why = grade::why_no_sandbox()) {
    MESSAGE("left out: " << *why);
    return;
  }
  check_class({});
}

TEST_SUITE_END();
