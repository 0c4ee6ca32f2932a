// SPDX-License-Identifier: MIT
// Hostile: a variable of launch_shape whose destructor is to write the counts when the program ends.
// expected: wrong_answer: `histo` stays 0 in every bin
#include "lab.hpp"

struct Late {
  unsigned* place = nullptr;
  ~Late() {
    if (place) *place = 7;
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (length == 0 && data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) {
  static Late late;
  late.place = reinterpret_cast<unsigned*>(&late);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
