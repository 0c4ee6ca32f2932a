// SPDX-License-Identifier: MIT
// Four things decide when a warp's next step begins: that its last one is done; that its scheduler is free,
// which takes the oldest block that has a warp which could go on; for an atomic, a store, a barrier or a
// branch, that the warp's loads have come (the compiler puts a use of what was loaded there); and that the
// queue to L1 or to the atomics of L2 is not full: of those that wait for L1 the oldest block comes first,
// too. Each of the units L1, ADU, DRAM and L2's atomics serves one request after another and is described by
// the time at which it will be free. A few instructions are issued at a time, so the order of requests is
// right to within these.
#include "model/multiprocessor.hpp"

#include <algorithm>
#include <limits>

#include "model/dram.hpp"
#include "model/loads_under_way.hpp"
#include "model/pieces.hpp"

namespace model {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// What may wait at a unit, in cycles of its work, until warps are held up.
constexpr double l1_queue_cycles = 256, atomic_queue_cycles = 2000;
// Instructions of a warp until another one has its turn: the more, the faster this is to simulate.
constexpr double issued_at_a_time = 8;

struct Warp {
  const WarpSteps* steps = nullptr;
  std::size_t next = 0, block = 0;
  Loop loop;
  double sectors =
      1;             // that its loads want, for each that their steps say: Loop::sectors in its further turns
  unsigned age = 0;  // of its block: in the order in which they start
  std::uint64_t issued = 0;           // when it was its turn last
  unsigned place = 0;                 // of its last step
  unsigned rounds = 0;                // of a loop of compare-and-swaps that have been made
  std::vector<Step> words = {};       // that it has still to change
  unsigned turns = 0, exchanges = 0;  // under way: of the loop of its last load, and operations of the warp
  double ready = 0;                   // when its next step may be issued, as far as that depends on itself
  LoadsUnderWay loads = LoadsUnderWay();
  double arrived = 0;     // at the barrier
  double left = 0;        // instructions until the next step's own, and with it
  bool wants_l1 = false;  // with those that are issued next
};

struct Place {  // of a resident block
  std::vector<std::size_t> warps;
  unsigned at_barrier = 0, running = 0;
  double counted = 0;                 // when the barrier has counted all warps that have come to it
  std::array<double, 256> changed{};  // when a compare-and-swap has changed a word last, by the word's number
  Pieces pieces;
};

class Multiprocessor {
 public:
  Multiprocessor(const std::vector<BlockSteps>& blocks, const Device& device, const Setting& setting,
                 const InstructionTable& table, const Loops& loops)
      : blocks_(blocks), device_(device), setting_(setting), table_(table), loops_(loops), dram_(device) {
    schedulers_.resize(static_cast<std::size_t>(device.schedulers));
    free_.assign(schedulers_.size(), 0);
    places_.resize(std::min(setting.resident, setting.blocks));
    for (const BlockSteps& block : blocks) wanting_.push_back(loads_by_piece(block));
  }

  Course run() {
    for (std::size_t place = 0; place < places_.size(); ++place) start_block(place, 0);
    while (issue_next()) {
    }
    course_.cycles = std::max(end_, atomics_free_);
    busy(Bound::waiting) /= std::max(1.0, warp_cycles_ / std::max(end_, 1.0));
    busy(Bound::barrier) /= std::max(1.0, warp_cycles_ / std::max(end_, 1.0));
    busy(Bound::dram) = dram_.busy_cycles();
    busy(Bound::issue) = course_.instructions * device_.issue_cycles / device_.schedulers;
    return course_;
  }

 private:
  double& busy(Bound bound) { return course_.busy[static_cast<std::size_t>(bound)]; }

  // In the order of the launch, for blocks start in this order: where the first ones have all the work, the
  // others come afterwards, and not in between.
  std::size_t next_block() const { return started_ * blocks_.size() / setting_.blocks; }

