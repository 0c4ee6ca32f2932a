// SPDX-License-Identifier: MIT
// The last block to end adds up what the others have left: a kernel may count the blocks that are done, and
// let the one that finds itself the last go on. No other block comes to these places of the program, and
// nothing else runs meanwhile. So what it does there is told apart from the rest and timed by itself.
#pragma once

#include <cstdint>
#include <optional>

#include "model/stream.hpp"

namespace model {

struct LastBlock {
  BlockSteps all;          // that it does
  BlockSteps part;         // where no other comes
  std::uint64_t grid = 0;  // of the launch in which it was seen
};

// nullopt where there is no such part.
std::optional<LastBlock> last_block_of(const Stream& stream);

// What the last block of the stream does at places that no other block comes to, from the first of them on;
// nullopt: nothing. Rare places in between others do not count.
std::optional<BlockSteps> part_of_last_block(const Stream& stream);

// The same stream without that part.
Stream without_part_of_last_block(Stream stream);

}  // namespace model
