// SPDX-License-Identifier: MIT
// What sweeps over memory share: the input as words of 16 bytes, dealt to blocks in tiles. They leave the
// output as it is. Up to 15 bytes before the first whole word and behind the last one are left out.
#pragma once

#include "runner/device.hpp"
#include "runner/launch_outcome.hpp"

namespace runner {

class Pieces {
 public:
  __device__ Pieces(const unsigned char* data, std::size_t length) {
    const std::size_t before = (16 - reinterpret_cast<std::size_t>(data) % 16) % 16;
    words_ = reinterpret_cast<const uint4*>(data + before);
    count_ = length > before ? (length - before) / 16 : 0;
  }

  __device__ std::size_t words() const { return count_; }

  // Tiles of `loads` words a thread.
  __device__ std::size_t tiles(int loads) const {
    return (count_ + std::size_t{blockDim.x} * loads - 1) / (std::size_t{blockDim.x} * loads);
  }

  // This thread's word in a row of a block's width.
  __device__ std::size_t index(std::size_t row) const { return row * blockDim.x + threadIdx.x; }
  __device__ uint4 word(std::size_t row) const {
    const std::size_t at = index(row);
    return at < count_ ? words_[at] : uint4{};
  }

 private:
  const uint4* words_;
  std::size_t count_;
};

// Two blocks of 1024 threads fill a multiprocessor. Other launches are tried through the request
// (measure/ladder.cpp).
inline LaunchShape sweep_shape(std::size_t) { return {2 * multiprocessors(), 1024}; }

}  // namespace runner
