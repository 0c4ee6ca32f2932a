// SPDX-License-Identifier: MIT
// The file that `lab run --trace FILE` writes; docs/trace.md describes it.
#pragma once

#include <cstdint>
#include <string>

#include "cli/messages.hpp"

namespace cli {

// The blocks that "0,3-5" means. Throws UsageError.
facts::TraceRequest traced_blocks(const std::string& words);

struct TraceDescription {
  RunDescription run;
  workbook::Tree tree;
  std::uint64_t seed;
  unsigned grid, block;  // of the launch
  facts::TraceRequest blocks;
};

// The whole file: a line that describes the run, and one for each event. Asks addr2line for the lines of
// source.
std::string trace_lines(const workbook::Workbook& workbook, const TraceDescription& description,
                        const facts::Trace& trace);

}  // namespace cli
