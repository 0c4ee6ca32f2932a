// SPDX-License-Identifier: MIT
// A demonstration as one page of HTML that needs nothing else: to be stepped through by keys, buttons or
// touch.
#pragma once

#include <string>

#include "demo/frame.hpp"

namespace demo {

std::string page(const Demonstration& demonstration);

}  // namespace demo
