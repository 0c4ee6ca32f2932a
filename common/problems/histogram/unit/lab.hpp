// SPDX-License-Identifier: MIT
// What a histogram lab's file includes.
//
//   Binning            the kernel's template parameter: Binning::bins is the number of bins, and
//                      Binning::bin_of(byte) the bin of a byte, or -1 for a byte that is not counted
//   LaunchShape, multiprocessors(), resident_blocks(...)
//                      see runner/device.hpp
#pragma once

#include "problems/histogram/unit/binning.hpp"
#include "runner/device.hpp"
