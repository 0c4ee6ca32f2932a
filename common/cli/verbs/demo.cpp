// SPDX-License-Identifier: MIT
// `lab demo`: demonstrations in the terminal, as a page, or as a drawing.
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>

#include <chrono>
#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "demo/page.hpp"
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
  std::optional<std::uint64_t> seed;
  std::string html, svg;
  bool plays = false;
};

constexpr std::chrono::milliseconds each_frame{1500};

std::vector<std::string> names() { return names_of(demo::demonstrations()); }

int list() {
  for (const demo::Entry& entry : demo::demonstrations()) say("{:<14} {}\n", entry.name, entry.title);
  say("\nto see one: {}\n", lab_command(fmt::format("demo {}", names().front())));
  return ExitCode::fine;
}

demo::Demonstration made(const DemoOptions& options) {
  const demo::Entry* const entry = demo::find(options.name);
  if (!entry) {
    throw facts::UsageError(
        fmt::format("no demonstration is called \"{}\"; there are {}", options.name, join(names(), " and ")));
  }
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_simulator)
    throw facts::MachineError("demonstrations run kernels on the simulator, which was not built here");
  report::ProgressBar bar(fmt::format("demo {}", options.name));
  demo::Stage stage(workbook, options.chosen, [&](const std::string& step) { bar.update(step); });
  return demo::make(*entry, stage);
}

// What the keys do here.
std::string footer_of(const demo::Position& position, bool plays) {
  std::string text;
  const std::vector<demo::Choice> choices = position.choices();
  for (std::size_t i = 0; i < choices.size(); ++i) text += fmt::format("{}: {}  ", i + 1, choices[i].label);
  return text + fmt::format("space: on, b: back, n: next scene, p: {}, q: end", plays ? "pause" : "play");
}

// False where the demonstration is to end.
bool take(char key, demo::Position& position, const demo::Demonstration& demonstration, bool& plays) {
  switch (key) {
    case ' ':
    case 'j':
      plays = false;
      position.on();
      break;
    case 'b':
    case 'k':
      plays = false;
      position.back();
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
      if (key >= '1' && key <= '9') position.choose(static_cast<std::size_t>(key - '1'));
  }
  return true;
}

// The next frame, and behind a scene's last one the next scene. False at the end of all.
bool go_on(demo::Position& position, const demo::Demonstration& demonstration) {
  if (position.on()) return true;
  return position.scene() + 1 < demonstration.scenes.size() && position.enter(position.scene() + 1);
}

std::string shown_on(const report::Terminal& terminal, const demo::Demonstration& demonstration,
                     const demo::Position& position, bool plays) {
  std::size_t first = 0;
  return report::frame(demo::picture(demonstration, position, terminal), footer_of(position, plays),
                       terminal.columns, terminal.rows, first);
}

int step_through(const demo::Demonstration& demonstration, bool plays) {
  int signal = 0;
  {
    report::Keyboard keyboard(true);
    demo::Position position(demonstration);
    auto shown_since = std::chrono::steady_clock::now();
    std::string drawn;
    for (bool goes_on = true; goes_on && !keyboard.ended_by();) {
      const std::string now = shown_on(report::Terminal::of_output(), demonstration, position, plays);
      if (keyboard.was_stopped() || now != drawn) {
        fmt::print("{}{}", report::cleared_screen, now);
        std::fflush(stdout);
        drawn = now;
      }
      constexpr int look_interval_ms = 50;
      pollfd keys{keyboard.descriptor(), POLLIN, 0};
      poll(&keys, 1, look_interval_ms);
      while (const auto key = keyboard.key()) {
        goes_on = goes_on && take(*key, position, demonstration, plays);
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

int show(const DemoOptions& given) {
  if (given.name.empty()) return list();
  DemoOptions options = given;
  options.chosen.seed = given.seed.value_or(1);
  if (options.chosen.text && options.chosen.text->empty())
    throw facts::UsageError("--text is empty: there is nothing to show");
  for (const std::string& file : {options.html, options.svg}) {
    if (!file.empty()) os::require_writable(file);
  }
  const demo::Demonstration demonstration = made(options);
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
  auto [verb, options] =
      line.add<DemoOptions>("demo", "demonstrations for a lecture, made from runs of the very kernels", show);
  verb.add_option("NAME", options.name, "which; without it, the list");
  verb.add_option("--html", options.html, "a file for a page, to be stepped through in a browser");
  verb.add_option("--svg", options.svg, "a file for a drawing of its main frames, to be printed");
  verb.add_flag("--auto", options.plays, "in a terminal: play it");
  verb.add_option("--lab", options.chosen.lab, "another lab's kernel, such as 04");
  verb.add_option("--file", options.chosen.file, "a file with another kernel for the lab");
  verb.add_flag("--own", options.chosen.own, "the kernel in the student's own file");
  verb.add_option("--text", options.chosen.text, "the input; without it, one that suits");
  add_seed_option(verb, options.seed, "of an order that is drawn; without it, 1");
}

}  // namespace cli
