// SPDX-License-Identifier: MIT
#include "simulator/assembly/instrumentation_calls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

std::optional<Hook> hook_named(std::string_view name) {
  if (const std::size_t at = name.find('@'); at != name.npos) name = name.substr(0, at);
  if (!name.starts_with("__tsan_")) return std::nullopt;
  name.remove_prefix(7);
  for (const std::string_view word : {"unaligned_", "volatile_"}) {
    if (name.starts_with(word)) name.remove_prefix(word.size());
  }
  if (name == "vptr_update") return Hook{8, true};
  if (name == "vptr_read") return Hook{8, false};
  if (name == "read_range") return Hook{0, false};
  if (name == "write_range") return Hook{0, true};
  for (const std::string_view word : {"read_write", "read", "write"}) {
    if (!name.starts_with(word)) continue;
    const auto bytes = number_in(name.substr(word.size()));
    if (bytes) return Hook{static_cast<int>(*bytes), word != "read"};
  }
  return std::nullopt;
}

bool reports_block(const Instruction& i) {
  return is_call(i.name) && !i.operands.empty() && i.operands[0].symbol.starts_with("__sanitizer_cov_");
}

bool leaves_frame_alone(std::string_view name) {
  return hook_named(name) || name.starts_with("__tsan_func_") || name.starts_with("__sanitizer_cov_");
}

bool only_computes(std::string_view name) {
  name = name.substr(0, name.find('@'));
  if (name.starts_with("_ZN9simulator") && (name.ends_with("_indexEj") || name.ends_with("_extentEj")))
    return true;
  if (name.starts_with("_Z")) {
    const std::size_t behind_length = name.find_first_not_of("0123456789", 2);
    return behind_length > 2 && name.substr(std::min(behind_length, name.size())).starts_with("__");
  }
  constexpr std::array of_compiler{"si2", "di2", "ti2", "di3", "ti3", "tf2", "tf3"};
  return name.starts_with("__") &&
         std::ranges::any_of(of_compiler, [&](const char* end) { return name.ends_with(end); });
}

}  // namespace simulator::x86
