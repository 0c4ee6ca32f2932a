// SPDX-License-Identifier: MIT
#include "judge/finding_details.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "facts/words.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

std::string array_in(std::string_view message) {
  const std::size_t bracket = message.find('[');
  if (bracket == std::string_view::npos) return {};
  std::size_t begin = bracket;
  while (begin > 0 && is_of_name(message[begin - 1])) --begin;
  return std::string(message.substr(begin, bracket - begin));
}

namespace {

constexpr std::string_view launch_shape = "launch_shape";

std::string without_end_blanks(std::string_view line) {
  return std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

// With its index: "counts[3]".
std::string element_in(std::string_view message) {
  const std::string array = array_in(message);
  const std::size_t open = message.find('[');
  if (array.empty()) return {};
  return array + std::string(message.substr(open, message.find(']', open) + 1 - open));
}

// "reads" of "histogram_kernel read data[1000]; ..."
std::string role_in(std::string_view first_line) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [verb, role] :
       {Pair{" read ", "reads"}, Pair{" wrote ", "writes"}, Pair{" changed ", "changes"}}) {
    if (first_line.find(verb) != std::string_view::npos) return std::string(role);
  }
  return {};
}

// The thread that the message names for the place: of two, the one whose deed comes first in the message is
// named first.
struct Actor {
  std::int64_t thread = 0;
  std::string block;  // "block 3"
};

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

// The element that the message names first, as the thread at the place has reached it.
std::optional<Reached> reached_in(const std::string& message, const facts::Location& place) {
  const std::size_t open = message.substr(0, message.find('\n')).find('[');
  if (open == std::string::npos) return std::nullopt;
  const auto actor = actor_in(message, place);
  return Reached{std::strtoll(message.c_str() + open + 1, nullptr, 10),
                 actor ? std::optional(actor->thread) : std::nullopt};
}