  void start_block(std::size_t at, double time) {
    if (started_ == setting_.blocks) return;
    const std::size_t number = next_block();
    const BlockSteps& block = blocks_[number];
    const double begin = std::max(time, next_start_);
    next_start_ = begin + device_.block_start_cycles;
    busy(Bound::launch) += device_.block_start_cycles;
    Place& place = places_[at];
    place.warps.clear();
    place.at_barrier = 0;
    place.changed.fill(0);
    place.pieces = Pieces(wanting_[number]);
    place.running = static_cast<unsigned>(block.warps.size());
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      const WarpSteps& steps = block.warps[w];
      std::size_t slot = warps_.size();
      if (!unused_.empty()) {
        slot = unused_.back();
        unused_.pop_back();
        warps_[slot] = {};
      } else {
        warps_.emplace_back();
      }
      Warp& warp = warps_[slot];
      warp.steps = &steps;
      warp.block = at;
      if (!loops_.empty()) warp.loop = loops_[number][w];
      // Where blocks draw their work, the older ones draw more, and all end together: as if they took turns.
      warp.age = setting_.blocks_draw ? 0 : started_;
      warp.ready = begin;
      warp.loads = LoadsUnderWay(begin);
      begin_step(warp, table_.warp);
      place.warps.push_back(slot);
      emptiest_scheduler(started_).push_back(slot);
      begin_of_[slot % most_slots] = begin;
    }
    ++started_;
  }

  // Of those with the fewest warps the next one in a circle, which begins elsewhere for each block: so the
  // first warps of all blocks, which often have more to do than the others, do not meet.
  std::vector<std::size_t>& emptiest_scheduler(std::size_t begin) {
    const auto size_of = [&](std::size_t i) { return schedulers_[(begin + i) % schedulers_.size()].size(); };
    std::size_t best = 0;
    for (std::size_t i = 1; i < schedulers_.size(); ++i) {
      if (size_of(i) < size_of(best)) best = i;
    }
    return schedulers_[(begin + best) % schedulers_.size()];
  }

  // When the first warp of a scheduler could be issued.
  double earliest(std::size_t scheduler) const {
    double first = never;
    for (const std::size_t slot : schedulers_[scheduler]) first = std::min(first, ready(warps_[slot]));
    return std::max(first, free_[scheduler]);
  }

  static bool goes_before(const Warp& one, const Warp& other) {
    return std::pair(one.age, one.issued) < std::pair(other.age, other.issued);
  }

  // Where its next instructions are for L1, not before there is room in the queue.
  double ready(const Warp& warp) const {
    if (!warp.wants_l1) return warp.ready;
    return std::max(warp.ready, l1_free_ - l1_queue_cycles - warp.left * device_.instruction_cycles);
  }

  bool issue_next() {
    std::size_t chosen = 0;
    double time = never;
    for (std::size_t s = 0; s < schedulers_.size(); ++s) {
      const double at = earliest(s);
      // Schedulers take turns where warps of several wait for room in the same queue.
      const bool goes_first = at == time && time < never && free_[s] < free_[chosen];
      if (at < time || goes_first) time = at, chosen = s;
    }
    if (time == never) return false;
    std::size_t first = warps_.size();
    for (const std::size_t slot : schedulers_[chosen]) {
      if (ready(warps_[slot]) <= time && (first == warps_.size() || goes_before(warps_[slot], warps_[first])))
        first = slot;
    }
    warps_[first].issued = ++issues_;
    issue(chosen, first, time);
    return true;
  }

  // Whether the step waits for what the warp has loaded.
  bool uses_loads(const Warp& warp, const Step& step) const {
    switch (step.kind) {
      case StepKind::global_load:
      case StepKind::shared_load:
        if (step.blocks() == 1 && step.place == warp.place) {
          const unsigned most = setting_.turns_at_a_time[step.place];
          return most > 0 && warp.turns >= most;
        }
        return step.blocks() > 1;  // a branch in between
      case StepKind::shuffle:
      case StepKind::match:
      case StepKind::redux:
        return warp.exchanges == 0 || warp.exchanges >= setting_.exchanges_at_a_time;
      default:
        return true;
    }
  }

