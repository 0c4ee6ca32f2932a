// SPDX-License-Identifier: MIT
// Kernels that use the toolkit's headers: cooperative groups, cuda::atomic_ref, CUB.
#pragma once

#include <cstddef>

// --- groups_kernels.cpp: each thread writes its row of `out`, at its rank in the block

struct GroupRow {
  unsigned rank, size, meta_rank, meta_size;
  unsigned shuffled, up, down, across;  // ranks in the block of the threads whose values came
  unsigned ballot, match, any, all;
};
void rows_of_block(GroupRow* out);                 // rank and size alone
void rows_of_tiles(unsigned size, GroupRow* out);  // 4, 16 or 32
void rows_of_nested_tiles(GroupRow* out);          // 4 of 16
void rows_of_odd_threads(GroupRow* out);           // coalesced
void rows_of_labels(GroupRow* out);                // rank % 3
void groups_in_loop(const unsigned* in, unsigned rounds,
                    unsigned* sums);                    // by a warp: in has 32 elements a round
void rows_of_any_groups(unsigned size, GroupRow* out);  // thread_group: rank and size alone; 0: the block
void rows_of_grid(GroupRow* out);                       // rank and size alone
void reduce_groups(const int* in, int* of_tiles, int* of_odd, double* largest, int* running, int* before);
struct Wide {
  double value;
  int index;
};
void shuffle_structs(Wide* out);  // from the thread before, in a warp
// Each thread adds its rank to shared memory's sum by turns with sync(), or without.
void share_in_block(bool with_sync, unsigned* out);
void share_in_tile(bool with_sync, unsigned* out);

// --- atomic_ref_kernels.cpp

void count_by_reference(const unsigned char* data, unsigned length, unsigned* histo);
void count_by_function(const unsigned char* data, unsigned length, unsigned* histo);
struct Words {
  int i;
  unsigned u;
  long long ll;
  unsigned long long ull;
  float f;
  double d;
  unsigned char byte;
  unsigned char neighbour;
  unsigned short half;
};
void take_flags(unsigned* flags, unsigned* out);
void change_by_references(Words* words, long long* old);  // one thread; old: what each operation returned
void compare_and_exchange(int* word, int* seen);
void count_in_shared_object(unsigned* out);
// Block 0 hands a value over: by release and acquire, or relaxed.
void hand_over(bool ordered, unsigned* value, unsigned* flag, unsigned* out);

// --- cub_kernels.cpp

enum class Storage { with_barrier, without_barrier, own };
void reduce_block(const int* in, int* out, Storage storage);  // 128 threads, twice: sums, then the largest
void reduce_items(const int* in, int valid, int* out);  // 96 threads: of 4 each; of `valid` threads, one each
void reduce_warps(const int* in, int valid,
                  int* out);                    // 8 threads each; out: a sum each, then sums of valid ones
void reduce_segments(const int* in, int* out);  // a warp; segments begin at every 5th lane
void scan_block(const int* in, int* inclusive, int* exclusive, int* total, Storage storage);  // 128 threads
void scan_items(const int* in, int* sums, int* largest);  // 64 threads, 3 each; with a prefix of 1000
void scan_warps(const int* in, int* out);
void scan_warps_from_value(const int* in, int initial, int* out);  // ten results for each thread
void scan_block_from_value(const int* in, int initial, int* out, int* total);
template <int threads>
void scan_by_raking(const int* in, int* inclusive, int* exclusive, int* from_prefix);
void count_block(const unsigned char* in, bool by_atomics, unsigned* out);  // 64 threads, 4 each, 256 bins
