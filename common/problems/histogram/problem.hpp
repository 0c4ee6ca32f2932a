// SPDX-License-Identifier: MIT
#pragma once

#include "problems/problem.hpp"

namespace histogram {

const problems::Problem& problem();

}  // namespace histogram
