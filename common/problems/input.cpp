// SPDX-License-Identifier: MIT
#include "problems/input.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace problems {

namespace {

class FileInput final : public Input {
 public:
  // O_NONBLOCK: opening a pipe would wait for somebody to write into it; to a regular file it means nothing.
  explicit FileInput(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw InputError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      throw InputError(fmt::format("cannot read {}: it is {}, not a regular file", path,
                                   known && S_ISDIR(status.st_mode) ? "a folder" : "a device or pipe"));
    }
    length_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileInput() override { ::close(descriptor_); }
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;

  std::uint64_t length() const override { return length_; }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    while (!out.empty()) {
      const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw InputError(fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
      if (got == 0) break;
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (!out.empty() || !known || static_cast<std::uint64_t>(status.st_size) != length_) {
      throw InputError(fmt::format("{} changed while it was read: it had {} bytes, now it has {}", path_,
                                   length_, known ? static_cast<std::uint64_t>(status.st_size) : offset));
    }
  }

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t length_ = 0;
};

class RepeatedInput final : public Input {
 public:
  RepeatedInput(std::unique_ptr<Input> source, std::uint64_t length)
      : source_(std::move(source)), length_(length) {}
  std::uint64_t length() const override { return length_; }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    const std::uint64_t period = source_->length();
    while (!out.empty()) {
      const std::uint64_t start = offset % period;
      const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), period - start));
      source_->read(start, out.first(taken));
      offset += taken;
      out = out.subspan(taken);
    }
  }

 private:
  std::unique_ptr<Input> source_;
  std::uint64_t length_;
};

class HeldInput final : public Input {
 public:
  explicit HeldInput(std::vector<unsigned char> bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t length() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }

 private:
  std::vector<unsigned char> bytes_;
};

}  // namespace

std::unique_ptr<Input> open_file(const std::string& path) { return std::make_unique<FileInput>(path); }

std::unique_ptr<Input> repeat(std::unique_ptr<Input> source, std::uint64_t length) {
  return std::make_unique<RepeatedInput>(std::move(source), length);
}

std::unique_ptr<Input> hold(std::vector<unsigned char> bytes) {
  return std::make_unique<HeldInput>(std::move(bytes));
}

}  // namespace problems
