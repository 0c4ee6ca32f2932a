// SPDX-License-Identifier: MIT
#include "model/stream_observer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/cas_loop.hpp"

namespace model {

using simulator::AccessKind;
using simulator::for_each_lane;
using simulator::Space;
using simulator::WarpAccess;

namespace {

constexpr std::uintptr_t line_bytes = 128, sector_bytes = 32, word_bytes = 4;
constexpr std::size_t banks = 32;
constexpr std::size_t lines_of_a_cycle = 4;   // that L1 looks for
constexpr std::uintptr_t lines_of_piece = 2;  // neighbouring ones that are in the same slice of L2
// A block's part of L1, in sectors: 128 KiB.
constexpr std::size_t touched_sectors = 4096;
// An unrolled loop reaches so far from one address by the offsets in its instructions.
constexpr std::uintptr_t near_bytes = 64;
// DRAM is read in pieces of two sectors.
constexpr std::uintptr_t piece_bytes = 64;
// A warp that asks for both sectors of a piece, one by one, has them together if no more lines lie between.
constexpr unsigned lines_between = 32;
constexpr unsigned blocks_of_turn = 2;  // basic blocks: a loop's body, and at most one more
constexpr std::size_t most_places = std::numeric_limits<std::uint8_t>::max();

template <class Number = std::uint8_t>
Number clipped(std::size_t number) {
  return static_cast<Number>(std::min<std::size_t>(number, std::numeric_limits<Number>::max()));
}

// The pieces of that size that a warp's lanes touch, each once.
template <std::uintptr_t piece_bytes>
std::vector<std::uintptr_t> pieces(const WarpAccess& access) {
  std::vector<std::uintptr_t> all;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uintptr_t first = access.address(lane) / piece_bytes,
                         last = (access.address(lane) + access.size - 1) / piece_bytes;
    for (std::uintptr_t piece = first; piece <= last; ++piece) {
      if (all.empty() || all.back() != piece) all.push_back(piece);
    }
  });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// L1 has the banks of shared memory, with which it is one: words of a line lie side by side, so two lines
// have all banks in common.
std::size_t most_words_of_a_bank(const WarpAccess& access) {
  std::array<std::size_t, banks> words{};
  for (const std::uintptr_t word : pieces<word_bytes>(access)) ++words[word % banks];
  return *std::ranges::max_element(words);
}

// How many of the first blocks may do what no other does: the copies that they count in lie beside the
// result.
std::uint64_t first_blocks(const Stream& stream) { return stream.grid * 3 / 8; }

}  // namespace

void StreamObserver::block_begins(const simulator::BlockContext& block) {
  const unsigned threads = block.extent.x * block.extent.y * block.extent.z;
  const unsigned warps = (threads + simulator::ModelDevice::lanes - 1) / simulator::ModelDevice::lanes;
  stream_.grid = block.grid.x * block.grid.y * block.grid.z;
  stream_.block = threads;
  stream_.blocks.emplace_back().warps.resize(warps);
  entered_.assign(warps, {});
  in_counted_loop_.assign(warps, false);
  last_.assign(warps, {});
  last_shared_.assign(warps, {});
  asked_.assign(warps, {});
  constants_.assign(warps, {});
  ways_.assign(warps, {});
  halves_.clear();
  numbered_halves_ = 0;
  touched_.assign(touched_sectors, 0);
}

void StreamObserver::put(unsigned warp, Step step) {
  if (step.kind != StepKind::global_load && step.kind != StepKind::shared_load) asked_[warp] = {};
  if (++stream_.made_steps > most_stream_steps) return;
  const Entered before = std::exchange(entered_[warp], {});
  step.entered = clipped(before.blocks);
  step.folded = std::min(clipped(before.folded), step.entered);
  step.branches = clipped(before.branches);
  step.divisions = clipped(before.divisions);
  step.jumps = clipped(before.jumps);
  step.ways = clipped(before.ways);
  step.arithmetic = clipped<std::uint16_t>(before.arithmetic);
  stream_.blocks.back().warps[warp].push_back(step);
}

void StreamObserver::put(unsigned warp, std::uint32_t place, Step step) {
  step.place = static_cast<std::uint8_t>(place % most_places + 1);
  put(warp, step);
}

void StreamObserver::block_entered(unsigned warp, unsigned lanes, std::uint32_t place) {
  ++stream_.entered_blocks;
  stream_.parted_blocks += lanes != ~0u;
  stream_.went_both_ways += ways_[warp].enter(lanes);
  const auto [known, is_new] = contents_.try_emplace(place);
  if (is_new) known->second = simulator::contents_of_block(place);
  Entered& sum = entered_[warp];
  ++sum.blocks;
  sum.folded += known->second.goes_on;
  sum.arithmetic += known->second.arithmetic;
  sum.branches += known->second.branches;
  sum.divisions += known->second.divisions;
  sum.jumps += known->second.jumps;
  sum.ways += known->second.is_way;
  in_counted_loop_[warp] = known->second.is_counted;
}

