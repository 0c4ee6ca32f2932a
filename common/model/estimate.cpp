// SPDX-License-Identifier: MIT
#include "model/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace model {

namespace {

constexpr unsigned lanes = 32;
// What a sample holds: threads, and elements for each, or up to half as many more.
constexpr std::uint64_t sampled_threads = 16384;
constexpr double sampled_work = 64;
// A long sample has so many times as much work for each thread, and so many times fewer threads.
constexpr unsigned longer = 16;
constexpr double alike =
    0.2;  // steps of samples with little and with much work, which blocks' inputs make differ
// Elements of a sample of blocks with all their work, and of one such block at most: more than two of these
// take too long.
constexpr double whole_sample = sampled_threads * sampled_work, largest_block = 2 * whole_sample;
// One block alone does not tell which words it changes together with others.
constexpr std::uint64_t fewest_blocks = 2;
// Of a sample of many blocks with little to do: blocks and elements.
constexpr std::uint64_t most_blocks_of_little = 1024, most_of_little = 1 << 17;
// How far blocks may be from the mean in what more work makes them do: the mean difference, as a part. Where
// as many blocks do more as do not it is 1, and more where fewer do.
constexpr double even = 0.5;
// Where a thread has so few elements, large blocks are no reason to sample but a few.
constexpr double little_work = 4;
constexpr std::uint64_t fewest_sampled_blocks = 64;
// Blocks of one multiprocessor that are simulated in time; further ones take as long as the last ones of
// these.
constexpr unsigned simulated_rounds = 4, fewest_simulated_blocks = 64;
// Steps of one multiprocessor that are simulated in time: a second's tenth.
constexpr double most_steps = 1.5e6;
// No unit is given more of DRAM than this, however few multiprocessors are at work: what one can receive.
constexpr double most_bytes_per_cycle = 32, fewest_request_cycles = 2;

constexpr double nine_in_ten = 1.645;  // standard errors, of a normal distribution

Course combined(const Course& one, const Course& other, double of_other) {
  const auto mix = [&](double a, double b) { return a + of_other * (b - a); };
  Course course{mix(one.cycles, other.cycles), mix(one.instructions, other.instructions), {}};
  for (std::size_t i = 0; i < course.busy.size(); ++i) course.busy[i] = mix(one.busy[i], other.busy[i]);
  return course;
}

// One after the other.
Course sum(Course one, const Course& other) {
  one.cycles += other.cycles;
  one.instructions += other.instructions;
  for (std::size_t i = 0; i < one.busy.size(); ++i) one.busy[i] += other.busy[i];
  return one;
}

// Fewer multiprocessors have a larger share of DRAM each.
Device shared_by(Device device, double active) {
  const double more = device.multiprocessors / active;
  device.dram_bytes_per_cycle = std::max(device.dram_bytes_per_cycle,
                                         std::min(most_bytes_per_cycle, device.dram_bytes_per_cycle * more));
  device.dram_request_cycles = std::min(device.dram_request_cycles,
                                        std::max(fewest_request_cycles, device.dram_request_cycles / more));
  return device;
}

// Lines on which atomics of several blocks meet work side by side, unless one of them has most to do.
double common_slices(const Stream& stream, const Device& device) {
  if (stream.busiest_turns == 0) return 1;
  const double even = static_cast<double>(stream.common_turns) / static_cast<double>(stream.busiest_turns);
  return std::max(1.0, std::min(even, device.slices(static_cast<double>(stream.common_lines))));
}

// Few resident blocks, or such whose copies lie side by side, do not keep all slices busy.
double own_turn_cycles(const Stream& stream, const Device& device, double resident_blocks) {
  if (stream.own_pieces == 0) return device.private_turn_cycles;
  const double pieces = static_cast<double>(stream.own_pieces) / stream.grid * resident_blocks;
  return device.own_turn_cycles(std::max(1.0, pieces));
}

// While an atomic waits for its sector to come from DRAM, its slice goes on with others whose sectors are
// there, if it has any: so a miss costs the less the fewer of the atomics miss.
double own_miss_cycles(const Stream& stream, const Device& device) {
  double all = 0, missed = 0;
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      for (const Step& step : warp) {
        if (step.kind != StepKind::global_atomic) continue;
        ++all;
        missed += step.sectors > 0;
      }
    }
  }
  return all > 0 ? device.atomic_miss_cycles * missed / all : 0;
}

