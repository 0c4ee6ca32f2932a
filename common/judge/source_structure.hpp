// SPDX-License-Identifier: MIT
// The surroundings of a place in the student's file: the element that is accessed there, the conditions that
// held, the loops around it. Read from tokens, as far as these tell; where they do not, nothing is said.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

// A subscript as it is written: `mine[b + 1]`.
struct Element {
  std::string name, index;
  int column;             // of the name, from 1
  bool is_updated;        // read and written by one operator: ++, +=
  std::size_t at, close;  // tokens: the name, and the closing bracket
  bool is_only = true;    // no other element of the array on the line may be meant
};

// A condition as it is written, without the keyword.
struct Condition {
  int line;
  std::string text;
};

struct Loop {
  int line;               // of its keyword
  std::string condition;  // empty if it has none
  bool is_empty;          // it does nothing but look at its condition
};

class SourceStructure {
 public:
  explicit SourceStructure(std::string_view text);

  // The subscript on the line that an access means which "reads", "writes", "changes" or "changes atomically"
  // an element of `array`: one of that name, or the only one that may be a pointer to it. nullopt if that
  // cannot be told.
  std::optional<Element> element(int line, std::string_view role, std::string_view array) const;

  // Comparisons of what the element's index is made of that were true when it was accessed, outermost first.
  std::vector<Condition> conditions(const Element& element) const;

  // The loops around the line, outermost first.
  std::vector<Loop> loops(int line) const;

  // The last line before this one that assigns to the name.
  std::optional<int> line_that_sets(std::string_view name, int before) const;

  // The last line before this one, in the same function, that reads an element of the array.
  std::optional<int> line_that_reads(std::string_view array, int before) const;

  // The lines before this one on which its function returns, and those behind it in a loop that goes round
  // both.
  std::vector<int> returns_before(int line) const;
  std::vector<int> returns_behind_in_loop(int line) const;

  // An array of each thread's own, declared in a kernel, that atomics change as if threads shared it.
  struct LocalArray {
    std::string name;
    int line, column;
  };
  std::optional<LocalArray> local_array_of_atomics() const;

  // The line on which the function returns, if it is one.
  std::optional<int> line_of_return(std::string_view function) const;

 private:
  struct Control {
    std::size_t keyword, condition, condition_end, body, body_end;
    bool is_loop, is_do;
  };

  std::size_t closing(std::size_t open) const;
  std::size_t end_of_statement(std::size_t at) const;
  std::size_t beginning_of_statement(std::size_t at) const;
  bool is(std::size_t at, std::string_view text) const;
  bool is_assignment(std::size_t at) const;
  bool is_written_after(std::size_t close, bool& reads_too) const;
  bool is_step_before(std::size_t at) const;
  bool is_target_of_atomic(std::size_t at) const;
  std::string text_of(std::size_t begin, std::size_t end) const;
  void add_parts(std::vector<Condition>& all, std::size_t begin, std::size_t end, std::string_view separator,
                 const std::vector<std::string>& names) const;
  void add_choice(std::vector<Condition>& all, std::size_t at, const std::vector<std::string>& names) const;

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<Control> controls_;
};

}  // namespace judge
