// SPDX-License-Identifier: MIT
// Right: counts byte values, and sorts them into bins afterwards.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int values[256] = {};
  for (std::size_t i = 0; i < length; ++i) ++values[data[i]];
  for (int byte = 0; byte < 256; ++byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) histo[bin] += values[byte];
  }
}
