// SPDX-License-Identifier: MIT
// In lockstep, where every access has its turn: threads that store in a word right after they have read it,
// while another thread has changed it in between. What depends on what does not matter: the value may be made
// of what was read, or only whether it is stored at all (`if (x == 3) x = 4;`).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace simulator {

class LostUpdates {
 public:
  struct Update {
    std::uintptr_t address, size, read_site, write_site;
    std::uint64_t by, between;  // threads, by their numbers in the grid
  };

  // An access that is made now. `word`: its address, which for shared memory tells blocks apart.
  void load(std::uint64_t thread, std::uint64_t word, std::uintptr_t site);
  void store(std::uint64_t thread, std::uint64_t word, std::uintptr_t address, std::uintptr_t size,
             std::uintptr_t site);
  void atomic(std::uint64_t thread, std::uint64_t word);

  // The first that has lost another thread's.
  const std::optional<Update>& first() const { return first_; }

 private:
  struct Changed {
    std::uint64_t times = 0, by = 0;
  };
  struct Read {
    std::uint64_t word, times;
    std::uintptr_t site;
  };

  std::unordered_map<std::uint64_t, Changed> words_;
  std::unordered_map<std::uint64_t, Read> last_;  // of each thread whose last access was a load
  std::optional<Update> first_;
};

}  // namespace simulator
