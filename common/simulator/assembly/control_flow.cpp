// SPDX-License-Identifier: MIT
#include "simulator/assembly/control_flow.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulator/assembly/loop_pragmas.hpp"

namespace simulator::x86 {

std::map<std::string, FunctionCode, std::less<>> functions_in(const std::vector<std::string_view>& lines) {
  std::map<std::string, FunctionCode, std::less<>> functions;
  for (const std::string_view line : lines) {
    if (const auto name = function_declared_in(trimmed(line))) functions.try_emplace(*name);
  }
  const std::map<std::size_t, unsigned> of_loops = jumps_of_loops_with_pragma(lines);
  FunctionCode* current = nullptr;
  bool describes = false;                     // for a debugger
  std::set<std::string, std::less<>> places;  // in tables, those of a `switch` among them
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (const auto label = label_in(line)) {
      if (const auto found = functions.find(*label); found != functions.end())
        current = &found->second;
      else if (current)
        current->labels[*label] = current->lines.size();
    } else if (line.starts_with(".size")) {
      current = nullptr;
    } else if (line.starts_with(".section") || line == ".text") {
      describes = line.find(".debug") != line.npos;
    } else if (describes) {
      continue;
    } else if (line.starts_with(".quad") || line.starts_with(".long")) {
      const std::string_view items = trimmed(line.substr(std::string_view(".quad").size()));
      places.emplace(items.substr(0, items.find('-')));
    } else if (current && is_code(line)) {
      auto instruction = instruction_in(line);
      const auto of_loop = of_loops.find(n);
      const bool keeps_loop = of_loop != of_loops.end() && of_loop->second == 1;
      if (!instruction) current->readable = false;
      if (instruction) current->lines.push_back({n, std::move(*instruction), keeps_loop});
    }
  }
  for (auto& [name, function] : functions) {
    for (const auto& [label, at] : function.labels) {
      if (places.contains(label) && at < function.lines.size()) function.jumped_to_by_table.insert(at);
    }
  }
  return functions;
}

bool is_conditional_jump(const Instruction& i) { return is_any_jump(i.name) && !i.name.starts_with("jmp"); }

ControlFlow::ControlFlow(const FunctionCode& function) {
  make_blocks(function);
  find_meeting_points();
  find_ranks();
  find_loops();
}

void ControlFlow::make_blocks(const FunctionCode& function) {
  const std::vector<FunctionLine>& lines = function.lines;
  std::set<std::size_t> begins{0};
  for (const auto& [label, at] : function.labels) begins.insert(at);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Instruction& instruction = lines[i].instruction;
    if (is_any_jump(instruction.name) || is_return(instruction.name)) begins.insert(i + 1);
  }
  begins.erase(lines.size());
  for (auto at = begins.begin(); at != begins.end(); ++at)
    blocks_.push_back({*at, std::next(at) == begins.end() ? lines.size() : *std::next(at)});
  if (lines.empty()) blocks_.clear();
  for (BlockNumber b = 0; b < blocks_.size(); ++b) {
    const Instruction& last = lines[blocks_[b].end - 1].instruction;
    const bool jumps = is_any_jump(last.name);
    if (jumps && last.operands.size() == 1) {
      const auto label = function.labels.find(last.operands[0].symbol);
      if (label != function.labels.end() && label->second < lines.size()) connect(b, block_at(label->second));
    }
    if (jumps && last.indirect) {
      for (const std::size_t at : function.jumped_to_by_table) connect(b, block_at(at));
    }
    const bool goes_on = jumps ? is_conditional_jump(last) : !is_return(last.name) && last.name != "ud2";
    if (goes_on && b + 1 < blocks_.size()) connect(b, b + 1);
  }
}

void ControlFlow::connect(BlockNumber from, BlockNumber to) {
  if (std::ranges::find(blocks_[from].after, to) != blocks_[from].after.end()) return;
  blocks_[from].after.push_back(to);
  blocks_[to].before.push_back(from);
}

BlockNumber ControlFlow::block_at(std::size_t instruction) const {
  const auto behind = std::ranges::upper_bound(blocks_, instruction, {}, &BasicBlock::begin);
  return static_cast<BlockNumber>(behind - blocks_.begin()) - 1;
}

