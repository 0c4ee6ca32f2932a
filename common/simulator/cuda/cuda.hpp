// SPDX-License-Identifier: MIT
// The part of CUDA C++ that kernels may use on the simulator. They give a `.cu`
// file whatever nvcc gives it without an include; under nvcc these headers are empty.
#pragma once

#ifndef __CUDACC__
#include "simulator/cuda/arithmetic.hpp"
#include "simulator/cuda/atomics.hpp"
#include "simulator/cuda/intrinsics.hpp"
#include "simulator/cuda/library.hpp"
#include "simulator/cuda/qualifiers.hpp"
#include "simulator/cuda/types.hpp"
#include "simulator/cuda/unsupported.hpp"
#include "simulator/cuda/warp.hpp"
#endif
