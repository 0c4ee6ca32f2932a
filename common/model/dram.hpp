// SPDX-License-Identifier: MIT
// A multiprocessor's share of DRAM, which serves one request after another.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "model/device.hpp"
#include "model/stream.hpp"

namespace model {

class Dram {
 public:
  explicit Dram(const Device& device) : device_(device) {}

  double busy_cycles() const { return busy_; }  // with all that it has served

  void write(double time, unsigned sectors) {
    serve(time, sectors * sector_bytes / device_.dram_bytes_per_cycle);
  }

  // How long a load takes that L1 does not hold. `busy_slices`: the part of L2's slices that are busy with
  // atomics until `atomics_done`. `sectors`: that it wants for each that its step says.
  double latency(double time, const Step& step, double sectors, double busy_slices, double atomics_done) {
    // What is read beside a sector that is wanted alone leaves this one waiting; it is not what is asked for.
    const double of_sector = sector_bytes / device_.dram_bytes_per_cycle,
                 of_bytes = sectors * step.sectors * of_sector,
                 of_half = std::clamp(device_.dram_request_cycles - of_sector, 0.0, of_sector);
    const double done = serve(time, of_bytes) + sectors * step.half_pieces * of_half;
    free_ = done;
    const double behind_atomics = busy_slices * std::max(0.0, atomics_done - done);
    return done - time + behind_atomics + device_.dram_latency + under_load(time, of_bytes) +
           device_.dram_latency_spread * std::min(exponential_(random_), latest);
  }

 private:
  static constexpr double sector_bytes = 32;
  // How many cycles are "lately", and the part of the time for which DRAM counts as busy at most.
  static constexpr double lately = 1000, fullest = 0.9;
  // The random part of a latency is at most so many times its mean.
  static constexpr double latest = 3;

  double serve(double time, double cycles) {
    free_ = std::max(free_, time) + cycles;
    busy_ += cycles;
    return free_;
  }

  // How much longer a load takes because DRAM has been busy with others for a part of the time, lately: as in
  // a queue to which requests come at random. `cycles`: for which it will be with this one.
  double under_load(double time, double cycles) {
    load_ *= std::exp(-std::max(0.0, time - loaded_at_) / lately);
    loaded_at_ = std::max(loaded_at_, time);
    const double part = std::min(load_, fullest);
    load_ += cycles / lately;
    return device_.dram_queue_cycles * part / (1 - part);
  }

  const Device& device_;
  double free_ = 0, busy_ = 0;
  double load_ = 0, loaded_at_ = 0;  // for which part it has been busy lately, and until when
  std::minstd_rand random_{1};
  std::exponential_distribution<double> exponential_{1};
};

}  // namespace model
