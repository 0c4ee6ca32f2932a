// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "problems/histogram/generators.hpp"
#include "problems/input.hpp"

using problems::Extent;
using problems::SharedInput;
using problems::SharedInputFile;

namespace {

constexpr std::uint64_t mib = 1 << 20;

std::vector<unsigned char> contents(const SharedInputFile& file) {
  struct stat status {};
  REQUIRE(fstat(file.descriptor(), &status) == 0);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(status.st_size));
  REQUIRE(pread(file.descriptor(), bytes.data(), bytes.size(), 0) == status.st_size);
  return bytes;
}

std::vector<unsigned char> bytes_of(const problems::Input& input, std::uint64_t offset, std::size_t length) {
  std::vector<unsigned char> bytes(length);
  input.read(offset, bytes);
  return bytes;
}

// A file without a name, as long as it is told to be; what is not written is a hole.
class HoleyFile {
 public:
  explicit HoleyFile(std::uint64_t length) : file_(std::tmpfile(), &std::fclose) {
    REQUIRE(file_ != nullptr);
    REQUIRE(ftruncate(descriptor(), static_cast<off_t>(length)) == 0);
  }
  int descriptor() const { return fileno(file_.get()); }
  void write(std::uint64_t offset, std::string_view text) {
    REQUIRE(pwrite(descriptor(), text.data(), text.size(), static_cast<off_t>(offset)) ==
            static_cast<ssize_t>(text.size()));
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

std::string read(const SharedInput& input, std::uint64_t offset, std::size_t length) {
  std::vector<unsigned char> bytes(length, 0xee);
  input.read(offset, bytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("the file holds the input, and the next one in its place") {
  SharedInputFile file;
  const auto longer = histogram::make_input("bytes", 2'500'000, 1),
             shorter = histogram::make_input("text", 1000, 2);
  file.write(*longer);
  CHECK(contents(file) == bytes_of(*longer, 0, 2'500'000));
  file.write(*shorter);
  CHECK(contents(file) == bytes_of(*shorter, 0, 1000));
  file.write(*histogram::make_input("text", 0, 2));
  CHECK(contents(file).empty());
}

TEST_CASE("a stretch of an input stands at the beginning of the file") {
  SharedInputFile file;
  const auto input = histogram::make_input("bytes", 3'000'000, 1);
  file.write(*input, 1'000'001, 1'500'000);
  CHECK(contents(file) == bytes_of(*input, 1'000'001, 1'500'000));
}

TEST_CASE("holes of an input stay holes, and old bytes do not shine through") {
  SharedInputFile file;
  file.write(*histogram::make_input("letters", 1 << 20, 1));
  const std::uint64_t length = std::uint64_t{1} << 32;
  const auto sparse = histogram::make_input("sparse", length, 1);
  file.write(*sparse);
  struct stat status {};
  REQUIRE(fstat(file.descriptor(), &status) == 0);
  CHECK(static_cast<std::uint64_t>(status.st_size) == length);
  CHECK(static_cast<std::uint64_t>(status.st_blocks) * 512 < length / 4);
  std::vector<unsigned char> bytes(1 << 20);
  REQUIRE(pread(file.descriptor(), bytes.data(), bytes.size(), 0) == 1 << 20);
  CHECK(bytes == bytes_of(*sparse, 0, 1 << 20));
}

TEST_CASE("the shared input gives the file's bytes, from any offset, and 0 in holes") {
  HoleyFile file(3 * mib);
  file.write(0, "begin");
  file.write(2 * mib, "middle");
  const SharedInput input(file.descriptor(), 3 * mib);
  CHECK(input.length() == 3 * mib);
  CHECK(read(input, 0, 6) == std::string("begin\0", 6));
  CHECK(read(input, 2 * mib - 2, 5) == std::string("\0\0mid", 5));
  CHECK(read(input, 3 * mib, 0).empty());
}

TEST_CASE("the extents cover what was written and leave out the holes, also beyond 2^32") {
  const std::vector<std::uint64_t> islands{0, mib, std::uint64_t{1} << 31, (std::uint64_t{1} << 32) + 4096};
  const std::uint64_t length = (std::uint64_t{1} << 32) + mib;
  HoleyFile file(length);
  for (const std::uint64_t island : islands) file.write(island, "island");
  const SharedInput input(file.descriptor(), length);
  const std::vector<Extent> extents = input.extents();
  REQUIRE(extents.size() == islands.size());
  for (std::size_t i = 0; i < islands.size(); ++i) {
    CAPTURE(i);
    CHECK(extents[i].offset <= islands[i]);
    CHECK(extents[i].offset + extents[i].length >= islands[i] + 6);
    CHECK(extents[i].length <= 64 * 1024);  // a file system counts in blocks
    if (i > 0) CHECK(extents[i].offset >= extents[i - 1].offset + extents[i - 1].length);
  }
}

TEST_CASE("the extents end where the input does, though the file goes on") {
  HoleyFile file(2 * mib);
  file.write(0, "begin");
  file.write(mib, "more");
  SUBCASE("within what was written") {
    const auto extents = SharedInput(file.descriptor(), 3).extents();
    REQUIRE(extents.size() == 1);
    CHECK(extents[0].offset == 0);
    CHECK(extents[0].length == 3);
  }
  SUBCASE("in a hole") {
    const auto extents = SharedInput(file.descriptor(), mib / 2).extents();
    REQUIRE(extents.size() == 1);
    CHECK(extents[0].offset == 0);
    CHECK(extents[0].length < mib / 2);
  }
  SUBCASE("where the next stretch begins") {
    CHECK(SharedInput(file.descriptor(), mib).extents().size() == 1);
  }
}

TEST_CASE("a file that is one hole has no extents") {
  const HoleyFile hole(mib), empty(0);
  CHECK(SharedInput(hole.descriptor(), mib).extents().empty());
  CHECK(SharedInput(empty.descriptor(), 0).extents().empty());
}

TEST_CASE("a file without holes is one extent") {
  HoleyFile file(0);
  file.write(0, std::string(100'000, 'x'));
  const auto extents = SharedInput(file.descriptor(), 100'000).extents();
  REQUIRE(extents.size() == 1);
  CHECK(extents[0].offset == 0);
  CHECK(extents[0].length == 100'000);
}

TEST_CASE("a file that is shorter than the input is an error") {
  HoleyFile file(10);
  const SharedInput input(file.descriptor(), 20);
  CHECK_THROWS_WITH_AS(read(input, 5, 10), "the judge's input ends early", problems::InputError);
  CHECK(read(input, 5, 5) == std::string(5, '\0'));
}