bool is_load(const Step& step) {
  return step.kind == StepKind::global_load || step.kind == StepKind::shared_load;
}

// How often loads of a place follow one another with nothing but a branch back in between: calls
// with_run(place, length).
template <class WithRun>
void for_each_run(const WarpSteps& steps, WithRun with_run) {
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin + 1;
    while (end < steps.size() && is_load(steps[end]) && steps[end].place == steps[begin].place &&
           steps[end].entered == 1)
      ++end;
    if (is_load(steps[begin])) with_run(steps[begin].place, end - begin);
    begin = end;
  }
}

// A compiler unrolls a loop whose turns it can count, and loads for many turns ahead. Where runs of a place
// differ in length, within a sample or between one and another with more work, it could not count them.
std::array<bool, 256> uncounted_turns(const std::vector<Sample>& samples) {
  std::array<bool, 256> varies{};
  std::array<std::size_t, 256> length{};
  const auto with_run = [&](std::uint8_t place, std::size_t run) {
    if (run < 2) return;  // nothing is repeated, or only in another sample
    if (length[place] != 0 && length[place] != run) varies[place] = true;
    length[place] = run;
  };
  for (const Sample& sample : samples) {
    for (const BlockSteps& block : sample.stream.blocks) {
      for (const WarpSteps& warp : block.warps) for_each_run(warp, with_run);
    }
  }
  return varies;
}

// Where the longer sample of a warp goes on while the shorter one comes to its end: what lies in between is
// what the additional work takes, and is gone through again for the rest of it.
Loop loop_of(const WarpSteps& less, const WarpSteps& more, double times) {
  if (more.size() <= less.size()) return {};
  // A loop over what is left comes behind the first one's turns, and has the same kinds of steps.
  const auto what = [](const Step& step) { return std::pair(step.kind, step.place); };
  const auto parted = std::ranges::mismatch(less, more, {}, what, what);
  const auto begin = static_cast<std::size_t>(parted.in2 - more.begin());
  return {begin, begin + (more.size() - less.size()), times};
}

Loops loops_of(const std::vector<Sample>& samples, double work) {
  if (samples.size() < 2 || samples.back().work <= samples.front().work) return {};
  const Sample &less = samples.front(), &more = samples.back();
  const double times = (work - more.work) / (more.work - less.work);
  Loops loops(more.stream.blocks.size());
  for (std::size_t b = 0; b < loops.size(); ++b) {
    const std::vector<WarpSteps>& warps = more.stream.blocks[b].warps;
    for (std::size_t w = 0; w < warps.size(); ++w)
      loops[b].push_back(loop_of(less.stream.blocks.at(b).warps.at(w), warps[w], times));
  }
  return loops;
}

// A number for each sample, for so much work of each thread.
template <class OfStream>
double for_work(const std::vector<Sample>& samples, double work, OfStream of_stream) {
  const double most = of_stream(samples.back().stream);
  if (samples.size() < 2 || samples.back().work <= samples.front().work) return most;
  const double each =
      (most - of_stream(samples.front().stream)) / (samples.back().work - samples.front().work);
  return most + each * (work - samples.back().work);
}

double steps_of(const BlockSteps& block) {
  double steps = 0;
  for (const WarpSteps& warp : block.warps) {
    for (const Step& step : warp) steps += step.kind == StepKind::shared_cas_word ? 0 : 1 + step.rounds;
  }
  return steps;
}

// Steps of a block, with so much work for each thread.
double steps_of_block(const std::vector<Sample>& samples, double work) {
  return for_work(samples, work, [](const Stream& stream) {
    double steps = 0;
    for (const BlockSteps& block : stream.blocks) steps += steps_of(block);
    return steps / static_cast<double>(stream.blocks.size());
  });
}

// The same where the compiler has made one load of several that continue each other: in a loop whose turns it
// could count, or, where the code is known, if this has loads of so many bytes. It has the wavefronts of the
// worst of them.
WarpSteps joined(const WarpSteps& steps, const std::array<bool, 256>& uncounted) {
  WarpSteps result;
  for (const Step& step : steps) {
    if (step.joins && !uncounted[step.place] && !result.empty()) {
      result.back().cost = std::max(result.back().cost, step.cost);
    } else {
      result.push_back(step);
    }
  }
  return result;
}

