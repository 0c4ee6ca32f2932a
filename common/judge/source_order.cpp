// SPDX-License-Identifier: MIT
// How threads wait for each other in the student's file: barriers, and atomics that have an order.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"

namespace judge {

std::optional<std::string> SourceStructure::missing_order(int writing_line, int reading_line) const {
  const auto is_between = [&](const Token& token, int first, int last) {
    return first <= token.line && token.line <= last;
  };
  const auto is_atomic = [&](std::size_t at) {
    const Token& token = tokens_[at];
    if (!token.is_name() || !is(at + 1, "(")) return false;
    if (token.text.starts_with("fetch_")) return true;
    if (token.is("atomic_thread_fence")) return false;
    return token.text.starts_with("atomic") && at > 0 && !is_one_of(tokens_[at - 1], {";", "{", "}", ")"});
  };
  std::size_t atomic = 0;
  while (atomic < tokens_.size() &&
         !(is_between(tokens_[atomic], writing_line + 1, reading_line - 1) && is_atomic(atomic)))
    ++atomic;
  if (atomic == tokens_.size()) return std::nullopt;
  const int line = tokens_[atomic].line;
  const auto name_between = [&](int first, int last, std::initializer_list<std::string_view> names) {
    const auto found = std::ranges::find_if(tokens_, [&](const Token& token) {
      return is_between(token, first, last) && is_one_of(token, names);
    });
    return found == tokens_.end() ? nullptr : &*found;
  };
  if (const Token* const order = name_between(line, line, {"memory_order_release"}))
    return "`" + order->text + "` at line " + std::to_string(line) +
           " does not acquire what other blocks have written";
  if (const Token* const order = name_between(line, line, {"memory_order_acquire"}))
    return "`" + order->text + "` at line " + std::to_string(line) +
           " does not release what is written at line " + std::to_string(writing_line);
  const Token* const in_order = name_between(writing_line, line, {"atomic_thread_fence"});
  const bool is_for_block =
      in_order && name_between(in_order->line, in_order->line, {"thread_scope_block", "thread_scope_thread"});
  if (name_between(writing_line, line, {"__threadfence", "__threadfence_system"}) ||
      (in_order && !is_for_block) ||
      name_between(line, line, {"memory_order_acq_rel", "memory_order_seq_cst"}))
    return std::nullopt;
  const Token* const block_fence = name_between(writing_line, line, {"__threadfence_block"});
  if (const Token* const fence = is_for_block ? in_order : block_fence)
    return "the fence at line " + std::to_string(fence->line) + " is for threads of one block";
  return "no fence between the write at line " + std::to_string(writing_line) + " and the atomic at line " +
         std::to_string(line);
}

std::vector<int> SourceStructure::barriers_in_loop(int loop_line) const {
  const Statement* const loop = loop_at(loop_line);
  std::vector<int> lines;
  for (std::size_t at = loop ? loop->body : 0; loop && at < std::min(loop->body_end, tokens_.size()); ++at) {
    const std::string& text = tokens_[at].text;
    if (text.starts_with("__sync") || text == "sync") lines.push_back(tokens_[at].line);
  }
  return lines;
}

std::optional<SourceStructure::TileBarrier> SourceStructure::tile_barrier(int first, int last) const {
  std::set<std::string> sizes;
  int line = 0;
  for (std::size_t at = 1; at + 2 < tokens_.size(); ++at) {
    if (is(at, "tiled_partition") && is(at + 1, "<")) sizes.insert(tokens_[at + 2].text);
    if (is(at, "sync") && is(at - 1, ".") && first < tokens_[at].line && tokens_[at].line < last)
      line = tokens_[at].line;
  }
  const auto threads = sizes.size() == 1 ? number(*sizes.begin()) : std::nullopt;
  if (line == 0 || !threads || *threads <= 0) return std::nullopt;
  return TileBarrier{line, static_cast<unsigned>(*threads)};
}

// What stands in the file by which threads may wait for each other without a barrier.
bool SourceStructure::has_flags() const {
  return std::ranges::any_of(tokens_, [](const Token& token) {
    return token.text.starts_with("memory_order_") || token.text.starts_with("__threadfence") ||
           is_one_of(token, {"memory_order", "volatile", "atomic", "atomic_ref", "atomicExch", "atomicCAS"});
  });
}

std::optional<int> SourceStructure::warp_barrier(int first, int last) const {
  if (has_flags()) return std::nullopt;
  std::optional<int> of_warp;
  const auto look_at = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < std::min(end, tokens_.size()); ++at) {
      if (tokens_[at].text.starts_with("__syncwarp")) of_warp = tokens_[at].line;
    }
  };
  const auto waits_for_block = [&](int from, int to) {
    return std::ranges::any_of(tokens_, [&](const Token& token) {
      return from <= token.line && token.line <= to &&
             (token.text.starts_with("__syncthreads") || token.is("sync"));
    });
  };
  if (!waits_for_block(first, last)) {
    for (const Token& token : tokens_) {
      if (token.text.starts_with("__syncwarp") && first < token.line && token.line < last)
        of_warp = token.line;
    }
  }
  if (of_warp) return of_warp;
  const Statement* inner = nullptr;
  for (const Statement& control : controls_) {
    const bool is_around = control.is_loop && control.body_end > control.body &&
                           control.body_end <= tokens_.size() && tokens_[control.keyword].line <= first &&
                           last <= tokens_[control.body_end - 1].line;
    if (is_around && (!inner || control.keyword > inner->keyword)) inner = &control;
  }
  if (!inner) return std::nullopt;
  for (const int line : barriers_in_loop(tokens_[inner->keyword].line)) {
    const std::vector<Control> around = controls(line);
    const bool is_of_block = code_of(line_of(text_, line)).find("__syncwarp") == std::string::npos;
    if (is_of_block && !around.empty() && around.back().is_loop) return std::nullopt;
  }
  look_at(inner->body, inner->body_end);
  return of_warp;
}