  void issue(std::size_t scheduler, std::size_t slot, double time) {
    Warp& warp = warps_[slot];
    const Step& step = (*warp.steps)[warp.next];
    if (step.kind == StepKind::shared_cas_word) return advance(warp);  // of a loop that was left out
    if (warp.loads.take_due(step) || uses_loads(warp, step)) {
      if (warp.loads.there() > time) {
        busy(Bound::waiting) += warp.loads.there() - time;
        warp.ready = warp.loads.there();
        warp.turns = 0;
        return;
      }
    }
    if (!warp.words.empty()) return try_swap(scheduler, warp, step, time);
    const double count = std::min(warp.left, issued_at_a_time);
    warp.left -= count;
    warp.wants_l1 = goes_through_l1(step) && warp.left <= issued_at_a_time;
    course_.instructions += count;
    if (setting_.special_reads > 0)
      adu_free_ = std::max(adu_free_, time) + count * setting_.special_reads * device_.special_read_cycles;
    if (warp.left > 0) {  // other warps' instructions come in between
      free_[scheduler] = time + count * device_.issue_cycles;
      warp.ready = time + count * device_.instruction_cycles;
      return;
    }
    if (step.kind == StepKind::shared_cas_loop) {
      free_[scheduler] = time + count * device_.issue_cycles;
      warp.ready = time + std::max(1.0, count * device_.instruction_cycles);
      begin_loop(warp);
      return;
    }
    advance(warp);
    count_under_way(warp, step);
    warp.loads.count(step);
    free_[scheduler] = time + count * device_.issue_cycles;
    const double issued = time + std::max(1.0, count * device_.instruction_cycles);
    warp.ready = issued;
    access(warp, step, issued);
    if (step.kind == StepKind::block_barrier) return arrive(slot, issued);
    if (step.kind == StepKind::warp_ends) end_warp(scheduler, slot, issued);
  }

  void advance(Warp& warp) {
    Loop& loop = warp.loop;
    if (++warp.next == loop.end && loop.more > 0) {
      const double part = std::min(1.0, loop.more);
      loop.more -= 1;
      warp.sectors = loop.sectors;
      warp.next = loop.end - static_cast<std::size_t>(part * static_cast<double>(loop.end - loop.begin));
    }
    if (warp.next < warp.steps->size()) begin_step(warp, 0);
  }

  // `more`: instructions in front of the step's own.
  void begin_step(Warp& warp, double more) {
    const Step& step = (*warp.steps)[warp.next];
    warp.left = instructions(step, table_) - table_.cas_round * step.rounds + more;
    warp.wants_l1 = goes_through_l1(step) && warp.left <= issued_at_a_time;
  }

  void count_under_way(Warp& warp, const Step& step) const {
    warp.turns = step.place == warp.place ? warp.turns + 1 : 1;
    warp.place = step.place;
    const bool exchanges =
        step.kind == StepKind::shuffle || step.kind == StepKind::match || step.kind == StepKind::redux;
    if (!exchanges)
      warp.exchanges = 0;
    else
      warp.exchanges = warp.exchanges % setting_.exchanges_at_a_time + 1;
  }

  static bool goes_through_l1(const Step& step) {
    switch (step.kind) {
      case StepKind::global_load:
      case StepKind::global_store:
      case StepKind::shared_load:
      case StepKind::shared_store:
      case StepKind::shared_increment:
      case StepKind::shared_atomic:
      case StepKind::shared_exchange:
      case StepKind::shuffle:
        return true;
      default:
        return false;
    }
  }

  // Turns of a loop with one load, for which the compiler loads together, wait as setting_.turns_at_a_time
  // says.
  bool is_of_turns(const Step& step) const {
    const std::vector<LoadUse>& uses = setting_.uses.at(width_of(step.bytes));
    return !setting_.in_company[step.place] && !uses.empty() && uses.front().accesses == 0 &&
           uses.front().loads + 1 >= uses.size();
  }

  // A unit that serves one request after another: when this one is done.
  double serve(double& free, double time, double cycles, Bound bound) {
    free = std::max(free, time) + cycles;
    busy(bound) += cycles;
    return free;
  }

