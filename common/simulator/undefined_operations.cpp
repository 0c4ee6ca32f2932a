// SPDX-License-Identifier: MIT
// What C++ leaves undefined, and each machine makes something else of:
//
//   shifts    by fewer bits than none, or by as many as the number has
//   indices   outside of an array whose length its type tells: of a thread's own, which no checker watches,
//             or of a struct's member, whose end lies within the struct
//
// A unit that is compiled with -fsanitize=shift-exponent or -fsanitize=bounds calls this for each of them.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "facts/words.hpp"
#include "simulator/machine.hpp"

namespace {

// As g++ and clang write them down.
struct TypeDescriptor {
  std::uint16_t kind, info;  // of a number: 0; twice the logarithm of its bits, and one if it has a sign
  char name[1];              // "'int'", or "'unsigned int [8]'" of an array
};
struct ShiftData {
  const char* file;
  std::uint32_t line, column;
  const TypeDescriptor *left, *right;
};
struct BoundsData {
  const char* file;
  std::uint32_t line, column;
  const TypeDescriptor *array, *index;
};

// A larger number is not handed over itself.
constexpr unsigned most_inline = 64;

unsigned bits_of(const TypeDescriptor& type) { return 1u << (type.info >> 1); }

std::int64_t value_of(const TypeDescriptor& type, std::uintptr_t value) {
  const unsigned rest = most_inline - bits_of(type);
  if ((type.info & 1) == 0) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(std::uint64_t{value} << rest) >> rest;
}

// Of "'unsigned int [4][8]'": "4 by 8 elements".
std::string extents_of(std::string_view type) {
  std::string extents;
  for (std::size_t open = type.find('['); open != std::string_view::npos; open = type.find('[', open + 1)) {
    if (!extents.empty()) extents += " by ";
    extents += facts::separated(std::strtoull(type.data() + open + 1, nullptr, 10));
  }
  const bool is_one = extents == "1";
  return extents + (is_one ? " element" : " elements");
}

bool is_ours(const char* file) { return std::string_view(file).find("simulator/") != std::string_view::npos; }

}  // namespace

#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" void __ubsan_handle_shift_out_of_bounds(const ShiftData* data, std::uintptr_t,
                                                   std::uintptr_t amount) {
  simulator::Machine& machine = simulator::Machine::instance();
  if (!machine.running() || is_ours(data->file) || bits_of(*data->right) > most_inline) return;
  // The address inside the call, by which a report finds the line.
  machine.refuse_shift(bits_of(*data->left), value_of(*data->right, amount),
                       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}

extern "C" void __ubsan_handle_out_of_bounds(const BoundsData* data, std::uintptr_t index) {
  simulator::Machine& machine = simulator::Machine::instance();
  const std::string_view type = data->array->name;
  if (!machine.running() || is_ours(data->file) || bits_of(*data->index) > most_inline ||
      type.find('[') == std::string_view::npos)
    return;
  machine.refuse_index(value_of(*data->index, index), data->column, extents_of(type),
                       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}
