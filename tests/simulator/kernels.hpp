// SPDX-License-Identifier: MIT
// The kernels that the simulator is tested with. `out` has an element for each thread of the grid unless it
// is said otherwise; a thread's element is the one of its rank: its position in the block after all threads
// of the blocks before.
#pragma once

#include <cstdint>

#include "simulator/cuda/types.hpp"

// --- launch_kernels.cpp

struct Place {
  uint3 thread, block, block_extent, grid_extent;
  unsigned visits;
};

void record_place(Place* out);

struct Record {
  unsigned words[20];
};

// Each thread adds 1 to its element; in the second thread `who` of each block adds to *word before, in the
// third threads below `first` return.
void mark(unsigned* out);
void mark_after_atomic(unsigned* word, unsigned who, unsigned* out);
void mark_unless_below(unsigned first, unsigned* out);

// Of a counter each warp's leader draws the numbers below `end`, or each thread, and writes in whose hands
// they came: the warp, or the thread.
void draw_by_warps(unsigned* counter, unsigned end, unsigned* owner);
void draw_by_threads(unsigned* counter, unsigned end, unsigned* owner);

// Two barriers; three shared atomics by each thread, a global one by each even thread.
void work_for_counters(unsigned* counter);

// The compiler's builtins on *word, by one thread; out: their 10 results.
void compiler_atomics(unsigned* word, unsigned* out);

// Each thread copies its element as a whole.
void copy_vectors(const uint4* in, uint4* out);
void copy_records(const Record* in, Record* out);
void clear_records(Record* out);

void count_without_atomics(volatile unsigned* counter, unsigned rounds, unsigned pause);
void load_in_long_turns(const unsigned* in, unsigned turns, unsigned pause, unsigned* out);
void load_in_parted_turns(const unsigned* in, unsigned turns, unsigned pause, unsigned* out);
void idle(unsigned rounds);

// --- barrier_kernels.cpp

void rotate(unsigned distance, unsigned* out);  // through shared memory, 3 times with 2 barriers

// The predicate is true for threads below; out: what count, and, and or give each thread.
void barrier_reductions(unsigned below, int* out);
// Each thread comes to two barriers from calls up to 4 deep, and out[2 * thread] and the next get their
// counts.
void barriers_in_calls(int* out);
void part_around_barriers(unsigned early, unsigned late, unsigned* out, long long* clocks);

// In that block threads from `border` on wait at another place, and write 2 in place of 1.
void barrier_in_branches(unsigned border, unsigned block, unsigned* out);

void barrier_after_return(unsigned returning, unsigned* out);  // the others wait twice at one place
void warp_waits_for_barrier(unsigned* out);  // lane 0 at the barrier, the others at __syncwarp
void different_operations(unsigned* out);    // lanes 0-15 vote, the others shuffle
void different_masks(unsigned* out);         // lanes 0 and 31 vote with another mask

// All others wait for the setter; in the second lane 1 sets the flag, and asks for the active mask before.
void spin_until_set(volatile unsigned* flag, unsigned setter, unsigned* out);
void go_in_turns(int how, unsigned rounds, unsigned* words, unsigned* out);
void wait_for_lock(const unsigned* in, unsigned long_time, unsigned* lock, unsigned* out);
void look_so_often(volatile unsigned* flag, volatile unsigned* stop, unsigned looks, unsigned* out);
void spin_beside_active_mask(volatile unsigned* flag, unsigned* out);

// --- shared_memory_kernels.cpp

struct SharedAddresses {
  void *first, *second, *dynamic_words, *dynamic_bytes;
};

void read_fresh_shared(unsigned* out);  // then overwrites it
template <int count>
void sum_in_template(unsigned* out);  // count elements; out: one a block
void share_through_function(unsigned* out);
void write_words_read_bytes(unsigned* out);  // dynamic, under two names
template <class T>
void dynamic_in_template(T* out);
void dynamic_beside_static(unsigned* out);
void read_fresh_dynamic(unsigned* out);
void take_forty_kibi(unsigned* out);          // and three flags
void shared_addresses(SharedAddresses* out);  // one element
// The first deed of a block in a word of shared memory: each of them leaves the same whatever was there. With
// their results used, into out, as many words as there are lanes.
enum class FirstDeed { exchange, and_zero, or_all, min_lowest, max_highest, and_one };
void overwrite_shared(FirstDeed deed, bool uses_result, unsigned* out);
void load_shared_as_global(unsigned* out);   // by __ldcg
void store_shared_as_global(unsigned* out);  // by __stcg

