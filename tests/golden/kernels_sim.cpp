// SPDX-License-Identifier: MIT
// The kernels, for the simulator.
#include "kernels.cu"
