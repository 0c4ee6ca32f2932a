// SPDX-License-Identifier: MIT
// Right: four bytes in each round, and the rest one by one.
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const auto count = [histo](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) ++histo[bin];
  };
  std::size_t i = 0;
  for (; i + 4 <= length; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) count(data[i + k]);
  }
  for (; i < length; ++i) count(data[i]);
}
