// SPDX-License-Identifier: MIT
// Calls work(0) to work(count - 1), as many at a time as there are cores, and waits for all of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

template <class Work>
void on_all_cores(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i) {
    workers.push_back(std::async(std::launch::async, [&] {
      for (std::size_t at; (at = next++) < count;) work(at);
    }));
  }
  for (std::future<void>& worker : workers) worker.get();
}
