// SPDX-License-Identifier: MIT
#include "workbook/skeleton.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace workbook {

namespace {

constexpr std::string_view opening = "// <solution>";
constexpr std::string_view closing = "// </solution>";

// Calls `line(text, indentation, kind)` for each line, without its line end.
enum class Kind { outside, inside, open, close };

template <class Visit>
void for_each_line(std::string_view solution, Visit visit) {
  bool inside = false;
  int number = 0;
  while (!solution.empty()) {
    ++number;
    const std::size_t end = solution.find('\n');
    const std::string_view line = solution.substr(0, end);
    solution.remove_prefix(end == std::string_view::npos ? solution.size() : end + 1);
    const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = line.substr(indentation);
    const bool opens = text == opening, closes = text.substr(0, closing.size()) == closing;
    if ((opens && inside) || (closes && !inside)) {
      throw SkeletonError(fmt::format("line {}: {} without its counterpart", number, text));
    }
    visit(line, indentation,
          opens    ? Kind::open
          : closes ? Kind::close
          : inside ? Kind::inside
                   : Kind::outside);
    inside = opens || (inside && !closes);
  }
  if (inside) throw SkeletonError(fmt::format("line {}: the file ends inside a solution", number));
}

}  // namespace

std::string skeleton_of(std::string_view solution) {
  std::string result;
  for_each_line(solution, [&](std::string_view line, std::size_t indentation, Kind kind) {
    if (kind == Kind::outside) result.append(line).append("\n");
    if (kind != Kind::close || line.size() <= indentation + closing.size() + 1) return;
    result.append(indentation, ' ').append(line.substr(indentation + closing.size() + 1)).append("\n");
  });
  return result;
}

std::string without_markers(std::string_view solution) {
  std::string result;
  for_each_line(solution, [&](std::string_view line, std::size_t, Kind kind) {
    if (kind == Kind::outside || kind == Kind::inside) result.append(line).append("\n");
  });
  return result;
}

bool is_marker(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line == opening || line.substr(0, closing.size()) == closing;
}

}  // namespace workbook
