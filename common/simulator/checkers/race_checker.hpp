// SPDX-License-Identifier: MIT
// Finds data races: two accesses to the same byte by different threads, at least one of them a write, and
// nothing that orders them, unless both are strong: atomic or volatile, and meant for a set of threads that
// both are of. What orders two accesses:
//
//   within a block        a barrier of the block between them
//   within a warp         also a __syncwarp in which both lanes take part, directly or through other lanes
//   anywhere              fences with strong accesses to one word (synchronisation.hpp): the "last block"
//   pattern, locks,
//                         flags
//
// Strong accesses of different sizes are not atomic for each other.
//
// The order in which the simulator happened to run the threads plays no other part. Votes and shuffles order
// nothing. Strong accesses are a race too where a store depends on a load of the same word and another thread
// changes it: a lost update.
//
// For each word the last accesses are kept: the last plain write (of each byte, if threads share a word), the
// last atomics or strong stores of two threads, two reads by different threads of the block that runs (and of
// each byte, if threads share a word), and one by another block. Where fences order threads one by one, a
// read by each further warp is kept too: whoever writes may have waited for some of the readers only. Many
// words are only ever read, by one thread or in one instruction: for those that read is enough to remember,
// until something else happens to them. Of an array that nobody may write, as a launch's input, nothing is
// remembered. Epochs tell intervals between barriers apart: they are counted through the whole launch, so an
// epoch also tells in which block an access was made.
//
// A launch may touch more words than any cache holds, and new memory for what is remembered of them takes
// longer than the checks. So a word takes no more of it than it needs: reads, writes and atomics are kept
// apart, and the word's read tells which of the others there are.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/checkers/shadow.hpp"
#include "simulator/guards.hpp"
#include "simulator/hazards.hpp"
#include "simulator/observer.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

// How far the race checker remembers, so that a launch's memory does not grow with its grid.
struct RaceBounds {
  // Of memory about the words of global memory. Where more is taken, all of it is forgotten before the next
  // block begins or the next barrier of the block ends.
  std::size_t remembered_bytes = std::size_t{384} << 20;
  // Strong accesses of blocks that fence: from the next one on nothing is said between blocks any more.
  std::uint64_t meetings = Synchronisation::most_meetings;
  // Barriers and blocks of a launch: from then on nothing is said any more.
  std::uint32_t intervals = (1u << 28) - 1;
  // Accesses that are numbered (RaceChecker::PlainWord); from then on words take more memory.
  std::uint32_t numbers = (1u << 21) - 1;
};

class RaceChecker final : public Observer {
 public:
  explicit RaceChecker(Hazards& hazards, RaceBounds bounds = {}) : hazards_(hazards), bounds_(bounds) {}

  void block_begins(const BlockContext& block) override;
  void access(const WarpAccess& access) override;
  void block_barrier(std::uint32_t place) override;
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void fence(unsigned thread) override;
  // Whether anyone has written to these bytes of global memory in the launch, as far as is remembered.
  bool has_changed(std::uintptr_t address, std::size_t bytes);

 private:
  static constexpr unsigned most_threads = ModelDevice::threads_of_block;
  static constexpr std::uint8_t whole_word = (1u << shadow_word_bytes) - 1;

  // How the lanes of one instruction share the bytes of a word that they read: each the same bytes, or a byte
  // or two each, in their order. Of a strong store: that it is one.
  enum Detail : std::uint8_t { whole, byte_each, two_bytes_each, strong_store };

