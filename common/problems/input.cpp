// SPDX-License-Identifier: MIT
#include "problems/input.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "problems/grey_image.hpp"

namespace problems {

namespace {

// Fills `out` from `offset` on. Returns how many bytes there were; fewer at the end of the file or, with
// errno set, after an error.
std::size_t read_at(int descriptor, std::uint64_t offset, std::span<unsigned char> out) {
  std::size_t done = 0;
  errno = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(descriptor, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      errno = 0;
      continue;
    }
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

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
    const std::size_t done = read_at(descriptor_, offset, out);
    if (done < out.size() && errno != 0)
      throw InputError(fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (done < out.size() || !known || static_cast<std::uint64_t>(status.st_size) != length_) {
      throw InputError(fmt::format("{} changed while it was read: it had {} bytes, now it has {}", path_,
                                   length_,
                                   known ? static_cast<std::uint64_t>(status.st_size) : offset + done));
    }
  }

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t length_ = 0;
};

// A stretch of another input.
class PartOfInput final : public Input {
 public:
  PartOfInput(std::unique_ptr<Input> source, const Extent& part) : source_(std::move(source)), part_(part) {}
  std::uint64_t length() const override { return part_.length; }
  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    source_->read(part_.offset + offset, out);
  }

 private:
  std::unique_ptr<Input> source_;
  Extent part_;
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

std::unique_ptr<Input> open_file(const std::string& path) {
  auto file = std::make_unique<FileInput>(path);
  if (!is_grey_image(path)) return file;
  std::vector<unsigned char> beginning(std::min<std::uint64_t>(file->length(), image_header_bytes));
  file->read(0, beginning);
  const Extent pixels = pixels_of(path, beginning, file->length());
  return std::make_unique<PartOfInput>(std::move(file), pixels);
}

std::unique_ptr<Input> repeat(std::unique_ptr<Input> source, std::uint64_t length) {
  return std::make_unique<RepeatedInput>(std::move(source), length);
}

std::unique_ptr<Input> hold(std::vector<unsigned char> bytes) {
  return std::make_unique<HeldInput>(std::move(bytes));
}

SharedInputFile::SharedInputFile() : descriptor_(open_nameless_file()) {
  if (descriptor_ < 0) fail("cannot make a file for the inputs");
}

SharedInputFile::~SharedInputFile() { close(descriptor_); }

void SharedInputFile::write(const Input& input, std::uint64_t offset, std::uint64_t length) {
  if (ftruncate(descriptor_, 0) != 0 || ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
    fail("cannot hand the input to the runner");
  }
  std::vector<unsigned char> piece;
  for (const Extent& extent : input.extents()) {
    const std::uint64_t end = std::min(extent.offset + extent.length, offset + length);
    for (std::uint64_t at = std::max(extent.offset, offset); at < end; at += piece.size()) {
      piece.resize(std::min(piece_bytes, end - at));
      input.read(at, piece);
      write_fully(descriptor_, at - offset, piece);
    }
  }
}

void SharedInput::read(std::uint64_t offset, std::span<unsigned char> out) const {
  if (read_at(descriptor_, offset, out) < out.size()) throw InputError("the judge's input ends early");
}

std::vector<Extent> SharedInput::extents() const {
#ifdef SEEK_DATA
  std::vector<Extent> result;
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

}  // namespace problems
