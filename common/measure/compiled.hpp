// SPDX-License-Identifier: MIT
// What nvcc makes of a kernel that has run on the simulator, where the workbook was built with nvcc.
#pragma once

#include <optional>
#include <vector>

#include "build/cubin.hpp"
#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct Compiled {
  unsigned registers = 0;           // of a thread
  std::vector<unsigned char> code;  // the kernel's instructions
};

// All kernels of an exercise's file, for GPUs of this compute capability, such as 9.0. Empty if there is no
// nvcc or it refuses the file.
std::vector<build::CompiledKernel> compiled_kernels(const workbook::Workbook& workbook,
                                                    const workbook::ExerciseInfo& exercise,
                                                    workbook::Tree tree, double capability);

// The one of them that ran. `run`: a run on the simulator with a trace, which shows
// which of the file's kernels it was. nullopt if there are none, or if the trace shows nothing.
std::optional<Compiled> compiled(const workbook::Workbook& workbook, const Record& run, workbook::Tree tree,
                                 double capability);

}  // namespace measure
