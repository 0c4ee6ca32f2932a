// SPDX-License-Identifier: MIT
#pragma once

#include <string>

// A kernel's source without comments, its own names and constants: equal for kernels that are alike but for
// these.
std::string normalised(const std::string& source);
