// SPDX-License-Identifier: MIT
#include "judge/shared_input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace judge {

namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

int open_nameless_file() {
#ifdef MFD_CLOEXEC
  return memfd_create("workbook-input", MFD_CLOEXEC);
#else
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder ? folder : "/tmp") + "/workbook-input-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor >= 0) unlink(path.c_str());
  return descriptor;
#endif
}

void write_fully(int descriptor, std::uint64_t offset, std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot hand the input to the runner");
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

}  // namespace

SharedInputFile::SharedInputFile() : descriptor_(open_nameless_file()) {
  if (descriptor_ < 0) fail("cannot make a file for the inputs");
}

SharedInputFile::~SharedInputFile() { close(descriptor_); }

void SharedInputFile::write(const problems::Input& input, std::uint64_t offset, std::uint64_t length) {
  if (ftruncate(descriptor_, 0) != 0 || ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
    fail("cannot hand the input to the runner");
  }
  std::vector<unsigned char> piece;
  for (const problems::Extent& extent : input.extents()) {
    const std::uint64_t end = std::min(extent.offset + extent.length, offset + length);
    for (std::uint64_t at = std::max(extent.offset, offset); at < end; at += piece.size()) {
      piece.resize(std::min(piece_bytes, end - at));
      input.read(at, piece);
      write_fully(descriptor_, at - offset, piece);
    }
  }
}

}  // namespace judge
