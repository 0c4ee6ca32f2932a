// SPDX-License-Identifier: MIT
// Predictions set against what came out: figures from a check, from earlier runs, or measured now.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>

#include "cli/estimated.hpp"
#include "cli/predict/predictions.hpp"
#include "judge/check.hpp"

namespace cli {

// A figure, and between which values it may lie: a time's quartiles, or an estimate's range. A count is
// exact.
struct Figure {
  double value, low, high;
  std::uint64_t length = 0;  // at which it was counted, if that is another than was asked for; else 0
  std::string gpu = {};      // that a time is estimated for; empty: it was not estimated

  static Figure exact(double value) { return {value, value, value}; }
};

// A figure, or why there is none.
using FigureOrReason = std::variant<Figure, std::string>;

// The means by which figures may be measured.
struct FigureSources {
  bool gpu = false;        // time kernels on the GPU
  bool simulator = false;  // count on the simulator what is not known
  bool estimates = false;  // where there is no GPU, estimate what one would take
};

// Figures of the student's own kernels. Each run is made once at most.
class Figures {
 public:
  // `at_hand` is what was checked or profiled: what was kept of it is of the past, and is not asked.
  Figures(const workbook::Workbook& workbook, const workbook::ExerciseInfo& at_hand, FigureSources sources)
      : workbook_(workbook),
        kept_(Predictions::load(workbook)),
        at_hand_(workbook.short_name(at_hand)),
        sources_(sources) {}

  // The counters of a check's cases, which are known then.
  void know(const judge::CheckReport& report);

  FigureOrReason operator()(const CountedRun& run, const std::string& figure);

 private:
  FigureOrReason counter(const CountedRun& run, const std::string& figure);
  FigureOrReason measured(const CountedRun& run, const std::string& figure, facts::Backend backend);
  FigureOrReason estimated(const CountedRun& run, const model::Device& device);
  std::string unknown(const CountedRun& run) const;

  const workbook::Workbook& workbook_;
  const Predictions kept_;
  const std::string at_hand_;
  const FigureSources sources_;
  std::map<CountedRun, KeptCounters> known_;
  std::map<std::pair<facts::Backend, CountedRun>, measure::Record> runs_;
  std::map<CountedRun, Estimated> estimates_;
};

using FigureOf = std::function<FigureOrReason(const CountedRun&, const std::string& figure)>;

// How an answer did, without the time of day; or why that is not known. A count is right if it is the figure,
// any other number if the figure rounds to it at as many digits. A time that may lie on either side of what
// would be right is not known. Of an estimate a number or factor within the range is right: nothing speaks
// against it.
std::variant<Outcome, std::string> outcome_of(const Question& question, const std::string& answer,
                                              const FigureOf& figure_of);

// "global atomics, against lab 03: you said 0.5; counted 7,168 against 1,077,241, so 0.00665: off by a factor
// of 75", and below it why it comes out so.
std::string outcome_text(const Question& question, const std::string& answer,
                         const std::variant<Outcome, std::string>& outcome);

// Sets what was predicted for these exercises against what comes out, keeps the outcomes, and gives a line a
// question; empty where nothing was predicted. Throws MachineError for a lab's file of questions that is
// damaged.
std::string set_against(const workbook::Workbook& workbook,
                        const std::vector<workbook::ExerciseInfo>& exercises, const FigureOf& figure_of);

// The questions whose figures are those of the exercises, which are of one lab.
std::vector<Question> questions_about(const workbook::Workbook& workbook,
                                      const std::vector<workbook::ExerciseInfo>& exercises);

}  // namespace cli
