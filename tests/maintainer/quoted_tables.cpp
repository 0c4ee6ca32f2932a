// SPDX-License-Identifier: MIT
#include "quoted_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "facts/words.hpp"
#include "judge/check.hpp"
#include "measure/ladder.hpp"
#include "measure/records.hpp"
#include "measure/run.hpp"
#include "measure/sweep.hpp"
#include "model/error_tables.hpp"
#include "model/unseen.hpp"
#include "support/contains.hpp"

using measure::Record;

const std::vector<Record>& records() {
  static const std::vector<Record> all = [] {
    std::vector<Record> read;
    for (const std::string& file : measure::record_files(measure::recorded_elsewhere(workbook::here()))) {
      for (const auto& json : measure::read_records(file).records) read.push_back(measure::record_of(json));
    }
    return read;
  }();
  return all;
}

namespace {

using measure::Record;

constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;

// The newest of those that passed; null if there is none.
const Record* newest(const std::function<bool(const Record&)>& fits) {
  const auto found = std::find_if(records().rbegin(), records().rend(),
                                  [&](const Record& record) { return record.passed() && fits(record); });
  return found == records().rend() ? nullptr : &*found;
}

// What a table has where nothing was measured.
constexpr const char* unknown = "–";

// Each exercise that is launched with its variants behind it.
std::vector<workbook::ExerciseInfo> kernels(std::string_view problem) {
  std::vector<workbook::ExerciseInfo> all;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (!exercise.launched || exercise.problem != problem) continue;
    all.push_back(exercise);
    for (const workbook::ExerciseInfo& variant : workbook::here().variants_of(exercise))
      all.push_back(variant);
  }
  return all;
}

