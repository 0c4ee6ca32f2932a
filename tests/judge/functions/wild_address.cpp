// SPDX-License-Identifier: MIT
// Wrong: an index that leads to where no memory is.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i < length; ++i) histo[data[i] - (std::ptrdiff_t{1} << 40)] = 1;  // nowhere
}
