// SPDX-License-Identifier: MIT
// Measures the GPU at hand for the timing model, by the program in model/calibrate/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace measure {

// Builds the program if need be and runs it: its documents, one for each measurement. Throws
// facts::MachineError where there is no nvcc or no GPU, or the program fails.
std::vector<nlohmann::ordered_json> measured_calibration(const workbook::Workbook& workbook);

// The documents in a text with one of them a line. Throws facts::MachineError, which names the line of `file`
// that is none.
std::vector<nlohmann::ordered_json> calibration_in(const std::string& text, const std::string& file);

}  // namespace measure
