// SPDX-License-Identifier: MIT
// Honest: helpers in a namespace, one with an inline namespace, and using.
#include "lab.hpp"

namespace mine {
inline namespace v1 {
__device__ inline bool counts(int bin) { return bin >= 0; }
}
namespace detail { enum class Kind : unsigned char { letter, other }; }
}  // namespace mine
using namespace mine;
namespace short_name = mine::detail;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  const auto kind = counts(bin) ? short_name::Kind::letter : short_name::Kind::other;
  if (kind == short_name::Kind::letter) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
