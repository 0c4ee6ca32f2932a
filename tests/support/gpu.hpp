// SPDX-License-Identifier: MIT
// For test programs that need a GPU.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "measure/gpu_device.hpp"
#include "support/backends.hpp"

// Ends the program as skipped where no GPU answers, unless one is required.
inline void skip_without_gpu() {
  if (measure::gpu_device(workbook::here()).works || is_required("gpu")) return;
  std::puts("skipped: no GPU can be used here");
  std::exit(skipped);
}
