// SPDX-License-Identifier: MIT
#include "cli/predict/outcomes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"

namespace cli {

namespace {

constexpr std::uint64_t input_seed = 1;

// A time, or what the result says; not a counter.
bool is_measured(const CountedRun& run, const std::string& figure) {
  return figure == time_figure ||
         problems::reference_of(run.exercise.problem).figures(run.variant, {}).contains(figure);
}

}  // namespace

void Figures::know(const judge::CheckReport& report) {
  for (const judge::CaseResult& result : report.cases) {
    if (!result.answer || result.answer->counters.empty()) continue;
    known_[run_of_case(report.exercise, result.what)] = {result.answer->counters, result.what.length};
  }
}

FigureOrReason Figures::operator()(const CountedRun& run, const std::string& figure) {
  if (!is_measured(run, figure)) return counter(run, figure);
  if (!run.exercise.launched) return measured(run, figure, facts::without_kernels);
  if (sources_.gpu) return measured(run, figure, facts::accelerator);
  if (sources_.estimates) {
    if (const auto device = shown_device()) return estimated(run, *device);
  }
  return "needs a GPU" + (workbook_.has_gpu
                              ? fmt::format(": {}", lab_command(fmt::format("check {} --on gpu", at_hand_)))
                              : std::string());
}

FigureOrReason Figures::counter(const CountedRun& run, const std::string& figure) {
  std::optional<KeptCounters> counted;
  if (const auto known = known_.find(run); known != known_.end()) {
    counted = known->second;
  } else if (workbook_.short_name(run.exercise) != at_hand_) {
    counted = kept_.counted(run);
  }
  if (!counted)
    return sources_.simulator ? measured(run, figure, facts::simulator) : FigureOrReason(unknown(run));
  const auto value = facts::find_figure(figure, counted->counters);
  if (!value) return fmt::format("no counter is called {}", figure);
  Figure found = Figure::exact(*value);
  if (counted->length != run.length) found.length = counted->length;
  return found;
}

std::string Figures::unknown(const CountedRun& run) const {
  const std::string name = workbook_.short_name(run.exercise);
  return name == at_hand_
             ? fmt::format("needs the simulator: {}", lab_command(fmt::format("check {} --on sim", name)))
             : fmt::format("known once lab {} has passed on the simulator: {}", name,
                           lab_command("check " + name));
}

FigureOrReason Figures::measured(const CountedRun& run, const std::string& figure, facts::Backend backend) {
  auto [found, is_new] = runs_.try_emplace({backend, run});
  measure::Record& record = found->second;
  if (is_new) {
    const problems::Problem& problem = *problems::find_problem(run.exercise.problem);
    const auto input = problem.make_input(run.input, run.variant, run.length, input_seed);
    record = measured_run({.seed = input_seed,
                           .exercise = run.exercise,
                           .backend = backend,
                           .variant = run.variant,
                           .input = run.input,
                           .length = run.length},
                          workbook::Tree::student, *input);
  }
  if (!record.passed()) {
    return fmt::format("lab {} gives no figures here: {}", workbook_.short_name(run.exercise),
                       name_of(record.finding.verdict));
  }
  const auto of_result = problems::reference_of(run.exercise.problem).figures(run.variant, record.result);
  if (const auto known = of_result.find(figure); known != of_result.end())
    return Figure::exact(known->second);
  if (figure == time_figure)
    return record.time_ms
               ? FigureOrReason(Figure{record.time_ms->median, record.time_ms->q1, record.time_ms->q3})
               : std::string("was not timed");
  known_[run] = {record.counters, run.length};
  return counter(run, figure);
}

// What the estimate's samples count is compared with the reference, so another exercise need not be judged
// again.
FigureOrReason Figures::estimated(const CountedRun& run, const model::Device& device) {
  auto [found, is_new] = estimates_.try_emplace(run);
  if (is_new) {
    const problems::Problem& problem = *problems::find_problem(run.exercise.problem);
    const auto make = [&](std::uint64_t length) {
      return problem.make_input(run.input, run.variant, length, input_seed);
    };
    const measure::Record asked{.kind = "run",
                                .seed = input_seed,
                                .exercise = run.exercise,
                                .variant = run.variant,
                                .input = run.input};
    found->second = estimated_run(question_about(asked, workbook::Tree::student, run.length, make), device);
  }
  const auto estimate = kept_estimate(found->second);
  if (!estimate)
    return fmt::format("lab {} has no estimate: {}", workbook_.short_name(run.exercise),
                       found->second.message);
  Figure figure{estimate->ms, estimate->low, estimate->high};
  figure.gpu = estimate->name;
  return figure;
}

namespace {

// How many times as large the larger of two is; infinite where one is 0.
double factor_between(double one, double other) {
  if (one == other) return 1;
  return std::min(one, other) > 0 ? std::max(one, other) / std::min(one, other)
                                  : std::numeric_limits<double>::infinity();
}

std::string number_text(double value) {
  const bool whole = value == std::floor(value) && value < 1e15;
  return whole ? facts::separated(static_cast<std::uint64_t>(value)) : fmt::format("{:.3g}", value);
}

// "counted 7,168 against 1,077,241, so 0.00665"; with the lengths where these are not both as was asked and
// differ: "counted 7,170 over 1,049,335 bytes against 1,077,246 over 1,048,953 bytes, so 0.00666".
std::string figures_text(const Question& question, const Outcome& outcome) {
  const bool timed = question.figure == time_figure;
  const auto length_of = [](std::uint64_t counted, const CountedRun& run) {
    return counted > 0 ? counted : run.length;
  };
  const std::uint64_t of_length = length_of(outcome.of_length, question.of),
                      against_length =
                          question.against ? length_of(outcome.against_length, *question.against) : 0;
  const bool with_lengths =
      outcome.against && of_length != against_length && (outcome.of_length > 0 || outcome.against_length > 0);
  const auto text = [&](double figure, std::uint64_t length) {
    const std::string number = timed ? fmt::format("{:.4g} ms", figure) : number_text(figure);
    if (!with_lengths) return number;
    return fmt::format(
        "{} over {}", number,
        facts::counted(length, problems::find_problem(question.of.exercise.problem)->elements()));
  };
  const std::string how = !timed                ? "counted"
                          : outcome.gpu.empty() ? "measured"
                                                : fmt::format("estimated for {}, not measured:",
                                                              facts::with_article(outcome.gpu));
  std::string result = fmt::format("{} {}", how, text(outcome.of, of_length));
  if (outcome.against) {
    result +=
        fmt::format(" against {}, so {}", text(*outcome.against, against_length), number_text(outcome.value));
  }
  if (!outcome.gpu.empty())
    result += fmt::format(" (probably {} to {})", number_text(outcome.low), number_text(outcome.high));
  return result;
}

// The first choice in whose range the value lies; their number if there is none.
std::size_t right_choice(const Question& question, double value) {
  const auto fits = [&](const Choice& choice) { return value >= choice.from && value < choice.to; };
  return static_cast<std::size_t>(std::ranges::find_if(question.choices, fits) - question.choices.begin());
}

// Whether the answer is right; nothing where the figure may lie on either side of what would be.
std::optional<bool> is_right(const Question& question, const std::string& answer, const Figure& figure) {
  const auto [from, to] = accepted_range(question, answer);
  if (figure.low >= from && figure.high < to) return true;
  if (figure.high < from || figure.low >= to) return false;
  if (!figure.gpu.empty() && question.kind != QuestionKind::choice) return true;
  return std::nullopt;
}

// The errors of two estimates add up as those that have nothing to do with each other.
double part_off(double bound, double value, double other_bound, double other_value) {
  return std::exp(std::hypot(std::log(bound / value), std::log(other_bound / other_value)));
}

Figure quotient(const Figure& one, const Figure& other) {
  const double value = one.value / other.value;
  if (one.gpu.empty() && other.gpu.empty())
    return {value, one.low / other.high, one.high / other.low, one.length};
  return {value, value / part_off(one.low, one.value, other.low, other.value),
          value * part_off(one.high, one.value, other.high, other.value), one.length, one.gpu};
}

// A figure, over its `per`.
FigureOrReason figure_per(const Question& question, const CountedRun& run, const FigureOf& figure_of) {
  const FigureOrReason figure = figure_of(run, question.figure);
  if (question.per.empty() || std::holds_alternative<std::string>(figure)) return figure;
  const FigureOrReason per = figure_of(run, question.per);
  if (std::holds_alternative<std::string>(per)) return per;
  if (std::get<Figure>(per).value == 0) return fmt::format("there were no {}", question.per);
  return quotient(std::get<Figure>(figure), std::get<Figure>(per));
}

}  // namespace

std::variant<Outcome, std::string> outcome_of(const Question& question, const std::string& answer,
                                              const FigureOf& figure_of) {
  const FigureOrReason of = figure_per(question, question.of, figure_of);
  if (const auto* reason = std::get_if<std::string>(&of)) return *reason;
  Figure figure = std::get<Figure>(of);
  Outcome outcome{.of = figure.value, .of_length = figure.length, .gpu = figure.gpu};
  if (question.against) {
    const FigureOrReason against = figure_per(question, *question.against, figure_of);
    if (const auto* reason = std::get_if<std::string>(&against)) return *reason;
    outcome.against = std::get<Figure>(against).value;
    outcome.against_length = std::get<Figure>(against).length;
    if (*outcome.against == 0) return std::string("there is nothing to compare with: the other figure is 0");
    figure = quotient(figure, std::get<Figure>(against));
  }
  outcome.value = figure.value;
  if (!outcome.gpu.empty()) {
    outcome.low = figure.low;
    outcome.high = figure.high;
  }
  const auto right = is_right(question, answer, figure);
  if (!right)
    return !outcome.gpu.empty() ? figures_text(question, outcome) + ": an estimate cannot tell"
                                : fmt::format("{}, but {} to {} is possible: it cannot be told here",
                                              figures_text(question, outcome), number_text(figure.low),
                                              number_text(figure.high));
  outcome.right = *right;
  if (question.kind == QuestionKind::choice) {
    const std::size_t choice = right_choice(question, outcome.value);
    if (choice < question.choices.size()) outcome.choice = std::string(1, static_cast<char>('a' + choice));
  }
  return outcome;
}

namespace {

std::string why(const Question& question) {
  return question.why.empty() ? std::string() : fmt::format("\n    {}", question.why);
}

}  // namespace

std::string outcome_text(const Question& question, const std::string& answer,
                         const std::variant<Outcome, std::string>& outcome) {
  const std::string said = fmt::format("{}: you said {}", question.subject, answer_text(question, answer));
  if (const auto* reason = std::get_if<std::string>(&outcome)) return fmt::format("{}; {}", said, *reason);
  const Outcome& came = std::get<Outcome>(outcome);
  const std::string text = fmt::format("{}; {}", said, figures_text(question, came));
  if (came.right)
    return text + (came.gpu.empty() ? ": right" : ": right, as far as an estimate can tell") + why(question);
  if (question.kind == QuestionKind::choice) {
    return text +
           (came.choice.empty() ? ": none of the answers"
                                : fmt::format(": {}", answer_text(question, came.choice))) +
           why(question);
  }
  const double said_value = value_of_answer(question, answer).value(),
               factor = factor_between(said_value, came.value);
  constexpr double worth_a_factor = 1.5;
  const std::string off = factor >= worth_a_factor && std::isfinite(factor)
                              ? fmt::format("off by a factor of {}", number_text(factor))
                              : fmt::format("off by {}", number_text(std::abs(said_value - came.value)));
  return fmt::format("{}: {}{}", text, off, why(question));
}

std::vector<Question> questions_about(const workbook::Workbook& workbook,
                                      const std::vector<workbook::ExerciseInfo>& exercises) {
  std::vector<Question> questions = questions_of(workbook, exercises.front().lab);
  std::erase_if(questions, [&](const Question& question) {
    return std::ranges::none_of(exercises,
                                [&](const auto& exercise) { return exercise.is_same(question.of.exercise); });
  });
  return questions;
}

std::string set_against(const workbook::Workbook& workbook,
                        const std::vector<workbook::ExerciseInfo>& exercises, const FigureOf& figure_of) {
  const std::string& lab = exercises.front().lab;
  const Predictions predicted = Predictions::load(workbook);
  std::string text;
  std::vector<std::pair<Question, Prediction>> changed;
  for (const Question& question : questions_about(workbook, exercises)) {
    auto prediction = predicted.of(lab, question);
    if (!prediction) continue;
    const auto outcome = outcome_of(question, prediction->answer, figure_of);
    text += fmt::format("  {}\n", outcome_text(question, prediction->answer, outcome));
    if (!std::holds_alternative<Outcome>(outcome)) continue;
    prediction->outcome = std::get<Outcome>(outcome);
    prediction->outcome->at = measure::time_now();
    changed.emplace_back(question, std::move(*prediction));
  }
  if (changed.empty()) return text;
  // Measuring may have taken seconds, in which other answers were given.
  try {
    Predictions::change(workbook, [&](Predictions& kept) {
      for (auto& [question, prediction] : changed) {
        const auto now = kept.of(lab, question);
        if (now && now->answer == prediction.answer) kept.set(lab, question.name, std::move(prediction));
      }
    });
  } catch (const facts::MachineError& error) {
    fmt::print(stderr, "lab: the outcome is not remembered: {}\n", error.what());
  }
  return text;
}

}  // namespace cli
