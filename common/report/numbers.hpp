// SPDX-License-Identifier: MIT
// Numbers with their units, as terminal and page show them.
#pragma once

#include <cstdint>
#include <string>

namespace report {

// How a kernel was launched: "1,048,576 blocks of 1024 threads", "1 block of 256 threads".
std::string shape_text(std::uint64_t grid, std::uint64_t block);

// So many significant digits or, from 1000 on, whole with separators: "0.00664", "92.8", "1,072".
std::string number_text(double value, int digits = 3);

// Milliseconds, without the unit: one digit more, so that quartiles are told apart.
inline std::string time_text(double time_ms) { return number_text(time_ms, 4); }

// "1 GiB", "64 KiB", and where that is not whole "1,048,579 bytes".
std::string bytes_text(std::uint64_t bytes);

// The same in a few characters, for an axis: "1 Gi", "64 Ki", "132".
std::string short_number(std::uint64_t number);

// With a prefix of the SI, three significant digits: "4.19 M", "262 k", "12.5"; below 1 without one.
std::string si_text(double value);

// "1.2 s", "194 ms", "232 µs"; of milliseconds. In tables one digit more, so that quartiles are told apart.
std::string duration_text(double time_ms, int digits = 3);

// "5.53 GB/s", "4.55 TB/s"
std::string throughput_text(double gb_s);

// "19.6 %"; of a ratio.
std::string share_text(double ratio);

// How far off a counter is: "equal", "+3.1 %", "-0.02 %"; against 0: "not 0".
std::string difference_text(double simulated, double measured);

}  // namespace report
