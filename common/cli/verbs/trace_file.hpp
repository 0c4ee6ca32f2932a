// SPDX-License-Identifier: MIT
// The file that `lab run --trace FILE` writes; docs/trace.md describes it.
#pragma once

#include <cstdint>
#include <string>

#include "measure/record.hpp"

namespace cli {

// The blocks that "0,3-5" means. Throws UsageError.
facts::TraceRequest traced_blocks(const std::string& words);

// The whole file: a line that describes the run, and one for each event of its trace, which must be there.
// Asks addr2line for the lines of source.
std::string trace_lines(const workbook::Workbook& workbook, const measure::Record& record,
                        workbook::Tree tree, const facts::TraceRequest& blocks);

}  // namespace cli
