// SPDX-License-Identifier: MIT
#include <algorithm>

#include "simulator/machine.hpp"

namespace simulator {

namespace {

constexpr int lane_count = static_cast<int>(ModelDevice::lanes);

bool contains(unsigned lanes, int lane) { return lane >= 0 && lane < lane_count && (lanes >> lane & 1); }

// The lane whose value a shuffle gives to `lane`; its own where the source lies outside its segment of the
// warp. (PTX ISA, shfl.sync; CUDA C++ Programming Guide, "Warp shuffle functions")
int source_lane(const WarpRequest& request, int lane) {
  const int width = std::clamp(request.width, 1, lane_count);
  const int segment = lane & ~(width - 1);
  const int last = segment + width - 1;
  const int distance = request.argument & (lane_count - 1);
  switch (request.operation) {
    case WarpOperation::shuffle:
      return segment + (request.argument & (width - 1));
    case WarpOperation::shuffle_up:
      return lane - distance >= segment ? lane - distance : lane;
    case WarpOperation::shuffle_down:
      return lane + distance <= last ? lane + distance : lane;
    default:
      return (lane ^ distance) <= last ? lane ^ distance : lane;
  }
}

std::uint32_t reduce(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::reduce_add:
      return a + b;
    case WarpOperation::reduce_min:
      return std::min(a, b);
    case WarpOperation::reduce_max:
      return std::max(a, b);
    case WarpOperation::reduce_min_signed:
      return static_cast<std::uint32_t>(std::min(signed_a, signed_b));
    case WarpOperation::reduce_max_signed:
      return static_cast<std::uint32_t>(std::max(signed_a, signed_b));
    case WarpOperation::reduce_and:
      return a & b;
    case WarpOperation::reduce_or:
      return a | b;
    default:
      return a ^ b;
  }
}

// The lanes whose value equals that of `lane`.
unsigned equal_lanes(const LaneRequests& requests, unsigned lanes, int lane) {
  unsigned equal = 0;
  for (int other = 0; other < lane_count; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (contains(lanes, other) && requests[at]->value == requests[static_cast<std::size_t>(lane)]->value) {
      equal |= 1u << other;
    }
  }
  return equal;
}

std::uint64_t result_of(const LaneRequests& requests, unsigned lanes, int lane) {
  const WarpRequest& own = *requests[static_cast<std::size_t>(lane)];
  switch (own.operation) {
    case WarpOperation::sync:
      return 0;
    case WarpOperation::shuffle:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor: {
      // A lane that does not take part has no defined value to give; a GPU returns what the register held.
      const int source = source_lane(own, lane);
      return contains(lanes, source) ? requests[static_cast<std::size_t>(source)]->value : own.value;
    }
    case WarpOperation::ballot: {
      unsigned votes = 0;
      for (int other = 0; other < lane_count; ++other) {
        if (contains(lanes, other) && requests[static_cast<std::size_t>(other)]->value) votes |= 1u << other;
      }
      return votes;
    }
    case WarpOperation::match_any:
      return equal_lanes(requests, lanes, lane);
    case WarpOperation::match_all: {
      const unsigned equal = equal_lanes(requests, lanes, lane);
      return equal == lanes ? lanes : 0;
    }
    default: {
      std::uint32_t total = static_cast<std::uint32_t>(own.value);
      for (int other = 0; other < lane_count; ++other) {
        if (other == lane || !contains(lanes, other)) continue;
        total = reduce(own.operation, total,
                       static_cast<std::uint32_t>(requests[static_cast<std::size_t>(other)]->value));
      }
      return total;
    }
  }
}

}  // namespace

void complete_operation(const LaneRequests& requests, unsigned lanes) {
  for (int lane = 0; lane < lane_count; ++lane) {
    if (contains(lanes, lane))
      requests[static_cast<std::size_t>(lane)]->result = result_of(requests, lanes, lane);
  }
}

}  // namespace simulator