// --- atomics_kernels.cpp

enum class Atomic { add, sub, inc, dec, min, max, exchange, bitwise_and, bitwise_or, bitwise_xor };

template <class T>
void apply_atomic(Atomic operation, T* word, T operand, T* old);
template <class T>
void apply_compare_and_swap(T* word, T compare, T value, T* old);
template <class T>
void apply_atomic_in_shared(Atomic operation, T* word, T operand, T* old);
void add_of_block_scope(unsigned* word, unsigned* old);
void add_everywhere(unsigned* word);
void take_tickets(unsigned* word, unsigned limit, unsigned* out);
void add_by_compare_and_swap(unsigned* word);

// --- warp_kernels.cpp

enum class Shuffle { index, up, down, exclusive_or };

template <class T>
void shuffle(Shuffle kind, unsigned mask, int argument, int width, const T* in, T* out);

struct Votes {
  unsigned ballot;
  int any, all;
};

// Lanes outside `mask` do nothing but return.
void vote(unsigned mask, const int* predicates, Votes* out);
void vote_after_return(unsigned returning, unsigned* out);
template <class T>
void match_any(unsigned mask, const T* in, unsigned* out);
template <class T>
void match_all(unsigned mask, const T* in, unsigned* out, int* predicates);

struct Reductions {
  unsigned add, min, max, bitwise_and, bitwise_or, bitwise_xor;
  int add_signed, min_signed, max_signed;
};

void reduce(unsigned mask, const unsigned* in, Reductions* out);

// Lanes of `odd` take one branch, the others another; each votes, shuffles and reduces among its own.
struct Branch {
  unsigned ballot, first_value, sum, active;
};
void work_in_branches(unsigned odd, Branch* out);

void active_mask(unsigned* out);
void active_mask_behind_branch(unsigned* out);
// Lanes with equal keys count together, as they come by in a loop; if not legal, all who go round are
// counted.
void count_alike(bool legal, const unsigned* keys, unsigned* counts);
void active_mask_after_loop(unsigned* out);  // the lanes' numbers of rounds differ
void pass_on_through_syncwarp(unsigned* out);
void syncwarp_of_halves(unsigned* out);
void foreign_mask(unsigned caller, unsigned* out);      // that lane's mask does not contain it
void foreign_masks(unsigned operation, unsigned* out);  // one of 7 kinds of operation, each by lane 0

// --- intrinsics_kernels.cpp

void cached_loads(const unsigned* in, const uint4* vectors, unsigned* out);
void tell_spaces(const unsigned* in, unsigned* out);  // 6 numbers

// --- trace_kernels.cpp

// Block of 64: words (shared, each warp writes downwards) = every second byte of in, __syncwarp, each third
// thread adds 1, a barrier, and all change out[block] atomically.
void every_step(const unsigned char* in, unsigned* out);
void write_either(bool (*to_second)(unsigned lane), unsigned* first, unsigned* second);
void follow(const unsigned* next, unsigned steps, unsigned* out);  // from element to element

// --- same_value_kernels.cpp

struct Five {
  unsigned words[5];
};

void write_two_words_in_pairs(uint2*);
void write_what_all_read(unsigned char*, unsigned*);
void read_what_one_writes(unsigned char*, unsigned*);
void read_twice_by_ldg(bool legal, const unsigned*, unsigned*, unsigned*);
void change_behind_ldg(bool legal, unsigned*, unsigned*);
void read_coherently(unsigned*, unsigned*);

