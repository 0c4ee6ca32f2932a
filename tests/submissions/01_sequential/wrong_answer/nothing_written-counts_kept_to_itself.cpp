// SPDX-License-Identifier: MIT
// Wrong: counts in an array of its own that nobody else sees.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int counts[Binning::bins] = {};
  for (std::size_t i = 0; i < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++counts[bin];
  }
  histo = counts;
}