std::string line(const Words& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

class Table {
 public:
  explicit Table(const Words& titles) : text_(line(titles)) {
    text_ += "|" + std::string(titles.empty() ? "" : "---|");
    for (std::size_t i = 1; i < titles.size(); ++i) text_ += "---:|";
    text_ += "\n";
  }
  void add(const Words& cells) { text_ += line(cells); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string time_text(double ms) { return fmt::format("{:.4g}", ms); }

// The fewest samples of a row; "" where it has none.
class Fewest {
 public:
  void add(const Record& record) {
    if (record.time_ms)
      samples_ = std::min(samples_.value_or(record.time_ms->samples), record.time_ms->samples);
  }
  std::string text() const { return samples_ ? std::to_string(*samples_) : unknown; }

 private:
  std::optional<std::size_t> samples_;
};

bool is_limit(const Record& record) {
  const problems::Peer* const peer = record.is_peer() ? measure::find_peer(record.exercise.name) : nullptr;
  return peer && peer->is_limit;
}

// The rung of this title in the newest ladder.
const Record* rung(const std::string& title, const std::string& input, const std::string& variant,
                   std::uint64_t length, bool warm = false) {
  return newest([&](const Record& record) {
    return record.kind == "bench" && measure::title_of(record) == title && record.input == input &&
           record.variant == variant && record.length == length && record.warm_cache == warm &&
           record.is_timed();
  });
}

const Record* limit(const std::string& input, const std::string& variant, std::uint64_t length,
                    bool warm = false) {
  return newest([&](const Record& record) {
    return record.kind == "bench" && is_limit(record) && record.input == input && record.variant == variant &&
           record.length == length && record.warm_cache == warm && record.is_timed();
  });
}

// The titles of a ladder's rungs, from the bottom up.
Words rungs(const std::string& variant, std::uint64_t length) {
  Words titles;
  for (const Record& record : records()) {
    const std::string title = measure::title_of(record);
    if (record.kind == "bench" && record.variant == variant && record.length == length && record.is_timed() &&
        std::ranges::count(titles, title) == 0)
      titles.push_back(title);
  }
  return titles;
}

// ladder VARIANT: 1 GiB of each input, and the share of the limit.
std::string ladder(const Words& words) {
  const std::string& variant = words.at(0);
  const Words inputs = problems::reference_of("histogram").ladder_inputs();
  Words titles{"`" + variant + "`"};
  titles.insert(titles.end(), inputs.begin(), inputs.end());
  titles.emplace_back("samples");
  Table table(titles);
  for (const std::string& title : rungs(variant, gib)) {
    Words cells{title};
    Fewest fewest;
    for (const std::string& input : inputs) {
      const Record* const record = rung(title, input, variant, gib);
      const Record* const bound = limit(input, variant, gib);
      if (!record) {
        cells.emplace_back(unknown);
        continue;
      }
      fewest.add(*record);
      cells.push_back(time_text(record->time_ms->median));
      if (bound && !is_limit(*record) && record->backend == bound->backend)
        cells.back() += fmt::format(" ({:.1f} %)", 100 * bound->time_ms->median / record->time_ms->median);
    }
    cells.push_back(fewest.text());
    table.add(cells);
  }
  return table.text();
}

// contest VARIANT INPUT LENGTH: one ladder, with its quartiles.
std::string contest(const Words& words) {
  const std::uint64_t length = std::stoull(words.at(2));
  Table table({fmt::format("{} bytes of {}, `{}`", facts::separated(length), words.at(1), words.at(0)), "ms",
               "quartiles", "of limit", "samples"});
  const Record* const bound = limit(words.at(1), words.at(0), length);
  for (const std::string& title : rungs(words.at(0), length)) {
    const Record* const record = rung(title, words.at(1), words.at(0), length);
    if (!record) continue;
    const measure::Summary& time = *record->time_ms;
    const bool shares = bound && record->backend == bound->backend;
    table.add({title, time_text(time.median), fmt::format("{:.4g} to {:.4g}", time.q1, time.q3),
               shares ? fmt::format("{:.1f} %", 100 * bound->time_ms->median / time.median) : "",
               std::to_string(time.samples)});
  }
  return table.text();
}

struct Pair {
  std::string input, variant;
};

// variants [INPUT:VARIANT...] [LENGTH]: solutions and variants side by side.
std::string variants(const Words& words) {
  std::vector<Pair> pairs;
  std::uint64_t length = gib;
  for (const std::string& word : words) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos) {
      length = std::stoull(word);
    } else {
      pairs.push_back({word.substr(0, colon), word.substr(colon + 1)});
    }
  }
  Words titles{"kernel"};
  for (const Pair& pair : pairs) titles.push_back(fmt::format("{}, `{}`", pair.input, pair.variant));
  titles.insert(titles.end(), {"blocks", "samples"});
  Table table(titles);
  for (const workbook::ExerciseInfo& kernel : kernels("histogram")) {
    Words cells{measure::short_name(kernel) + (kernel.is_variant() ? "" : " (the solution)")};
    Fewest fewest;
    std::string blocks = unknown;
    for (const Pair& pair : pairs) {
      const Record* const record = newest([&](const Record& one) {
        return one.kind == "variants" && one.exercise.is_same(kernel) && one.input == pair.input &&
               one.variant == pair.variant && one.length == length && one.is_timed();
      });
      cells.push_back(record ? time_text(record->time_ms->median) : unknown);
      if (!record) continue;
      fewest.add(*record);
      blocks = facts::separated(record->launch.grid);
    }
    if (blocks == unknown) continue;
    cells.insert(cells.end(), {blocks, fewest.text()});
    table.add(cells);
  }
  return table.text();
}

// The newest profile of a kernel; without a grid, of the launch that the kernel's own file asks for.
const Record* profile(const workbook::ExerciseInfo& kernel, const std::string& input,
                      const std::string& variant, std::uint64_t length,
                      std::optional<std::uint64_t> grid = {}) {
  return newest([&](const Record& one) {
    return one.kind == "profile" && !one.figures.empty() && one.exercise.is_same(kernel) &&
           one.input == input && one.variant == variant && one.length == length &&
           (grid ? one.launch.grid == *grid
                 : !contains(one.command, " --block ") && !contains(one.command, " --grid "));
  });
}

std::string share(const Record& record, const char* figure) {
  const auto found = record.figures.find(figure);
  return found == record.figures.end() ? unknown : fmt::format("{:.1f} %", found->second);
}

// As exact as it matters: 1,325, 24.1, 0.13.
std::string stall(const Record& record, const char* figure) {
  const auto found = record.figures.find(figure);
  if (found == record.figures.end()) return unknown;
  const double value = found->second;
  if (value >= 100) return facts::separated(static_cast<std::uint64_t>(std::llround(value)));
  return value == 0 ? "0" : fmt::format("{:.{}f}", value, value < 1 ? 2 : 1);
}

std::string microseconds(const Record& record) {
  const double value = record.figures.at("kernel_time") / 1e3;
  const auto whole = static_cast<std::uint64_t>(value);
  return whole < 1000 ? fmt::format("{:.1f}", value)
                      : facts::separated(static_cast<std::uint64_t>(std::llround(value)));
}

// profiles INPUT VARIANT LENGTH: what holds each kernel back.
std::string profiles(const Words& words) {
  Table table({fmt::format("{}, `{}`", words.at(0), words.at(1)), "time, µs", "instructions, M",
               "issue slots", "L1", "DRAM", "long scoreboard", "short scoreboard", "MIO throttle",
               "LG throttle", "barrier"});
  for (const workbook::ExerciseInfo& kernel : kernels("histogram")) {
    const Record* const record = profile(kernel, words.at(0), words.at(1), std::stoull(words.at(2)));
    if (!record) continue;
    table.add({measure::short_name(kernel), microseconds(*record),
               fmt::format("{:.1f}", record->figures.at("instructions") / 1e6), share(*record, "issue_share"),
               share(*record, "l1_share"), share(*record, "dram_share"),
               stall(*record, "stall_long_scoreboard"), stall(*record, "stall_short_scoreboard"),
               stall(*record, "stall_mio_throttle"), stall(*record, "stall_lg_throttle"),
               stall(*record, "stall_barrier")});
  }
  return table.text();
}

// requests LENGTH: what the kernels ask of memory, on letters and on one byte value.
std::string requests(const Words& words) {
  Table table({"kernel", "load requests", "load sectors", "shared atomic requests, letters", "wavefronts",
               "shared atomic requests, same", "wavefronts", "registers, `letters4` and `bytes`"});
  for (const workbook::ExerciseInfo& kernel : kernels("histogram")) {
    const std::uint64_t length = std::stoull(words.at(0));
    const Record *const letters = profile(kernel, "letters", "letters4", length), *const same = profile(
                                                                                      kernel, "same", "bytes",
                                                                                      length);
    if (!letters || !same) continue;
    using facts::Counter;
    const auto count = [](const Record& record, Counter counter) {
      return facts::separated(record.counters.value(counter));
    };
    const auto registers = [](const Record& record) {
      return record.occupancy ? std::to_string(record.occupancy->registers) : unknown;
    };
    table.add(
        {measure::short_name(kernel), count(*letters, Counter::global_load_requests),
         count(*letters, Counter::global_load_sectors), count(*letters, Counter::shared_atomic_requests),
         count(*letters, Counter::shared_atomic_wavefronts), count(*same, Counter::shared_atomic_requests),
         count(*same, Counter::shared_atomic_wavefronts), registers(*letters) + ", " + registers(*same)});
  }
  return table.text();
}

// sweep NAME LENGTH [LAB...]: a row for each kernel and input, the fastest point bold.
std::string sweep(const Words& words) {
  const std::string& name = words.at(0);
  const std::uint64_t length = std::stoull(words.at(1));
  const measure::SweepKind kind = *measure::find_sweep(name);
  struct Row {
    std::string title;
    std::map<std::uint64_t, const Record*> points;
  };
  std::vector<Row> rows;
  std::set<std::uint64_t> values;
  std::string unit;
  for (const Record& record : records()) {
    const std::string exercise = measure::short_name(record.exercise);
    const bool is_meant =
        words.size() == 2 || std::ranges::any_of(words.begin() + 2, words.end(), [&](const std::string& lab) {
          return exercise == lab || exercise.starts_with(lab + "/");
        });
    const bool is_long = kind.varies_length() ? record.length <= length : record.length == length;
    if (record.kind != "sweep" || !record.sweep || record.sweep->name != name || !record.is_timed() ||
        !is_long || !is_meant)
      continue;
    const std::string input = kind.varies_input() ? "" : record.input + ", ";
    const std::string title = fmt::format("{}: {}`{}`", exercise, input, record.variant);
    auto row = std::ranges::find(rows, title, &Row::title);
    if (row == rows.end()) row = rows.insert(rows.end(), Row{title, {}});
    row->points[record.sweep->value] = &record;
    values.insert(record.sweep->value);
    unit = measure::unit_of(kind, record.exercise);
  }
  Words titles{unit};
  for (const std::uint64_t value : values) titles.push_back(facts::separated(value));
  titles.emplace_back("samples");
  Table table(titles);
  for (const Row& row : rows) {
    double best = INFINITY;
    for (const auto& [value, record] : row.points) best = std::min(best, record->time_ms->median);
    Words cells{row.title};
    Fewest fewest;
    for (const std::uint64_t value : values) {
      const auto point = row.points.find(value);
      if (point == row.points.end()) {
        cells.emplace_back(unknown);
        continue;
      }
      const double median = point->second->time_ms->median;
      fewest.add(*point->second);
      cells.push_back(median == best && !kind.varies_length() ? "**" + time_text(median) + "**"
                                                              : time_text(median));
    }
    cells.push_back(fewest.text());
    table.add(cells);
  }
  return table.text();
}

// blocks INPUT VARIANT LENGTH GRID...: profiles of kernels whose number of blocks is free.
std::string blocks(const Words& words) {
  Table table({fmt::format("{}, `{}`", words.at(0), words.at(1)), "blocks", "time, µs", "instructions, M",
               "occupancy", "issue slots", "long scoreboard"});
  for (const workbook::ExerciseInfo& kernel : kernels("histogram")) {
    for (auto grid = words.begin() + 3; grid != words.end(); ++grid) {
      const Record* const record =
          profile(kernel, words.at(0), words.at(1), std::stoull(words.at(2)), std::stoull(*grid));
      if (!record) continue;
      table.add({measure::short_name(kernel), facts::separated(record->launch.grid), microseconds(*record),
                 fmt::format("{:.0f}", record->figures.at("instructions") / 1e6), share(*record, "occupancy"),
                 share(*record, "issue_share"), stall(*record, "stall_long_scoreboard")});
    }
  }
  return table.text();
}

// simulated LENGTH INPUT:VARIANT...: what the solutions' kernels ask of memory, counted here.
std::string simulated(const Words& words) {
  Table table(
      {"kernel", "input, binning", "load sectors", "shared atomic requests", "wavefronts", "global atomics"});
  for (const workbook::ExerciseInfo& kernel : workbook::here().exercises) {
    if (!kernel.launched || kernel.problem != "histogram") continue;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      const std::string input = word->substr(0, word->find(':')), variant = word->substr(word->find(':') + 1);
      const std::uint64_t length = std::stoull(words.at(0));
      const workbook::Target target =
          workbook::here().target(kernel, workbook::Tree::solution, facts::simulator);
      const auto bytes = problems::find_problem(kernel.problem)->make_input(input, variant, length, 1);
      const Record record = measure::run(judge::runner_settings(target), *bytes,
                                         {.exercise = kernel,
                                          .backend = facts::simulator,
                                          .variant = variant,
                                          .input = input,
                                          .length = length});
      REQUIRE_MESSAGE(record.passed(), target.runner << ": " << record.finding.message);
      using facts::Counter;
      const auto count = [&](Counter counter) { return facts::separated(record.counters.value(counter)); };
      table.add({measure::short_name(kernel), fmt::format("{}, `{}`", input, variant),
                 count(Counter::global_load_sectors), count(Counter::shared_atomic_requests),
                 count(Counter::shared_atomic_wavefronts), count(Counter::global_atomics)});
    }
  }
  return table.text();
}

