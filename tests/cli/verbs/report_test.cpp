// SPDX-License-Identifier: MIT
// `lab report`: where the page goes, and what stands in its way.
#include <fmt/core.h>

#include <filesystem>

#include "demo/stage.hpp"
#include "lab.hpp"
#include "report/page/html.hpp"
#include "state_file.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

const std::string records_of_h200 = workbook::here().source_root + "/tests/report/page/h200.jsonl";

}  // namespace

TEST_CASE("records become a page at the place that is asked for, and nothing else is left there") {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/page.html";
  const LabResult result =
      lab({"report", "--records", records_of_h200, "--output", output}, {"PATH=/no/tools"});
  CHECK(result.code == 0);
  CHECK(result.err == "");
  CHECK(result.out ==
        output + "\nit has no plots: gnuplot is not installed; for what mends it: lab doctor\n");
  const std::string page = text_of(output);
  CHECK(contains(page, "Measured on NVIDIA H200, 2026-11-20."));
  CHECK(contains(page, "gnuplot is not installed"));
  CHECK(contains(page, "05/contiguous</th><td>1.204 ms</td>"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("without options the page is of the build folder's records, and lies beside them") {
  const StateFile page("report/index.html");
  const LabResult result = lab({"report"}, {"WORKBOOK_RECORDS=" + records_of_h200});
  CHECK(result.code == 0);
  CHECK(result.out.rfind(workbook::here().shortened(page.path()) + "\n", 0) == 0);
  CHECK(contains(text_of(page.path()), "NVIDIA H200"));
}

TEST_CASE("with gnuplot there are plots") {
  const TemporaryFolder folder;
  const LabResult result =
      lab({"report", "--records", records_of_h200, "--output", folder.path() + "/page.html"});
  if (contains(result.out, "gnuplot is not installed")) {
    MESSAGE("left out: there is no gnuplot");
    return;
  }
  CHECK(result.out == folder.path() + "/page.html\n");
  CHECK(contains(text_of(folder.path() + "/page.html"), "<svg "));
}

TEST_CASE("a gnuplot that fails is told of, and the page has its tables") {
  const TemporaryFolder folder;
  const std::string gnuplot = folder.write("gnuplot", "#!/bin/sh\necho out of ink\nexit 1\n");
  std::filesystem::permissions(gnuplot, std::filesystem::perms::owner_all);
  const LabResult result =
      lab({"report", "--records", records_of_h200, "--output", folder.path() + "/page.html"},
          {"PATH=" + folder.path() + ":/usr/bin:/bin"});
  CHECK(result.code == 0);
  CHECK(result.err == "lab: plots are missing, gnuplot failed: out of ink\n");
  CHECK(contains(text_of(folder.path() + "/page.html"),
                 "There are plots missing: gnuplot failed. It said: <code>out of ink</code>"));
}

TEST_CASE("where there is nothing to report, it says what to run") {
  const TemporaryFolder folder;
  const std::string none = folder.path() + "/none.jsonl",
                    damaged = folder.write("damaged.jsonl", "{\"schema\":1,\n");
  const LabResult missing =
      lab({"report", "--output", folder.path() + "/page.html"}, {"WORKBOOK_RECORDS=" + none});
  CHECK(missing.code == 3);
  CHECK(missing.err == "lab: nothing to report: " + none + " holds no records\n  next: lab bench\n");
  const LabResult unreadable =
      lab({"report", "--records", damaged, "--output", folder.path() + "/page.html"});
  CHECK(unreadable.code == 3);
  CHECK(unreadable.err == "lab: " + damaged + ":1 is damaged and is left out\nlab: nothing to report: " +
                              damaged + " holds no records\n  next: lab bench\n");
  const std::string incomplete = folder.write("incomplete.jsonl", "{\"schema\":1}\n");
  const LabResult nothing =
      lab({"report", "--records", incomplete, "--output", folder.path() + "/page.html"});
  CHECK(nothing.code == 3);
  CHECK(nothing.err ==
        "lab: nothing to report: every record of " + incomplete + " is incomplete\n  next: lab bench\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/page.html"));
}

TEST_CASE("a page that cannot be written leaves what was there") {
  const TemporaryFolder folder;
  const auto report_to = [](const std::string& output) {
    return lab({"report", "--records", records_of_h200, "--output", output}, {"PATH=/no/tools"});
  };
  const std::string nowhere = folder.path() + "/no/page.html";
  CHECK(report_to(nowhere).code == 3);
  CHECK(report_to(nowhere).err == "lab: cannot write \"" + nowhere + "\": there is no such folder\n");
  CHECK(report_to(folder.path()).err ==
        "lab: cannot write " + folder.path() + ": it is a folder, a device or a pipe, not a regular file\n");
  CHECK(report_to("/proc/page.html").code == 3);
}

TEST_CASE("with --demos each demonstration is a page beside the report, which shows it folded" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/page.html";
  const LabResult result =
      lab({"report", "--demos", "--records", records_of_h200, "--output", output}, {"PATH=/usr/bin:/bin"});
  CHECK(result.code == 0);
  const std::string page = text_of(output);
  std::size_t pages = 0;
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const std::string file = fmt::format("demos/{}.html", entry.name);
    const std::string title = report::escaped(report::page::capitalised(std::string(entry.title)));
    CHECK(contains(page,
                   "<summary>" + title + "</summary>\n<iframe class=\"demonstration\" src=\"" + file + "\""));
    CHECK(contains(page, "<a href=\"" + file + "\">On a page of its own</a>"));
    const std::string shown = text_of(folder.path() + "/" + file);
    CHECK(contains(shown, fmt::format("<title>{}: ", entry.name)));
    CHECK(shown.ends_with("</html>\n"));
    ++pages;
  }
  using Files = std::filesystem::directory_iterator;
  CHECK(static_cast<std::size_t>(std::distance(Files(folder.path() + "/demos"), {})) == pages);
  CHECK(std::distance(Files(folder.path()), {}) == 2);
}
