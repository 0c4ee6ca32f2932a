// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "os/command.hpp"
#include "support/contains.hpp"
#include "support/made_records.hpp"

using report::page::page;
using report::page::PageContent;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// The first element that is not closed where it should be; empty: all are.
std::string unclosed(const std::string& html) {
  constexpr std::array<std::string_view, 2> without_end{"meta", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return html.substr(at, 20);
    const bool closes = html[at + 1] == '/', empty = html[end - 1] == '/';
    const std::size_t begin = at + (closes ? 2 : 1);
    const std::string name = html.substr(begin, html.find_first_of(" \t\n/>", begin) - begin);
    if (closes && (open.empty() || open.back() != name)) return "</" + name + ">";
    if (closes)
      open.pop_back();
    else if (!empty && std::ranges::find(without_end, name) == without_end.end())
      open.push_back(name);
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

// A page that has something in every section.
PageContent full_content() {
  PageContent content{made_ladder(), {}, ""};
  content.records.push_back(made_count("02_global_atomics", "histogram", {{"global_atomics", 1 << 20}}));
  for (const std::uint64_t value : {1, 2, 4}) {
    content.records.push_back(made_point("block", 32 * value, 4.0));
    content.records.push_back(made_point("contention", value, 4.0));
  }
  Json profile = made_count("04_shared_memory", "histogram", {{"global_load_sectors", 103}});
  profile["backend"] = "gpu";
  profile["simulated"] = {{"global_load_sectors", 100}};
  profile["figures"] = {{"occupancy", 88.5}};
  content.records.push_back(profile);
  content.predictions = {{"04", "How many <atomics>?", "you said 5; counted 5: right", true},
                         {"05", "And here?", "you said 1; not known yet", std::nullopt}};
  if (os::run_command({"gnuplot", "--version"}).code == 0) content.gnuplot = "gnuplot";
  return content;
}

}  // namespace

TEST_CASE("a page needs nothing else, and all its elements are closed") {
  const auto written = page(full_content());
  CHECK(written.gnuplot_fault == "");
  CHECK(unclosed(written.html) == "");
  for (const char* const outside : {"http:", "https:", "src=", "@import", "url(//", "<script", "<link"}) {
    CAPTURE(outside);
    CHECK_FALSE(contains(written.html, outside));
  }
  // control
  CHECK(unclosed("<p><b>x</p>") == "</p>");
  CHECK(unclosed("<p>") == "<p>");
}

TEST_CASE("links within the page lead somewhere, and no two elements have one name") {
  const std::string html = page(full_content()).html;
  std::size_t seen = 0;
  for (const std::string start : {" href=\"#", ":href='#"}) {
    for (std::size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1)) {
      const std::size_t begin = at + start.size();
      const std::string name = html.substr(begin, html.find(start[start.size() - 2], begin) - begin);
      CAPTURE(name);
      CHECK(occurrences(html, " id=\"" + name + "\"") + occurrences(html, " id='" + name + "'") == 1);
      ++seen;
    }
  }
  CHECK(seen >= 7);
}

TEST_CASE("each section shows what the records hold") {
  PageContent content = full_content();
  const std::string html = page(content).html;
  CHECK(contains(html, "<h3>1 GiB of letters, binning letters4, the solutions</h3>"));
  CHECK(contains(html,
                 "<th scope=\"row\" class=\"words\">02 global_atomics</th><td>200 ms</td><td>190 ms – 210 "
                 "ms</td><td>21</td><td>5.37 GB/s</td><td>0.12 %</td><td>5</td><td>5</td>"));
  CHECK(contains(html, "<h3>Threads per block</h3>"));
  CHECK(contains(html, "<h3>Contention: bins in use</h3>"));
  CHECK(contains(html, "<td>32</td><td>268 GB/s</td><td>4 ms</td><td>3.8 ms – 4.2 ms</td><td>21</td>"));
  CHECK(contains(html, "<code>lab run 04 --on sim --solution"));
  CHECK(contains(html, "global_load_sectors</th><td>103</td><td>100</td><td>-2.9 %</td>"));
  CHECK(contains(html, "occupancy</th><td>88.5</td>"));
  CHECK(contains(html, "How many &lt;atomics&gt;?"));
  CHECK(contains(html, "1 of 1 right."));
  CHECK(contains(html, "13 records of this machine."));
  CHECK(contains(html, "lab bench --sweep contention</th>"));
  if (!content.gnuplot.empty()) CHECK(occurrences(html, "<svg ") == 5);
}

