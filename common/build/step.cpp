// SPDX-License-Identifier: MIT
#include "build/step.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

#include "facts/errors.hpp"
#include "os/files.hpp"

namespace build {

namespace {

namespace files = std::filesystem;

// Time and size tell enough of files that nobody edits: the system's headers and libraries, archives, which
// (being thin ones) name their objects only, and compiled headers.
bool is_edited(const std::string& path) {
  return path.rfind("/usr/", 0) != 0 && !path.ends_with(".a") && !path.ends_with(".gch");
}

std::string path_in(const Step& step, const std::string& path) {
  return (files::path(step.folder) / path).lexically_normal();
}

// What a file is like now; empty if there is no such file.
std::string fingerprint(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (!is_edited(path))
    return fmt::format("{}.{:09}+{}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
  const auto text = os::read_file(path);
  return text ? fmt::format("{:016x}+{}", std::hash<std::string>{}(*text), text->size()) : "";
}

// Beside the record, and as old as that.
std::string printed_file(const Step& step) { return step.record + ".printed"; }

// When a file's content or name last changed, which no program can choose.
std::chrono::nanoseconds changed(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return std::chrono::seconds(status.st_ctim.tv_sec) + std::chrono::nanoseconds(status.st_ctim.tv_nsec);
}

std::string first_line(const Step& step) {
  std::string line = "in " + step.folder + ":";
  for (const std::string& word : step.command) line += " " + word;
  for (char& c : line) c = c == '\n' ? ' ' : c;
  return line;
}

struct Entry {
  std::string fingerprint, path;
};

// The entries of the record, if it is one of this command.
std::vector<Entry> recorded(const Step& step) {
  std::istringstream lines(os::read_file(step.record).value_or(""));
  std::string line;
  std::vector<Entry> entries;
  if (!std::getline(lines, line) || line != first_line(step)) return entries;
  while (std::getline(lines, line)) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos) entries.push_back({line.substr(0, blank), line.substr(blank + 1)});
  }
  return entries;
}

// All files that the command names, and the prerequisites that it found.
std::set<std::string> files_now(const Step& step) {
  std::set<std::string> all;
  for (const std::string& word : step.command) all.insert(path_in(step, word));
  if (step.depfile.empty()) return all;
  const std::string depfile = path_in(step, step.depfile);
  for (const std::string& path : prerequisites(os::read_file(depfile).value_or("")))
    all.insert(path_in(step, path));
  return all;
}

// A file that was saved while the command ran may have been read before or after: nothing is known of it.
void write_record(const Step& step, std::chrono::nanoseconds begin) {
  // The clock of files lags behind by up to a timer's tick.
  constexpr std::chrono::milliseconds tick{20};
  const std::string own_folder = files::path(step.record).parent_path();
  const auto option = std::find(step.command.begin(), step.command.end(), "-o");
  const std::string output =
      step.command.end() - option > 1 ? path_in(step, *(option + 1)) : path_in(step, step.command.back());
  std::string text = first_line(step) + "\n";
  for (const std::string& path : files_now(step)) {
    const std::string is = fingerprint(path);
    if (is.empty()) continue;
    const bool in_doubt = is_edited(path) && path != output && path.rfind(own_folder + "/", 0) != 0 &&
                          changed(path) > begin - tick;
    text += (in_doubt ? "in-doubt" : is) + " " + path + "\n";
  }
  os::write_file(step.record, text);
}

}  // namespace

std::vector<std::string> prerequisites(const std::string& depfile_text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < depfile_text.size(); ++i) {
    const char c = depfile_text[i], next = i + 1 < depfile_text.size() ? depfile_text[i + 1] : '\n';
    const bool is_escape = c == '\\' ? next == ' ' || next == '#' : c == '$' && next == '$';
    if (is_escape) {
      word += depfile_text[++i];
    } else if (c == '\\' && next == '\n') {
      end_word();
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  std::erase_if(words, [](const std::string& w) { return w.back() == ':'; });
  return words;
}

bool is_up_to_date(const Step& step) {
  const std::vector<Entry> entries = recorded(step);
  for (const Entry& entry : entries) {
    if (fingerprint(entry.path) != entry.fingerprint) return false;
  }
  return !entries.empty();
}

std::optional<Failure> run(const Step& step, const os::ToolLimits& limits) {
  if (is_up_to_date(step)) return std::nullopt;
  std::error_code ignored;
  files::remove(step.record, ignored);
  const auto begin = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  std::vector<std::string> words = step.wrapper;
  words.insert(words.end(), step.command.begin(), step.command.end());
  const auto& [result, exceeded] = os::run_limited(words, step.folder, limits);
  // A tool's first words are never a student's: they begin with the place that includes the student's file.
  const bool wrapper_failed =
      std::ranges::any_of(step.wrapper, [&, &printed = result.output](const std::string& word) {
        return word.starts_with('/') && printed.starts_with(files::path(word).filename().string() + ": ");
      });
  if (result.code == 127 || (result.code != 0 && wrapper_failed)) throw facts::MachineError(result.output);
  if (result.code != 0 || !exceeded.empty()) return Failure{result.code, result.output, exceeded};
  os::write_file(printed_file(step), result.output);
  write_record(step, begin);
  return std::nullopt;
}

std::string printed_by(const Step& step) { return os::read_file(printed_file(step)).value_or(""); }

std::vector<std::string> files_of(const Step& step) {
  std::vector<std::string> paths;
  for (const Entry& entry : recorded(step)) paths.push_back(entry.path);
  return paths;
}

}  // namespace build
