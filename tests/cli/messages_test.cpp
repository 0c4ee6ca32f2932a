// SPDX-License-Identifier: MIT
#include "cli/messages.hpp"

#include <doctest/doctest.h>

using facts::Finding;
using facts::Verdict;

namespace {

workbook::Workbook example() {
  workbook::Workbook workbook{};
  workbook.source_root = "/book";
  workbook.labs_dir = "/book/labs";
  workbook.exercises = {{"02_global_atomics", "histogram", "histogram.cu", true, "histogram"},
                        {"05_coarsening", "contiguous", "contiguous.cu", true},
                        {"05_coarsening", "interleaved", "interleaved.cu", true}};
  return workbook;
}

std::string text(const Finding& finding, std::size_t exercise = 0) {
  return cli::finding_text(example(), example().exercises[exercise], finding, {});
}

}  // namespace

TEST_CASE("a finding says what, where, and the next command") {
  CHECK(text({Verdict::out_of_bounds,
              "the kernel wrote histo[7]; histo has 7 counters",
              {},
              {{"/book/labs/02_global_atomics/histogram.cu", 18}, {"/elsewhere/x.cu", 3}}}) ==
        "out_of_bounds: the kernel wrote histo[7]; histo has 7 counters\n"
        "  labs/02_global_atomics/histogram.cu:18\n"
        "  /elsewhere/x.cu:3\n"
        "  next: lab hint 02\n");
  CHECK(text({Verdict::wrong_answer, "2 of 7 bins differ"}, 2) ==
        "wrong_answer: 2 of 7 bins differ\n  next: lab hint 05/interleaved\n");
}

TEST_CASE("each place is shown once, with its line, a mark below it, and the reason behind them") {
  const facts::Location reads{
      .file = "/book/labs/a.cu", .line = 21, .column = 3, .text = "\t\thisto[b]++;", .role = "reads"};
  facts::Location writes = reads, waits = reads;
  writes.role = "writes";
  waits.file = "/elsewhere/x.cu", waits.line = 107, waits.column = 0;
  waits.role = "waits";
  CHECK(text({.verdict = Verdict::race,
              .message = "two threads",
              .where = {reads, writes, waits},
              .missing = "the access at line 21 is not an atomic"}) ==
        "race: two threads\n"
        "  labs/a.cu:21 (reads and writes)\n"
        "     21 |                 histo[b]++;\n"
        "        |                 ^\n"
        "  /elsewhere/x.cu:107 (waits)\n"
        "    107 |                 histo[b]++;\n"
        "  reason: the access at line 21 is not an atomic\n"
        "  next: lab hint 02\n");
}

TEST_CASE("a source line that is too long for the terminal is cut around its mark") {
  const auto lines = [](int column, const std::string& source) {
    facts::Finding finding{.verdict = Verdict::out_of_bounds, .message = "it read"};
    finding.where = {{.file = "/elsewhere/x.cu", .line = 7, .column = column, .text = source}};
    const workbook::Workbook& here = workbook::here();
    const std::string all =
        cli::finding_text(here, here.find("02").front(), finding, {.live = true, .columns = 41});
    const std::size_t begin = all.find(":7\n") + 3;
    return all.substr(begin, all.find("  next") - begin);
  };
  CHECK(lines(3, "  data[i] = 0;") == "      7 |   data[i] = 0;\n        |   ^\n");
  CHECK(lines(21, std::string(20, ' ') + "data[i] = count[i];") ==
        "      7 | data[i] = count[i];\n        | ^\n");
  CHECK(lines(1, "data[0123456789012345678901234567890123456789] = 0;") ==
        "      7 | data[0123456789012345678901...\n        | ^\n");
  CHECK(lines(44, "data[0123456789012345678901234567890123456789] = more;") ==
        "      7 | ...34567890123456789] = more;\n        | " + std::string(18, ' ') + "^\n");
}

TEST_CASE("the next command fits the verdict") {
  CHECK(text({Verdict::pass, "99 cases"}) == "pass: 99 cases\n");
  CHECK(text({Verdict::unavailable, "no driver"}) == "unavailable: no driver\n  next: lab doctor\n");
  const workbook::Workbook& here = workbook::here();
  CHECK(cli::finding_text(here, here.find("02").front(), {Verdict::build_error, "x.cu:1: error: y"}, {}) ==
        "build_error: x.cu:1: error: y\n  next: fix the error, then run: lab check 02\n");
  CHECK(text({Verdict::build_error, "x.cu: No such file or directory"}) ==
        "build_error: x.cu: No such file or directory\n  next: to have the file as it came: lab reset 02\n");
  CHECK(text({Verdict::not_started, "it is unchanged since it was handed out"}, 1) ==
        "not_started: it is unchanged since it was handed out\n"
        "  next: read labs/05_coarsening/README.md, then edit labs/05_coarsening/contiguous.cu\n");
}

