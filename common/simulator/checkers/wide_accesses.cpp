// SPDX-License-Identifier: MIT
#include "simulator/checkers/wide_accesses.hpp"

#include <fmt/core.h>

#include <bit>

#include "facts/wide_access.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

void WideAccesses::note(const WarpAccess& access) {
  if (!noted_.insert(access.place).second) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(access.lanes));
  const std::uintptr_t address = access.address(lane);
  const SharedArray* const array = ProgramImage::instance().shared_array_at(address);
  if (!array || array->is_dynamic) return;
  const unsigned number = access.warp * ModelDevice::lanes + lane;
  const dim3 extent = block_.extent;
  hazards_.add(
      {.kind = facts::Verdict::pass,
       .what = fmt::format("a thread {} {} bytes at once at {}",
                           access.kind == AccessKind::load    ? "reads"
                           : access.kind == AccessKind::store ? "writes"
                                                              : "changes",
                           access.size, name_of_element(address, access.size)),
       .threads = {{uint3{number % extent.x, number / extent.x % extent.y, number / (extent.x * extent.y)},
                    block_.index}},
       .sites = {access.place},
       .roles = {std::string(facts::wide_access)}});
}

}  // namespace simulator
