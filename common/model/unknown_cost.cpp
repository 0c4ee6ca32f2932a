// SPDX-License-Identifier: MIT
#include "model/unknown_cost.hpp"

#include <algorithm>
#include <cstddef>

#include "model/counted_loops.hpp"
#include "model/machine_instructions.hpp"

namespace model {

// A loop is a branch back; where no access stands between its target and itself, the stream does not say how
// often it turns, unless the code does. One that leads to itself is filling behind the end.
std::string unknown_cost(const std::vector<unsigned char>& text) {
  if (text.empty() || text.size() % instruction_bytes != 0) return {};
  const std::vector<Instruction> code = instructions_in(text);
  const std::vector<std::size_t> targets = targets_of(code);
  bool uncounted = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (code[i].operation() != opcode::bra || targets[i] >= i) continue;
    uncounted = uncounted || (!turns_of_loop(code, targets[i], i) &&
                              std::none_of(code.begin() + static_cast<std::ptrdiff_t>(targets[i]),
                                           code.begin() + static_cast<std::ptrdiff_t>(i),
                                           [](const Instruction& one) { return kind_of(one).has_value(); }));
  }
  if (!uncounted) return {};
  return "The kernel has a loop without an access to memory, and the model does not know how often it turns: "
         "the time may be far off.";
}

}  // namespace model
