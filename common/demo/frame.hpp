// SPDX-License-Identifier: MIT
// What a demonstration shows: frames, each a picture made of what a kernel's run has done so far. Terminal,
// page and SVG draw the same frames, and know nothing else of a demonstration (terminal.hpp, page.hpp,
// svg.hpp).
//
// A frame says which run it belongs to and how many of its events have happened, and a cell that shows an
// element of an array says which: so a test compares every picture with the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "facts/counters.hpp"
#include "facts/trace.hpp"
#include "facts/verdict.hpp"

namespace demo {

// An element of an array of the run's trace; of shared memory, in that block.
struct Element {
  std::uint64_t array = 0, at = 0;  // at: in bytes from the array's beginning
  std::uint64_t block = 0;
};

enum class Look : std::uint8_t {
  plain,
  quiet,  // has not happened yet, or does not count
  now,    // happens in this frame
  bad,    // goes wrong
};

// An access that a check has found fault with: a lane's part in an event of the run's trace.
struct FaultyAccess {
  std::size_t event = 0;
  unsigned lane = 0;
};

// The mark of such an access where it is drawn.
struct Mark {
  std::string word;  // "race"
  FaultyAccess access;
};

struct Cell {
  std::string text;
  std::string label = {};  // what it is: beside a bar, above a cell
  unsigned series = 0;     // its colour: that of a thread, a block or a lab, from 1; 0: none
  Look look = Look::plain;
  double share = 0;  // of a bar: its length, from 0 to 1
  std::optional<Element> shows = {};
  std::optional<Mark> mark = {};
};

struct Panel {
  enum class Kind : std::uint8_t {
    cells,  // side by side, `per_row` in a row where there is room; with labels and 1 in a row, beside a
            // table
    bars,   // below one another
    table,  // a column for each heading, row after row
  };
  Kind kind = Kind::cells;
  std::string title;
  std::vector<Cell> cells;
  std::vector<std::string> headings = {};
  unsigned per_row = 16;
};

// What the audience may choose to happen next.
struct Choice {
  std::string label;
  std::size_t frame = 0;  // that follows
  unsigned key = 0;       // the digit that chooses it: the same in every frame
};

struct Frame {
  std::string caption;  // one sentence
  int line = 0;         // of the source, that is executed; 0: none
  std::size_t run = 0;  // of the demonstration's
  std::size_t events = 0;
  std::vector<Panel> panels = {};
  std::string finding = {};       // what a check has found in the events of this frame; empty: nothing
  std::vector<Choice> next = {};  // empty where there is nothing to choose
  bool in_handout = false;        // worth printing
};

// A kernel's text, without comments, includes and the launch's shape.
struct Source {
  std::string file;
  std::vector<std::string> lines = {};
  std::vector<int> numbers = {};  // of these lines in the file
};

struct Demonstration;

// Frames that are played one after another; in an open scene the audience chooses the way through them, from
// the first on.
struct Scene {
  std::string title;
  std::size_t source = 0;
  std::vector<std::size_t> frames;
  bool open = false;
  // Of an open scene with more ways than can be recorded: makes what may follow a frame, by running the
  // kernel anew. Only a terminal can show such a scene.
  std::function<void(Demonstration&, std::size_t frame)> follow = {};
};

// A run of a kernel whose events frames show.
struct Run {
  facts::Trace trace;
  std::vector<int> lines;         // of source, of each event; 0: not known
  std::vector<unsigned> order;    // in lockstep: the threads in the order of their accesses
  facts::Counters counters = {};  // empty in lockstep
  facts::Finding finding = {};
  int finding_line = 0;                   // of source, where the first of its threads was; 0: not known
  std::vector<FaultyAccess> faulty = {};  // those of the trace that the finding is about
  bool is_cut = false;                    // more happened than the trace's events

  bool is_endless() const { return finding.verdict == facts::Verdict::timeout; }
};

struct Demonstration {
  std::string name, title;
  std::string question;            // to ask before it is shown
  std::vector<std::string> notes;  // what ran on what, what was found, what was cut
  std::vector<Source> sources;
  std::vector<Scene> scenes;
  std::vector<Frame> frames;
  std::vector<Run> runs;
};

}  // namespace demo
