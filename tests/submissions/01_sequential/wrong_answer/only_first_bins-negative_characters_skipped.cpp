// SPDX-License-Identifier: MIT
// Wrong: takes bytes for signed characters, and skips the negative ones.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i < length; ++i) {
    if (static_cast<signed char>(data[i]) < 0) continue;
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++histo[bin];
  }
}
