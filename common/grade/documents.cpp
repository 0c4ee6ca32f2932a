// SPDX-License-Identifier: MIT
#include "grade/documents.hpp"

#include <fmt/core.h>

#include <cmath>

#include "grade/names.hpp"
#include "grade/result.hpp"
#include "grade/speed.hpp"
#include "report/page/html.hpp"

namespace grade {

namespace {

using Json = nlohmann::ordered_json;

std::string title_of(const workbook::ExerciseInfo& exercise) { return exercise.lab + "/" + exercise.name; }

std::string word(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string verdict_of(const Json& exercise) {
  const std::string diagnosis = word(exercise, "diagnosis");
  return word(exercise, "verdict") + (diagnosis.empty() ? "" : " (" + diagnosis + ")");
}

struct Earned {
  const workbook::ExerciseInfo& exercise;
  const Json& judged;
  double points, most;
};

std::vector<Earned> earned_in(const Json& result, const Scheme& scheme) {
  std::vector<Earned> all;
  for (const workbook::ExerciseInfo& exercise : scheme.exercises) {
    const Json* const judged = exercise_in(result, exercise);
    if (!judged) continue;
    const double most = most_points(scheme.points, exercise, scheme.exercises);
    all.push_back({exercise, *judged, earned_points(scheme.points, exercise, *judged, most), most});
  }
  return all;
}

// Empty where it earns nothing, whatever was measured once.
std::string shown_speed(const Json& judged, const Points& points) {
  return points.share_of(Part::speed) > 0 ? speed_text(judged) : "";
}

double rounded(double points) { return std::round(points * 100) / 100; }

// What an exercise has points for: "correct, edges, 87 % of speed".
std::string given_for(const Json& judged, const Points& points) {
  const std::vector<double> has = earned(judged);
  std::string given;
  for (std::size_t i = 0; i < parts; ++i) {
    if (has[i] == 0 || points.shares[i] == 0) continue;
    given += given.empty() ? "" : ", ";
    if (has[i] < 1) given += fmt::format("{:.0f} % of ", 100 * has[i]);
    given += name_of(static_cast<Part>(i));
  }
  return given.empty() ? "nothing" : given;
}

std::string points_table(const std::vector<Earned>& all, double points, const Points& rules) {
  using report::page::HtmlTable;
  HtmlTable table({{"exercise", HtmlTable::Align::left},
                   {"verdict", HtmlTable::Align::left},
                   {"points"},
                   {"of"},
                   {"given for", HtmlTable::Align::prose}});
  for (const Earned& one : all) {
    table.add({title_of(one.exercise), verdict_of(one.judged), points_number(one.points),
               points_number(one.most), given_for(one.judged, rules)});
  }
  table.add({"all", "", points_number(points), points_number(rules.total), ""});
  return table.html("points");
}

std::string parts_list(const Points& points) {
  std::string list = "<ul>\n";
  for (std::size_t i = 0; i < parts; ++i) {
    if (points.shares[i] == 0) continue;
    list += fmt::format("<li>{}: {}</li>\n", name_of(static_cast<Part>(i)),
                        report::escaped(words_of(static_cast<Part>(i))));
  }
  return list + "</ul>\n";
}

std::string files_html(const Json& result) {
  using report::page::HtmlTable;
  HtmlTable table({{"file", HtmlTable::Align::left}, {"bytes"}, {"SHA-256", HtmlTable::Align::left}});
  for (const Json& file : result.at("files"))
    table.add({printable_name(word(file, "path")), std::to_string(file.at("bytes").get<std::uint64_t>()),
               word(file, "sha256")});
  std::string html = table.empty() ? report::page::paragraph("No file was judged.") : table.html("files");
  for (const Json& file : result.at("left_out"))
    html += report::page::paragraph(fmt::format("Not taken: {}: {}",
                                                report::page::code(printable_name(word(file, "path"))),
                                                report::escaped(word(file, "why"))));
  return html;
}

}  // namespace

double points_of(const Json& result, const Scheme& scheme) {
  double all = 0;
  for (const Earned& one : earned_in(result, scheme)) all += one.points;
  return all;
}

std::string csv_header(const Scheme& scheme) {
  std::string line = "submission";
  for (const workbook::ExerciseInfo& exercise : scheme.exercises) line += "," + csv_cell(title_of(exercise));
  return line + ",points\r\n";
}

std::string csv_row(const Json& result, const Scheme& scheme) {
  std::string line = csv_cell(word(result, "submission"));
  for (const workbook::ExerciseInfo& exercise : scheme.exercises) {
    const Json* const judged = exercise_in(result, exercise);
    line += "," + csv_cell(judged ? word(*judged, "verdict") : "missing");
  }
  return line + "," + points_number(points_of(result, scheme)) + "\r\n";
}

std::string junit_suite(const Json& result, const Scheme& scheme) {
  const std::string name = report::escaped_lines(printable_name(word(result, "submission")));
  const std::vector<Earned> all = earned_in(result, scheme);
  std::string cases;
  std::size_t failures = 0;
  for (const Earned& one : all) {
    const std::string verdict = word(one.judged, "verdict");
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", name,
                         report::escaped_lines(title_of(one.exercise)));
    if (verdict == "pass") {
      cases += "/>\n";
      continue;
    }
    ++failures;
    cases += fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                         verdict, report::escaped_lines(verdict_of(one.judged)),
                         report::escaped_lines(word(one.judged, "text")));
  }
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n{}  </testsuite>\n",
      name, all.size(), failures, cases);
}

std::string gradescope_document(const Json& result, const Scheme& scheme) {
  Json tests = Json::array();
  for (const Earned& one : earned_in(result, scheme)) {
    const bool passed = word(one.judged, "verdict") == "pass";
    const std::string speed = shown_speed(one.judged, scheme.points);
    tests.push_back({{"name", title_of(one.exercise)},
                     {"score", rounded(one.points)},
                     {"max_score", rounded(one.most)},
                     {"status", passed ? "passed" : "failed"},
                     {"output", word(one.judged, "text") + (speed.empty() ? "" : speed + "\n")},
                     {"output_format", "text"},
                     {"visibility", "visible"}});
  }
  return dumped({{"score", rounded(points_of(result, scheme))}, {"visibility", "visible"}, {"tests", tests}});
}

std::string feedback_page(const Json& result, const Scheme& scheme) {
  namespace page = report::page;
  const std::vector<Earned> all = earned_in(result, scheme);
  const double points = points_of(result, scheme);
  const std::string title = printable_name(word(result, "submission"));
  std::string body = fmt::format("<h1>{}</h1>\n", report::escaped(title));
  if (!result.at("sandbox").get<bool>()) body += page::paragraph("Judged without a sandbox.");
  if (const std::string note = word(result, "note"); !note.empty())
    body += page::paragraph(report::escaped(note));
  body += page::section(
      "points", fmt::format("{} of {} points", points_number(points), points_number(scheme.points.total)),
      points_table(all, points, scheme.points) + parts_list(scheme.points));
  for (const Earned& one : all) {
    const std::string name = title_of(one.exercise);
    const std::string speed = shown_speed(one.judged, scheme.points);
    body += page::section(file_name_of(name), name,
                          fmt::format("<pre>{}</pre>\n", report::escaped_lines(word(one.judged, "text"))) +
                              (speed.empty() ? "" : page::paragraph(report::escaped(speed))));
  }
  body += page::section("files", "Files", files_html(result));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>\n{}pre {{ overflow-x: auto; "
      "}}\n</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      report::escaped(title), page::style_sheet(), body);
}

}  // namespace grade
