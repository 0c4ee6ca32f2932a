// SPDX-License-Identifier: MIT
#include "simulator/synchronisation.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace simulator {

Synchronisation& Synchronisation::instance() {
  static Synchronisation synchronisation;
  return synchronisation;
}

void Synchronisation::begin_launch() {
  epoch_ = times_epoch_ = known_epoch_ = 0;
  fences_epoch_ = none;
  meetings_ = of_block_ = 0;
  releases_.clear();
  links_.clear();
  snapshots_.clear();
  forget_acquires();
}

void Synchronisation::forget_acquires() {
  if (!acquires_.empty()) last_acquires_.fill({});
  acquires_.clear();
}

void Synchronisation::begin_block(std::uint32_t block, unsigned threads) {
  block_ = block;
  threads_ = threads;
  ++epoch_;
  forget_acquires();
  chain_ = none;
  if (fenced_ > 0 || of_all_is_known_ || for_any_[0].epoch > 0 || !releases_.empty() || epoch_ == 1) {
    for_any_.fill({});
    for_device_.fill({});
  }
  thread_fenced_for_any_.reset();
  thread_fenced_for_device_.reset();
  if (std::exchange(has_own_releases_, false)) own_releases_.fill({});
  fenced_ = 0;
  of_all_is_known_ = false;
  of_block_ = 0;
  if (meetings_ <= most_meetings) return;
  releases_.clear();
  links_.clear();
  snapshots_.clear();
}

void Synchronisation::block_barrier() { ++epoch_; }

std::uint16_t& Synchronisation::time_of(unsigned thread) {
  if (times_epoch_ != epoch_) {
    time_.fill(0);
    times_epoch_ = epoch_;
  }
  return time_[thread];
}

std::uint16_t Synchronisation::go_on(unsigned thread) {
  std::uint16_t& time = time_of(thread);
  if (time < last_time) ++time;
  return time;
}

