// SPDX-License-Identifier: MIT
// Verdicts as a JUnit document, which `meson test` makes part of its own and other tools collect.
#pragma once

#include <string>
#include <vector>

#include "judge/check.hpp"
#include "workbook/workbook.hpp"

namespace cli {

// A test for each exercise; what is no pass is a failure whose text has the verdict, the diagnosis, the
// message and the places. Paths are relative to the submission's folder of labs.
std::string junit_document(const workbook::Workbook& workbook,
                           const std::vector<judge::CheckReport>& reports);

}  // namespace cli