TEST_CASE(
    "what was found besides is counted, and told where all is asked for; what was left out is told at any "
    "rate") {
  judge::CheckReport report{.exercise = example().exercises[1]};
  CHECK(cli::further_text(example(), report, false).empty());
  CHECK(cli::further_text(example(), report, true).empty());
  report.further = {{Verdict::race, "two threads"}};
  CHECK(cli::further_text(example(), report, false) ==
        "  1 more was found; all of it: lab check 05/contiguous --all\n");
  report.further.push_back({Verdict::wrong_answer, "2 of 7"});
  CHECK(cli::further_text(example(), report, false) ==
        "  2 more were found; all of it: lab check 05/contiguous --all\n");
  CHECK(cli::further_text(example(), report, true) == "also race: two threads\nalso wrong_answer: 2 of 7\n");
  report.further = {{.verdict = Verdict::race,
                     .message = "two threads",
                     .where = {{.file = "x.cu", .line = 7, .role = "reads"}},
                     .missing = "no barrier"}};
  CHECK(cli::further_text(example(), report, true) ==
        "also race: two threads\n  x.cu:7 (reads)\n  reason: no barrier\n");
  report.further = {{Verdict::unavailable, "left out: too small a device"}};
  CHECK(cli::further_text(example(), report, false) == "also left out: too small a device\n");
}

TEST_CASE("a note says what and where, and no next command: there is nothing to mend") {
  CHECK(cli::notes_text(example(), {}).empty());
  CHECK(cli::notes_text(example(), {{.message = "a flag\n  two threads",
                                     .where = {{"/book/labs/a.cu", 7}, {"/book/labs/a.cu", 9}}},
                                    {.message = "another"}}) ==
        "note: a flag\n  two threads\n  labs/a.cu:7\n  labs/a.cu:9\nnote: another\n");
}

TEST_CASE("verdicts are painted where the terminal has colours") {
  const report::Terminal colourful{.colours = true};
  CHECK(cli::verdict_text(Verdict::pass, colourful) == "\x1b[32mpass\x1b[0m");
  CHECK(cli::verdict_text(Verdict::race, colourful) == "\x1b[31mrace\x1b[0m");
  CHECK(cli::verdict_text(Verdict::not_started, colourful) == "\x1b[90mnot_started\x1b[0m");
  CHECK(cli::verdict_text(Verdict::unavailable, colourful) == "\x1b[33munavailable\x1b[0m");
  CHECK(cli::verdict_text(Verdict::race, {}) == "race");
}

TEST_CASE("a document tells everything that was found, and holds valid UTF-8 whatever a program printed") {
  judge::CheckReport report{.exercise = example().exercises[0], .seed = 9};
  report.finding = {Verdict::race, "two threads\xff", "missing_atomic", {{"/book/labs/a.cu", 21}}};
  report.further = {{Verdict::wrong_answer, "2 of 7", "lost_updates"}};
  report.notes = {{.message = "a flag", .where = {{"/book/labs/a.cu", 7}}}};
  report.cases = {{.what = {"letters4", "same", 33}, .findings = {report.finding}},
                  {.what = {"bytes", "sparse", std::uint64_t{1} << 32}, .left_out = "too small a device"},
                  {.what = {"bytes", "same", 0}}};
  CHECK(cli::check_json(example(), {report}) == R"({
  "lab": "02_global_atomics",
  "exercise": "histogram",
  "backend": "sim",
  "verdict": "race",
  "diagnosis": "missing_atomic",
  "message": "two threads�",
  "where": [
    {
      "file": "labs/a.cu",
      "line": 21,
      "column": null,
      "text": null,
      "role": null
    }
  ],
  "evidence": null,
  "missing": null,
  "seed": 9,
  "cases": [
    {
      "binning": "letters4",
      "input": "same",
      "length": 33,
      "verdict": "race",
      "diagnosis": "missing_atomic"
    },
    {
      "binning": "bytes",
      "input": "sparse",
      "length": 4294967296,
      "verdict": "unavailable",
      "diagnosis": null
    },
    {
      "binning": "bytes",
      "input": "same",
      "length": 0,
      "verdict": "pass",
      "diagnosis": null
    }
  ],
  "counters": {},
  "derived": {},
  "further": [
    {
      "verdict": "wrong_answer",
      "diagnosis": "lost_updates",
      "message": "2 of 7",
      "where": [],
      "evidence": null,
      "missing": null
    }
  ],
  "notes": [
    {
      "message": "a flag",
      "where": [
        {
          "file": "labs/a.cu",
          "line": 7,
          "column": null,
          "text": null,
          "role": null
        }
      ]
    }
  ]
})");
}

TEST_CASE("after a GPU alone has judged, what it cannot see is said, with the command that tells") {
  judge::CheckReport report{.exercise = example().exercises[0], .backend = facts::Backend::gpu};
  const auto unseen = [&](std::size_t backends) { return cli::unseen_text(example(), report, backends); };
  CHECK(unseen(1) ==
        "a GPU shows no races, no reads of memory that was never written, no barrier that not all threads "
        "reach, and not how the work was done; the simulator sees them: lab check 02 --on sim\n");
  CHECK(unseen(2).empty());
  report.finding.verdict = Verdict::build_error;
  CHECK(unseen(1).empty());
  report.backend = facts::Backend::sim;
  report.finding.verdict = Verdict::pass;
  CHECK(unseen(1).empty());
}