// Where on its line the place is, from 1; the start of the line's code where that is not known, and 0 where
// that would point at another array, or one of several elements of the array is meant.
int column_of(const facts::Location& place, const std::string& array, const std::string& message,
              const SourceStructure& source) {
  const std::string code = code_of(place.text);
  const auto column = [](std::size_t at) { return static_cast<int>(at) + 1; };
  if (place.role == "waits") {
    for (const std::string_view call : {"__sync", "sync", "__", "shuffle"}) {
      if (const std::size_t at = code.find(call); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "repeats") {
    for (const std::string_view keyword : {"for", "while", "do"}) {
      if (const std::size_t at = find_name(code, keyword); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "returns") {
    if (const std::size_t at = find_name(code, "return"); at != std::string::npos) return column(at);
  }
  if (!array.empty()) {
    const auto element = source.element(place.line, place.role, array, reached_in(message, place));
    if (element) return element->is_only ? element->column : 0;
    if (const std::size_t at = find_name(code, array); at != std::string::npos) return column(at);
    if (code.find('[') != std::string::npos) return 0;
  }
  const std::size_t first = place.text.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : column(first);
}

const facts::Location* place_with(const facts::Finding& finding, std::string_view role) {
  const auto found =
      std::ranges::find_if(finding.where, [&](const facts::Location& place) { return place.role == role; });
  return found == finding.where.end() ? nullptr : &*found;
}

// Whether the two threads are of different blocks, by the message's second line.
bool is_across_blocks(const std::string& message) {
  constexpr std::string_view of_block = " of block (";
  const std::size_t one = message.find(of_block), other = message.find(of_block, one + 1);
  if (one == std::string::npos || other == std::string::npos) return false;
  const auto block_at = [&](std::size_t at) { return message.substr(at, message.find(')', at) - at); };
  return block_at(one) != block_at(other);
}

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
    return element && element->is_only && !element->index.empty() ? element : std::nullopt;
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
    return fmt::format("`{}[{}]`", element.name, element.index);
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

// The line that declares the shared variable, no array, in which the race is.
std::optional<int> shared_variable_in(const facts::Finding& finding, const SourceStructure& source) {
  const auto declared = source.declaration(array_in(finding.message));
  return declared && declared->is_shared && !declared->is_array ? std::optional(declared->line)
                                                                : std::nullopt;
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

// The innermost loop around both lines, if threads wait for each other between them in each round.
std::optional<int> loop_of_next_round(int one, int other, const SourceStructure& source) {
  std::optional<int> found;
  const std::vector<Loop> around_other = source.loops(other);
  for (const Loop& loop : source.loops(one)) {
    if (std::ranges::find(around_other, loop.line, &Loop::line) != around_other.end()) found = loop.line;
  }
  if (!found) return std::nullopt;
  const std::vector<int> barriers = source.barriers_in_loop(*found);
  const bool waits_between = std::ranges::any_of(barriers, [&](int barrier) {
    const std::vector<Control> around = source.controls(barrier);
    return one < barrier && barrier < other && !around.empty() && around.back().is_loop &&
           around.back().line == *found;
  });
  return waits_between ? found : std::nullopt;
}

// Of two threads of a block with a barrier between the lines, which waits for others.
std::optional<std::string> parted_by_tiles(const facts::Finding& finding, const SourceStructure& source,
                                           int one, int other) {
  if (finding.threads.size() != 2 || finding.threads[0].block != finding.threads[1].block)
    return std::nullopt;
  const auto barrier = source.tile_barrier(one, other);
  if (!barrier ||
      finding.threads[0].thread / barrier->threads == finding.threads[1].thread / barrier->threads)
    return std::nullopt;
  return fmt::format(
      "the barrier at line {} joins a tile of {} threads, and threads {} and {} are in different tiles",
      barrier->line, barrier->threads, finding.threads[0].thread, finding.threads[1].thread);
}

std::string missing_in_race(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.diagnosis.empty() || finding.where.empty()) return {};
  const facts::Location &front = finding.where.front(), &back = finding.where.back();
  const int one = std::min(front.line, back.line), other = std::max(front.line, back.line);
  const std::string array = array_in(finding.message);
  const auto variable = shared_variable_in(finding, source);
  const std::string one_for_all =
      variable ? fmt::format("`{}`, declared at line {}, is one variable for all threads of the block", array,
                             *variable)
               : std::string();
  if (finding.diagnosis != "missing_atomic") {
    const std::string_view which =
        finding.diagnosis == "missing_warp_sync" ? "barrier of the warp" : "barrier";
    if (variable && front.role == "writes" && back.role == "writes") return one_for_all;
    if (const auto parted = parted_by_tiles(finding, source, one, other)) return *parted;
    if (const auto loop = loop_of_next_round(one, other, source))
      return fmt::format("no {} between line {} and line {} in the next round of the loop at line {}", which,
                         other, one, *loop);
    if (one != other) return fmt::format("no {} between line {} and line {}", which, one, other);
    return missing_on_one_line(finding, which, source);
  }
  const bool is_update = finding.message.find(" change ") != std::string::npos ||
                         finding.message.find(" and then writes it") != std::string::npos;
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
  const bool are_plain =
      (front.role == "writes" && back.role == "reads") || (front.role == "reads" && back.role == "writes");
  if (are_plain) {
    const facts::Location &writes = front.role == "writes" ? front : back,
                          &reads = front.role == "writes" ? back : front;
    if (const auto missing = source.missing_order(writes.line, reads.line)) return *missing;
  }
  return missing_between_blocks(finding, source);
}

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

std::string missing_in_bounds(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.message.find("; ") == std::string::npos) return {};
  const facts::Location& place = finding.where.front();
  if (finding.message.find(" is dynamic shared memory") != std::string::npos) {
    const auto line = source.line_of_return(launch_shape);
    return fmt::format("launch_shape{} gives fewer bytes of shared memory than the kernel uses",
                       line ? fmt::format(" (line {})", *line) : "");
  }
  const std::string array = array_in(finding.message);
  const auto reached = reached_in(finding.message, place);
  const auto element = source.element(place.line, place.role, array, reached);
  if (!element || !element->is_only)
    return fmt::format("nothing at line {} keeps the index within the array", place.line);
  if (element->name != array) return missing_behind_pointer(*element, array, place.line, source);
  const std::string index =
      element->index.empty() ? "the index" : fmt::format("the index `{}`", element->index);
  const bool is_too_large =
      reached && reached->index >= 0 && finding.message.find(" as a signed number") == std::string::npos;
  if (source.is_constant(*element))
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
  if (is_too_large) {
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

// The shape of a launch that was refused comes from here.
void add_launch_shape(facts::Finding& finding, const std::string& source) {
  if (source.empty()) return;
  const auto line = SourceStructure(os::read_file(source).value_or("")).line_of_return(launch_shape);
  if (line) finding.where.push_back({.file = source, .line = *line, .role = "returns"});
}

// Counts that every thread keeps for itself never come together.
void add_local_array(facts::Finding& finding, const std::string& source) {
  if (source.empty()) return;
  const std::string text = os::read_file(source).value_or("");
  const auto array = SourceStructure(text).local_array_of_atomics();
  if (!array) return;
  facts::Location place{.file = source, .line = array->line, .role = "declares"};
  place.text = without_end_blanks(line_of(text, place.line));
  place.column = array->column;
  finding.where.push_back(std::move(place));
  finding.missing = fmt::format(
      "each thread has an array `{}` of its own: no thread sees what another counts there", array->name);
}

std::string missing_in_loop(const facts::Finding& finding, const SourceStructure& source) {
  const facts::Location* place = place_with(finding, "repeats");
  if (!place && finding.message.find(" never ends") != std::string::npos) place = &finding.where.front();
  if (!place) return {};
  const std::vector<Loop> loops = source.loops(place->line);
  if (loops.empty()) return fmt::format("the steps at line {} come again and again", place->line);
  if (loops.size() > 1) {
    std::string lines;
    for (const Loop& loop : loops) lines += fmt::format("{}line {}", lines.empty() ? "" : " or ", loop.line);
    return fmt::format("one of the loops never ends: at {}", lines);
  }
  const Loop& loop = loops.front();
  if (loop.condition.empty() || loop.condition == "true" || loop.condition == "1")
    return fmt::format("no way out of the loop at line {} is ever taken", loop.line);
  const std::string ends =
      fmt::format("the loop at line {} never ends, because `{}` stays true", loop.line, loop.condition);
  const auto counter = source.counter(loop.line);
  const bool is_of_threads = finding.message.find(" a thread repeats ") != std::string::npos;
  if (!counter) return ends + (is_of_threads ? " for this thread" : "");
  if (!counter->may_change) return fmt::format("{}: nothing in the loop changes `{}`", ends, counter->name);
  const auto declared = source.declaration(counter->name);
  constexpr std::array<std::string_view, 8> short_types{
      "short", "unsigned short", "char", "unsigned char", "signed char", "uint8_t", "uint16_t", "int16_t"};
  return declared && std::ranges::count(short_types, declared->type) > 0
             ? fmt::format("{}: `{}` has the type `{}`", ends, counter->name, declared->type)
             : ends;
}

// Of steps that come again and again: the line of their loop, if it is the only one that may be meant.
int head_of_loop(int line, const std::string& text) {
  const std::vector<Loop> loops = SourceStructure(text).loops(line);
  return loops.size() == 1 ? loops.front().line : line;
}

// Of an array that other threads have filled in part.
std::string missing_write(const facts::Finding& finding, const SourceStructure& source) {
  const int line = finding.where.front().line;
  const std::vector<int> writes = source.lines_that_write(array_in(finding.message), line);
  const std::string element = element_in(finding.message);
  if (writes.empty()) return fmt::format("no write to {} before line {}", element, line);
  if (writes.size() == 1)
    return fmt::format("the write at line {} does not reach {} before line {}", writes.front(), element,
                       line);
  return fmt::format("the writes at line {} and line {} do not reach {} before line {}", writes[0], writes[1],
                     element, line);
}

// ", which stands under the condition `i < n` at line 8": the conditions up to the innermost loop, for any of
// them may be what did not hold, and that loop.
std::string standing(int line, const SourceStructure& source) {
  const std::vector<Control> around = source.controls(line);
  const auto loop = std::ranges::find(around.rbegin(), around.rend(), true, &Control::is_loop);
  std::vector<std::string> conditions;
  for (auto control = loop.base(); control != around.end(); ++control) {
    conditions.push_back(control->condition.empty()
                             ? fmt::format("at line {}", control->line)
                             : fmt::format("`{}` at line {}", control->condition, control->line));
  }
  std::string text;
  if (!conditions.empty())
    text = fmt::format(", which stands under the condition{} {}", conditions.size() > 1 ? "s" : "",
                       fmt::join(conditions, " and "));
  if (loop != around.rend())
    text += fmt::format("{} in the loop at line {}", text.empty() ? ", which stands" : ",", loop->line);
  return text;
}

// Who waits where, and under which conditions.
std::string missing_in_divergence(const facts::Finding& finding, const SourceStructure& source) {
  const int one = finding.where.front().line, other = finding.where.back().line;
  const bool known = finding.threads.size() == 2;
  const auto waits = [&](std::size_t which, std::string_view otherwise) {
    return known ? fmt::format("thread {} waits", finding.threads[which].thread) : std::string(otherwise);
  };
  const std::string under = standing(one, source), other_under = standing(other, source);
  // A loop or condition around both says nothing.
  const bool differ = under != other_under;
  return fmt::format("{} at line {}{}; {} at line {}{}; no barrier joins them", waits(0, "some threads wait"),
                     one, differ ? under : "", waits(1, "others wait"), other, differ ? other_under : "");
}

std::string missing_in(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.where.empty()) return {};
  const int line = finding.where.front().line;
  switch (finding.verdict) {
    case facts::Verdict::race:
      return missing_in_race(finding, source);
    case facts::Verdict::divergent_barrier:
      if (finding.message.starts_with("a warp operation with mask "))
        return fmt::format("not all lanes that the mask names come to line {}{}", line,
                           standing(line, source));
      if (finding.where.size() == 2 && finding.where.front().role == "waits" &&
          finding.where.back().role == "waits" && line != finding.where.back().line)
        return missing_in_divergence(finding, source);
      return {};
    case facts::Verdict::uninitialised:
      return missing_write(finding, source);
    case facts::Verdict::out_of_bounds:
      return missing_in_bounds(finding, source);
    case facts::Verdict::timeout:
      return missing_in_loop(finding, source);
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view text, std::string_view function) {
  const std::vector<Token> tokens = tokens_of(text).all;
  std::size_t at = 0;
  while (at + 1 < tokens.size() && !(tokens[at].is(function) && tokens[at + 1].is("("))) ++at;
  std::vector<std::string> names;
  if (at + 1 >= tokens.size()) return names;
  int depth = 0, angles = 0;
  bool is_over = false;  // behind the name: a default, or an array's extent
  std::string name;
  for (++at; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.is("(")) ++depth;
    if (token.is("<")) ++angles;
    if (token.is(">")) --angles;
    if (token.is(")")) --depth;
    const bool ends = depth == 0 || (token.is(",") && depth == 1 && angles == 0);
    if (ends) {
      names.push_back(name);
      name.clear();
      is_over = false;
      if (depth == 0) return names;
      continue;
    }
    is_over |= token.is("=") || token.is("[");
    if (token.is_name() && depth == 1 && angles == 0 && !is_over) name = token.text;
  }
  return {};
}

StudentNames::StudentNames(const problems::Problem& problem, bool launched, const std::string& source)
    : source_(source) {
  const problems::Callee& callee = problem.entry(launched).front();
  const std::string text = source.empty() ? "" : os::read_file(source).value_or("");
  const std::vector<std::string> own = parameter_names(text, callee.name);
  const std::vector<std::string> usual = parameter_names(callee.declaration, callee.name);
  if (own.size() != usual.size()) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    // Where the file gives the usual name to something else, both would be called the same.
    if (own[i].empty() || own[i] == usual[i] || line_that_names(text, usual[i])) continue;
    names_.emplace_back(usual[i], own[i]);
  }
}

std::string StudentNames::in(std::string text) const {
  for (const auto& [usual, own] : names_) {
    for (std::size_t at = 0; (at = find_name(text, usual, at)) != std::string::npos; at += own.size()) {
      // A word of a sentence, or the option of a command, is no name.
      const bool is_element = at + usual.size() < text.size() && text[at + usual.size()] == '[';
      const bool is_quoted = at > 0 && text[at - 1] == '`';
      const bool is_subject = text.compare(at + usual.size(), 5, " has ") == 0;
      if (is_element || is_quoted || is_subject) text.replace(at, usual.size(), own);
    }
  }
  return text;
}

std::vector<facts::Location> places_of(const std::string& program, const facts::Observation& seen) {
  std::vector<facts::Location> places;
  const auto lines = line_of_each(program, seen.sites);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i]) continue;
    places.push_back(*lines[i]);
    if (seen.roles.size() == lines.size()) places.back().role = seen.roles[i];
  }
  return places;
}

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

