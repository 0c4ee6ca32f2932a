// SPDX-License-Identifier: MIT
// `lab report`: records and predictions as a page.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/predict/outcomes.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/apart.hpp"
#include "cli/verbs/verbs.hpp"
#include "demo/page.hpp"
#include "demo/stage.hpp"
#include "facts/errors.hpp"
#include "measure/records.hpp"
#include "os/files.hpp"
#include "report/page/html.hpp"
#include "report/page/page.hpp"
#include "report/terminal/screen.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

struct ReportOptions {
  std::string output;   // empty: report/index.html in the build folder
  std::string records;  // empty: the build folder's
  bool demos = false;
};

report::page::PredictionRow prediction_row(const workbook::Workbook& workbook, const Question& question,
                                           const Prediction& prediction) {
  const std::string lab = workbook.short_name(question.of.exercise);
  if (prediction.outcome)
    return {lab, question.text, outcome_text(question, prediction.answer, *prediction.outcome),
            prediction.outcome->right};
  return {lab, question.text, outcome_text(question, prediction.answer, "not known yet"), std::nullopt};
}

std::vector<report::page::PredictionRow> prediction_rows(const workbook::Workbook& workbook) {
  const Predictions kept = Predictions::load(workbook);
  std::vector<report::page::PredictionRow> rows;
  std::string last;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    if (exercise.lab == last) continue;
    last = exercise.lab;
    for (const Question& question : questions_of(workbook, exercise.lab)) {
      if (const auto prediction = kept.of(exercise.lab, question))
        rows.push_back(prediction_row(workbook, question, *prediction));
    }
  }
  return rows;
}

// The records that are kept with the documents: what the simulator counted there is true everywhere.
std::vector<nlohmann::ordered_json> counted_elsewhere(const workbook::Workbook& workbook) {
  std::vector<nlohmann::ordered_json> records;
  for (const std::string& file : measure::record_files(measure::recorded_elsewhere(workbook))) {
    for (nlohmann::ordered_json& record : measure::read_records(file).records)
      records.push_back(std::move(record));
  }
  return records;
}

// The folder of the usual place, which nobody else makes.
std::string usual_output(const workbook::Workbook& workbook) {
  const std::string folder = workbook.state_file("report");
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw facts::MachineError(fmt::format("cannot make {}: {}", folder, fault.message()));
  return folder + "/index.html";
}

// Writes each demonstration as a page of its own into the folder demos beside the report.
std::vector<report::page::LinkedPage> written_demonstrations(const workbook::Workbook& workbook,
                                                             const std::string& output) {
  const std::filesystem::path folder = std::filesystem::absolute(output).parent_path() / "demos";
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw facts::MachineError(fmt::format("cannot make {}: {}", folder.string(), fault.message()));
  std::vector<report::page::LinkedPage> pages;
  for (const demo::Entry& entry : demo::demonstrations()) {
    report::ProgressBar bar(fmt::format("demo {}", entry.name));
    const demo::Options as_it_is;
    demo::Stage stage(workbook, as_it_is, [&](const std::string& step) { bar.update(step); });
    const std::string file = fmt::format("{}.html", entry.name);
    try {
      os::write_file(folder / file, demo::page(demo::make(entry, stage)));
      pages.push_back({report::page::capitalised(std::string(entry.title)), "demos/" + file});
    } catch (const facts::UsageError& error) {
      // In a student's tree the kernel may not be written yet.
      bar.clear();
      fmt::print(stderr, "lab: left out: demonstration {}: {}\n", entry.name, error.what());
    }
  }
  return pages;
}

int write_report(const ReportOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  KeptRecords kept = kept_records(options.records);
  const std::string file = workbook.shortened(kept.file);
  if (kept.records.empty())
    throw facts::MachineError(
        fmt::format("nothing to report: {} holds no records\n  next: {}", file, lab_command("bench")));
  const std::string output = options.output.empty() ? usual_output(workbook) : options.output;
  os::require_writable(output);
  if (options.demos && !workbook.has_simulator)
    throw facts::MachineError("demonstrations run kernels on the simulator, which was not built here");
  const std::string gnuplot = find_tool("gnuplot");
  const report::page::Page page = report::page::page(
      {std::move(kept.records), prediction_rows(workbook), gnuplot, counted_elsewhere(workbook),
       options.demos ? written_demonstrations(workbook, output) : std::vector<report::page::LinkedPage>()});
  if (page.records == 0)
    throw facts::MachineError(fmt::format("nothing to report: every record of {} is incomplete\n  next: {}",
                                          file, lab_command("bench")));
  os::write_file(output, page.html);
  say("{}\n", workbook.shortened(output));
  if (gnuplot.empty())
    say("it has no plots: gnuplot is not installed; for what mends it: {}\n", lab_command("doctor"));
  if (!page.gnuplot_fault.empty())
    fmt::print(stderr, "lab: plots are missing, gnuplot failed: {}\n", page.gnuplot_fault);
  return ExitCode::fine;
}

}  // namespace

void add_report(CommandLine& line) {
  auto [verb, options] = line.add<ReportOptions>("report", report_words, write_report);
  verb.add_option("--output", options.output, "the file; without it report/index.html in the build folder");
  verb.add_option("--records", options.records, "another file of records than the build folder's");
  verb.add_flag("--demos", options.demos, "with the demonstrations, as pages in a folder beside it");
}

}  // namespace cli
