// SPDX-License-Identifier: MIT
#include "report/terminal/screen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "report/terminal/terminal.hpp"

namespace report {

namespace {

// A colour's escape sequence at the start of the text; 0: there is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool is_control(char byte) { return (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f); }

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Takes the letters of one line and breaks it where it is full.
class LineBreaker {
 public:
  LineBreaker(std::vector<std::string>& lines, std::size_t columns) : lines_(lines), columns_(columns) {}

  void letter(std::string_view bytes) {
    if (width_ == columns_) break_line();
    if (bytes != " ") {
      indented_ = true;
    } else if (indented_) {
      blank_ = line_.size();
    } else {
      ++indentation_;
    }
    line_ += bytes;
    ++width_;
  }

  void colour(std::string_view sequence) { line_ += sequence; }

  void finish() {
    lines_.push_back(line_);
    line_.clear();
    width_ = indentation_ = 0;
    blank_ = std::string::npos;
    indented_ = false;
  }

 private:
  // What follows the last blank goes to the next line.
  void break_line() {
    const std::string indent(indentation_ < columns_ / 2 ? indentation_ : 0, ' ');
    std::string rest;
    if (blank_ != std::string::npos) {
      rest = line_.substr(blank_ + 1);
      line_.erase(blank_);
    }
    lines_.push_back(line_);
    line_ = indent + rest;
    width_ = indent.size();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (const std::size_t skipped = colour_length(std::string_view(rest).substr(i))) {
        i += skipped - 1;
      } else if (!continues_letter(rest[i])) {
        ++width_;
      }
    }
    blank_ = std::string::npos;
  }

  std::vector<std::string>& lines_;
  std::size_t columns_, width_ = 0, indentation_ = 0, blank_ = std::string::npos;
  bool indented_ = false;  // something other than a blank was there
  std::string line_;
};

}  // namespace

std::vector<std::string> wrapped(std::string_view text, unsigned columns) {
  std::vector<std::string> lines;
  LineBreaker line(lines, std::max(columns, 1u));
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    if (text[i] == '\n') {
      line.finish();
      column = 0;
    } else if (const std::size_t colour = colour_length(text.substr(i))) {
      line.colour(text.substr(i, length = colour));
    } else if (text[i] == '\t') {
      do line.letter(" ");
      while (++column % tab_width != 0);
    } else if (is_control(text[i])) {
      line.letter("?");
      ++column;
    } else {
      while (i + length < text.size() && continues_letter(text[i + length])) ++length;
      line.letter(text.substr(i, length));
      ++column;
    }
    i += length;
  }
  if (!text.empty() && text.back() != '\n') line.finish();
  return lines;
}

std::string frame(std::string_view body, std::string_view footer, unsigned columns, unsigned rows) {
  // A letter in the last column would be erased with the rest of its line: the cursor still stands on it.
  columns = std::max(columns, 2u) - 1;
  std::vector<std::string> lines = wrapped(body, columns), below;
  for (const std::string& line : wrapped(footer, std::numeric_limits<unsigned>::max()))
    below.push_back(wrapped(line, columns).front());
  below.resize(std::min<std::size_t>(below.size(), std::max(rows, 1u)));
  const std::size_t room = std::max<std::size_t>(rows, 1) - below.size();
  if (lines.size() > room) {
    const std::size_t shown = room > 0 ? room - 1 : 0;
    const std::string rest =
        fmt::format("... {} more lines: they need a larger window", lines.size() - shown);
    lines.resize(shown);
    if (room > 0) lines.push_back(wrapped(rest, columns).front());
  }
  lines.insert(lines.end(), below.begin(), below.end());
  std::string drawn = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) drawn += (i > 0 ? "\n" : "") + lines[i] + "\x1b[0m\x1b[K";
  return drawn + "\x1b[J";
}

}  // namespace report
