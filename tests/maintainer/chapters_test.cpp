// SPDX-License-Identifier: MIT
// What every chapter keeps to: the work begins early, what needs a GPU is marked in one way, and every
// question has its answer.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& path) {
  std::istringstream text(os::read_file(path).value());
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> labs() {
  std::set<std::string> names;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) names.insert(exercise.lab);
  return names;
}

std::string chapter_of(const std::string& lab) {
  return workbook::here().source_root + "/labs/" + lab + "/README.md";
}

// The lines below the heading, up to the next one.
Lines section(const Lines& lines, const std::string& heading) {
  Lines found;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line.starts_with("## ")) inside = line == heading;
    if (inside) found.push_back(line);
  }
  return found;
}

// The numbers of the list's items: "1.", "2." at the beginning of a line.
std::vector<int> numbers_of(const Lines& lines) {
  std::vector<int> numbers;
  for (const std::string& line : lines) {
    std::smatch item;
    if (std::regex_search(line, item, std::regex(R"(^(\d+)\. )"))) numbers.push_back(std::stoi(item[1]));
  }
  return numbers;
}

std::size_t words_of(const std::string& line) {
  std::istringstream stream(line);
  std::size_t words = 0;
  for (std::string word; stream >> word;) ++words;
  return words;
}

}  // namespace

TEST_CASE("a chapter comes to the work within 700 or 1,100 words, and shows no time before it") {
  for (const auto& [name, most] : std::map<std::string, std::size_t>{{"01_sequential", 700},
                                                                     {"02_global_atomics", 700},
                                                                     {"03_privatization", 700},
                                                                     {"04_shared_memory", 700},
                                                                     {"05_coarsening", 1100},
                                                                     {"06_aggregation", 1100}}) {
    const std::string& lab = name;
    CAPTURE(lab);
    const std::regex measured_time(R"(\d (ms|µs)\b)");
    std::size_t words = 0;
    bool comes_to_the_work = false;
    for (const std::string& line : lines_of(chapter_of(lab))) {
      comes_to_the_work = line == "## What to write";
      if (comes_to_the_work) break;
      words += words_of(line);  // those of drawings and tables too
      CAPTURE(line);
      CHECK_FALSE(std::regex_search(line, measured_time));
    }
    CHECK(comes_to_the_work);
    CHECK(words <= most);
  }
}

// A mark, **[GPU]**, holds for the section or the item of a list that begins with it.
TEST_CASE("commands in the chapters that need a GPU stand where the text is marked [GPU]") {
  const std::regex needs_gpu(R"(^ *(ncu |compute-sanitizer )|--on gpu|histogram\.gpu)");
  std::size_t commands = 0;
  for (const std::string& lab : labs()) {
    bool marked = false, in_block = false;
    for (const std::string& line : lines_of(chapter_of(lab))) {
      CAPTURE(lab);
      CAPTURE(line);
      const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
      if (text.starts_with("```")) in_block = !in_block;
      if (!in_block && (line.starts_with("## ") || !numbers_of({line}).empty())) marked = false;
      if (line.find("**[GPU]**") != std::string::npos) marked = true;
      if (!in_block || !std::regex_search(line, needs_gpu)) continue;
      CHECK(marked);
      ++commands;
    }
  }
  CHECK(commands > 10);
}

TEST_CASE("every question of a chapter has its answer, in the chapter's order") {
  for (const std::string& lab : labs()) {
    CAPTURE(lab);
    const Lines chapter = lines_of(chapter_of(lab));
    const Lines answers = lines_of(workbook::here().source_root + "/solutions/" + lab + "/answers.md");
    for (const auto& [heading, answered] : std::map<std::string, std::string>{
             {"## Predict before you run", "## Predict"}, {"## Questions", "## Questions"}}) {
      const std::string& asked = heading;
      CAPTURE(asked);
      const std::vector<int> questions = numbers_of(section(chapter, asked));
      CHECK(!questions.empty());
      for (std::size_t i = 0; i < questions.size(); ++i) CHECK(questions[i] == static_cast<int>(i) + 1);
      CHECK(fmt::format("{}", fmt::join(numbers_of(section(answers, answered)), " ")) ==
            fmt::format("{}", fmt::join(questions, " ")));
    }
  }
}
