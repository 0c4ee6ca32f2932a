// SPDX-License-Identifier: MIT
#include "grade/handout.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "facts/errors.hpp"
#include "grade/code.hpp"
#include "os/files.hpp"
#include "workbook/skeleton.hpp"

namespace grade {

namespace {

namespace files = std::filesystem;

// What a student's tree consists of. Of the tests only those of the student's own files: the others hold
// kernels, right ones among them.
constexpr std::array<const char*, 11> handed_out{
    "README.md", "LICENSE", "meson.build", "meson_options.txt", ".clangd", ".clang-format", ".editorconfig",
    "common",    "docs",    "labs",        "subprojects"};
constexpr std::array<const char*, 3> handed_out_tests{"tests/meson.build", "tests/labs", "tests/support"};

bool is_text(const std::string& text) { return text.find('\0') == std::string::npos; }

class Maker {
 public:
  Maker(const workbook::Workbook& workbook, const std::string& folder)
      : workbook_(workbook), folder_(folder) {
    for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
      const auto solution = os::read_file(workbook.source_file(exercise, workbook::Tree::solution));
      if (!solution) continue;
      for (const std::string& part : marked_parts(*solution)) parts_.add(part);
      for (const std::string& part : marked_parts(*solution, 1)) lines_.add_all_of(part);
    }
  }

  Handout make() {
    for (const char* name : handed_out) copy(name);
    for (const char* name : handed_out_tests) copy(name);
    write_skeletons();
    return std::move(result_);
  }

 private:
  void copy(const std::string& name) {
    const std::string from = workbook_.source_root + "/" + name;
    std::error_code none;
    if (files::is_directory(from, none)) {
      // A library that was fetched for this build is fetched again there.
      const bool fetched = name.starts_with("subprojects/") && name != "subprojects/packagefiles" &&
                           !name.starts_with("subprojects/packagefiles/");
      if (fetched) return;
      std::vector<std::string> names;
      for (const auto& entry : files::directory_iterator(from)) names.push_back(entry.path().filename());
      std::sort(names.begin(), names.end());
      for (const std::string& one : names) {
        // What is hidden is .skeleton, which is made anew, or an editor's; .clang-format holds for a folder.
        if (!one.starts_with('.') || one == ".clang-tidy" || one == ".clang-format") copy(name + "/" + one);
      }
      return;
    }
    if (!files::is_regular_file(from, none) || is_students(name)) return;
    auto text = os::read_file(from);
    if (text && name.ends_with(".md")) text = document_for_students(*text, lines_);
    if (!text) throw facts::MachineError("cannot read " + from);
    if (is_text(*text) && parts_.any_in(*text)) {
      result_.left_out.push_back(name);
    } else {
      write(name, *text);
      files::permissions(folder_ + "/" + name, files::status(from).permissions(), none);
    }
  }

  // labs/NN_topic/FILE of an exercise, and what an instructor tried there: the skeletons take their place. A
  // folder without exercises holds nothing to solve.
  bool is_students(const std::string& name) const {
    const std::string ending = files::path(name).extension();
    const bool is_code = ending == ".cu" || ending == ".cpp" || ending == ".cuh" || ending == ".hpp" ||
                         name.find(".kept-") != std::string::npos;
    return is_code && std::ranges::any_of(workbook_.exercises, [&](const workbook::ExerciseInfo& exercise) {
             return name.starts_with("labs/" + exercise.lab + "/");
           });
  }

  void write_skeletons() {
    for (const workbook::ExerciseInfo& exercise : workbook_.exercises) {
      const auto skeleton = workbook_.skeleton(exercise);
      if (!skeleton)
        throw facts::MachineError("there is no skeleton of " + exercise.lab + "/" + exercise.file);
      write("labs/" + exercise.lab + "/" + exercise.file, *skeleton);
      write("labs/" + exercise.lab + "/.skeleton/" + exercise.file, *skeleton);
    }
  }

