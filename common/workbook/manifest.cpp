// SPDX-License-Identifier: MIT
#include "workbook/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "facts/errors.hpp"

namespace workbook {

namespace {

namespace files = std::filesystem;
using Words = std::vector<std::string>;

// Constant, because the workbook is read before main() too.
constexpr std::array<std::string_view, 7> known_keys{"title",  "problem", "exercises", "entry",
                                                     "output", "sweeps",  "technique"};
constexpr std::array<const char*, 4> required_keys{"title", "problem", "exercises", "entry"};

template <class List>
bool contains(const List& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// What stands before the ending in the names of a folder that have it, in alphabetical order.
Words names_in(const std::string& folder, std::string_view ending) {
  Words names;
  std::error_code ignored;
  for (const auto& entry : files::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(ending)) continue;
    const std::string stem = name.substr(0, name.size() - ending.size());
    constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyz_0123456789";
    if (!stem.empty() && stem.find_first_not_of(of_names) == stem.npos) names.push_back(stem);
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Value {
  std::string text;
  int line = 0;
};

class Manifest {
 public:
  Manifest(const std::string& source_root, const std::string& lab)
      : source_root_(source_root), lab_(lab), name_("labs/" + lab + "/lab.manifest") {
    std::ifstream file(source_root + "/" + name_);
    if (!file) throw facts::MachineError(fmt::format("cannot read {}", name_));
    int number = 0;
    for (std::string line; std::getline(file, line);) read_line(line, ++number);
    for (const char* key : required_keys) {
      if (values_.find(key) == values_.end())
        throw facts::MachineError(fmt::format("{}: a line \"{}=...\" is missing", name_, key));
    }
  }

  std::vector<ExerciseInfo> exercises() const {
    Words names;
    for (const std::string& file : words_of(values_.at("exercises").text)) {
      static const std::regex form("([A-Za-z0-9_]+)\\.(cu|cpp)");
      std::smatch match;
      if (!std::regex_match(file, match, form))
        fail(values_.at("exercises"),
             fmt::format("\"{}\" is not a file of the form NAME.cu or NAME.cpp", file));
      names.push_back(match[1]);
    }
    if (names.empty()) fail(values_.at("exercises"), "at least one file is needed, such as histogram.cu");
    for (const auto& [key, value] : values_) {
      const std::size_t dot = key.find('.');
      if (dot == std::string::npos || contains(names, key.substr(dot + 1))) continue;
      fail(value, fmt::format("\"{}\" is for an exercise that this lab does not have; it has {}", key,
                              fmt::join(names, ", ")));
    }
    std::vector<ExerciseInfo> all;
    for (const std::string& file : words_of(values_.at("exercises").text))
      all.push_back(exercise(names[all.size()], file));
    return all;
  }

 private:
  [[noreturn]] void fail(const Value& value, const std::string& reason) const {
    throw facts::MachineError(fmt::format("{}:{}: {}", name_, value.line, reason));
  }

  void read_line(std::string line, int number) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::size_t equals = line.find('=');
    const Value value{equals == std::string::npos ? "" : trimmed(line.substr(equals + 1)), number};
    if (equals == std::string::npos) fail(value, fmt::format("expected KEY=VALUE, got \"{}\"", line));
    const std::string key = trimmed(line.substr(0, equals)), general = key.substr(0, key.find('.'));
    if (!contains(known_keys, general) || key == "exercises." || (general == "exercises" && key != general))
      fail(value, fmt::format("unknown key \"{}\"; the keys are {}", key, fmt::join(known_keys, ", ")));
    if (!values_.emplace(key, value).second)
      fail(value, fmt::format("\"{}\" is in line {} already", key, values_.at(key).line));
  }

  Value one_for(const std::string& exercise, const std::string& key,
                const std::string& otherwise = "") const {
    for (const std::string& name : {key + "." + exercise, key}) {
      if (const auto found = values_.find(name); found != values_.end()) return found->second;
    }
    return {otherwise, 0};
  }

  // One of several accepted words.
  std::string chosen_for(const std::string& exercise, const std::string& key, const Words& accepted,
                         const std::string& otherwise = "") const {
    const Value value = one_for(exercise, key, otherwise);
    if (!contains(accepted, value.text))
      fail(value,
           fmt::format("unknown {} \"{}\"; expected one of {}", key, value.text, fmt::join(accepted, ", ")));
    return value.text;
  }

  problems::Rule rule(const Value& value, const std::string& word) const {
    static const std::regex form("([a-z_0-9]+)(\\(([0-9]+(,[0-9]+)*)\\))?");
    std::smatch match;
    if (!std::regex_match(word, match, form))
      fail(value,
           fmt::format("\"{}\" is not a rule; expected NAME or NAME(NUMBER,...) without blanks", word));
    problems::Rule rule{match[1], {}};
    std::istringstream numbers(match[3]);
    for (std::string digits; std::getline(numbers, digits, ',');) {
      std::uint64_t& number = rule.parameters.emplace_back();
      if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{})
        fail(value, fmt::format("{} is too large in \"{}\"", digits, word));
    }
    return rule;
  }

  ExerciseInfo exercise(const std::string& name, const std::string& file) const {
    ExerciseInfo info{.lab = lab_, .name = name, .file = file};
    info.title = one_for(name, "title").text;
    info.problem = chosen_for(name, "problem", problems());
    info.entry = chosen_for(name, "entry", entries(info.problem));
    info.launched = info.entry != "sequential";
    info.output = chosen_for(name, "output", {"one", "one_per_block"}, "one");
    for (const std::string& key : {std::string("sweeps"), "sweeps." + name}) {
      const auto found = values_.find(key);
      for (const std::string& word : found == values_.end() ? Words{} : words_of(found->second.text))
        info.sweeps.push_back(word);
    }
    for (const std::string& key : {std::string("technique"), "technique." + name}) {
      const auto found = values_.find(key);
      for (const std::string& word : found == values_.end() ? Words{} : words_of(found->second.text))
        info.technique.push_back(rule(found->second, word));
    }
    return info;
  }

  Words problems() const { return names_in(source_root_ + "/common/problems", ""); }
  Words entries(const std::string& problem) const {
    return names_in(source_root_ + "/common/problems/" + problem + "/unit", "_entry.hpp");
  }

  std::string source_root_, lab_, name_;
  std::map<std::string, Value> values_;
};

}  // namespace

std::vector<ExerciseInfo> read_manifest(const std::string& source_root, const std::string& lab) {
  static const std::regex form("([0-9]{2}|x[0-9]+)_[a-z0-9_]+");
  if (!std::regex_match(lab, form)) {
    throw facts::MachineError(fmt::format(
        "labs/{}: a lab's folder is named NN_topic, such as 07_sorting, or xN_topic for an extra lab", lab));
  }
  return Manifest(source_root, lab).exercises();
}

std::vector<ExerciseInfo> read_variants(const std::string& source_root,
                                        const std::vector<ExerciseInfo>& exercises) {
  static const std::regex form("([a-z0-9_]+)-[a-z0-9_]+");
  std::map<std::string, std::vector<ExerciseInfo>> by_exercise;
  std::map<std::string, Words> exercises_of;
  for (const ExerciseInfo& exercise : exercises) exercises_of[exercise.lab].push_back(exercise.name);
  for (const auto& [lab, names] : exercises_of) {
    const std::string folder = "solutions/" + lab + "/variants";
    std::error_code none;
    for (const auto& entry : files::directory_iterator(source_root + "/" + folder, none)) {
      const std::string file = entry.path().filename(), name = entry.path().stem();
      if (entry.path().extension() != ".cu") continue;
      std::smatch match;
      if (!std::regex_match(name, match, form) || !contains(names, match[1])) {
        throw facts::MachineError(
            fmt::format("{}/{}: a variant is called EXERCISE-NAME.cu after an exercise of its lab: {}",
                        folder, file, fmt::join(names, ", ")));
      }
      by_exercise[lab + "/" + match[1].str()].push_back(
          {.lab = lab, .name = name, .file = "variants/" + file});
    }
  }
  std::vector<ExerciseInfo> variants;
  for (const ExerciseInfo& exercise : exercises) {
    std::vector<ExerciseInfo>& found = by_exercise[exercise.lab + "/" + exercise.name];
    std::ranges::sort(found, {}, &ExerciseInfo::name);
    for (const ExerciseInfo& one : found) {
      variants.push_back(exercise);
      variants.back().name = one.name;
      variants.back().file = one.file;
    }
  }
  return variants;
}

std::vector<ExerciseInfo> read_manifests(const std::string& source_root) {
  std::vector<std::string> labs;
  std::error_code error;
  for (const auto& entry : files::directory_iterator(source_root + "/labs", error)) {
    if (files::exists(entry.path() / "lab.manifest")) labs.push_back(entry.path().filename());
  }
  if (labs.empty())
    throw facts::MachineError(fmt::format("no lab.manifest in any folder of {}/labs", source_root));
  std::sort(labs.begin(), labs.end());
  std::vector<ExerciseInfo> exercises;
  const auto number = [](const std::string& lab) { return lab.substr(0, lab.find('_')); };
  for (const std::string& lab : labs) {
    if (!exercises.empty() && number(exercises.back().lab) == number(lab)) {
      throw facts::MachineError(
          fmt::format("labs/{} and labs/{} have the same number; rename one", exercises.back().lab, lab));
    }
    for (ExerciseInfo& exercise : read_manifest(source_root, lab)) exercises.push_back(std::move(exercise));
  }
  return exercises;
}

}  // namespace workbook
