// SPDX-License-Identifier: MIT
// Whether one access comes before another, by releases and acquires: a search back from the later one,
// through what its thread has acquired, what those have acquired that released it, and so on.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

#include "simulator/synchronisation.hpp"

namespace simulator {

bool Synchronisation::ordered_by_warp(const Point& before, const Point& now) const {
  if (known_epoch_ != epoch_ || now.epoch != epoch_) return false;
  const std::uint16_t known = known_[now.thread][before.thread % ModelDevice::lanes];
  return known > before.time || known == last_time;
}

// Whether an acquire comes before an access of its block.
bool Synchronisation::holds(const Fence& since, const Acquire& acquire, const Point& now) const {
  if (since.epoch == 0) return false;
  if (since.epoch != now.epoch) return since.epoch < now.epoch;
  if (acquire.thread == now.thread) return since.time <= now.time;
  return acquire.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes &&
         ordered_by_warp({now.block, since.epoch, acquire.thread, since.time}, now);
}

// Whether what an acquire has read is acquired by a sequentially consistent fence of another thread: of the
// one that makes the access, behind a barrier or a __syncwarp, or of any thread between two barriers.
bool Synchronisation::is_fenced_by_others(const Acquire& acquire, bool for_device, const Point& now) const {
  if (acquire.block != now.block || (for_device && acquire.for_block)) return false;
  const FencedEpochs& epochs = for_device ? fenced_for_device_ : fenced_for_any_;
  if (epochs.last_before(now.epoch) > acquire.epoch) return true;
  const SequentialFences& own = (for_device ? sequential_for_device_ : sequential_for_any_)[now.thread];
  return std::ranges::any_of(std::array{own.first, own.last}, [&](const Fence& fence) {
    if (fence.epoch != now.epoch || fence.time > now.time) return false;
    if (acquire.epoch < now.epoch) return true;
    return acquire.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes && fence.known != none &&
           snapshots_[fence.known][acquire.thread % ModelDevice::lanes] > acquire.time;
  });
}

// Whether an acquire comes before a release of its block, which then hands on what was acquired.
bool Synchronisation::hands_on(const Release& release, const Fence& since, const Acquire& acquire) const {
  if (since.epoch == 0) return false;
  if (since.epoch != release.epoch) return since.epoch < release.epoch;
  if (acquire.thread == release.thread) return since.time <= release.time;
  const unsigned lane = acquire.thread % ModelDevice::lanes;
  const auto time_in = [&](std::uint32_t snapshot) {
    return snapshot == none ? std::uint16_t{0} : snapshots_[snapshot][lane];
  };
  if (release.for_any.epoch == since.epoch && time_in(release.for_any.known) > since.time) return true;
  return std::max(time_in(release.lanes_for_any), time_in(release.lanes_for_device)) >= since.time;
}

// A lower bound.
std::uint32_t Synchronisation::acquires_before(const Point& point) const {
  if (point.epoch == epoch_ && times_epoch_ == epoch_) {
    const auto& starts = time_starts_[point.thread];
    const std::size_t known = std::min<std::size_t>(point.time / times_apart, starts.size());
    if (known > 0) return starts[known - 1];
  }
  const auto later = std::ranges::upper_bound(epoch_starts_, point.epoch, {}, &EpochStart::epoch);
  return later == epoch_starts_.begin() ? 0 : std::prev(later)->acquires;
}

bool Synchronisation::covers(const Release& release, const Point& before, bool across,
                             const Held& held) const {
  if (release.block != before.block || (across && release.for_block)) return false;
  const auto comes_before = [&](const Fence& fence) {
    return before.epoch < fence.epoch || (before.epoch == fence.epoch && before.time < fence.time);
  };
  const bool same_warp = release.thread / ModelDevice::lanes == before.thread / ModelDevice::lanes;
  const auto knows = [&](std::uint32_t snapshot) {
    return snapshot != none && snapshots_[snapshot][before.thread % ModelDevice::lanes] > before.time;
  };
  const auto is_behind = [&](const Fence& own) {
    if (own.epoch == 0) return false;
    if (release.thread == before.thread ? comes_before(own) : before.epoch < own.epoch) return true;
    return same_warp && before.epoch == own.epoch && knows(own.known);
  };
  if (held.plainly && is_behind(across ? release.for_device : release.for_any)) return true;
  if (!held.sequentially) return false;
  if (is_behind(across ? release.sequential_for_device : release.sequential_for_any)) return true;
  if (same_warp && before.epoch == release.epoch &&
      knows(across ? release.lanes_for_device : release.lanes_for_any))
    return true;
  const FencesBefore& others = release.before_barrier;
  if (others.of_all.epoch > 0 && comes_before(others.of_all)) return true;
  const std::span list = std::span(fences_before_).subspan(others.begin, others.end - others.begin);
  const auto own = std::ranges::lower_bound(list, before.thread, {}, &FenceOf::thread);
  return own != list.end() && own->thread == before.thread && comes_before(own->fence);
}

// Of one pair of accesses. A step is an acquire with its scopes: those for which it comes before the access,
// or before the release that hands it on.
class Synchronisation::Search {
 public:
  Search(const Synchronisation& order, const Point& before, const Point& now, bool by_other_words,
         std::uint64_t& steps)
      : order_(order),
        before_(before),
        now_(now),
        by_other_words_(by_other_words),
        steps_(steps),
        earliest_(order.acquires_before(before)) {}

