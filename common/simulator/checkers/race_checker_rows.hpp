// SPDX-License-Identifier: MIT
// What the race checker does for most accesses of whole words, in short: where a row's words lie in one
// array, whose cells are looked up once, and a glance at a word's state tells that nothing before conflicts.
// Each function returns the lanes for whose words more is to be done (word_access()). A part of
// race_checker.cpp, which alone includes it: all of this is inlined into its loops over lanes.
#pragma once

#include "simulator/checkers/race_checker_atomics.hpp"

namespace simulator {

// The words of an array, and their cells.
struct RaceChecker::Words {
  std::uintptr_t begin = 0, bytes = 0;
  Mark* reads = nullptr;
  Mark* writes = nullptr;
  Atomics* atomics = nullptr;
  std::uint32_t* states = nullptr;
  WordValue* values = nullptr;
  PlainWord* plain = nullptr;
};

// Of the array in which the first lane's word lies; without bytes where that is none. What other words of it
// than the first need and that one does not is left out: cells take addresses, if no memory.
template <RaceChecker::Kind kind>
inline RaceChecker::Words RaceChecker::words_of(const WarpAccess& access) {
  const std::uintptr_t address = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  const Mark* const read = reads_.find(address);
  if (!read) return {};
  const auto cells = [address](auto& shadow, bool are_needed) {
    if (are_needed) shadow.find(address);
    return are_needed ? shadow.last().cells : nullptr;
  };
  const bool has_state = shared_ || kind == Kind::atomic || read->has_atomics;
  return {reads_.last().begin,
          reads_.last().bytes,
          reads_.last().cells,
          cells(writes_, shared_),
          cells(atomics_, has_state),
          cells(states_, has_state),
          cells(values_, kind == Kind::store),
          cells(plain_, kind == Kind::load && !shared_ && !plain_.is_empty())};
}

// Of these lanes, those for which this is false: is_done(lane, word, mark) with the number of the lane's word
// in the array; mark() is what is to be remembered of the access.
template <class IsDone>
[[gnu::always_inline]] inline unsigned RaceChecker::lanes_left(const WarpAccess& access, unsigned lanes,
                                                               const Words& words, CommonPart common,
                                                               IsDone is_done) {
  const std::uintptr_t* const addresses = access.operands->address.data();
  LanePart own, next;
  own.bytes = whole_word;
  own.thread = access.warp * ModelDevice::lanes & (most_threads - 1);
  next.thread = 1;
  const auto of_first_lane = std::bit_cast<std::uint32_t>(own),
             lane_step = std::bit_cast<std::uint32_t>(next);
  const auto common_number = std::bit_cast<std::uint64_t>(common);
  unsigned left = 0;
  const auto look_at = [&](unsigned lane) {
    const std::uintptr_t offset = addresses[lane] - words.begin;
    const auto mark = [=] { return PackedMark{common_number, of_first_lane + lane * lane_step}; };
    if (offset >= words.bytes || !is_done(lane, offset / shadow_word_bytes, mark)) left |= 1u << lane;
  };
  if (lanes == ~0u) {
    for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) look_at(lane);
  } else {
    for_each_lane(lanes, look_at);
  }
  return left;
}

inline void RaceChecker::find_atomics(Words& words, std::uintptr_t address) {
  atomics_.find(address), states_.find(address);
  words.atomics = atomics_.last().cells;
  words.states = states_.last().cells;
}

// The first access to a word of shared memory in an interval conflicts with nothing. This is what
// remember_write() and remember_value() do for whole words.
inline unsigned RaceChecker::lanes_behind_first_stores(const WarpAccess& access, CommonPart common) {
  const Words words = words_of<Kind::store>(access);
  const std::uint32_t epoch = epoch_, now = touched_state();
  const auto store_at = [&access, words, epoch, now](unsigned lane, std::size_t word, auto mark) {
    if (words.states[word] >> epoch_shift == epoch) return false;
    const StoredValue& stored = access.stored(lane);
    WordValue& value = words.values[word];
    if (stored.known) std::memcpy(value.bytes.data(), stored.bytes.data(), shadow_word_bytes);
    value.known = stored.known ? whole_word : 0;
    words.states[word] = now;
    words.reads[word].has_write = 1;
    mark().put(words.writes[word]);
    return true;
  };
  return lanes_left(access, access.lanes, words, common, store_at);
}

