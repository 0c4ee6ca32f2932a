// SPDX-License-Identifier: MIT
// What nvcc makes of a unit for one kind of GPU: the machine code of its kernels in a file, the cubin. No GPU
// is needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "os/limited_command.hpp"
#include "workbook/workbook.hpp"

namespace build {

// The cubin of the target's unit, for GPUs of this compute capability, such as 9.0. The target's backend has
// to be the GPU. It is made again only if something that it depends on has changed. nullopt: the workbook was
// built without nvcc, or nvcc refuses the unit or does not know such GPUs. Throws as make_runner does.
std::optional<std::string> make_cubin(const workbook::Workbook& workbook, const workbook::Target& target,
                                      double capability, const os::ToolLimits& limits = {});

struct CompiledKernel {
  std::string name;        // the linker's
  unsigned registers = 0;  // of a thread
  std::vector<unsigned char> code;
};
// Empty for a file that cannot be read or is no cubin.
std::vector<CompiledKernel> compiled_kernels(const std::string& cubin);

}  // namespace build
