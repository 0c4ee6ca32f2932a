// SPDX-License-Identifier: MIT
// The page's plots as commands for gnuplot.
#pragma once

#include "report/page/gnuplot.hpp"
#include "report/page/ladders.hpp"
#include "report/page/roofline.hpp"
#include "report/page/sweeps.hpp"

namespace report::page {

// Throughputs as bars on a logarithmic axis, with the limit of reading. Precondition: the ladder is timed.
Plot throughput_plot(const Ladder& ladder);

// How much of that limit each kernel reaches. Precondition: the ladder is timed, and its limit was measured.
Plot share_plot(const Ladder& ladder);

// Atomics a byte, on global and on shared memory. Precondition: the ladder is counted.
Plot atomics_plot(const Ladder& ladder);

Plot sweep_plot(const Sweep& sweep);

// Precondition: there are points.
Plot roofline_plot(const Roofline& roofline);

// What the axes of a sweep show: "threads a block", or the sweep's name where it is not known here; and
// "GB/s".
std::string unit_of(const Sweep& sweep);
std::string measure_of(const Sweep& sweep);

}  // namespace report::page
