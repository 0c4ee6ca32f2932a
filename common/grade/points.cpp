// SPDX-License-Identifier: MIT
#include "grade/points.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>

#include "facts/errors.hpp"

namespace grade {

namespace {

struct PartWords {
  const char *name, *words;
};
constexpr std::array<PartWords, parts> part_words{
    {{"correct", "right answers on ordinary inputs"},
     {"edges", "right at the ends of the input and of memory too: lengths, sizes, accesses out of bounds"},
     {"race_free", "no race, no unwritten memory read, no barrier that only some threads reach"},
     {"technique", "by what the lab teaches"},
     {"speed", "as fast as the solution, on a GPU: half as fast has half of it"}}};

// "correct, edges", with another word before the last.
std::string part_names(const std::string& before_last) {
  std::string names = part_words.front().name;
  for (std::size_t i = 1; i < parts; ++i) names += (i + 1 < parts ? ", " : before_last) + part_words[i].name;
  return names;
}

std::string name_of(const workbook::ExerciseInfo& exercise) { return exercise.lab + "/" + exercise.name; }

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// A plain number from 0 on.
std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

struct Seen {
  std::string verdict, diagnosis;
};

// The verdict and everything that was found behind it.
std::vector<Seen> seen_in(const nlohmann::ordered_json& exercise) {
  const auto seen = [](const nlohmann::ordered_json& finding) {
    const auto diagnosis = finding.find("diagnosis");
    const bool has = diagnosis != finding.end() && diagnosis->is_string();
    return Seen{finding.at("verdict").get<std::string>(), has ? diagnosis->get<std::string>() : ""};
  };
  std::vector<Seen> all{seen(exercise)};
  if (const auto further = exercise.find("further"); further != exercise.end()) {
    for (const auto& finding : *further) all.push_back(seen(finding));
  }
  return all;
}

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A wrong answer at the ends alone leaves the rest right.
bool is_at_an_edge(const Seen& seen) {
  return seen.verdict == "out_of_bounds" ||
         (seen.verdict == "wrong_answer" &&
          is_one_of(seen.diagnosis, {"tail_missed", "past_the_end", "overflow"}));
}

bool is_about_order(const Seen& seen) {
  return is_one_of(seen.verdict, {"race", "uninitialised", "divergent_barrier"});
}

// Without an atomic the answer is right by luck.
bool is_right(const Seen& seen) {
  return is_one_of(seen.verdict, {"pass", "technique"}) || is_at_an_edge(seen) ||
         (is_about_order(seen) && seen.diagnosis != "missing_atomic");
}

}  // namespace

const char* name_of(Part part) { return part_words[static_cast<std::size_t>(part)].name; }
const char* words_of(Part part) { return part_words[static_cast<std::size_t>(part)].words; }

double Points::weight_of(const workbook::ExerciseInfo& exercise) const {
  const auto found = weights.find(name_of(exercise));
  return found == weights.end() ? 1 : found->second;
}

std::string points_number(double points) {
  std::string text = fmt::format("{:.2f}", points);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string points_text(const Points& points, const std::vector<workbook::ExerciseInfo>& exercises) {
  std::string text =
      "# What is worth how many points. Change a number, then start lab grade again: it judges nothing "
      "twice.\n\n"
      "# for all exercises together\n";
  text += fmt::format("total={}\n\n", points_number(points.total));
  text +=
      "# Of an exercise's points, in percent, 100 together. Without the first part none of the others is "
      "given.\n# Speed is measured where it has points.\n";
  for (std::size_t i = 0; i < parts; ++i)
    text += fmt::format("# {}\n{}={}\n", part_words[i].words, part_words[i].name,
                        points_number(points.shares[i]));
  text += "\n# How much of the total an exercise has, against the others.\n";
  for (const workbook::ExerciseInfo& exercise : exercises)
    text += fmt::format("weight.{}={}\n", name_of(exercise), points_number(points.weight_of(exercise)));
  return text;
}

Points points_from(const std::string& text, const std::string& file,
                   const std::vector<workbook::ExerciseInfo>& exercises) {
  Points points;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto wrong = [&](const std::string& words) {
      return facts::UsageError(fmt::format("{}:{}: {}", file, number, words));
    };
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t sign = line.find('=');
    const std::string key = trimmed(line.substr(0, sign));
    const auto value = sign == std::string::npos ? std::nullopt : number_in(trimmed(line.substr(sign + 1)));
    if (!value) throw wrong("a line has to be KEY=NUMBER, such as total=100");
    const auto part = std::find_if(part_words.begin(), part_words.end(),
                                   [&](const PartWords& words) { return key == words.name; });
    const bool is_weight = key.starts_with("weight.") &&
                           std::any_of(exercises.begin(), exercises.end(), [&](const auto& exercise) {
                             return key == "weight." + name_of(exercise);
                           });
    if (key == "total") {
      points.total = *value;
    } else if (part != part_words.end()) {
      points.shares[static_cast<std::size_t>(part - part_words.begin())] = *value;
    } else if (is_weight) {
      points.weights[key.substr(key.find('.') + 1)] = *value;
    } else {
      throw wrong(fmt::format("nothing is called \"{}\"; there are total, {} and weight.LAB/EXERCISE", key,
                              part_names(", ")));
    }
  }
  const double all = std::accumulate(points.shares.begin(), points.shares.end(), 0.0);
  if (std::abs(all - 100) > 1e-6)
    throw facts::UsageError(
        fmt::format("{}: {} add up to {}, not to 100", file, part_names(" and "), points_number(all)));
  return points;
}

bool is_correct(const nlohmann::ordered_json& exercise) {
  const std::vector<Seen> seen = seen_in(exercise);
  return seen.front().verdict != "unavailable" && std::all_of(seen.begin(), seen.end(), [](const Seen& one) {
           return is_right(one) || one.verdict == "unavailable";
         });
}

std::vector<double> earned(const nlohmann::ordered_json& exercise) {
  std::vector<double> result(parts, 0);
  if (!is_correct(exercise)) return result;
  const std::vector<Seen> seen = seen_in(exercise);
  const auto give = [&](Part part, double share) { result[static_cast<std::size_t>(part)] = share; };
  give(Part::correct, 1);
  give(Part::edges, std::none_of(seen.begin(), seen.end(), is_at_an_edge));
  give(Part::race_free, std::none_of(seen.begin(), seen.end(), is_about_order));
  // It is looked at only where all else is right.
  give(Part::technique, seen.front().verdict == "pass");
  if (const auto speed = exercise.find("speed"); speed != exercise.end())
    give(Part::speed, speed->at("share"));
  return result;
}

double most_points(const Points& points, const workbook::ExerciseInfo& exercise,
                   const std::vector<workbook::ExerciseInfo>& exercises) {
  double all = 0;
  for (const workbook::ExerciseInfo& one : exercises) all += points.weight_of(one);
  return all > 0 ? points.total * points.weight_of(exercise) / all : 0;
}

double earned_points(const Points& points, const workbook::ExerciseInfo& exercise,
                     const nlohmann::ordered_json& judged, double most) {
  const std::vector<double> has = earned(judged);
  const double all = exercise.launched ? 100 : 100 - points.share_of(Part::speed);
  if (all <= 0) return has.front() * most;
  double share = 0;
  for (std::size_t i = 0; i < parts; ++i) share += has[i] * points.shares[i];
  return most * share / all;
}

}  // namespace grade
