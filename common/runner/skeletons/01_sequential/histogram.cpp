// SPDX-License-Identifier: MIT
// Lab 01: the sequential histogram, on the CPU. (PMPP, figure 9.2)
//
// `data` holds `length` bytes. `histo` holds Binning::bins counters, all zero when the function is called.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: visit every byte of the input, from data[0] to data[length - 1].
    // TODO 2: ask Binning::bin_of which bin the byte falls into.
    // TODO 3: add one to that bin's counter; a bin of -1 means that the byte is not counted.
}
