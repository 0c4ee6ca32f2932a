// SPDX-License-Identifier: MIT
// The surroundings of a place in the student's file: the element that is accessed there, the conditions that
// held, the loops around it. Read from tokens, as far as these tell; where they do not, and of
// files that are too long, nothing is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

// A subscript as it is written: `mine[b + 1]`.
struct Element {
  std::string name, index;
  int column;                // of the name, from 1
  bool is_updated;           // read and written by one operator: ++, +=
  std::size_t at, close;     // tokens: the name, and the closing bracket
  std::size_t last;          // the bracket that closes the last subscript: of `tile[i][j]` the one behind j
  std::string further = {};  // the subscripts behind the first: "[j]"
  bool is_only = true;       // no other element of the array on the line may be meant
  bool is_cast = false;      // its array stands in a cast: `reinterpret_cast<const uint4*>(data)[i]`
  bool has_alias = false;    // but one that is reached by a pointer into the array
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

// A loop, or a condition, that decides whether a line is come to.
struct Control {
  int line;               // of its keyword
  std::string condition;  // empty if it has none, or it is long
  bool is_loop;
};

// A name's declaration: `unsigned counts[26]` has the type "unsigned", and the extent "26".
struct Declaration {
  int line;
  std::string type, extent;  // type: empty behind a comma; extent: empty if it is no array, or has none
  bool is_array, is_shared;
};

// The element that an access has reached, and by which thread of its block, if that is known.
struct Reached {
  std::int64_t index;
  std::optional<std::int64_t> thread;
};

// Of the words that a built-in type is made of, and those in front of one: "unsigned", "const".
bool is_word_of_type(const Token& token);

// An array whose ends nobody watches, as a line uses it.
struct UnwatchedArray {
  std::string name;
  std::size_t dimensions;
  bool from_first_row;  // own[0][i], which may go through all rows one behind the other
  bool operator==(const UnwatchedArray&) const = default;
};

class SourceStructure {
 public:
  explicit SourceStructure(std::string_view text);

  const std::string& text() const { return text_; }

  // The subscript on the line that an access means which "reads", "writes", "changes" or "changes atomically"
  // an element of `array`: one of that name, or the only one that may be a pointer to it. nullopt if that
  // cannot be told. Of several, those are left out that are another element than the one reached.
  std::optional<Element> element(int line, std::string_view role, std::string_view array,
                                 std::optional<Reached> reached = {}) const;

  // Comparisons of what the element's subscripts are made of that were true when it was accessed, outermost
  // first.
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

  // The lines before this one that write elements of the array, or change them.
  std::vector<int> lines_that_write(std::string_view array, int before) const;

  // The only declaration of the name with a value, an extent or a semicolon behind it; nullopt if there are
  // several or none.
  std::optional<Declaration> declaration(std::string_view name) const;

  // How far a static shared array of a built-in type is aligned, if its declaration asks for no alignment: as
  // its elements. 0 of all others, and where that is not known.
  unsigned shared_alignment(std::string_view array) const;

  // Arrays whose ends nobody watches: a thread's own, and members of structs. Whether there is one, and those
  // of which an element is used on the line: whose subscript closes at the column, from 1, if one does.
  bool has_unwatched_array() const;
  std::vector<UnwatchedArray> unwatched_arrays(int line, int column = 0) const;

  // Whether a subscript on a line names what another line reads, or what is set from that.
  bool leads_to_index(std::string_view name, int reading_line, int line) const;

  // How an element is written of an array of several dimensions, or of structs whose members are equally
  // large: `tile[1][5]`, `cells[3].count`. `flat`: counted in elements of all dimensions, and in members.
  // nullopt for other arrays, and where its declaration does not tell.
  std::optional<std::string> element_of(std::string_view array, std::int64_t flat) const;

  // Whether a condition from this line on looks at the name, or at what is set from its value on this line.
  bool decides(std::string_view name, int line) const;
  // Whether such a condition decides that the line is come to: it stands around it, or returns before it.
  bool decides_on(std::string_view name, int reading_line, int line) const;

  // Of what a block writes at one line and another one reads at the other: why an atomic in between whose
  // result is used, as for the last block, does not order both. nullopt if there is none, or that is not
  // known.
  std::optional<std::string> missing_order(int writing_line, int reading_line) const;

  // What decides whether the line is come to, outermost first.
  std::vector<Control> controls(int line) const;

  // Of the names in the condition of the loop at this line, the first that is no constant of the launch; and
  // whether anything in the loop may change it.
  struct Counter {
    std::string name;
    bool may_change;
  };
  std::optional<Counter> counter(int loop_line) const;

  // The lines in the loop at which threads of the block or of the warp wait for each other.
  std::vector<int> barriers_in_loop(int loop_line) const;

