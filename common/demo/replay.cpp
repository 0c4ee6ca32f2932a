// SPDX-License-Identifier: MIT
#include "demo/replay.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace demo {

namespace {

// Of the global arrays that are accessed, the first that is written, or that is not.
std::optional<std::uint64_t> global_array(const facts::Trace& trace, bool written) {
  std::vector<bool> touched(trace.arrays.size()), changed(trace.arrays.size());
  for (const facts::TraceEvent& event : trace.events) {
    if (!event.is_access()) continue;
    touched[event.array] = true;
    if (event.step != facts::TraceStep::load) changed[event.array] = true;
  }
  for (std::size_t array = 0; array < trace.arrays.size(); ++array) {
    if (touched[array] && !trace.arrays[array].shared && changed[array] == written) return array;
  }
  return std::nullopt;
}

}  // namespace

bool is_atomic(const facts::TraceEvent& event) {
  return event.is_access() && event.step != facts::TraceStep::load && event.step != facts::TraceStep::store;
}

std::uint64_t thread_of(const facts::TraceEvent& event, unsigned lane, unsigned threads) {
  return event.block * threads + std::uint64_t{event.warp} * lanes_of_warp + lane;
}

std::vector<LaneAccess> lanes_of(const facts::TraceEvent& event) {
  std::vector<LaneAccess> lanes;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if (!(event.lanes >> lane & 1)) continue;
    const std::size_t i = lanes.size();
    const std::uint64_t at =
        event.each.empty() ? event.first + i * static_cast<std::uint64_t>(event.stride) : event.each[i];
    const auto of = [&](const std::vector<std::uint64_t>& values) {
      return values.empty() ? std::nullopt : std::optional(values[i]);
    };
    lanes.push_back({lane, at, of(event.read), of(event.written)});
  }
  return lanes;
}

std::optional<std::uint64_t> input_of(const facts::Trace& trace) { return global_array(trace, false); }
std::optional<std::uint64_t> output_of(const facts::Trace& trace) { return global_array(trace, true); }

std::uint64_t element_bytes(const facts::TraceArray& array, unsigned access_bytes) {
  return array.element_bytes > 0 ? array.element_bytes : access_bytes;
}

std::string element_text(const facts::TraceArray& array, std::uint64_t at, unsigned access_bytes) {
  return fmt::format("{}[{}]", array.name, at / element_bytes(array, access_bytes));
}

std::string letter_text(std::uint64_t byte, bool quoted) {
  const std::string letter = byte == ' '                 ? "\u2423"
                             : byte == '\n'              ? "\u21b5"
                             : byte > ' ' && byte < 0x7f ? std::string(1, static_cast<char>(byte))
                                                         : std::string();
  if (letter.empty()) return quoted ? fmt::format("0x{:02x}", byte) : fmt::format("{:02x}", byte);
  return quoted ? "'" + letter + "'" : letter;
}

std::string value_text(const facts::TraceArray& array, std::uint64_t value) {
  return array.element_bytes == 1 ? letter_text(value) : std::to_string(value);
}

std::string deed_text(const facts::Trace& trace, const facts::TraceEvent& event, const LaneAccess& access) {
  const facts::TraceArray& array = trace.arrays[event.array];
  const std::string element = element_text(array, access.at, event.size);
  const auto text = [&](std::optional<std::uint64_t> value) {
    return value ? value_text(array, *value) : std::string("?");
  };
  if (event.step == facts::TraceStep::load) return fmt::format("reads {}: {}", element, text(access.read));
  if (event.step == facts::TraceStep::store)
    return fmt::format("writes {}: {}", element, text(access.written));
  if (!is_atomic(event) || !access.read || !access.written)
    return fmt::format("changes {} atomically", element);
  if (event.step != facts::TraceStep::compare_and_swap && *access.written > *access.read)
    return fmt::format("adds {} to {} in one step: {} becomes {}", *access.written - *access.read, element,
                       text(access.read), text(access.written));
  return fmt::format("changes {} in one step: {} becomes {}", element, text(access.read),
                     text(access.written));
}

void Memory::apply(const facts::TraceEvent& event) {
  if (event.step == facts::TraceStep::block_begins || trace_.interleaved) block_ = event.block;
  if (!event.is_access()) return;
  const std::uint64_t block = trace_.arrays[event.array].shared ? block_ : 0;
  for (const LaneAccess& access : lanes_of(event)) {
    const auto value = access.written ? access.written : access.read;
    if (value) values_[{event.array, block, access.at}] = *value;
  }
}

std::optional<std::uint64_t> Memory::at(const Element& element) const {
  const bool shared = trace_.arrays[element.array].shared;
  const auto known = values_.find({element.array, shared ? element.block : 0, element.at});
  if (known != values_.end()) return known->second;
  return shared ? std::nullopt : std::optional<std::uint64_t>(0);
}

std::string Memory::text(const Element& element) const {
  const auto value = at(element);
  return value ? value_text(trace_.arrays[element.array], *value) : "?";
}

}  // namespace demo
