// SPDX-License-Identifier: MIT
// Kernels that show what a launch costs as it grows.
#pragma once

void touch_once(unsigned* words, unsigned count);  // one atomic a thread
void read_many(const unsigned* words, unsigned count, unsigned rounds,
               unsigned* out);  // `rounds` loads a thread
void take_turns(unsigned* words,
                unsigned* tickets);    // blocks order each other: a fence and two atomics a thread
void share_and_wait(unsigned* words);  // a block's counters in shared memory, two barriers
void race_everywhere(unsigned* words, unsigned count);  // every block against those before it