// lengths VARIANT INPUT LENGTH...: a ladder for each length, cold with its share of the limit, then warm
// where that was timed.
std::string lengths(const Words& words) {
  const std::string &variant = words.at(0), &input = words.at(1);
  const Words ladders(words.begin() + 2, words.end());
  Words titles{""};
  for (const std::string& length : ladders) {
    titles.push_back(facts::separated(std::stoull(length)) + ", cold");
    titles.insert(titles.end(), {"of limit", "warm"});
  }
  titles.emplace_back("samples");
  Table table(titles);
  for (const std::string& title : rungs(variant, std::stoull(ladders.front()))) {
    Words cells{title};
    Fewest fewest;
    for (const std::string& length : ladders) {
      for (const bool warm : {false, true}) {
        const Record* const record = rung(title, input, variant, std::stoull(length), warm);
        const Record* const bound = limit(input, variant, std::stoull(length), warm);
        cells.push_back(record ? time_text(record->time_ms->median) : unknown);
        if (record) fewest.add(*record);
        if (!warm)
          cells.push_back(
              record && bound && record->backend == bound->backend
                  ? fmt::format("{:.1f} %", 100 * bound->time_ms->median / record->time_ms->median)
                  : "");
      }
    }
    cells.push_back(fewest.text());
    table.add(cells);
  }
  return table.text();
}

