// SPDX-License-Identifier: MIT
#include "simulator/checkers/tracer.hpp"

#include <algorithm>
#include <bit>

#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

constexpr std::size_t event_bytes = 64, offset_bytes = 12;

facts::TraceStep step_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return facts::TraceStep::load;
    case AccessKind::store:
      return facts::TraceStep::store;
    case AccessKind::compare_and_swap:
    case AccessKind::generic_compare_and_swap:
      return facts::TraceStep::compare_and_swap;
    case AccessKind::atomic_increment:
      return facts::TraceStep::atomic_increment;
    default:
      return facts::TraceStep::atomic;
  }
}

// As a sequence where they are one, else one by one.
void set_offsets(facts::TraceEvent& event, std::vector<std::uint64_t> offsets) {
  const auto stride = offsets.size() > 1 ? static_cast<std::int64_t>(offsets[1] - offsets[0]) : 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (static_cast<std::int64_t>(offsets[i] - offsets[i - 1]) == stride) continue;
    event.each = std::move(offsets);
    return;
  }
  event.first = offsets.front();
  event.stride = stride;
}

// The array that holds an address, as the program or the device knows it.
NamedArray known_array(std::uintptr_t address, Space space, std::size_t dynamic_shared_bytes) {
  if (space == Space::global) {
    for (const NamedArray& array : DeviceArrays::instance().all()) {
      if (array.contains(address, 1)) return array;
    }
  }
  for (const SharedArray& array : ProgramImage::instance().shared_arrays()) {
    if (address < array.begin || address - array.begin >= array.bytes) continue;
    const bool dynamic = array.function_prefix.empty() && dynamic_shared_bytes > 0;
    return {array.name, array.begin, dynamic ? dynamic_shared_bytes : array.bytes, 0, Space::shared, false};
  }
  if (const NamedArray* const variable = MemoryMap::find_variable(address, 1)) return *variable;
  return {"variables of the program", ProgramImage::instance().load_address(), 0, 0, space};
}

}  // namespace

void Tracer::add(facts::TraceEvent event) {
  if (!chosen_ || trace_.truncated) return;
  bytes_ += event_bytes + offset_bytes * (event.each.size() + event.read.size() + event.written.size());
  if (trace_.interleaved) event.block = block_;
  const facts::TraceRequest& request = *configuration_.trace;
  const bool is_full = request.most_events && trace_.events.size() >= *request.most_events;
  if (is_full || bytes_ > request.most_bytes) {
    trace_.truncated = true;
  } else {
    trace_.events.push_back(std::move(event));
  }
}

bool Tracer::choose(std::uint64_t block) const {
  const auto& wanted = configuration_.trace->blocks;
  return std::any_of(wanted.begin(), wanted.end(), [&](const facts::TraceRequest::Blocks& blocks) {
    return blocks.first <= block && block <= blocks.last;
  });
}

void Tracer::block_goes_on(std::uint64_t number) {
  trace_.interleaved = true;
  block_ = number;
  chosen_ = choose(number);
}

void Tracer::block_begins(const BlockContext& block) {
  chosen_ = choose(block.number);
  add({.step = facts::TraceStep::block_begins, .block = block.number});
}

void Tracer::access(const WarpAccess& access) {
  if (!chosen_ || trace_.truncated) return;
  // Lanes may point into different arrays; each has its own event.
  for (unsigned rest = access.lanes; rest;) {
    facts::TraceEvent event{
        .step = step_of(access.kind), .warp = access.warp, .place = access.place, .size = access.size};
    event.array = array_at(access.address(static_cast<unsigned>(std::countr_zero(rest))), access.space);
    std::vector<std::uint64_t> offsets;
    for (unsigned lanes = rest; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (array_at(access.address(lane), access.space) != event.array) continue;
      event.lanes |= 1u << lane;
      offsets.push_back(access.address(lane) - begins_[event.array]);
      if (!access.values || access.size > sizeof access.values->read[lane]) continue;
      if (access.kind != AccessKind::store) event.read.push_back(access.values->read[lane]);
      if (writes(access.kind)) event.written.push_back(access.values->written[lane]);
    }
    set_offsets(event, std::move(offsets));
    rest &= ~event.lanes;
    add(std::move(event));
  }
}

void Tracer::block_barrier(std::uint32_t place) { add({.step = facts::TraceStep::barrier, .place = place}); }

void Tracer::warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) {
  add({.step = facts::TraceStep::warp_barrier, .warp = warp, .lanes = lanes, .place = place});
}

void Tracer::block_ends() { add({.step = facts::TraceStep::block_ends}); }

std::size_t Tracer::array_at(std::uintptr_t address, Space space) {
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    if (address - begins_[i] < trace_.arrays[i].bytes) return i;
  }
  const NamedArray array = known_array(address, space, configuration_.dynamic_shared_bytes);
  const auto known = std::find(begins_.begin(), begins_.end(), array.begin);
  if (known != begins_.end()) return static_cast<std::size_t>(known - begins_.begin());
  begins_.push_back(array.begin);
  trace_.arrays.push_back({array.name, array.space == Space::shared, array.bytes, array.element_bytes});
  return begins_.size() - 1;
}

}  // namespace simulator
