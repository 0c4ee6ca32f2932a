// SPDX-License-Identifier: MIT
// The frames of a demonstration that are worth printing, below one another in one drawing.
#pragma once

#include <string>

#include "demo/frame.hpp"

namespace demo {

std::string svg(const Demonstration& demonstration);

}  // namespace demo
