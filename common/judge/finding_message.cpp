// SPDX-License-Identifier: MIT
#include "judge/finding_message.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "judge/source_text.hpp"

namespace judge {

std::string array_in(std::string_view message) {
  const std::size_t bracket = message.find('[');
  if (bracket == std::string_view::npos) return {};
  std::size_t begin = bracket;
  while (begin > 0 && is_of_name(message[begin - 1])) --begin;
  return std::string(message.substr(begin, bracket - begin));
}

std::string element_in(std::string_view message) {
  const std::string array = array_in(message);
  const std::size_t open = message.find('[');
  if (array.empty()) return {};
  return array + std::string(message.substr(open, message.find(']', open) + 1 - open));
}

std::string role_in(std::string_view first_line) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [verb, role] :
       {Pair{" read ", "reads"}, Pair{" wrote ", "writes"}, Pair{" changed ", "changes"}}) {
    if (first_line.find(verb) != std::string_view::npos) return std::string(role);
  }
  return {};
}

std::optional<Actor> actor_in(std::string_view message, const facts::Location& place) {
  std::vector<Actor> all;
  constexpr std::string_view thread = "thread (", of_block = " of block (";
  for (std::size_t at = 0; (at = message.find(thread, at)) != std::string_view::npos; ++at) {
    const std::size_t begin = at + thread.size(), middle = message.find(of_block, at);
    if (middle == std::string_view::npos) break;
    const std::string numbers(message.substr(begin, middle - begin - 1));
    const std::size_t block = middle + of_block.size();
    const std::string of(message.substr(block, message.find(')', block) - block));
    if (!numbers.ends_with(",0,0")) return std::nullopt;
    all.push_back({std::strtoll(numbers.c_str(), nullptr, 10),
                   "block " + (of.ends_with(",0,0") ? of.substr(0, of.find(',')) : "(" + of + ")")});
  }
  if (all.size() == 1) return all.front();
  if (all.size() != 2) return std::nullopt;
  const std::string_view line = message.substr(0, message.find('\n'));
  const std::size_t between = line.find(" while another ");
  if (between == std::string_view::npos) return std::nullopt;
  const auto does = [&](std::string_view part, std::string_view role) {
    const std::size_t word = role.find(' ');
    return part.find(" " + std::string(role.substr(0, word)) + " ") != std::string_view::npos;
  };
  const bool is_first = does(line.substr(0, between), place.role);
  const bool is_second = does(line.substr(between + 1), place.role);
  return is_first == is_second ? std::nullopt : std::optional(is_first ? all[0] : all[1]);
}

std::optional<Reached> reached_in(const std::string& message, const facts::Location& place) {
  const std::size_t open = message.substr(0, message.find('\n')).find('[');
  if (open == std::string::npos) return std::nullopt;
  const auto actor = actor_in(message, place);
  return Reached{std::strtoll(message.c_str() + open + 1, nullptr, 10),
                 actor ? std::optional(actor->thread) : std::nullopt};
}

bool is_across_blocks(const std::string& message) {
  constexpr std::string_view of_block = " of block (";
  const std::size_t one = message.find(of_block), other = message.find(of_block, one + 1);
  if (one == std::string::npos || other == std::string::npos) return false;
  const auto block_at = [&](std::size_t at) { return message.substr(at, message.find(')', at) - at); };
  return block_at(one) != block_at(other);
}

const facts::Location* place_with(const facts::Finding& finding, std::string_view role) {
  const auto found =
      std::ranges::find_if(finding.where, [&](const facts::Location& place) { return place.role == role; });
  return found == finding.where.end() ? nullptr : &*found;
}

}  // namespace judge
