// SPDX-License-Identifier: MIT
#include "cli/junit.hpp"

#include <doctest/doctest.h>

namespace {

judge::CheckReport report(const std::string& lab, facts::Finding finding) {
  judge::CheckReport result{.exercise = workbook::here().find(lab).at(0)};
  result.finding = std::move(finding);
  return result;
}

}  // namespace

TEST_CASE("JUnit: the failure's text is verdict, diagnosis, message and places, relative to the submission") {
  workbook::Workbook workbook = workbook::here();
  workbook.labs_dir = "/home/anna/labs";
  const std::string file = "/home/anna/labs/04_shared_memory/histogram.cu";
  const facts::Finding race{facts::Verdict::race,
                            "race in " + file + ": a < b & \"c\"\xef\xbf\xbe\x1b[2J",
                            "missing_atomic",
                            {{file, 21}}};
  CHECK(
      cli::junit_document(workbook, {report("04", race), report("02", {facts::Verdict::pass, "97 cases"})}) ==
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"labs\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
      "    <testcase classname=\"04_shared_memory\" name=\"histogram\">\n"
      "      <failure type=\"race\" message=\"race missing_atomic\">race missing_atomic\n"
      "race in 04_shared_memory/histogram.cu: a &lt; b &amp; &quot;c&quot;?[2J\n"
      "  04_shared_memory/histogram.cu:21\n"
      "</failure>\n"
      "    </testcase>\n"
      "    <testcase classname=\"02_global_atomics\" name=\"histogram\"/>\n"
      "  </testsuite>\n"
      "</testsuites>\n");
}

TEST_CASE("JUnit: in the tree itself paths begin in labs/") {
  workbook::Workbook workbook = workbook::here();
  workbook.labs_dir = workbook.source_root + "/labs";
  const facts::Finding error{facts::Verdict::build_error, "labs/02_global_atomics/histogram.cu:3: error: x"};
  CHECK(cli::junit_document(workbook, {report("02", error)})
            .find(">build_error\n02_global_atomics/histogram.cu:3: error: x\n</failure>") !=
        std::string::npos);
}
