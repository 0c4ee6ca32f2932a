// SPDX-License-Identifier: MIT
// Shifts by fewer bits than none, or by as many as the number has: undefined in C++, and each machine makes
// something else of them. A unit that is compiled with -fsanitize=shift-exponent calls this for each of them.
#include <fmt/core.h>

#include <cstdint>
#include <string_view>

#include "simulator/machine.hpp"

namespace {

// As g++ and clang write them down.
struct TypeDescriptor {
  std::uint16_t kind, info;  // of a number: 0; twice the logarithm of its bits, and one if it has a sign
  char name[1];
};
struct ShiftData {
  const char* file;
  std::uint32_t line, column;
  const TypeDescriptor *left, *right;
};

unsigned bits_of(const TypeDescriptor& type) { return 1u << (type.info >> 1); }

std::int64_t value_of(const TypeDescriptor& type, std::uintptr_t value) {
  constexpr unsigned most = 64;
  const unsigned rest = most - bits_of(type);
  if ((type.info & 1) == 0) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(std::uint64_t{value} << rest) >> rest;
}

}  // namespace

#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" void __ubsan_handle_shift_out_of_bounds(const ShiftData* data, std::uintptr_t,
                                                   std::uintptr_t amount) {
  simulator::Machine& machine = simulator::Machine::instance();
  constexpr unsigned most_inline = 64;
  const bool is_ours = std::string_view(data->file).find("simulator/") != std::string_view::npos;
  if (!machine.running() || is_ours || bits_of(*data->right) > most_inline) return;
  // The address inside the call, by which a report finds the line.
  machine.refuse_shift(bits_of(*data->left), value_of(*data->right, amount),
                       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}