// What remember_read() does, or where nothing is known of a word of global memory but, before this interval,
// atomics of this block.
template <bool shared>
inline unsigned RaceChecker::lanes_behind_first_loads(const WarpAccess& access, CommonPart common) {
  Words words = words_of<Kind::load>(access);
  CommonPart kept, atomics_alone, looked_at;
  kept.has_cell = kept.has_write = kept.has_atomics = kept.has_further = 1;
  atomics_alone.has_cell = atomics_alone.has_atomics = 1;
  looked_at = kept;
  looked_at.has_more = 1;
  const auto kept_bits = std::bit_cast<std::uint64_t>(kept),
             looked_at_bits = std::bit_cast<std::uint64_t>(looked_at),
             of_atomics = std::bit_cast<std::uint64_t>(atomics_alone);
  const std::uint32_t epoch = epoch_, now = touched_state();
  const Range plain_taken = plain_.taken();
  std::uint32_t number = 0;
  const auto can_number = [&] { return number != 0 || (number = number_of(common)) != 0; };
  const auto thread_of = [&access](unsigned lane) {
    return (access.warp * ModelDevice::lanes + lane) & (most_threads - 1);
  };
  const auto load_at = [&, kept_bits, looked_at_bits, of_atomics, epoch, now](unsigned lane, std::size_t word,
                                                                              auto mark_of_lane) {
    Mark& read = words.reads[word];
    const std::uint64_t before = PackedMark::common_of(read);
    if (shared) {
      if (words.states[word] >> epoch_shift == epoch) return false;
      words.states[word] = now;
    } else if (words.plain && words.plain[word].was_changed()) {
      return can_number() && reads_plain_word(words.plain[word], number | thread_of(lane));
    } else if (const bool is_first = PackedMark::epoch_of(before) == 0;
               is_first && (before & looked_at_bits) == of_atomics) {
      if (!words.states) find_atomics(words, access.address(lane));
      const auto& [latest, second] = words.atomics[word];
      if (!is_settled(latest) || !is_settled(second)) return false;
      words.states[word] = now;  // it is not the first thing that happens there
    } else if (is_first && !read.has_cell) {
      if (words.plain && words.plain[word].was_read()) return false;
      const std::uintptr_t address = access.address(lane);
      if (words.plain && address - plain_taken.begin < plain_taken.bytes && can_number()) {
        words.plain[word].set_read_alone(number | thread_of(lane));
        return true;
      }
      remembered_bytes_ += reads_.take(address);
    } else {
      return false;
    }
    PackedMark mark = mark_of_lane();
    mark.common |= before & kept_bits;
    mark.put(read);
    return true;
  };
  return lanes_left(access, access.lanes, words, common, load_at);
}

// Of those of a few of the interval's last accesses, or a new one; 0: there are as many as there may be.
inline std::uint32_t RaceChecker::number_of(CommonPart common) {
  constexpr std::size_t looked_at = 8;
  const auto number = std::bit_cast<std::uint64_t>(common);
  const std::size_t first = (first_of_interval_ >> thread_bits) - 1;
  for (std::size_t i = numbered_.size(); i > first && i + looked_at > numbered_.size(); --i) {
    if (numbered_[i - 1] == number) return static_cast<std::uint32_t>(i) << thread_bits;
  }
  if (numbered_.size() >= bounds_.numbers) return 0;
  numbered_.push_back(number);
  remembered_bytes_ += sizeof number;
  return static_cast<std::uint32_t>(numbered_.size()) << thread_bits;
}

// The same as lanes_behind_first_loads() does for full cells, of a word that was changed.
inline bool RaceChecker::reads_plain_word(PlainWord& word, std::uint32_t now) const {
  const auto is_settled = [&](std::uint32_t atomic) {
    return atomic == 0 || (atomic < first_of_interval_ && atomic >= first_of_block_);
  };
  return !word.was_read() && is_settled(word.latest()) && is_settled(word.second()) && word.add_read(now);
}