  // A barrier of a tile of threads between two lines, and how many threads the tiles of the file have, if all
  // have as many.
  struct TileBarrier {
    int line;
    unsigned threads;
  };
  std::optional<TileBarrier> tile_barrier(int first, int last) const;

  // Where threads pass on what they have written by a __syncwarp and by nothing else that a larger group
  // could wait for: the line of the last __syncwarp between the two lines, or in the innermost loop around
  // both if there is none. nullopt if there is none, if a barrier of the block stands there as well, or if
  // the file has flags, fences or atomics with an order, by which threads may wait for each other too.
  std::optional<int> warp_barrier(int first, int last) const;

  // Why an object that atomics wait at, or hand something on by, does not do so: one side has an order, and
  // the other is relaxed. nullopt if there is none.
  std::optional<std::string> one_sided_order() const;

  // The line at which the kernel calls the function or the lambda that has this line, if that is one place.
  // The line itself where it is no part of one; nullopt where there are several calls.
  std::optional<int> line_of_call(int line) const;

  // The names of an index.
  std::vector<std::string> names_in(const Element& element) const;

  // Whether an index has the same value for each thread.
  bool is_constant(const Element& element) const;
  // That value, if it is a number.
  std::optional<std::int64_t> constant_index(const Element& element) const;

  // The variable that the innermost condition around the element compares, if it is made of the element's
  // index, and not the index.
  std::optional<Condition> condition_of_another(const Element& element) const;

  // Whether the name is set to a pointer to elements of another type.
  bool is_set_by_cast(std::string_view name, int before) const;

  // What __launch_bounds__ says of the kernel: the most threads that a block of it has. nullopt if it says
  // nothing, or in words that are not understood.
  struct LaunchBound {
    int line;
    std::int64_t threads;
  };
  std::optional<LaunchBound> launch_bound(std::string_view kernel) const;

  // Whether the name is set, before this line, by an expression that names the other: `mine = counts + 7`.
  bool is_set_from(std::string_view name, std::string_view other, int before) const;

  // Whether an element on the line is named by a pointer that is set from the array, and by no cast.
  bool names_row_of(std::string_view array, int line) const;

  // The line on which the function returns, if it is one.
  std::optional<int> line_of_return(std::string_view function) const;

 private:
  struct Statement {
    std::size_t keyword, condition, condition_end, body, body_end;
    bool is_loop, is_do;
  };

  // Whether the part of its condition that stands on this line or behind it has one of the names.
  bool looks_at(const Statement& control, const std::vector<std::string_view>& names, int from_line) const;
  const Statement* loop_at(int line) const;
  std::optional<std::int64_t> value(std::size_t begin, std::size_t end, std::int64_t thread, int depth) const;
  std::optional<std::int64_t> value_of_name(const std::string& name, std::int64_t thread, int depth) const;
  bool has_flags() const;
  std::size_t object_before(std::size_t dot) const;
  std::string order_in(std::size_t open) const;
  std::optional<std::pair<std::size_t, std::size_t>> function_around(std::size_t token) const;
  std::optional<Element> element_of_cast(std::size_t at) const;
  void match_brackets();
  // Of a bracket; the number of tokens where it has none.
  std::size_t closing(std::size_t open) const;
  std::size_t end_of_statement(std::size_t at) const;
  std::size_t beginning_of_statement(std::size_t at) const;
  bool is(std::size_t at, std::string_view text) const;
  bool is_assignment(std::size_t at) const;
  bool is_written_after(std::size_t close, bool& reads_too) const;
  bool is_step_before(std::size_t at) const;
  bool is_target_of_atomic(std::size_t at) const;
  std::string text_of(std::size_t begin, std::size_t end) const;
  std::optional<std::size_t> declared_at(std::string_view name) const;
  bool is_behind_type(std::size_t at) const;
  bool is_one_of_several_shared(std::size_t at) const;
  bool declares_unwatched_array(std::size_t at) const;
  std::optional<std::size_t> enclosing(std::size_t at) const;
  bool is_body_of_class(std::size_t brace) const;
  bool is_declarator(std::size_t at) const;
  std::optional<std::size_t> declaration_for(std::size_t use) const;
  int column_of(std::size_t at) const;
  std::vector<std::string_view> set_from(std::string_view name, int line) const;
  std::vector<std::string> members_of(std::string_view type) const;
  void add_parts(std::vector<Condition>& all, std::size_t begin, std::size_t end, std::string_view separator,
                 const std::vector<std::string>& names) const;
  void add_choice(std::vector<Condition>& all, std::size_t at, const std::vector<std::string>& names) const;

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> closings_;
  std::vector<Statement> controls_;
};

}  // namespace judge
