// SPDX-License-Identifier: MIT
// What demonstrations are made with: kernels that can be run with a trace, their sources, and the list of
// demonstrations. A demonstration is a file in demos/ and its name in meson.build.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "demo/frame.hpp"
#include "measure/record.hpp"
#include "problems/input.hpp"
#include "workbook/workbook.hpp"

namespace demo {

// A run that a demonstration asks for.
struct Wish {
  workbook::ExerciseInfo exercise;
  std::string file = {};  // the kernel's; empty: the solution's, or where there is none the student's
  std::string text;       // the input
  std::optional<unsigned> block = {}, grid = {};
  std::optional<std::uint64_t> lockstep_seed = {};
  std::vector<std::uint64_t> order = {};  // in lockstep (runner/protocol.hpp)
  std::uint64_t blocks = 1;               // so many are traced, with values
  std::size_t most_events = 5000;         // of the trace that are kept: no audience looks at more
  bool last_variant = false;              // of the problem, instead of its first
};

// What a user chooses.
struct Options {
  std::string lab;   // instead of the demonstration's own kernel; empty: that one
  std::string file;  // a kernel's
  bool own = false;  // the student's file
  std::optional<std::string> text;
  std::optional<std::uint64_t> seed;
};

// Makes a demonstration's runs on the simulator. Throws MachineError where a kernel does not build or leaves
// no trace, and UsageError where it is not written yet or accesses nothing; whatever else goes wrong in it is
// shown.
class Stage {
 public:
  // `progress` is told each step; may be empty.
  Stage(const workbook::Workbook& workbook, const Options& options,
        std::function<void(const std::string&)> progress = {})
      : workbook_(workbook), options_(options), progress_(std::move(progress)) {}

  const workbook::Workbook& workbook() const { return workbook_; }
  const Options& options() const { return options_; }
  // Whether the user has chosen one kernel, and whether at least the student's own ones.
  bool has_one_kernel() const { return !options_.lab.empty() || !options_.file.empty(); }
  bool is_chosen() const { return options_.own || has_one_kernel(); }
  // Of an order that is drawn.
  std::uint64_t seed() const { return options_.seed.value_or(1); }

  // Why the kernel that the wish means cannot be shown yet: nothing has been written in the student's file.
  std::optional<std::string> not_written(const Wish& wish) const;

  // The exercise that the user has chosen, or this one of the course, "02".
  workbook::ExerciseInfo exercise(std::string_view usual) const;

  // A kernel that is kept for demonstrations in the lab's folder; empty: there is none, or the user has
  // chosen another.
  std::string kept(const workbook::ExerciseInfo& exercise, std::string_view name) const;

  // Runs it, and adds the run to the demonstration, with a note of what was found. Returns its
  // number among the runs.
  std::size_t run(Demonstration& demonstration, const Wish& wish);
  // What came of the run made last.
  const measure::Record& last() const { return last_; }

  // Bytes of an element of its input.
  std::size_t element_bytes(const Wish& wish) const;

  // The text of the kernel that the wish means.
  Source source(const Wish& wish) const;
  // That of any file.
  Source lines_of(const std::string& path) const;

 private:
  std::string file_of(const Wish& wish) const;
  workbook::Target target_of(const Wish& wish) const;
  void build(const workbook::Target& target);
  measure::Record record_of(const workbook::Target& target, const Wish& wish, const runner::RunOptions& how);
  // In lockstep nobody looks for races and for memory that is not initialised: what a run of the same launch
  // finds, block after block.
  facts::Finding finding_beside_lockstep(const workbook::Target& target, const Wish& wish,
                                         runner::RunOptions how);
  // Whether the run made last gave a wrong answer only because the wish's launch has fewer threads than the
  // kernel asks for.
  bool is_right_in_its_own_shape(const workbook::Target& target, const Wish& wish);
  void find_lines(Run& run, const std::string& runner, const std::string& source) const;

  const workbook::Workbook& workbook_;
  const Options& options_;
  std::function<void(const std::string&)> progress_;
  std::vector<std::string> built_;  // runners
  measure::Record last_;
  using Launch = std::tuple<std::string, std::string, unsigned, unsigned>;  // runner, text, block and grid
  std::map<Launch, facts::Finding> beside_lockstep_;
};

// What a demonstration obeys of the user's choices; the others are refused.
struct Choices {
  bool kernel = true;  // --own, --lab, --file
  bool text = true;
  bool seed = false;
};

struct Entry {
  std::string_view name, title;
  Demonstration (*make)(Stage& stage);
  Choices obeys = {};
};

// All demonstrations, in the order in which a course shows them.
std::span<const Entry> demonstrations();
const Entry* find(std::string_view name);

// Makes it, and fills in its name and title. Throws UsageError where the user has chosen what it does not
// obey.
Demonstration make(const Entry& entry, Stage& stage);

// The frame of what a run has done after so many events, with the line of the last one; without panels.
Frame frame_after(const Demonstration& demonstration, std::size_t run, std::size_t events,
                  std::string caption);
// Adds it, and returns its number.
std::size_t add_frame(Demonstration& demonstration, Frame frame);

// A scene of one run: `tell` adds the run's frames, and gives their numbers. Left out, with a note, where the
// student has not written the kernel yet.
using Teller = std::function<std::vector<std::size_t>(std::size_t run)>;
void add_scene(Stage& stage, Demonstration& demonstration, std::string title, const Wish& wish,
               const Teller& tell);

// Such a scene for each of some labs' kernels, or one scene for the kernel that the user has chosen, which
// is run as one of the last lab. `wish` is of any exercise.
struct LabScene {
  const char *title, *lab;
};
void add_scenes(Stage& stage, Demonstration& demonstration, const std::vector<LabScene>& scenes, Wish wish,
                const Teller& tell);

}  // namespace demo