  void write(const std::string& name, const std::string& text) {
    const files::path path = folder_ + "/" + name;
    files::create_directories(path.parent_path());
    os::write_file(path, text);
    ++result_.files;
  }

  const workbook::Workbook& workbook_;
  const std::string& folder_;
  Parts parts_;
  SolutionLines lines_;
  Handout result_;
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// In front of the code where a finding shows a line: "     17 | ".
std::size_t line_number_length(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return bar != line.npos && bar > 0 && line.substr(bar).starts_with("| ") ? bar + 2 : 0;
}

std::string code_line_for_students(const std::string& line, const SolutionLines& lines) {
  const std::size_t number = line_number_length(line);
  if (lines.holds(std::string_view(line).substr(number))) return line.substr(0, number) + "...";
  return replaced(replaced(line, " --solution", ""), "build/solutions/", "build/labs/");
}

}  // namespace

void SolutionLines::add_all_of(std::string_view part) {
  // A shorter one may stand anywhere: `if (position < length) {`.
  constexpr std::size_t least_tokens = 10;
  while (!part.empty()) {
    const std::string_view line = part.substr(0, part.find('\n'));
    part.remove_prefix(std::min(line.size() + 1, part.size()));
    if (const auto tokens = tokens_in(line); tokens.size() >= least_tokens)
      lines_.insert(fmt::format("{}", fmt::join(tokens, " ")));
  }
}

bool SolutionLines::holds(std::string_view line) const {
  return lines_.contains(fmt::format("{}", fmt::join(tokens_in(line), " ")));
}

std::string document_for_students(std::string_view text, const SolutionLines& lines) {
  std::istringstream stream{std::string(text)};
  std::string result;
  bool in_code = false, in_comment = false, left_out = false;
  for (std::string line; std::getline(stream, line);) {
    const std::string_view words =
        std::string_view(line).substr(std::min(line.find_first_not_of(' '), line.size()));
    if (in_comment || (!in_code && words.starts_with("<!--"))) {
      in_comment = words.find("-->") == words.npos;
      if (words == "<!-- solutions -->") left_out = true;
      if (words == "<!-- /solutions -->") left_out = false;
      continue;
    }
    if (left_out) continue;
    const bool is_fence = words.starts_with("```");
    if (is_fence) in_code = !in_code;
    // What was left out stood between blank lines.
    if (!in_code && line.empty() && (result.empty() || result.ends_with("\n\n"))) continue;
    result += (in_code && !is_fence ? code_line_for_students(line, lines) : line) + "\n";
  }
  return result;
}

std::vector<std::string> marked_parts(std::string_view solution, std::size_t least) {
  std::vector<std::string> parts;
  std::string part;
  std::size_t lines = 0;
  bool inside = false;
  while (!solution.empty()) {
    const std::size_t end = std::min(solution.find('\n'), solution.size() - 1);
    const std::string_view line = solution.substr(0, end + 1);
    solution.remove_prefix(end + 1);
    if (workbook::is_marker(line.substr(0, line.find_last_not_of("\r\n") + 1))) {
      if (inside && lines >= least) parts.push_back(part);
      inside = !inside;
      part.clear();
      lines = 0;
    } else if (inside) {
      part += line;
      lines += !tokens_in(line).empty();
    }
  }
  return parts;
}

Handout make_handout(const workbook::Workbook& workbook, const std::string& folder) {
  std::error_code none;
  const files::path target = files::weakly_canonical(folder, none),
                    root = files::canonical(workbook.source_root);
  if (std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end())
    throw facts::UsageError(fmt::format("{} lies in the tree that is handed out", target.string()));
  if (files::exists(target, none) && (!files::is_directory(target) || !files::is_empty(target)))
    throw facts::UsageError(
        fmt::format("{} is not empty; name a folder that does not exist", target.string()));
  files::create_directories(target, none);
  if (none) throw facts::MachineError(fmt::format("cannot write to {}: {}", target.string(), none.message()));
  return Maker(workbook, target.string()).make();
}

}  // namespace grade
