// SPDX-License-Identifier: MIT
#include "judge/source_structure.hpp"

#include <algorithm>
#include <array>

#include "facts/verdict.hpp"

namespace judge {

namespace {

constexpr std::size_t longest_shown = 60;

// Behind such a name comes a declaration: it may be a type.
bool may_be_type(const Token& token) {
  return token.is_name() && !is_one_of(token, {"return", "else", "do", "case"});
}

// Names in an index that say nothing of its own value.
bool is_constant_of_launch(const Token& token) {
  return is_one_of(token,
                   {"x", "y", "z", "blockDim", "gridDim", "std", "size_t", "unsigned", "int", "sizeof"});
}

}  // namespace

SourceStructure::SourceStructure(std::string_view text) : text_(text), tokens_(tokens_of(text).all) {
  // Tokens are gone through again and again; more than that nobody writes by hand.
  constexpr std::size_t most = 10'000;
  if (tokens_.size() > most) tokens_.clear();
  match_brackets();
  std::vector<std::size_t> ends_of_do;
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (is(at, "do")) {
      const std::size_t end = end_of_statement(at + 1);
      if (!is(end, "while") || !is(end + 1, "(")) continue;
      ends_of_do.push_back(end);
      controls_.push_back({at, end + 2, closing(end + 1), at + 1, end, true, true});
      continue;
    }
    const bool is_loop = is(at, "while") || is(at, "for");
    if ((!is_loop && !is(at, "if")) || std::ranges::count(ends_of_do, at) > 0) continue;
    const std::size_t open = at + (is(at + 1, "constexpr") ? 2 : 1);
    if (!is(open, "(")) continue;
    const std::size_t close = closing(open);
    std::size_t begin = open + 1, end = close;
    if (is(at, "for")) {
      std::vector<std::size_t> semicolons;
      for (std::size_t i = begin; i < close; i = (is(i, "(") || is(i, "{") ? closing(i) : i) + 1) {
        if (is(i, ";")) semicolons.push_back(i);
      }
      begin = semicolons.size() == 2 ? semicolons[0] + 1 : close;
      end = semicolons.size() == 2 ? semicolons[1] : close;
    }
    controls_.push_back({at, begin, end, close + 1, end_of_statement(close + 1), is_loop, false});
  }
}

bool SourceStructure::is(std::size_t at, std::string_view text) const {
  return at < tokens_.size() && tokens_[at].is(text);
}

// From 1.
int SourceStructure::column_of(std::size_t at) const {
  const std::size_t start = text_.rfind('\n', tokens_[at].begin) + 1;
  return static_cast<int>(tokens_[at].begin - start) + 1;
}

// Of a bracket of any kind; the end if it is never closed.
void SourceStructure::match_brackets() {
  closings_.assign(tokens_.size(), tokens_.size());
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (is_one_of(tokens_[at], {"(", "[", "{"})) open.push_back(at);
    if (open.empty() || !is_one_of(tokens_[at], {")", "]", "}"})) continue;
    closings_[open.back()] = at;
    open.pop_back();
  }
}

std::size_t SourceStructure::closing(std::size_t open) const {
  return open < closings_.size() ? closings_[open] : tokens_.size();
}

// The token behind the statement.
std::size_t SourceStructure::end_of_statement(std::size_t at) const {
  if (at >= tokens_.size()) return tokens_.size();
  if (is(at, "{")) return std::min(closing(at) + 1, tokens_.size());
  if (is_one_of(tokens_[at], {"if", "for", "while", "switch"})) {
    std::size_t open = at + 1;
    if (is(open, "constexpr")) ++open;
    const std::size_t end = is(open, "(") ? end_of_statement(closing(open) + 1) : open;
    return is(at, "if") && is(end, "else") ? end_of_statement(end + 1) : end;
  }
  if (is(at, "do")) return end_of_statement(end_of_statement(at + 1));
  for (; at < tokens_.size(); ++at) {
    if (is(at, ";")) return at + 1;
    if (is(at, "}")) return at;
    if (is_one_of(tokens_[at], {"(", "[", "{"})) at = closing(at);
  }
  return tokens_.size();
}

std::size_t SourceStructure::beginning_of_statement(std::size_t at) const {
  while (at > 0 && !is_one_of(tokens_[at - 1], {";", "{", "}"})) --at;
  return at;
}

// A single `=`.
bool SourceStructure::is_assignment(std::size_t at) const {
  if (!is(at, "=") || is(at + 1, "=")) return false;
  return at == 0 || tokens_[at - 1].end != tokens_[at].begin ||
         !is_one_of(tokens_[at - 1], {"=", "<", ">", "!"});
}

