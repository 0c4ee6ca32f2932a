// SPDX-License-Identifier: MIT
// A deck of slides for a lecture, as one page that needs nothing else: the key points of the chapters, with
// each demonstration behind the chapter that names it first.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "demo/frame.hpp"
#include "workbook/workbook.hpp"

namespace demo {

// Each paragraph of a chapter's section "The idea" that begins with bold words.
struct KeyPoint {
  std::string title;                   // the bold words
  std::vector<std::string> sentences;  // what follows them
};

struct Chapter {
  std::string title, goal;
  std::vector<KeyPoint> points;
  std::vector<std::string> demonstrations;  // that it names: `lab demo NAME`
};

// Of a chapter's text (Markdown).
Chapter read_chapter(std::string_view text);

// The lecturer's notes for a demonstration: the section with this heading in docs/lecturers.md. Empty: there
// is none.
std::string notes_for(std::string_view lecturers_guide, std::string_view name);

// `demonstrations` are those that are to be shown; one that no chapter names comes at the end. `guide` is the
// text of docs/lecturers.md.
std::string slides(const std::vector<Chapter>& chapters, const std::vector<Demonstration>& demonstrations,
                   std::string_view guide);

// The deck of the whole course: its chapters in their order, and all demonstrations.
struct Deck {
  std::string page;
  // Demonstrations whose kernels a student has not written yet, each with the reason.
  std::vector<std::string> left_out;
};
// `progress` is told each step; may be empty.
Deck deck_of(const workbook::Workbook& workbook,
             const std::function<void(const std::string&)>& progress = {});

}  // namespace demo
