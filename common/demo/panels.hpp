// SPDX-License-Identifier: MIT
// Panels that several demonstrations show.
#pragma once

#include <string>
#include <vector>

#include "demo/replay.hpp"
#include "demo/stage.hpp"

namespace demo {

// The user's text, or one of the workbook's, repeated up to this length.
std::string usual_text(const Stage& stage, std::size_t length);
// The first letters of a text; where it is longer, with a note.
std::string cut(Demonstration& demonstration, std::string text, std::size_t most);

// What the elements of the record's output are called, in their order.
std::vector<std::string> labels_of(const measure::Record& record);

// Letters side by side; those that have been read have their reader's colour (from 1; 0: not yet read).
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

// What a warp's instruction did: "32 lanes of warp 0 read data".
std::string instruction_text(const facts::Trace& trace, const facts::TraceEvent& event);

}  // namespace demo
