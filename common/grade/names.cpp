// SPDX-License-Identifier: MIT
#include "grade/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "grade/sha256.hpp"

namespace grade {

namespace {

// Folders of some file systems allow 255 bytes, and files in writing have a few more.
constexpr std::size_t longest_file_name = 120;

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The bytes of the character that begins at `i`; 0 if they are no valid UTF-8 (RFC 3629: no surrogates, no
// longer form than needed, at most U+10FFFF).
std::size_t character_bytes(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i), second = byte_at(text, i + 1);
  const auto follows = [&](std::size_t at) { return (byte_at(text, at) & 0xc0) == 0x80; };
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(i + 1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool allowed = (lead != 0xe0 || second >= 0xa0) && (lead != 0xed || second < 0xa0);
    return allowed && follows(i + 1) && follows(i + 2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool allowed = (lead != 0xf0 || second >= 0x90) && (lead != 0xf4 || second < 0x90);
    return allowed && follows(i + 1) && follows(i + 2) && follows(i + 3) ? 4 : 0;
  }
  return 0;
}

// U+0000 to U+001F, U+007F, and the second set, U+0080 to U+009F; and what makes others stand in another
// order than they are in: U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
bool is_control(std::string_view text, std::size_t i) {
  const unsigned char byte = byte_at(text, i), second = byte_at(text, i + 1), third = byte_at(text, i + 2);
  if (byte == 0xe2 && second == 0x80)
    return third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae);
  if (byte == 0xe2 && second == 0x81) return third >= 0xa6 && third <= 0xa9;
  return byte < 0x20 || byte == 0x7f || (byte == 0xc2 && second < 0xa0);
}

std::string text_of(std::string_view name, bool controls) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t bytes = character_bytes(name, i);
    const bool like_ours = name.substr(i, 2) == "\\x";
    if (bytes == 0 || like_ours || (!controls && is_control(name, i))) {
      for (std::size_t end = i + std::max<std::size_t>(bytes, 1); i < end; ++i)
        text += fmt::format("\\x{:02X}", byte_at(name, i));
      continue;
    }
    text += name.substr(i, bytes);
    i += bytes;
  }
  return text;
}

}  // namespace

std::string as_text(std::string_view name) { return text_of(name, true); }

std::string printable_name(std::string_view name) { return text_of(name, false); }

std::string file_name_of(std::string_view name) {
  std::string file;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned char byte = byte_at(name, i);
    const bool mark = byte == '.' || byte == '-' || byte == '_';
    if ((byte < 0x80 && std::isalnum(byte)) || (mark && i > 0)) {
      file += name[i];
    } else {
      file += fmt::format("%{:02X}", byte);
    }
  }
  if (file.size() <= longest_file_name) return file;
  return file.substr(0, longest_file_name - 17) + "%-" + sha256(name).substr(0, 15);
}

std::string csv_cell(std::string_view text) {
  std::string cell(text);
  // Tabs and line ends at the beginning are skipped by programs that look for a formula.
  if (!cell.empty() && std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos)
    cell.insert(0, "'");
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace grade