  bool finds();
  bool by_strong_write() const { return by_strong_write_; }

 private:
  struct Step {
    std::uint32_t acquire;
    Held for_any, for_device;
    const Held& held(bool across) const { return across ? for_device : for_any; }
    bool holds_plainly() const { return for_any.plainly || for_device.plainly; }
  };
  struct WordOfBlock {
    std::uintptr_t word;
    std::uint32_t block;
    bool operator==(const WordOfBlock&) const = default;
  };
  struct WordOfBlockHash {
    std::size_t operator()(const WordOfBlock& key) const {
      return (key.word << 24 ^ key.block) * 0x9e3779b97f4a7c15u >> 8;
    }
  };
  // What of a word has been looked through already, for an acquire of a block.
  struct Seen {
    std::size_t first, end;
    Held for_any, for_device;
  };
  static bool is_as_much(const Held& one, const Held& other) {
    return one.plainly >= other.plainly && one.sequentially >= other.sequentially;
  }

  bool starts();
  template <class Holds>
  bool takes(std::uint32_t acquire, const Holds& holds, bool by_access = false);
  template <class Holds>
  bool takes_from(std::uint32_t last, const Holds& holds, bool by_access = false);
  bool goes_back(const Release& release);
  bool goes_on(const Step& step);
  bool is_seen(const Step& step);
  bool has_met(const Step& step);
  // Each thread's last release among those that were found, if it holds for the one who has found it.
  template <class Take>
  bool last_releases(const Step& step, std::span<const OfThread> threads, const Take& take) const;

  const Synchronisation& order_;
  const Point& before_;
  const Point& now_;
  const bool by_other_words_;
  std::uint64_t& steps_;
  std::uint32_t earliest_;  // acquires before this one have not found what is looked for
  bool by_strong_write_ = false;
  std::vector<Step> next_;
  std::unordered_map<WordOfBlock, Seen, WordOfBlockHash> seen_;
  std::unordered_map<const OfThread*, std::size_t> seen_releases_;  // up to which position
  std::unordered_map<std::uint32_t, std::uint32_t>
      seen_of_blocks_;  // up to which acquire, by a block's first
};

bool Synchronisation::Search::finds() {
  if (starts()) return true;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const Step step = next_[i];
    if (goes_on(step)) return true;
    if (steps_ > order_.most_steps_) return true;
  }
  return false;
}

