// SPDX-License-Identifier: MIT
// Kernels of a few lines, whose streams can be counted by hand. stream_kernels.cpp is compiled as a lab's
// file is.
#pragma once

// A word for each thread.
void copy_words(const unsigned* in, unsigned* out);
// Each thread loads four bytes that lie side by side, and adds up what they are afterwards.
void add_four_bytes(const unsigned char* in, unsigned* sum);
// Thread t adds up elements t, t + T, t + 2T, ... and stores the sum.
void add_up(const unsigned* in, unsigned length, unsigned* sums);
// Each thread adds to a word of shared memory, which all share, and after a barrier thread 0 loads it.
void count_in_shared_memory(unsigned* out);
void add_floats_in_shared_memory(unsigned* out);  // each lane 1 to the float of its group of four
// Each thread adds to word 0, and to a word of the block's own piece of 512 bytes.
void count_twice(unsigned* words);
// A copy of 128 words for each block.
void count_in_own_copy(unsigned* words);
// Both halves of a warp shuffle, each by itself.
void shuffle_in_halves(unsigned* out);
// Each thread loads a word, so many words from the one of the thread before.
void load_apart(const unsigned* in, unsigned stride, unsigned* out);
void load_apart_twice(const unsigned* in, unsigned stride, unsigned* out);  // with a barrier between
// Lanes load the first sector of each piece of 64 bytes and then the second, with a barrier between if it
// waits.
template <bool waits>
void load_sectors_in_turn(const unsigned* in, unsigned* out);
// Each thread copies four words to shared memory in a loop that is unrolled, and one of its neighbour's back.
void stage_words(const unsigned* in, unsigned* out);
// Lanes of even numbers add to a word of shared memory, the others subtract from another; then all meet.
void add_or_subtract(unsigned* out);
// Each thread copies a byte to a word.
void copy_bytes(const unsigned char* in, unsigned* out);
// In turn t, thread i adds word (i + t) % 4 of constant memory.
void add_constants(unsigned turns, unsigned* out);
// Each thread adds up the eight words of a row of shared memory, or the eight halves of words.
void add_up_rows(unsigned* out);
void add_up_halves(unsigned* out);
// Each thread asks whether a word of shared memory is above 3 for any lane, and then adds that word to the
// answer.
void ask_and_add(unsigned* out);
// Each thread divides one number by another, takes a remainder with sign, and divides by a constant.
void divide(const unsigned* in, unsigned* out);
// Thread 0 of each block takes a lock that is free.
void take(unsigned* lock);
// Each thread takes part in a match over three values, shuffles of 8 and of 4 bytes, a reduction and a vote.
void exchange_values(unsigned* out);
// Four lanes each add to a word of shared memory by compare-and-swaps.
void add_by_swaps(unsigned* out);
