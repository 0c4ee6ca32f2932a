// SPDX-License-Identifier: MIT
#include "simulator/lost_updates.hpp"

namespace simulator {

void LostUpdates::load(std::uint64_t thread, std::uint64_t word, std::uintptr_t site) {
  const auto changed = words_.find(word);
  last_[thread] = {word, changed == words_.end() ? 0 : changed->second.times, site};
}

void LostUpdates::store(std::uint64_t thread, std::uint64_t word, std::uintptr_t address, std::uintptr_t size,
                        std::uintptr_t site) {
  Changed& changed = words_[word];
  const auto read = last_.find(thread);
  if (!first_ && read != last_.end() && read->second.word == word && read->second.times != changed.times &&
      changed.by != thread)
    first_ = {address, size, read->second.site, site, thread, changed.by};
  if (read != last_.end()) last_.erase(read);
  changed = {changed.times + 1, thread};
}

void LostUpdates::atomic(std::uint64_t thread, std::uint64_t word) {
  Changed& changed = words_[word];
  changed = {changed.times + 1, thread};
  last_.erase(thread);
}

}  // namespace simulator
