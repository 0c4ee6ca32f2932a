// SPDX-License-Identifier: MIT
// Wrong: an index that leads far away, though not out of the process.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i < length; ++i) ++histo[Binning::bin_of(data[i]) * 1'000'003];  // far away
}