// The immediate post-dominators (Cooper, Harvey, Kennedy).
void ControlFlow::find_meeting_points() {
  const BlockNumber end = blocks_.size(), none = end + 1;
  std::vector<BlockNumber> order;  // from the end backwards, a block behind those that come after it
  std::vector<bool> seen(end, false);
  const auto visit = [&](BlockNumber from) {
    std::vector<std::pair<BlockNumber, std::size_t>> path{{from, 0}};
    seen[from] = true;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next < blocks_[block].before.size()) {
        const BlockNumber before = blocks_[block].before[next++];
        if (!seen[before]) seen[before] = true, path.emplace_back(before, 0);
      } else {
        order.push_back(block);
        path.pop_back();
      }
    }
  };
  for (BlockNumber b = 0; b < end; ++b) {
    if (blocks_[b].after.empty() && !seen[b]) visit(b);
  }
  std::vector<std::size_t> rank(end + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  rank[end] = order.size();
  meeting_point_.assign(end + 1, none);
  meeting_point_[end] = end;
  const auto meet = [&](BlockNumber a, BlockNumber b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = meeting_point_[a];
      while (rank[b] < rank[a]) b = meeting_point_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = order.size(); i-- > 0;) {
      const BlockNumber block = order[i];
      BlockNumber found = blocks_[block].after.empty() ? end : none;
      for (const BlockNumber after : blocks_[block].after) {
        if (meeting_point_[after] == none) continue;
        found = found == none ? after : meet(found, after);
      }
      if (found != none && meeting_point_[block] != found) meeting_point_[block] = found, changed = true;
    }
  }
  // What never ends meets nowhere.
  std::ranges::replace(meeting_point_, none, end);
}

// Reverse postorder, from the function's entry.
void ControlFlow::find_ranks() {
  rank_.assign(blocks_.size(), blocks_.size());
  if (blocks_.empty()) return;
  std::vector<bool> seen(blocks_.size(), false);
  std::vector<std::pair<BlockNumber, std::size_t>> path{{0, 0}};
  seen[0] = true;
  for (std::size_t last = blocks_.size(); !path.empty();) {
    auto& [block, next] = path.back();
    if (next < blocks_[block].after.size()) {
      const BlockNumber after = blocks_[block].after[next++];
      if (!seen[after]) seen[after] = true, path.emplace_back(after, 0);
    } else {
      rank_[block] = --last;
      path.pop_back();
    }
  }
}

// The strongly connected components (Kosaraju): what leads to a block that comes before it is of its loop.
void ControlFlow::find_loops() {
  const BlockNumber none = blocks_.size();
  std::vector<BlockNumber> order(blocks_.size());
  for (BlockNumber b = 0; b < blocks_.size(); ++b) order[b] = b;
  std::ranges::stable_sort(order, {}, [&](BlockNumber block) { return rank_[block]; });
  outermost_loop_.assign(blocks_.size(), none);
  for (const BlockNumber first : order) {
    std::vector<BlockNumber> open{first};
    while (!open.empty()) {
      const BlockNumber next = open.back();
      open.pop_back();
      if (outermost_loop_[next] != none) continue;
      outermost_loop_[next] = first;
      open.insert(open.end(), blocks_[next].before.begin(), blocks_[next].before.end());
    }
  }
}

Region ControlFlow::region_of(BlockNumber block) const {
  Region region{.has = std::vector<bool>(blocks_.size())};
  std::vector<BlockNumber> open = blocks_[block].after;
  while (!open.empty()) {
    const BlockNumber next = open.back();
    open.pop_back();
    if (next == meeting_point_[block] || !region.add(next)) continue;
    open.insert(open.end(), blocks_[next].after.begin(), blocks_[next].after.end());
  }
  return region;
}

Region ControlFlow::loop_of(BlockNumber block, const Region& region) const {
  Region loop{.has = std::vector<bool>(blocks_.size())};
  if (!region.has[block]) return loop;
  loop.add(block);
  for (std::size_t i = 0; i < loop.blocks.size(); ++i) {
    for (const BlockNumber before : blocks_[loop.blocks[i]].before) {
      if (region.has[before]) loop.add(before);
    }
  }
  return loop;
}

bool ControlFlow::is_entry(BlockNumber block, const Region& region) const {
  return std::ranges::any_of(blocks_[block].before, [&](BlockNumber from) { return !region.has[from]; });
}

}  // namespace simulator::x86
