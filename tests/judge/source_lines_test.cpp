// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

#include "judge/source_text.hpp"
#include "os/command.hpp"
#include "os/elf_file.hpp"
#include "temporary_folder.hpp"

namespace {

__attribute__((noinline)) int known_function(int x) { return x * 7; }
constexpr int line_of_known_function = __LINE__ - 1;

// A call in a function that is compiled into another one: two lines stand for one place.
std::uintptr_t call = 0;
__attribute__((noinline)) void remember_call() {
  call = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
}
__attribute__((always_inline)) inline void inlined(volatile int& x) {
  remember_call();
  x = x + 1;
}
constexpr int line_of_call = __LINE__ - 3;
__attribute__((noinline)) void outer(volatile int& x) {
  inlined(x);
  x = x + 1;
}

// Places are offsets in the program's file, as a runner tells them.
std::uint64_t place_of(std::uintptr_t address) {
  std::uintptr_t loaded_at = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;
      },
      &loaded_at);
  return address - loaded_at;
}

std::uint64_t place_of_known_function() {
  return place_of(reinterpret_cast<std::uintptr_t>(&known_function));
}

const std::string this_program = std::filesystem::read_symlink("/proc/self/exe").string();

}  // namespace

TEST_CASE("a place in a program is a line of its source; unknown places are left out") {
  if (os::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  const auto lines = judge::source_lines(this_program, {1, place_of_known_function(), 0xffffffffffff});
  REQUIRE(lines.size() == 1);
  CHECK(std::filesystem::path(lines[0].file).filename() == "source_lines_test.cpp");
  CHECK(lines[0].line == line_of_known_function);
}

TEST_CASE("places keep their order, and a place that is named twice is told twice") {
  if (os::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  const std::uint64_t place = place_of_known_function();
  CHECK(judge::source_lines(this_program, {place, place}).size() == 2);
}

TEST_CASE("each place has its own line, or nothing") {
  if (os::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  const auto lines = judge::line_of_each(
      this_program, {1, place_of_known_function(), 0xffffffffffff, place_of_known_function()});
  REQUIRE(lines.size() == 4);
  CHECK_FALSE(lines[0]);
  CHECK(lines[1].value().line == line_of_known_function);
  CHECK_FALSE(lines[2]);
  CHECK(lines[3].value().line == line_of_known_function);
  CHECK(judge::line_of_each("/nonexistent/program", {4096, 1}).size() == 2);
  CHECK(judge::line_of_each(this_program, {}).empty());
}

TEST_CASE("of a function that was compiled into another one, the inner line is told") {
  if (os::run_command({"addr2line", "--version"}).code != 0) {
    MESSAGE("left out: there is no addr2line");
    return;
  }
  volatile int x = 0;
  outer(x);
  const auto lines = judge::source_lines(this_program, {place_of(call)});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].line == line_of_call);
}

TEST_CASE("nothing is known of a program that is not there, and nothing is asked of no places") {
  CHECK(judge::source_lines("/nonexistent/program", {4096}).empty());
  CHECK(judge::source_lines(this_program, {}).empty());
}

TEST_CASE("the lines of a program that is made anew are those of the new one") {
  if (os::run_command({"addr2line", "--version"}).code != 0) return;
  const TemporaryFolder folder;
  const std::string source = folder.path() + "/program.cpp", program = folder.path() + "/program";
  const auto line_of_main = [&](const std::string& text) {
    folder.write("program.cpp", text);
    REQUIRE(os::run_command({"c++", "-gdwarf-4", "-no-pie", source, "-o", program}).code == 0);
    const auto symbols = os::elf_symbols(program);
    const auto found = std::ranges::find(symbols, std::string("main"), &os::ElfSymbol::name);
    REQUIRE(found != symbols.end());
    const auto lines = judge::source_lines(program, {found->value});
    CHECK(judge::source_lines(program, {found->value}) == lines);
    return lines.empty() ? 0 : lines[0].line;
  };
  CHECK(line_of_main("int main() {}\n") == 1);
  CHECK(line_of_main("\n\nint main() {}\n") == 3);
}
