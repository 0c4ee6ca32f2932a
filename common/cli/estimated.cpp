// SPDX-License-Identifier: MIT
#include "cli/estimated.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "cli/measured.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "judge/check.hpp"
#include "measure/compiled.hpp"
#include "model/last_block.hpp"
#include "model/sampling.hpp"
#include "model/unknown_cost.hpp"
#include "report/terminal/screen.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

constexpr std::uint64_t usual_estimated_length = std::uint64_t{1} << 30, judged_elements = 64 << 10;
// Enough to ask the kernel's file for its launch shape.
constexpr std::uint64_t asked_elements = 1 << 10;
constexpr unsigned most_judged_blocks = 1024;

runner::StreamRequest asked_of(const model::Device& device, std::uint64_t length, bool steps) {
  const facts::MultiprocessorLimits limits = model::limits_of(device);
  return {.length = length,
          .multiprocessors = static_cast<unsigned>(device.multiprocessors),
          .threads = limits.threads,
          .blocks = limits.blocks,
          .registers = limits.registers,
          .schedulers = limits.schedulers,
          .shared_bytes = limits.shared_bytes,
          .steps = steps};
}

measure::Record run_over(const EstimateQuestion& question, std::uint64_t length,
                         const runner::RunOptions& how) {
  measure::Record record = question.record;
  record.length = length;
  return measured_run(std::move(record), question.tree, *question.input(length), how);
}

// The same where the runner was built by another run just now.
measure::Record run_again(const EstimateQuestion& question, std::uint64_t length,
                          const runner::RunOptions& how) {
  measure::Record record = question.record;
  record.tree = name_of(question.tree);
  const workbook::Target target = workbook::here().target(record.exercise, question.tree, record.backend);
  // A sample is one launch, however long a piece is that is counted at a time elsewhere.
  return measure::run(judge::runner_settings(target), *question.input(length), std::move(record), how,
                      {.piece_bytes = std::numeric_limits<std::uint64_t>::max()});
}

model::Sample sample_of(const measure::Record& run, const model::SampleSize& size) {
  const runner::StreamAnswer& answer = *run.stream;
  model::Sample sample;
  sample.stream.grid = run.launch.grid;
  sample.stream.block = run.launch.block;
  sample.stream.shared_bytes = answer.shared_bytes;
  sample.stream.common_lines = answer.common_lines;
  sample.stream.common_turns = answer.common_turns;
  sample.stream.busiest_turns = answer.busiest_turns;
  sample.stream.own_pieces = answer.own_pieces;
  sample.stream.entered_blocks = answer.entered_blocks;
  sample.stream.parted_blocks = answer.parted_blocks;
  sample.stream.went_both_ways = answer.went_both_ways;
  sample.stream.accessed_on_both_ways = answer.accessed_on_both_ways;
  sample.stream.blocks = model::unpack(answer.steps);
  sample.work = static_cast<double>(size.length) /
                (static_cast<double>(size.grid) * static_cast<double>(run.launch.block));
  return sample;
}

// Runs samples. One that is too long, for an answer or for the simulator's time, is run again with a part of
// its blocks or work.
class Sampler {
 public:
  Sampler(const EstimateQuestion& question, runner::RunOptions how)
      : question_(question), how_(std::move(how)) {}

  // Why there is no sample; a verdict that is `pass`: because it is too long.
  const std::optional<facts::Finding>& failure() const { return failure_; }

  // All of as many blocks, in the order of their work. If one has to be smaller, so are the others.
  std::vector<model::Sample> samples(const std::vector<model::SampleSize>& sizes) {
    begin();
    std::vector<model::Sample> all(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0 && !failure_;) all[i] = sample(sizes[i]);
    return all;
  }

  // Whether the next samples' blocks share what they draw from a counter, or the first one draws all of it.
  void deal_draws(bool whether) { how_.stream->deals_draws = whether; }

