// SPDX-License-Identifier: MIT
// The ladder as a table on the terminal.
#pragma once

#include <string>

#include "measure/ladder.hpp"

namespace cli {

// Times, shares of the limit, speed-up over the first lab on the CPU and over the lab before.
void print_ladder(const measure::Ladder& ladder);

// The newest ladder of this input and variant among the records kept with the documents, for whoever has no
// GPU, under a line that says whose it is and when it was measured. Prints nothing if there is none.
void print_recorded_ladder(const std::string& input, const std::string& variant);

}  // namespace cli
