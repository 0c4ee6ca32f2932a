// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each judged by `lab check`'s own machinery on the
// simulator: the verdict is the one that stands on top of it ("// judged: VERDICT: WORDS" where it does not
// compile either, and so is a `build_error` first), and nothing outside of its runner's folder has
// changed, no file of the tree or of the harness, no process is left. Whatever such a file leaves behind has
// a name that begins with "workbook-hostile".
#include <doctest/doctest.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "hostile_files.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "os/files.hpp"

namespace {

namespace files = std::filesystem;

using Tree = std::map<std::string, std::size_t>;  // path -> hash of the content

void add(Tree& tree, const files::path& folder) {
  for (auto entry =
           files::recursive_directory_iterator(folder, files::directory_options::skip_permission_denied);
       entry != files::recursive_directory_iterator(); ++entry) {
    const std::string path = entry->path(), name = entry->path().filename();
    const bool is_build = entry->is_directory() && files::exists(entry->path() / "build.ninja");
    if (is_build || name == ".git") entry.disable_recursion_pending();
    if (entry->is_regular_file()) tree[path] = std::hash<std::string>{}(os::read_file(path).value_or(""));
  }
}

// The sources, and of the build what all runners are made of.
Tree everything() {
  const workbook::Workbook& workbook = workbook::here();
  Tree tree;
  add(tree, workbook.source_root);
  for (const char* part : {"common/build", "common/runner", "common/simulator", "common/judge"})
    add(tree, workbook.build_root + "/" + part);
  for (const char* part : {"build.ninja", "lab"}) {
    const std::string path = workbook.build_root + "/" + part;
    if (const auto text = os::read_file(path)) tree[path] = std::hash<std::string>{}(*text);
  }
  return tree;
}

std::set<std::string> leftovers() {
  const char* const home = std::getenv("HOME");
  std::set<std::string> found;
  for (const files::path& folder :
       {files::path("/tmp"), files::path("/var/tmp"), files::path("/dev/shm"),
        files::path(home ? home : "/tmp"), files::current_path(), files::path(workbook::here().build_root),
        files::path(workbook::here().build_root) / "tests/judge",
        files::path(workbook::here().source_root) / "tests/judge/hostile"}) {
    std::error_code none;
    for (const auto& entry : files::directory_iterator(folder, none)) {
      if (entry.path().filename().string().starts_with("workbook-hostile")) found.insert(entry.path());
    }
  }
  return found;
}

int processes_of(const std::string& program) {
  int count = 0;
  std::error_code none;
  for (const auto& entry : files::directory_iterator("/proc", none)) {
    const std::string program_of = files::read_symlink(entry.path() / "exe", none).string();
    count += program_of.starts_with(program);
  }
  return count;
}

void check_file(const files::path& source) {
  CAPTURE(source.string());
  const workbook::Target target = target_of(source);
  const std::optional<facts::Finding> finding = judge::build_runner(workbook::here(), target);
  const facts::Finding verdict = finding ? *finding
                                         : judge::check_runner(judge::runner_settings(target),
                                                               target.exercise, target.backend, {.seed = 42})
                                               .finding;
  const std::string text = text_of(source), judged = line_behind(text, "judged");
  const std::string expected = judged.empty() ? line_behind(text, "expected") : judged;
  CHECK(in_short(verdict) == expected);
  CHECK(processes_of(target.runner) == 0);
  CHECK(leftovers() == std::set<std::string>{});
}

void check_files(const std::vector<files::path>& sources) {
  const Tree before = everything();
  CHECK(before.size() > 1000);
  for (const files::path& source : sources) check_file(source);
  const Tree after = everything();
  CHECK(before.size() == after.size());
  for (const auto& [path, hash] : before) {
    const auto now = after.find(path);
    CHECK_MESSAGE((now != after.end() && now->second == hash), path << " has changed");
  }
}

}  // namespace

TEST_CASE("the first hostile file of each verdict") {
  std::set<std::string> seen;
  std::vector<files::path> sample;
  for (const files::path& source : sources_in("hostile")) {
    const std::string text = text_of(source);
    const std::string expected =
        line_behind(text, line_behind(text, "judged").empty() ? "expected" : "judged");
    if (seen.insert(expected.substr(0, expected.find(':'))).second) sample.push_back(source);
  }
  CHECK(sample.size() >= 2);
  check_files(sample);
}

TEST_CASE("every hostile file" * doctest::skip()) {
  const std::vector<files::path> sources = sources_in("hostile");
  CHECK(sources.size() >= 60);
  check_files(sources);
}