  void access(Warp& warp, const Step& step, double time) {
    const auto through_l1 = [&](Bound bound) {
      return serve(l1_free_, time, step.cost * device_.wavefront_cycles, bound);
    };
    switch (step.kind) {
      case StepKind::global_load: {
        double done = through_l1(Bound::l1);
        done = step.sectors > 0 ? come(warp, step, done) : done + device_.l1_latency;
        warp.loads.add(is_of_turns(step) ? std::nullopt : warp.loads.next_use(setting_.uses, step.bytes),
                       done);
        break;
      }
      case StepKind::global_store: {
        const double done = through_l1(Bound::l1);
        dram_.write(done, step.sectors);
        break;
      }
      case StepKind::shared_load:
        warp.loads.add(setting_.use_of_shared_load,
                       through_l1(Bound::shared_memory) + device_.shared_latency);
        break;
      case StepKind::constant_load:
        warp.loads.add(std::max(serve(adu_free_, time, step.cost * device_.constant_cycles, Bound::constants),
                                time + (step.cost - 1) * device_.constant_latency_of_word) +
                       device_.constant_latency);
        break;
      case StepKind::shared_store:
      case StepKind::shared_increment:
      case StepKind::shared_atomic:
        through_l1(Bound::shared_memory);
        break;
      case StepKind::shared_exchange:
        warp.ready = through_l1(Bound::shared_memory) + device_.shared_atomic_latency;
        warp.loads.add(warp.ready);
        break;
      case StepKind::global_atomic:
      case StepKind::global_atomic_common:
        atomic(warp, step, time);
        break;
      case StepKind::global_exchange:
        atomic(warp, step, time);
        warp.ready = atomics_free_ + device_.l2_latency;
        warp.loads.add(warp.ready);
        break;
      case StepKind::shuffle:  // in the same unit as accesses to shared memory
        warp.loads.add(serve(l1_free_, time, step.cost * device_.shuffle_cycles, Bound::exchanges) +
                       device_.shuffle_latency);
        break;
      case StepKind::match:
        exchange(warp, time, device_.match_cycles + (step.cost - 1) * device_.match_cycles_of_value,
                 device_.match_latency + (step.cost - 1) * device_.match_latency_of_value);
        break;
      case StepKind::redux:
        exchange(warp, time, device_.redux_cycles, device_.redux_latency);
        break;
      case StepKind::vote:
        warp.loads.add(time + device_.vote_latency);
        break;
      case StepKind::block_barrier:  // an access that no lane makes takes a wavefront of the unit, too
        if (step.unmade_accesses > 0)
          serve(l1_free_, time, step.unmade_accesses * device_.wavefront_cycles, Bound::shared_memory);
        break;
      default:
        break;
    }
  }

  static void begin_loop(Warp& warp) {
    warp.rounds = 0;
    for (std::size_t i = warp.next + 1; (*warp.steps)[i].kind == StepKind::shared_cas_word; ++i)
      warp.words.push_back((*warp.steps)[i]);
    if (warp.words.empty()) warp.words.emplace_back();  // only the rounds are known
  }

  // A round of a loop of compare-and-swaps, of all lanes that have not been successful. For a word it is in
  // vain where another warp has changed that since this one has loaded it.
  void try_swap(std::size_t scheduler, Warp& warp, const Step& step, double time) {
    constexpr unsigned long_bytes = 8;
    const double instructions = table_.cas_round,
                 round = step.bytes >= long_bytes ? device_.long_cas_round_cycles : device_.cas_round_cycles,
                 wavefronts = step.cost * device_.wavefront_cycles / step.rounds;
    course_.instructions += instructions;
    free_[scheduler] = time + instructions * device_.issue_cycles;
    // The load and the compare-and-swap both wait for those of other warps.
    const double queue = std::max(0.0, l1_free_ - time), loaded = time + queue,
                 swapped = loaded + queue + device_.cas_hold_cycles;
    serve(l1_free_, time, wavefronts, Bound::shared_memory);
    for (Step& word : warp.words) {
      double& changed = places_[warp.block].changed[word.word];
      if (word.rounds > 0 && changed <= loaded) changed = swapped, --word.rounds;
    }
    ++warp.rounds;
    warp.ready = swapped + round - device_.cas_hold_cycles;
    busy(Bound::waiting) += warp.ready - time;
    const bool is_done = std::ranges::all_of(warp.words, [](const Step& word) { return word.rounds == 0; });
    if (!is_done || warp.rounds < step.rounds) return;
    warp.words.clear();
    advance(warp);
    while ((*warp.steps)[warp.next].kind == StepKind::shared_cas_word) advance(warp);
    count_under_way(warp, step);
  }