  // Of an access as it is remembered, what its lanes have in common; epoch 0: none.
  struct CommonPart {
    std::uint32_t epoch : 28 = 0;
    std::uint32_t is_long : 1 = 0;  // a strong one, of eight bytes
    // Of a word's first read. `has_cell`: more is known of the word than one read, which may be none, in the
    // memory of its writes, its atomics, or of further reads.
    std::uint32_t has_cell : 1 = 0, has_write : 1 = 0, has_atomics : 1 = 0;
    std::uint32_t place : 25 = 0;
    std::uint32_t several : 1 =
        0;  // others made it too: lanes in the same instruction, threads that wrote the same value
    std::uint32_t strong : 1 = 0;
    std::uint32_t for_block : 1 = 0;
    std::uint32_t has_further : 1 = 0;  // of a word's first read: others are in further_reads_
    // Of a word's last write and first read: the writes or reads of its bytes are in byte_writes_ or
    // byte_reads_.
    std::uint32_t has_more : 1 = 0;
    std::uint32_t of_warps : 1 =
        0;  // of a word's last write: other warps wrote the same value, with nothing in between
    std::uint32_t of_blocks : 1 = 0;  // or other blocks did
  };
  // What differs from lane to lane. (Apart from the rest: that is moved as one number, which would have to
  // wait for a part of it that has just been changed.)
  struct LanePart {
    std::uint32_t bytes : 4 = 0;    // of the word, a bit each
    std::uint32_t time : 15 = 0;    // of the thread, see Synchronisation
    std::uint32_t thread : 10 = 0;  // the first, where lanes share a word
    std::uint32_t update : 1 =
        0;  // of a write: it depends on a strong read of the word. Of a read: it is a mere guess
    std::uint32_t detail : 2 = whole;
  };
  struct Mark : CommonPart, LanePart {};
  static_assert(sizeof(Mark) == 12);
  // The same in two numbers: field by field it would take longer.
  struct PackedMark {
    std::uint64_t common;
    std::uint32_t own;
    static std::uint64_t common_of(const Mark& mark) {
      std::uint64_t number;
      std::memcpy(&number, &mark, sizeof number);
      return number;
    }
    static std::uint32_t epoch_of(std::uint64_t common) { return common & ((1u << 28) - 1); }
    static std::uint32_t threads_of(std::uint32_t own) { return own >> 19 & (most_threads - 1); }
    static PackedMark of(const Mark& mark) {
      PackedMark packed;
      const auto* const bytes = reinterpret_cast<const unsigned char*>(&mark);
      std::memcpy(&packed.common, bytes, sizeof packed.common);
      std::memcpy(&packed.own, bytes + sizeof packed.common, sizeof packed.own);
      return packed;
    }
    void put(Mark& mark) const {
      auto* const bytes = reinterpret_cast<unsigned char*>(&mark);
      std::memcpy(bytes, &common, sizeof common);
      std::memcpy(bytes + sizeof common, &own, sizeof own);
    }
    Mark mark() const {
      Mark mark;
      put(mark);
      return mark;
    }
  };
  using Atomics =
      std::array<Mark, 2>;  // the last one, and one of another thread: of another warp, if there is one
  // What is known of a word besides further reads; `write` and `atomics` may be of a word that has none.
  struct Cell {
    const Mark& read;  // by a thread of the block that runs
    const Mark* write;
    const Atomics* atomics;
  };
  struct FurtherReads {
    Mark second;  // by another thread of the block that runs
    Mark other;   // by another block
  };
  using BytesMarks = std::array<Mark, shadow_word_bytes>;
  // All that is known of a word of global memory while nothing has happened there but plain atomics
  // (is_plain) and, behind a barrier of the block that made them, one read; or, where it takes no memory, one
  // read alone. An access is the number of what its lanes have in common (number_of), shifted, and its
  // thread; 0: none. Later intervals have larger numbers. A word has this or full cells, never both.
  static constexpr unsigned thread_bits = std::bit_width(most_threads - 1);
  class PlainWord {
   public:
    struct Accesses {
      std::uint32_t latest, second, read;  // the last two atomics, as Atomics, and the read
    };
    bool is_empty() const { return (latest_ | other_) == 0; }
    bool was_changed() const { return latest_ != 0; }
    bool was_read() const { return latest_ == 0 ? other_ != 0 : (other_ & with_read) != 0; }
    std::uint32_t latest() const { return latest_; }
    // Of a word that was changed and not read.
    std::uint32_t second() const { return other_; }
    void set_atomics(std::uint32_t latest, std::uint32_t second) { latest_ = latest, other_ = second; }
    void set_read_alone(std::uint32_t read) { other_ = read; }
    // Of a word that was changed and not read; false, and nothing is done: the numbers are too far apart.
    bool add_read(std::uint32_t read) {
      const std::uint32_t since_second = other_ == 0 ? 0 : age(latest_, other_) + 1,
                          since_latest = age(read, latest_);
      if (since_second > most_since_second || since_latest > most_since_latest) return false;
      other_ = with_read | since_latest << (2 * thread_bits + since_second_bits) |
               since_second << (2 * thread_bits) | thread(read) << thread_bits | thread(other_);
      return true;
    }
    Accesses all() const {
      if (latest_ == 0) return {0, 0, other_};
      if (!(other_ & with_read)) return {latest_, other_, 0};
      const std::uint32_t since_second = other_ >> (2 * thread_bits) & most_since_second,
                          since_latest = other_ >> (2 * thread_bits + since_second_bits) & most_since_latest,
                          number = latest_ >> thread_bits;
      return {latest_, since_second == 0 ? 0 : (number - since_second + 1) << thread_bits | thread(other_),
              (number + since_latest) << thread_bits | thread(other_ >> thread_bits)};
    }