namespace {

struct OrderedOperation {
  int line;
  std::string name;
  bool reads, writes, acquires, releases;
};

}  // namespace

// Of the dot before a member, the name of the object: `full` of `full[slot].load()`.
std::size_t SourceStructure::object_before(std::size_t dot) const {
  std::size_t object = dot - 1;
  if (!is(object, "]")) return object;
  while (object > 0 && closing(object) != dot - 1) --object;
  return object > 0 ? object - 1 : 0;
}

// Of the arguments behind the bracket: "relaxed", or what is meant without one.
std::string SourceStructure::order_in(std::size_t open) const {
  constexpr std::string_view prefix = "memory_order_";
  std::string order = "seq_cst";
  for (std::size_t i = open + 1; i < closing(open); ++i) {
    if (tokens_[i].text.starts_with(prefix)) order = tokens_[i].text.substr(prefix.size());
    if (is(i, "memory_order") && is(i + 1, "::") && i + 2 < tokens_.size()) order = tokens_[i + 2].text;
  }
  return order;
}

std::optional<std::string> SourceStructure::one_sided_order() const {
  const bool has_fence = std::ranges::any_of(tokens_, [](const Token& token) {
    return token.text.starts_with("__threadfence") || token.is("atomic_thread_fence");
  });
  if (has_fence) return std::nullopt;
  std::map<std::string, std::vector<OrderedOperation>> all;
  for (std::size_t at = 2; at + 1 < tokens_.size(); ++at) {
    const std::string& text = tokens_[at].text;
    const bool reads = is_one_of(tokens_[at], {"load", "wait"}),
               writes = is_one_of(tokens_[at], {"store", "clear"});
    const bool changes = text.starts_with("fetch_") || text.starts_with("compare_exchange_") ||
                         is_one_of(tokens_[at], {"exchange", "test_and_set"});
    const bool is_call = is(at - 1, ".") && is(at + 1, "(");
    if (!is_call || (!reads && !writes && !changes)) continue;
    const std::size_t object = object_before(at - 1);
    if (!tokens_[object].is_name()) continue;
    const std::string order = order_in(at + 1);
    all[tokens_[object].text].push_back({.line = tokens_[at].line,
                                         .name = text,
                                         .reads = reads || changes,
                                         .writes = writes || changes,
                                         .acquires = !writes && order != "relaxed" && order != "release",
                                         .releases = !reads && order != "relaxed" && order != "acquire"});
  }
  for (const auto& each : all) {
    const std::string& object = each.first;
    const std::vector<OrderedOperation>& operations = each.second;  // (a lambda captures no binding)
    const auto find = [&](auto member) { return std::ranges::find_if(operations, member); };
    const auto acquires = find(&OrderedOperation::acquires), releases = find(&OrderedOperation::releases);
    const auto end = operations.end();
    const auto writes =
        std::ranges::find_if(operations.rbegin(), operations.rend(), &OrderedOperation::writes);
    const auto loads =
        find([](const OrderedOperation& operation) { return operation.reads && !operation.writes; });
    const auto reads = loads != end ? loads : find(&OrderedOperation::reads);
    const auto at = [&](const OrderedOperation& operation) {
      return "the `" + operation.name + "` at line " + std::to_string(operation.line);
    };
    if (acquires != end && releases == end && writes != operations.rend())
      return at(*writes) + " releases nothing to " + at(*acquires) + ", which acquires `" + object + "`";
    if (releases != end && acquires == end && reads == releases)
      return at(*releases) + " releases `" + object + "`, but does not acquire it";
    if (releases != end && acquires == end && reads != end)
      return at(*reads) + " does not acquire what " + at(*releases) + " releases by `" + object + "`";
  }
  return std::nullopt;
}

