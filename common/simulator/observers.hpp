// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "simulator/observer.hpp"

namespace simulator {

// All observers of a launch, told one after another.
class Observers {
 public:
  void add(std::unique_ptr<Observer> observer) {
    add(*observer);
    owned_.push_back(std::move(observer));
  }
  void add(Observer& observer) {
    if (observer.follows_basic_blocks()) following_basic_blocks_.push_back(&observer);
    all_.push_back(&observer);
  }
  void clear() {
    following_basic_blocks_.clear();
    all_.clear();
    owned_.clear();
  }

  void block_begins(const BlockContext& block) {
    for (Observer* const o : all_) o->block_begins(block);
  }
  void access(const WarpAccess& access) {
    for (Observer* const o : all_) o->access(access);
  }
  void basic_block(unsigned warp, unsigned lanes) {
    for (Observer* const o : following_basic_blocks_) o->basic_block(warp, lanes);
  }
  void block_barrier(std::uint32_t place) {
    for (Observer* const o : all_) o->block_barrier(place);
  }
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) {
    for (Observer* const o : all_) o->warp_barrier(warp, lanes, place);
  }
  void fence(unsigned thread) {
    for (Observer* const o : all_) o->fence(thread);
  }
  void block_ends() {
    for (Observer* const o : all_) o->block_ends();
  }

 private:
  std::vector<Observer*> all_;
  std::vector<Observer*> following_basic_blocks_;
  std::vector<std::unique_ptr<Observer>> owned_;
};

}  // namespace simulator
