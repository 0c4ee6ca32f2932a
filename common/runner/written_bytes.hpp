// SPDX-License-Identifier: MIT
// Tells, on the simulator, which elements of an output no thread of a launch has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/observer.hpp"

namespace runner {

class WrittenBytes final : public simulator::Observer {
 public:
  explicit WrittenBytes(std::span<const unsigned char> array)
      : begin_(reinterpret_cast<std::uintptr_t>(array.data())), written_(array.size()) {}

  void access(const simulator::WarpAccess& access) override {
    if (!simulator::writes(access.kind)) return;
    simulator::for_each_lane(access.lanes, [&](unsigned lane) {
      const std::uintptr_t first = access.address(lane) - begin_;
      for (std::uintptr_t byte = first; byte - first < access.size && byte < written_.size(); ++byte)
        written_[byte] = true;
    });
  }

  struct Unwritten {
    std::size_t first, elements;  // the first one's index, and how many there are
  };
  // Elements of so many bytes, of which at least one byte is not written.
  std::optional<Unwritten> unwritten(std::size_t element_bytes) const {
    Unwritten result{0, 0};
    for (std::size_t at = 0; at < written_.size(); at += element_bytes) {
      bool whole = true;
      for (std::size_t byte = at; byte < at + element_bytes; ++byte) whole = whole && written_[byte];
      if (!whole && result.elements++ == 0) result.first = at / element_bytes;
    }
    return result.elements > 0 ? std::optional(result) : std::nullopt;
  }

 private:
  std::uintptr_t begin_;
  std::vector<bool> written_;
};

}  // namespace runner
