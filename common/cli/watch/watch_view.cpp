// SPDX-License-Identifier: MIT
#include "cli/watch/watch_view.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "report/numbers.hpp"
#include "report/terminal/table.hpp"

namespace cli {

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
    text += table.row(
        {std::string(quantity.name), report::with_separators(value), std::string(quantity.meaning)});
    any = true;
  }
  return any ? text : "no counters: the last check gave none\n";
}

}  // namespace

std::string result_text(const std::string& time, const std::string& file, const BackgroundResult& result,
                        const report::Terminal& terminal) {
  return fmt::format("{}\n{}", terminal.paint(report::Colour::bold, time + " " + file),
                     with_painted_verdict(result.text, result.verdict, terminal));
}

std::string WatchView::body(const report::Terminal& terminal) const {
  std::string text;
  if (!time.empty()) text += result_text(time, file, result, terminal);
  if (!time.empty() && all) text += result.further.empty() ? "nothing else was found\n" : result.further;
  if (!time.empty() && counters) text += "\n" + counters_text(result.counters);
  if (!hint.empty()) text += "\n" + hint;
  // Below: in a small window it is the one that may be cut off.
  if (!before.empty()) text += (text.empty() ? "" : "\n") + before;
  return text.empty() ? text : text + "\n";
}

std::string WatchView::footer(const report::Terminal& terminal) const {
  const std::string doing =
      under_way.empty() ? "watching " + file : fmt::format("checking ({}) {}", under_way, file);
  return terminal.paint(
      report::Colour::grey,
      fmt::format("{}\n{}", doing, keys ? "h hint, c counters, a all findings, q quit" : "Ctrl-C ends it"));
}

}  // namespace cli
