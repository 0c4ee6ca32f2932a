// SPDX-License-Identifier: MIT
#include "problems/histogram/conduct_observer.hpp"

#include <algorithm>
#include <bit>

#include "problems/histogram/unit/exercise.hpp"
#include "simulator/checkers/access_counts.hpp"

namespace histogram {

namespace {

// A thread's next byte is near where it lies within a sector's length: a loop over a piece may be unrolled.
constexpr std::uintptr_t near_bytes = 32;

bool holds(std::span<const unsigned char> array, std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
  return address >= begin && address - begin < array.size();
}

template <class Function>
void for_each_lane_of(const simulator::WarpAccess& access, Function function) {
  for (unsigned lanes = access.lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    function(access.warp * simulator::ModelDevice::lanes + lane, access.address(lane));
  }
}

std::uintptr_t distance(std::uintptr_t a, std::uintptr_t b) { return a > b ? a - b : b - a; }

}  // namespace

void ConductObserver::block_begins(const simulator::BlockContext& block) {
  first_block_ = block.number == 0;
  const std::size_t threads = std::size_t{block.extent.x} * block.extent.y * block.extent.z;
  last_loaded_.assign(threads, 0);
  used_atomic_.assign(threads, 0);
  read_.assign(threads, 0);
  writes_.assign(threads, 0);
}

void ConductObserver::access(const simulator::WarpAccess& access) {
  const auto lanes = static_cast<unsigned>(std::popcount(access.lanes));
  if (!simulator::writes(access.kind)) {
    if (access.space == simulator::Space::global) load(access);
  } else if (access.space == simulator::Space::shared) {
    shared_writes_ += lanes;
    for_each_lane_of(access, [&](unsigned thread, std::uintptr_t) { ++writes_[thread]; });
  } else {
    write(access);
  }
}

void ConductObserver::load(const simulator::WarpAccess& access) {
  if (!holds(input_, access.address(static_cast<unsigned>(std::countr_zero(access.lanes))))) return;
  ++input_requests_;
  input_sectors_ += simulator::sectors(access);
  for_each_lane_of(access, [&](unsigned thread, std::uintptr_t address) {
    std::uintptr_t& last = last_loaded_[thread];
    const bool near = last != 0 && distance(address, last) < near_bytes;
    input_bytes_ += access.size;
    read_[thread] += access.size;
    input_near_bytes_ += near ? access.size : access.size - 1;
    last = address;
  });
}

void ConductObserver::write(const simulator::WarpAccess& access) {
  for_each_lane_of(access, [&](unsigned thread, std::uintptr_t address) {
    ++writes_[thread];
    if (!holds(result_, address)) {
      ++elsewhere_writes_;
      return;
    }
    ++result_writes_;
    if (!first_block_) ++result_writes_of_others_;
    if (!simulator::is_atomic(access.kind)) return;
    ++result_atomics_;
    used_atomic_[thread] = 1;
  });
}

void ConductObserver::block_ends() {
  for (const std::uint64_t read : read_) most_read_ = std::max(most_read_, read);
  for (const std::uint64_t writes : writes_) most_writes_ = std::max(most_writes_, writes);
  atomic_threads_ += static_cast<std::uint64_t>(std::count(used_atomic_.begin(), used_atomic_.end(), 1));
}

runner::Conduct ConductObserver::counted() const {
  return {{"input_bytes", input_bytes_},
          {"input_near_bytes", input_near_bytes_},
          {"input_requests", input_requests_},
          {"input_sectors", input_sectors_},
          {"result_atomics", result_atomics_},
          {"result_writes", result_writes_},
          {"result_writes_of_other_blocks", result_writes_of_others_},
          {"atomic_threads", atomic_threads_},
          {"elsewhere_writes", elsewhere_writes_},
          {"shared_writes", shared_writes_},
          {"most_input_bytes", most_read_},
          {"most_writes", most_writes_}};
}

runner::ConductObserver* observe(runner::Bytes input, runner::Bytes result) {
  return new ConductObserver({input.begin, input.size}, {result.begin, result.size});
}

}  // namespace histogram