TEST_CASE("without gnuplot the page has its tables and the drawing on top, and says what is missing") {
  PageContent content = full_content();
  content.gnuplot = "";
  const auto written = page(content);
  CHECK(written.gnuplot_fault == "");
  CHECK(occurrences(written.html, "<svg ") == 2);
  CHECK(contains(written.html, "There are no plots here: gnuplot is not installed."));
  CHECK(contains(written.html, "04 shared_memory</th><td>32</td><td>268 GB/s</td>"));
  CHECK(unclosed(written.html) == "");
  content.gnuplot = "/no/such/gnuplot";
  const auto failed = page(content);
  CHECK(contains(failed.gnuplot_fault, "cannot run /no/such/gnuplot"));
  CHECK(contains(failed.html, "There are plots missing: gnuplot failed."));
}

TEST_CASE("what records say is text, and never markup or a command of gnuplot's") {
  PageContent content = full_content();
  for (Json& json : content.records) {
    json["input"] = "<script>alert(1)</script>";
    json["command"] = "lab & <b>";
    json["machine"]["cpu"] = "\"><i>";
    if (json["lab"] == "04_shared_memory") json["lab"] = "04_'`touch x`\nplot";
  }
  const auto written = page(content);
  CHECK(written.gnuplot_fault == "");
  CHECK(unclosed(written.html) == "");
  CHECK_FALSE(contains(written.html, "<script"));
  CHECK_FALSE(contains(written.html, "<b>"));
  CHECK_FALSE(contains(written.html, "<i>"));
  CHECK(contains(written.html, "lab &amp; &lt;b&gt;"));
}

TEST_CASE("what nothing was measured for is no section, and its command is among the rest") {
  const auto written = page({{made_record("02_global_atomics", "histogram", 1)}, {}, ""});
  for (const char* const command : {"lab bench --sweep block", "lab bench --sweep contention",
                                    "lab profile 04 --solution", "lab predict 02"}) {
    CAPTURE(command);
    CHECK(contains(written.html, "<code>" + std::string(command) + "</code>"));
  }
}

TEST_CASE("commands are of labs of the page's own problem, and what says nothing of it is left out") {
  if (workbook::here().find("x1/naive").empty()) return;  // the extra lab is not in every tree
  Json record = made_record("x1_reduction", "naive", 1);
  record.erase("binning");
  record["operator"] = "sum";
  record["input"] = "uniform";
  record["kind"] = "run";
  const std::string html = page({{record}, {}, "gnuplot"}).html;
  std::vector<std::string> commands;
  const std::string begin = "<code>", end = "</code>";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at + 1))
    commands.push_back(html.substr(at + begin.size(), html.find(end, at) - at - begin.size()));
  CHECK(commands == std::vector<std::string>{"lab bench x1", "lab bench x1 --input all --operator all",
                                             "lab profile x1/converged --solution", "lab predict x1",
                                             "lab bench x1 --sweep block"});
  for (const char* const section : {"sweeps", "roofline"}) {
    CAPTURE(section);
    CHECK_FALSE(contains(html, "id=\"" + std::string(section)));
    CHECK_FALSE(contains(html, "href=\"#" + std::string(section)));
  }
}

TEST_CASE("commands that count what is missing are folded away") {
  const std::string html = page({made_ladder(), {}, ""}).html;
  CHECK(contains(html,
                 "<summary>2 launches that the simulator has not counted yet</summary>\n<ul "
                 "class=\"commands\">\n<li><code>lab run 02 --on sim --solution"));
  CHECK(unclosed(html) == "");
}

TEST_CASE("what is left out is counted") {
  PageContent content = full_content();
  Json elsewhere = made_record("02_global_atomics", "histogram", 1);
  elsewhere["gpu"] = nullptr;
  content.records.insert(content.records.begin(), {elsewhere, {{"schema", 1}}});
  CHECK(contains(page(content).html,
                 "13 records of this machine. 1 record was made on another machine or GPU, and left out. 1 "
                 "record was incomplete, and left out."));
}
