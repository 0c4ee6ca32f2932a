// SPDX-License-Identifier: MIT
#include "simulator/assembly/short_branches.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "simulator/assembly/gpu_functions.hpp"
#include "simulator/assembly/instrumentation_calls.hpp"

namespace simulator::x86 {

namespace {

// Instructions of a short body. ptxas 13.0 for sm_90 puts four dependent multiplications and shifts (seven
// instructions) under a predicate, and branches around eight (fifteen). So with two stores to shared memory,
// and with four. nvcc works out both ways if one of them takes four, and not if it takes six.
constexpr unsigned most_predicated = 7, most_chosen = 4;

// What only tells of an access, or loads, or computes, or asks where the thread is.
bool may_be_predicated(const Instruction& call) {
  if (call.indirect || call.operands.empty()) return false;
  constexpr std::array begins{"__tsan_read",
                              "__tsan_write",
                              "__tsan_unaligned",
                              "__sanitizer_cov",
                              "_ZN9simulator11load_vectorI",
                              "_ZN9simulator16loaded_read_onlyI",
                              "_ZN9simulator18loaded_from_globalI"};
  const std::string_view name = call.operands[0].symbol;
  const std::string_view plain = name.substr(0, name.find('@'));
  return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); }) ||
         plain.ends_with("_indexEj") || plain.ends_with("_extentEj") || gpu_instructions_of(name) > 0;
}

bool is_access(const Instruction& i) {
  return is_call(i.name) && !reports_block(i) &&
         (i.operands.empty() || gpu_instructions_of(i.operands[0].symbol) == 0);
}

class Finder {
 public:
  Finder(const FunctionCode& function, const KnownCode& known, const std::vector<unsigned>& arithmetic,
         ShortBody body)
      : function_(function), known_(known), arithmetic_(arithmetic), body_(body), graph_(function) {}

  Branches all() {
    Branches found;
    found.is_branch.resize(function_.lines.size());
    found.is_border.resize(function_.lines.size());
    found.begins_block.resize(function_.lines.size());
    const auto mark = [&](BlockNumber block) {
      if (block < graph_.blocks().size()) found.is_border[graph_.blocks()[block].begin] = true;
    };
    if (!graph_.blocks().empty()) mark(0);
    for (BlockNumber b = 0; b < graph_.blocks().size(); ++b) {
      if (!is_open(b) || is_short(b)) continue;
      const auto second = second_condition(b);
      found.is_branch[graph_.blocks()[b].end - 1] = !second;
      for (const BlockNumber after : graph_.blocks()[b].after) {
        if (!second || after != *second) mark(after);
      }
      mark(graph_.meeting_point(b));
    }
    for (const BasicBlock& block : graph_.blocks()) found.begins_block[block.begin] = true;
    // A block without an entry of its own hands on that it is one.
    for (const BasicBlock& block : graph_.blocks()) {
      const bool goes_on = block.after.size() == 1 && graph_.blocks()[block.after[0]].before.size() == 1;
      if (goes_on && found.is_border[block.begin] && !has(block, reports_block)) mark(block.after[0]);
    }
    return found;
  }

 private:
  bool is_open(BlockNumber block) const { return known_.is_open[graph_.blocks()[block].end - 1]; }

  unsigned arithmetic_in(BlockNumber block) const {
    unsigned sum = 0;
    for (std::size_t i = graph_.blocks()[block].begin; i < graph_.blocks()[block].end; ++i)
      sum += arithmetic_[i];
    return sum;
  }

  template <class Is>
  bool has(const BasicBlock& of, Is is) const {
    return std::any_of(function_.lines.begin() + static_cast<std::ptrdiff_t>(of.begin),
                       function_.lines.begin() + static_cast<std::ptrdiff_t>(of.end),
                       [&](const FunctionLine& line) { return is(line.instruction); });
  }

  // Whether all that stands between the branch and where its ways meet is under a predicate. With an access
  // and a further branch in it it is not.
  bool is_short(BlockNumber branch) const {
    if (graph_.meeting_point(branch) >= graph_.blocks().size()) return false;
    const Region body = graph_.region_of(branch);
    unsigned sum = 0;
    bool accesses = false, branches = false;
    for (const BlockNumber block : body.blocks) {
      accesses = accesses || has(graph_.blocks()[block], is_access);
      branches = branches || is_open(block);
      sum += arithmetic_in(block);
      const bool is_entered = std::ranges::any_of(graph_.blocks()[block].before, [&](BlockNumber before) {
        return before != branch && !body.has[before];
      });
      const bool is_hard = has(graph_.blocks()[block], [](const Instruction& i) {
        return (is_call(i.name) && !may_be_predicated(i)) || i.indirect;
      });
      if (block == branch || is_entered || is_hard || sum > most()) return false;
    }
    return !accesses || (!branches && body_ == ShortBody::predicated);
  }

  unsigned most() const { return body_ == ShortBody::predicated ? most_predicated : most_chosen; }

  // Of `a && b` and `a || b` a GPU's code has one branch if b is short: the block in which b is worked out.
  std::optional<BlockNumber> second_condition(BlockNumber first) const {
    const std::vector<BlockNumber>& after = graph_.blocks()[first].after;
    if (after.size() != 2) return std::nullopt;
    for (const std::size_t way : {0, 1}) {
      const BlockNumber second = after[way], other = after[1 - way];
      const std::vector<BlockNumber>& behind = graph_.blocks()[second].after;
      if (second == first || graph_.blocks()[second].before.size() != 1 || !is_open(second)) continue;
      if (std::ranges::find(behind, other) == behind.end()) continue;
      if (arithmetic_in(second) <= most() && !has(graph_.blocks()[second], is_access)) return second;
    }
    return std::nullopt;
  }

  const FunctionCode& function_;
  const KnownCode& known_;
  const std::vector<unsigned>& arithmetic_;
  const ShortBody body_;
  const ControlFlow graph_;
};

}  // namespace

Branches branches_of(const FunctionCode& function, const KnownCode& known,
                     const std::vector<unsigned>& arithmetic, ShortBody body) {
  return Finder(function, known, arithmetic, body).all();
}

}  // namespace simulator::x86
