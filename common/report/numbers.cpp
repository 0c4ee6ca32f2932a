// SPDX-License-Identifier: MIT
#include "report/numbers.hpp"

#include <fmt/core.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "facts/words.hpp"

namespace report {

namespace {

// The number as a multiple of the largest power of 1024 that divides it, and which power that is: 0 to 3.
std::pair<std::uint64_t, int> in_powers_of_1024(std::uint64_t number) {
  int power = 0;
  while (power < 3 && number >= 1024 && number % 1024 == 0) {
    number /= 1024;
    ++power;
  }
  return {number, power};
}

}  // namespace

std::string shape_text(std::uint64_t grid, std::uint64_t block) {
  return fmt::format("{} {} of {} {}", facts::separated(grid), grid == 1 ? "block" : "blocks", block,
                     block == 1 ? "thread" : "threads");
}

std::string number_text(double value, int digits) {
  constexpr double whole_from = 999.5, largest = 1e18;
  if (std::abs(value) >= whole_from && std::abs(value) < largest) {
    return (value < 0 ? "-" : "") +
           facts::separated(static_cast<std::uint64_t>(std::llround(std::abs(value))));
  }
  return fmt::format("{:.{}g}", value, digits);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  if (bytes == 1) return "1 byte";
  const auto [number, power] = in_powers_of_1024(bytes);
  return fmt::format("{} {}", facts::separated(number), units[power]);
}

std::string short_number(std::uint64_t number) {
  constexpr const char* units[] = {"", " Ki", " Mi", " Gi"};
  const auto [rest, power] = in_powers_of_1024(number);
  return fmt::format("{}{}", rest, units[power]);
}

std::string throughput_text(double gb_s) {
  constexpr double tera_from = 999.5;
  return gb_s >= tera_from ? fmt::format("{:.2f} TB/s", gb_s / 1000)
                           : fmt::format("{} GB/s", number_text(gb_s));
}

// Three significant digits, whole from 100 on; 999.5 and above belong to the next prefix.
std::string si_text(double value) {
  constexpr const char* prefixes[] = {"", " k", " M", " G", " T"};
  constexpr double next = 999.5;
  std::size_t power = 0;
  while (std::abs(value) >= next && power + 1 < std::size(prefixes)) {
    value /= 1000;
    ++power;
  }
  return number_text(value) + prefixes[power];
}

std::string duration_text(double time_ms, int digits) {
  constexpr double next = 0.9995;
  if (time_ms >= 1000 * next) return number_text(time_ms / 1000, digits) + " s";
  if (time_ms >= next) return number_text(time_ms, digits) + " ms";
  if (time_ms >= next / 1000) return number_text(1000 * time_ms, digits) + " µs";
  return number_text(1e6 * time_ms, digits) + " ns";
}

std::string share_text(double ratio) { return fmt::format("{:.{}f} %", 100 * ratio, ratio < 0.1 ? 2 : 1); }

std::string difference_text(double simulated, double measured) {
  if (simulated == measured) return "equal";
  if (measured == 0) return "not 0";
  return fmt::format("{:+.2g} %", 100 * (simulated / measured - 1));
}

}  // namespace report
