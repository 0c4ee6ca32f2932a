// SPDX-License-Identifier: MIT
// A launch whose time is to be estimated.
#pragma once

#include <cstdint>
#include <optional>

#include "model/last_block.hpp"
#include "model/machine_code.hpp"

namespace model {

struct Launch {
  std::uint64_t grid = 0;
  unsigned block = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  unsigned registers = 0;                    // of a thread; 0: not known
  double work = 0;                           // elements for each thread
  std::uint64_t launches = 1;                // that a run takes: each further one is small
  std::optional<MachineCode> code = {};      // as nvcc made it; nullopt: not known
  std::optional<LastBlock> last_block = {};  // if it does anything when all others have ended
};

}  // namespace model
