// SPDX-License-Identifier: MIT
// What names in the student's file stand for: what they are set to, what changes them, and what they decide
// about.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "judge/source_structure.hpp"

namespace judge {

namespace {

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool is_whole = error == std::errc() && std::all_of(rest, end, [](char c) {
                          return c == 'u' || c == 'U' || c == 'l' || c == 'L';
                        });
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

// Sums, differences and products of numbers, of threadIdx.x, and of names that are set once. What is longer
// than people write is left, and what does not fit into 64 bits.
std::optional<std::int64_t> SourceStructure::value(std::size_t begin, std::size_t end, std::int64_t thread,
                                                   int depth) const {
  constexpr std::size_t longest = 16;
  if (begin >= end || end > tokens_.size() || end - begin > longest) return std::nullopt;
  // The last operator of the lowest rank, outside of brackets.
  std::optional<std::size_t> sum, product;
  for (std::size_t at = begin; at < end; ++at) {
    if (is_one_of(tokens_[at], {"(", "[", "{"})) {
      at = closing(at);
      continue;
    }
    if (at > begin && is_one_of(tokens_[at], {"+", "-"})) sum = at;
    if (is_one_of(tokens_[at], {"*", "/", "%"})) product = at;
    if (is_one_of(tokens_[at], {"<", ">", "?", ":", "=", "&", "|", "^", "!"})) return std::nullopt;
  }
  if (const auto split = sum ? sum : product) {
    const auto left = value(begin, *split, thread, depth);
    const auto right = left ? value(*split + 1, end, thread, depth) : std::nullopt;
    if (!left || !right) return std::nullopt;
    const Token& operation = tokens_[*split];
    if (is_one_of(operation, {"/", "%"}) && (*right <= 0 || *left < 0)) return std::nullopt;
    if (operation.is("/")) return *left / *right;
    if (operation.is("%")) return *left % *right;
    std::int64_t result = 0;
    const bool is_too_large = operation.is("+")   ? __builtin_add_overflow(*left, *right, &result)
                              : operation.is("-") ? __builtin_sub_overflow(*left, *right, &result)
                                                  : __builtin_mul_overflow(*left, *right, &result);
    return is_too_large ? std::nullopt : std::optional(result);
  }
  if (is(begin, "(") && closing(begin) + 1 == end) return value(begin + 1, end - 1, thread, depth);
  if (end - begin == 3 && is(begin, "threadIdx") && is(begin + 1, ".") && is(begin + 2, "x")) return thread;
  if (end - begin != 1) return std::nullopt;
  if (tokens_[begin].kind == Token::Kind::number) return number(tokens_[begin].text);
  return tokens_[begin].is_name() ? value_of_name(tokens_[begin].text, thread, depth) : std::nullopt;
}

// Of a name that the file sets at one place, and changes at none, or defines as a macro.
std::optional<std::int64_t> SourceStructure::value_of_name(const std::string& name, std::int64_t thread,
                                                           int depth) const {
  std::optional<std::size_t> set;
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (!tokens_[at].is(name)) continue;
    if (at > 1 && is(at - 1, "define") && is(at - 2, "#")) {
      std::size_t end = at + 1;
      while (end < tokens_.size() && !tokens_[end].starts_line) ++end;
      return depth == 0 ? std::nullopt : value(at + 1, end, thread, depth - 1);
    }
    bool is_changed = false;
    const bool is_written = is_written_after(at, is_changed);
    const bool is_address = at > 0 && is(at - 1, "&");
    const bool is_parameter =
        at > 0 && is_word_of_type(tokens_[at - 1]) && (is(at + 1, ",") || is(at + 1, ")"));
    if (is_changed || is_step_before(at) || is_address || is_parameter || (is_written && set))
      return std::nullopt;
    if (is_written) set = at;
  }
  if (!set || depth == 0) return std::nullopt;
  std::size_t end = *set + 2;
  while (end < tokens_.size() && !is_one_of(tokens_[end], {";", ","}))
    end = (is_one_of(tokens_[end], {"(", "[", "{"}) ? closing(end) : end) + 1;
  return value(*set + 2, end, thread, depth - 1);
}

std::optional<SourceStructure::LaunchBound> SourceStructure::launch_bound(std::string_view kernel) const {
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (!is(at, "__launch_bounds__") || !is(at + 1, "(")) continue;
    std::size_t head = at;
    while (head < tokens_.size() && !tokens_[head].is(kernel) && !is_one_of(tokens_[head], {"{", ";"}))
      ++head;
    if (head == tokens_.size() || !tokens_[head].is(kernel)) continue;
    std::size_t end = at + 2;
    while (end < closing(at + 1) && !is(end, ",")) end = (is(end, "(") ? closing(end) : end) + 1;
    constexpr int depth = 4;
    const auto threads = value(at + 2, end, 0, depth);
    return threads && *threads > 0 ? std::optional(LaunchBound{tokens_[at].line, *threads}) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<int> SourceStructure::lines_that_write(std::string_view array, int before) const {
  std::vector<int> lines;
  for (std::size_t at = 0; at < tokens_.size() && tokens_[at].line < before; ++at) {
    if (tokens_[at].is("__global__")) lines.clear();
    if (!tokens_[at].is(array) || !is(at + 1, "[")) continue;
    bool reads_too = false;
    if (!is_written_after(closing(at + 1), reads_too) || reads_too) continue;
    if (lines.empty() || lines.back() != tokens_[at].line) lines.push_back(tokens_[at].line);
  }
  return lines;
}

bool SourceStructure::leads_to_index(std::string_view name, int reading_line, int line) const {
  const std::vector<std::string_view> names = set_from(name, reading_line);
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    if (tokens_[at].line != line || !is(at, "[") || !tokens_[at - 1].is_name()) continue;
    for (std::size_t i = at + 1; i < closing(at); ++i) {
      if (std::ranges::count(names, tokens_[i].text) > 0) return true;
    }
  }
  return false;
}

// The name, and those that are set from what the line reads of it: there, or later from these. The line 0
// stands for all lines.
std::vector<std::string_view> SourceStructure::set_from(std::string_view name, int line) const {
  std::vector<std::string_view> names{name};
  for (std::size_t known = 0; known != names.size();) {
    known = names.size();
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (tokens_[at].line < line || !is_assignment(at) || !tokens_[at - 1].is_name()) continue;
      if (std::ranges::count(names, tokens_[at - 1].text) > 0) continue;
      bool comes_of_it = false;
      for (std::size_t i = at + 1, end = end_of_statement(at); i < end; ++i) {
        const bool is_read = tokens_[i].is(name) && (line == 0 || tokens_[at].line == line);
        const bool is_set = !tokens_[i].is(name) && std::ranges::count(names, tokens_[i].text) > 0;
        comes_of_it |= is_read || is_set;
      }
      if (comes_of_it) names.push_back(tokens_[at - 1].text);
    }
  }
  return names;
}