std::vector<Sample> joined(std::vector<Sample> samples, const Launch& launch,
                           const std::array<bool, 256>& uncounted) {
  constexpr unsigned widest = 16;
  if (launch.code && launch.code->widest_shared_load() < widest) return samples;
  for (Sample& sample : samples) {
    for (BlockSteps& block : sample.stream.blocks) {
      for (WarpSteps& warp : block.warps) warp = joined(warp, uncounted);
    }
  }
  return samples;
}

// Loads of global memory that are under way together, as the multiprocessor takes a stream's steps.
struct StreamGroups {
  std::set<LoadGroup> groups;
  std::array<bool, 256> in_company{};        // places that load together with others, or with themselves
  std::array<std::uint8_t, 256> bytes_of{};  // that a place loads
};
StreamGroups groups_of(const Stream& stream, const std::array<bool, 256>& uncounted) {
  StreamGroups result;
  std::vector<std::uint8_t> group;  // places
  const auto end_group = [&] {
    for (const std::uint8_t place : group) {
      result.groups.insert({result.bytes_of[place], static_cast<unsigned>(group.size())});
      result.in_company[place] = result.in_company[place] || group.size() > 1;
    }
    group.clear();
  };
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      unsigned place = 0;
      for (const Step& step : warp) {
        const bool goes_on = is_load(step) && step.entered <= 1 && !(step.place == place && uncounted[place]);
        if (!goes_on) end_group();
        if (step.kind == StepKind::global_load) {
          group.push_back(step.place);
          result.bytes_of[step.place] = step.bytes;
        }
        place = step.place;
      }
      end_group();
    }
  }
  return result;
}

// For how many turns of a loop with one load of so many bytes the compiler loads before it uses the first: as
// many loads as the code has under way at a time, and the program nowhere.
unsigned turns_at_a_time(const std::vector<LoadGroup>& in_code, const std::set<LoadGroup>& in_stream,
                         unsigned bytes) {
  unsigned turns = 1;
  for (const LoadGroup& group : in_code) {
    if (group.bytes == bytes && !in_stream.contains(group)) turns = group.loads;
  }
  return std::min(turns, 255u);
}

template <class Number>
void add_clipped(Number& sum, unsigned more) {
  sum = static_cast<Number>(std::min<unsigned>(sum + more, std::numeric_limits<Number>::max()));
}

void add_computed(Step& to, const Step& from) {
  add_clipped(to.entered, std::max(0, from.entered - 1));
  add_clipped(to.arithmetic, from.arithmetic);
  add_clipped(to.branches, from.branches);
  add_clipped(to.divisions, from.divisions);
}

// The same steps where the compiler has loaded for so many turns of a loop before it used the first of them:
// the later loads stand behind the first one. What is left of the turns at the end is loaded one by one.
// Barriers are not passed.
WarpSteps loaded_ahead(const WarpSteps& steps, const std::array<std::uint8_t, 256>& turns,
                       const std::array<bool, 256>& in_company) {
  std::vector<std::vector<std::size_t>> later(steps.size());  // by the first load of as many turns
  std::vector<bool> moved(steps.size(), false);
  std::array<std::vector<std::size_t>, 256> open;  // loads by place
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == StepKind::block_barrier) open.fill({});
    const std::uint8_t place = steps[i].place;
    if (steps[i].kind != StepKind::global_load || in_company[place] || turns[place] < 2) continue;
    std::vector<std::size_t>& group = open[place];
    group.push_back(i);
    if (group.size() < turns[place]) continue;
    later[group.front()].assign(group.begin() + 1, group.end());
    for (const std::size_t load : later[group.front()]) moved[load] = true;
    group.clear();
  }
  WarpSteps result;
  Step left;  // what is computed on the way to a moved load stays where it was
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (moved[i]) {
      add_computed(left, steps[i]);
      continue;
    }
    result.push_back(steps[i]);
    add_computed(result.back(), std::exchange(left, {}));
    for (const std::size_t load : later[i]) {
      result.push_back(steps[load]);
      result.back().entered = 1;
      result.back().arithmetic = result.back().branches = result.back().divisions = 0;
    }
  }
  return result;
}