// What replace_atomic() does for words of which nothing else is known, or nothing at all.
inline unsigned RaceChecker::lanes_behind_plain_words(const WarpAccess& access, CommonPart common) {
  const std::uintptr_t address = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  const std::uint32_t number = number_of(common);
  if (!plain_.find(address) || !reads_.find(address)) return access.lanes;
  if (number == 0) {
    for_each_lane(access.lanes, [&](unsigned lane) { make_full(access.address(lane)); });
    return access.lanes;
  }
  const Words words{.begin = plain_.last().begin,
                    .bytes = plain_.last().bytes,
                    .reads = reads_.last().cells,
                    .plain = plain_.last().cells};
  const std::uint32_t of_first_lane = number | (access.warp * ModelDevice::lanes & (most_threads - 1)),
                      of_interval = first_of_interval_, of_block = first_of_block_;
  constexpr std::uint32_t threads = most_threads - 1, warps = threads & ~(ModelDevice::lanes - 1);
  Range taken = plain_.taken();
  const auto atomic_at = [&, words, of_first_lane, of_interval, of_block](unsigned lane, std::size_t word,
                                                                          auto) {
    PlainWord& plain = words.plain[word];
    if (plain.was_read()) {
      make_full(access.address(lane), plain);
      return false;
    }
    const std::uint32_t now = of_first_lane + lane, latest = plain.latest(), second = plain.second();
    if (latest == 0) {
      if (words.reads[word].epoch != 0 || words.reads[word].has_cell) return false;
      if (const std::uintptr_t address = access.address(lane); address - taken.begin >= taken.bytes) {
        remembered_bytes_ += plain_.take(address);
        taken = plain_.taken();
      }
      plain.set_atomics(now, 0);
      return true;
    }
    const bool are_of_interval = latest >= of_interval && second >= of_interval;
    if (are_of_interval && ((latest ^ second) & warps)) return true;  // it is quiet
    // (Two of this interval are of one warp: the second one is not kept.)
    const bool is_kept = latest >= of_block && !((latest ^ now) & threads);
    plain.set_atomics(now, is_kept ? second : latest);
    return true;
  };
  return lanes_left(access, access.lanes, words, common, atomic_at);
}

// Of these lanes, those whose words are not quiet in this interval; where it takes longer to tell, all.
// Without a branch for each lane: which words are quiet is anyone's guess.
inline unsigned RaceChecker::lanes_of_loud_words(const WarpAccess& access, unsigned lanes,
                                                 const Words& words) const {
  const std::uintptr_t offset = access.array.begin - words.begin;
  if (access.array.bytes == 0 || offset >= words.bytes || access.array.bytes > words.bytes - offset)
    return lanes;
  const std::uint32_t quiet_now = touched_state() | quiet | plain_alone;
  unsigned loud = 0;
  const auto look_at = [&](unsigned lane) {
    const std::uint32_t state = words.states[(access.address(lane) - words.begin) / shadow_word_bytes];
    loud |= static_cast<unsigned>((state | plain_alone) != quiet_now) << lane;
  };
  if (lanes != ~0u) {
    for_each_lane(lanes, look_at);
  } else {
    for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) look_at(lane);
  }
  return loud;
}

// What remember_atomic() does where all atomics on a word are plain, or this is the first access to it.
template <bool shared>
inline unsigned RaceChecker::lanes_behind_plain_atomics(const WarpAccess& access, unsigned lanes,
                                                        CommonPart common) {
  const Words words = words_of<Kind::atomic>(access);
  const std::uint32_t epoch = epoch_, now = touched_state();
  Range taken = taken_for_atomics();
  const auto atomic_at = [&, words, epoch, now](unsigned lane, std::size_t word, auto mark) {
    const std::uint32_t state = words.states[word];
    if ((state & ~plain_alone) == (now | quiet)) return true;
    Mark& read = words.reads[word];
    if (!shared && state == 0) {
      if (read.epoch != 0 || read.has_cell) return false;
      const std::uintptr_t address = access.address(lane);
      if (address - taken.begin >= taken.bytes) {
        remembered_bytes_ += reads_.take(address) + states_.take(address) + atomics_.take(address);
        taken = taken_for_atomics();
      }
      read.has_cell = read.has_atomics = 1;
      mark().put(words.atomics[word][0]);
      words.states[word] = now | plain_alone;
      return true;
    }
    const bool is_first = state >> epoch_shift != epoch;  // in this interval
    if (!(shared && is_first)) {
      if (!(state & plain_alone)) return false;
    } else {
      if (read.has_more || (read.has_write && may_be_changed(words.writes[word]))) return false;
      read.has_atomics = 1;
    }
    const bool of_two_warps = replace_plain_atomic(words.atomics[word], mark(), is_first);
    words.states[word] = now | plain_alone | (of_two_warps ? quiet : 0);
    return true;
  };
  const bool has_cells = words.bytes != 0;
  return lanes_left(access, has_cells ? lanes_of_loud_words(access, lanes, words) : lanes, words, common,
                    atomic_at);
}

// The words whose cells of these kinds all take no more memory than they did so far.
inline Range RaceChecker::taken_for_atomics() const {
  Range all = reads_.taken();
  for (const Range& taken : {states_.taken(), atomics_.taken()}) {
    const std::uintptr_t begin = std::max(all.begin, taken.begin),
                         end = std::min(all.begin + all.bytes, taken.begin + taken.bytes);
    all = {begin, end > begin ? end - begin : 0};
  }
  return all;
}

}  // namespace simulator
