// SPDX-License-Identifier: MIT
#include "runner/gpu/cuda.hpp"

#include <algorithm>

namespace runner {

namespace {

std::vector<unsigned char> copied_back(const unsigned char* from, std::size_t bytes) {
  std::vector<unsigned char> result(bytes);
  check(cudaMemcpy(result.data(), from, bytes, cudaMemcpyDeviceToHost));
  return result;
}

}  // namespace

DeviceMemory::DeviceMemory(std::size_t bytes) { check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes)); }

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

void GuardedMemory::poison_guards() {
  check(cudaMemset(memory_.data(), guard_, layout_.begin()));
  check(cudaMemset(memory_.data() + layout_.end(), guard_, guard_bytes));
}

std::optional<std::int64_t> GuardedMemory::overwritten() const {
  return first_overwritten(layout_, copied_back(memory_.data(), layout_.begin()),
                           copied_back(memory_.data() + layout_.end(), guard_bytes), guard_);
}

void upload(const problems::Input& input, unsigned char* to) {
  constexpr std::uint64_t piece_bytes = 64 << 20;
  check(cudaMemset(to, 0, input.length()));
  std::vector<unsigned char> piece;
  for (const problems::Extent& extent : input.extents()) {
    for (std::uint64_t done = 0; done < extent.length; done += piece.size()) {
      piece.resize(std::min(piece_bytes, extent.length - done));
      input.read(extent.offset + done, piece);
      check(cudaMemcpy(to + extent.offset + done, piece.data(), piece.size(), cudaMemcpyHostToDevice));
    }
  }
}

}  // namespace runner
