// SPDX-License-Identifier: MIT
// Wrong: counters of 16 bits.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned short counts[Binning::bins] = {};
  for (std::size_t i = 0; i < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++counts[bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) histo[bin] = counts[bin];
}
