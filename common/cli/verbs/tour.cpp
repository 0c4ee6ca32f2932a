// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/shown_estimates.hpp"
#include "cli/speech.hpp"
#include "facts/words.hpp"
#include "measure/gpu_device.hpp"
#include "os/files.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct TourOptions {
  std::string input, on;
  VariantChoice variant;
  bool all = false, json = false;
};

namespace files = std::filesystem;

// Where counters are shown beside times, the simulator counts this much of the same input.
constexpr std::uint64_t counted_bytes = 1 << 20;

// The workbook's own documents, one after another: a real text that is always at hand.
std::vector<unsigned char> own_documents(const workbook::Workbook& workbook) {
  std::vector<std::string> paths{workbook.source_root + "/README.md"};
  for (const char* folder : {"/docs", "/labs"}) {
    std::error_code ignored;
    for (const auto& entry : files::recursive_directory_iterator(workbook.source_root + folder, ignored)) {
      if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin() + 1, paths.end());
  std::vector<unsigned char> text;
  for (const std::string& path : paths) {
    const std::string document = os::read_file(path).value_or("");
    text.insert(text.end(), document.begin(), document.end());
  }
  return text;
}

// Of a random input.
constexpr std::uint64_t tour_seed = 1;

// Others get an input that is made for them.
bool is_about_text(const problems::Problem& problem) { return problem.usual_input() == "text"; }

// Of so many elements, or if the user names none what the input has by itself, `bytes` where it has no
// length.
ChosenInput tour_input(const problems::Problem& problem, const std::string& variant, const std::string& name,
                       std::optional<std::uint64_t> length, std::uint64_t bytes) {
  static const std::vector<unsigned char> documents = own_documents(workbook::here());
  if (!name.empty() || !is_about_text(problem) || documents.empty())
    return choose_input(problem, variant, name, length, bytes, tour_seed);
  const std::uint64_t each = problem.find_variant(variant)->element_bytes,
                      elements = length.value_or(bytes / each);
  return {"the workbook's documents, repeated", problems::repeat(problems::hold(documents), elements * each),
          elements};
}

// Exercises that are shown together: those of the course, or extra labs about one problem.
struct Group {
  const problems::Problem* problem;
  bool is_extra;
  std::vector<workbook::ExerciseInfo> exercises;

  const problems::Reference& reference() const { return problems::reference_of(problem->name()); }
  // One runs on the CPU, whose time the others are set against.
  bool has_cpu() const {
    return !std::ranges::all_of(exercises, [](const auto& exercise) { return exercise.launched; });
  }
  bool has_times(facts::Backend backend) const { return traits_of(backend).timed || has_cpu(); }
};

// A column of times only where there are times, one of speed-ups where there is the CPU's time.
report::Table table_for(const Group& group, facts::Backend backend) {
  using Align = report::Table::Align;
  const auto [one, other] = group.reference().tour_figures();
  // 77 columns at most: a row fits into a terminal of 80.
  std::vector<report::Table::Column> columns{{"lab", Align::left, 25}, {"", Align::left, 4}};
  if (group.has_times(backend))
    columns.insert(columns.end(), {{"ms", Align::right, 7}, {"GB/s", Align::right, 6}});
  if (group.has_cpu()) columns.push_back({"speed-up", Align::right, 8});
  columns.push_back({std::string(one.title), Align::right, 7});
  columns.push_back({std::string(other.title), Align::right, 8});
  return report::Table(columns);
}

std::string lab_name(const workbook::ExerciseInfo& exercise) {
  return workbook::here().is_only_one(exercise) ? exercise.lab : exercise.lab + "/" + exercise.name;
}

// As text; empty where there is nothing to divide.
using TourTexts = std::array<std::string, 2>;

TourTexts figures_of(const problems::Reference& reference, const facts::Counters& counters,
                     std::uint64_t bytes) {
  TourTexts figures;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const problems::TourFigure what = reference.tour_figures()[i];
    const std::uint64_t value = counters.value(what.counter),
                        over = what.over.empty() ? bytes : counters.value(what.over);
    if (value > 0 && over > 0)
      figures[i] = fmt::format("{:.{}g}", static_cast<double>(value) / static_cast<double>(over),
                               what.over.empty() ? 2 : 3);
  }
  return figures;
}

