// SPDX-License-Identifier: MIT
// Mistakes in a kernel's file that the simulator's compiler lets pass, and that nvcc refuses.
#pragma once

#include <optional>
#include <string_view>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

struct KernelMistake {
  int line;
  std::string words;
};

// The first such mistake in the text; nullopt if there is none.
std::optional<KernelMistake> find_kernel_mistake(std::string_view text);

// The function of this name, where the file has one that is no kernel; nullopt if all are, or there is none.
std::optional<KernelMistake> find_missing_global(std::string_view text, std::string_view kernel);

// The same in the target's file, as a finding.
std::optional<facts::Finding> kernel_mistake(const workbook::Workbook& workbook,
                                             const workbook::Target& target);

}  // namespace judge
