// SPDX-License-Identifier: MIT
// Who may include whom (docs/architecture.md): folders of common/ include downwards only.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "workbook/workbook.hpp"

namespace files = std::filesystem;

namespace {

const std::map<std::string, std::set<std::string>> allowed{
    {"facts", {}},
    {"os", {"facts"}},
    {"problems", {"facts"}},
    {"simulator", {"facts", "os"}},
    {"model", {"facts", "simulator"}},
    {"runner", {"facts", "model", "problems", "simulator"}},
    {"workbook", {"facts", "os", "problems"}},
    {"build", {"facts", "os", "problems", "workbook"}},
    {"judge", {"build", "facts", "os", "problems", "runner", "workbook"}},
    {"measure", {"build", "facts", "os", "problems", "simulator", "runner", "workbook", "judge"}},
    {"report", {"facts", "os", "problems", "workbook", "judge", "measure"}},
    {"demo", {"facts", "os", "problems", "workbook", "judge", "measure", "report"}},
    {"grade", {"build", "facts", "os", "problems", "workbook", "judge", "measure", "report"}},
    {"cli",
     {"build", "facts", "os", "problems", "workbook", "judge", "measure", "model", "report", "demo",
      "grade"}},
};

bool is_source(const files::path& path) {
  return path.extension() == ".hpp" || path.extension() == ".cpp" || path.extension() == ".cu" ||
         path.extension() == ".cuh";
}

// What is compiled into runners: the template of one, and parts of a problem. They may know these rooms too.
// `path`: below common/.
bool is_part_of_runners(const files::path& path) {
  const auto has_part = [&](std::string_view part) {
    return std::find(path.begin(), path.end(), files::path(part)) != path.end();
  };
  if (path.filename().string().starts_with("runner-template")) return true;
  return *path.begin() == "problems" && (has_part("unit") || has_part("peers") ||
                                         path.filename().string().find("observer") != std::string::npos);
}
const std::set<std::string> of_runners{"runner", "simulator"};

// The folder of `#include "folder/..."`, or nothing.
std::string included_folder(const std::string& line) {
  constexpr std::string_view start = "#include \"";
  if (line.rfind(start, 0) != 0) return {};
  const std::size_t slash = line.find('/', start.size());
  return slash == std::string::npos ? std::string() : line.substr(start.size(), slash - start.size());
}

}  // namespace

TEST_CASE("includes run downwards only") {
  const files::path common = files::path(workbook::here().source_root) / "common";
  std::size_t seen = 0;
  for (const auto& [folder, may_include] : allowed) {
    for (const auto& entry : files::recursive_directory_iterator(common / folder)) {
      if (!is_source(entry.path())) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::string included = included_folder(line);
        if (included.empty() || included == folder) continue;
        ++seen;
        const bool allowed_here =
            may_include.count(included) == 1 ||
            (of_runners.count(included) == 1 && is_part_of_runners(files::relative(entry.path(), common)));
        CHECK_MESSAGE(allowed_here, entry.path().string() << ": " << line);
      }
    }
  }
  CHECK(seen > 20);
}

TEST_CASE("the judge includes nothing of the exercises but their protocol") {
  const files::path judge_folder = files::path(workbook::here().source_root) / "common/judge";
  std::size_t seen = 0;
  for (const auto& entry : files::directory_iterator(judge_folder)) {
    if (!is_source(entry.path())) continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (included_folder(line) != "runner") continue;
      ++seen;
      CHECK_MESSAGE(line == "#include \"runner/protocol.hpp\"", entry.path().string() << ": " << line);
    }
  }
  CHECK(seen > 0);
}
