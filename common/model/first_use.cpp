// SPDX-License-Identifier: MIT
#include "model/first_use.hpp"

#include <algorithm>

namespace model {

LoadUse use_of_load(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                    std::size_t load) {
  const LoadUse at_once{code[load].bytes_of_access(), 0};
  LoadUse use = at_once;
  bool turned = false;
  for (std::size_t i = load + 1, steps = 0; i < code.size() && steps < code.size(); ++steps) {
    if (turned && i >= load) break;
    if (code[i].waits_for() & code[load].announces()) {
      return turned ? LoadUse{use.bytes, LoadUse::next_turn, use.loads} : use;
    }
    const unsigned operation = code[i].operation();
    const auto kind = kind_of(code[i]);
    if (kind && !is_global_load(*kind)) use.accesses = std::min(use.accesses + 1, LoadUse::next_turn - 1);
    if (kind && is_global_load(*kind) && code[i].bytes_of_access() == use.bytes) ++use.loads;
    const bool branches = operation == opcode::bra && !code[i].is_for_parted_lanes();
    const bool begins_again = branches && targets[i] <= load;
    turned |= begins_again;
    const bool is_elsewhere = operation == opcode::exit || operation == opcode::ret;
    if (is_elsewhere && !code[i].is_conditional()) break;
    i = begins_again || (branches && !code[i].is_conditional()) ? targets[i] : i + 1;
  }
  return at_once;
}

}  // namespace model
