// SPDX-License-Identifier: MIT
// The kernels with a defect, and their twins without it: `kernel<true>` and `kernel<false>`, alike but for
// what is wrong. A comment DEFECT marks the lines that the report has to name, and OTHER those of a second
// access or barrier.
#pragma once

#include "simulator/cuda/qualifiers.hpp"
#include "simulator/cuda/types.hpp"

#define BOTH(kernel, ...)                             \
  template __global__ void kernel<true>(__VA_ARGS__); \
  template __global__ void kernel<false>(__VA_ARGS__)

// --- shared_race_kernels.cpp

template <bool defect>
__global__ void shift_in_block(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void sum_by_halving(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void sum_over_tiles(const unsigned* in, unsigned tiles, unsigned* out);
template <bool defect>
__global__ void double_buffer(const unsigned* in, unsigned tiles, unsigned* out);
template <bool defect>
__global__ void prefix_sums(unsigned* data);
template <bool defect>
__global__ void stencil_tile(const unsigned* in, unsigned n, unsigned* out);
template <bool defect>
__global__ void transpose_tile(const float* in, float* out);
template <bool defect>
__global__ void clear_and_count(const unsigned char* text, unsigned n, unsigned* out);
template <bool defect>
__global__ void commit_maximum(const unsigned* in, unsigned* maximum);
template <bool defect>
__global__ void barrier_on_one_path(const unsigned* in, bool doubled, unsigned* out);
template <bool defect>
__global__ void count_in_shared_word(const int* in, int* out);
template <bool defect>
__global__ void broadcast_offset(const unsigned* offsets, unsigned* out);
template <bool defect>
__global__ void draw_chunks(unsigned* queue, unsigned rounds, unsigned* done);
template <bool defect>
__global__ void sum_of_warps(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void look_at_one_byte(const unsigned char* in, unsigned* out);
template <bool defect>
__global__ void compact(const int* in, int* out, unsigned* length);
template <bool defect>
__global__ void count_twice(unsigned* out);

// --- global_race_kernels.cpp

template <bool defect>
__global__ void count_bytes(const unsigned char* text, unsigned n, unsigned* histo);
template <bool defect>
__global__ void find_value(const unsigned* in, unsigned wanted, unsigned* where);
template <bool defect>
__global__ void add_next_block(const unsigned* in, unsigned* results, unsigned* out);
template <bool defect>
__global__ void sum_in_last_block(const unsigned* in, unsigned* partial, unsigned* finished, unsigned* out);
template <bool defect>
__global__ void count_up_to_limit(unsigned limit, unsigned* counter);
template <bool defect>
__global__ void pack_bytes(const unsigned char* in, unsigned* words);
template <bool defect>
__global__ void largest_of_blocks(const int* in, int* best);
template <bool defect>
__global__ void column_sums(const float* matrix, unsigned columns, float* sums);
template <bool defect>
__global__ void smooth(unsigned* cells, unsigned* out, unsigned n);
template <bool defect>
__global__ void add_under_lock(unsigned* lock, unsigned* total);
template <bool defect>
__global__ void push_on_list(unsigned* head, unsigned* next);
template <bool defect>
__global__ void wide_total(const unsigned* in, unsigned* low, unsigned* high);

// --- warp_kernels.cpp

template <bool defect>
__global__ void exchange_in_pairs(unsigned* data);
template <bool defect>
__global__ void reverse_after_half_sync(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void vote_in_place_of_sync(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void sum_in_lockstep(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void places_for_warps(unsigned* cursor, unsigned* out);
template <bool defect>
__global__ void every_lane_stores(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void ballot_of_the_others(const int* in, unsigned* out);
template <bool defect>
__global__ void full_mask_in_branch(const float* in, float* out);
template <bool defect>
__global__ void masks_that_overlap(unsigned* out);
template <bool defect>
__global__ void vote_in_uneven_loop(const unsigned* rounds, unsigned* out);

// --- memory_kernels.cpp

template <bool defect>
__global__ void read_past_end(const unsigned* in, unsigned n, unsigned* out);
template <bool defect>
__global__ void write_past_end(unsigned n, unsigned* out);
template <bool defect>
__global__ void count_past_end(const unsigned* grades, unsigned* bins);
template <bool defect>
__global__ void read_before_start(const int* in, int* out);
template <bool defect>
__global__ void tile_too_small(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void carve_dynamic(unsigned* out);
template <bool defect>
__global__ void misaligned_pairs(const unsigned* in, uint2* out);
template <bool defect>
__global__ void misaligned_field(unsigned char* records, const int* values);
template <bool defect>
__global__ void misaligned_atomic(unsigned* header);
template <bool defect>
__global__ void copy_by_sixteen(const uint4* in, unsigned n, uint4* out);
template <bool defect>
__global__ void clear_by_eight(unsigned* words, unsigned n);
template <bool defect>
__global__ void write_to_null(const unsigned* in, unsigned* sum, unsigned* largest);
template <bool defect>
__global__ void scale_by_pointer(const float* factor, float* data);
template <bool defect>
__global__ void count_letters(const signed char* text, unsigned n, unsigned* bins);
template <bool defect>
__global__ void follow_table(unsigned* const* table, unsigned* out);
template <bool defect>
__global__ void invert_picture(const unsigned char* pixels, unsigned width, unsigned height,
                               unsigned char* out);

// --- initialisation_kernels.cpp

template <bool defect>
__global__ void count_from_nowhere(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void clear_a_part(const unsigned char* text, unsigned* out);
template <bool defect>
__global__ void pack_colours(const uchar4* pixels, unsigned* out);
template <bool defect>
__global__ void accumulate(const unsigned* in, unsigned rounds, unsigned* sums);
template <bool defect>
__global__ void blur_to_the_edge(const float* in, float* out);
template <bool defect>
__global__ void add_all_slots(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void flag_by_absent_thread(const int* in, int* out);
template <bool defect>
__global__ void maximum_of_nothing(const int* in, int* largest);

// --- barrier_kernels.cpp

template <bool defect>
__global__ void barrier_inside_if(const unsigned* in, unsigned* out);
template <bool defect>
__global__ void barriers_in_both_branches(unsigned* out);
template <bool defect>
__global__ void barrier_in_uneven_loop(unsigned n, unsigned* out);
template <bool defect>
__global__ void return_before_barrier(const unsigned* in, unsigned n, unsigned* out);
template <bool defect>
__global__ void counts_at_two_places(const int* in, int* out);
template <bool defect>
__global__ void wait_for_flag(unsigned* flag, unsigned* out);
template <bool defect>
__global__ void wait_for_other_block(unsigned* turn, unsigned* order);
template <bool defect>
__global__ void lock_across_barrier(unsigned* lock, unsigned* out);
template <bool defect>
__global__ void spin_in_step(unsigned* ready, unsigned* out);
template <bool defect>
__global__ void search_with_barriers(const unsigned* in, unsigned n, unsigned wanted, unsigned* where);
