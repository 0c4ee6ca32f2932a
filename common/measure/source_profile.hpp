// SPDX-License-Identifier: MIT
// Where in a kernel's file the counters come from.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "facts/counters.hpp"

namespace measure {

struct SourceProfile {
  std::map<int, facts::Counters> lines;  // of the kernel's file; what is 0 is left out
  facts::Counters elsewhere;             // in other files, or where no line is known
};

// The counters of `places` (RunReport::places) by line of `file`; `program` is the runner that counted. What
// was inlined counts for the line that called it only where the callee lies in the simulator.
SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, facts::Counters>& places);

}  // namespace measure