bool SourceStructure::is_written_after(std::size_t close, bool& reads_too) const {
  if (is_assignment(close + 1)) return true;
  if (close + 2 >= tokens_.size()) return false;
  const Token &first = tokens_[close + 1], &second = tokens_[close + 2];
  const bool is_together = first.end == second.begin;
  const bool is_step = is_together && first.text == second.text && is_one_of(first, {"+", "-"});
  const bool is_compound =
      is_together && second.is("=") && is_one_of(first, {"+", "-", "*", "/", "%", "|", "&", "^"});
  reads_too = is_step || is_compound;
  return reads_too;
}

// ++ or -- in front of the name.
bool SourceStructure::is_step_before(std::size_t at) const {
  return at > 1 && tokens_[at - 1].text == tokens_[at - 2].text && is_one_of(tokens_[at - 1], {"+", "-"}) &&
         tokens_[at - 2].end == tokens_[at - 1].begin;
}

// The first argument of an atomic function.
bool SourceStructure::is_target_of_atomic(std::size_t at) const {
  int depth = 0;
  const std::size_t begin = beginning_of_statement(at);
  for (std::size_t i = at; i-- > begin;) {
    if (is_one_of(tokens_[i], {")", "]"})) ++depth;
    if (depth == 0 && is(i, ",")) return false;
    if (is_one_of(tokens_[i], {"(", "["}) && --depth < 0) {
      if (is(i, "(") && i > 0 && tokens_[i - 1].text.starts_with("atomic")) return true;
      depth = 0;
    }
  }
  return false;
}

// Of the token, the name in a cast: `reinterpret_cast<T*>(name)[i]`, `((T*)name)[i]`,
// `*reinterpret_cast<T*>(name + i)` or `*(T*)(name + i)`.
std::optional<Element> SourceStructure::element_of_cast(std::size_t at) const {
  if (at < 2 || !tokens_[at].is_name()) return std::nullopt;
  const bool is_alone = is(at + 1, ")"), is_sum = is(at + 1, "+") && is(at - 1, "(");
  const std::optional<std::size_t> open = is_alone || is_sum ? enclosing(at) : std::nullopt;
  if (!open || *open == 0 || !is(*open, "(")) return std::nullopt;
  // Behind `*>` or `*)`, which end the type.
  const std::size_t before = is_alone && is(at - 1, ")") ? at - 1 : *open - 1;
  if (before == 0 || !is_one_of(tokens_[before], {">", ")"}) || !is(before - 1, "*")) return std::nullopt;
  const std::size_t close = closing(*open);
  bool is_updated = false;
  if (is_alone) {
    if (!is(close + 1, "[")) return std::nullopt;
    const std::size_t last = closing(close + 1);
    is_written_after(last, is_updated);
    return Element{.name = tokens_[at].text,
                   .index = text_of(close + 2, last),
                   .column = column_of(at),
                   .is_updated = is_updated,
                   .at = close,
                   .close = last,
                   .last = last,
                   .is_cast = true};
  }
  return Element{.name = tokens_[at].text,
                 .index = text_of(at + 2, close),
                 .column = column_of(at),
                 .is_updated = false,
                 .at = at,
                 .close = close,
                 .last = close,
                 .is_cast = true};
}

std::optional<Element> SourceStructure::element(int line, std::string_view role, std::string_view array,
                                                std::optional<Reached> reached) const {
  const bool reads = role == "reads", writes = role == "writes";
  std::vector<Element> all;
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (tokens_[at].line != line || !tokens_[at].is_name() || !is(at + 1, "[")) continue;
    const std::size_t close = closing(at + 1), begin = beginning_of_statement(at);
    // A declaration: a type stands before the name.
    if (at > begin && may_be_type(tokens_[at - 1])) continue;
    std::size_t last = close;
    while (is(last + 1, "[")) last = closing(last + 1);
    bool is_updated = false;
    bool is_written = is_written_after(last, is_updated);
    const bool is_target = is_target_of_atomic(at);
    if (is_step_before(at)) is_written = is_updated = true;
    const bool fits = role == facts::outside_index ? true
                      : reads                      ? !is_target && (!is_written || is_updated)
                      : writes                     ? is_written
                                                   : is_target || is_updated;
    if (!fits) continue;
    all.push_back({tokens_[at].text, text_of(at + 2, close), column_of(at), is_updated, at, close, last,
                   last > close ? text_of(close + 1, last + 1) : std::string()});
  }
  for (std::size_t at = 0; at < tokens_.size() && all.empty(); ++at) {
    if (tokens_[at].line != line || !tokens_[at].is(array)) continue;
    if (auto element = element_of_cast(at)) return element;
  }
  const auto is_other = [&](const Element& element) {
    if (!reached || !reached->thread || element.name != array || element.last > element.close) return false;
    constexpr int depth = 4;
    const auto index = value(element.at + 2, element.close, *reached->thread, depth);
    return index && *index != reached->index;
  };
  std::vector<Element> left = all;
  std::erase_if(left, is_other);
  if (!left.empty()) all = std::move(left);
  // Another pointer into the array may be meant as well.
  const bool has_alias = std::ranges::any_of(all, [&](const Element& element) {
    return element.name != array && is_set_from(element.name, array, line);
  });
  const auto named = std::ranges::find_if(all, [&](const Element& element) { return element.name == array; });
  if (named != all.end()) {
    named->has_alias = has_alias;
    named->is_only = std::ranges::none_of(all, [&](const Element& element) {
      return element.name == array && (element.index != named->index || element.further != named->further);
    });
    return *named;
  }
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