  // Other samples follow, which need not be as small as those before.
  void begin() {
    failure_.reset();
    part_ = 1;
  }
  model::Sample sample(const model::SampleSize& asked) {
    for (unsigned tried = 1;; ++tried) {
      const model::SampleSize size = model::part_of(asked, part_);
      how_.grid = static_cast<unsigned>(size.grid);
      const measure::Record run = run_again(question_, size.length, how_);
      const bool too_long = run.passed() && run.stream && run.stream->steps.empty();
      if (run.passed() && run.stream && !too_long) {
        model::Sample sample = sample_of(run, size);
        sample.draws_dealt = how_.stream->deals_draws;
        return sample;
      }
      if (too_long) {
        part_ *= std::min(smaller, aimed_at * static_cast<double>(model::most_stream_steps) /
                                       static_cast<double>(run.stream->made_steps));
      } else if (run.finding.verdict == facts::Verdict::timeout) {
        part_ *= much_smaller;
        ++tried;
      } else {
        failure_ = run.finding;
        failure_->message = fmt::format("over a sample of {} blocks: {}", size.grid, run.finding.message);
        return {};
      }
      if (tried < most_tries && model::part_of(asked, part_).length > 0) continue;
      failure_ = facts::Finding{
          facts::Verdict::pass,
          fmt::format("a sample of the launch is too long for the {}: {} of {} over {}",
                      too_long ? "model" : "simulator", facts::counted(size.grid, "blocks"),
                      facts::counted(run.launch.block, "threads"),
                      facts::counted(size.length, problem_of(question_.record.exercise).elements()))};
      return {};
    }
  }

 private:
  static constexpr unsigned most_tries = 4;
  // Where a run tells how much too long it is, the next one's steps should be this part of the most.
  static constexpr double aimed_at = 0.8, smaller = 0.5;
  // Where it does not, which has taken seconds.
  static constexpr double much_smaller = 0.125;

  const EstimateQuestion& question_;
  runner::RunOptions how_;
  double part_ = 1;
  std::optional<facts::Finding> failure_;
};

// A finding instead of samples where a run has not passed.
std::variant<std::vector<model::Sample>, facts::Finding> samples_of(const EstimateQuestion& question,
                                                                    const model::Launch& launch,
                                                                    const runner::RunOptions& how) {
  const std::uint64_t length = question.record.length;
  Sampler sampler(question, how);
  std::vector<model::SampleSize> sizes{model::sample_size(launch, length)};
  if (!model::needs_one_sample(launch)) sizes.insert(sizes.begin(), model::sample_size(launch, length, true));
  std::vector<model::Sample> samples = sampler.samples(sizes);
  if (!sampler.failure() && model::done_by_one(samples.back())) {
    sampler.deal_draws(true);
    std::vector<model::Sample> dealt = sampler.samples(sizes);
    if (sampler.failure()) {
      sampler.deal_draws(false);
      sampler.begin();
    } else {
      samples = std::move(dealt);
    }
  }
  // A kernel may rely on it that each block has a piece of the input, which is not so in these.
  const bool failed = sampler.failure() && sampler.failure()->verdict != facts::Verdict::pass;
  if (failed ? sizes.size() > 1 : !sampler.failure() && model::uneven(samples, launch)) {
    samples = sampler.samples(
        {model::whole_sample_size(launch, length, true), model::whole_sample_size(launch, length)});
    if (sampler.failure()) return *sampler.failure();
    return samples;
  }
  if (sampler.failure()) return *sampler.failure();
  if (!model::may_need_long_samples(launch)) return samples;
  // If these take too long, what there is has to do.
  sampler.begin();
  model::Sample whole = sampler.sample(model::long_sample_size(launch, length));
  if (sampler.failure() || model::foretell(samples, whole)) return samples;
  model::Sample half = sampler.sample(model::long_sample_size(launch, length, true));
  if (!sampler.failure()) samples = {std::move(half), std::move(whole)};
  return samples;
}

// What the last block does for itself, in a launch of all blocks; nothing where it does nothing or cannot be
// run.
void add_last_block(model::Launch& launch, const EstimateQuestion& question, const model::Stream& sampled,
                    const runner::RunOptions& how) {
  if (!model::part_of_last_block(sampled)) return;
  Sampler sampler(question, how);
  const model::Sample sample = sampler.sample(model::last_block_sample_size(launch, question.record.length));
  if (sampler.failure()) return;
  launch.last_block = model::last_block_of(sample.stream);
}