std::vector<Sample> loaded_ahead(std::vector<Sample> samples, const std::array<std::uint8_t, 256>& turns,
                                 const std::array<bool, 256>& in_company) {
  for (Sample& sample : samples) {
    for (BlockSteps& block : sample.stream.blocks) {
      for (WarpSteps& warp : block.warps) warp = loaded_ahead(warp, turns, in_company);
    }
  }
  return samples;
}

// What the launch's machine code says of its stream.
struct CodeFacts {
  double over_table = 1;  // how many times as many instructions it has as the table says
  std::vector<LoadGroup> loads_at_a_time;
  unsigned exchanges_at_a_time = 1;
  double integer_part = 0;                        // of its instructions
  std::optional<double> instruction_cycles = {};  // from one to the next
  double local_lines = 0;                         // of a mean warp
  // Of switches, for each instruction: jumps through a table, the ways from there, and partings of lanes.
  double jumps = 0, jump_ways = 0, partings = 0;
};

// nullopt: there is no code, or it does not fit the stream.
std::optional<CodeFacts> facts_of_code(const Launch& launch, const std::vector<Sample>& samples,
                                       const InstructionTable& table, const Device& device) {
  if (!launch.code) return std::nullopt;
  const CodeCycles cycles{device.branch_cycles, device.special_register_cycles};
  bool fits = true;
  Executed of_most_work;
  const double by_code = for_work(samples, launch.work, [&](const Stream& stream) {
    const auto found = launch.code->executed(accesses_of(stream), cycles, stream.parts());
    fits = fits && found;
    if (found && &stream == &samples.back().stream) of_most_work = *found;
    return found ? found->instructions : 0;
  });
  const double local_lines = for_work(samples, launch.work, [&](const Stream& stream) {
    const auto found = launch.code->executed(accesses_of(stream), {}, stream.parts());
    return found ? found->local_lines : 0;
  });
  const double by_table = for_work(samples, launch.work, [&](const Stream& stream) {
    double sum = 0, warps = 0;
    for (const BlockSteps& block : stream.blocks) {
      for (const WarpSteps& warp : block.warps) {
        ++warps;
        for (const Step& step : warp) sum += instructions(step, table);
      }
    }
    return table.warp + sum / std::max(warps, 1.0);
  });
  if (!fits || by_code <= 0 || by_table <= 0) return std::nullopt;
  return CodeFacts{
      .over_table = by_code / by_table,
      .loads_at_a_time = of_most_work.loads_at_a_time,
      .exchanges_at_a_time = static_cast<unsigned>(std::lround(of_most_work.exchanges_at_a_time)),
      .integer_part = of_most_work.integer_instructions / std::max(1.0, of_most_work.instructions),
      .instruction_cycles = of_most_work.cycles / std::max(1.0, of_most_work.instructions),
      .local_lines = std::max(0.0, local_lines),
      .jumps = of_most_work.jumps / std::max(1.0, of_most_work.instructions),
      .jump_ways = of_most_work.jump_ways / std::max(1.0, of_most_work.instructions),
      .partings = of_most_work.partings / std::max(1.0, of_most_work.instructions)};
}

// Of a thread with more work than `most`: as much or half as much, and on top what the launch's work leaves
// over when it is divided into such halves. So the last turn of a loop is as full as in the launch, and
// pieces that the threads share out lie as far apart, but for some lines.
double work_of_sample(const Launch& launch, double most, bool half) {
  if (launch.work <= most) return (half ? 0.5 : 1) * launch.work;
  return (half ? 0.5 : 1) * most + std::fmod(std::ceil(launch.work), most / 2);
}

SampleSize sample_of_threads(const Launch& launch, std::uint64_t length, std::uint64_t blocks, double work) {
  const std::uint64_t grid = std::min(std::max(blocks, fewest_blocks), launch.grid);
  const double threads = static_cast<double>(grid) * launch.block;
  return {grid, std::min(length, static_cast<std::uint64_t>(work * threads))};
}

struct Situation {
  const Launch& launch;
  const std::vector<Sample>& samples;
  const Device& device;
  const InstructionTable& table;
  unsigned resident;
  std::array<std::uint8_t, 256> turns_at_a_time;
  unsigned exchanges_at_a_time;
};

