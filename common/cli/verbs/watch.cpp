// SPDX-License-Identifier: MIT
#include "cli/watch/watch.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>

#include <chrono>
#include <ctime>
#include <memory>

#include "cli/command_line.hpp"
#include "cli/progress.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

struct WatchOptions {
  std::optional<std::string> lab;  // without it, the next exercise that is not passed
  std::string on;
  bool solution = false;
};

using Clock = std::chrono::steady_clock;

// How often files are looked at, and the window's size.
constexpr int look_interval_ms = 50;

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

// Draws on a terminal in place, and writes results as lines elsewhere.
class WatchScreen {
 public:
  void show(const WatchView& view) {
    const report::Terminal terminal = report::Terminal::of_output();
    if (!terminal.live) return;
    const bool other_size = terminal.columns != columns_ || terminal.rows != rows_;
    const std::string drawn =
        report::frame(view.body(terminal), view.footer(terminal), terminal.columns, terminal.rows, first_);
    if (!other_size && drawn == drawn_) return;
    fmt::print("{}{}", other_size ? report::cleared_screen : "", drawn);
    std::fflush(stdout);
    columns_ = terminal.columns;
    rows_ = terminal.rows;
    drawn_ = drawn;
  }

  void draw_anew() { columns_ = 0; }

  // The first line that is shown of what does not fit, counted from 0. A window's height is a page.
  void scroll_to(std::size_t line) { first_ = line; }
  void scroll_by(int lines) {
    first_ = lines < 0 ? first_ - std::min<std::size_t>(first_, static_cast<std::size_t>(-lines))
                       : first_ + static_cast<std::size_t>(lines);
  }
  void scroll_by_page(int pages) { scroll_by(pages * static_cast<int>(std::max(rows_, 6u) - 4)); }

  void line(const std::string& text) {
    if (report::Terminal::of_output().live) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  // Leaves what was shown where it is.
  void leave(const WatchView& view) {
    const report::Terminal terminal = report::Terminal::of_output();
    if (terminal.live)
      fmt::print("{}\n", report::frame(view.body(terminal), "", terminal.columns, terminal.rows, first_));
    std::fflush(stdout);
  }

 private:
  std::string drawn_;
  unsigned columns_ = 0, rows_ = 0;
  std::size_t first_ = 0;
};

class Watch {
 public:
  Watch(const WatchOptions& options, const workbook::ExerciseInfo& exercise)
      : options_(options),
        targets_(judged_targets(exercise, options.on, options.solution)),
        keyboard_(report::Terminal::of_output().live),
        saves_(snapshot()) {
    view_.keys = keyboard_.descriptor() >= 0;
    turn_to(exercise);
  }

  // Runs until the user ends it, all exercises are passed, or nothing can be judged here.
  int run() {
    while (!exit_code_ && !keyboard_.ended_by()) {
      wait();
      take_keys();
      look_at_files();
      take_result();
      if (keyboard_.was_stopped()) screen_.draw_anew();
      if (check_) view_.under_way = doing();
      screen_.show(view_);
    }
    check_.reset();
    screen_.leave(view_);
    return exit_code_.value_or(ExitCode::fine);
  }

  int ended_by() const { return keyboard_.ended_by(); }

 private:
  const workbook::Workbook& workbook_ = workbook::here();
  const workbook::Target& target() const { return targets_.front(); }
  Snapshot snapshot() const { return snapshot_of(workbook_, target()); }

  void turn_to(const workbook::ExerciseInfo& exercise) {
    targets_ = judged_targets(exercise, options_.on, options_.solution);
    view_.file = workbook_.shortened(target().source);
    view_.time.clear();
    open(WatchView::Panel::none);
    view_.result = {};
    saves_ = SaveWatcher(snapshot());
    // An exercise that had already passed is being improved: stay on it.
    stays_ = options_.solution ||
             state_of(workbook_, exercise, Progress::load(workbook_).of(exercise)) == State::passed;
    screen_.line("watching " + view_.file + "; Ctrl-C ends it\n");
    start_check();
  }

  void start_check() {
    check_.reset();
    check_ = std::make_unique<BackgroundCheck>(targets_, options_.on);
    begin_ = Clock::now();
  }

  std::string doing() const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    return (check_->step().empty() ? "reading" : check_->step()) +
           (seconds > 0 ? fmt::format(", {} s", seconds) : "");
  }

  void wait() {
    const std::array<int, 2> checking = check_ ? check_->descriptors() : std::array{-1, -1};
    std::array<pollfd, 3> sources{
        {{keyboard_.descriptor(), POLLIN, 0}, {checking[0], POLLIN, 0}, {checking[1], POLLIN, 0}}};
    // One of the check's two may be at its end, and readable, a moment before the other.
    poll(sources.data(), sources.size(), look_interval_ms);
  }

