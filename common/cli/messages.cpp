// SPDX-License-Identifier: MIT
#include "cli/messages.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cli/speech.hpp"
#include "report/numbers.hpp"

namespace cli {

namespace {

// Keys keep the order in which they are documented.
using Json = nlohmann::ordered_json;

std::string variant_key(const workbook::ExerciseInfo& exercise) {
  return std::string(problems::find_problem(exercise.problem)->variant_option());
}

Json text_json(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json diagnosis_json(const facts::Finding& finding) { return text_json(finding.diagnosis); }

// "reads and writes"
std::string roles_text(const std::vector<std::string>& roles) {
  std::string text;
  for (const std::string& role : roles) text += (text.empty() ? "" : " and ") + role;
  return text.empty() ? text : " (" + text + ")";
}

// With blanks instead of tabs, as a terminal shows it.
std::string without_tabs(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\t') {
      line.resize((line.size() / report::tab_width + 1) * report::tab_width, ' ');
    } else {
      line += c;
    }
  }
  return line;
}

// A line of source with a mark below it, as compilers show it. Where it is too long for the terminal its
// indentation is left out, and then what lies far from the mark.
std::string source_text(const facts::Location& place, const report::Terminal& terminal) {
  if (place.text.empty()) return {};
  constexpr std::size_t number_columns = 10, least_room = 20;
  constexpr std::string_view cut = "...";
  const std::size_t columns = terminal.columns > 0 ? terminal.columns - 1 : 0;
  const std::size_t room =
      terminal.live ? std::max(columns, number_columns + least_room) - number_columns : std::string::npos;
  std::string line = without_tabs(place.text);
  std::size_t mark = 0;
  if (place.column > 0)
    mark = without_tabs(place.text.substr(0, static_cast<std::size_t>(place.column) - 1)).size();
  if (line.size() > room) {
    const std::size_t indentation = std::min(line.find_first_not_of(' '), mark);
    line.erase(0, indentation);
    mark -= indentation;
  }
  if (line.size() > room && mark + cut.size() >= room) {
    const std::size_t left_out = mark - room / 2;
    line.replace(0, left_out, cut);
    mark -= left_out - cut.size();
  }
  if (line.size() > room) line.replace(room - cut.size(), std::string::npos, cut);
  return fmt::format("  {:>5} | {}\n{}", place.line, line,
                     place.column > 0 ? fmt::format("  {:>5} | {}^\n", "", std::string(mark, ' ')) : "");
}

// Each place with its line of source, each line once, in the order of the file.
std::string shown_places(const workbook::Workbook& workbook, std::vector<facts::Location> all,
                         const report::Terminal& terminal) {
  std::string text;
  std::vector<facts::Location> shown;
  std::ranges::stable_sort(all, {},
                           [](const facts::Location& place) { return std::tie(place.file, place.line); });
  for (const facts::Location& place : all) {
    const auto is_here = [&](const facts::Location& other) {
      return other.file == place.file && other.line == place.line;
    };
    if (std::ranges::any_of(shown, is_here)) continue;
    shown.push_back(place);
    std::vector<std::string> roles;
    for (const facts::Location& other : all) {
      if (is_here(other) && !other.role.empty() && std::ranges::find(roles, other.role) == roles.end())
        roles.push_back(other.role);
    }
    text += fmt::format("  {}:{}{}\n{}", workbook.shortened(place.file), place.line, roles_text(roles),
                        source_text(place, terminal));
  }
  return text;
}

// One place to a line.
std::string places_text(const workbook::Workbook& workbook, const std::vector<facts::Location>& all) {
  std::string text;
  for (const facts::Location& location : all)
    text += fmt::format("  {}:{}\n", workbook.shortened(location.file), location.line);
  return text;
}

Json report_json(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  Json json{{"lab", report.exercise.lab},
            {"exercise", report.exercise.name},
            {"backend", name_of(report.backend)},
            {"verdict", name_of(report.finding.verdict)},
            {"diagnosis", diagnosis_json(report.finding)},
            {"message", report.finding.message},
            {"where", measure::places_json(workbook, report.finding.where)},
            {"evidence", text_json(report.finding.evidence)},
            {"missing", text_json(report.finding.missing)},
            {"seed", report.seed},
            {"cases", Json::array()},
            {"counters", report.counters},
            {"derived", facts::derived(report.counters)},
            {"further", Json::array()},
            {"notes", measure::notes_json(workbook, report.notes)}};
  for (const judge::CaseResult& result : report.cases) {
    const facts::Finding first = !result.findings.empty() ? result.findings.front()
                                 : result.left_out
                                     ? facts::Finding{facts::Verdict::unavailable, *result.left_out}
                                     : facts::Finding{};
    json["cases"].push_back({{variant_key(report.exercise), result.what.variant},
                             {"input", result.what.input},
                             {"length", result.what.length},
                             {"verdict", name_of(first.verdict)},
                             {"diagnosis", diagnosis_json(first)}});
  }
  for (const facts::Finding& finding : report.further) {
    json["further"].push_back({{"verdict", name_of(finding.verdict)},
                               {"diagnosis", diagnosis_json(finding)},
                               {"message", finding.message},
                               {"where", measure::places_json(workbook, finding.where)},
                               {"evidence", text_json(finding.evidence)},
                               {"missing", text_json(finding.missing)}});
  }
  return json;
}

}  // namespace

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string verdict_text(facts::Verdict verdict, const report::Terminal& terminal) {
  using facts::Verdict;
  const report::Colour colour = verdict == Verdict::pass          ? report::Colour::green
                                : verdict == Verdict::not_started ? report::Colour::grey
                                : verdict == Verdict::unavailable ? report::Colour::yellow
                                                                  : report::Colour::red;
  return terminal.paint(colour, name_of(verdict));
}

