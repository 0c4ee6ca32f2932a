// SPDX-License-Identifier: MIT
// Mistakes about where code runs, on the host or on the device. nvcc refuses them; to the simulator's
// compiler the qualifiers are nothing.
#pragma once

#include <optional>
#include <string_view>

#include "judge/kernel_mistakes.hpp"
#include "judge/source_functions.hpp"

namespace judge {

// The kernel, by its name, is defined without __global__.
std::optional<KernelMistake> missing_global(const FunctionsOfFile& file, std::string_view kernel);

// threadIdx and its like in a function of the host.
std::optional<KernelMistake> index_on_host(const FunctionsOfFile& file);

// A kernel is called as a function is.
std::optional<KernelMistake> call_of_kernel(const FunctionsOfFile& file);

}  // namespace judge