// One line, with single blanks; empty if it is too long to be shown.
std::string SourceStructure::text_of(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > tokens_.size()) return {};
  std::string text;
  for (const char c : text_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) text += c;
    if (is_blank && !text.empty() && text.back() != ' ') text += ' ';
  }
  return text.size() > longest_shown || text.find('`') != std::string::npos ? std::string() : text;
}

// Those parts of a condition, joined by `separator` (&& or ||), that compare one of the names.
void SourceStructure::add_parts(std::vector<Condition>& all, std::size_t begin, std::size_t end,
                                std::string_view separator, const std::vector<std::string>& names) const {
  std::size_t part = begin;
  for (std::size_t at = begin; at <= end; ++at) {
    const bool is_separator = at + 1 < end && is(at, separator) && is(at + 1, separator);
    if (at < end && !is_separator) {
      if (is_one_of(tokens_[at], {"(", "["})) at = std::min(closing(at), end - 1);
      continue;
    }
    bool has_name = false, compares = false;
    for (std::size_t i = part; i < at; ++i) {
      has_name |= std::ranges::count(names, tokens_[i].text) > 0;
      compares |= is_one_of(tokens_[i], {"<", ">", "="});
    }
    const std::string text = text_of(part, at);
    if (has_name && compares && !text.empty()) all.push_back({tokens_[part].line, text});
    part = at + 2;
    ++at;
  }
}

// The condition of a `? :` in whose first branch the token stands.
void SourceStructure::add_choice(std::vector<Condition>& all, std::size_t at,
                                 const std::vector<std::string>& names) const {
  const std::size_t begin = beginning_of_statement(at);
  int depth = 0, colons = 0;
  for (std::size_t i = at; i-- > begin;) {
    if (is_one_of(tokens_[i], {")", "]"})) ++depth;
    if (is_one_of(tokens_[i], {"(", "["})) depth = std::max(depth - 1, 0);
    if (depth > 0) continue;
    if (is(i, ":")) ++colons;
    if (!is(i, "?") || colons-- > 0) continue;
    std::size_t first = i;
    for (int inner = 0; first > begin; --first) {
      const Token& before = tokens_[first - 1];
      if (is_one_of(before, {")", "]"})) ++inner;
      if (is_one_of(before, {"(", "["}) && --inner < 0) break;
      if (inner == 0 && (before.is(",") || before.is("return") || is_assignment(first - 1))) break;
    }
    add_parts(all, first, i, "&", names);
    return;
  }
}

std::vector<Condition> SourceStructure::conditions(const Element& element) const {
  std::vector<std::string> names;
  for (std::size_t at = element.at + 2; at < element.last; ++at) {
    const bool is_value =
        tokens_[at].is_name() && !is(at + 1, "(") && !is(at + 1, "::") && !is_constant_of_launch(tokens_[at]);
    if (is_value) names.push_back(tokens_[at].text);
    // (Behind a closing bracket the next subscript of the element begins.)
    if (is_one_of(tokens_[at], {"[", "("}) && at + 1 < element.last && !is(at - 1, "]") &&
        (is(at, "[") || (at > 0 && tokens_[at - 1].is_name())))
      at = closing(at);
  }
  std::vector<Condition> all;
  const std::size_t at = element.at;
  for (const Statement& control : controls_) {
    if (control.body <= at && at < control.body_end && !control.is_do)
      add_parts(all, control.condition, control.condition_end, "&", names);
    if (control.condition <= at && at < control.condition_end) {
      std::size_t end = at;
      while (end > control.condition + 1 && !(is(end - 1, "&") && is(end - 2, "&"))) --end;
      if (end > control.condition + 1) add_parts(all, control.condition, end - 2, "&", names);
    }
    // A thread for which it holds goes no further.
    const std::size_t first = control.body + (is(control.body, "{") ? 1 : 0);
    const bool is_guard = is(control.keyword, "if") && control.body_end <= at && first < tokens_.size() &&
                          is_one_of(tokens_[first], {"return", "continue", "break"});
    if (!is_guard) continue;
    int depth = 0;
    for (std::size_t i = control.body_end; i < at && depth >= 0; ++i)
      depth += is(i, "{") ? 1 : is(i, "}") ? -1 : 0;
    if (depth >= 0) add_parts(all, control.condition, control.condition_end, "|", names);
  }
  add_choice(all, at, names);
  return all;
}

