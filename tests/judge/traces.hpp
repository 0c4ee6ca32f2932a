// SPDX-License-Identifier: MIT
// What a program may leave behind that tries to do harm: changed files of the tree or of the harness, files
// with a name that begins with "workbook-hostile", processes.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace traces {

namespace files = std::filesystem;

using Tree = std::map<std::string, std::size_t>;  // path -> hash of the content

inline void add(Tree& tree, const files::path& folder) {
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
inline Tree everything() {
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

inline std::set<std::string> leftovers() {
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

inline int processes_of(const std::string& program) {
  int count = 0;
  std::error_code none;
  for (const auto& entry : files::directory_iterator("/proc", none)) {
    const std::string program_of = files::read_symlink(entry.path() / "exe", none).string();
    count += program_of.starts_with(program);
  }
  return count;
}

inline void check_unchanged(const Tree& before, const Tree& after) {
  CHECK(before.size() == after.size());
  for (const auto& file : before) {
    const auto now = after.find(file.first);
    CHECK_MESSAGE((now != after.end() && now->second == file.second), file.first << " has changed");
  }
}

}  // namespace traces