void print_row(const Group& group, facts::Backend backend, const measure::Record& record, double cpu_ms,
               const TourTexts& figures) {
  const report::Terminal terminal = report::Terminal::of_output();
  const auto& time = record.time_ms;
  std::string verdict = std::string(name_of(record.finding.verdict));
  std::vector<std::string> cells{lab_name(record.exercise), verdict};
  if (group.has_times(backend)) {
    cells.push_back(time ? fmt::format("{:.4g}", time->median) : "");
    cells.push_back(time ? fmt::format("{:.4g}", throughput_gb_s(record)) : "");
  }
  if (group.has_cpu())
    cells.push_back(time && cpu_ms > 0 ? fmt::format("{:.4g}", cpu_ms / time->median) : "");
  cells.insert(cells.end(), figures.begin(), figures.end());
  std::string line = table_for(group, backend).row(cells);
  const std::size_t at = line.find(verdict, lab_name(record.exercise).size());
  line.replace(at, verdict.size(), verdict_text(record.finding.verdict, terminal));
  say("{}", line);
  if (record.finding.verdict != facts::Verdict::pass &&
      record.finding.verdict != facts::Verdict::not_started) {
    say("{}", finding_text(workbook::here(), record.exercise, record.finding, terminal));
  }
  std::fflush(stdout);
}

// The simulator's counters of the beginning of an input.
facts::Counters counted_apart(measure::Record asked, workbook::Tree tree, const problems::Input& input,
                              std::uint64_t length) {
  std::vector<unsigned char> beginning(length);
  input.read(0, beginning);
  asked.backend = facts::simulator;
  return measured_run(std::move(asked), tree, *problems::hold(std::move(beginning))).counters;
}

// Either backend may have been asked for, whatever there is.
std::string place_text(facts::Backend backend) {
  const measure::GpuDevice& gpu = measure::gpu_device(workbook::here());
  if (traits_of(backend).accelerator)
    return gpu.works ? "On " + gpu.properties.at("name") : "No GPU: " + gpu.why_not;
  return gpu.works ? "On the simulator" : "On the simulator; no GPU: " + gpu.why_not;
}

void print_heading(const Group& group, facts::Backend backend, const ChosenInput& chosen,
                   const std::string& variant) {
  say("{}\n{}\n\n{}", place_text(backend), input_text(*group.problem, chosen.length, chosen.name, variant),
      table_for(group, backend).header());
}

void print_legend(const Group& group, facts::Backend backend, bool counted_apart) {
  fmt::print("\n");
  if (traits_of(backend).accelerator) {
    say("ms: the kernel alone, median; {}\n", group.problem->tour_time_words());
  } else {
    say("The simulator counts, it does not run at a GPU's speed: {}.\n",
        group.has_cpu() ? "only the CPU's time is shown" : "no times are shown");
  }
  say("{}{}\n", group.reference().tour_legend(),
      counted_apart
          ? fmt::format(", counted on the simulator over the first {} bytes", facts::separated(counted_bytes))
          : "");
}

std::vector<Group> groups_of(const workbook::Workbook& workbook, bool all) {
  std::vector<Group> groups;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    if (exercise.is_extra() && !all) continue;
    const problems::Problem* const problem = &problem_of(exercise);
    const auto known = std::ranges::find_if(groups, [&](const Group& group) {
      return group.problem == problem && group.is_extra == exercise.is_extra();
    });
    if (known != groups.end()) {
      known->exercises.push_back(exercise);
    } else {
      groups.push_back({problem, exercise.is_extra(), {exercise}});
    }
  }
  return groups;
}

// Estimates of what the tour shows, over as much of its input as it would count on a GPU.
class TourEstimates {
 public:
  TourEstimates(const problems::Problem& problem, std::string variant, std::string input)
      : problem_(problem), variant_(std::move(variant)), input_(std::move(input)) {
    const auto device = shown_device();
    if (!device) return;
    const ChosenInput chosen =
        tour_input(problem_, variant_, input_, std::nullopt, default_length(facts::accelerator));
    length_ = chosen.length;
    table_ = EstimateTable{*device, "lab", input_text(problem_, length_, chosen.name, variant_), {}};
  }