void raise_flag(unsigned* flag);                          // each thread writes 7
void write_warp_number(unsigned* word);                   // each thread its warp's
void write_bytes_of_a_word(unsigned char* bytes);         // thread t the value t % 4 to byte t % 4
void write_four_words(unsigned different, uint4* words);  // 1, 2, 3, 4; thread 40 the last one different
void raise_and_look(unsigned* flag, unsigned* out);       // writes 7 and reads it
void raise_wait_and_look(unsigned* flag, unsigned* out);  // a barrier in between; only the last block reads
// Thread 0 writes 1 to words[0]; after a barrier thread 1 copies all five, and thread 2 writes 1 again.
void write_beside_a_copy(const Five* in, Five* out);
void write_and_take_back(unsigned* word);       // each thread writes 1, and thread 63 then 2
void write_sync_and_take_back(unsigned* word);  // each thread writes 1, __syncwarp, the last thread writes 2
void write_wait_and_take_back(
    unsigned* word);  // each thread writes 1, a barrier, one thread of the last block writes 2

// --- race_bounds_kernels.cpp

// Each thread writes a word of its own, `stride` apart; the first and the last block write far[0], the last
// two near[0], and the last block's warps within[0].
void write_in_turn(unsigned stride, unsigned* out, unsigned* far, unsigned* near, unsigned* within);
// Block 0 writes far[0]. Block 1 writes `rounds` times a word a thread, with barriers in between, and then
// far[0]; and within[0], first each warp's number and, after as many words again, another one.
void write_between_barriers(unsigned rounds, unsigned* out, unsigned* far, unsigned* within);
// Each block fences and adds to counter[0]; from block first_writer on it writes between[0] before. The last
// block's warps write within[0].
void meet(unsigned first_writer, unsigned* counter, unsigned* between, unsigned* within);
void sum_when_all_have_come(unsigned* values, unsigned* counter,
                            unsigned* sum);  // each block's number, in the last block

// --- lockstep_kernels.cpp

void count_plainly(unsigned bins,
                   unsigned* histo);           // each thread adds 1 to the bin of its rank, without an atomic
void count_plainly_in_shared(unsigned* sums);  // each thread adds 1 to its block's count; sums: one a block
void count_in_shared(unsigned bins, unsigned* histo);  // rightly, block b counting b + 1 a thread
void count_by_swap(bool repeated, unsigned* word);     // each thread adds 1, or tries to once
void count_lanes_of_each_round(bool together, unsigned* counts);
void count_by_stale_swap(bool bounded, unsigned* word);  // the same, always from what it has read at first
void fence_behind_barrier(unsigned* partial, unsigned* flag, unsigned* out);  // one block; out: its threads
void order_of_blocks(unsigned* clock, unsigned* began, unsigned* ended);      // blocks of one thread

// --- limits_kernels.cpp

void local_array(unsigned kib,
                 unsigned* out);  // 64, 448 or 8192; out: the thread's index, once for each 4 KiB
void recursion(unsigned depth, unsigned* out);  // out: 1 + 2 + ... + depth
void divide(unsigned who, int by, int* out);    // by that thread; then a barrier
void trap_at(unsigned who, bool by_compiler, unsigned* out);
enum class Endless { empty, storing, counting };
void run_for_ever(Endless kind, unsigned first, unsigned* out);  // the threads from that one on

// Loops with `rounds` rounds, of which 0 never end: each thread reads a word; each reads the next word of
// `words`; thread 0 counts while the others wait at a barrier; all meet at a barrier.
enum class Rounds { same_word, next_word, beside_barrier, around_barrier };
void go_round(Rounds kind, unsigned rounds, const unsigned* words, unsigned* out);
void assert_below(unsigned limit, unsigned* out);  // the ranks; out: 1 before, 2 behind

enum class Allocation { by_malloc, by_calloc, by_realloc, by_new, by_new_array };
void allocate(Allocation kind, unsigned** out);

// --- variable_kernels.cpp

void count_in_variable(unsigned rounds);  // device_counter, atomically, by each thread
void count_in_variable_without_atomic();
unsigned& device_counter_of_host();
void add_last_block(bool fenced, unsigned* out);  // of blocks of 32 threads, through partial_sums[8]
void read_table(unsigned index, unsigned* out);   // device_table[8]
void write_table(unsigned index, unsigned value);
void read_constant(unsigned index, unsigned* out);  // constant_table[4]
void write_constant(unsigned index);
void read_multiple(unsigned* out);  // from a table that is a template in constant memory
void count_calls(unsigned* out);    // in a function's own variable
void share_managed(unsigned* out);  // managed_words[64], by two blocks in turn
void read_literal(char* out);       // 4 letters

