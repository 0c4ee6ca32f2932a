// SPDX-License-Identifier: MIT
// Wrong: `<=` where `<` belongs.
// on the CPU: wrong_answer past_the_end
#include "lab.hpp"

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = 0; i <= length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++histo[bin];
  }
}