// Whether the address has to be worked out anew: it is neither near the last one of this place nor of its
// neighbour's, from which an unrolled loop would reach it.
bool StreamObserver::moved_far(const WarpAccess& access) {
  const std::uintptr_t address = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  const std::uintptr_t before = std::exchange(last_[access.warp][access.place].address, address);
  const std::uintptr_t moved = address > before ? address - before : before - address;
  return before == 0 || moved > near_bytes;
}

// Whether a load of words continues the same 16 bytes of the last one, for each lane, with nothing but a
// loop's turn in between.
bool StreamObserver::joins(const WarpAccess& access) {
  constexpr std::uintptr_t widest_load = 16;
  LastShared& last = last_shared_[access.warp];
  bool joins = access.kind == AccessKind::load && access.size >= word_bytes && last.place == access.place &&
               last.lanes == access.lanes && last.size == access.size &&
               entered_[access.warp].blocks <= blocks_of_turn;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uintptr_t before = std::exchange(last.addresses[lane], access.address(lane));
    joins = joins && access.address(lane) == before + access.size &&
            access.address(lane) / widest_load == before / widest_load;
  });
  last.place = access.kind == AccessKind::load ? access.place : 0;
  last.lanes = access.lanes;
  last.size = access.size;
  return joins;
}

bool StreamObserver::touch(std::uintptr_t sector) {
  return std::exchange(touched_[sector % touched_sectors], sector) != sector;
}

// How many of the sectors, which the block has not touched lately, come from DRAM alone or with another one.
int StreamObserver::half_pieces(const WarpAccess& access, const std::vector<std::uintptr_t>& fresh,
                                std::size_t lines) {
  Asked& asked = asked_[access.warp];
  if (entered_[access.warp].blocks > 1) asked = {};
  std::erase_if(asked.pieces,
                [&](const Asked::Piece& one) { return asked.lines - one.lines > lines_between; });
  int halves = 0;
  for (auto sector = fresh.begin(); sector != fresh.end(); ++sector) {
    const std::uintptr_t piece = *sector / (piece_bytes / sector_bytes);
    if (sector + 1 != fresh.end() && *(sector + 1) / (piece_bytes / sector_bytes) == piece) {
      ++sector;
    } else if (std::erase_if(asked.pieces, [&](const Asked::Piece& one) { return one.number == piece; }) >
               0) {
      --halves;
    } else {
      ++halves;
      asked.pieces.push_back({piece, asked.lines});
    }
  }
  asked.lines += static_cast<unsigned>(lines);
  return halves;
}

// Gives the step, if it wants nothing but single sectors whose pieces the block has wanted before, a number
// in common with the load that has wanted the last one's.
void StreamObserver::find_other_half(unsigned warp, const std::vector<std::uintptr_t>& fresh, Step& step) {
  const auto piece_of = [](std::uintptr_t sector) { return sector / (piece_bytes / sector_bytes); };
  const auto are_of_one = [&](std::uintptr_t one, std::uintptr_t other) {
    return piece_of(one) == piece_of(other);
  };
  if (fresh.empty() || std::ranges::adjacent_find(fresh, are_of_one) != fresh.end()) return;
  std::vector<WarpSteps>& warps = stream_.blocks.back().warps;
  std::optional<HalfAsked> last;
  bool all = true;
  for (const std::uintptr_t sector : fresh) {
    const auto [half, is_first] = halves_.try_emplace(piece_of(sector), HalfAsked{warp, warps[warp].size()});
    all &= !is_first;
    if (is_first) continue;
    last = half->second;
    halves_.erase(half);
  }
  if (!all || numbered_halves_ == std::numeric_limits<std::uint16_t>::max()) return;
  Step& other = warps[last->warp][last->step];
  if (other.half_of == 0) other.half_of = ++numbered_halves_;
  step.half_of = other.half_of;
}

Step StreamObserver::global_load(const WarpAccess& access) {
  std::vector<std::uintptr_t> fresh = pieces<sector_bytes>(access);
  std::erase_if(fresh, [&](std::uintptr_t sector) { return !touch(sector); });
  const std::size_t lines = pieces<line_bytes>(access).size();
  // What L1 does not hold comes line by line.
  std::set<std::uintptr_t> missed;
  for (const std::uintptr_t sector : fresh) missed.insert(sector / (line_bytes / sector_bytes));
  const std::size_t looked_for = (lines + lines_of_a_cycle - 1) / lines_of_a_cycle,
                    cost = std::max({most_words_of_a_bank(access), looked_for, missed.size()});
  Step step{.kind = StepKind::global_load,
            .computed = moved_far(access),
            .in_counted_loop = in_counted_loop_[access.warp],
            .bytes = static_cast<std::uint8_t>(access.size),
            .cost = clipped<std::uint16_t>(cost),
            .sectors = clipped(fresh.size()),
            .lines = clipped(lines),
            .half_pieces = static_cast<std::int8_t>(half_pieces(access, fresh, lines))};
  find_other_half(access.warp, fresh, step);
  return step;
}

