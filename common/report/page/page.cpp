// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

// The sections, each in a file of its own.
SectionBody ladder_section, sweep_section, contention_section, roofline_section, counter_section,
    prediction_section, machine_section, repeat_section;

namespace {

// The machine and the newest time: what a title needs.
std::string lead_of(const measure::Selected& selected) {
  const measure::Machine& machine = selected.machine;
  const std::string on =
      machine.gpu.contains("name") ? machine.gpu.at("name") : machine.cpu + ", without a GPU";
  const std::string when =
      selected.records.empty() ? std::string() : ", " + selected.records.back().time.substr(0, 10);
  return paragraph("Measured on " + escaped(on) + when + ".", "lead");
}

const problems::Problem& course() { return *problems::problems().front(); }

// That all records are of; where there are several, the course's.
const problems::Problem& problem_of(const measure::Selected& selected) {
  if (selected.records.empty()) return course();
  const problems::Problem& first = measure::problem_of(selected.records.front());
  const bool all_of_first = std::ranges::all_of(selected.records, [&](const measure::Record& record) {
    return &measure::problem_of(record) == &first;
  });
  return all_of_first ? first : course();
}

std::vector<workbook::ExerciseInfo> launched_exercises(const problems::Problem& problem) {
  std::vector<workbook::ExerciseInfo> exercises = workbook::here().exercises;
  std::erase_if(exercises, [&](const workbook::ExerciseInfo& exercise) {
    return !exercise.launched || exercise.problem != problem.name();
  });
  return exercises;
}

struct Section {
  const char *id, *link, *title;
  SectionBody* body;
};

constexpr Section sections[] = {
    {"ladder", "Ladder", "The ladder", ladder_section},
    {"sweeps", "Sweeps", "Sweeps", sweep_section},
    {"contention", "Contention", "Contention", contention_section},
    {"roofline", "Roofline", "The roofline", roofline_section},
    {"counters", "Counters", "Counters, measured against simulated", counter_section},
    {"predictions", "Predictions", "Predictions", prediction_section},
    {"machine", "Machine", "The machine", machine_section},
    {"repeat", "How to repeat it", "How to repeat it", repeat_section},
};

std::string links(const std::vector<Section>& shown) {
  std::string html;
  for (const Section& section : shown)
    html += fmt::format("{}<a href=\"#{}\">{}</a>", html.empty() ? "" : " ", section.id, section.link);
  return "<nav aria-label=\"Sections\">" + html + "</nav>\n";
}

std::string notice_of(const Plotter& plotter) {
  if (!plotter.is_there())
    return paragraph("There are no plots here: gnuplot is not installed. On Debian and Ubuntu: " +
                         code("sudo apt-get install gnuplot-nox"),
                     "notice");
  if (!plotter.fault().empty())
    return paragraph("There are plots missing: gnuplot failed. It said: " + code(plotter.fault()), "notice");
  return {};
}

}  // namespace

std::string setting_text(const measure::Record& record) {
  const std::string whose = record.tree == "student" ? "the student's own labs" : "the solutions";
  std::string amount = bytes_text(record.bytes()) + " of " + record.input;
  if (record.sweep && kind_of(record).varies_input()) amount = bytes_text(record.bytes());
  if (record.sweep && kind_of(record).varies_length()) amount = record.input;
  return fmt::format("{}, {}, {}{}", amount, variant_text(record), whose,
                     record.warm_cache ? ", the L2 cache warm" : "");
}

std::string nothing_yet(const std::string& command) {
  return paragraph("Nothing yet. To measure it: " + code(command), "nothing");
}

std::string bench_command(const problems::Problem& problem, const std::string& options) {
  return fmt::format("lab bench{}{}", &problem == &course() ? "" : " " + first_lab(problem),
                     options.empty() ? "" : " " + options);
}

std::string first_lab(const problems::Problem& problem) {
  const auto exercises = launched_exercises(problem);
  return exercises.empty() ? "LAB" : exercises.front().short_name(true);
}

std::string middle_exercise(const problems::Problem& problem) {
  const auto exercises = launched_exercises(problem);
  return exercises.empty() ? "LAB" : measure::short_name(exercises[(exercises.size() - 1) / 2]);
}

Page page(const PageContent& content) {
  const measure::Selected selected = measure::select(content.records);
  const std::vector<measure::Ladder> ladders = measure::ladders(selected.records);
  const std::vector<measure::Sweep> sweeps = measure::sweeps(selected.records);
  const Material material{selected, ladders, sweeps, content.predictions, problem_of(selected)};
  Plotter plotter(content.gnuplot);
  std::string html;
  std::vector<Section> shown;
  for (const Section& one : sections) {
    const std::string body = one.body(material, plotter);
    if (body.empty()) continue;
    html += section(one.id, one.title, body);
    shown.push_back(one);
  }
  return {fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>{0}: what was measured</title>\n<style>{1}</style>\n</head>\n<body>\n"
                      "<header>\n<h1>{0}: what was measured</h1>\n{2}{3}{4}</header>\n"
                      "<main>\n{5}</main>\n</body>\n</html>\n",
                      material.problem.title(), style_sheet(), lead_of(selected), links(shown),
                      notice_of(plotter), html),
          plotter.fault(), selected.records.size()};
}

}  // namespace report::page