// The standard error of a block's mean share of the work, as a part of it. The blocks of a sample follow one
// another as the launch's do, so it is their differences from one to the next that tell it.
double standard_error(const Stream& stream, const InstructionTable& table, double grid) {
  const auto blocks = static_cast<double>(stream.blocks.size());
  if (blocks < 2 || blocks >= grid) return 0;
  double total = 0, squares = 0, before = 0;
  for (std::size_t b = 0; b < stream.blocks.size(); ++b) {
    double work = 0;
    for (const WarpSteps& warp : stream.blocks[b].warps) {
      for (const Step& step : warp) work += instructions(step, table) + step.cost;
    }
    total += work;
    if (b > 0) squares += (work - before) * (work - before);
    before = work;
  }
  const double variance = squares / (2 * (blocks - 1));
  return std::sqrt(variance / blocks * (1 - blocks / grid)) / (total / blocks);
}

// The busiest multiprocessor over so many blocks, with so much work for each thread.
Course course_of(const Situation& of, unsigned blocks, double work) {
  const double active = std::min<double>(of.device.multiprocessors, static_cast<double>(of.launch.grid));
  const double own_turns = own_turn_cycles(of.samples.back().stream, of.device, active * of.resident),
               slices = of.device.turn_cycles / of.device.private_turn_cycles;
  const Setting setting{.blocks = blocks,
                        .resident = of.resident,
                        .active = active,
                        .common_slices = common_slices(of.samples.back().stream, of.device),
                        .own_turn_cycles = own_turns,
                        .common_busy_slices = common_slices(of.samples.back().stream, of.device) / slices,
                        .own_busy_slices = of.device.private_turn_cycles / own_turns,
                        .own_miss_cycles = own_miss_cycles(of.samples.back().stream, of.device),
                        .turns_at_a_time = of.turns_at_a_time,
                        .exchanges_at_a_time = of.exchanges_at_a_time};
  return simulate(of.samples.back().stream.blocks, shared_by(of.device, active), setting, of.table,
                  loops_of(of.samples, work));
}

// All blocks, with so much work for each thread: of many alike the last ones are worked out.
Course over_blocks(const Situation& of, double work) {
  const double blocks = std::ceil(static_cast<double>(of.launch.grid) / of.device.multiprocessors);
  const unsigned most = std::max(simulated_rounds * of.resident, fewest_simulated_blocks);
  const Course first = course_of(of, static_cast<unsigned>(std::min<double>(blocks, most)), work);
  if (blocks <= most) return first;
  return combined(course_of(of, most / 2, work), first, (blocks - most / 2) / (most - most / 2));
}

// All work: of more steps than can be simulated the last ones are worked out.
Course over_work(const Situation& of) {
  const double blocks =
      std::min<double>(std::ceil(static_cast<double>(of.launch.grid) / of.device.multiprocessors),
                       std::max(simulated_rounds * of.resident, fewest_simulated_blocks));
  const double work = of.launch.work, least = of.samples.back().work;
  const double part = most_steps / (blocks * steps_of_block(of.samples, work));
  if (part >= 1 || of.samples.size() < 2) return over_blocks(of, work);
  const double more = std::max(2 * least, work * part), less = more / 2;
  if (more >= work) return over_blocks(of, work);
  return combined(over_blocks(of, less), over_blocks(of, more), (work - less) / (more - less));
}

std::vector<Sample> without_last_block(std::vector<Sample> samples, const Launch& launch) {
  if (!launch.last_block) return samples;
  for (Sample& sample : samples) sample.stream = without_part_of_last_block(std::move(sample.stream));
  return samples;
}

// Of its loops with loads: where the code has as many loads under way as the loop has turns, the compiler
// could count these. Of all others it has as many under way as the code says, which is one if it is not
// known.
std::array<std::uint8_t, 256> turns_of_last_block(const Launch& launch) {
  Stream stream;
  stream.blocks = {launch.last_block->all};
  const auto found = launch.code ? launch.code->executed(accesses_of(stream)) : std::nullopt;
  const std::vector<LoadGroup> in_code = found ? found->loads_at_a_time : std::vector<LoadGroup>{};
  std::array<bool, 256> is_loop{};
  std::array<std::uint8_t, 256> bytes_of{};
  std::set<LoadGroup> counted;
  for (const WarpSteps& warp : launch.last_block->part.warps) {
    for (const Step& step : warp) bytes_of[step.place] = step.bytes;
    for_each_run(warp, [&](std::uint8_t place, std::size_t run) {
      const LoadGroup group{bytes_of[place], static_cast<unsigned>(run)};
      if (run > 1 && std::ranges::count(in_code, group) == 0) is_loop[place] = true;
      counted.insert({group.bytes, is_loop[place] ? 1 : group.loads});
    });
  }
  std::array<std::uint8_t, 256> result{};
  for (std::size_t place = 0; place < result.size(); ++place) {
    result[place] =
        static_cast<std::uint8_t>(is_loop[place] ? turns_at_a_time(in_code, counted, bytes_of[place]) : 0);
  }
  return result;
}

