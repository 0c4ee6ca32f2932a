// SPDX-License-Identifier: MIT
#include "cli/watch/watch.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace cli {

namespace {

using Event = nlohmann::json;

// How long the compiler may take to end and to remove what it had begun.
constexpr std::chrono::seconds ending_patience{2};

void send_event(int events, const Event& event) {
  std::string line = event.dump(-1, ' ', false, Event::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t written = write(events, line.data() + sent, line.size() - sent);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) sent += static_cast<std::size_t>(written);
  }
}

void check_and_tell(const std::vector<workbook::Target>& targets, const std::string& on, int events) {
  // An estimate would keep the verdict back: it is shown when the check has ended.
  CheckManner manner{.seed = fresh_seed(), .on = on, .estimates = false};
  manner.progress = [&](const std::string& step) { send_event(events, {{"step", step}}); };
  manner.judged = [&](const judge::CheckReport& report) {
    send_event(events, {{"verdict", name_of(report.finding.verdict)},
                        {"further", further_text(workbook::here(), report, true)},
                        {"counters", report.counters}});
  };
  try {
    check_exercise(targets, manner);
  } catch (const std::exception& error) {
    fmt::print("lab: {}\n", error.what());
  }
  std::fflush(stdout);
}

[[noreturn]] void in_child(const std::vector<workbook::Target>& targets, const std::string& on, int said,
                           int events) {
  setpgid(0, 0);
  report::Keyboard::leave_to_child();
  // A compiler that asked the terminal from the background would stop.
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  close(said);
  check_and_tell(targets, on, events);
  _exit(0);
}

// Appends what can be read without waiting. Returns false at the end of the stream.
bool append_readable(int descriptor, std::string& text) {
  std::array<char, 4096> buffer;
  pollfd source{descriptor, POLLIN, 0};
  while (poll(&source, 1, 0) > 0) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return true;
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return ends;
}

}  // namespace

BackgroundCheck::BackgroundCheck(const std::vector<workbook::Target>& targets, const std::string& on) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  const std::array<int, 2> said = make_pipe(), events = make_pipe();
  std::fflush(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (process_ == 0) {
    close(said[0]);
    close(events[0]);
    in_child(targets, on, said[1], events[1]);
  }
  // Parent and child both do it, because either may run first.
  setpgid(process_, process_);
  close(said[1]);
  close(events[1]);
  said_ = said[0];
  events_ = events[0];
}

BackgroundCheck::~BackgroundCheck() {
  give_up();
  close(said_);
  close(events_);
}

// The build tool ends its compilers and removes what they left unfinished; the runner has a supervisor, which
// ends it when the check is gone. All of them become children of this process then, and are waited for.
void BackgroundCheck::give_up() {
  if (process_ < 0) return;
  kill(-process_, SIGTERM);
  const auto begin = std::chrono::steady_clock::now();
  bool killed = false;
  for (pid_t ended; (ended = waitpid(-1, nullptr, WNOHANG)) >= 0 || errno == EINTR;) {
    if (ended > 0) continue;
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited > ending_patience && !killed) killed = kill(-process_, SIGKILL) == 0;
    if (waited > 2 * ending_patience) break;
    usleep(1000);
  }
  process_ = -1;
}

void BackgroundCheck::note(const std::string& line) {
  const Event event = Event::parse(line);
  if (event.contains("step")) {
    step_ = event.at("step");
    return;
  }
  result_.verdict = event.at("verdict");
  result_.further = event.at("further");
  result_.counters = event.at("counters");
}

std::optional<BackgroundResult> BackgroundCheck::take_in() {
  const bool said_ended = !append_readable(said_, result_.text);
  const bool events_ended = !append_readable(events_, unread_events_);
  for (std::size_t end; (end = unread_events_.find('\n')) != std::string::npos;) {
    note(unread_events_.substr(0, end));
    unread_events_.erase(0, end + 1);
  }
  if (!said_ended || !events_ended) return std::nullopt;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) {
    result_.verdict.clear();
    result_.text +=
        fmt::format("lab: the check itself was ended by a signal: {}\n", strsignal(WTERMSIG(status)));
  }
  return std::move(result_);
}

