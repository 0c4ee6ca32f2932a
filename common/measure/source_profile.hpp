// SPDX-License-Identifier: MIT
// Where in a kernel's file the counters come from.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "exercise/protocol.hpp"

namespace measure {

struct SourceProfile {
  std::map<int, exercise::Counters> lines;  // of the kernel's file; what is 0 is left out
  exercise::Counters elsewhere;             // in other files, or where no line is known
};

// The counters of `places` (RunReport::places) by line of `file`; `program` is the runner that counted. What
// was inlined counts for the line that called it only where the callee lies in the simulator.
SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, exercise::Counters>& places);

}  // namespace measure
