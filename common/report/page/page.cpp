// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "facts/json_fields.hpp"
#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

// The sections, each in a file of its own, what fills them where they are empty, and what every page ends
// with.
SectionBody headline_section, input_section, step_section, sweep_section, roofline_section, counter_section,
    prediction_section, ladder_section;
FillingCommand input_command, block_command, contention_command, roofline_command, counter_command,
    prediction_command;
std::string machine_html(const measure::Selected& selected);
std::string repeat_html(const measure::Selected& selected);

namespace {

const problems::Problem& course() { return *problems::problems().front(); }

std::vector<workbook::ExerciseInfo> launched_exercises(const problems::Problem& problem) {
  std::vector<workbook::ExerciseInfo> exercises = workbook::here().exercises;
  std::erase_if(exercises, [&](const workbook::ExerciseInfo& exercise) {
    return !exercise.launched || exercise.problem != problem.name();
  });
  return exercises;
}

std::string ladder_command(const Material& material) { return bench_command(material.problem); }

struct Section {
  const char *id, *link, *title;
  SectionBody* body;
  FillingCommand* command;  // null: another section's fills it
};

// The story, in the order in which it is told.
constexpr Section sections[] = {
    {"ladder", "Labs", "From lab to lab", headline_section, ladder_command},
    {"inputs", "Inputs", "The fastest lab for each input", input_section, input_command},
    {"steps", "Steps", "What each step gained, and what changed", step_section, nullptr},
    {"sweeps", "Contention and block size", "Contention and block size", sweep_section, nullptr},
    {"roofline", "Roofline", "The roofline", roofline_section, roofline_command},
    {"counters", "Counters", "Counted by the GPU and by the simulator", counter_section, counter_command},
    {"predictions", "Predictions", "Predictions", prediction_section, prediction_command},
};

bool is_about(const Record& record, const problems::Problem& problem) {
  return &measure::problem_of(record) == &problem;
}

std::vector<Record> those_about(const std::vector<Record>& records, const problems::Problem& problem) {
  std::vector<Record> about;
  std::ranges::copy_if(records, std::back_inserter(about),
                       [&](const Record& record) { return is_about(record, problem); });
  return about;
}

// What the simulator counted of solutions: of a student's own labs only where it was counted among the same
// records, because another student's are other kernels.
void add_counts(std::vector<Record>& counts, const std::vector<nlohmann::ordered_json>& records, bool own) {
  for (const nlohmann::ordered_json& json : records) {
    try {
      Record record = measure::record_of(json);
      if (traits_of(record.backend).simulated && record.passed() && !record.counters.empty() &&
          (own || record.tree != "student"))
        counts.push_back(std::move(record));
    } catch (const facts::FieldError&) {
      // It is counted among the misshapen.
    }
  }
}

Material material_of(const problems::Problem& problem, const measure::Selected& selected,
                     const std::vector<Record>& counts, const std::vector<PredictionRow>& predictions) {
  Material material{problem,    those_about(selected.records, problem), those_about(counts, problem), {}, {},
                    predictions};
  material.ladders = measure::ladders(material.records);
  material.sweeps = measure::sweeps(material.records);
  return material;
}

// The problem that the page's story is about: the course's if it is among the records, else that of the
// newest.
const problems::Problem& problem_of(const std::vector<Record>& records) {
  const auto of_course = [](const Record& record) { return is_about(record, course()); };
  if (records.empty() || std::ranges::any_of(records, of_course)) return course();
  return measure::problem_of(records.back());
}

struct Story {
  std::string html, links;
  std::string missing;  // a line for each section that nothing has filled
};

void add_missing(Story& story, const std::string& title, const std::string& command) {
  if (!command.empty()) story.missing += fmt::format("<li>{}: {}</li>\n", escaped(title), code(command));
}

Story story_of(const Material& material, Plotter& plotter) {
  Story story;
  for (const Section& one : sections) {
    const std::string body = one.body(material, plotter);
    if (!body.empty()) {
      story.html += section(one.id, one.title, body);
      story.links += fmt::format("<a href=\"#{}\">{}</a> ", one.id, one.link);
    } else if (one.command) {
      add_missing(story, one.title, one.command(material));
    }
  }
  const auto is_swept = [&](const char* name) {
    return std::ranges::any_of(material.sweeps,
                               [&](const measure::Sweep& sweep) { return sweep.name() == name; });
  };
  if (!is_swept("contention")) add_missing(story, "Contention", contention_command(material));
  if (!is_swept("block")) add_missing(story, "Block size", block_command(material));
  return story;
}

// Another problem's story, told in short: without headings of its own in the page's contents.
std::string folded_story(const Material& material, Plotter& plotter) {
  std::string html;
  const std::vector<PredictionRow> none;
  const Material without{material.problem, material.records, material.counts,
                         material.ladders, material.sweeps,  none};
  for (const Section& one : sections) {
    const std::string body = one.body(without, plotter);
    if (!body.empty()) html += fmt::format("<h3>{}</h3>\n", escaped(one.title)) + body;
  }
  html += ladder_section(material, plotter);
  return html.empty() ? html : folded(std::string(material.problem.title()), html);
}

std::string links_of(const std::string& of_story) {
  return "<nav aria-label=\"Sections\">" + of_story + "<a href=\"#rest\">Everything else</a></nav>\n";
}

// The machine and the newest time: what a title needs.
std::string lead_of(const measure::Selected& selected, const std::vector<Ladder>& ladders) {
  const measure::Machine& machine = selected.machine;
  const std::string on =
      machine.gpu.contains("name") ? machine.gpu.at("name") : machine.cpu + ", without a GPU";
  const std::string when =
      selected.records.empty() ? std::string() : ", " + selected.records.back().time.substr(0, 10);
  const bool timed = std::ranges::any_of(ladders, &Ladder::timed);
  const Record* estimated = nullptr;
  for (const Ladder& ladder : ladders) {
    if (!estimated) estimated = estimated_lab(ladder);
  }
  const std::string estimates = estimated ? " What is estimated for " +
                                                escaped(facts::with_article(estimated->estimate->name)) +
                                                " stands in boxes that say so."
                                          : "";
  return paragraph(
      "Measured on " + escaped(on) + when + "." + estimates +
          (machine.gpu.empty() && !timed ? " Times need a GPU; those that an H200 measured: " +
                                               code("lab report --records docs/records/h200.jsonl")
                                         : ""),
      "lead");
}

// Each page in a fold of its own, loaded when that is opened, and linked: a lecturer wants it on the whole
// screen.
std::string demonstrations_html(const std::vector<LinkedPage>& pages) {
  std::string folds;
  for (const LinkedPage& page : pages) {
    const std::string address = escaped(page.address), title = escaped(page.title);
    folds += folded(page.title,
                    fmt::format("<iframe class=\"demonstration\" src=\"{0}\" title=\"{1}\" loading=\"lazy\">"
                                "</iframe>\n<p><a href=\"{0}\">On a page of its own</a></p>\n",
                                address, title));
  }
  return folds.empty() ? folds : folded("Kernels at work", folds);
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
  std::vector<Record> counts;
  add_counts(counts, content.counted_elsewhere, false);
  add_counts(counts, content.records, true);
  const problems::Problem& problem = problem_of(selected.records);
  const Material material = material_of(problem, selected, counts, content.predictions);
  Plotter plotter(content.gnuplot);
  Story story = story_of(material, plotter);
  std::string rest = ladder_section(material, plotter), uncounted = uncounted_list(material);
  for (const problems::Problem* const other : problems::problems()) {
    const Material about = material_of(*other, selected, counts, content.predictions);
    if (other == &problem || about.records.empty()) continue;
    rest += folded_story(about, plotter);
    uncounted += uncounted_list(about);
  }
  rest += uncounted;
  rest += demonstrations_html(content.demonstrations);
  rest += folded("The machine", machine_html(selected));
  rest += folded("How to repeat it", repeat_html(selected));
  if (!story.missing.empty())
    rest += folded("What can be measured besides", "<ul class=\"commands\">\n" + story.missing + "</ul>\n");
  return {
      fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>{0}: what was measured</title>\n<style>{1}</style>\n</head>\n<body>\n"
                  "<header>\n<h1>{0}: what was measured</h1>\n{2}{3}{4}</header>\n"
                  "<main>\n{5}{6}</main>\n</body>\n</html>\n",
                  problem.title(), style_sheet(), lead_of(selected, material.ladders), links_of(story.links),
                  notice_of(plotter), story.html, section("rest", "Everything else", rest)),
      plotter.fault(), selected.records.size()};
}

}  // namespace report::page
