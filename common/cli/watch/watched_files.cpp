// SPDX-License-Identifier: MIT
#include "cli/watch/watched_files.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "cli/progress.hpp"

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

}  // namespace cli
