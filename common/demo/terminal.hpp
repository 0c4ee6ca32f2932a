// SPDX-License-Identifier: MIT
// A demonstration in a terminal: where the audience is in it, and a frame as text.
#pragma once

#include <string>
#include <vector>

#include "demo/frame.hpp"
#include "report/terminal/terminal.hpp"

namespace demo {

// A place in a demonstration, and the ways from there.
class Position {
 public:
  explicit Position(const Demonstration& demonstration) : demonstration_(demonstration) { enter(0); }

  std::size_t scene() const { return scene_; }
  const Frame& frame() const { return demonstration_.frames[frame_number()]; }
  std::size_t frame_number() const { return way_[at_]; }
  std::size_t step() const { return at_; }
  // How many frames the scene has, as far as it has been chosen.
  std::size_t steps() const { return way_.size(); }
  // What the audience may choose from here; empty in a scene that is only played.
  std::vector<Choice> choices() const;

  // False where there is nothing further. In an open scene on() takes the way chosen before, or the first
  // choice.
  bool on();
  bool back();
  bool choose(unsigned key);
  bool enter(std::size_t scene);

 private:
  const Demonstration& demonstration_;
  std::size_t scene_ = 0, at_ = 0;
  std::vector<std::size_t> way_;  // of frames
};

// Below this a picture cannot be read.
inline constexpr unsigned least_columns = 60, least_rows = 20;

// Title, lines of source around the one that is executed, caption and panels; ends with a line end. Where a
// live terminal has too few rows a table shows those up to the step that happens now, and says which. In a
// terminal that is too small, how large it has to be.
std::string picture(const Demonstration& demonstration, const Position& position,
                    const report::Terminal& terminal);

// All frames of all scenes, one below the other: for a pipe.
std::string all_pictures(const Demonstration& demonstration, const report::Terminal& terminal);

}  // namespace demo
