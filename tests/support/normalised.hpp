// SPDX-License-Identifier: MIT
// A kernel's source without comments, its own names and constants: equal for kernels that are alike but for
// these.
#pragma once

#include <string>

std::string normalised(const std::string& source);