   private:
    static constexpr std::uint32_t with_read = 1u << 31;
    static constexpr unsigned since_second_bits = 5,
                              since_latest_bits = 31 - since_second_bits - 2 * thread_bits;
    static constexpr std::uint32_t most_since_second = (1u << since_second_bits) - 1,
                                   most_since_latest = (1u << since_latest_bits) - 1;
    static std::uint32_t thread(std::uint32_t access) { return access & ((1u << thread_bits) - 1); }
    static std::uint32_t age(std::uint32_t later, std::uint32_t earlier) {
      return (later >> thread_bits) - (earlier >> thread_bits);
    }

    std::uint32_t latest_;
    // The second atomic, or the read if there is no atomic. Or, `with_read`: how far back its number lies
    // behind that of the latest, plus 1, and that of the latest behind the read's; the threads of both.
    std::uint32_t other_;
  };
  static_assert(RaceBounds{}.numbers < 1u << (31 - thread_bits));
  using ReadsOfWarps = std::array<Mark, most_threads / ModelDevice::lanes>;

  // What an access does to a word: it loads, stores or makes an atomic.
  enum class Kind { load, store, atomic };
  template <Kind kind>
  void lane_words(const WarpAccess& access, unsigned lane, Mark& now);
  template <Kind kind>
  void lane_by_lane(const WarpAccess& access, unsigned lanes);
  bool reads_again(std::uintptr_t address, CommonPart common, LanePart own);
  struct Words;
  template <Kind kind>
  Words words_of(const WarpAccess& access);
  template <class IsDone>
  unsigned lanes_left(const WarpAccess& access, unsigned lanes, const Words& words, CommonPart common,
                      IsDone is_done);
  void find_atomics(Words& words, std::uintptr_t address);
  unsigned lanes_behind_first_stores(const WarpAccess& access, CommonPart common);
  template <bool shared>
  unsigned lanes_behind_first_loads(const WarpAccess& access, CommonPart common);
  template <bool shared>
  unsigned lanes_behind_plain_atomics(const WarpAccess& access, unsigned lanes, CommonPart common);
  unsigned lanes_of_loud_words(const WarpAccess& access, unsigned lanes, const Words& words) const;
  std::uint32_t number_of(CommonPart common);
  Mark mark_of_number(std::uint32_t number) const;
  unsigned lanes_behind_plain_words(const WarpAccess& access, CommonPart common);
  bool reads_plain_word(PlainWord& word, std::uint32_t now) const;
  void make_full(std::uintptr_t address, PlainWord& word);
  void make_full(std::uintptr_t address) {
    if (plain_.is_empty()) return;
    PlainWord* const word = plain_.find(address);
    if (word && !word->is_empty()) make_full(address, *word);
  }
  Range taken_for_atomics() const;
  template <Kind kind>
  Mark* read_of_cell(std::uintptr_t address, const Mark& now);
  void make_cell(std::uintptr_t address, Mark& read);
  [[gnu::noinline]] Cell cell_of(std::uintptr_t address, const Mark& read);
  // What the first read tells of the word stays.
  static void replace_read(Mark& read, const Mark& now) {
    const Mark before = read;
    read = now;
    read.has_cell = before.has_cell;
    read.has_write = before.has_write;
    read.has_atomics = before.has_atomics;
    read.has_further = before.has_further;
  }
  bool becomes_quiet(const Mark& read, std::uintptr_t address);
  FurtherReads further_reads(const Mark& read, std::uintptr_t address);
  FurtherReads& make_further_reads(Mark& read, std::uintptr_t address);
  std::uint32_t touched_state() const { return epoch_ << epoch_shift; }
  bool is_plain(const WarpAccess& access) const;
  bool is_plain(const Mark& atomic) const;
  bool is_plain_alone(const Mark& read, std::uintptr_t address);
  bool reads_read_only_array(const WarpAccess& access);
  void loads(const WarpAccess& access);
  void writes(const WarpAccess& access);
  CommonPart common_part(const WarpAccess& access, bool several = false) const;
  static Mark of_lane(CommonPart common, LanePart own);
  Mark mark_of(CommonPart common, const WarpAccess& access, unsigned lane) const;
  template <Kind kind>
  void word_access(const WarpAccess& access, std::uintptr_t address, CommonPart common, LanePart own);
  void changed_before(const WarpAccess& access, std::uintptr_t address, const Cell& cell, Mark& now);
  template <Kind kind>
  bool harms_no_atomic(const Atomics& atomics, const Mark& now) const;
  void begin_interval();
  std::uint32_t next_number() const {
    return static_cast<std::uint32_t>(numbered_.size() + 1) << thread_bits;
  }
  void forget_when_full();
  void remember_read(Mark& first, std::uintptr_t address, const Mark& now);
  void remember_further_read(Mark& first, std::uintptr_t address, const Mark& now);
  void remember_read_of_warp(std::uintptr_t address, const Mark& read);
  void remember_read_of_bytes(Mark& first, std::uintptr_t address, const Mark& now);
  const Mark* conflicting_read(const Cell& cell, std::uintptr_t address, const Mark& now);
  void check_atomics(const WarpAccess& access, std::uintptr_t address, const Cell& cell, const Mark& now);
  bool remember_atomic(Mark& read, std::uintptr_t address, const Mark& now);
  bool replace_atomic(Atomics& atomics, const Mark& now) const;
  bool replace_plain_atomic(Atomics& atomics, PackedMark now, bool is_first) const;
  void look_at_reads(const WarpAccess& access, std::uintptr_t address, const Cell& cell, const Mark& now);
  const Mark* conflicting_write(const Cell& cell, std::uintptr_t address, const Mark& now, bool loads);
  bool leaves_the_same(const WarpAccess& access, std::uintptr_t address, const Mark& before, const Mark& now);
  void join(Mark& now, const Mark& before) const;
  void remember_value(const WarpAccess& access, std::uintptr_t address, const Mark& now);
  void remember_write(Mark& read, std::uintptr_t address, const Mark& now);
  bool in_this_block(const Mark& mark) const { return mark.epoch >= block_epoch_; }
  bool same_thread(const Mark& a, const Mark& b) const {
    return in_this_block(a) && a.thread == b.thread && !a.several && !b.several;
  }
  // Whether the same lanes have read, and no bytes before anything that could have ordered that read alone:
  // their bytes may be joined.
  bool same_readers(const Mark& a, const Mark& b) const {
    return in_this_block(a) && a.thread == b.thread && a.several == b.several && a.detail == b.detail &&
           (!a.several || a.bytes == b.bytes) &&
           ((a.epoch == b.epoch && a.time == b.time) || !(a.bytes & ~b.bytes));
  }
  // Whether they differ in nothing but their places and, where a thread read alone, their bytes: then they
  // are by the same readers, and equally strong.
  static bool same_but_for_place(const Mark& a, const Mark& b) {
    Mark place, bytes;
    place.place = (1u << 25) - 1;
    bytes.bytes = whole_word;
    using Words = std::array<std::uint32_t, 3>;
    const std::uint32_t of_place = std::bit_cast<Words>(place)[1], of_bytes = std::bit_cast<Words>(bytes)[2];
    const auto first = std::bit_cast<Words>(a), second = std::bit_cast<Words>(b);
    return first[0] == second[0] && ((first[1] ^ second[1]) & ~of_place) == 0 &&
           ((first[2] ^ second[2]) & ~(b.several ? 0 : of_bytes)) == 0;
  }
  bool both_strong(const Mark& before, const Mark& now) const {
    return before.strong && now.strong && before.is_long == now.is_long &&
           (!(before.for_block || now.for_block) || in_this_block(before));
  }
  // Of atomics and strong stores.
  static bool same_size(const Mark& before, const Mark& now) {
    return before.is_long == now.is_long && before.bytes == now.bytes;
  }
  // A volatile store of what the thread has made of the word, which another lane of its warp loads: such
  // kernels count on lanes that go in step.
  bool is_lockstep_update(const Mark& store, const Mark& load) const {
    return store.detail == strong_store && store.update && in_this_block(store) && in_this_block(load) &&
           store.thread / ModelDevice::lanes == load.thread / ModelDevice::lanes;
  }
  std::uint64_t bytes_of_others(const Mark& before, const Mark& now) const;
  // Whether nothing of the block that runs can conflict with it, and, in shared memory, nothing at all.
  bool is_settled(const Mark& mark) const {
    return mark.epoch == 0 ||
           (!mark.of_blocks && mark.epoch != epoch_ && (shared_ || mark.epoch >= block_epoch_));
  }
  bool may_be_changed(const Mark& write) const { return write.has_more || !is_settled(write); }
  bool are_settled(const FurtherReads& reads) const {
    return is_settled(reads.second) && is_settled(reads.other);
  }
  bool conflicts(const Mark& before, const Mark& now) const {
    return !is_settled(before) && conflicts_now(before, now);
  }
  bool write_conflicts(Mark write, const Mark& now, bool loads) const;
  bool conflicts_now(const Mark& before, const Mark& now) const;
  bool ordered(const Mark& before, const Mark& now) const;
  void note(std::string what, const Mark& before, const Mark& now);
  void go_on(unsigned thread);
  void report(const WarpAccess& access, std::uintptr_t address, const Cell& cell, const Mark& before,
              const Mark& now, AccessKind kind_before);
  Mark sharing(Mark mark, const Mark& other) const;
  bool may_be_itself(const Mark& mark, const Mark& other) const;
  Mark other_lane(Mark mark, const Mark& other, const WarpAccess& access, std::uintptr_t address) const;
  bool is_told_already(const WarpAccess& access, std::uintptr_t address, const Mark& before, const Mark& now);
  ThreadLocation location(const Mark& mark) const;
  std::uint32_t block_of(const Mark& mark) const;