bool has_exchanges(const model::Stream& stream) {
  for (const model::BlockSteps& block : stream.blocks) {
    for (const model::WarpSteps& warp : block.warps) {
      if (std::ranges::count(warp, model::StepKind::global_exchange, &model::Step::kind) > 0) return true;
    }
  }
  return false;
}

// A block of a short run says whether there are compare-and-swaps in shared memory.
facts::TraceRequest first_block() { return {.blocks = {{0, 0}}, .most_bytes = std::size_t{1} << 20}; }

bool has_shared_exchanges(const measure::Record& run) {
  return run.trace && std::ranges::any_of(run.trace->events, [&](const facts::TraceEvent& event) {
           return event.step == facts::TraceStep::compare_and_swap &&
                  run.trace->arrays.at(event.array).shared;
         });
}

// What stands in the way of an estimate before anything has run, or nothing.
std::string obstacle(const workbook::ExerciseInfo& exercise) {
  if (!exercise.launched)
    return fmt::format("lab {} launches no kernel", workbook::here().short_name(exercise));
  return {};
}

// nullopt for code of a kind that the model cannot read.
std::optional<model::MachineCode> read_code(const std::vector<unsigned char>& code) {
  try {
    return model::MachineCode(code);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// The verdict on a student's file, by all cases.
facts::Finding verdict_on(const EstimateQuestion& question) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo& exercise = question.record.exercise;
  report::ProgressBar bar("checking " + exercise.lab);
  return judge::check(workbook, workbook.target(exercise, question.tree, facts::simulator),
                      {.seed = question.record.seed.value_or(1),
                       .progress = [&](const std::string& step) { bar.update(step); },
                       .ahead = true})
      .finding;
}

// Right counts are all that an estimate needs.
bool counts_right(const facts::Finding& finding) {
  return finding.verdict == facts::Verdict::pass || finding.verdict == facts::Verdict::technique;
}

}  // namespace

std::optional<measure::Estimate> kept_estimate(const Estimated& estimated) {
  if (!estimated.estimate) return std::nullopt;
  const model::Estimate& found = *estimated.estimate;
  measure::Estimate kept{.gpu = estimated.device.id,
                         .name = estimated.device.name,
                         .length = estimated.record.length,
                         .launch = estimated.record.launch,
                         .ms = found.ms,
                         .low = found.low,
                         .high = found.high,
                         .bound_by = {},
                         .calibrated = estimated.device.calibrated};
  for (const model::Share& share : found.bound_by)
    kept.bound_by.push_back({std::string(share.what), share.share});
  return kept;
}

EstimateQuestion estimate_question(const LaunchOptions& options, const workbook::ExerciseInfo& exercise) {
  const problems::Problem& problem = problem_of(exercise);
  const std::string variant = options.variant.of(problem, options.input);
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen =
      choose_input(problem, variant, options.input, options.length, usual_estimated_length, seed);
  const workbook::Tree tree = choose_tree(options.solution, exercise);
  const runner::RunOptions launch = chosen_launch(options, exercise);
  return {.record = {.kind = "run",
                     .seed = seed,
                     .exercise = exercise,
                     .backend = facts::simulator,
                     .variant = variant,
                     .input = chosen.name,
                     .length = chosen.length},
          .tree = tree,
          .launch = launch,
          .input =
              [&problem, variant, name = options.input, seed](std::uint64_t length) {
                return choose_input(problem, variant, name, length, usual_estimated_length, seed).input;
              },
          .compiled = true};
}

EstimateQuestion question_about(const measure::Record& record, workbook::Tree tree, std::uint64_t length,
                                InputMaker input, const runner::RunOptions& launch) {
  return {.record = {.kind = record.kind,
                     .seed = record.seed,
                     .exercise = record.exercise,
                     .backend = facts::simulator,
                     .variant = record.variant,
                     .input = record.input,
                     .length = length},
          .tree = tree,
          .launch = launch,
          .input = std::move(input),
          .judged = true,
          .compiled = true};
}

