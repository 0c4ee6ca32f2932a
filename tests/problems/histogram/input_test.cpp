// SPDX-License-Identifier: MIT
#include "problems/input.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "temporary_folder.hpp"

namespace {

using problems::InputError;

std::string text_of(const problems::Input& input, std::uint64_t offset, std::size_t length) {
  std::vector<unsigned char> bytes(length, 0xee);
  input.read(offset, bytes);
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<problems::Input> held(std::string_view text) {
  return problems::hold({text.begin(), text.end()});
}

}  // namespace

TEST_CASE("a file gives its exact bytes, from any offset") {
  const TemporaryFolder folder;
  const std::string path = folder.write("bytes", std::string("a\0b\r\n\xff z", 8));
  const auto input = problems::open_file(path);
  CHECK(input->length() == 8);
  CHECK(text_of(*input, 0, 8) == std::string("a\0b\r\n\xff z", 8));
  CHECK(text_of(*input, 3, 4) == "\r\n\xff ");
  CHECK(text_of(*input, 8, 0).empty());
  const auto extents = input->extents();
  REQUIRE(extents.size() == 1);
  CHECK(extents[0].offset == 0);
  CHECK(extents[0].length == 8);
}

TEST_CASE("an empty file is an input of no bytes") {
  const TemporaryFolder folder;
  const auto input = problems::open_file(folder.write("empty", ""));
  CHECK(input->length() == 0);
  CHECK(text_of(*input, 0, 0).empty());
}

TEST_CASE("a file beyond 4 GiB is read in place") {
  const TemporaryFolder folder;
  const std::string path = folder.write("huge", "begin");
  constexpr std::uint64_t last = (std::uint64_t{1} << 32) + 2;
  std::FILE* const file =
      std::fopen(path.c_str(), "r+b");  // what lies between is a hole, which takes no room
  REQUIRE(file != nullptr);
  REQUIRE(fseeko(file, static_cast<off_t>(last), SEEK_SET) == 0);
  REQUIRE(std::fputs("end", file) >= 0);
  REQUIRE(std::fclose(file) == 0);
  const auto input = problems::open_file(path);
  CHECK(input->length() == last + 3);
  CHECK(text_of(*input, 0, 6) == std::string("begin\0", 6));
  CHECK(text_of(*input, last - 1, 4) == std::string("\0end", 4));
}

TEST_CASE("what is no readable file is refused, and the message says which and why") {
  const TemporaryFolder folder;
  SUBCASE("missing") {
    const std::string path = folder.path() + "/nothing";
    CHECK_THROWS_WITH_AS(problems::open_file(path),
                         ("cannot open " + path + ": No such file or directory").c_str(), InputError);
  }
  SUBCASE("a folder") {
    const std::string expected = "cannot read " + folder.path() + ": it is a folder, not a regular file";
    CHECK_THROWS_WITH_AS(problems::open_file(folder.path()), expected.c_str(), InputError);
  }
  SUBCASE("a device") {
    CHECK_THROWS_WITH_AS(problems::open_file("/dev/null"),
                         "cannot read /dev/null: it is a device or pipe, not a regular file", InputError);
  }
  SUBCASE("a pipe into which nobody writes, without waiting for a writer") {
    const std::string path = folder.path() + "/pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const std::string expected = "cannot read " + path + ": it is a device or pipe, not a regular file";
    CHECK_THROWS_WITH_AS(problems::open_file(path), expected.c_str(), InputError);
  }
}

TEST_CASE("a file that changes its size after it was opened is an error that names both sizes") {
  const TemporaryFolder folder;
  const std::string path = folder.write("changing", "0123456789");
  const auto input = problems::open_file(path);
  const auto expected = [&](const char* now) {
    return path + " changed while it was read: it had 10 bytes, now it has " + now;
  };
  SUBCASE("it shrank") {
    REQUIRE(truncate(path.c_str(), 4) == 0);
    CHECK_THROWS_WITH_AS(text_of(*input, 0, 10), expected("4").c_str(), InputError);
  }
  SUBCASE("it shrank behind what is read") {
    REQUIRE(truncate(path.c_str(), 4) == 0);
    CHECK_THROWS_WITH_AS(text_of(*input, 0, 2), expected("4").c_str(), InputError);
  }
  SUBCASE("it grew") {
    REQUIRE(truncate(path.c_str(), 25) == 0);
    CHECK_THROWS_WITH_AS(text_of(*input, 0, 10), expected("25").c_str(), InputError);
  }
  SUBCASE("its size stayed: no error") {
    folder.write("changing", "abcdefghij");
    CHECK(text_of(*input, 0, 10) == "abcdefghij");
  }
}

TEST_CASE("held bytes are read from any offset") {
  const auto input = held("hello");
  CHECK(input->length() == 5);
  CHECK(text_of(*input, 0, 5) == "hello");
  CHECK(text_of(*input, 2, 2) == "ll");
}

TEST_CASE("repeat gives a source again and again") {
  SUBCASE("beyond the source's length, read at once") {
    CHECK(text_of(*problems::repeat(held("abc"), 8), 0, 8) == "abcabcab");
  }
  SUBCASE("in pieces that cross the seams") {
    const auto input = problems::repeat(held("abc"), 8);
    CHECK(input->length() == 8);
    CHECK(text_of(*input, 2, 5) == "cabca");
    CHECK(text_of(*input, 3, 1) == "a");
    CHECK(text_of(*input, 7, 1) == "b");
  }
  SUBCASE("less than the source") { CHECK(text_of(*problems::repeat(held("abc"), 2), 0, 2) == "ab"); }
  SUBCASE("nothing, even of nothing") {
    const auto input = problems::repeat(held(""), 0);
    CHECK(input->length() == 0);
    CHECK(text_of(*input, 0, 0).empty());
  }
  SUBCASE("from an offset beyond 2^32") {
    CHECK(text_of(*problems::repeat(held("abc"), std::uint64_t{1} << 33), (std::uint64_t{1} << 32) + 1, 4) ==
          "cabc");
  }
}
