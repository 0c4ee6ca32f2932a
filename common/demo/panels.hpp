// SPDX-License-Identifier: MIT
// Panels that several demonstrations show.
#pragma once

#include <string>
#include <vector>

#include "demo/replay.hpp"
#include "demo/stage.hpp"

namespace demo {

// A text as the input of a demonstration where the user gives none, again and again up to a length.
std::string usual_text(const Stage& stage, std::size_t length);
// The first letters of a text; where it is longer, with a note.
std::string cut(Demonstration& demonstration, std::string text, std::size_t most);

// A trace's first element of the output, up to as many as its labels: what each is called in a result.
std::vector<std::string> labels_of(const measure::Record& record);

// Letters side by side; those that have been read are marked with their reader's colour (from 1; 0: not yet).
struct Letter {
  unsigned reader = 0;
  bool now = false;
  std::optional<Mark> mark = {};
};
Panel letters(std::string title, const std::string& text, const std::vector<Letter>& state,
              const std::string& array);

// The elements of an array as bars; `most` is a full one. `now`: where, in bytes from the array's beginning,
// something has changed, and the mark of this change.
Panel counters(std::string title, const Memory& memory, std::uint64_t array, unsigned each,
               const std::vector<std::string>& labels, std::uint64_t most,
               const std::vector<std::uint64_t>& now, const std::optional<Mark>& mark);

// A cell with its label.
Cell figure(std::string label, std::uint64_t value, Look look = Look::plain);

// What a warp's instruction did: "Warp 0, 32 lanes: load of data".
std::string instruction_text(const facts::Trace& trace, const facts::TraceEvent& event);

}  // namespace demo