// What the thread itself has acquired, the other lanes of its warp, of whom a __syncwarp may have told it,
// and its block before a barrier.
bool Synchronisation::Search::starts() {
  const auto by_access = [&](const Fence& since, const Acquire& acquire) {
    return order_.holds(since, acquire, now_);
  };
  const auto thread_takes = [&](unsigned thread) {
    return takes_from(order_.last_acquires_[thread].any, by_access, true);
  };
  if (thread_takes(now_.thread)) return true;
  const unsigned first = now_.thread / ModelDevice::lanes * ModelDevice::lanes;
  for (unsigned thread = first; thread < first + ModelDevice::lanes; ++thread) {
    if (thread != now_.thread && thread_takes(thread)) return true;
  }
  const std::uint32_t first_of_block = std::max(order_.of_block_acquires_, earliest_);
  for (std::uint32_t at = order_.of_epoch_acquires_; at-- > first_of_block;) {
    if (takes(at, by_access, true)) return true;
  }
  return false;
}

// From a thread's last acquire back to its first.
template <class Holds>
bool Synchronisation::Search::takes_from(std::uint32_t last, const Holds& holds, bool by_access) {
  for (std::uint32_t at = last; at != none && at >= earliest_; at = order_.acquires_[at].before) {
    if (takes(at, holds, by_access)) return true;
  }
  return false;
}

// Whether an acquire that comes before has met what is looked for; if not, it is gone on with later.
// `by_access`: it comes before the access itself, and not before a release.
template <class Holds>
bool Synchronisation::Search::takes(std::uint32_t at, const Holds& holds, bool by_access) {
  ++steps_;
  const Acquire& acquire = order_.acquires_[at];
  Step step{at, {holds(acquire.for_any, acquire), holds(acquire.sequential_for_any, acquire)}, {}};
  if (!acquire.for_block)
    step.for_device = {holds(acquire.for_device, acquire), holds(acquire.sequential_for_device, acquire)};
  if (by_access) {
    step.for_any.sequentially |= order_.is_fenced_by_others(acquire, false, now_);
    step.for_device.sequentially |= order_.is_fenced_by_others(acquire, true, now_);
  }
  if (!(step.for_any.any() || step.for_device.any())) return false;
  if (!by_other_words_ || !step.holds_plainly()) return has_met(step);
  // Nearly always the first one is the one, and nothing has to be remembered for others.
  const bool is_first = seen_.empty();
  if (is_first && has_met(step)) return true;
  if (is_seen(step)) return false;
  if (!is_first && has_met(step)) return true;
  next_.push_back(step);
  return false;
}

bool Synchronisation::Search::is_seen(const Step& step) {
  const Acquire& acquire = order_.acquires_[step.acquire];
  const Found& found = acquire.found;
  const auto [known, is_new] = seen_.try_emplace({found.word, acquire.block},
                                                 Seen{found.first, found.end, step.for_any, step.for_device});
  if (is_new) return false;
  Seen& seen = known->second;
  if (seen.first <= found.first && found.end <= seen.end && is_as_much(seen.for_any, step.for_any) &&
      is_as_much(seen.for_device, step.for_device))
    return true;
  if (found.first <= seen.first && seen.end <= found.end)
    seen = {found.first, found.end, step.for_any, step.for_device};
  return false;
}

template <class Take>
bool Synchronisation::Search::last_releases(const Step& step, std::span<const OfThread> threads,
                                            const Take& take) const {
  const Acquire& acquire = order_.acquires_[step.acquire];
  const Found& found = acquire.found;
  const std::vector<Release>& all = order_.releases_.at(found.word).all;
  return std::ranges::any_of(threads, [&](const OfThread& of) {
    const auto behind = std::ranges::lower_bound(of.positions, found.end);
    if (behind == of.positions.begin() || *std::prev(behind) < found.first) return false;
    const std::size_t position = *std::prev(behind);
    const Release& last = all[position];
    const bool across = last.block != acquire.block;
    return step.held(across).any() && take(of, position, last, across);
  });
}