Estimated estimated_run(const EstimateQuestion& question, const model::Device& device, ModelInput* fed) {
  const workbook::ExerciseInfo& exercise = question.record.exercise;
  const std::uint64_t length = question.record.length;
  if (length == 0)
    throw facts::UsageError("an input of 0 bytes is not launched, so there is nothing to estimate");
  Estimated result{
      .device = device, .record = question.record, .estimate = {}, .message = obstacle(exercise)};
  if (!result.message.empty()) return result;
  if (const auto untouched = judge::not_started(
          workbook::here(), workbook::here().target(exercise, question.tree, facts::simulator))) {
    result.record.finding = *untouched;
    result.message = untouched->message;
    return result;
  }
  bool judged_before = question.judged;
  if (!judged_before && question.tree == workbook::Tree::student) {
    result.record.finding = verdict_on(question);
    if (result.record.finding.verdict != facts::Verdict::pass) result.message = result.record.finding.message;
    if (!counts_right(result.record.finding)) return result;
    judged_before = true;
  }
  runner::RunOptions how = question.launch;
  how.stream = asked_of(device, length, false);
  how.stream->grid = how.grid;
  how.stream->block = how.block;
  if (question.compiled) {
    for (const build::CompiledKernel& kernel :
         measure::compiled_kernels(workbook::here(), exercise, question.tree, device.capability))
      how.stream->kernels.push_back({kernel.name, kernel.registers});
  }
  how.trace = first_block();
  // Many blocks would take long over a short input.
  if (how.grid > most_judged_blocks) how.grid.reset();
  const measure::Record judged =
      run_over(question, std::min(length, judged_before ? asked_elements : judged_elements), how);
  if (!judged_before || !judged.passed()) {
    result.record.finding = judged.finding;
    result.message = judged.finding.message;
  }
  if (!judged.passed() || !judged.stream) return result;
  std::optional<model::MachineCode> code;
  std::string unknown;
  std::vector<unsigned char> text;
  if (question.compiled) {
    if (const auto compiled = measure::compiled(workbook::here(), judged, question.tree, device.capability)) {
      result.registers = compiled->registers;
      text = compiled->code;
      code = read_code(text);
      unknown = model::unknown_cost(text);
    }
  }
  model::Launch launch{.grid = judged.stream->grid,
                       .block = judged.stream->block,
                       .dynamic_shared_bytes = judged.stream->dynamic_shared_bytes,
                       .registers = result.registers.value_or(0),
                       .work = static_cast<double>(length) / (static_cast<double>(judged.stream->grid) *
                                                              static_cast<double>(judged.stream->block)),
                       .launches = judged.stream->launches,
                       .code = std::move(code)};
  result.record.launch = {judged.stream->grid, judged.stream->block};
  if (facts::resident_blocks({launch.block, launch.dynamic_shared_bytes, launch.registers},
                             model::limits_of(device)) == 0) {
    result.record.finding = {
        facts::Verdict::launch_error,
        fmt::format("a multiprocessor of an {} holds no block of {} threads", device.name, launch.block)};
    result.message = result.record.finding.message;
    return result;
  }
  how.trace.reset();
  how.stream->steps = true;
  how.block = launch.block;
  auto sampled = samples_of(question, launch, how);
  if (const auto* failure = std::get_if<facts::Finding>(&sampled)) {
    result.record.finding = *failure;
    result.message = failure->message;
    return result;
  }
  auto& samples = std::get<std::vector<model::Sample>>(sampled);
  add_last_block(launch, question, samples.back().stream, how);
  if (has_exchanges(samples.back().stream)) {
    result.message =
        "the kernel uses compare-and-swap (atomicCAS) in global memory; how often one has to be repeated "
        "depends on the other threads, which the model does not know";
    return result;
  }
  result.estimate = model::estimate(launch, samples, device);
  // Else the message is that of a verdict.
  if (result.message.empty()) result.message = unknown;
  if (fed) *fed = {launch, std::move(samples), std::move(text)};
  if (result.estimate->local_memory.value_or(1) > model::most_local_memory) {
    result.estimate.reset();
    result.message =
        "each thread keeps variables in local memory, as arrays with an index that the compiler does not "
        "know, and the model "
        "does not know how long these loads and stores take";
    return result;
  }
  if (has_shared_exchanges(judged))
    result.message =
        "The kernel uses compare-and-swap (atomicCAS) in shared memory. Where lanes try it again in a loop, "
        "they drift apart, and each may wait alone for what it loads from global memory: the kernel may take "
        "up to several times as long.";
  return result;
}

}  // namespace cli
