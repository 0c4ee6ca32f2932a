// SPDX-License-Identifier: MIT
// The part of CUDA C++ that kernels may use on the simulator. What a `.cu` file gets from nvcc without an
// include, it gets from here; under nvcc these headers are empty.
#pragma once

#ifndef __CUDACC__
#include "simulator/cuda/atomics.hpp"
#include "simulator/cuda/indices.hpp"
#include "simulator/cuda/intrinsics.hpp"
#include "simulator/cuda/library.hpp"
#include "simulator/cuda/qualifiers.hpp"
#include "simulator/cuda/types.hpp"
#include "simulator/cuda/unsupported.hpp"
#include "simulator/cuda/warp.hpp"
#endif