// Whether a release that was found there is one of what came before.
bool Synchronisation::Search::has_met(const Step& step) {
  const Found& found = order_.acquires_[step.acquire].found;
  const Releases& releases = order_.releases_.at(found.word);
  const auto of_block = releases.of_block.find(before_.block);
  if (of_block == releases.of_block.end()) return false;
  // Mostly it is the thread's own.
  const auto by_thread = std::ranges::find(of_block->second, before_.thread, &OfThread::thread);
  const bool is_known = by_thread != of_block->second.end();
  const auto is_the_one = [&](const OfThread&, std::size_t, const Release& last, bool across) {
    if (order_.covers(last, before_, across, step.held(across))) return true;
    if (!step.held(across).plainly) return false;
    // Whoever has read what a release has written comes behind that write, too.
    by_strong_write_ = before_.strong_address == found.word && last.thread == before_.thread &&
                       std::tie(before_.epoch, before_.time) <= std::tie(last.epoch, last.time);
    return by_strong_write_;
  };
  return (is_known && last_releases(step, std::span(&*by_thread, 1), is_the_one)) ||
         last_releases(step, of_block->second, is_the_one);
}

// To what those have acquired that have released what this acquire has found. What is from before the epoch
// that is looked for knows nothing of it.
bool Synchronisation::Search::goes_on(const Step& step) {
  const auto goes = [&](const OfThread& of, std::size_t position, const Release& last, bool across) {
    ++steps_;
    if (!step.held(across).plainly || last.epoch < before_.epoch || (across && !last.is_for_device()))
      return false;
    const auto [seen, is_new] = seen_releases_.try_emplace(&of, position);
    if (!is_new && position <= seen->second) return false;
    seen->second = position;
    return goes_back(last);
  };
  for (const auto& [block, threads] :
       order_.releases_.at(order_.acquires_[step.acquire].found.word).of_block) {
    ++steps_;
    if (last_releases(step, threads, goes)) return true;
  }
  return false;
}

bool Synchronisation::Search::goes_back(const Release& release) {
  const auto by_release = [&](const Fence& since, const Acquire& acquire) {
    return order_.hands_on(release, since, acquire);
  };
  if (takes_from(release.own, by_release)) return true;
  if (release.for_any.known != none || release.lanes_for_any != none || release.lanes_for_device != none) {
    for (std::uint32_t at = release.end, first = std::max(release.of_epoch, earliest_); at-- > first;) {
      const Acquire& acquire = order_.acquires_[at];
      if (acquire.thread != release.thread &&
          acquire.thread / ModelDevice::lanes == release.thread / ModelDevice::lanes && takes(at, by_release))
        return true;
    }
  }
  // Of its block, what a barrier has told it.
  const std::uint32_t first_of_block = std::max(release.of_block, earliest_);
  std::uint32_t& seen = seen_of_blocks_.try_emplace(release.of_block, first_of_block).first->second;
  std::uint32_t not_yet = none;
  for (std::uint32_t at = seen; at < release.of_epoch; ++at) {
    const Acquire& acquire = order_.acquires_[at];
    if (!(by_release(acquire.for_any, acquire) || by_release(acquire.for_device, acquire)))
      not_yet = std::min(not_yet, at);
    if (takes(at, by_release)) return true;
  }
  seen = std::max(seen, std::min(not_yet, release.of_epoch));
  return false;
}

bool Synchronisation::happens_before(const Point& before, const Point& now, bool by_other_words) {
  if (acquires_.empty()) return false;
  if (steps_ > most_steps_) return true;
  if (ordered_.empty()) {
    ordered_.resize(most_answers);
    unordered_.resize(most_answers);
  }
  const auto earlier = [](const Point& a, const Point& b) {
    return std::tie(a.epoch, a.time) <= std::tie(b.epoch, b.time);
  };
  const std::size_t at = answer_at(before, now);
  Answer &ordered = ordered_[at], &unordered = unordered_[at];
  if (ordered.is_for(before, now) && earlier(before, ordered.before) && earlier(ordered.now, now))
    return true;
  if (by_other_words && unordered.is_for(before, now) && unordered.changes == changes_ &&
      unordered.before.strong_address == before.strong_address && earlier(unordered.before, before) &&
      earlier(now, unordered.now))
    return false;
  Search search(*this, before, now, by_other_words, steps_);
  const bool found = search.finds();
  if (!search.by_strong_write() && (found || by_other_words))
    (found ? ordered : unordered) = {before, now, changes_};
  return found;
}

}  // namespace simulator