  void add(measure::Record& record, workbook::Tree tree) {
    if (!table_) return;
    const auto make = [this](std::uint64_t length) {
      return tour_input(problem_, variant_, input_, length, length).input;
    };
    auto row = estimate_into(record, table_->device, question_about(record, tree, length_, make));
    if (!row) return;
    row->title = lab_name(record.exercise);
    table_->rows.push_back(std::move(*row));
  }

  std::string text() const {
    const std::string shown = table_ ? estimates_text(*table_, report::Terminal::of_output()) : std::string();
    return shown.empty() ? shown : "\n" + shown;
  }

 private:
  const problems::Problem& problem_;
  const std::string variant_, input_;
  std::uint64_t length_ = 0;
  std::optional<EstimateTable> table_;
};

// Runs a group's exercises, each printed as it comes. Returns the program's exit code.
int tour(const Group& group, const TourOptions& options, std::vector<measure::Record>& records) {
  const workbook::Workbook& workbook = workbook::here();
  const problems::Problem& problem = *group.problem;
  const problems::Reference& reference = group.reference();
  const facts::Backend backend = choose_backend(options.on, first_launched(problem));
  // What is asked for is for the course; another problem may not know it.
  const std::string input = group.is_extra && !problem.has_input(options.input) ? "" : options.input;
  const std::string variant = options.variant.of(problem, input, !options.all);
  const ChosenInput chosen = tour_input(problem, variant, input, std::nullopt, default_length(backend));
  // Without solutions the tour leads through what the student has.
  const workbook::Tree tree = workbook.has_solutions ? workbook::Tree::solution : workbook::Tree::student;
  const bool count_apart = traits_of(backend).accelerator && workbook.has_simulator;
  const std::optional<std::uint64_t> seed =
      input.empty() && is_about_text(problem) ? std::nullopt : std::optional(tour_seed);
  const std::uint64_t counted = std::min(counted_bytes, chosen.input->length());
  if (!options.json) print_heading(group, backend, chosen, variant);

  TourEstimates estimates(problem, variant, input);
  double cpu_ms = 0;
  int exit_code = ExitCode::fine;
  for (const workbook::ExerciseInfo& exercise : group.exercises) {
    const measure::Record asked{.kind = "tour",
                                .seed = seed,
                                .exercise = exercise,
                                .backend = choose_backend(options.on, exercise),
                                .variant = variant,
                                .input = chosen.name,
                                .length = chosen.length};
    const std::optional<facts::Finding> untouched =
        judge::not_started(workbook, workbook.target(exercise, tree, asked.backend));
    measure::Record& record = records.emplace_back(asked);
    if (untouched) {
      record.finding = *untouched;
    } else {
      record = measured_run(asked, tree, *chosen.input);
      exit_code = std::max(exit_code, exit_code_of(record.finding));
    }
    if (!exercise.launched && record.time_ms) cpu_ms = record.time_ms->median;
    if (!options.json) {
      TourTexts figures = figures_of(reference, record.counters, record.bytes());
      if (count_apart && exercise.launched && !untouched && counted > 0)
        figures = figures_of(reference, counted_apart(asked, tree, *chosen.input, counted), counted);
      print_row(group, backend, record, cpu_ms, figures);
    }
    if (untouched) continue;
    estimates.add(record, tree);
    keep_record(record);
  }
  if (options.json) return exit_code;
  print_legend(group, backend, count_apart);
  say("{}", estimates.text());
  return exit_code;
}

int tour(const TourOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  std::vector<measure::Record> records;
  int exit_code = ExitCode::fine;
  for (const Group& group : groups_of(workbook, options.all)) {
    if (!options.json && group.is_extra) say("\n{}\n", group.problem->title());
    exit_code = std::max(exit_code, tour(group, options, records));
  }
  if (options.json) {
    fmt::print("{}\n", runs_json(workbook, records));
    return exit_code;
  }
  if (!workbook.has_solutions) say("This tree has no solutions/: the labs shown are your own.\n");
  say("next: {}\n", lab_command(""));
  return exit_code;
}

}  // namespace

void add_tour(CommandLine& line) {
  auto [verb, options] =
      line.add<TourOptions>("tour", "every solution on this machine: correct? how fast? why?", tour);
  verb.add_option("--input", options.input,
                  "a named input or a file; without it, the workbook's own documents");
  options.variant.add_options(verb);
  verb.add_flag("--all", options.all, "the extra labs too, after the course");
  add_on_option(verb, options.on);
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
