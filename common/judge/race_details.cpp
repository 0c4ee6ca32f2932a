// SPDX-License-Identifier: MIT
#include "judge/race_details.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "judge/finding_message.hpp"
#include "judge/source_text.hpp"

namespace judge {

namespace {

// Of an element that several threads read and write back: whether that is one operator, or a read and a
// write.
std::string missing_in_update(int first, int last, const std::string& array, const SourceStructure& source) {
  if (first != last)
    return fmt::format("the accesses at line {} and line {} are not one atomic update", first, last);
  const auto element = source.element(last, "writes", array);
  const bool is_one = !element || element->is_updated || source.element(last, "reads", array).has_value();
  const auto read = is_one ? std::nullopt : source.line_that_reads(element->name, last);
  return read ? fmt::format("the read at line {} and the write at line {} are not one atomic update", *read,
                            last)
              : fmt::format("the update at line {} is not atomic", last);
}

// Both accesses with their blocks, in the student's words for the element. Which of them is out of place is
// not claimed, unless both blocks come to it by one pointer.
std::string missing_between_blocks(const facts::Finding& finding, const SourceStructure& source) {
  const facts::Location &front = finding.where.front(), &back = finding.where.back();
  const std::string array = array_in(finding.message);
  const auto one = actor_in(finding.message, front), other = actor_in(finding.message, back);
  const auto element_at = [&](const facts::Location& place) {
    const auto element = source.element(place.line, place.role, array, reached_in(finding.message, place));
    return element && element->is_only && !element->is_cast && !element->index.empty() ? element
                                                                                       : std::nullopt;
  };
  const auto first = element_at(front), second = element_at(back);
  const std::string_view end = ", and no barrier joins threads of different blocks";
  const std::string array_element = element_in(finding.message);
  const bool is_variable = array_element.empty();
  const std::string same = is_variable ? "the same variable" : "the same element";
  if (!one || !other)
    return fmt::format("two blocks use the same element, at line {}{}{}", front.line,
                       front.line == back.line ? "" : fmt::format(" and line {}", back.line), end);
  const auto written = [](const Element& element) {
    return fmt::format("`{}[{}]{}`", element.name, element.index, element.further);
  };
  const bool is_one_pointer = first && second && first->name == second->name && first->name != array;
  const auto set = is_one_pointer ? source.line_that_sets(first->name, back.line) : std::nullopt;
  if (set)
    return fmt::format("`{}`, set at line {}, leads both blocks to the same element{}", first->name, *set,
                       end);
  const auto does = [](const facts::Location& place, const std::string& element) {
    return place.role == "changes atomically" ? fmt::format("changes {} atomically", element)
                                              : fmt::format("{} {}", place.role, element);
  };
  return fmt::format("{} {} at line {}, {} {} at line {}{}", one->block,
                     does(front, first         ? written(*first)
                                 : is_variable ? "a variable"
                                               : array_element),
                     front.line, other->block,
                     does(back, second ? same + ", " + written(*second) + "," : same), back.line, end);
}

std::string_view noun_of(std::string_view role) {
  return role == "reads" ? "read" : role == "writes" ? "write" : "atomic";
}

// Both accesses are on one line: in a loop, mostly.
std::string missing_on_one_line(const facts::Finding& finding, std::string_view barrier,
                                const SourceStructure& source) {
  const facts::Location &front = finding.where.front(), &back = finding.where.back();
  const std::vector<Loop> loops = source.loops(front.line);
  const std::string both = front.role == back.role
                               ? fmt::format("two threads' {}s at line {}", noun_of(front.role), front.line)
                               : fmt::format("one thread's {} and another's {} at line {}",
                                             noun_of(front.role), noun_of(back.role), front.line);
  if (loops.empty()) return fmt::format("no {} between {}", barrier, both);
  const std::vector<int> barriers = source.barriers_in_loop(loops.back().line);
  if (barriers.empty())
    return fmt::format("no {} in the loop at line {}, between {}", barrier, loops.back().line, both);
  const std::vector<Control> around = source.controls(barriers.front());
  const bool is_conditional = barriers.size() == 1 && !around.empty() && !around.back().is_loop;
  const std::string condition = is_conditional && !around.back().condition.empty()
                                    ? fmt::format("the condition `{}`", around.back().condition)
                                    : std::string("a condition");
  const bool is_in_each_round =
      !around.empty() && around.back().is_loop && around.back().line == loops.back().line &&
      code_of(line_of(source.text(), barriers.front())).find("__syncthreads") != std::string::npos;
  return fmt::format(
      "no barrier is passed between {}{}", both,
      is_conditional ? fmt::format("; the barrier at line {} stands under {}", barriers.front(), condition)
      : is_in_each_round ? fmt::format(", in one round of the loop at line {}", loops.back().line)
                         : std::string());
}

constexpr std::uint64_t lanes_of_warp = 32;

// Whether the two threads are of one block, and of groups of so many threads that differ.
bool are_parted(const facts::Finding& finding, std::uint64_t threads) {
  return finding.threads.size() == 2 && finding.threads[0].block == finding.threads[1].block &&
         finding.threads[0].thread / threads != finding.threads[1].thread / threads;
}

// The innermost loop around both lines, if the two threads wait for each other between them in each round.
std::optional<int> loop_of_next_round(const facts::Finding& finding, int one, int other,
                                      const SourceStructure& source) {
  std::optional<int> found;
  const std::vector<Loop> around_other = source.loops(other);
  for (const Loop& loop : source.loops(one)) {
    if (std::ranges::find(around_other, loop.line, &Loop::line) != around_other.end()) found = loop.line;
  }
  if (!found) return std::nullopt;
  const std::vector<int> barriers = source.barriers_in_loop(*found);
  const bool waits_between = std::ranges::any_of(barriers, [&](int barrier) {
    const bool is_of_warp = code_of(line_of(source.text(), barrier)).find("__syncwarp") != std::string::npos;
    if (is_of_warp && are_parted(finding, lanes_of_warp)) return false;
    const std::vector<Control> around = source.controls(barrier);
    return one < barrier && barrier < other && !around.empty() && around.back().is_loop &&
           around.back().line == *found;
  });
  return waits_between ? found : std::nullopt;
}

// "; `counts[b]` and `staged[i]` are the same element" of an element that the two lines come to by different
// names: where these are arrays that overlap, no barrier helps.
std::string by_two_names(const facts::Finding& finding, const SourceStructure& source) {
  std::vector<std::string> names, written;
  std::vector<facts::Location> places{finding.where.front(), finding.where.back()};
  std::ranges::stable_sort(places, {}, &facts::Location::line);
  for (const facts::Location& place : places) {
    const auto element =
        source.element(place.line, place.role, array_in(finding.message), reached_in(finding.message, place));
    if (!element || !element->is_only || element->is_cast || element->has_alias || element->index.empty())
      return {};
    names.push_back(element->name);
    written.push_back(fmt::format("`{}[{}]{}`", element->name, element->index, element->further));
  }
  return names[0] == names[1] ? std::string()
                              : fmt::format("; {} and {} are the same element", written[0], written[1]);
}

// Of two threads of a block with a barrier between the lines, which waits for others.
std::optional<std::string> parted_by_groups(const facts::Finding& finding, const SourceStructure& source,
                                            int one, int other) {
  const auto tile = source.tile_barrier(one, other);
  if (tile && are_parted(finding, tile->threads))
    return fmt::format(
        "the barrier at line {} joins a tile of {} threads, and threads {} and {} are in different tiles",
        tile->line, tile->threads, finding.threads[0].thread, finding.threads[1].thread);
  const auto warp = are_parted(finding, lanes_of_warp) ? source.warp_barrier(one, other) : std::nullopt;
  if (warp)
    return fmt::format(
        "the `__syncwarp` at line {} joins the threads of a warp, and threads {} and {} are in different "
        "warps",
        *warp, finding.threads[0].thread, finding.threads[1].thread);
  return std::nullopt;
}

// Of accesses with no order between them, which of several kinds a barrier may be: the two lines, or those at
// which the kernel calls the functions that have them.
std::string missing_barrier(const facts::Finding& finding, const SourceStructure& source) {
  const std::string_view which = finding.diagnosis == "missing_warp_sync" ? "barrier of the warp" : "barrier";
  const int front = finding.where.front().line, back = finding.where.back().line;
  const int front_call = source.line_of_call(front).value_or(front),
            back_call = source.line_of_call(back).value_or(back);
  const bool are_calls = front_call != back_call;
  const auto written = [&](int line, int call) {
    return are_calls && line != call ? fmt::format("the call at line {}", call)
                                     : fmt::format("line {}", line);
  };
  int one = are_calls ? front_call : front, other = are_calls ? back_call : back;
  std::string first = written(front, front_call), second = written(back, back_call);
  if (one > other) {
    std::swap(one, other);
    std::swap(first, second);
  }
  if (const auto parted = parted_by_groups(finding, source, one, other)) return *parted;
  if (const auto loop = loop_of_next_round(finding, one, other, source))
    return fmt::format("no {} between {} and {} in the next round of the loop at line {}", which, second,
                       first, *loop);
  if (one != other)
    return fmt::format("no {} between {} and {}", which, first, second) + by_two_names(finding, source);
  return missing_on_one_line(finding, which, source);
}

}  // namespace

std::optional<int> shared_variable_in(const facts::Finding& finding, const SourceStructure& source) {
  const auto declared = source.declaration(array_in(finding.message));
  return declared && declared->is_shared && !declared->is_array ? std::optional(declared->line)
                                                                : std::nullopt;
}

std::string missing_in_race(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.diagnosis.empty() || finding.where.empty()) return {};
  const facts::Location &front = finding.where.front(), &back = finding.where.back();
  const int one = std::min(front.line, back.line), other = std::max(front.line, back.line);
  const std::string array = array_in(finding.message);
  if (front.role == "uses") return fmt::format("`{}` is one storage for all warps of the block", array);
  const auto variable = shared_variable_in(finding, source);
  const std::string one_for_all =
      variable ? fmt::format("`{}`, declared at line {}, is one variable for all threads of the block", array,
                             *variable)
               : std::string();
  if (finding.diagnosis != "missing_atomic") {
    if (variable && front.role == "writes" && back.role == "writes") return one_for_all;
    if (const auto order = source.one_sided_order()) return *order;
    return missing_barrier(finding, source);
  }
  const bool is_update = finding.message.find(" change ") != std::string::npos ||
                         finding.message.find(" and then writes it") != std::string::npos;
  if (is_across_blocks(finding.message) && finding.message.find(" by atomics ") == std::string::npos) {
    if (const auto order = source.one_sided_order()) return *order;
  }
  const auto updates = [&](const facts::Location& place) {
    const auto element = source.element(place.line, place.role, array);
    return element && element->is_updated && element->is_only;
  };
  if (is_update && finding.message.find(" by atomics ") == std::string::npos) {
    const bool is_one_atomic = front.role == "changes atomically" || back.role == "changes atomically";
    const int plain = front.role == "changes atomically" ? back.line : front.line;
    return (is_one_atomic ? missing_in_update(plain, plain, array, source)
                          : missing_in_update(one, other, array, source)) +
           (variable ? "; " + one_for_all : std::string());
  }
  for (const facts::Location* place : {&front, &back}) {
    if (place->role != "changes atomically" && updates(*place))
      return fmt::format("the update at line {} is not atomic", place->line);
  }
  if (!is_across_blocks(finding.message)) return {};
  if (front.role == "writes" && back.role == "writes")
    return "the block that writes later replaces what the other has written";
  const auto writes = [](const facts::Location& place) {
    return place.role == "writes" || place.role == "changes atomically";
  };
  const bool is_front_read = front.role == "reads";
  if ((is_front_read && writes(back)) || (back.role == "reads" && writes(front))) {
    const auto missing = is_front_read ? source.missing_order(back.line, front.line)
                                       : source.missing_order(front.line, back.line);
    if (missing) return *missing;
  }
  return missing_between_blocks(finding, source);
}

}  // namespace judge
