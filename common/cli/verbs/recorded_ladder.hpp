// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cli {

// The newest ladder of this input and binning among the records kept with the documents, for whoever has no
// GPU, under a line that says whose it is and when it was measured. Prints nothing if there is none.
void print_recorded_ladder(const std::string& input, const std::string& binning);

}  // namespace cli