std::vector<Loop> SourceStructure::loops(int line) const {
  std::vector<Loop> all;
  for (const Statement& control : controls_) {
    if (!control.is_loop || control.body_end == 0) continue;
    const int first = tokens_[control.keyword].line;
    const std::size_t last = std::max(control.body_end - 1, control.is_do ? control.condition_end : 0);
    if (line < first || last >= tokens_.size() || line > tokens_[last].line) continue;
    const bool is_empty = is(control.body, ";") || (is(control.body, "{") && is(control.body + 1, "}"));
    all.push_back({first, text_of(control.condition, control.condition_end), is_empty});
  }
  return all;
}

std::optional<int> SourceStructure::line_that_sets(std::string_view name, int before) const {
  std::optional<int> line;
  for (std::size_t at = 0; at < tokens_.size() && tokens_[at].line < before; ++at) {
    if (tokens_[at].is(name) && is_assignment(at + 1)) line = tokens_[at].line;
  }
  return line;
}

std::optional<int> SourceStructure::line_that_reads(std::string_view array, int before) const {
  std::optional<int> line;
  for (std::size_t at = 0; at < tokens_.size() && tokens_[at].line < before; ++at) {
    if (tokens_[at].is("__global__")) line.reset();
    if (!tokens_[at].is(array) || !is(at + 1, "[") || is_target_of_atomic(at)) continue;
    bool reads_too = false;
    const bool is_type_before = at > 0 && may_be_type(tokens_[at - 1]);
    if (!is_type_before && !is_written_after(closing(at + 1), reads_too)) line = tokens_[at].line;
  }
  return line;
}

std::vector<int> SourceStructure::returns_before(int line) const {
  std::vector<int> lines;
  for (const Token& token : tokens_) {
    if (token.line >= line) break;
    if (token.is("__global__")) lines.clear();
    if (token.is("return")) lines.push_back(token.line);
  }
  return lines;
}

std::vector<int> SourceStructure::returns_behind_in_loop(int line) const {
  std::vector<int> lines;
  for (const Token& token : tokens_) {
    if (token.line <= line || !token.is("return")) continue;
    const auto is_around = [&](const Loop& loop) {
      return std::ranges::any_of(loops(token.line),
                                 [&](const Loop& other) { return other.line == loop.line; });
    };
    if (std::ranges::any_of(loops(line), is_around)) lines.push_back(token.line);
  }
  return lines;
}

std::optional<SourceStructure::LocalArray> SourceStructure::local_array_of_atomics() const {
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    const bool is_declared = tokens_[at].is_name() && is(at + 1, "[") && may_be_type(tokens_[at - 1]);
    if (!is_declared) continue;
    bool is_local = true;
    for (std::size_t i = beginning_of_statement(at); i < at; ++i)
      is_local &= !is_one_of(tokens_[i],
                             {"__shared__", "__device__", "__constant__", "extern", "static", "*", "&", "("});
    int depth = 0;
    for (std::size_t i = at; i-- > 0;) depth += is(i, "}") ? -1 : is(i, "{") ? 1 : 0;
    if (!is_local || depth == 0) continue;
    for (std::size_t i = at + 1; i + 1 < tokens_.size() && !is(i, "__global__"); ++i) {
      if (!tokens_[i].is(tokens_[at].text) || !is(i + 1, "[") || !is_target_of_atomic(i)) continue;
      return LocalArray{tokens_[at].text, tokens_[at].line, column_of(at)};
    }
  }
  return std::nullopt;
}

bool SourceStructure::is_set_from(std::string_view name, std::string_view other, int before) const {
  for (std::size_t at = 0; at < tokens_.size() && tokens_[at].line < before; ++at) {
    if (!tokens_[at].is(name) || !is_assignment(at + 1)) continue;
    for (std::size_t i = at + 2; i < tokens_.size() && !is(i, ";"); ++i) {
      if (tokens_[i].is(other)) return true;
    }
  }
  return false;
}

std::optional<int> SourceStructure::line_of_return(std::string_view function) const {
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (!tokens_[at].is(function) || !is(at + 1, "(")) continue;
    const std::size_t body = closing(at + 1) + 1;
    if (!is(body, "{")) continue;
    std::optional<int> line;
    for (std::size_t i = body; i < closing(body); ++i) {
      if (!is(i, "return")) continue;
      if (line) return std::nullopt;
      line = tokens_[i].line;
    }
    return line;
  }
  return std::nullopt;
}

}  // namespace judge
