// SPDX-License-Identifier: MIT
// Parts of JSON documents that more than one file writes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/messages.hpp"

namespace cli {

// One run, as `lab run --json` prints it and records keep it (docs/command-line.md, docs/records.md).
nlohmann::ordered_json run_document(const judge::Workbook& workbook, const RunDescription& description, const measure::RunReport& report);

}  // namespace cli
