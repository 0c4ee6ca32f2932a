// SPDX-License-Identifier: MIT
#include "model/first_use.hpp"

#include <algorithm>

namespace model {

namespace {

struct Way {  // from a load to where it is waited for
  LoadUse use;
  bool is_used = false, turned = false;
};

Way way_to_use(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
               std::size_t load) {
  Way way{{code[load].bytes_of_access(), 0}};
  for (std::size_t i = load + 1, steps = 0; i < code.size() && steps < code.size(); ++steps) {
    if (way.turned && i >= load) break;
    way.is_used = (code[i].waits_for() & code[load].announces()) != 0;
    if (way.is_used) break;
    const unsigned operation = code[i].operation();
    const auto kind = kind_of(code[i]);
    if (kind && !is_global_load(*kind))
      way.use.accesses = std::min(way.use.accesses + 1, LoadUse::next_turn - 1);
    if (kind && is_global_load(*kind) && code[i].bytes_of_access() == way.use.bytes) ++way.use.loads;
    const bool branches = operation == opcode::bra && !code[i].is_for_parted_lanes();
    const bool begins_again = branches && targets[i] <= load;
    way.turned |= begins_again;
    const bool is_elsewhere = operation == opcode::exit || operation == opcode::ret;
    if (is_elsewhere && !code[i].is_conditional()) break;
    i = begins_again || (branches && !code[i].is_conditional()) ? targets[i] : i + 1;
  }
  return way;
}

}  // namespace

LoadUse use_of_load(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                    std::size_t load) {
  Way way = way_to_use(code, targets, load);
  if (!way.is_used) return {way.use.bytes, 0};
  if (way.turned) way.use.accesses = LoadUse::next_turn;
  return way.use;
}

unsigned accesses_until_use(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                            std::size_t load) {
  const Way way = way_to_use(code, targets, load);
  return way.is_used ? way.use.accesses : 0;
}

}  // namespace model
