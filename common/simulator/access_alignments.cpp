// SPDX-License-Identifier: MIT
#include "simulator/access_alignments.hpp"

#include <algorithm>
#include <unordered_map>

#include "simulator/program_image.hpp"

namespace {

struct ListedAccess {
  std::int32_t end;  // of its call, counted from here
  std::uint32_t alignment;
};

}  // namespace

// The list's ends, by the linker; null where no unit has one.
extern "C" {
extern const ListedAccess __start_simulator_alignments[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __stop_simulator_alignments[] __attribute__((weak, visibility("hidden")));
}

namespace simulator {

namespace {

std::unordered_map<std::uint32_t, std::uintptr_t> all_accesses() {
  std::unordered_map<std::uint32_t, std::uintptr_t> accesses;
  for (const ListedAccess* one = __start_simulator_alignments; one != __stop_simulator_alignments; ++one) {
    const auto end =
        reinterpret_cast<std::uintptr_t>(one) + static_cast<std::uintptr_t>(std::intptr_t{one->end});
    // A place is inside of the call.
    accesses.emplace(static_cast<std::uint32_t>(ProgramImage::instance().place_of(end - 1)), one->alignment);
  }
  return accesses;
}

}  // namespace

std::uintptr_t known_alignment(std::uint32_t place, std::uintptr_t address) {
  constexpr std::uintptr_t most = 16;
  static const std::unordered_map<std::uint32_t, std::uintptr_t> accesses = all_accesses();
  const auto found = accesses.find(place);
  if (found == accesses.end()) return most;
  const ProgramImage& program = ProgramImage::instance();
  const SharedArray* const array = program.shared_array_at(address);
  const std::uintptr_t of_array = array ? program.place_on_device(array->begin) : 0;
  return std::min(found->second, (of_array | most) & (~(of_array | most) + 1));
}

}  // namespace simulator
