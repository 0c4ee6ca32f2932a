// SPDX-License-Identifier: MIT
// Right: a function of the host's may allocate, throw and have variables of every kind.
#include "lab.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

inline std::size_t calls = 0;

inline int checked(int bin) {
  if (bin < 0) throw std::out_of_range("not counted");
  return bin;
}

template <class Binning>
void histogram_sequential(const unsigned char* data, std::size_t length, unsigned int* histo) {
  static std::vector<int> bins;
  ++calls;
  bins.assign(256, 0);
  const std::unique_ptr<unsigned[]> counts(new unsigned[256]());
  std::map<int, unsigned> rare;
  for (std::size_t i = 0; i < length; ++i) {
    try {
      ++bins[static_cast<std::size_t>(checked(Binning::bin_of(data[i])))];
    } catch (const std::out_of_range&) {
      ++rare[data[i]];
    }
    ++counts[data[i]];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) histo[bin] = static_cast<unsigned>(bins[static_cast<std::size_t>(bin)]);
}