std::string finding_text(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                         const facts::Finding& finding, const report::Terminal& terminal) {
  std::string text = fmt::format("{}: {}\n", verdict_text(finding.verdict, terminal), finding.message);
  // A compiler's message has its place, and its line; so has that of what is forbidden.
  const bool has_place =
      finding.verdict == facts::Verdict::build_error || finding.verdict == facts::Verdict::forbidden;
  if (!has_place) text += shown_places(workbook, finding.where, terminal);
  if (!finding.missing.empty()) text += fmt::format("  reason: {}\n", finding.missing);
  const std::string name = workbook.short_name(exercise);
  switch (finding.verdict) {
    case facts::Verdict::pass:
      break;
    case facts::Verdict::unavailable:
      text += fmt::format("  next: {}\n", lab_command("doctor"));
      break;
    case facts::Verdict::not_started:
      text += fmt::format("  next: read {}, then edit {}\n",
                          workbook.shortened(workbook.lab_file(exercise, "README.md")),
                          workbook.shortened(workbook.source_file(exercise, workbook::Tree::student)));
      break;
    case facts::Verdict::build_error:
      if (access(workbook.source_file(exercise, workbook::Tree::student).c_str(), F_OK) != 0) {
        text += fmt::format("  next: to have the file as it came: {}\n", lab_command("reset " + name));
        break;
      }
      [[fallthrough]];
    case facts::Verdict::forbidden:
      text += fmt::format("  next: fix the error, then run: {}\n", lab_command("check " + name));
      break;
    default:
      text += fmt::format("  next: {}\n", lab_command("hint " + name));
  }
  return text;
}

std::string further_text(const workbook::Workbook& workbook, const judge::CheckReport& report, bool all,
                         const report::Terminal& terminal) {
  std::string text;
  std::size_t untold = 0;
  for (const facts::Finding& finding : report.further) {
    const bool left_out = finding.verdict == facts::Verdict::unavailable;
    if (left_out) {
      text += fmt::format("also {}\n", finding.message);
    } else if (all) {
      text += fmt::format("also {}: {}\n", name_of(finding.verdict), finding.message) +
              shown_places(workbook, finding.where, terminal);
      if (!finding.missing.empty()) text += fmt::format("  reason: {}\n", finding.missing);
    } else {
      ++untold;
    }
  }
  if (untold > 0) {
    text += fmt::format("  {} more {} found; all of it: {}\n", untold, untold == 1 ? "was" : "were",
                        lab_command(fmt::format("check {} --all", workbook.short_name(report.exercise))));
  }
  return text;
}

std::string unseen_text(const workbook::Workbook& workbook, const judge::CheckReport& report,
                        std::size_t backends) {
  using facts::Verdict;
  const bool was_judged = report.finding.verdict == Verdict::pass || !report.cases.empty();
  if (!facts::traits_of(report.backend).accelerator || backends > 1 || !was_judged) return {};
  return fmt::format(
      "a GPU shows no races, no reads of memory that was never written, no barrier that not all threads "
      "reach, and not how "
      "the work was done; the simulator sees them: {}\n",
      lab_command(
          fmt::format("check {} --on {}", workbook.short_name(report.exercise), name_of(facts::simulator))));
}

std::string notes_text(const workbook::Workbook& workbook, const std::vector<facts::Finding>& notes) {
  std::string text;
  for (const facts::Finding& note : notes)
    text += fmt::format("note: {}\n{}", note.message, places_text(workbook, note.where));
  return text;
}

std::string check_json(const workbook::Workbook& workbook, const std::vector<judge::CheckReport>& reports) {
  if (reports.size() == 1) return dumped(report_json(workbook, reports.front()));
  Json all{{"exercises", Json::array()}};
  for (const judge::CheckReport& report : reports) all["exercises"].push_back(report_json(workbook, report));
  return dumped(all);
}

std::string list_json(const std::vector<ListEntry>& entries) {
  Json all{{"exercises", Json::array()}};
  for (const ListEntry& entry : entries) {
    Json document{{"lab", entry.exercise.lab}, {"exercise", entry.exercise.name}, {"file", entry.file},
                  {"state", entry.state},      {"attempts", entry.attempts},      {"best_time_ms", nullptr},
                  {"best_time_of", nullptr}};
    if (const auto& best = entry.best) {
      document["best_time_ms"] = best->time_ms;
      document["best_time_of"] = {{"backend", best->backend},
                                  {variant_key(entry.exercise), best->variant},
                                  {"input", best->input},
                                  {"length", best->length}};
    }
    all["exercises"].push_back(std::move(document));
  }
  return dumped(all);
}

std::string runs_json(const workbook::Workbook& workbook, const std::vector<measure::Record>& records) {
  Json all{{"exercises", Json::array()}};
  for (const measure::Record& record : records)
    all["exercises"].push_back(measure::run_json(workbook, record));
  return dumped(all);
}

}  // namespace cli
