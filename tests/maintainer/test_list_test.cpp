// SPDX-License-Identifier: MIT
// Every test that is written is run: each *_test.cpp belongs to one executable, and each such executable to a
// test, or to several, which run parts of it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace files = std::filesystem;
using Json = nlohmann::json;

namespace {

Json introspection(const std::string& name) {
  std::ifstream file(workbook::here().build_root + "/meson-info/" + name);
  return Json::parse(file);
}

// The files that are compiled as a part of this one, which Meson writes where `unity` is on. Only newer
// versions of Meson name them in the introspection as well.
std::vector<std::string> included_by(const std::string& unity_source) {
  std::vector<std::string> included;
  std::ifstream file(unity_source);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find_first_of("<\""), end = line.find_last_of(">\"");
    if (line.rfind("#include", 0) != 0 || begin >= end) continue;
    included.push_back(files::path(line.substr(begin + 1, end - begin - 1)).lexically_normal().string());
  }
  return included;
}

// The sources of a target, in the groups of the introspection.
std::vector<std::string> sources_of(const Json& target) {
  std::vector<std::string> sources;
  for (const Json& group : target.at("target_sources")) {
    for (const Json& source : group.value("sources", Json::array())) sources.push_back(source);
    for (const Json& generated : group.value("generated_sources", Json::array())) {
      const std::string path = generated;
      if (path.find("-unity") == std::string::npos) continue;
      for (std::string& source : included_by(path)) sources.push_back(std::move(source));
    }
  }
  return sources;
}

bool is_test(const files::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 9 && name.compare(name.size() - 9, 9, "_test.cpp") == 0;
}

}  // namespace

TEST_CASE("every test file is part of one executable, and every such executable is a test") {
  std::map<std::string, int> compiled;            // test file -> in how many executables
  std::map<std::string, std::string> program_of;  // test file -> its executable
  for (const Json& target : introspection("intro-targets.json")) {
    for (const std::string& path : sources_of(target)) {
      if (!is_test(path)) continue;
      ++compiled[path];
      program_of[path] = target.at("filename").at(0);
    }
  }
  std::map<std::string, int> listed;  // executable -> how many tests run it
  for (const Json& test : introspection("intro-tests.json"))
    ++listed[test.at("cmd").at(0).get<std::string>()];

  std::size_t seen = 0;
  for (const auto& entry : files::recursive_directory_iterator(workbook::here().source_root + "/tests")) {
    if (!is_test(entry.path())) continue;
    ++seen;
    const std::string path = entry.path().string();
    CAPTURE(path);
    CHECK(compiled[path] == 1);
    CHECK(listed[program_of[path]] >= 1);
  }
  CHECK(seen > 10);
}

TEST_CASE("every submission is judged by one test, on the simulator where it is there") {
  std::set<std::string> names;
  for (const Json& test : introspection("intro-tests.json")) names.insert(test.at("name"));
  const workbook::Workbook& workbook = workbook::here();
  const files::path folder = workbook.source_root + "/tests/submissions";
  std::size_t seen = 0;
  for (const auto& entry : files::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.path().parent_path() == folder || (extension != ".cu" && extension != ".cpp")) continue;
    ++seen;
    const files::path verdict = entry.path().parent_path();  // LAB/VERDICT or LAB/EXERCISE/VERDICT
    const auto exercises = workbook.find(files::relative(verdict.parent_path(), folder).string());
    CAPTURE(entry.path().string());
    REQUIRE(exercises.size() == 1);
    CHECK(extension == files::path(exercises[0].file).extension());
    if (exercises[0].launched && !workbook.has_simulator) continue;
    CHECK(names.count("submissions " + exercises[0].lab + " " + exercises[0].name + " on " +
                      (workbook.has_simulator ? "sim" : "cpu")) == 1);
  }
  CHECK(seen > 100);
}

TEST_CASE("no two tests have the same name") {
  std::map<std::string, int> names;
  for (const Json& test : introspection("intro-tests.json")) ++names[test.at("name").get<std::string>()];
  for (const auto& test : names) {
    CAPTURE(test.first);
    CHECK(test.second == 1);
  }
}
