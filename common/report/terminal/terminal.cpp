// SPDX-License-Identifier: MIT
#include "report/terminal/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "facts/words.hpp"
#include "report/numbers.hpp"

namespace report {

namespace {

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  const char* const kind = std::getenv("TERM");
  terminal.live = isatty(descriptor) && kind && std::string_view(kind) != "dumb";
  const char* const refused = std::getenv("NO_COLOR");
  terminal.colours = terminal.live && !(refused && *refused);
  winsize size{};
  if (terminal.live && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  if (size.ws_row > 0) terminal.rows = size.ws_row;
  return terminal;
}

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::red:
      return "31";
    case Colour::green:
      return "32";
    case Colour::yellow:
      return "33";
    case Colour::blue:
      return "34";
    case Colour::magenta:
      return "35";
    case Colour::grey:
      return "90";
    case Colour::bold:
      return "1";
    default:
      return "0";
  }
}

}  // namespace

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!colours || colour == Colour::none) return std::string(text);
  return std::string("\x1b[").append(code_of(colour)).append("m").append(text).append("\x1b[0m");
}

Terminal Terminal::of_output() { return terminal_of(STDOUT_FILENO); }
Terminal Terminal::of_errors() { return terminal_of(STDERR_FILENO); }

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

namespace {

// Eighths of a character cell, so that a bar's length is as exact as the terminal allows.
std::string bar(std::uint64_t count, std::uint64_t largest, std::size_t cells) {
  static constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (largest == 0) return {};
  const auto eighths = static_cast<std::size_t>(static_cast<double>(count) / static_cast<double>(largest) *
                                                static_cast<double>(cells * 8));
  std::string result;
  for (std::size_t cell = 0; cell < eighths / 8; ++cell) result += "█";
  result += parts[eighths % 8];
  // What was counted must be seen, however little it is.
  return result.empty() && count > 0 ? std::string(parts[1]) : result;
}

std::string text_of(const problems::Bar& bar) {
  return bar.text.empty() ? facts::separated(bar.value) : bar.text;
}

// Each row holds so many neighbours.
std::vector<problems::Bar> rows_of(const std::vector<problems::Bar>& values, std::size_t each) {
  std::vector<problems::Bar> rows;
  for (std::size_t first = 0; first < values.size(); first += each) {
    const std::size_t end = std::min(first + each, values.size());
    problems::Bar row{values[first].label, 0, each == 1 ? values[first].text : std::string()};
    if (end > first + 1) row.label += " .. " + values[end - 1].label;
    for (std::size_t i = first; i < end; ++i) row.value += values[i].value;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string bars(const std::vector<problems::Bar>& values, std::string_view word, unsigned columns,
                 unsigned most_rows) {
  const std::size_t each = (values.size() + most_rows - 1) / most_rows;
  const std::vector<problems::Bar> rows = rows_of(values, each);
  std::size_t labels = 0, counts = 0;
  std::uint64_t largest = 0;
  for (const problems::Bar& row : rows) {
    labels = std::max(labels, row.label.size());
    counts = std::max(counts, width(text_of(row)));
    largest = std::max(largest, row.value);
  }
  const std::size_t besides = labels + counts + 4;
  const std::size_t cells = columns > besides + 8 ? columns - besides : 8;
  std::string result;
  for (const problems::Bar& row : rows) {
    const std::string drawn = bar(row.value, largest, cells);
    result += fmt::format("{:>{}}  {}{}  {:>{}}\n", row.label, labels, drawn,
                          std::string(cells - width(drawn), ' '), text_of(row), counts);
  }
  if (each > 1) result += fmt::format("({} {}s per row; --json gives every {})\n", each, word, word);
  return result;
}

std::string Table::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size() && i < cells.size(); ++i) {
    const std::size_t wanted = std::max(columns_[i].width, width(columns_[i].title));
    const std::size_t has = width(cells[i]);
    const std::string padding(wanted > has ? wanted - has : 0, ' ');
    if (i > 0) line += "  ";
    line += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace report
