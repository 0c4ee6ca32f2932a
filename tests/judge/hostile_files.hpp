// SPDX-License-Identifier: MIT
// The files of tests/judge/hostile, and what each says on top: "// Hostile: PURPOSE" and
// "// expected: VERDICT: WORDS", which may end with "..." for any words; and "// or: VERDICT: ..." where
// another verdict is as good.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "temporary_folder.hpp"
#include "workbook/workbook.hpp"

// The rest of the line that begins with "// BEGIN: "; empty if there is none.
inline std::string line_behind(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find("\n// " + begin + ": ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size() + 6;
  return text.substr(from, text.find('\n', from) - from);
}

// Every source in a folder of tests/judge, sorted.
inline std::vector<std::filesystem::path> sources_in(const std::string& folder) {
  std::vector<std::filesystem::path> sources;
  for (const auto& entry :
       std::filesystem::directory_iterator(workbook::here().source_root + "/tests/judge/" + folder)) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

// The file as the student's for lab 02, or for the one that stands in its line "// lab: ".
inline workbook::Target target_of(const std::filesystem::path& source,
                                  facts::Backend backend = facts::Backend::sim) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string lab = line_behind(text_of(source), "lab");
  workbook::Target target =
      workbook.target(workbook.find(lab.empty() ? "02" : lab).at(0), workbook::Tree::student, backend);
  target.source = source;
  target.runner = workbook.build_root + "/tests/judge/hostile-" + source.stem().string() + "." +
                  std::string(name_of(backend));
  return target;
}

inline bool is_as_expected(const std::string& told, const std::string& expected) {
  if (!expected.ends_with("...")) return told == expected;
  return told.starts_with(expected.substr(0, expected.size() - 3));
}

// "forbidden: assembler is not allowed": the verdict with the first line of the message, without the place.
inline std::string in_short(const facts::Finding& finding) {
  std::string message = finding.message.substr(0, finding.message.find('\n'));
  if (!finding.where.empty() || message.starts_with("tests/judge/hostile/")) {
    const std::size_t place = message.find(": ");
    if (message.starts_with("tests/judge/hostile/")) message.erase(0, place + 2);
  }
  return std::string(name_of(finding.verdict)) + ": " + message;
}
