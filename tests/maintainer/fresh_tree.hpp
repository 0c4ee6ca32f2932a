// SPDX-License-Identifier: MIT
// A copy of the tree, as a student has it who has just cloned it: configured, with the `lab` program built.
// Its libraries are those of the build folder that the tests belong to (borrow_libraries.sh).
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "workbook/workbook.hpp"

class FreshTree {
 public:
  // Made once for all tests of a program.
  static const FreshTree& here() {
    static const FreshTree tree;
    INFO(tree.built_.text);
    REQUIRE(tree.built_.code == 0);
    return tree;
  }

  struct Output {
    int code;
    std::string text;  // standard output and errors
  };

  const std::string& root() const { return root_; }
  std::string lab() const { return root_ + "/build/lab"; }

  // Runs a line of the shell's in the tree.
  Output run(const std::string& line) const {
    std::FILE* const pipe = popen(("cd '" + root_ + "' && { " + line + "\n} 2>&1 </dev/null").c_str(), "r");
    REQUIRE(pipe);
    Output output;
    std::array<char, 4096> buffer;
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
      output.text.append(buffer.data(), got);
    const int status = pclose(pipe);
    output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return output;
  }

  Output configure(const std::string& option) const {
    return run("meson setup " + option + " build && sh tests/maintainer/borrow_libraries.sh build '" +
               workbook::here().build_root + "'");
  }

  std::string read(const std::string& name) const {
    std::ifstream file(root_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ + "/" + name) << text;
  }

  // The labs as they came, and nothing remembered.
  void start_again() const {
    const std::string shipped = workbook::here().source_root + "/labs";
    std::filesystem::remove_all(root_ + "/labs");
    std::filesystem::copy(shipped, root_ + "/labs", std::filesystem::copy_options::recursive);
    for (const char* kept : {"progress.json", "predictions.json"})
      std::filesystem::remove(root_ + "/build/" + kept);
  }

 private:
  FreshTree() {
    namespace files = std::filesystem;
    unsetenv("WORKBOOK_STATE");  // each tree keeps its own, in its build folder
    std::string name = (files::temp_directory_path() / "workbook-fresh-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    root_ = name;
    for (const auto& entry : files::directory_iterator(workbook::here().source_root)) {
      // What is hidden is the repository's, and a folder with this inside is a build's.
      if (entry.path().filename().string().starts_with('.') || files::exists(entry.path() / "meson-private"))
        continue;
      files::copy(entry.path(), root_ + "/" + entry.path().filename().string(),
                  files::copy_options::recursive);
    }
    built_ = configure("-Dgpu=disabled");
    if (built_.code == 0) built_ = run("ninja -C build lab");
  }
  ~FreshTree() { std::filesystem::remove_all(root_); }

  std::string root_;
  Output built_;
};
