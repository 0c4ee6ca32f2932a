// SPDX-License-Identifier: MIT
// Every test that is written is run: each *_test.cpp belongs to one executable, and each such executable to one test.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "judge/workbook.hpp"

namespace files = std::filesystem;
using Json = nlohmann::json;

namespace {

Json introspection(const std::string& name) {
  std::ifstream file(judge::workbook().build_root + "/meson-info/" + name);
  return Json::parse(file);
}

bool is_test(const files::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 9 && name.compare(name.size() - 9, 9, "_test.cpp") == 0;
}

}  // namespace

TEST_CASE("every test file is part of one executable, and every such executable is one test") {
  std::map<std::string, int> compiled;               // test file -> in how many executables
  std::map<std::string, std::string> program_of;     // test file -> its executable
  for (const Json& target : introspection("intro-targets.json")) {
    for (const Json& group : target.at("target_sources")) {
      for (const Json& source : group.value("sources", Json::array())) {
        const files::path path = source.get<std::string>();
        if (!is_test(path)) continue;
        ++compiled[path.string()];
        program_of[path.string()] = target.at("filename").at(0);
      }
    }
  }
  std::map<std::string, int> listed;  // executable -> how many tests run it
  for (const Json& test : introspection("intro-tests.json")) ++listed[test.at("cmd").at(0).get<std::string>()];

  std::size_t seen = 0;
  for (const auto& entry : files::recursive_directory_iterator(judge::workbook().source_root + "/tests")) {
    if (!is_test(entry.path())) continue;
    ++seen;
    const std::string path = entry.path().string();
    CAPTURE(path);
    CHECK(compiled[path] == 1);
    CHECK(listed[program_of[path]] == 1);
  }
  CHECK(seen > 10);
}

TEST_CASE("every submission is judged by one test") {
  std::map<std::string, int> judged;
  for (const Json& test : introspection("intro-tests.json")) {
    for (const Json& word : test.at("cmd")) ++judged[word.get<std::string>()];
  }
  const files::path folder = judge::workbook().source_root + "/tests/submissions";
  std::size_t seen = 0;
  for (const auto& entry : files::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.path().parent_path() == folder || (extension != ".cu" && extension != ".cpp")) continue;
    ++seen;
    CAPTURE(entry.path().string());
    CHECK(judged[entry.path().string()] == 1);
  }
  CHECK(seen > 100);
}

TEST_CASE("no two tests have the same name") {
  std::map<std::string, int> names;
  for (const Json& test : introspection("intro-tests.json")) ++names[test.at("name").get<std::string>()];
  for (const auto& [name, times] : names) {
    CAPTURE(name);
    CHECK(times == 1);
  }
}
