// SPDX-License-Identifier: MIT
// When a time has been measured often enough, and which samples count (docs/timing.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "runner/protocol.hpp"

namespace measure {

// Quartiles interpolate linearly between the neighbouring samples (Hyndman and Fan, 1996, definition 7).
struct Summary {
  double median, min, q1, q3;
  std::size_t samples;
};

// Precondition: at least one sample.
Summary summarize(std::vector<double> samples);

struct StopRule {
  unsigned round = 5;   // samples at a time, at most
  unsigned least = 20;  // samples, whatever their spread
  unsigned most = 300;
  double spread = 0.005;                   // enough: distance of the quartiles, as a part of the median
  std::chrono::milliseconds budget{2000};  // after this long what there is has to do, if it is
  unsigned fewest = 1;                     // so many samples come before that, dropped ones among them
};

// A GPU that is too hot or draws too much power lowers its clock. A sample is dropped if the multiprocessors
// ran slower than this part of the device's highest clock right after it.
constexpr double slowest_clock = 0.75;

// The times of one contender.
class Samples {
 public:
  // `highest_clock_mhz`: 0 where no clock is watched.
  explicit Samples(double highest_clock_mhz = 0) : highest_clock_mhz_(highest_clock_mhz) {}

  // Adds what a runner measured in one round, which took `wall` in all.
  void add(const runner::RunAnswer& answer, std::chrono::duration<double, std::milli> wall);

  bool enough(const StopRule& rule) const;

  // How many samples the next round should have, so that it does not go far beyond the budget: one, then as
  // many as fit.
  unsigned next_round(const StopRule& rule) const;

  // Nothing if no sample counts.
  std::optional<Summary> summary() const;

  const std::vector<double>& times_ms() const { return times_ms_; }
  unsigned dropped() const { return dropped_; }  // because of the clock
  // The median over the samples that count; nothing if no clock was watched.
  std::optional<double> clock_mhz() const;

 private:
  double highest_clock_mhz_;
  std::vector<double> times_ms_, clocks_mhz_;  // of the samples that count
  unsigned dropped_ = 0;
  std::chrono::duration<double, std::milli> spent_{};
};

// A win is claimed only where the quartiles do not overlap: three in four samples of the one are below three
// in four of the other.
bool is_faster(const Summary& one, const Summary& other);

}  // namespace measure