// trees INPUT VARIANT LENGTH: what each kernel of the reductions asks of memory, all launches together, and
// what holds its first launch back.
std::string trees(const Words& words) {
  Table table(
      {fmt::format("{} of {}, {}", facts::separated(std::stoull(words.at(2))), words.at(0), words.at(1)),
       "time, µs", "instructions, M", "issue slots", "load sectors a request", "shared load requests",
       "wavefronts", "long scoreboard"});
  for (const workbook::ExerciseInfo& kernel : kernels("reduction")) {
    const Record* const record = profile(kernel, words.at(0), words.at(1), std::stoull(words.at(2)));
    if (!record) continue;
    using facts::Counter;
    const auto count = [&](Counter counter) { return record->counters.value(counter); };
    table.add({measure::short_name(kernel), microseconds(*record),
               fmt::format("{:.2f}", record->figures.at("instructions") / 1e6), share(*record, "issue_share"),
               fmt::format("{:.0f}", static_cast<double>(count(Counter::global_load_sectors)) /
                                         static_cast<double>(count(Counter::global_load_requests))),
               facts::separated(count(Counter::shared_load_requests)),
               facts::separated(count(Counter::shared_load_wavefronts)),
               stall(*record, "stall_long_scoreboard")});
  }
  return table.text();
}

