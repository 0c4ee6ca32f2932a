// SPDX-License-Identifier: MIT
#include "simulator/synchronisation.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace simulator {

Synchronisation& Synchronisation::instance() {
  static Synchronisation synchronisation;
  return synchronisation;
}

void Synchronisation::begin_launch() {
  epoch_ = times_epoch_ = known_epoch_ = 0;
  fences_epoch_ = none;
  meetings_ = of_block_ = steps_ = 0;
  most_steps_ = most_steps;
  ordered_.clear();
  unordered_.clear();
  last_acquires_.fill({});
  forget();
}

void Synchronisation::forget() {
  releases_.clear();
  acquires_.clear();
  epoch_starts_.clear();
  snapshots_.clear();
  fences_before_.clear();
  before_barrier_epoch_ = 0;
}

void Synchronisation::begin_epoch() {
  ++epoch_;
  of_epoch_acquires_ = static_cast<std::uint32_t>(acquires_.size());
  if (of_epoch_acquires_ > (epoch_starts_.empty() ? 0 : epoch_starts_.back().acquires))
    epoch_starts_.push_back({epoch_, of_epoch_acquires_});
}

void Synchronisation::begin_block(std::uint32_t block, unsigned threads) {
  block_ = block;
  threads_ = threads;
  if (acquires_.size() > of_block_acquires_) last_acquires_.fill({});
  if (has_fenced_ || epoch_ == 0) {
    for_any_.fill({});
    for_device_.fill({});
    sequential_for_any_.fill({});
    sequential_for_device_.fill({});
    fenced_for_any_ = fenced_for_device_ = {};
    has_fenced_ = false;
  }
  thread_fenced_for_any_.reset();
  thread_fenced_for_device_.reset();
  if (std::exchange(has_own_releases_, false)) own_releases_.fill({});
  of_block_ = 0;
  if (meetings_ > most_meetings) forget();
  begin_epoch();
  of_block_acquires_ = of_epoch_acquires_;
}

void Synchronisation::block_barrier() { begin_epoch(); }

std::uint16_t& Synchronisation::time_of(unsigned thread) {
  if (times_epoch_ != epoch_) {
    time_.fill(0);
    times_epoch_ = epoch_;
    if (std::exchange(has_time_starts_, false))
      std::ranges::for_each(time_starts_, &std::vector<std::uint32_t>::clear);
  }
  return time_[thread];
}

std::uint16_t Synchronisation::go_on(unsigned thread) {
  std::uint16_t& time = time_of(thread);
  if (time == last_time) return time;
  if (++time % times_apart == 0) {
    time_starts_[thread].push_back(static_cast<std::uint32_t>(acquires_.size()));
    has_time_starts_ = true;
  }
  return time;
}

// Every lane learns what any of them knows, and that all of them have come this far.
void Synchronisation::warp_barrier(unsigned warp, unsigned lanes) {
  ++changes_;
  if (known_epoch_ != epoch_) {
    for (Times& row : known_) row.fill(0);
    known_epoch_ = epoch_;
  }
  Times joined{};
  const unsigned first = warp * ModelDevice::lanes;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Times& row = known_[first + lane];
    for (unsigned l = 0; l < ModelDevice::lanes; ++l) joined[l] = std::max(joined[l], row[l]);
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    joined[lane] = std::max(joined[lane], go_on(first + lane));
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1)
    known_[first + static_cast<unsigned>(std::countr_zero(rest))] = joined;
  share_fences(first, lanes);
}

// What a lane has done before its fence is released by what other lanes write behind the __syncwarp.
void Synchronisation::share_fences(unsigned first, unsigned lanes) {
  const auto share = [&](const std::array<SequentialFences, most_threads>& all, std::vector<Times>& fences) {
    Times joined{};
    bool any = false;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (fences_epoch_ == epoch_) {
        for (unsigned l = 0; l < ModelDevice::lanes; ++l)
          joined[l] = std::max(joined[l], fences[first + lane][l]);
      }
      const Fence& last = all[first + lane].last;
      if (epoch_ > 0 && last.epoch == epoch_) joined[lane] = last.time, any = true;
    }
    if (fences_epoch_ != epoch_) {
      if (!any) return;
      fences_epoch_ = epoch_;
      // In lockstep nobody says how many threads a block has.
      fences_for_any_.assign(most_threads, {});
      fences_for_device_.assign(most_threads, {});
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1)
      fences[first + static_cast<unsigned>(std::countr_zero(rest))] = joined;
  };
  share(sequential_for_any_, fences_for_any_);
  share(sequential_for_device_, fences_for_device_);
}

std::uint32_t Synchronisation::snapshot_of(const std::vector<Times>& fences, unsigned thread) {
  if (fences_epoch_ != epoch_ || fences[thread] == Times{}) return none;
  snapshots_.push_back(fences[thread]);
  return static_cast<std::uint32_t>(snapshots_.size() - 1);
}