// --- handed_on_kernels.cpp: right if `legal`
void hand_on_through_blocks(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_in_a_ring(bool legal, unsigned rounds, unsigned* value, unsigned* turns);
void hand_on_by_another_thread(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_by_another_lane(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_what_is_for_the_block(bool legal, unsigned*, unsigned*, unsigned*);
void write_when_all_have_read(bool legal, unsigned*, unsigned*, unsigned*);

// --- fence_kernels.cpp: right if `legal`

void fence_before_atomic(bool legal, unsigned*, unsigned*, unsigned*);
void write_before_fence(bool legal, unsigned*, unsigned*, unsigned*);
void pass_on_behind_barrier(bool legal, unsigned*, unsigned*, unsigned*);
void pass_on_behind_warp_barrier(bool legal, unsigned*, unsigned*, unsigned*);
void fence_of_writers(bool legal, unsigned*, unsigned*, unsigned*);
void fence_of_writers_in_order(bool legal, unsigned*, unsigned*, unsigned*);
void fence_of_reader_in_order(bool legal, unsigned*, unsigned*, unsigned*);
void write_behind_fence_of_writers(bool legal, unsigned*, unsigned*, unsigned*);
void read_and_fence_behind_barrier(bool legal, unsigned*, unsigned*, unsigned*);
void read_and_fence_behind_warp_barrier(bool legal, unsigned*, unsigned*, unsigned*);
void fence_each(bool legal, unsigned*, unsigned*, unsigned*);
void fence_each_lane(bool legal, unsigned*, unsigned*, unsigned*);
void fence_each_lane_of_block(bool legal, unsigned*, unsigned*, unsigned*);
void fence_for_device(bool legal, unsigned*, unsigned*, unsigned*);
void add_in_turn(bool legal, unsigned*, unsigned*, unsigned*);
void add_in_turn_to_many(bool legal, unsigned*, unsigned*, unsigned*);
void wait_for_volatile_flag(bool legal, unsigned*, volatile unsigned*, unsigned*);
void wait_for_flag_of_warp(bool legal, unsigned*, volatile unsigned*, unsigned*);
void wait_for_all_of_block(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on(bool legal, unsigned*, volatile unsigned*, unsigned*);
void value_in_flag(bool legal, unsigned*, volatile unsigned*, unsigned*);

// --- memory_order_kernels.cpp: right if `legal`

void release_and_acquire(bool legal, unsigned*, unsigned*, unsigned*);
template <int way>  // release, acquire and relaxed
void count_with_order(bool legal, unsigned*, unsigned*, unsigned*);
void release_twice(bool legal, unsigned*, unsigned*, unsigned*);
void acquire_twice(bool legal, unsigned*, unsigned*, unsigned*);
void release_other_word(bool legal, unsigned*, unsigned*, unsigned*);
void acquire_other_word(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_with_order(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_in_word(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_from_block(bool legal, unsigned*, unsigned*, unsigned*);
void change_in_turns(bool legal, unsigned rounds, unsigned*, unsigned*);
template <bool taken>  // or given back
void lock_with_order(bool legal, unsigned*, unsigned*, unsigned*);
void release_by_byte(bool legal, unsigned*, unsigned*, unsigned*);

// --- strong_access_kernels.cpp: right if `legal`

void announce(bool legal, unsigned*, unsigned*, unsigned*);
void add_to_what_another_wrote(bool legal, unsigned*, unsigned*, unsigned*);
void count_volatile(bool legal, unsigned*, unsigned*, unsigned*);
void count_relaxed(bool legal, unsigned*, unsigned*, unsigned*);
void count_in_order(bool legal, unsigned*, unsigned*, unsigned*);
void count_by_exchange(bool legal, unsigned*, unsigned*, unsigned*);
void count_for_block(bool legal, unsigned*, unsigned*, unsigned*);
void count_long_and_short(bool legal, unsigned*, unsigned*, unsigned*);
void count_short_and_half(bool legal, unsigned*, unsigned*, unsigned*);
void count_long_then_short(bool legal, unsigned*, unsigned*, unsigned*);
void maximum_by_swap(bool legal, unsigned*, unsigned*, unsigned*);

// --- block_order_kernels.cpp: right if `legal`

void clear_by_all(bool legal, unsigned*, unsigned*, unsigned*);
void copy_by_all(bool legal, unsigned*, unsigned*, unsigned*);
void hand_on_through_masks(bool legal, unsigned*, unsigned*, unsigned*);
void add_by_leaders(bool legal, unsigned*, unsigned*, unsigned*);
void clear_next_counter(bool legal, unsigned*, unsigned*, unsigned*);
void sort_in_rounds(bool legal, unsigned*, unsigned*, unsigned*);
void rotate_in_rounds(bool legal, unsigned*, unsigned*, unsigned*);
void change_two_at_once(bool legal, unsigned*, unsigned*, unsigned*);
void count_at_loaded_index(bool legal, unsigned*, unsigned* index, unsigned*);
void hand_over_late(bool legal, unsigned rounds, unsigned* out);
template <class Part>
void add_to_own_part(bool legal, Part* sums, unsigned* out);  // of unsigned char or short
template <class Part>
void pass_parts_on(bool legal, Part* sums, unsigned* out);  // the same
void shuffle_from(unsigned source, unsigned* out);          // by 16 lanes

// --- swaps_kernels.cpp

void count_packed(const unsigned char* data, unsigned length, unsigned* counts);
// 64 keys in a table of 16 places: where each lies, and how often each place was taken.
void count_keys(const unsigned char* keys, unsigned* places, unsigned* counts);

// --- vector_kernels.cpp: by one block of a warp

void use_components(const uint4* in, unsigned* out);
void use_some_components(const uint4* in, unsigned* out);
void name_one_component(const uint4* in, unsigned* out);
void use_branches(const uint4* in, unsigned* out);
void pass_to_function(const uint4* in, unsigned* out);
void capture_in_lambda(const uint4* in, unsigned* out);
void load_in_lambda(const uint4* in, unsigned* out);
void look_at_bytes(const uint4* in, unsigned* out);
void look_through_union(const uint4* in, unsigned* out);
void load_by_cache_hint(const uint4* in, unsigned* out);
template <int hint>
void copy_by_cache_hint(const uint4* in, uint4* out);
void copy_whole(const uint4* in, uint4* out);
void store_made(const uint4* in, uint4* out);
void store_result(const uint4* in, uint4* out);
void keep_in_array(const uint4* in, uint4* out);
void through_shared(const uint4* in, uint4* out);
void copy_members(const void* in, void* out);
// clang calls one function to copy memory, a struct and a vector: all are copied 16 bytes at a time.
#ifdef __clang__
constexpr unsigned of_four_words = 1, of_bytes = 1, of_four_bytes = 1;
#else
constexpr unsigned of_four_words = 4, of_bytes = 16, of_four_bytes = 4;
#endif
// Ways of copying memory, and the loads from global memory, the stores to it, and those of shared memory that
// nvcc 13.0 makes of them.
// clang-format off
#define FOR_EACH_COPY(X) \
  X(0, of_bytes, 0, 0, 0) X(1, of_four_bytes, 0, 0, 0) X(2, of_bytes, of_bytes, 0, 0) X(3, of_bytes, 0, 0, 1) \
  X(4, 0, of_bytes, 0, 0) X(5, 0, of_four_bytes, 0, 0) X(6, of_four_words, of_four_words, 0, 0) \
  X(7, of_four_words, 0, 1, 1) X(8, 4, 4, 0, 0) X(9, 1, 0, 1, 1)
// clang-format on
template <int way>
void copy_memory(const unsigned char* in, unsigned char* out);
#define FOR_EACH_TESTED_VECTOR(of)                                                                          \
  of(char2) of(char4) of(uchar2) of(uchar4) of(short2) of(short4) of(ushort2) of(ushort4) of(int2) of(int4) \
      of(uint2) of(uint4) of(long2) of(ulong2) of(longlong2) of(ulonglong2) of(float2) of(float4)           \
          of(double2)
template <class Vector>
void add_components(const Vector* in, unsigned* out);
// Ways of using a word of shared memory twice, and the loads that nvcc 13.0 makes of them.
#define FOR_EACH_USE(X) X(0, 1) X(1, 1) X(2, 2) X(3, 1) X(4, 2) X(5, 2)
template <int way>
void use_twice(unsigned* out);  // of 64 words; 64 more are read
// Ways of loading words of shared memory, by a warp, and the loads that nvcc 13.0 makes of them.
#define FOR_EACH_ORDER(X) \
  X(0, 1)                 \
  X(1, 1)                 \
  X(2, 1)                 \
  X(3, 1)                 \
  X(4, 1)                 \
  X(5, 1)                 \
  X(6, 1) X(7, 1) X(8, 2) X(9, 2) X(10, 2) X(11, 2) X(12, 2) X(13, 2) X(14, 3) X(15, 1) X(16, 1) X(17, 2)
template <int way>
void load_in_order(unsigned* words);  // 256
// Ways of using a word twice with something in between.
#define FOR_EACH_KEEPING(X) \
  X(0, 1)                   \
  X(1, 1) X(2, 1) X(3, 1) X(4, 1) X(5, 1) X(6, 1) X(7, 2) X(8, 1) X(9, 1) X(10, 2) X(11, 2) X(12, 2) X(13, 1)
template <int way>
void keep_across(unsigned* words);  // 256
// The same with an atomic on shared memory in between, and the loads that nvcc 13.0 makes. Tried after the
// rule had been written.
#define FOR_EACH_ATOMIC_BETWEEN(X) X(0, 2) X(1, 3) X(2, 2) X(3, 2) X(4, 3) X(5, 2)
template <int way>
void keep_across_atomic(unsigned* words);                 // 256
void sum_by_distances(unsigned rounds, unsigned* words);  // 256; with distances of 1, 2, ... words

// Type, first element, elements, stride from thread to thread, and the loads (LDS) that nvcc 13.0 makes of
// them. All from "unsigned, 0, 3, 8" on were tried after the rule had been written.
// (clang-format 14 would move these lines each time it runs.)
// clang-format off
#define FOR_EACH_ELEMENTS(X) \
  X(unsigned, 0, 4, 4, 1) X(unsigned, 1, 3, 4, 1) X(unsigned, 0, 3, 4, 1) X(unsigned, 2, 2, 4, 1) \
  X(unsigned, 1, 2, 64, 2) X(unsigned, 2, 2, 64, 1) X(unsigned, 1, 7, 64, 2) X(unsigned, 3, 4, 64, 2) \
  X(unsigned, 2, 5, 64, 2) X(unsigned, 1, 4, 64, 2) X(float, 1, 3, 64, 1) X(unsigned long long, 1, 3, 64, 2) \
  X(unsigned char, 0, 16, 64, 16) X(unsigned short, 1, 3, 64, 3) \
  X(unsigned, 0, 3, 8, 1) X(unsigned, 4, 3, 8, 1) X(unsigned, 0, 7, 8, 2) X(unsigned, 1, 7, 8, 2) \
  X(unsigned, 0, 3, 3, 3) X(unsigned, 0, 3, 6, 2) X(unsigned, 1, 3, 6, 2) X(int, 5, 3, 12, 1) \
  X(double, 0, 3, 4, 2) X(float, 3, 5, 8, 2) X(unsigned char, 0, 8, 8, 8) X(unsigned short, 0, 8, 8, 8) \
  X(unsigned, 1, 3, 16, 1)
// clang-format on
template <class T, unsigned first, unsigned count, unsigned stride>
void load_side_by_side(T* out);
void load_misaligned(const unsigned char* in, unsigned bytes, unsigned* out);
void store_misaligned(unsigned char* out, unsigned bytes);

// --- library_kernels.cpp

void set_and_copy(const unsigned* in,
                  unsigned* out);  // out: 0 words, then 4 of in, all moved on by one; 8 elements
void clear(unsigned* words, unsigned count);
void copy(unsigned* to, const unsigned* from, unsigned count);
void time_rounds(
    unsigned rounds,
    long long* out);  // out: the clock's difference for each thread, then 1 if clock() is not behind
void print_ranks();
void share_at_file_scope(unsigned* out);
void use_qualifiers(const unsigned* in, unsigned* out);
void compare_and_swap_scopes(unsigned* words, unsigned short* half, unsigned* out);
