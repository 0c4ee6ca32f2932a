// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace measure {

// Where a tool of NVIDIA's or of the system is: for ncu what the variable NCU names, then on PATH, in the CUDA Toolkit's usual
// folder, and in the newest folder of Nsight Compute, which has its own below /opt/nvidia. Empty: nowhere.
std::string find_tool(const std::string& name);

// Whether the driver at hand keeps the GPU's counters to administrators, and this user is none.
bool counters_are_kept();

}  // namespace measure
