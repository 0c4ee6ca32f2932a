// SPDX-License-Identifier: MIT
// `lab demo`: demonstrations in the terminal, as a page, or as a drawing.
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>

#include <chrono>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/apart.hpp"
#include "demo/page.hpp"
#include "demo/slides.hpp"
#include "demo/stage.hpp"
#include "demo/svg.hpp"
#include "demo/terminal.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

struct DemoOptions {
  std::string name;
  demo::Options chosen;
  std::string html, svg, slides;
  bool plays = false;
};

constexpr std::chrono::milliseconds each_frame{1500};

std::vector<std::string> names() { return names_of(demo::demonstrations()); }

int list() {
  for (const demo::Entry& entry : demo::demonstrations()) say("{:<14} {}\n", entry.name, entry.title);
  say("\nto see one: {}\n", lab_command(fmt::format("demo {}", names().front())));
  return ExitCode::fine;
}

const demo::Entry& entry_called(const std::string& name) {
  const demo::Entry* const entry = demo::find(name);
  if (entry) return *entry;
  throw facts::UsageError(
      fmt::format("no demonstration is called \"{}\"; there are {}", name, join(names(), " and ")));
}

void require_simulator() {
  if (!workbook::here().has_simulator)
    throw facts::MachineError("demonstrations run kernels on the simulator, which was not built here");
}

// What the keys do here.
std::string footer_of(const demo::Position& position, bool plays) {
  std::string text;
  for (const demo::Choice& choice : position.choices())
    text += fmt::format("{}: {}  ", choice.key, choice.label);
  return text + fmt::format("space: on, b: back, a: again, n: next scene, p: {}, j k: scroll, q: end",
                            plays ? "pause" : "play");
}

// False where the demonstration is to end.
bool take(char key, demo::Position& position, const demo::Demonstration& demonstration, bool& plays,
          std::size_t& first) {
  switch (key) {
    case ' ':
    case '>':
      plays = false;
      position.on();
      break;
    case 'b':
    case '<':
      plays = false;
      position.back();
      break;
    case 'j':
      ++first;
      break;
    case 'k':
      first -= first > 0;
      break;
    case 'a':
      plays = false;
      position.enter(position.scene());
      break;
    case 'n':
      position.enter((position.scene() + 1) % demonstration.scenes.size());
      break;
    case 'p':
      plays = !plays;
      break;
    case 'q':
      return false;
    default:
      if (key >= '1' && key <= '9') position.choose(static_cast<unsigned>(key - '0'));
  }
  return true;
}

// The next frame, and behind a scene's last one the next scene. False at the end of all.
bool go_on(demo::Position& position, const demo::Demonstration& demonstration) {
  if (position.on()) return true;
  return position.scene() + 1 < demonstration.scenes.size() && position.enter(position.scene() + 1);
}

std::string shown_on(const report::Terminal& terminal, const demo::Demonstration& demonstration,
                     const demo::Position& position, bool plays, std::size_t& first) {
  return report::frame(demo::picture(demonstration, position, terminal), footer_of(position, plays),
                       terminal.columns, terminal.rows, first);
}

int step_through(demo::Demonstration& demonstration, bool plays) {
  int signal = 0;
  {
    report::Keyboard keyboard(true);
    demo::Position position(demonstration);
    auto shown_since = std::chrono::steady_clock::now();
    std::string drawn;
    std::size_t first = 0;  // line of the picture, where it does not fit
    for (bool goes_on = true; goes_on && !keyboard.ended_by();) {
      if (const auto& follow = demonstration.scenes[position.scene()].follow)
        follow(demonstration, position.frame_number());
      const std::string now = shown_on(report::Terminal::of_output(), demonstration, position, plays, first);
      if (keyboard.was_stopped() || now != drawn) {
        fmt::print("{}{}", report::cleared_screen, now);
        std::fflush(stdout);
        drawn = now;
      }
      constexpr int look_interval_ms = 50;
      pollfd keys{keyboard.descriptor(), POLLIN, 0};
      poll(&keys, 1, look_interval_ms);
      while (const auto key = keyboard.key()) {
        goes_on = goes_on && take(*key, position, demonstration, plays, first);
        shown_since = std::chrono::steady_clock::now();
      }
      if (!plays || std::chrono::steady_clock::now() - shown_since < each_frame) continue;
      shown_since = std::chrono::steady_clock::now();
      plays = go_on(position, demonstration);
    }
    signal = keyboard.ended_by();
    fmt::print("\n");
  }
  for (const std::string& note : demonstration.notes) say("{}.\n", note);
  if (signal != 0 && signal != SIGINT) raise(signal);
  return ExitCode::fine;
}