Step StreamObserver::global_atomic(const WarpAccess& access) {
  std::vector<std::uintptr_t> addresses;
  for_each_lane(access.lanes, [&](unsigned lane) { addresses.push_back(access.address(lane)); });
  // One lane makes it for all that have the same place.
  if (access.kind == AccessKind::atomic_reduction)
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  const std::vector<std::uintptr_t> touched = pieces<line_bytes>(access);
  std::size_t fresh = 0;
  for (const std::uintptr_t sector : pieces<sector_bytes>(access)) fresh += changed_.insert(sector).second;
  const std::uint64_t block = stream_.blocks.size();
  for (const std::uintptr_t line : touched) {
    std::vector<std::uintptr_t> of_line;
    for (const std::uintptr_t address : addresses) {
      if (address / line_bytes == line) of_line.push_back(address);
    }
    Line& entry = lines_[line];
    if (std::exchange(entry.last_block, block) != block) ++entry.blocks;
    atomics_.push_back({static_cast<std::uint32_t>(block - 1), access.warp,
                        static_cast<std::uint32_t>(stream_.blocks.back().warps[access.warp].size()),
                        access.place, sector_turns(of_line, access.size).all, line});
  }
  const SectorTurns turns = sector_turns(addresses, access.size);
  return {.kind = StepKind::global_atomic,
          .computed = moved_far(access),
          .cost = clipped<std::uint16_t>(turns.all),
          .sectors = clipped(fresh),
          .full_turns = clipped(turns.full)};
}

// Constants do not change. So what a loop loads in each turn a compiler loads once, as long as there are
// registers.
bool StreamObserver::is_in_registers(const WarpAccess& access) {
  constexpr std::size_t registers = 16;
  Addresses addresses{};
  for_each_lane(access.lanes, [&](unsigned lane) { addresses[lane] = access.address(lane); });
  std::vector<Addresses>& known = constants_[access.warp][access.place];
  if (std::ranges::count(known, addresses) > 0) return true;
  if (known.size() == registers) known.erase(known.begin());
  known.push_back(addresses);
  return false;
}

// One place for all lanes mostly is a part of the instruction that uses it. Else one place after the other is
// served, also of two in one word.
void StreamObserver::constant_load(const WarpAccess& access) {
  if (is_in_registers(access)) return;
  std::set<std::uintptr_t> places;
  for_each_lane(access.lanes, [&](unsigned lane) { places.insert(access.address(lane)); });
  if (places.size() > 1)
    put(access.warp, access.place,
        {.kind = StepKind::constant_load, .cost = clipped<std::uint16_t>(places.size())});
}

void StreamObserver::put_cas_loop(const WarpAccess& access) {
  last_shared_[access.warp].place = 0;
  const simulator::CasLoop loop = simulator::cas_loop_of(access);
  if (loop.swaps == 0)
    return put(access.warp, access.place,
               {.kind = StepKind::shared_load, .cost = clipped<std::uint16_t>(loop.load_wavefronts)});
  put(access.warp, access.place,
      {.kind = StepKind::shared_cas_loop,
       .bytes = static_cast<std::uint8_t>(access.size),
       .cost = clipped<std::uint16_t>(loop.load_wavefronts + loop.swap_wavefronts),
       .rounds = clipped(loop.swaps)});
  for (const simulator::CasLoop::Word& word : loop.words) {
    put(access.warp, {.kind = StepKind::shared_cas_word,
                      .rounds = clipped(word.changes),
                      .word = static_cast<std::uint8_t>(word.address / access.size)});
  }
}

void StreamObserver::issued(const WarpAccess& access) {
  stream_.accessed_on_both_ways += ways_[access.warp].access();
  if (is_too_long()) return put(access.warp, {});
  if (access.space != Space::shared) last_shared_[access.warp].place = 0;
  if (access.space == Space::shared) {
    if (access.kind == AccessKind::cas_loop || access.kind == AccessKind::cas_loop_if_changed)
      return put_cas_loop(access);
    const auto cost = clipped<std::uint16_t>(simulator::wavefronts(access));
    const StepKind kind = access.kind == AccessKind::load               ? StepKind::shared_load
                          : access.kind == AccessKind::store            ? StepKind::shared_store
                          : access.kind == AccessKind::atomic_increment ? StepKind::shared_increment
                          : is_swap(access.kind)                        ? StepKind::shared_exchange
                                                                        : StepKind::shared_atomic;
    return put(access.warp, access.place, {.kind = kind, .joins = joins(access), .cost = cost});
  }
  if (access.kind == AccessKind::load) return put(access.warp, access.place, global_load(access));
  if (access.kind == AccessKind::store) {
    return put(access.warp, access.place,
               {.kind = StepKind::global_store,
                .computed = moved_far(access),
                .bytes = static_cast<std::uint8_t>(access.size),
                .cost = clipped<std::uint16_t>(pieces<line_bytes>(access).size()),
                .sectors = clipped(simulator::sectors(access))});
  }
  Step step = global_atomic(access);
  if (is_swap(access.kind)) step.kind = StepKind::global_exchange;
  put(access.warp, access.place, step);
}

