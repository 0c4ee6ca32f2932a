// SPDX-License-Identifier: MIT
#include "problems/reduction/conduct_observer.hpp"

#include <algorithm>
#include <bit>

#include "problems/reduction/unit/exercise.hpp"
#include "simulator/checkers/access_counts.hpp"

namespace reduction {

namespace {

bool holds(std::span<const unsigned char> array, std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
  return address >= begin && address - begin < array.size();
}

template <class Function>
void for_each_thread(const simulator::WarpAccess& access, Function function) {
  simulator::for_each_lane(access.lanes, [&](unsigned lane) {
    function(access.warp * simulator::ModelDevice::lanes + lane, access.address(lane));
  });
}

std::uint64_t largest(const std::vector<std::uint64_t>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

}  // namespace

void ConductObserver::block_begins(const simulator::BlockContext& block) {
  const std::size_t threads = std::size_t{block.extent.x} * block.extent.y * block.extent.z;
  read_.assign(threads, 0);
  writes_.assign(threads, 0);
  shared_reads_of_.assign(threads, 0);
}

void ConductObserver::access(const simulator::WarpAccess& access) {
  if (!simulator::writes(access.kind)) {
    load(access);
    return;
  }
  if (simulator::is_atomic(access.kind)) {
    atomics_ += static_cast<unsigned>(std::popcount(access.lanes));
    if (access.values) note_changes(access);
  }
  for_each_thread(access, [&](unsigned thread, std::uintptr_t address) {
    ++writes_[thread];
    if (access.space == simulator::Space::shared) {
      ++shared_writes_;
    } else {
      ++(holds(partials_, address) ? partial_writes_ : elsewhere_writes_);
      if (access.values && !holds(partials_, address)) ++writes_elsewhere_[address];
    }
  });
}

void ConductObserver::note_changes(const simulator::WarpAccess& access) {
  Changes& changes = changes_[access.place];
  simulator::for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uint64_t found = access.values->read[lane], left = access.values->written[lane];
    ++changes.atomics;
    changes.words.insert(access.address(lane));
    if (left == 0 || left == found) return;
    const unsigned beyond = 64 - 8 * access.size;  // bits that are not the word's
    const std::uint64_t growth = (left - found) << beyond;
    changes.is_equal &= !changes.is_growing || growth == changes.growth;
    changes.growth = growth;
    changes.is_growing = true;
  });
}

void ConductObserver::load(const simulator::WarpAccess& access) {
  const auto lanes = static_cast<unsigned>(std::popcount(access.lanes));
  if (access.space == simulator::Space::shared) {
    ++shared_requests_;
    shared_reads_ += lanes;
    for_each_thread(access, [&](unsigned thread, std::uintptr_t) { ++shared_reads_of_[thread]; });
    const unsigned turn = turns_of_warp_[{access.place, access.warp}]++;
    lanes_of_step_[{access.place, turn}] += lanes;
    return;
  }
  if (!holds(input_, access.address(static_cast<unsigned>(std::countr_zero(access.lanes))))) return;
  ++input_requests_;
  input_sectors_ += simulator::sectors(access);
  input_bytes_ += std::uint64_t{lanes} * access.size;
  for_each_thread(access, [&](unsigned thread, std::uintptr_t) { read_[thread] += access.size; });
}

void ConductObserver::end_interval() {
  for (const auto& [step, lanes] : lanes_of_step_)
    fewest_shared_requests_ += (lanes + simulator::ModelDevice::lanes - 1) / simulator::ModelDevice::lanes;
  lanes_of_step_.clear();
  turns_of_warp_.clear();
}

void ConductObserver::block_ends() {
  end_interval();
  most_read_ = std::max(most_read_, largest(read_));
  most_writes_ = std::max(most_writes_, largest(writes_));
  most_shared_reads_ = std::max(most_shared_reads_, largest(shared_reads_of_));
}

runner::Conduct ConductObserver::counted() const {
  std::uint64_t counting = 0, of_counters = 0;
  std::set<std::uintptr_t> counters, others;
  for (const auto& [place, changes] : changes_) {
    counting += changes.is_equal ? changes.atomics : 0;
    (changes.is_equal ? counters : others).insert(changes.words.begin(), changes.words.end());
  }
  for (const auto& [word, writes] : writes_elsewhere_)
    of_counters += counters.contains(word) && !others.contains(word) ? writes : 0;
  return {{"input_bytes", input_bytes_},
          {"input_requests", input_requests_},
          {"input_sectors", input_sectors_},
          {"partial_writes", partial_writes_},
          {"elsewhere_writes", elsewhere_writes_ - of_counters},
          {"shared_reads", shared_reads_},
          {"shared_writes", shared_writes_},
          {"shared_requests", shared_requests_},
          {"fewest_shared_requests", fewest_shared_requests_},
          {"combining_atomics", atomics_ - counting},
          {"most_input_bytes", most_read_},
          {"most_writes", most_writes_},
          {"most_shared_reads", most_shared_reads_}};
}

runner::ConductObserver* observe(runner::Bytes input, runner::Bytes result) {
  return new ConductObserver({input.begin, input.size}, {result.begin, result.size});
}

}  // namespace reduction
