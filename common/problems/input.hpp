// SPDX-License-Identifier: MIT
// Where the bytes come from: named, generated inputs and files, read piece by piece so that no input has to
// fit into memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace problems {

// A stretch of an input.
struct Extent {
  std::uint64_t offset;
  std::uint64_t length;
};

// An input cannot be read; what() says which and why.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Input {
 public:
  virtual ~Input() = default;

  virtual std::uint64_t length() const = 0;

  // Fills `out` with the bytes from `offset` on. Precondition: offset + out.size() <= length().
  // Throws InputError where a file can no longer give what it promised.
  virtual void read(std::uint64_t offset, std::span<unsigned char> out) const = 0;

  // Where bytes other than 0 may be, in ascending order; everything else is 0. An input of several GiB that
  // is mostly 0 can be made, sent and counted without touching all of it.
  virtual std::vector<Extent> extents() const { return {{0, length()}}; }
};

struct NamedInput {
  std::string_view name;
  std::string_view description;
};

// A regular file of any size, read in place; of a grey image (grey_image.hpp) the pixels. Throws InputError:
// missing, a folder, not readable, no image of that kind; and, from read(), when the file's size is no longer
// what it was when it was opened.
std::unique_ptr<Input> open_file(const std::string& path);

// Another input's bytes again and again, up to `length`. Precondition: length == 0 or source->length() > 0.
std::unique_ptr<Input> repeat(std::unique_ptr<Input> source, std::uint64_t length);

// Bytes held in memory.
std::unique_ptr<Input> hold(std::vector<unsigned char> bytes);

// A file in memory (or, where the system has none, one without a name) through which the judge hands inputs
// to a runner. The runner inherits the descriptor.
class SharedInputFile {
 public:
  SharedInputFile();  // throws std::system_error
  ~SharedInputFile();
  SharedInputFile(const SharedInputFile&) = delete;
  SharedInputFile& operator=(const SharedInputFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Replaces the contents by `length` bytes of the input from `offset` on. What the input leaves at 0 becomes
  // a hole. Throws InputError; std::system_error where there is no room.
  void write(const Input& input, std::uint64_t offset, std::uint64_t length);
  void write(const Input& input) { write(input, 0, input.length()); }

 private:
  int descriptor_ = -1;
};

// The runner's end of that file. Holes in it are stretches of zeros that nobody has to read.
class SharedInput final : public Input {
 public:
  SharedInput(int descriptor, std::uint64_t length) : descriptor_(descriptor), length_(length) {}

  std::uint64_t length() const override { return length_; }
  void read(std::uint64_t offset, std::span<unsigned char> out) const override;
  std::vector<Extent> extents() const override;

 private:
  int descriptor_;
  std::uint64_t length_;
};

}  // namespace problems