// Whether anything is asked for beside a name and slides.
bool asks_for_more(const DemoOptions& options) {
  const demo::Options& chosen = options.chosen;
  return chosen.own || !chosen.lab.empty() || !chosen.file.empty() || chosen.text || chosen.seed ||
         !options.html.empty() || !options.svg.empty() || options.plays;
}

int write_slides(const DemoOptions& options) {
  if (!options.name.empty() || asks_for_more(options))
    throw facts::UsageError("--slides writes all demonstrations as they are: it takes no name and no option");
  os::require_writable(options.slides);
  require_simulator();
  report::ProgressBar bar("slides");
  const demo::Deck deck = demo::deck_of(workbook::here(), [&](const std::string& step) { bar.update(step); });
  bar.clear();
  os::write_file(options.slides, deck.page);
  for (const std::string& line : deck.left_out) say("{}\n", line);
  say("{}\n", options.slides);
  return ExitCode::fine;
}

int show(const DemoOptions& options) {
  if (!options.slides.empty()) return write_slides(options);
  if (options.name.empty() && asks_for_more(options))
    throw facts::UsageError(
        fmt::format("which demonstration? Without a name lab demo takes no option but --slides; there are {}",
                    join(names(), " and ")));
  if (options.name.empty()) return list();
  if (options.chosen.text && options.chosen.text->empty())
    throw facts::UsageError("--text is empty: there is nothing to show");
  for (const std::string& file : {options.html, options.svg}) {
    if (!file.empty()) os::require_writable(file);
  }
  const demo::Entry& entry = entry_called(options.name);
  require_simulator();
  // It is there as long as the demonstration: scenes may run the kernel anew.
  report::ProgressBar bar(fmt::format("demo {}", options.name));
  bool is_made = false;
  demo::Stage stage(workbook::here(), options.chosen, [&](const std::string& step) {
    if (!is_made) bar.update(step);
  });
  demo::Demonstration demonstration = demo::make(entry, stage);
  is_made = true;
  bar.clear();
  if (!options.html.empty()) os::write_file(options.html, demo::page(demonstration));
  if (!options.svg.empty()) os::write_file(options.svg, demo::svg(demonstration));
  for (const std::string& file : {options.html, options.svg}) {
    if (!file.empty()) say("{}\n", file);
  }
  if (!options.html.empty() || !options.svg.empty()) return ExitCode::fine;
  const report::Terminal terminal = report::Terminal::of_output();
  if (terminal.live) return step_through(demonstration, options.plays);
  fmt::print("{}", demo::all_pictures(demonstration, terminal));
  return ExitCode::fine;
}

}  // namespace

void add_demo(CommandLine& line) {
  auto [verb, options] = line.add<DemoOptions>("demo", demo_words, show);
  verb.add_option("NAME", options.name, "which; without it, the list");
  verb.add_option("--html", options.html, "a file for a page, to be stepped through in a browser");
  verb.add_option("--svg", options.svg, "a file for a drawing of its main frames, to be printed");
  verb.add_flag("--auto", options.plays, "in a terminal: play it");
  verb.add_option("--lab", options.chosen.lab, "another lab's kernel, such as 04");
  verb.add_option("--file", options.chosen.file, "a file with another kernel for the lab");
  verb.add_flag("--own", options.chosen.own, "the kernel in the student's own file");
  verb.add_option("--text", options.chosen.text, "the input; without it, one that suits");
  add_seed_option(verb, options.chosen.seed, "of an order that is drawn; without it, 1");
  verb.add_option("--slides", options.slides,
                  "a file for slides: the chapters' key points and all demonstrations");
}

}  // namespace cli
