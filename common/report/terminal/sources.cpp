// SPDX-License-Identifier: MIT
#include "report/terminal/sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace report {

namespace {

// Lines that both texts have are found by their longest common subsequence: `longest[i][j]` is its length for
// the left text from line i on and the right one from line j on. What lies between two common lines is set
// side by side as it comes.

constexpr std::string_view between = " | ";

using Lines = std::vector<std::string>;

Lines lines_in(const std::string& text) {
  Lines lines;
  std::string line;
  const auto finish = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    line.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      finish();
    } else if (c == '\t') {
      line.append(tab_width - width(line) % tab_width, ' ');
    } else if (c != '\r') {
      line += c;
    }
  }
  if (!line.empty()) finish();
  return lines;
}

// Bytes of the text that fill at most `columns`, up to a blank if one is near: no character of UTF-8 is
// parted.
std::size_t bytes_that_fit(std::string_view text, std::size_t columns) {
  std::size_t end = 0, used = 0;
  while (end < text.size()) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && used++ == columns) break;
    ++end;
  }
  const std::size_t blank =
      end < text.size() && text[end] != ' ' ? text.rfind(' ', end) : std::string_view::npos;
  return blank != std::string_view::npos && blank >= end / 2 ? blank + 1 : end;
}

std::string rows_of(std::string_view left, std::string_view right, std::size_t columns) {
  std::string rows;
  do {
    const std::string_view l = left.substr(0, bytes_that_fit(left, columns)),
                           r = right.substr(0, bytes_that_fit(right, columns));
    std::string row =
        std::string(l) + std::string(columns - width(l), ' ') + std::string(between) + std::string(r);
    row.erase(row.find_last_not_of(' ') + 1);
    rows += row + "\n";
    left.remove_prefix(l.size());
    right.remove_prefix(r.size());
  } while (!left.empty() || !right.empty());
  return rows;
}

class CommonLines {
 public:
  CommonLines(const Lines& left, const Lines& right)
      : columns_(right.size() + 1), longest_((left.size() + 1) * columns_) {
    for (std::size_t i = left.size(); i-- > 0;) {
      for (std::size_t j = right.size(); j-- > 0;) {
        at(i, j) = left[i] == right[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }

  std::uint32_t& at(std::size_t i, std::size_t j) { return longest_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint32_t> longest_;
};

}  // namespace

std::string side_by_side(const TitledText& left, const TitledText& right, unsigned columns) {
  const std::size_t each = (std::max(columns, 20u) - between.size()) / 2;
  const Lines l = lines_in(left.text), r = lines_in(right.text);
  CommonLines common(l, r);
  std::string text =
      rows_of(left.title, right.title, each) + std::string(2 * each + between.size(), '-') + "\n";
  std::size_t i = 0, j = 0;
  while (i < l.size() || j < r.size()) {
    // Up to the next line of each that is common to both.
    std::size_t i_end = i, j_end = j;
    while (i_end < l.size() && common.at(i_end, j_end) == common.at(i_end + 1, j_end)) ++i_end;
    while (j_end < r.size() && common.at(i_end, j_end) == common.at(i_end, j_end + 1)) ++j_end;
    for (; i < i_end || j < j_end; i += i < i_end, j += j < j_end)
      text += rows_of(i < i_end ? l[i] : "", j < j_end ? r[j] : "", each);
    if (i < l.size() && j < r.size()) text += rows_of(l[i++], r[j++], each);
  }
  return text;
}

namespace {

bool is_preamble(const std::string& line) {
  return line.empty() || line.rfind("//", 0) == 0 || line.rfind("#include", 0) == 0;
}

std::string shown(std::uint64_t number) { return number > 0 ? facts::separated(number) : ""; }

}  // namespace

namespace {

// Below so many columns the counters stand below their lines in place of before them.
constexpr unsigned narrowest_table = 132;

// "31.9"; empty where nothing touched memory.
std::string lanes_each(const LineCounters& counters) {
  if (counters.requests == 0) return {};
  return fmt::format("{:.1f}", static_cast<double>(counters.lanes) / static_cast<double>(counters.requests));
}

// "32,768 requests, 32,768 sectors, 32.0 lanes each"
std::string counters_words(const LineCounters& counters) {
  std::string text = facts::counted(counters.requests, "requests");
  if (counters.sectors > 0) text += ", " + facts::counted(counters.sectors, "sectors");
  if (counters.wavefronts > 0) text += ", " + facts::counted(counters.wavefronts, "wavefronts");
  return text + fmt::format(", {} lanes each", lanes_each(counters));
}

}  // namespace

std::string annotated_source(std::istream& source, const std::map<int, LineCounters>& lines,
                             const std::function<bool(std::string_view)>& left_out, unsigned columns) {
  const bool in_words = columns < narrowest_table;
  constexpr std::size_t wide = 11;
  const Table table({{"requests", Table::Align::right, wide},
                     {"sectors", Table::Align::right, wide},
                     {"wavefronts", Table::Align::right, wide},
                     {"lanes each", Table::Align::right},
                     {"", Table::Align::right, 4},
                     {"", Table::Align::left}});
  std::string text = in_words ? std::string() : table.header();
  bool in_preamble = true;
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    const auto found = lines.find(++number);
    in_preamble = in_preamble && found == lines.end() && is_preamble(line);
    if (in_preamble || left_out(line)) continue;
    const LineCounters counters = found == lines.end() ? LineCounters{} : found->second;
    if (in_words) {
      text += fmt::format("{:>4}  {}\n", number, line);
      if (counters.requests > 0) text += fmt::format("      ^ {}\n", counters_words(counters));
    } else {
      text += table.row({shown(counters.requests), shown(counters.sectors), shown(counters.wavefronts),
                         lanes_each(counters), std::to_string(number), line});
    }
  }
  return text;
}

}  // namespace report
