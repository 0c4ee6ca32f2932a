// SPDX-License-Identifier: MIT
#include "cli/junit.hpp"

#include <fmt/core.h>

#include "report/markup.hpp"

namespace cli {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Two characters of Unicode that are none of XML's.
std::string escaped(std::string text) {
  for (const char* const none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) text = replaced(std::move(text), none, "?");
  return report::escaped_lines(text);
}

std::string with_short_paths(const workbook::Workbook& workbook, std::string text) {
  text = replaced(std::move(text), workbook.labs_dir + "/", "");
  // In a message of the judge's the tree's own path is left out already.
  const std::string labs = workbook.shortened(workbook.labs_dir);
  return labs.starts_with('/') ? text : replaced(std::move(text), labs + "/", "");
}

std::string words_of(const facts::Finding& finding) {
  std::string words(name_of(finding.verdict));
  return finding.diagnosis.empty() ? words : words + " " + finding.diagnosis;
}

std::string text_of(const workbook::Workbook& workbook, const facts::Finding& finding) {
  std::string text = words_of(finding) + "\n" + finding.message + "\n";
  for (const facts::Location& place : finding.where) text += fmt::format("  {}:{}\n", place.file, place.line);
  return with_short_paths(workbook, text);
}

}  // namespace

std::string junit_document(const workbook::Workbook& workbook,
                           const std::vector<judge::CheckReport>& reports) {
  std::string cases;
  std::size_t failures = 0;
  for (const judge::CheckReport& report : reports) {
    const facts::Finding& finding = report.finding;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(report.exercise.lab),
                         escaped(report.exercise.name));
    if (finding.verdict == facts::Verdict::pass) {
      cases += "/>\n";
      continue;
    }
    ++failures;
    cases += fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                         name_of(finding.verdict), escaped(words_of(finding)),
                         escaped(text_of(workbook, finding)));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"labs\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n{}  "
      "</testsuite>\n"
      "</testsuites>\n",
      reports.size(), failures, cases);
}

}  // namespace cli
