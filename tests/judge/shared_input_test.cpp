// SPDX-License-Identifier: MIT
#include "judge/shared_input.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problems/histogram/generators.hpp"

namespace {

std::vector<unsigned char> contents(const judge::SharedInputFile& file) {
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

}  // namespace

TEST_CASE("the file holds the input, and the next one in its place") {
  judge::SharedInputFile file;
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
  judge::SharedInputFile file;
  const auto input = histogram::make_input("bytes", 3'000'000, 1);
  file.write(*input, 1'000'001, 1'500'000);
  CHECK(contents(file) == bytes_of(*input, 1'000'001, 1'500'000));
}

TEST_CASE("holes of an input stay holes, and old bytes do not shine through") {
  judge::SharedInputFile file;
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
