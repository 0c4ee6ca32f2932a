// SPDX-License-Identifier: MIT
// Kernels that show one way each of using memory. nvcc and the simulator's compiler must issue the same
// memory instructions for them: sizes that matter arrive as the argument `parameter`, every value that is
// loaded reaches `out`, and loops that lanes leave at different times are not unrolled. They lie in
// groups (*_kernels.cuh), each of which ends with the list of its kernels.
//
// `in` and `out` hold `elements` words; what a launch needs of them is for launches.txt to keep below that.
#include <span>
#include <string_view>

#include "atomics_in_place_kernels.cuh"
#include "atomics_kernels.cuh"
#include "compare_and_swap_kernels.cuh"
#include "control_flow_kernels.cuh"
#include "generic_atomics_kernels.cuh"
#include "global_memory_kernels.cuh"
#include "shared_memory_kernels.cuh"
#include "shared_variables_kernels.cuh"
#include "uneven_turns_kernels.cuh"
#include "unrolled_loops_kernels.cuh"
#include "vector_members_kernels.cuh"

namespace golden {

namespace {

constexpr std::span<const Kernel> groups[] = {
    global_memory_kernels,   control_flow_kernels,     shared_memory_kernels,    shared_variables_kernels,
    atomics_kernels,         atomics_in_place_kernels, compare_and_swap_kernels, unrolled_loops_kernels,
    generic_atomics_kernels, vector_members_kernels,   uneven_turns_kernels,
};

}  // namespace

const Kernel* find_kernel(std::string_view name) {
  for (const std::span<const Kernel> group : groups) {
    for (const Kernel& kernel : group) {
      if (name == kernel.name) return &kernel;
    }
  }
  return nullptr;
}

}  // namespace golden
