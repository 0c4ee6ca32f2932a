// SPDX-License-Identifier: MIT
// Counted in what nvcc 13.0 makes for sm_90 of kernels that call one of them each.
#include "simulator/assembly/gpu_functions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace simulator::x86 {

namespace {

using Cost = std::pair<std::string_view, unsigned>;

constexpr std::array one_by_one{
    Cost{"__popcountdi2", 1},  // g++'s for __popc
    Cost{"__brev", 1},        Cost{"__brevll", 2},     Cost{"__byte_perm", 1},  Cost{"__fns", 40},
    Cost{"__mul24", 3},       Cost{"__umul24", 3},     Cost{"__mulhi", 1},      Cost{"__umulhi", 1},
    Cost{"__mul64hi", 16},    Cost{"__umul64hi", 7},   Cost{"__hadd", 3},       Cost{"__uhadd", 3},
    Cost{"__rhadd", 4},       Cost{"__urhadd", 4},     Cost{"__sad", 1},        Cost{"__usad", 1},
    Cost{"__vabs4", 3},       Cost{"__vabsdiffs4", 3}, Cost{"__vabsdiffu4", 1}, Cost{"__vadd2", 1},
    Cost{"__vsub2", 1},       Cost{"__vmaxs2", 1},     Cost{"__vmaxu2", 1},     Cost{"__vmins2", 1},
    Cost{"__vminu2", 1},      Cost{"__vneg2", 2},      Cost{"__vneg4", 3},      Cost{"__vsadu4", 1},
    Cost{"__vhaddu2", 3},     Cost{"__vhaddu4", 3},    Cost{"__vavgs2", 12},    Cost{"__vavgs4", 12}};

constexpr std::array families{Cost{"__dp4a", 1},  Cost{"__dp2a", 1},  Cost{"__funnelshift", 1},
                              Cost{"__vimax", 1}, Cost{"__vimin", 1}, Cost{"__viadd", 1},
                              Cost{"__vadd", 7},  Cost{"__vsub", 7}};

// Of two half words or four bytes in a word.
constexpr unsigned of_packed = 5;

// Without the length that a C++ symbol has in front of a name, and the types behind it.
std::string_view plain_name(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('@'));
  if (!symbol.starts_with("_Z")) return symbol;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(symbol.data() + 2, symbol.data() + symbol.size(), length);
  return error == std::errc{} ? symbol.substr(static_cast<std::size_t>(end - symbol.data()), length) : "";
}

}  // namespace

unsigned gpu_instructions_of(std::string_view symbol) {
  const std::string_view name = plain_name(symbol);
  const auto exact = std::ranges::find(one_by_one, name, &Cost::first);
  if (exact != one_by_one.end()) return exact->second;
  const auto family =
      std::ranges::find_if(families, [&](const Cost& one) { return name.starts_with(one.first); });
  if (family != families.end()) return family->second;
  return name.starts_with("__v") && (name.ends_with('2') || name.ends_with('4')) ? of_packed : 0;
}

}  // namespace simulator::x86
