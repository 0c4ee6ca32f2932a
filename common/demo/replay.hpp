// SPDX-License-Identifier: MIT
// Reads a trace for demonstrations: what an event did in words, and what memory held after so many events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "demo/frame.hpp"

namespace demo {

inline constexpr unsigned lanes_of_warp = 32;

// An increment, a compare-and-swap, or any other atomic.
bool is_atomic(const facts::TraceEvent& event);

// The thread of a lane, in the grid's numbers; `threads` per block.
std::uint64_t thread_of(const facts::TraceEvent& event, unsigned lane, unsigned threads);

// One lane's part in an access.
struct LaneAccess {
  unsigned lane;
  std::uint64_t at;                            // in bytes from the array's beginning
  std::optional<std::uint64_t> read, written;  // where the trace has values
};
std::vector<LaneAccess> lanes_of(const facts::TraceEvent& event);

// The first array in global memory that is only read, and the first one that is written; nullopt: there is
// none.
std::optional<std::uint64_t> input_of(const facts::Trace& trace);
std::optional<std::uint64_t> output_of(const facts::Trace& trace);

// "data[7]": the element at `at`.
std::uint64_t element_bytes(const facts::TraceArray& array, unsigned access_bytes);
std::string element_text(const facts::TraceArray& array, std::uint64_t at, unsigned access_bytes);

// A byte as a letter where it is one: "'a'", "'\\n'", "0x07".
std::string letter_text(std::uint64_t byte, bool quoted = true);

// A value of the array as it is shown: of bytes a letter.
std::string value_text(const facts::TraceArray& array, std::uint64_t value);

// What one lane did: "reads data[0]: 'a'", "writes counts[0]: 1", "adds 1 to counts[0] in one step: 0 becomes
// 1".
std::string deed_text(const facts::Trace& trace, const facts::TraceEvent& event, const LaneAccess& access);

// What memory holds after events of a trace that has values. An element of global memory that nothing has
// been written to holds 0, as every output does when a kernel is launched, unless a load finds something else
// there.
class Memory {
 public:
  explicit Memory(const facts::Trace& trace) : trace_(trace) {}

  const facts::Trace& trace() const { return trace_; }
  void apply(const facts::TraceEvent& event);

  // nullopt: shared memory that no thread has written.
  std::optional<std::uint64_t> at(const Element& element) const;
  // The same as text; "?" where it is not known.
  std::string text(const Element& element) const;

 private:
  const facts::Trace& trace_;
  std::uint64_t block_ = 0;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> values_;
};

}  // namespace demo
