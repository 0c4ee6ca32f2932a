// SPDX-License-Identifier: MIT
// The way of an access from the instrumentation's hook into a lane's log, inline: every access of a kernel
// goes it.
#pragma once

#include <cstring>
#include <utility>

#include "simulator/machine.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

// How an Event packs what it holds.
namespace event_bits {
constexpr unsigned deepest = 255;
constexpr unsigned depth_shift = 40, size_shift = 48, kind_shift = 52, space_shift = 55, block_shift = 56;
constexpr std::uint64_t address_bits = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kind_mask = 7;
constexpr std::uint64_t place_bits = 0xffffffffu;
constexpr std::uint64_t kind_bits = kind_mask << kind_shift;

constexpr std::uint64_t kind_code(AccessKind kind) { return static_cast<std::uint64_t>(kind) << kind_shift; }

}  // namespace event_bits

// A hook is called before the access itself. By the lane's next event its store has happened, and nobody else
// has run.
inline void read_back_store() {
  const std::uint64_t what = std::exchange(recording.unread_store, nullptr)->what;
  StoredValue& value = recording.values[recording.next - 1 - recording.log];
  std::memcpy(value.bytes.data(), reinterpret_cast<const void*>(what & event_bits::address_bits),
              std::size_t{1} << (what >> event_bits::size_shift & 15));
  value.known = true;
}

// Makes room before it writes, not after: the last event stays in the log until the next one comes, for
// record_result_used.
inline void append_event(std::uint64_t site, std::uint64_t what) {
  if (recording.unread_store) read_back_store();
  if (recording.next == recording.end) Machine::instance().give_way();
  *recording.next++ = {recording.depth_key | (site - recording.load_address), what};
}

// `alone`: the instruction does nothing else.
inline void record_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site,
                          bool alone = true) {
  using namespace event_bits;
  if (!recording.next) return;
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  std::uint64_t space = 0;
  const bool aligned = (address & (size - 1)) == 0;
  if (aligned && recording.shared.contains(address, size)) {
    space = static_cast<std::uint64_t>(Space::shared);
  } else if (!aligned ||
             (!recording.global[0].contains(address, size) && !recording.global[1].contains(address, size))) {
    if (recording.stack.contains(address, size)) return;
    const std::optional<Space> found = Machine::instance().locate(address, size, kind, site);
    if (!found) return;
    space = static_cast<std::uint64_t>(*found);
  }
  append_event(site,
               address | std::uint64_t{log2_size} << size_shift | kind_code(kind) | space << space_shift);
  if (is_atomic(kind)) recording.last_atomic = recording.next - 1;
  if (kind != AccessKind::store) return;
  recording.values[recording.next - 1 - recording.log].known = false;
  if (alone) recording.unread_store = recording.next - 1;
}

inline void record_basic_block(std::uintptr_t site) {
  if (recording.next) append_event(site, std::uint64_t{1} << event_bits::block_shift);
}

}  // namespace simulator
