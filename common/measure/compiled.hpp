// SPDX-License-Identifier: MIT
// What nvcc makes of a kernel that has run on the simulator, where the workbook was built with nvcc.
#pragma once

#include <optional>
#include <vector>

#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct Compiled {
  unsigned registers = 0;           // of a thread
  std::vector<unsigned char> code;  // the kernel's instructions
};

// For GPUs of this compute capability, such as 9.0. `run`: a run on the simulator with a trace, which shows
// which of the file's kernels it was. nullopt if there is no nvcc, if it refuses the file, or if the trace
// shows nothing.
std::optional<Compiled> compiled(const workbook::Workbook& workbook, const Record& run, workbook::Tree tree,
                                 double capability);

}  // namespace measure