  void take_keys() {
    while (const auto key = keyboard_.key()) {
      switch (*key) {
        case 'h':
          give_hint();
          break;
        case 'c':
          open(view_.panel == WatchView::Panel::counters ? WatchView::Panel::none
                                                         : WatchView::Panel::counters);
          break;
        case 'a':
          open(view_.panel == WatchView::Panel::findings ? WatchView::Panel::none
                                                         : WatchView::Panel::findings);
          break;
        case 'j':
          screen_.scroll_by(1);
          break;
        case 'k':
          screen_.scroll_by(-1);
          break;
        case ' ':
          screen_.scroll_by_page(1);
          break;
        case 'b':
          screen_.scroll_by_page(-1);
          break;
        case 'q':
          exit_code_ = ExitCode::fine;
          break;
        default:
          break;
      }
    }
  }

  // In place of another panel, and where it is seen.
  void open(WatchView::Panel panel) {
    view_.panel = panel;
    screen_.scroll_to(
        panel == WatchView::Panel::none ? 0 : view_.lines_above_panel(report::Terminal::of_output()));
  }

  void give_hint() {
    try {
      view_.hint = next_hint(workbook::here(), target().exercise, false, true);
    } catch (const facts::MachineError& error) {
      view_.hint = fmt::format("lab: {}\n", error.what());
    }
    open(WatchView::Panel::hint);
  }

  void look_at_files() {
    switch (saves_.look(snapshot(), Clock::now())) {
      case SaveWatcher::News::none:
        return;
      case SaveWatcher::News::changing:
        check_.reset();
        break;  // its verdict would be about a file that is gone
      case SaveWatcher::News::saved:
        start_check();
        break;
    }
    if (!check_) view_.under_way = "waiting until it is saved";
  }

  void take_result() {
    if (!check_) return;
    auto result = check_->take_in();
    if (!result) return;
    check_.reset();
    const bool first = view_.time.empty();
    view_.result = std::move(*result);
    view_.time = time_of_day();
    view_.under_way.clear();
    if (!first) view_.before.clear();
    screen_.line(result_text(view_.time, view_.file, view_.result, report::Terminal::of_output()));
    if (view_.result.verdict == name_of(facts::Verdict::unavailable)) exit_code_ = ExitCode::machine;
    if (view_.result.verdict == name_of(facts::Verdict::pass) && !stays_) move_on();
  }

  void move_on() {
    const auto next = next_exercise(workbook_, &target().exercise);
    const std::string news =
        next ? fmt::format("{} is passed; on to {}\n", target().name, workbook_.short_name(*next))
             : fmt::format("all {} exercises are passed; next: {}\n", workbook_.exercises.size(),
                           lab_command("tour"));
    screen_.line(news);
    const report::Terminal terminal = report::Terminal::of_output();
    view_.before = terminal.paint(report::Colour::green, news) +
                   result_text(view_.time, view_.file, view_.result, terminal);
    if (next) {
      turn_to(*next);
    } else {
      view_.time.clear();
      exit_code_ = ExitCode::fine;
    }
  }

  WatchOptions options_;
  std::vector<workbook::Target> targets_;  // the exercise that is watched, on each backend
  report::Keyboard keyboard_;
  SaveWatcher saves_;
  WatchView view_;
  WatchScreen screen_;
  std::unique_ptr<BackgroundCheck> check_;
  Clock::time_point begin_;
  bool stays_ = false;
  std::optional<int> exit_code_;
};

// If the lab has several exercises, the first that is not passed.
std::optional<workbook::ExerciseInfo> exercise_to_watch(const std::optional<std::string>& lab) {
  const workbook::Workbook& workbook = workbook::here();
  if (!lab) return next_exercise(workbook);
  const std::vector<workbook::ExerciseInfo> named = find_exercises(*lab);
  Progress progress = Progress::load(workbook);
  for (const workbook::ExerciseInfo& exercise : named) {
    if (state_of(workbook, exercise, progress.of(exercise)) != State::passed) return exercise;
  }
  return named.front();
}

int watch(const WatchOptions& options) {
  require_backend_name(options.on);
  const auto exercise = exercise_to_watch(options.lab);
  if (!exercise) {
    say("all {} exercises are passed; to watch one all the same, name it: {}\n",
        workbook::here().exercises.size(), lab_command("watch " + example_exercise().short_name(true)));
    return ExitCode::fine;
  }
  int signal = 0, code = 0;
  {
    Watch watch(options, *exercise);
    code = watch.run();
    signal = watch.ended_by();
  }
  // Ctrl-C is the usual end. For any other signal the parent process must see that it ended this one.
  if (signal != 0 && signal != SIGINT) raise(signal);
  return code;
}

}  // namespace

void add_watch(CommandLine& line) {
  auto [verb, options] =
      line.add<WatchOptions>("watch", "checks again at every save, and moves on when a lab is passed", watch);
  verb.add_option("LAB", options.lab, lab_words() + "; without it, the next that is not passed");
  add_on_option(verb, options.on, "every backend present");
  verb.add_flag("--solution", options.solution, "watch the reference solution");
}

}  // namespace cli