bool SourceStructure::looks_at(const Statement& control, const std::vector<std::string_view>& names,
                               int from_line) const {
  for (std::size_t i = control.condition; i < control.condition_end; ++i) {
    if (tokens_[i].line >= from_line && std::ranges::count(names, tokens_[i].text) > 0) return true;
  }
  return false;
}

bool SourceStructure::decides(std::string_view name, int line) const {
  const std::vector<std::string_view> names = set_from(name, line);
  return std::ranges::any_of(controls_,
                             [&](const Statement& control) { return looks_at(control, names, line); });
}

bool SourceStructure::decides_on(std::string_view name, int reading_line, int line) const {
  const std::vector<std::string_view> names = set_from(name, reading_line);
  return std::ranges::any_of(controls_, [&](const Statement& control) {
    if (!looks_at(control, names, reading_line)) return false;
    bool leaves = false;
    for (std::size_t i = control.body; i < control.body_end; ++i) {
      if (tokens_[i].line == line) return true;
      leaves = leaves || tokens_[i].is("return");
    }
    return leaves && control.body_end < tokens_.size() && tokens_[control.body_end].line <= line;
  });
}

std::vector<Control> SourceStructure::controls(int line) const {
  // Where threads wait for each other, or else the line's beginning.
  const auto waits = [](const Token& token) {
    return token.text.starts_with("__sync") || token.text.find("_sync") != std::string::npos ||
           token.is("sync") || token.text.starts_with("shuffle");
  };
  std::size_t at = tokens_.size();
  for (std::size_t i = tokens_.size(); i-- > 0;) {
    if (tokens_[i].line == line && (waits(tokens_[i]) || at == tokens_.size() || !waits(tokens_[at]))) at = i;
  }
  std::vector<std::pair<std::size_t, Control>> around;
  for (const Statement& control : controls_) {
    if (control.body <= at && at < control.body_end)
      around.push_back({control.keyword,
                        {tokens_[control.keyword].line, text_of(control.condition, control.condition_end),
                         control.is_loop}});
    const std::size_t other = control.body_end;
    const bool has_else = is(control.keyword, "if") && is(other, "else");
    if (has_else && other < at && at < end_of_statement(other + 1) && !is(other + 1, "if"))
      around.push_back({other, {tokens_[control.keyword].line, {}, false}});
  }
  std::ranges::sort(around, {}, [](const auto& each) { return each.first; });
  std::vector<Control> all;
  for (auto& [keyword, control] : around) all.push_back(std::move(control));
  return all;
}

const SourceStructure::Statement* SourceStructure::loop_at(int line) const {
  const auto found = std::ranges::find_if(controls_, [&](const Statement& control) {
    return control.is_loop && tokens_[control.keyword].line == line;
  });
  return found == controls_.end() ? nullptr : &*found;
}

