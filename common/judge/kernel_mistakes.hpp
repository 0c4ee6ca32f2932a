// SPDX-License-Identifier: MIT
// Mistakes in a kernel's file that the simulator's compiler lets pass, and that nvcc refuses.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "facts/verdict.hpp"
#include "problems/problem.hpp"
#include "workbook/workbook.hpp"

namespace judge {

struct KernelMistake {
  int line;
  std::string words;
};

// The function among those that the harness calls which is a kernel.
std::optional<std::string_view> kernel_in(std::span<const problems::Callee> entry);

// Such a mistake in the text, of those that lead to others the first; nullopt if there is none. `entry`: the
// functions that the harness calls.
std::optional<KernelMistake> find_kernel_mistake(std::string_view text,
                                                 std::span<const problems::Callee> entry = {});

// The same in the target's file, as a finding.
std::optional<facts::Finding> kernel_mistake(const workbook::Workbook& workbook,
                                             const workbook::Target& target);

}  // namespace judge
