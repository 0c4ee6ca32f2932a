// SPDX-License-Identifier: MIT
// Hostile: the solution is handed in.
// expected: forbidden: this includes a file outside of your labs
#include "lab.hpp"

#include "../../../solutions/02_global_atomics/histogram.cu"