void StreamObserver::block_barrier(std::uint32_t place) {
  IssuedAccesses::block_barrier(place);
  for (unsigned warp = 0; warp < entered_.size(); ++warp) put(warp, {.kind = StepKind::block_barrier});
}

void StreamObserver::exchanged(const simulator::WarpExchange& exchange) {
  constexpr unsigned bytes_of_register = 4;
  const auto step = [&]() -> Step {
    switch (exchange.kind) {
      case simulator::ExchangeKind::shuffle:
        return {.kind = StepKind::shuffle,
                .cost = clipped<std::uint16_t>(exchange.bytes > bytes_of_register ? 2 : 1)};
      case simulator::ExchangeKind::vote:
        return {.kind = StepKind::vote, .cost = 1};
      case simulator::ExchangeKind::match:
        return {.kind = StepKind::match, .cost = clipped<std::uint16_t>(exchange.different)};
      default:
        return {.kind = StepKind::redux, .cost = 1};
    }
  };
  put(exchange.warp, exchange.place, step());
}

void StreamObserver::block_ends() {
  IssuedAccesses::block_ends();
  for (unsigned warp = 0; warp < entered_.size(); ++warp) put(warp, {.kind = StepKind::warp_ends});
}

// Nearly all blocks that have any work change it: a copy for each block may be smaller than a line, and then
// a few neighbours share one.
bool StreamObserver::is_common(const Line& line) const {
  constexpr std::uint64_t part = 2;
  return line.blocks > 1 && line.blocks * part >= most_blocks_;
}

// Of a copy that begins within a line, the ends are its neighbours' too.
bool StreamObserver::is_mostly_common(std::span<const AtomicOf> of_step) const {
  unsigned all = 0, common = 0;
  for (const AtomicOf& atomic : of_step) {
    all += atomic.turns;
    if (is_common(lines_.at(atomic.line))) common += atomic.turns;
  }
  return 2 * common > all;
}

// Where blocks change what all change, and not just a copy of their own that lies beside it.
std::set<std::uint32_t> StreamObserver::common_places() const {
  std::set<std::uint32_t> all, common;
  for (const AtomicOf& atomic : atomics_) {
    const bool counts = is_common(lines_.at(atomic.line));
    if (counts) all.insert(atomic.place);
    if (counts && atomic.block >= first_blocks(stream_)) common.insert(atomic.place);
  }
  return common.empty() ? all : common;
}

Stream StreamObserver::take() {
  if (is_too_long()) {
    stream_.blocks.clear();
    return std::move(stream_);
  }
  for (const auto& [address, line] : lines_) most_blocks_ = std::max(most_blocks_, line.blocks);
  const std::set<std::uint32_t> places = common_places();
  const auto are_of_one = [](const AtomicOf& one, const AtomicOf& other) {
    return std::tie(one.block, one.warp, one.step) == std::tie(other.block, other.warp, other.step);
  };
  for (auto begin = atomics_.begin(); begin != atomics_.end();) {
    const auto end =
        std::find_if_not(begin, atomics_.end(), [&](const AtomicOf& one) { return are_of_one(*begin, one); });
    const std::span<const AtomicOf> of_step(begin, end);
    begin = end;
    if (!places.contains(of_step.front().place) || !is_mostly_common(of_step)) continue;
    for (const AtomicOf& atomic : of_step) {
      if (Line& line = lines_.at(atomic.line); is_common(line)) line.turns += atomic.turns;
    }
    const AtomicOf& first = of_step.front();
    Step& step = stream_.blocks[first.block].warps[first.warp][first.step];
    if (step.kind == StepKind::global_atomic) step.kind = StepKind::global_atomic_common;
  }
  std::set<std::uintptr_t> own_pieces;
  for (const auto& [address, line] : lines_) {
    if (line.turns > 0) {
      ++stream_.common_lines;
      stream_.common_turns += line.turns;
      stream_.busiest_turns = std::max(stream_.busiest_turns, line.turns);
    } else {
      own_pieces.insert(address / lines_of_piece);
    }
  }
  stream_.own_pieces = own_pieces.size();
  return std::move(stream_);
}

}  // namespace model
