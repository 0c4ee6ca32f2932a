// SPDX-License-Identifier: MIT
#include "judge/bounds_details.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "judge/finding_message.hpp"
#include "judge/source_text.hpp"

namespace judge {

namespace {

// "; `tree` is declared at line 6" of an array that the file declares with a length.
std::string declared_at(const std::string& array, const SourceStructure& source) {
  const auto declared = source.declaration(array);
  return declared && !declared->extent.empty()
             ? fmt::format("; `{}[{}]` is declared at line {}", array, declared->extent, declared->line)
             : std::string();
}

// "end" of "i < end": a name that is compared with.
std::string bound_of(const std::string& condition) {
  const std::size_t at = condition.find_last_of("<=");
  if (at == std::string::npos) return {};
  const std::size_t begin = condition.find_first_not_of(' ', at + 1);
  if (begin == std::string::npos) return {};
  const std::string bound = condition.substr(begin);
  return std::ranges::all_of(bound, [](char c) { return is_of_name(c); }) ? bound : std::string();
}

// Of an array that is declared with another length than that up to which its index is let through.
std::optional<std::string> wrong_bound(const Element& element, const std::string& array,
                                       const std::vector<Condition>& held, const SourceStructure& source) {
  const auto declared = source.declaration(array);
  if (!declared || declared->extent.empty() || element.index.empty()) return std::nullopt;
  for (const Condition& condition : held) {
    const std::string below = element.index + " < ";
    if (!condition.text.starts_with(below) || condition.text.substr(below.size()) == declared->extent)
      continue;
    return fmt::format("`{}` at line {} lets more through than `{}[{}]` has, which is declared at line {}",
                       condition.text, condition.line, array, declared->extent, declared->line);
  }
  return std::nullopt;
}

// A byte from 128 on, held as a signed number.
std::optional<std::string> signed_byte_in(const Element& element, const std::optional<Reached>& reached,
                                          const SourceStructure& source) {
  const bool is_one_value = element.index.find_first_of("+-*/") == std::string::npos;
  if (!reached || reached->index >= 0 || reached->index < -128 || !is_one_value) return std::nullopt;
  for (const std::string& name : source.names_in(element)) {
    const auto declared = source.declaration(name);
    if (declared && !declared->is_array && (declared->type == "char" || declared->type == "signed char"))
      return fmt::format("`{}`, declared at line {} as `{}`, holds bytes from 128 on as negative numbers",
                         name, declared->line, declared->type);
  }
  return std::nullopt;
}

// Of an access through a pointer of the kernel's own.
std::string missing_behind_pointer(const Element& element, const std::string& array, int line,
                                   const SourceStructure& source) {
  const auto set = source.line_that_sets(element.name, line);
  const std::string written = element.index.empty() ? "`" + element.name + "[...]`"
                                                    : fmt::format("`{}[{}]`", element.name, element.index);
  if (!set) return fmt::format("nothing at line {} keeps the index within the array", line);
  if (!source.is_set_by_cast(element.name, line))
    return fmt::format("{} lies outside of {}; `{}` is set at line {}", written, array, element.name, *set);
  const std::vector<Condition> held = source.conditions(element);
  const std::string bound = held.empty() ? std::string()
                                         : fmt::format(", and `{}` at line {} does not keep it within",
                                                       held.back().text, held.back().line);
  return fmt::format("{} reaches outside of {}: `{}` is set by a cast at line {}{}", written, array,
                     element.name, *set, bound);
}

// Of an access to elements of another type than the array has.
std::string missing_behind_cast(const Element& element, int line, const SourceStructure& source) {
  const std::vector<Condition> held = source.conditions(element);
  const std::string index = element.index.empty() ? "the index" : fmt::format("`{}`", element.index);
  const std::string bound = held.empty() ? fmt::format("no condition keeps {}", index)
                                         : fmt::format("`{}` at line {} does not keep {}", held.back().text,
                                                       held.back().line, index);
  return fmt::format("`{}` is cast to a pointer to other elements at line {}, and {} within the array",
                     element.name, line, bound);
}

}  // namespace

std::string missing_in_bounds(const facts::Finding& finding, const SourceStructure& source) {
  // "...; counts has 7 elements": what is not about an index says nothing of the kind in its first line.
  const std::string first_line = finding.message.substr(0, finding.message.find('\n'));
  if (first_line.find("; ") == std::string::npos) return {};
  if (first_line.find("; atomics need ") != std::string::npos) return {};
  const facts::Location& place = finding.where.front();
  if (finding.message.find(" is dynamic shared memory") != std::string::npos) {
    const auto line = source.line_of_return("launch_shape");
    return fmt::format("launch_shape{} gives fewer bytes of shared memory than the kernel uses",
                       line ? fmt::format(" (line {})", *line) : "");
  }
  const std::string array = array_in(finding.message);
  const auto reached = reached_in(finding.message, place);
  const auto element = source.element(place.line, place.role, array, reached);
  if (!element || !element->is_only || element->has_alias)
    return fmt::format("nothing at line {} keeps the index within the array", place.line);
  if (element->is_cast) return missing_behind_cast(*element, place.line, source);
  if (element->name != array) return missing_behind_pointer(*element, array, place.line, source);
  const bool has_several = element->last > element->close;
  const std::string index =
      has_several              ? (element->further.empty()
                                      ? "the indices"
                                      : fmt::format("`{}[{}]{}`", element->name, element->index, element->further))
      : element->index.empty() ? "the index"
                               : fmt::format("the index `{}`", element->index);
  const bool is_too_large =
      reached && reached->index >= 0 && finding.message.find(" as a signed number") == std::string::npos;
  // (Of `counts[0][k]` the constant is another index than the one that was used.)
  const auto constant = reached && !has_several ? source.constant_index(*element) : std::nullopt;
  const bool is_used = !constant || *constant == reached->index;
  if (source.is_constant(*element) && is_used && !has_several)
    return fmt::format("{} at line {} is a constant that lies outside of the array", index, place.line);
  if (const auto of_byte = signed_byte_in(*element, reached, source)) return *of_byte;
  const std::string declared = is_too_large ? declared_at(array, source) : std::string();
  std::vector<Condition> held = source.conditions(*element);
  if (held.empty()) {
    if (element->index.find('?') != std::string::npos)
      return fmt::format("{} at line {} is not kept within the array{}", index, place.line, declared);
    const auto another = source.condition_of_another(*element);
    return another
               ? fmt::format(
                     "the condition at line {} asks for `{}`, and none keeps {} at line {} within the array",
                     another->line, another->text, index, place.line)
               : fmt::format("no condition keeps {} at line {} within the array{}", index, place.line,
                             declared);
  }
  if (held.size() > 2) held.erase(held.begin(), held.end() - 2);
  if (is_too_large && !has_several) {
    if (const auto bound = wrong_bound(*element, array, held, source)) return *bound;
  }
  std::string text;
  for (const Condition& condition : held)
    text += fmt::format("{}`{}` at line {}", text.empty() ? "" : " and ", condition.text, condition.line);
  text += (held.size() == 1 ? " does" : " do") + (" not keep " + index) + " within the array";
  for (const Condition& condition : held) {
    const std::string bound = bound_of(condition.text);
    const auto set = bound.empty() ? std::nullopt : source.line_that_sets(bound, place.line);
    if (is_too_large && set && *set != condition.line)
      text += fmt::format("; `{}` is set at line {}", bound, *set);
  }
  return text;
}

}  // namespace judge