std::string records_folder() { return workbook::here().source_root + "/docs/records/"; }

// The model's errors over all recorded times; the word says which of the estimates.
std::string estimates(const Words& words) {
  return error_tables::errors(
      error_tables::rows_of(error_tables::lines_of(records_folder() + "estimates/h200.jsonl"), words.at(0)));
}

// The same of kernels that the model had not seen. unseen SET FILE PERCENT: the estimates in that file, a row
// for each that is off by so much.
std::string unseen_set(const Words& words) {
  const std::string folder = records_folder() + words.at(0) + "/";
  return error_tables::unseen(error_tables::lines_of(folder + words.at(1) + ".jsonl"),
                              error_tables::measured_of(folder), std::stod(words.at(2)) / 100);
}

// All sets of such kernels. unseen_sets FILE KEY: of the file `estimates`, written before anybody had
// measured, or `again`, with the rules of today, the estimates with that key.
std::string unseen_sets(const Words& words) {
  std::vector<error_tables::Row> all;
  for (const std::string& set : unseen::sets) {
    const std::string folder = records_folder() + set + "/";
    const std::vector<error_tables::Row> rows =
        error_tables::rows_of_set(set, error_tables::lines_of(folder + words.at(0) + ".jsonl"),
                                  error_tables::measured_of(folder), words.at(1));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return error_tables::errors(all);
}

}  // namespace

const std::map<std::string, TableMaker>& tables() {
  static const std::map<std::string, TableMaker> all{
      {"ladder", ladder},     {"contest", contest},     {"variants", variants}, {"profiles", profiles},
      {"requests", requests}, {"sweep", sweep},         {"blocks", blocks},     {"simulated", simulated},
      {"lengths", lengths},   {"estimates", estimates}, {"unseen", unseen_set}, {"unseen_sets", unseen_sets},
      {"trees", trees}};
  return all;
}
