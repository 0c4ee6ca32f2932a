// SPDX-License-Identifier: MIT
// Hostile: a submission that is kept for tests is handed in.
// expected: forbidden: this includes a file outside of your labs
#include "lab.hpp"

#include "../../submissions/02_global_atomics/pass/pointer_and_block_of_1000.cu"