void Synchronisation::fence(unsigned thread, const Fencing& fencing) {
  ++changes_;
  Fence fence{epoch_, go_on(thread)};
  if (known_epoch_ == epoch_) {
    fence.known = static_cast<std::uint32_t>(snapshots_.size());
    snapshots_.push_back(known_[thread]);
  }
  LastAcquires& last = last_acquires_[thread];
  if (fencing.word != 0) {
    if (fencing.how == Fencing::acquires) return acquire_word(last.any, fencing, fence);
    own_releases_[thread] = {fencing.word, fence, fencing.for_device ? fence : Fence{}};
    has_own_releases_ = true;
    return;
  }
  has_fenced_ = true;
  if (fencing.how != Fencing::acquires) {
    for_any_[thread] = fence;
    if (fencing.for_device) for_device_[thread] = fence;
  }
  if (fencing.how == Fencing::releases) return;
  if (fencing.how >= Fencing::sequential) add_sequential(thread, fencing.for_device, fence);
  if (fencing.how == Fencing::thread_fence) {
    thread_fenced_for_any_.set(thread);
    if (fencing.for_device) thread_fenced_for_device_.set(thread);
  }
  fence_acquires(last.any, std::exchange(last.fenced_for_any, last.any), &Acquire::for_any, fence);
  if (fencing.for_device)
    fence_acquires(last.any, std::exchange(last.fenced_for_device, last.any), &Acquire::for_device, fence);
}

namespace {

// Operations on less than a word exchange all of it.
bool same_word(std::uintptr_t one, std::uintptr_t other) { return one / 4 == other / 4; }

}  // namespace

void Synchronisation::acquire_since(Acquire& acquire, Fence Acquire::*since, const Fence& fence) {
  if ((acquire.*since).epoch == 0) acquire.*since = fence;
}

// An operation that acquires has read its word.
void Synchronisation::acquire_word(std::uint32_t last, const Fencing& fencing, const Fence& fence) {
  for (std::uint32_t at = last; at != none && same_word(acquires_[at].found.word, fencing.word);
       at = acquires_[at].before) {
    acquire_since(acquires_[at], &Acquire::for_any, fence);
    if (fencing.for_device) acquire_since(acquires_[at], &Acquire::for_device, fence);
  }
}

// A thread's acquires from the last one back to one that has been fenced.
void Synchronisation::fence_acquires(std::uint32_t last, std::uint32_t fenced, Fence Acquire::*since,
                                     const Fence& fence) {
  for (std::uint32_t at = last; at != fenced; at = acquires_[at].before)
    acquire_since(acquires_[at], since, fence);
}

bool Synchronisation::has_acquired(unsigned thread, std::uintptr_t word) const {
  for (std::uint32_t at = last_acquires_[thread].any; at != none; at = acquires_[at].before) {
    if (acquires_[at].found.word == word)
      return acquires_[at].for_any.epoch > 0 || acquires_[at].for_device.epoch > 0;
  }
  return false;
}

void Synchronisation::add_sequential(unsigned thread, bool for_device, const Fence& fence) {
  LastAcquires& last = last_acquires_[thread];
  const auto add = [&](SequentialFences& fences, FencedEpochs& epochs, std::uint32_t& fenced,
                       Fence Acquire::*since) {
    if (fences.last.epoch != fence.epoch) fences.before = fences.last, fences.first = fence;
    fences.last = fence;
    epochs.add(fence.epoch);
    fence_acquires(last.any, std::exchange(fenced, last.any), since, fence);
  };
  add(sequential_for_any_[thread], fenced_for_any_, last.sequential_for_any, &Acquire::sequential_for_any);
  if (for_device)
    add(sequential_for_device_[thread], fenced_for_device_, last.sequential_for_device,
        &Acquire::sequential_for_device);
}

const Synchronisation::FencesBefore& Synchronisation::before_barrier() {
  if (before_barrier_epoch_ == epoch_) return before_barrier_;
  before_barrier_epoch_ = epoch_;
  before_barrier_ = {};
  if (fenced_for_device_.last_before(epoch_) == 0 || forgets_block()) return before_barrier_;
  const auto when = [&](unsigned thread) {
    const Fence& fence = sequential_for_device_[thread].last_before(epoch_);
    return std::pair(fence.epoch, fence.time);
  };
  const std::span<const SequentialFences> all = std::span(sequential_for_device_).first(threads_);
  unsigned weakest = 0;
  for (unsigned thread = 1; thread < threads_; ++thread) {
    if (when(thread) < when(weakest)) weakest = thread;
  }
  before_barrier_.of_all = all[weakest].last_before(epoch_);
  before_barrier_.begin = static_cast<std::uint32_t>(fences_before_.size());
  for (unsigned thread = 0; thread < threads_; ++thread) {
    if (when(thread) > when(weakest))
      fences_before_.push_back({static_cast<std::uint16_t>(thread), all[thread].last_before(epoch_)});
  }
  before_barrier_.end = static_cast<std::uint32_t>(fences_before_.size());
  const std::uint32_t remembered = before_barrier_.end - before_barrier_.begin;
  meetings_ += remembered, of_block_ += remembered;
  return before_barrier_;
}

