// SPDX-License-Identifier: MIT
#include "runner/runner_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace runner {

void SharedInput::read(std::uint64_t offset, std::span<unsigned char> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw problems::InputError("the judge's input ends early");
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

std::vector<problems::Extent> SharedInput::extents() const {
#ifdef SEEK_DATA
  std::vector<problems::Extent> result;
  for (off_t at = 0;;) {
    const off_t begin = ::lseek(descriptor_, at, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) return result;  // nothing but a hole up to the end
    const off_t end = begin < 0 ? begin : ::lseek(descriptor_, begin, SEEK_HOLE);
    if (end < 0) break;  // the file system cannot tell
    const auto first = static_cast<std::uint64_t>(begin);
    if (first >= length_) return result;
    result.push_back({first, std::min(static_cast<std::uint64_t>(end), length_) - first});
    at = end;
  }
#endif
  return Input::extents();
}

}  // namespace runner
