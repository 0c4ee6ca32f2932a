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
  of_earlier_epochs_ = 0;
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

void Synchronisation::block_barrier() {
  ++epoch_;
  of_earlier_epochs_ = acquires_.size();
}

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
    links_.push_back({acquire.found, chain_});
    chain_ = static_cast<std::uint32_t>(links_.size() - 1);
  }
  acquire.*since = fence;
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
  const bool is_acquired =
      reads && known != releases_.end() && known->second.first < known->second.all.size();
  const auto lanes_have_fenced = [&] {
    return fences_epoch_ == epoch_ && fences_for_any_[thread] != Times{};
  };
  const bool is_released = writes && (has_fenced || weakest_of_all().epoch > 0 || lanes_have_fenced());
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
      acquires_.push_back({found, static_cast<std::uint16_t>(thread), for_block, {}, {}, last});
      last = static_cast<std::uint32_t>(acquires_.size() - 1);
      if (writes && thread_fenced_for_any_[thread]) acquire_since(acquires_.back(), &Acquire::for_any, now);
      if (writes && thread_fenced_for_device_[thread])
        acquire_since(acquires_.back(), &Acquire::for_device, now);
    }
  }
  if (replaces) known->second.first = known->second.all.size();
  if (is_released) {
    Releases& known_releases = releases_[address];
    std::vector<Release>& all = known_releases.all;
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
      known_releases.add(release);
      all.back().lanes_for_any = snapshot_of(fences_for_any_, thread);
      all.back().lanes_for_device = snapshot_of(fences_for_device_, thread);
    }
    if (replaces) known_releases.first = all.size() - 1;
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

// Whether a release that was found there is one of what came before.
bool Synchronisation::has_met(const Meeting& meeting, const Point& before) const {
  const Found& found = meeting.found;
  const Releases& releases = releases_.at(found.word);
  const auto of_block = releases.of_block.find(before.block);
  if (of_block == releases.of_block.end()) return false;
  return std::ranges::any_of(of_block->second, [&](const OfThread& of) {
    const auto behind = std::ranges::lower_bound(of.positions, found.end);
    if (behind == of.positions.begin() || *std::prev(behind) < found.first) return false;
    const Release& last = releases.all[*std::prev(behind)];
    if (covers(last, before, before.block != meeting.block)) return true;
    // Whoever has read what a release has written comes behind that write, too.
    return before.strong_address == found.word && last.thread == before.thread &&
           (before.epoch < last.epoch || (before.epoch == last.epoch && before.time <= last.time));
  });
}

// The same, or by way of other words. Each release has to hold for whoever acquires it: on the way to another
// block, the last one does.
bool Synchronisation::reaches(const Meeting& meeting, const Point& before, std::vector<Meeting>& seen) const {
  constexpr unsigned links_each = 4;
  const bool is_known = std::ranges::any_of(seen, [&](const Meeting& known) {
    return known.found.word == meeting.found.word && known.block == meeting.block &&
           known.found.first <= meeting.found.first && known.found.end >= meeting.found.end &&
           known.depth <= meeting.depth;
  });
  if (is_known) return false;
  seen.push_back(meeting);
  if (has_met(meeting, before)) return true;
  if (meeting.depth == deepest) return false;
  const std::vector<Release>& all = releases_.at(meeting.found.word).all;
  // Blocks run in the order of their numbers: what an earlier one has released came before.
  for (std::size_t i = meeting.found.end; i > meeting.found.first && all[i - 1].block >= before.block; --i) {
    const Release& release = all[i - 1];
    if (release.block != meeting.block && !release.is_for_device()) continue;
    std::uint32_t link = release.chain;
    for (unsigned k = 0; k < links_each && link != none; ++k, link = links_[link].before) {
      if (reaches({links_[link].found, release.block, meeting.depth + 1}, before, seen)) return true;
    }
  }
  return false;
}

// By the thread's own acquires, by those of its warp's other lanes, of which a __syncwarp may have told it,
// or by those of its block from before a barrier.
bool Synchronisation::happens_before(const Point& before, const Point& now, bool by_other_words) const {
  const bool across = before.block != now.block;
  std::vector<Meeting> seen;
  const auto meets = [&](const Acquire& acquire) {
    return !(across && acquire.for_block) &&
           holds(across ? acquire.for_device : acquire.for_any, acquire, now) &&
           reaches({acquire.found, now.block, by_other_words ? 0 : deepest}, before, seen);
  };
  const auto thread_meets = [&](unsigned thread) {
    std::uint32_t at = last_acquires_[thread].any;
    while (at != none && !meets(acquires_[at])) at = acquires_[at].before;
    return at != none;
  };
  if (thread_meets(now.thread)) return true;
  const unsigned first = now.thread / ModelDevice::lanes * ModelDevice::lanes;
  for (unsigned thread = first; thread < first + ModelDevice::lanes; ++thread) {
    if (thread != now.thread && thread_meets(thread)) return true;
  }
  for (std::size_t i = of_earlier_epochs_; i-- > 0;) {
    if (meets(acquires_[i])) return true;
  }
  return false;
}

}  // namespace simulator
