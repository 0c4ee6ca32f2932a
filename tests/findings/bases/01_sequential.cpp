// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* text, std::size_t n, unsigned int* hist) {
  for (std::size_t i = 0; i < n; i++) {
    int b = Binning::bin_of(text[i]);
    if (b >= 0) {
      hist[b]++;
    }
  }
}
