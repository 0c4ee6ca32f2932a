// SPDX-License-Identifier: MIT
// Right: a pointer goes through the input backwards.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (const unsigned char* byte = data + length; byte != data;) {
    const int bin = Binning::bin_of(*--byte);
    if (bin >= 0) histo[bin] += 1;
  }
}
