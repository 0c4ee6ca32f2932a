// SPDX-License-Identifier: MIT
#include "judge/presentable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace judge {

namespace {

constexpr std::size_t most_lines = 40, longest_line = 2000;

// How many bytes the character of UTF-8 has with which the text begins; 0 if it begins with none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t bytes = byte(0) >= 0xc2 && byte(0) < 0xe0   ? 2
                            : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                            : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than it needs to be, half of a pair, or beyond the last character.
  const bool too_long = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool none = (byte(0) == 0xed && byte(1) >= 0xa0) || (byte(0) == 0xf4 && byte(1) >= 0x90);
  return too_long || none ? 0 : bytes;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

bool is_of_path(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("/._+-~@%").find(c) != std::string_view::npos;
}

// The line with the last parts alone of absolute paths that are not below the folder.
std::string with_short_paths(std::string_view line, std::string_view folder) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const bool begins = line[at] == '/' && (at == 0 || !is_of_path(line[at - 1]));
    if (!begins) {
      result += line[at++];
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && is_of_path(line[end])) ++end;
    const std::string_view path = line.substr(at, end - at);
    const bool is_own = !folder.empty() && path.starts_with(folder);
    const std::size_t slash = path.find_last_of('/');
    result += is_own || path.size() == slash + 1 ? path : path.substr(slash + 1);
    at = end;
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
    if (bytes == 0 || is_control(character)) {
      result += '?';
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::string shortened_text(std::string_view text) {
  std::string result;
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (lines++ < most_lines) {
      std::size_t kept = std::min(end, longest_line);
      // Not within a character of UTF-8.
      while (kept > 0 && kept < end && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80) --kept;
      result += text.substr(0, kept);
      if (kept < end) result += "...";
      if (end < text.size()) result += '\n';
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines > most_lines) result += fmt::format("  ... and {} more lines", lines - most_lines);
  return result;
}

std::string without_foreign_paths(std::string_view text, std::string_view folder) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool shows_source = !line.empty() && std::isspace(static_cast<unsigned char>(line.front()));
    result += shows_source ? std::string(line) : with_short_paths(line, folder);
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace judge