void add_return(facts::Finding& finding, const std::string& thread) {
  const facts::Location* const barrier = place_with(finding, "waits");
  if (!barrier) return;
  const std::string file = barrier->file;
  const int line = barrier->line;
  const SourceStructure source(os::read_file(file).value_or(""));
  const std::vector<int> before = source.returns_before(line), behind = source.returns_behind_in_loop(line);
  const bool goes_round = before.empty() && behind.size() == 1;
  if (before.size() == 1 || goes_round) {
    finding.where.push_back(
        {.file = file, .line = goes_round ? behind.front() : before.front(), .role = "returns"});
  }
  finding.missing =
      goes_round ? fmt::format("{} returns at line {} and does not come back to the barrier at line {}",
                               thread, behind.front(), line)
      : before.empty()
          ? fmt::format("{} ends while {} at the barrier at line {}{}", thread,
                        finding.message.find("when the other waited") != std::string::npos ? "another waits"
                                                                                           : "others wait",
                        line, standing(line, source))
      : before.size() == 1
          ? fmt::format("{} returns at line {} before the barrier at line {}", thread, before.front(), line)
          : fmt::format("{} returns before the barrier at line {}", thread, line);
}

namespace {

// The simulator counts the elements of an array from its beginning, whatever its type: here they get the
// indices and members that the file has for them.
std::string with_written_elements(std::string text, const facts::Finding& finding,
                                  const SourceStructure& source) {
  // An access of another size counts in that.
  const auto has_own_size = [&](const std::string& array) {
    return std::ranges::all_of(finding.where, [&](const facts::Location& place) {
      const std::string code = code_of(place.text);
      return code.find("_cast<") == std::string::npos && find_name(code, "memset") == std::string::npos &&
             find_name(code, "memcpy") == std::string::npos && find_name(code, array) != std::string::npos;
    });
  };
  for (std::size_t open = 0; (open = text.find('[', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find_first_not_of("0123456789", open + 1);
    if (close == std::string::npos || close == open + 1 || text[close] != ']') continue;
    std::size_t begin = open;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    if (begin == open || text.compare(close + 1, 1, "[") == 0) continue;
    const std::string array = text.substr(begin, open - begin);
    if (!has_own_size(array)) continue;
    const auto written = source.element_of(array, std::strtoll(text.c_str() + open + 1, nullptr, 10));
    if (!written) continue;
    text.replace(begin, close + 1 - begin, *written);
    open = begin + written->size() - 1;
  }
  return text;
}

}  // namespace

void complete(facts::Finding& finding, const StudentNames& names) {
  finding.message = names.in(std::move(finding.message));
  const std::string first_line = finding.message.substr(0, finding.message.find('\n'));
  const std::string array = array_in(first_line);
  if (finding.verdict == facts::Verdict::launch_error && finding.where.empty())
    add_launch_shape(finding, names.source());
  for (facts::Location& place : finding.where) {
    if (place.role.empty() && finding.verdict == facts::Verdict::out_of_bounds)
      place.role = role_in(first_line);
    const std::string text = os::read_file(place.file).value_or("");
    if (finding.verdict == facts::Verdict::timeout && place.role == "repeats")
      place.line = head_of_loop(place.line, text);
    place.text = without_end_blanks(line_of(text, place.line));
    if (!place.text.empty()) place.column = column_of(place, array, finding.message, SourceStructure(text));
  }
  if (finding.verdict == facts::Verdict::wrong_answer && finding.where.empty())
    add_local_array(finding, names.source());
  if (!finding.where.empty()) {
    const SourceStructure source(os::read_file(finding.where.front().file).value_or(""));
    if (finding.missing.empty()) finding.missing = missing_in(finding, source);
    if (shared_variable_in(finding, source)) {
      const std::string element = array + "[0]";
      if (const std::size_t at = finding.message.find(element); at != std::string::npos)
        finding.message.replace(at, element.size(), array);
    }
  }
  const bool is_of_memory = finding.verdict == facts::Verdict::race ||
                            finding.verdict == facts::Verdict::out_of_bounds ||
                            finding.verdict == facts::Verdict::uninitialised;
  if (is_of_memory && !finding.where.empty()) {
    const SourceStructure source(os::read_file(finding.where.front().file).value_or(""));
    for (std::string* const text : {&finding.message, &finding.missing})
      *text = with_written_elements(*text, finding, source);
  }
  finding.evidence.clear();
  for (std::size_t end = finding.message.find('\n'); end != std::string::npos;) {
    const std::size_t begin = finding.message.find_first_not_of(' ', end + 1);
    if (begin == std::string::npos) break;
    end = finding.message.find('\n', begin);
    finding.evidence += (finding.evidence.empty() ? "" : "\n") + finding.message.substr(begin, end - begin);
  }
}

}  // namespace judge
