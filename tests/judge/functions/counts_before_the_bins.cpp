// SPDX-License-Identifier: MIT
// Wrong: a byte that is not counted has bin -1.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i < length; ++i) ++histo[Binning::bin_of(data[i])];  // before the first, too
}