// What the last block does when all others have ended, by itself. What it reads they have left in L2.
Course course_of_last_block(const Launch& launch, const Device& of_gpu, const InstructionTable& table) {
  const LastBlock& last = *launch.last_block;
  Device device = shared_by(of_gpu, 1);
  device.dram_latency = device.l2_latency;
  device.dram_latency_spread = 0;
  device.block_start_cycles = device.block_end_cycles = 0;
  InstructionTable of_part = table;
  of_part.warp = 0;
  const Setting setting{.own_turn_cycles = device.private_turn_cycles,
                        .turns_at_a_time = turns_of_last_block(launch)};
  const Course course = simulate({last.part}, device, setting, of_part);
  const double times = static_cast<double>(launch.grid) / static_cast<double>(last.grid);
  return combined({}, course, times);
}

// What local memory may add to so many cycles of a multiprocessor, as a part of them, if L1 holds none of it.
std::optional<double> local_memory_of(const Launch& launch, const std::optional<CodeFacts>& known,
                                      double cycles, const Device& device) {
  if (!launch.code || !launch.code->uses_local_memory()) return 0;
  if (!known) return std::nullopt;
  const double warps = std::ceil(static_cast<double>(launch.block) / lanes) *
                       std::ceil(static_cast<double>(launch.grid) / device.multiprocessors);
  return warps * known->local_lines * device.dram_request_cycles / cycles;
}

}  // namespace

facts::MultiprocessorLimits limits_of(const Device& device) {
  return {.threads = static_cast<unsigned>(device.threads),
          .blocks = static_cast<unsigned>(device.blocks),
          .shared_bytes = static_cast<std::uint64_t>(device.shared_bytes),
          .registers = static_cast<unsigned>(device.registers),
          .schedulers = static_cast<unsigned>(device.schedulers)};
}

SampleSize sample_size(const Launch& launch, std::uint64_t length, bool half) {
  const std::uint64_t fewest = launch.work <= little_work ? fewest_sampled_blocks : 1;
  return sample_of_threads(launch, length, std::max(sampled_threads / launch.block, fewest),
                           work_of_sample(launch, sampled_work, half));
}

SampleSize long_sample_size(const Launch& launch, std::uint64_t length, bool half) {
  return sample_of_threads(launch, length, sampled_threads / longer / launch.block,
                           work_of_sample(launch, longer * sampled_work, half));
}

SampleSize part_of(const SampleSize& size, double part) {
  const double blocks = part * static_cast<double>(size.grid);
  const std::uint64_t whole =
      std::max(std::min(size.grid, fewest_blocks), static_cast<std::uint64_t>(blocks));
  const double left = std::min(blocks, static_cast<double>(whole)) / static_cast<double>(size.grid);
  return {whole, static_cast<std::uint64_t>(std::llround(static_cast<double>(size.length) * left))};
}

bool uneven(const std::vector<Sample>& samples, const Launch& launch) {
  if (samples.size() < 2 || launch.work <= sampled_work) return false;
  const std::vector<BlockSteps>&less = samples.front().stream.blocks, &more = samples.back().stream.blocks;
  std::vector<double> growth;
  double mean = 0, difference = 0;
  for (std::size_t b = 0; b < more.size(); ++b) {
    growth.push_back(steps_of(more[b]) - steps_of(less.at(b)));
    mean += growth.back() / static_cast<double>(more.size());
  }
  for (const double one : growth) difference += std::abs(one - mean) / static_cast<double>(more.size());
  return difference > even * std::abs(mean);
}

SampleSize last_block_sample_size(const Launch& launch, std::uint64_t length) {
  const std::uint64_t grid = std::min(launch.grid, most_blocks_of_little);
  return {grid, std::min({length, grid * launch.block, most_of_little})};
}