  void exchange(Warp& warp, double time, double cycles, double latency) {
    const double done = serve(adu_free_, time, cycles, Bound::exchanges);
    warp.loads.add(done + latency);
  }

  // When that is there which a load asks L2 for at `time`.
  double come(const Warp& warp, const Step& step, double time) {
    const double from_dram_at = time + dram_.latency(time, step, warp.sectors, busy_slices_, atomics_free_);
    const auto brought = places_[warp.block].pieces.brought(step, from_dram_at);
    return brought ? std::max(time + device_.l2_latency, *brought) : from_dram_at;
  }

  void atomic(Warp& warp, const Step& step, double time) {
    const double sent = serve(sender_free_, time, device_.atomic_request_cycles, Bound::atomics);
    // What the other multiprocessors ask for meanwhile comes in between.
    const bool common = step.kind == StepKind::global_atomic_common;
    const double own = device_.private_request_cycles + step.cost * setting_.own_turn_cycles +
                       (step.sectors > 0 ? setting_.own_miss_cycles : 0);
    const double turns =
        (step.cost - step.full_turns) * device_.turn_cycles + step.full_turns * device_.full_turn_cycles;
    const double cycles = common ? turns / setting_.common_slices : own;
    busy_slices_ = common ? setting_.common_busy_slices : setting_.own_busy_slices;
    // One queue for both: a request behind others that want a busy slice waits too.
    const double done = serve(atomics_free_, sent, cycles * setting_.active, Bound::atomics);
    warp.ready = std::max(warp.ready, done - atomic_queue_cycles);
  }

  void arrive(std::size_t slot, double time) {
    Place& place = places_[warps_[slot].block];
    warps_[slot].ready = never;
    warps_[slot].arrived = time;
    adu_free_ = std::max(adu_free_, time) + device_.barrier_cycles_of_warp;
    place.counted = adu_free_;
    if (++place.at_barrier == place.running) release(place, time);
  }

  void release(Place& place, double time) {
    if (place.at_barrier == 0) return;
    const double on = std::max(place.counted, time) + device_.barrier_cycles;
    place.at_barrier = 0;
    for (const std::size_t slot : place.warps) {
      if (warps_[slot].ready != never) continue;
      busy(Bound::barrier) += on - warps_[slot].arrived;
      warps_[slot].ready = on;
    }
  }

  void end_warp(std::size_t scheduler, std::size_t slot, double time) {
    Place& place = places_[warps_[slot].block];
    warp_cycles_ += time - begin_of_[slot % most_slots];
    end_ = std::max(end_, time);
    std::erase(schedulers_[scheduler], slot);
    std::erase(place.warps, slot);
    const std::size_t at = warps_[slot].block;
    unused_.push_back(slot);
    --place.running;
    if (place.running == 0) return start_block(at, time + device_.block_end_cycles);
    if (place.at_barrier == place.running) release(place, time);
  }

  static constexpr std::size_t most_slots = 256;
  const std::vector<BlockSteps>& blocks_;
  const Device& device_;
  const Setting& setting_;
  const InstructionTable& table_;
  const Loops& loops_;
  std::vector<Warp> warps_;
  std::vector<std::size_t> unused_;
  std::vector<std::vector<std::size_t>> schedulers_;  // their warps
  std::vector<double> free_;
  std::vector<Place> places_;
  std::vector<std::vector<unsigned>> wanting_;  // loads_by_piece(), by block
  std::array<double, most_slots> begin_of_{};
  unsigned started_ = 0;
  std::uint64_t issues_ = 0;
  double next_start_ = 0, end_ = 0, warp_cycles_ = 0;
  double busy_slices_ = 0;  // with the atomics that were sent last
  double l1_free_ = 0, adu_free_ = 0, sender_free_ = 0, atomics_free_ = 0;
  Dram dram_;
  Course course_;
};

}  // namespace

Course simulate(const std::vector<BlockSteps>& blocks, const Device& device, const Setting& setting,
                const InstructionTable& table, const Loops& loops) {
  return Multiprocessor(blocks, device, setting, table, loops).run();
}

}  // namespace model
