// SPDX-License-Identifier: MIT
#include "model/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "model/code_facts.hpp"
#include "model/multiprocessor.hpp"
#include "model/unmade_accesses.hpp"
#include "model/unrolled_loads.hpp"

namespace model {

namespace {

constexpr unsigned lanes = 32;
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

double mean_of_growing(const std::vector<double>& growth) {
  double sum = 0, growing = 0;
  for (const double one : growth) {
    if (one > 0) sum += one, ++growing;
  }
  return growing > 0 ? sum / growing : 0;
}

double sectors_of(const WarpSteps& steps, std::size_t begin, std::size_t end) {
  double sectors = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (steps[i].kind == StepKind::global_load) sectors += steps[i].sectors;
  }
  return sectors;
}

double sectors_of(const Stream& stream) {
  double sectors = 0;
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) sectors += sectors_of(warp, 0, warp.size());
  }
  return sectors;
}

// What the loops load in a further turn is what the longer sample loads more. Where it stands among its steps
// does not say so: a strip's first load brings a whole sector for each lane, and its last ones find those
// that the next lane's first load has brought.
void scale_sectors(Loops& loops, const std::vector<Sample>& samples) {
  constexpr double most = 2;
  double in_loops = 0;
  for (std::size_t b = 0; b < loops.size(); ++b) {
    for (std::size_t w = 0; w < loops[b].size(); ++w) {
      const Loop& loop = loops[b][w];
      in_loops += sectors_of(samples.back().stream.blocks[b].warps[w], loop.begin, loop.end);
    }
  }
  const double more = sectors_of(samples.back().stream) - sectors_of(samples.front().stream);
  if (in_loops <= 0 || more <= 0) return;
  for (std::vector<Loop>& block : loops) {
    for (Loop& loop : block) loop.sectors = std::clamp(more / in_loops, 1 / most, most);
  }
}

// Blocks that share the input out evenly get as much each in the launch, but for a turn, though in a sample
// some have a turn more than others: so they repeat what they have more often the less that is.
Loops loops_of(const std::vector<Sample>& samples, double work) {
  if (samples.size() < 2 || samples.back().work <= samples.front().work) return {};
  const Sample &less = samples.front(), &more = samples.back();
  const double times = (work - more.work) / (more.work - less.work);
  const std::vector<double> growth = growth_of_blocks(samples);
  const double even = mean_of_growing(growth);
  Loops loops(more.stream.blocks.size());
  for (std::size_t b = 0; b < loops.size(); ++b) {
    const std::vector<WarpSteps>& warps = more.stream.blocks[b].warps;
    const double of_block = growth[b] > 0 ? times * even / growth[b] : times;
    for (std::size_t w = 0; w < warps.size(); ++w)
      loops[b].push_back(loop_of(less.stream.blocks.at(b).warps.at(w), warps[w], of_block));
  }
  scale_sectors(loops, samples);
  return loops;
}

struct Situation {
  const Launch& launch;
  const std::vector<Sample>& samples;
  const Device& device;
  const InstructionTable& table;
  unsigned resident;
  std::array<std::uint8_t, 256> turns_at_a_time;
  std::array<bool, 256> in_company;
  UsesOfWidths uses;
  std::optional<LoadUse> use_of_shared_load;
  unsigned exchanges_at_a_time;
  double special_reads;
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
                        .blocks_draw = of.samples.back().draws_dealt,
                        .common_slices = common_slices(of.samples.back().stream, of.device),
                        .own_turn_cycles = own_turns,
                        .common_busy_slices = common_slices(of.samples.back().stream, of.device) / slices,
                        .own_busy_slices = of.device.private_turn_cycles / own_turns,
                        .own_miss_cycles = own_miss_cycles(of.samples.back().stream, of.device),
                        .turns_at_a_time = of.turns_at_a_time,
                        .in_company = of.in_company,
                        .uses = of.uses,
                        .use_of_shared_load = of.use_of_shared_load,
                        .exchanges_at_a_time = of.exchanges_at_a_time,
                        .special_reads = of.special_reads};
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