bool done_by_one(const Sample& sample) {
  const std::vector<BlockSteps>& blocks = sample.stream.blocks;
  if (blocks.size() < 2) return false;
  double most = 0, all = 0;
  for (const BlockSteps& block : blocks) {
    const double steps = steps_of(block);
    most = std::max(most, steps);
    all += steps;
  }
  const double others = (all - most) / static_cast<double>(blocks.size() - 1);
  return most - others > 0.5 * all;
}

SampleSize whole_sample_size(const Launch& launch, std::uint64_t length, bool cut) {
  const double of_block = std::min(launch.work * launch.block, largest_block);
  const std::uint64_t blocks =
      std::min(launch.grid, std::max(fewest_blocks, static_cast<std::uint64_t>(whole_sample / of_block)));
  const double elements = of_block * (static_cast<double>(blocks) - (cut ? 0.5 : 0));
  return {blocks, std::min(length, static_cast<std::uint64_t>(std::llround(elements)))};
}

bool foretell(const std::vector<Sample>& samples, const Sample& long_sample) {
  const double seen = steps_of_block({long_sample}, long_sample.work),
               foretold = steps_of_block(samples, long_sample.work);
  return std::abs(seen - foretold) <= alike * foretold;
}

bool needs_one_sample(const Launch& launch) { return launch.work < 2; }

bool may_need_long_samples(const Launch& launch) { return launch.work >= 2 * sampled_work; }

Estimate estimate(const Launch& launch, const std::vector<Sample>& as_run, const Device& of_gpu,
                  const InstructionTable& without_code) {
  Estimate result;
  const std::array<bool, 256> uncounted = uncounted_turns(as_run);
  const std::vector<Sample> seen = joined(as_run, launch, uncounted);
  const auto code = facts_of_code(launch, seen, without_code, of_gpu);
  const CodeFacts known = code.value_or(CodeFacts{});
  Device device = of_gpu;
  device.issue_cycles = std::max(device.issue_cycles, known.integer_part * device.integer_cycles);
  device.issue_cycles = std::max(device.issue_cycles,
                                 known.jumps * device.jump_cycles + known.partings * device.parting_cycles);
  device.instruction_cycles =
      known.instruction_cycles.value_or(device.instruction_cycles) + known.jump_ways * device.jump_latency;
  const StreamGroups groups = groups_of(seen.back().stream, uncounted);
  std::array<std::uint8_t, 256> turns{}, turns_of_uncounted{};
  for (std::size_t place = 0; place < turns.size(); ++place) {
    turns[place] = static_cast<std::uint8_t>(
        turns_at_a_time(known.loads_at_a_time, groups.groups, groups.bytes_of[place]));
    turns_of_uncounted[place] = uncounted[place] ? turns[place] : 0;
  }
  const std::vector<Sample> samples =
      without_last_block(loaded_ahead(seen, turns, groups.in_company), launch);
  const InstructionTable table = times(without_code, known.over_table);
  result.counted_in_code = code.has_value();
  result.resident = facts::resident_blocks(
      {launch.block, samples.back().stream.shared_bytes, launch.registers}, limits_of(device));
  Course course = over_work(
      {launch, samples, device, table, result.resident, turns_of_uncounted, known.exchanges_at_a_time});
  result.instructions =
      course.instructions * std::min<double>(device.multiprocessors, static_cast<double>(launch.grid));
  if (launch.last_block) {
    const Course after = course_of_last_block(launch, device, table);
    result.instructions += after.instructions;
    course = sum(course, after);
  }
  result.local_memory = local_memory_of(launch, code, course.cycles, device);
  const double us = device.us(course.cycles) + device.launch_us * static_cast<double>(launch.launches);
  result.ms = us / 1e3;
  result.sampling_error =
      nine_in_ten * standard_error(samples.back().stream, table, static_cast<double>(launch.grid));
  const double error = std::hypot(device.error, result.sampling_error);
  result.low = result.ms / (1 + error);
  result.high = result.ms * (1 + error);
  for (std::size_t i = 0; i < bound_names.size(); ++i)
    result.bound_by.push_back({bound_names[i], std::clamp(course.busy[i] / course.cycles, 0.0, 1.0)});
  std::ranges::stable_sort(result.bound_by, std::greater{}, &Share::share);
  return result;
}

}  // namespace model
