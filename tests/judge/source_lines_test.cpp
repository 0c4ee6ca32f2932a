// SPDX-License-Identifier: MIT
#include "judge/source_lines.hpp"

#include <doctest/doctest.h>
#include <link.h>

#include <filesystem>

#include "judge/command.hpp"

namespace {

__attribute__((noinline)) int known_function(int x) { return x * 7; }
constexpr int line_of_known_function = __LINE__ - 1;

// Places are offsets in the program's file, as a runner tells them.
std::uint64_t place_of(int (*function)(int)) {
  std::uintptr_t loaded_at = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;
      },
      &loaded_at);
  return reinterpret_cast<std::uintptr_t>(function) - loaded_at;
}

const std::string this_program = std::filesystem::read_symlink("/proc/self/exe").string();

}  // namespace

TEST_CASE("a place in a program is a line of its source; unknown places are left out") {
  if (judge::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  const auto lines = judge::source_lines(this_program, {1, place_of(&known_function), 0xffffffffffff});
  REQUIRE(lines.size() == 1);
  CHECK(std::filesystem::path(lines[0].file).filename() == "source_lines_test.cpp");
  CHECK(lines[0].line == line_of_known_function);
}

TEST_CASE("places keep their order, and a place that is named twice is told twice") {
  if (judge::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  const std::uint64_t place = place_of(&known_function);
  CHECK(judge::source_lines(this_program, {place, place}).size() == 2);
}

TEST_CASE("nothing is known of a program that is not there, and nothing is asked of no places") {
  CHECK(judge::source_lines("/nonexistent/program", {4096}).empty());
  CHECK(judge::source_lines(this_program, {}).empty());
}
