// SPDX-License-Identifier: MIT
// Wrong: the loop ends one byte early.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i + 1 < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++histo[bin];
  }
}