// Every lane learns what any of them knows, and that all of them have come this far.
void Synchronisation::warp_barrier(unsigned warp, unsigned lanes) {
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
  const auto share = [&](const std::array<Fence, most_threads>& last, std::vector<Times>& fences) {
    Times joined{};
    bool any = false;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (fences_epoch_ == epoch_) {
        for (unsigned l = 0; l < ModelDevice::lanes; ++l)
          joined[l] = std::max(joined[l], fences[first + lane][l]);
      }
      if (epoch_ > 0 && last[first + lane].epoch == epoch_)
        joined[lane] = last[first + lane].time, any = true;
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
  share(for_any_, fences_for_any_);
  share(for_device_, fences_for_device_);
}

std::uint32_t Synchronisation::snapshot_of(const std::vector<Times>& fences, unsigned thread) {
  if (fences_epoch_ != epoch_ || fences[thread] == Times{}) return none;
  snapshots_.push_back(fences[thread]);
  return static_cast<std::uint32_t>(snapshots_.size() - 1);
}

void Synchronisation::fence(unsigned thread, const Fencing& fencing) {
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
  if (fencing.how != Fencing::acquires) {
    for_any_[thread] = fence;
    if (fencing.for_device) {
      fenced_ += for_device_[thread].epoch == 0;
      for_device_[thread] = fence;
      of_all_is_known_ = false;
    }
  }
  if (fencing.how == Fencing::releases) return;
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

// What a block has acquired it hands on.
void Synchronisation::acquire_since(Acquire& acquire, Fence Acquire::*since, const Fence& fence) {
  if ((acquire.*since).epoch > 0) return;
  if (acquire.for_any.epoch == 0 && acquire.for_device.epoch == 0) {
    links_.push_back({acquire.word, acquire.releases, chain_});
    chain_ = static_cast<std::uint32_t>(links_.size() - 1);
  }
  acquire.*since = fence;
}

// An operation that acquires has read its word.
void Synchronisation::acquire_word(std::uint32_t last, const Fencing& fencing, const Fence& fence) {
  for (std::uint32_t at = last; at != none && same_word(acquires_[at].word, fencing.word);
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

const Synchronisation::Fence& Synchronisation::weakest_of_all() {
  if (of_all_is_known_) return of_all_;
  of_all_ = {};
  of_all_is_known_ = true;
  if (fenced_ < threads_) return of_all_;
  const auto last = for_device_.begin() + threads_;
  const auto weakest = std::min_element(for_device_.begin(), last, [](const Fence& a, const Fence& b) {
    return a.epoch != b.epoch ? a.epoch < b.epoch : a.time < b.time;
  });
  of_all_ = *weakest;
  return of_all_;
}

bool Synchronisation::strong_access(unsigned thread, std::uintptr_t address, bool reads, bool writes,
                                    bool for_block) {
  const auto known = releases_.find(address);
  const OwnRelease& own = own_releases_[thread];
  const bool releases_word = writes && own.word != 0 && same_word(own.word, address);
  const bool has_fenced = for_any_[thread].epoch > 0 || releases_word;
  const bool is_acquired = reads && known != releases_.end();
  const auto lanes_have_fenced = [&] {
    return fences_epoch_ == epoch_ && fences_for_any_[thread] != Times{};
  };
  const bool is_released = writes && (has_fenced || weakest_of_all().epoch > 0 || lanes_have_fenced());
  if ((!is_acquired && !is_released) || forgets_block()) return false;
  bool goes_on = false, is_new = false;
  if (is_acquired) {
    const std::size_t count = known->second.size();
    std::uint32_t& last = last_acquires_[thread].any;
    if (last == none || acquires_[last].word != address || acquires_[last].releases != count) {
      const Fence now{epoch_, go_on(thread)};
      goes_on = is_new = true;
      // A fence before an atomic that changes the word counts too, as in CUDA's threadFenceReduction sample.
      acquires_.push_back({address, count, static_cast<std::uint16_t>(thread), for_block, {}, {}, last});
      last = static_cast<std::uint32_t>(acquires_.size() - 1);
      if (writes && thread_fenced_for_any_[thread]) acquire_since(acquires_.back(), &Acquire::for_any, now);
      if (writes && thread_fenced_for_device_[thread])
        acquire_since(acquires_.back(), &Acquire::for_device, now);
    }
  }
  if (is_released) {
    std::vector<Release>& all = releases_[address];
    const Release release{block_,
                          epoch_,
                          chain_,
                          static_cast<std::uint16_t>(thread),
                          time_of(thread),
                          for_block,
                          releases_word ? own.for_any : for_any_[thread],
                          releases_word && own.for_device.epoch > 0 ? own.for_device : for_device_[thread],
                          weakest_of_all()};
    const bool adds = all.empty() || all.back().block != block_ || all.back().thread != thread ||
                      all.back().chain != chain_ || all.back().for_any != release.for_any ||
                      all.back().for_device != release.for_device || all.back().of_all != release.of_all ||
                      all.back().for_block != for_block || all.back().epoch != epoch_ ||
                      all.back().time != release.time;
    if (adds) {
      all.push_back(release);
      all.back().lanes_for_any = snapshot_of(fences_for_any_, thread);
      all.back().lanes_for_device = snapshot_of(fences_for_device_, thread);
    }
    is_new |= adds;
  }
  // A thread that waits reads the same again and again: nothing has to be remembered of that.
  meetings_ += is_new, of_block_ += is_new;
  return goes_on;
}

bool Synchronisation::ordered_by_warp(const Point& before, const Point& now) const {
  if (known_epoch_ != epoch_ || now.epoch != epoch_) return false;
  const std::uint16_t known = known_[now.thread][before.thread % ModelDevice::lanes];
  return known > before.time || known == last_time;
}

// Whether an acquire comes before an access.
bool Synchronisation::holds(const Fence& since, const Acquire& acquire, const Point& now) const {
  if (since.epoch == 0) return false;
  if (since.epoch != now.epoch) return since.epoch < now.epoch;
  if (acquire.thread == now.thread) return since.time <= now.time;
  return acquire.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes &&
         ordered_by_warp({now.block, since.epoch, acquire.thread, since.time}, now);
}

bool Synchronisation::covers(const Release& release, const Point& before, bool across) const {
  if (release.block != before.block || (across && release.for_block)) return false;
  const auto comes_before = [&](const Fence& fence) {
    return before.epoch < fence.epoch || (before.epoch == fence.epoch && before.time < fence.time);
  };
  const Fence& own = across ? release.for_device : release.for_any;
  const bool same_warp = release.thread / ModelDevice::lanes == before.thread / ModelDevice::lanes;
  const auto knows = [&](std::uint32_t snapshot) {
    return snapshot != none && snapshots_[snapshot][before.thread % ModelDevice::lanes] > before.time;
  };
  if (own.epoch > 0) {
    if (release.thread == before.thread ? comes_before(own) : before.epoch < own.epoch) return true;
    if (same_warp && before.epoch == own.epoch && knows(own.known)) return true;
  }
  if (same_warp && before.epoch == release.epoch &&
      knows(across ? release.lanes_for_device : release.lanes_for_any))
    return true;
  return release.of_all.epoch > 0 && release.of_all.epoch < release.epoch && comes_before(release.of_all);
}

// Whether a release that these have found is one of what came before, or has it by way of other words.
bool Synchronisation::reaches(const Meeting& meeting, const Point& before, bool across,
                              std::vector<Meeting>& seen) const {
  constexpr unsigned links_each = 4;
  const std::vector<Release>& all = releases_.at(meeting.word);
  // Blocks run in the order of their numbers: what an earlier one has released came before.
  const auto may_cover = [&](std::size_t i) { return all[i].block >= before.block; };
  for (std::size_t i = meeting.releases; i-- > 0 && may_cover(i);) {
    const Release& release = all[i];
    if (covers(release, before, across)) return true;
    // Whoever has read what a release has written comes behind that write, too.
    if (before.strong_address == meeting.word && release.block == before.block &&
        release.thread == before.thread &&
        (before.epoch < release.epoch || (before.epoch == release.epoch && before.time <= release.time)))
      return true;
  }
  if (meeting.depth == deepest) return false;
  for (std::size_t i = meeting.releases; i-- > 0 && may_cover(i);) {
    std::uint32_t link = all[i].chain;
    for (unsigned k = 0; k < links_each && link != none; ++k, link = links_[link].before) {
      const Meeting next{links_[link].word, links_[link].releases, meeting.depth + 1};
      const bool is_known =
          next.word == meeting.word || std::ranges::any_of(seen, [&](const Meeting& known) {
            return known.word == next.word && known.releases >= next.releases && known.depth <= next.depth;
          });
      if (is_known) continue;
      seen.push_back(next);
      if (reaches(next, before, true, seen)) return true;
    }
  }
  return false;
}

bool Synchronisation::happens_before(const Point& before, const Point& now, bool by_other_words) const {
  const bool across = before.block != now.block;
  std::vector<Meeting> seen;
  return std::any_of(acquires_.rbegin(), acquires_.rend(), [&](const Acquire& acquire) {
    return !(across && acquire.for_block) &&
           holds(across ? acquire.for_device : acquire.for_any, acquire, now) &&
           reaches({acquire.word, acquire.releases, by_other_words ? 0 : deepest}, before, across, seen);
  });
}

}  // namespace simulator