namespace {

// The machine code tells where warps wait; where there is none, what is known of the branches that it would
// have.
BlockSteps as_compiled(BlockSteps block, bool has_code) {
  for (WarpSteps& warp : block.warps) {
    if (!has_code) warp = loaded_first(std::move(warp));
    for (Step& step : warp) {
      if (has_code) step.joined = std::exchange(step.folded, std::uint8_t{0});
    }
  }
  return block;
}

Estimate estimate_as_compiled(const Launch& launch, const std::vector<Sample>& as_run, const Device& of_gpu,
                              const InstructionTable& without_code) {
  Estimate result;
  const std::array<bool, 256> uncounted = uncounted_turns(as_run);
  const std::vector<Sample> seen = joined(as_run, launch, uncounted);
  const auto code = facts_of_code(launch, seen, of_gpu);
  const CodeFacts known = code.value_or(facts_without_code(seen.back().stream, without_code));
  Device device = of_gpu;
  device.issue_cycles = std::max(device.issue_cycles, known.integer_part * device.integer_cycles);
  device.issue_cycles = std::max(device.issue_cycles,
                                 known.jumps * device.jump_cycles + known.partings * device.parting_cycles);
  device.instruction_cycles =
      known.instruction_cycles.value_or(device.instruction_cycles) + known.jump_ways * device.jump_latency;
  const StreamGroups groups = groups_of(seen.back().stream, uncounted);
  std::array<std::uint8_t, 256> turns{}, turns_of_uncounted{};
  UsesOfWidths uses;
  for (const LoadUse& use : known.uses_of_loads) uses.at(width_of(use.bytes)).push_back(use);
  const std::array<std::uint8_t, 256> turns_without_code = turns_of_counted_loops(seen.back().stream);
  for (std::size_t place = 0; place < turns.size(); ++place) {
    turns[place] = static_cast<std::uint8_t>(
        turns_at_a_time(known.loads_at_a_time, groups.groups, groups.bytes_of[place]));
    if (!launch.code) turns[place] = std::max(turns[place], turns_without_code[place]);
    turns_of_uncounted[place] = uncounted[place] ? turns[place] : 0;
  }
  const std::vector<Sample> ahead = with_unmade_accesses(
      loaded_ahead(seen, turns, groups.in_company, !launch.code), known.unmade_accesses, without_code);
  // The steps have as many instructions as the code, in the order in which they are gone through.
  const double by_table = instructions_by_table(ahead, launch.work, without_code);
  const InstructionTable table = times(without_code, known.instructions.value_or(by_table) / by_table);
  const std::vector<Sample> samples = without_last_block(ahead, launch);
  result.counted_in_code = code.has_value();
  result.resident = facts::resident_blocks(
      {launch.block, samples.back().stream.shared_bytes, launch.registers}, limits_of(device));
  Course course =
      over_work({launch, samples, device, table, result.resident, turns_of_uncounted, groups.in_company, uses,
                 known.use_of_shared_load, known.exchanges_at_a_time, known.special_reads});
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
  const double error =
      std::hypot(device.error, result.counted_in_code ? 0 : without_code.error, result.sampling_error);
  result.low = result.ms / (1 + error);
  result.high = result.ms * (1 + error);
  for (std::size_t i = 0; i < bound_names.size(); ++i)
    result.bound_by.push_back({bound_names[i], std::clamp(course.busy[i] / course.cycles, 0.0, 1.0)});
  std::ranges::stable_sort(result.bound_by, std::greater{}, &Share::share);
  return result;
}

}  // namespace

Estimate estimate(const Launch& launch, const std::vector<Sample>& samples, const Device& device,
                  const InstructionTable& table) {
  const bool has_code = launch.code.has_value();
  Launch compiled = launch;
  if (compiled.last_block) {
    compiled.last_block->all = as_compiled(std::move(compiled.last_block->all), has_code);
    compiled.last_block->part = as_compiled(std::move(compiled.last_block->part), has_code);
  }
  std::vector<Sample> as_run = samples;
  for (Sample& sample : as_run) {
    for (BlockSteps& block : sample.stream.blocks) block = as_compiled(std::move(block), has_code);
  }
  return estimate_as_compiled(compiled, as_run, device, table);
}

}  // namespace model