namespace {

namespace files = std::filesystem;

constexpr std::chrono::milliseconds rest{100}, rest_without_file{1000};

// Larger ones are no sources: their times alone are looked at.
constexpr off_t largest_source = 1 << 20;

bool is_source(const files::path& path) {
  constexpr std::array<std::string_view, 8> endings{".cu", ".cuh", ".cpp", ".cc",
                                                    ".h",  ".hpp", ".hh",  ".inl"};
  const std::string name = path.filename();
  return !name.starts_with('.') &&
         std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

bool belongs_to_another(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                        const files::path& path) {
  return std::any_of(
      workbook.exercises.begin(), workbook.exercises.end(), [&](const workbook::ExerciseInfo& other) {
        return other.lab == exercise.lab && other.name != exercise.name && other.file == path.filename();
      });
}

// A save that keeps size and contents is one too: it changes the time, or the file's number in the system.
std::string described(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  const bool small = S_ISREG(status.st_mode) && status.st_size <= largest_source;
  return fmt::format("{} {} {} {}.{} {}\n", path, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, small ? fingerprint_of(path) : "");
}

}  // namespace

Snapshot snapshot_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  const std::string& file = target.source;
  std::set<std::string> paths;
  std::error_code error;
  for (files::directory_iterator entry(files::path(file).parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_source(entry->path()) && !belongs_to_another(workbook, target.exercise, entry->path()))
      paths.insert(entry->path());
  }
  Snapshot now{described(file), false};
  now.complete = !now.files.empty();
  for (const std::string& path : paths) {
    if (path != file) now.files += described(path);
  }
  return now;
}

SaveWatcher::News SaveWatcher::look(Snapshot now, Time at) {
  const bool same = now.files == last_.files;
  if (same && resting_) return News::none;
  if (same && at - since_ >= (now.complete ? rest : rest_without_file)) {
    resting_ = true;
    return News::saved;
  }
  if (same) return News::none;
  last_ = std::move(now);
  since_ = at;
  resting_ = false;
  return News::changing;
}

namespace {

// The check wrote to a pipe and therefore painted nothing.
std::string with_painted_verdict(std::string text, const std::string& verdict,
                                 const report::Terminal& terminal) {
  const std::size_t at = text.find("\n" + verdict + ":");
  const auto known = facts::find_verdict(verdict);
  if (!known || at == std::string::npos) return text;
  return text.replace(at + 1, verdict.size(), verdict_text(*known, terminal));
}

std::string counters_text(const facts::Counters& counters) {
  using Align = report::Table::Align;
  const report::Table table({{"", Align::left, 24}, {"", Align::right, 12}, {"", Align::left}});
  std::string text = "counters of the longest case\n";
  bool any = false;
  for (const auto& [counter, quantity] : facts::counter_table) {
    const std::uint64_t value = counters.value(counter);
    if (value == 0) continue;
    text += table.row({std::string(quantity.name), facts::separated(value), std::string(quantity.meaning)});
    any = true;
  }
  for (const facts::DerivedCounter& which : facts::derived_table) {
    if (const auto value = facts::derived(which, counters))
      text += table.row({std::string(which.name), facts::derived_text(*value), std::string(which.meaning)});
  }
  return any ? text : "no counters: the last check gave none\n";
}

}  // namespace

std::string result_text(const std::string& time, const std::string& file, const BackgroundResult& result,
                        const report::Terminal& terminal) {
  return fmt::format("{}\n{}", terminal.paint(report::Colour::bold, time + " " + file),
                     with_painted_verdict(result.text, result.verdict, terminal));
}

std::string WatchView::result_part(const report::Terminal& terminal) const {
  return time.empty() ? std::string() : result_text(time, file, result, terminal);
}

std::string WatchView::panel_part() const {
  switch (panel) {
    case Panel::hint:
      return hint;
    case Panel::counters:
      return time.empty() ? std::string() : counters_text(result.counters);
    case Panel::findings:
      if (time.empty()) return {};
      return result.further.empty() ? "nothing else was found\n" : result.further;
    default:
      return {};
  }
}

std::string WatchView::body(const report::Terminal& terminal) const {
  std::string text = result_part(terminal);
  const std::string shown = panel_part();
  if (!shown.empty()) text += "\n" + shown;
  // Below: in a small window it is the one that may not be seen.
  if (!before.empty()) text += (text.empty() ? "" : "\n") + before;
  return text.empty() ? text : text + "\n";
}

std::size_t WatchView::lines_above_panel(const report::Terminal& terminal) const {
  return report::wrapped(result_part(terminal), std::max(terminal.columns, 2u) - 1).size();
}

std::string WatchView::footer(const report::Terminal& terminal) const {
  const std::string doing =
      under_way.empty() ? "watching " + file : fmt::format("checking ({}) {}", under_way, file);
  return terminal.paint(
      report::Colour::grey,
      fmt::format("{}\n{}", doing,
                  keys ? "h hint, c counters, a all findings, j and k scroll, q quit" : "Ctrl-C ends it"));
}

}  // namespace cli