bool Synchronisation::strong_access(unsigned thread, std::uintptr_t address, bool reads, bool writes,
                                    bool for_block) {
  const auto known = releases_.find(address);
  const OwnRelease& own = own_releases_[thread];
  const bool releases_word = writes && own.word != 0 && same_word(own.word, address);
  const bool has_fenced = for_any_[thread].epoch > 0 || releases_word;
  const bool is_acquired =
      reads && known != releases_.end() && known->second.first < known->second.all.size();
  const auto lanes_have_fenced = [&] {
    return fences_epoch_ == epoch_ && fences_for_any_[thread] != Times{};
  };
  const bool is_released = writes && (has_fenced || before_barrier().any() || lanes_have_fenced());
  // What a thread has acquired it hands on with what it releases.
  const bool replaces = writes && !reads && known != releases_.end() &&
                        known->second.first < known->second.all.size() &&
                        !(is_released && has_acquired(thread, address));
  if ((!is_acquired && !is_released && !replaces) || forgets_block()) return false;
  bool goes_on = false, is_new = false;
  if (is_acquired) {
    const Found found{address, known->second.first, known->second.all.size()};
    std::uint32_t& last = last_acquires_[thread].any;
    if (last == none || acquires_[last].found != found) {
      const Fence now{epoch_, go_on(thread)};
      goes_on = is_new = true;
      // A fence before an atomic that changes the word counts too, as in CUDA's threadFenceReduction sample.
      acquires_.push_back({found,
                           block_,
                           epoch_,
                           static_cast<std::uint16_t>(thread),
                           now.time,
                           for_block,
                           last,
                           {},
                           {},
                           {},
                           {}});
      last = static_cast<std::uint32_t>(acquires_.size() - 1);
      Acquire& made = acquires_.back();
      if (writes && thread_fenced_for_any_[thread]) made.for_any = made.sequential_for_any = now;
      if (writes && thread_fenced_for_device_[thread]) made.for_device = made.sequential_for_device = now;
    }
  }
  if (replaces) known->second.first = known->second.all.size();
  if (is_released) {
    Releases& known_releases = releases_[address];
    std::vector<Release>& all = known_releases.all;
    const Release release{block_,
                          epoch_,
                          last_acquires_[thread].any,
                          of_block_acquires_,
                          of_epoch_acquires_,
                          static_cast<std::uint32_t>(acquires_.size()),
                          static_cast<std::uint16_t>(thread),
                          time_of(thread),
                          for_block,
                          releases_word ? own.for_any : for_any_[thread],
                          releases_word && own.for_device.epoch > 0 ? own.for_device : for_device_[thread],
                          sequential_for_any_[thread].last,
                          sequential_for_device_[thread].last,
                          before_barrier()};
    const bool adds = all.empty() || all.back().block != block_ || all.back().thread != thread ||
                      all.back().own != release.own || all.back().for_any != release.for_any ||
                      all.back().for_device != release.for_device ||
                      all.back().sequential_for_any != release.sequential_for_any ||
                      all.back().sequential_for_device != release.sequential_for_device ||
                      all.back().for_block != for_block || all.back().epoch != epoch_ ||
                      all.back().time != release.time;
    if (adds) {
      known_releases.add(release);
      all.back().lanes_for_any = snapshot_of(fences_for_any_, thread);
      all.back().lanes_for_device = snapshot_of(fences_for_device_, thread);
    }
    if (replaces) known_releases.first = all.size() - 1;
    is_new |= adds;
  }
  // A thread that waits reads the same again and again: nothing has to be remembered of that.
  meetings_ += is_new, of_block_ += is_new, changes_ += is_new || replaces;
  return goes_on;
}

// What the thread's earlier ones hold for, its last one does too: it may only release another word in
// between.
void Synchronisation::Releases::add(Release release) {
  std::vector<OfThread>& threads = of_block[release.block];
  auto known = std::ranges::find_if(threads, [&](const OfThread& of) {
    return of.thread == release.thread && of.for_block == release.for_block;
  });
  if (known == threads.end()) known = threads.insert(threads.end(), {release.thread, release.for_block, {}});
  if (!known->positions.empty() && known->positions.back() >= first) {
    const auto keep_later = [](Fence& fence, const Fence& earlier) {
      if (std::pair(earlier.epoch, earlier.time) > std::pair(fence.epoch, fence.time)) fence = earlier;
    };
    keep_later(release.for_any, all[known->positions.back()].for_any);
    keep_later(release.for_device, all[known->positions.back()].for_device);
  }
  known->positions.push_back(all.size());
  all.push_back(release);
}

}  // namespace simulator