  Hazards& hazards_;
  RaceBounds bounds_;
  Shadow<Mark> reads_, writes_;
  Shadow<Atomics> atomics_;
  Shadow<FurtherReads> further_reads_;
  // The interval in which something last happened to a word, and two marks. `quiet`: atomics are all that
  // happened there in it, and two warps' are known. `plain_alone`: plain atomics (is_plain) are all that may
  // ever conflict with what comes.
  Shadow<std::uint32_t> states_;
  static constexpr std::uint32_t quiet = 1, plain_alone = 2, epoch_shift = 2;
  Shadow<PlainWord> plain_;
  // What the lanes of plain atomics, and of reads behind them, have in common, as a number each. And how many
  // there were when this interval, and this block, began, as PlainWord has the first one behind these.
  std::vector<std::uint64_t> numbered_;
  std::uint32_t first_of_interval_ = 1u << thread_bits, first_of_block_ = 1u << thread_bits;
  Shadow<BytesMarks> byte_writes_, byte_reads_;
  std::unordered_map<std::uintptr_t, ReadsOfWarps> reads_of_warps_;  // in this interval, by word
  // The bytes that the last plain writes have left in a word.
  struct WordValue {
    std::array<unsigned char, shadow_word_bytes> bytes;
    std::uint8_t known;  // a bit each
  };
  Shadow<WordValue> values_;
  BlockContext block_{};
  std::uint32_t epoch_ = 0, block_epoch_ = 1;
  // The first epoch and the number of each block before this one of which anything is remembered.
  struct Block {
    std::uint32_t epoch, number;
  };
  std::vector<Block> blocks_;
  Range read_only_;             // an array that nobody may write
  bool shared_ = false;         // the space of the access that is looked at
  unsigned lane_ = 0;           // whose part of it
  std::uintptr_t address_ = 0;  // of the word that is looked at, or the first byte of it that is accessed

  // The clash that was reported last.
  struct Clash {
    std::uintptr_t address = 0;
    Mark before, now;
  };
  Clash clash_;

  std::array<std::uint16_t, most_threads> time_{};
  std::uint32_t times_epoch_ = 0;  // in which any of these is not 0
  std::size_t remembered_bytes_ = 0;
};

}  // namespace simulator
