// SPDX-License-Identifier: MIT
// Work that blocks draw from a counter in global memory, of which most is left out.
//
// Where few blocks of a launch over billions of elements are run, these would draw all of the work. So a
// thread that draws again from a word is given a number further on: as if others had drawn a quarter as many
// as have been drawn so far. Of N pieces a thread draws about log(N) / log(5/4), and one of the last fifth is
// among them, whatever N is.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace simulator {

class SkippedDraws {
 public:
  // What an atomic of a thread of that block should have found, if it has changed the word from `old` to
  // `changed`. The word then holds as much more than this as the atomic has added.
  std::uint64_t found(std::uintptr_t word, std::uint64_t block, unsigned thread, std::uint64_t old,
                      std::uint64_t changed);

 private:
  struct Word {
    std::uint64_t begin = 0;                    // what it held before the first draw
    std::int64_t amount = 0;                    // that each draw adds
    std::uint64_t block = 0;                    // that draws now
    std::unordered_set<unsigned> threads = {};  // of it, that have drawn
    bool is_uneven = false;                     // a draw has added something else
  };
  std::unordered_map<std::uintptr_t, Word> words_;
};

}  // namespace simulator
