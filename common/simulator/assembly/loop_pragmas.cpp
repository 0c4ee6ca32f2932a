// SPDX-License-Identifier: MIT
#include "simulator/assembly/loop_pragmas.hpp"

#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>

#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

namespace {

// By the number of the line, from 1 on, in which the head of such a loop begins.
std::map<std::size_t, unsigned> loops_with_pragma(const std::string& path) {
  static const std::regex pragma(
      R"(\s*#\s*pragma\s+(?:GCC\s+)?unroll\s*\(?\s*(\d{1,4})\s*\)?\s*(//.*|/\*.*)?)");
  std::map<std::size_t, unsigned> loops;
  std::ifstream file(path);
  unsigned turns = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string_view text = trimmed(line);
    std::smatch found;
    if (text.starts_with('#') && std::regex_match(line, found, pragma)) {
      turns = static_cast<unsigned>(std::stoul(found[1]));
    } else if (!text.empty() && !text.starts_with("//")) {
      if (turns > 0) loops.emplace(number, turns);
      turns = 0;
    }
  }
  return loops;
}

std::vector<std::string> quoted(std::string_view line) {
  std::vector<std::string> texts;
  for (std::size_t at = line.find('"'); at != line.npos; at = line.find('"', at + 1)) {
    const std::size_t end = line.find('"', at + 1);
    if (end == line.npos) break;
    texts.emplace_back(line.substr(at + 1, end - at - 1));
    at = end;
  }
  return texts;
}

std::size_t take_number(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t number = 0;
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    number = 10 * number + static_cast<std::size_t>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  return number;
}

}  // namespace

std::map<std::size_t, unsigned> jumps_of_loops_with_pragma(const std::vector<std::string_view>& lines) {
  constexpr std::string_view names_file = ".file", is_at = ".loc";
  constexpr std::size_t lines_of_head = 3;  // at most
  struct Source {
    std::string path;
    std::optional<std::map<std::size_t, unsigned>> loops = {};  // once it has been read
  };
  std::map<std::size_t, Source> sources;  // by the file's number
  std::map<std::size_t, unsigned> jumps;
  std::size_t file = 0, line = 0;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::string_view text = trimmed(lines[n]);
    if (text.starts_with(names_file)) {
      text.remove_prefix(names_file.size());
      const std::size_t number = take_number(text);
      const std::vector<std::string> path = quoted(text);
      if (path.empty()) continue;
      const bool has_folder = path.size() > 1 && !path[1].starts_with('/');
      sources[number] = {has_folder ? path[0] + "/" + path[1] : path.back()};
    } else if (text.starts_with(is_at)) {
      text.remove_prefix(is_at.size());
      file = take_number(text);
      line = take_number(text);
    } else if (is_code(text) && is_any_jump(text.substr(0, text.find_first_of(" \t")))) {
      const auto source = sources.find(file);
      if (source == sources.end()) continue;
      std::optional<std::map<std::size_t, unsigned>>& loops = source->second.loops;
      if (!loops) loops = loops_with_pragma(source->second.path);
      const auto behind = loops->upper_bound(line);
      if (behind == loops->begin()) continue;
      const auto& [head, turns] = *std::prev(behind);
      if (line - head < lines_of_head) jumps.emplace(n, turns);
    }
  }
  return jumps;
}

}  // namespace simulator::x86