std::optional<int> SourceStructure::line_of_call(int line) const {
  const auto on_line = std::ranges::find(tokens_, line, &Token::line);
  if (on_line == tokens_.end()) return line;
  auto at = static_cast<std::size_t>(on_line - tokens_.begin());
  // Of a function that stands on one line the body.
  for (std::size_t i = at; i < tokens_.size() && tokens_[i].line == line; ++i) {
    if (!function_around(i)) continue;
    at = i;
    break;
  }
  constexpr int deepest = 4;
  for (int depth = 0; depth < deepest; ++depth) {
    const auto function = function_around(at);
    if (!function) return tokens_[at].line;
    std::optional<std::size_t> call;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const bool is_inside = function->first <= i && i <= function->second;
      const bool is_call = is(i + 1, "(") || is(i + 1, "<");
      if (is_inside || !is_call || !tokens_[i].is(tokens_[function->first].text)) continue;
      if (call) return std::nullopt;
      call = i;
    }
    if (!call) return std::nullopt;
    at = *call;
  }
  return std::nullopt;
}

// The function or the named lambda around the token, which is no kernel: its name, and the end of its body.
std::optional<std::pair<std::size_t, std::size_t>> SourceStructure::function_around(std::size_t token) const {
  for (std::size_t brace = token; brace-- > 0;) {
    if (!is(brace, "{") || closing(brace) < token) continue;
    std::size_t end = brace;
    while (end > 0 && is_one_of(tokens_[end - 1], {"const", "mutable", "noexcept", "override", "final"}))
      --end;
    if (end == 0) continue;
    std::size_t open = end - 1;
    if (is(open, ")")) {
      while (open > 0 && closing(open) != end - 1) --open;
      if (open == 0) continue;
    }
    const std::size_t before = is(end - 1, ")") ? open - 1 : open;
    if (is(before, "]")) {
      std::size_t capture = before;
      while (capture > 0 && closing(capture) != before) --capture;
      if (capture > 1 && is_assignment(capture - 1) && tokens_[capture - 2].is_name())
        return std::pair(capture - 2, closing(brace));
      continue;
    }
    if (!is(end - 1, ")") || !tokens_[before].is_name() ||
        is_one_of(tokens_[before], {"if", "for", "while", "switch", "constexpr"}))
      continue;
    const std::size_t head = beginning_of_statement(brace);
    for (std::size_t i = head; i < brace; ++i) {
      if (is(i, "__global__")) return std::nullopt;
    }
    std::size_t name = head;
    while (name < before && !(tokens_[name].is_name() && is(name + 1, "("))) ++name;
    return std::pair(name, closing(brace));
  }
  return std::nullopt;
}

}  // namespace judge
