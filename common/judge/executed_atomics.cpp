// SPDX-License-Identifier: MIT
#include "judge/executed_atomics.hpp"

#include <fmt/core.h>

#include "facts/words.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

std::vector<int> lines_of_atomics(const std::string& source) {
  std::vector<int> lines;
  const std::string text = source.empty() ? "" : os::read_file(source).value_or("");
  const auto own = SourceStructure(text).local_array_of_atomics();
  const std::vector<Token> tokens = tokens_of(text).all;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_new = lines.empty() || lines.back() != token.line;
    if (!token.is_name() || !token.text.starts_with("atomic") || !is_new) continue;
    // What each thread has to itself lies in neither memory.
    const bool is_of_own = own && i + 3 < tokens.size() && tokens[i + 1].is("(") &&
                           tokens[tokens[i + 2].is("&") ? i + 3 : i + 2].is(own->name);
    if (!is_of_own) lines.push_back(token.line);
  }
  return lines;
}

std::string atomics_text(const std::string& program, const std::string& source, const std::vector<int>& lines,
                         const std::map<std::uint64_t, facts::Counters>& places) {
  std::vector<std::uint64_t> sites;
  std::vector<std::uint64_t> executed;
  for (const auto& [site, counters] : places) {
    const std::uint64_t atomics =
        counters.value(facts::Counter::global_atomics) + counters.value(facts::Counter::shared_atomics);
    if (atomics == 0) continue;
    sites.push_back(site);
    executed.push_back(atomics);
  }
  std::map<int, std::uint64_t> of_line;
  for (const int line : lines) of_line[line] = 0;
  const auto known = line_of_each(program, sites);
  for (std::size_t i = 0; i < known.size(); ++i) {
    // An atomic that is counted elsewhere: in a function of another file, or without a line.
    if (!known[i] || known[i]->file != source || !of_line.contains(known[i]->line)) return {};
    of_line[known[i]->line] += executed[i];
  }
  std::string text;
  for (const auto& [line, times] : of_line)
    text += fmt::format("{}line {} {}", text.empty() ? "" : ", ", line,
                        times == 0   ? "never"
                        : times == 1 ? "once"
                        : times == 2 ? "twice"
                                     : facts::separated(times) + " times");
  return "\n  atomics in shared and global memory then: " + text;
}

}  // namespace judge
