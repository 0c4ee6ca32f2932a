// SPDX-License-Identifier: MIT
// A kernel has what this declares without an include, here as under nvcc.
