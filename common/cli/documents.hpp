// SPDX-License-Identifier: MIT
// Parts of JSON documents that more than one file writes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/messages.hpp"

namespace cli {

// What was run on what, and what is the matter with it: the beginning of a run's document and of a profile's.
nlohmann::ordered_json heading_of(const RunDescription& description, const facts::Finding& finding);

// One run, as `lab run --json` prints it and records keep it (docs/command-line.md, docs/records.md).
nlohmann::ordered_json run_document(const workbook::Workbook& workbook, const RunDescription& description,
                                    const measure::RunReport& report);

// The document as it is printed, without a line end: valid UTF-8 whatever a program wrote.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace cli
