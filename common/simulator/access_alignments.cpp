// SPDX-License-Identifier: MIT
#include "simulator/access_alignments.hpp"

#include <algorithm>
#include <unordered_map>

#include "simulator/program_image.hpp"

namespace {

struct ListedAccess {
  std::int32_t end;  // of its call, counted from here
  std::uint32_t what;
};

}  // namespace

// The lists' ends, by the linker; null where no unit has one.
extern "C" {
extern const ListedAccess __start_simulator_alignments[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __stop_simulator_alignments[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __start_simulator_type_alignments[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __stop_simulator_type_alignments[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __start_simulator_varying_addresses[] __attribute__((weak, visibility("hidden")));
extern const ListedAccess __stop_simulator_varying_addresses[] __attribute__((weak, visibility("hidden")));
}

namespace simulator {

namespace {

using Listed = std::unordered_map<std::uint32_t, std::uint32_t>;  // by places

Listed all_between(const ListedAccess* begin, const ListedAccess* end_of_list) {
  Listed accesses;
  for (const ListedAccess* one = begin; one != end_of_list; ++one) {
    const auto end =
        reinterpret_cast<std::uintptr_t>(one) + static_cast<std::uintptr_t>(std::intptr_t{one->end});
    // A place is inside of the call.
    accesses.emplace(static_cast<std::uint32_t>(ProgramImage::instance().place_of(end - 1)), one->what);
  }
  return accesses;
}

}  // namespace

std::uintptr_t known_alignment(std::uint32_t place, std::uintptr_t address) {
  constexpr std::uintptr_t most = 16;
  static const Listed accesses = all_between(__start_simulator_alignments, __stop_simulator_alignments);
  const auto found = accesses.find(place);
  if (found == accesses.end()) return most;
  const ProgramImage& program = ProgramImage::instance();
  const SharedArray* const array = program.shared_array_at(address);
  const std::uintptr_t of_array = array ? program.place_on_device(array->begin) : 0;
  return std::min<std::uintptr_t>(found->second, (of_array | most) & (~(of_array | most) + 1));
}

std::uintptr_t type_alignment(std::uint32_t place) {
  static const Listed accesses =
      all_between(__start_simulator_type_alignments, __stop_simulator_type_alignments);
  const auto found = accesses.find(place);
  return found == accesses.end() ? 1 : found->second;
}

std::uint32_t what_address_varies_with(std::uint32_t place) {
  static const Listed accesses =
      all_between(__start_simulator_varying_addresses, __stop_simulator_varying_addresses);
  const auto found = accesses.find(place);
  return found == accesses.end() ? 0 : found->second;
}

bool any_type_alignments() {
  return &__start_simulator_type_alignments[0] != &__stop_simulator_type_alignments[0];
}

}  // namespace simulator