std::optional<SourceStructure::Counter> SourceStructure::counter(int loop_line) const {
  const Statement* const loop = loop_at(loop_line);
  if (!loop) return std::nullopt;
  std::optional<Counter> counter;
  for (std::size_t at = loop->condition; at < loop->condition_end; ++at) {
    // What a function or memory gives may change without the loop.
    if (is_one_of(tokens_[at], {"(", "[", "*", ".", "->"})) return std::nullopt;
    const bool is_of_type = is(at + 1, "::") || (at > 0 && is(at - 1, "::"));
    if (tokens_[at].is_name() && !is_of_type && !counter) counter = Counter{tokens_[at].text, false};
  }
  if (!counter) return std::nullopt;
  const std::size_t end = std::max(loop->body_end, loop->condition_end);
  for (std::size_t at = loop->keyword; at < end && at + 1 < tokens_.size(); ++at) {
    if (!tokens_[at].is(counter->name)) continue;
    bool reads_too = false;
    const bool is_argument =
        is_one_of(tokens_[at - 1], {"(", ",", "&"}) && is_one_of(tokens_[at + 1], {")", ","});
    // A `for` sets its counter before the first round, which changes nothing later.
    const bool is_first = at < loop->condition && is_assignment(at + 1);
    counter->may_change |=
        !is_first && (is_written_after(at, reads_too) || is_step_before(at) || is_argument);
    // Shifts and the like.
    counter->may_change |=
        at + 3 < tokens_.size() && is(at + 3, "=") && tokens_[at + 1].end == tokens_[at + 2].begin &&
        tokens_[at + 2].end == tokens_[at + 3].begin && tokens_[at + 1].text == tokens_[at + 2].text;
  }
  return counter;
}

std::vector<std::string> SourceStructure::names_in(const Element& element) const {
  std::vector<std::string> names;
  for (std::size_t at = element.at + 2; at < element.close; ++at) {
    if (tokens_[at].is_name() && !is(at + 1, "(") && !is(at + 1, "::") && !is(at - 1, "::"))
      names.push_back(tokens_[at].text);
  }
  return names;
}

bool SourceStructure::is_constant(const Element& element) const {
  bool has_any = false;
  for (std::size_t at = element.at + 2; at < element.close; ++at) {
    const bool is_of_type = is(at, "::") || is(at + 1, "::") || (at > 0 && is(at - 1, "::"));
    const bool is_number = tokens_[at].kind == Token::Kind::number;
    if (is(at, "bin_of") || (!is_of_type && !is_number && !is_one_of(tokens_[at], {"+", "-", "*", "(", ")"})))
      return false;
    has_any = true;
  }
  return has_any;
}

std::optional<std::int64_t> SourceStructure::constant_index(const Element& element) const {
  constexpr int depth = 4;
  return is_constant(element) ? value(element.at + 2, element.close, 0, depth) : std::nullopt;
}

std::optional<Condition> SourceStructure::condition_of_another(const Element& element) const {
  const Statement* inner = nullptr;
  for (const Statement& control : controls_) {
    if (is(control.keyword, "if") && control.body <= element.at && element.at < control.body_end)
      inner = &control;
  }
  if (!inner || element.index.empty()) return std::nullopt;
  for (std::size_t at = inner->condition; at < inner->condition_end; ++at) {
    if (!tokens_[at].is_name() || !is_one_of(tokens_[at + 1], {"<", ">", "=", "!"})) continue;
    for (std::size_t set = 0; set + 1 < tokens_.size() && set < inner->keyword; ++set) {
      if (!tokens_[set].is(tokens_[at].text) || !is_assignment(set + 1)) continue;
      const std::size_t length = element.close - element.at - 2;
      bool is_made_of_index = false;
      for (std::size_t i = set + 2; i + length < tokens_.size() && !is(i, ";"); ++i) {
        bool is_same = true;
        for (std::size_t k = 0; k < length; ++k)
          is_same &= tokens_[i + k].text == tokens_[element.at + 2 + k].text;
        is_made_of_index |= is_same;
      }
      if (!is_made_of_index) continue;
      return Condition{tokens_[inner->keyword].line, tokens_[at].text};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool SourceStructure::names_row_of(std::string_view array, int line) const {
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    const std::string& name = tokens_[at].text;
    if (tokens_[at].line == line && tokens_[at].is_name() && is(at + 1, "[") &&
        is_set_from(name, array, line) && !is_set_by_cast(name, line))
      return true;
  }
  return false;
}

bool SourceStructure::is_set_by_cast(std::string_view name, int before) const {
  bool is_cast = false;
  for (std::size_t at = 0; at < tokens_.size() && tokens_[at].line < before; ++at) {
    if (!tokens_[at].is(name) || !is_assignment(at + 1)) continue;
    is_cast = is(at + 2, "reinterpret_cast");
    for (std::size_t i = at + 2; i + 1 < tokens_.size() && !is(i, ";"); ++i)
      is_cast |= is(i, "*") && is(i + 1, ")");
  }
  return is_cast;
}

}  // namespace judge
