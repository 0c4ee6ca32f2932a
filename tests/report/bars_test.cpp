// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include "facts/words.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace {

using Counts = std::vector<std::uint64_t>;

const Counts phrase{5, 5, 6, 10, 10, 1, 1};

// The bars of a histogram.
std::string histogram_bars(const Counts& counts, std::string_view binning, unsigned columns,
                           unsigned most_rows = 32, std::string_view input = {}) {
  const problems::Reference& reference = histogram::reference();
  return report::bars(reference.bars(binning, problems::bytes_of<std::uint64_t>(counts), {}, input),
                      reference.bar_word(), columns, most_rows);
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

// A line of the phrase's histogram, 80 columns wide: 71 cells for the bar.
std::string line_of_80(const std::string& label, int full_cells, const std::string& rest,
                       const std::string& count) {
  const int blank = 71 - full_cells - (rest.empty() ? 0 : 1);
  return label + "  " + repeated("█", full_cells) + rest + std::string(static_cast<std::size_t>(blank), ' ') +
         "  " + count + "\n";
}

}  // namespace

TEST_CASE("the phrase's histogram, 29 columns wide") {
  CHECK(histogram_bars(phrase, "letters4", 29) ==
        "a-d  ██████████             5\n"
        "e-h  ██████████             5\n"
        "i-l  ████████████           6\n"
        "m-p  ████████████████████  10\n"
        "q-t  ████████████████████  10\n"
        "u-x  ██                     1\n"
        "y-z  ██                     1\n");
}

TEST_CASE("the phrase's histogram, 80 columns wide, exact to an eighth of a cell") {
  CHECK(histogram_bars(phrase, "letters4", 80) ==
        line_of_80("a-d", 35, "▌", " 5") + line_of_80("e-h", 35, "▌", " 5") +
            line_of_80("i-l", 42, "▌", " 6") + line_of_80("m-p", 71, "", "10") +
            line_of_80("q-t", 71, "", "10") + line_of_80("u-x", 7, "", " 1") +
            line_of_80("y-z", 7, "", " 1"));
}

TEST_CASE("eighths of a cell grow from left to right") {
  // 8 cells; the fullest bin has 64, so that a count is a number of eighths.
  const std::vector<std::string> drawn = lines(histogram_bars({64, 8, 9, 10, 11, 12, 13}, "letters4", 1));
  CHECK(drawn.at(0) == "a-d  ████████  64");
  CHECK(drawn.at(1) == "e-h  █          8");
  CHECK(drawn.at(2) == "i-l  █▏         9");
  CHECK(drawn.at(3) == "m-p  █▎        10");
  CHECK(drawn.at(4) == "q-t  █▍        11");
  CHECK(drawn.at(5) == "u-x  █▌        12");
  CHECK(drawn.at(6) == "y-z  █▋        13");
}

TEST_CASE("what was counted is seen, however little it is; what was not has no bar") {
  const std::vector<std::string> drawn =
      lines(histogram_bars({0, 1, 0, 4'294'967'296, 0, 0, 0}, "letters4", 40));
  CHECK(drawn.at(0) == "a-d                                    0");
  CHECK(drawn.at(1) == "e-h  ▏                                 1");
  CHECK(drawn.at(3) == "m-p  ████████████████████  4,294,967,296");
}

TEST_CASE("a histogram of zeros has no bars") {
  for (const std::string& line : lines(histogram_bars(Counts(26), "letters", 80))) {
    CAPTURE(line);
    CHECK(line.find("█") == std::string::npos);
    CHECK(line.find("▏") == std::string::npos);
    CHECK(report::width(line) == 80);
  }
}

TEST_CASE("256 bins share 32 rows, and it is said") {
  Counts counts(256);
  for (std::size_t bin = 0; bin < 256; ++bin) counts[bin] = bin < 8 ? 1 : 0;
  counts[97] = 5;
  counts[103] = 3;
  counts[255] = 1;
  const std::vector<std::string> drawn = lines(histogram_bars(counts, "bytes", 40));
  REQUIRE(drawn.size() == 33);
  CHECK(drawn[0] == "0x00 .. 0x07  ███████████████████████  8");
  CHECK(drawn[1] == "0x08 .. 0x0f                           0");
  CHECK(drawn[4] == "   0x20 .. '                           0");
  CHECK(drawn[12] == "      ` .. g  ███████████████████████  8");
  CHECK(drawn[31] == "0xf8 .. 0xff  ██▉                      1");  // 23 eighths
  CHECK(drawn[32] == "(8 bins per row; --json gives every bin)");
}

TEST_CASE("rows that do not come out even: the last has fewer bins") {
  const std::vector<std::string> drawn = lines(histogram_bars(phrase, "letters4", 40, 4));
  REQUIRE(drawn.size() == 5);
  CHECK(drawn[0].rfind("a-d .. e-h  ", 0) == 0);
  CHECK(drawn[1].rfind("i-l .. m-p  ", 0) == 0);
  CHECK(drawn[1].substr(drawn[1].size() - 4) == "  16");
  CHECK(drawn[3].rfind("       y-z  ", 0) == 0);
  CHECK(drawn[4] == "(2 bins per row; --json gives every bin)");
  CHECK(lines(histogram_bars(phrase, "letters4", 40, 7)).size() == 7);
}

TEST_CASE("no line is wider than the terminal, from 40 columns on") {
  Counts counts(256);
  for (std::size_t bin = 0; bin < 256; ++bin) counts[bin] = bin * bin * bin * 40;
  for (unsigned columns = 40; columns < 200; ++columns) {
    CAPTURE(columns);
    const std::vector<std::string> drawn = lines(histogram_bars(counts, "bytes", columns));
    for (std::size_t row = 0; row < 32; ++row) CHECK(report::width(drawn.at(row)) == columns);
  }
}

TEST_CASE("separators stand between groups of three digits") {
  CHECK(facts::separated(0) == "0");
  CHECK(facts::separated(999) == "999");
  CHECK(facts::separated(1000) == "1,000");
  CHECK(facts::separated(123456) == "123,456");
  CHECK(facts::separated(1234567) == "1,234,567");
  CHECK(facts::separated(18446744073709551615u) == "18,446,744,073,709,551,615");
}

TEST_CASE("a launch has one block or several, of one thread or several") {
  CHECK(report::shape_text(1048576, 1024) == "1,048,576 blocks of 1024 threads");
  CHECK(report::shape_text(1, 256) == "1 block of 256 threads");
  CHECK(report::shape_text(1, 1) == "1 block of 1 thread");
  CHECK(report::shape_text(0, 0) == "0 blocks of 0 threads");
}
