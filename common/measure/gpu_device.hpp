// SPDX-License-Identifier: MIT
// The GPU at hand, by what it says of itself.
#pragma once

#include <map>
#include <string>

#include "workbook/workbook.hpp"

namespace measure {

// Its properties, or why none can be used.
struct GpuDevice {
  bool works = false;
  std::string why_not;  // if it does not
  std::map<std::string, std::string>
      properties;  // name, compute_capability, multiprocessors, memory_mib, clock_mhz, ...
};

// The highest clock of its multiprocessors; 0 where no GPU works.
double highest_clock_mhz(const GpuDevice& device);

// Whether the driver at hand keeps the GPU's counters to administrators, and this user is none.
bool counters_are_kept();

// Asks once per process.
const GpuDevice& gpu_device(const workbook::Workbook& workbook);

// Of the GPU at hand, or of the device that the simulator stands for.
unsigned multiprocessors(const workbook::Workbook& workbook, facts::Backend backend);

}  // namespace measure
