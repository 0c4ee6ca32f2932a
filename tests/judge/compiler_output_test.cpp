// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "gcc_output.hpp"
#include "judge/build.hpp"

namespace {

struct Place {
  std::string message, file;
  int line;
};

Place first_error(const std::string& output) {
  const auto error = judge::first_compiler_error(output, "/book/labs/02/histogram.cu");
  return error ? Place{error->message, error->where.file, error->where.line} : Place{"none", "", -1};
}

void check_place(const Place& place, const std::string& message, const std::string& file, int line) {
  CHECK(place.message == message);
  CHECK(place.file == file);
  CHECK(place.line == line);
}

}  // namespace

TEST_CASE("g++: the first error with its place and the lines that show it, not the warning before") {
  check_place(
      first_error(gcc_output),
      "/book/labs/02/histogram.cu:4:18: error: 'blokIdx' was not declared in this scope; did you mean "
      "'blockIdx'?\n    4 |   int position = blokIdx.x\n      |                  ^~~~~~~",
      "/book/labs/02/histogram.cu", 4);
}

TEST_CASE("clang: the first error with its place and the lines that show it") {
  check_place(first_error("In file included from unit.cpp:2:\n"
                          "/book/labs/02/histogram.cu:4:18: error: use of undeclared identifier 'blokIdx'\n"
                          "  int position = blokIdx.x\n"
                          "                 ^\n"
                          "/book/labs/02/histogram.cu:4:27: error: expected ';' at end of declaration\n"
                          "2 errors generated.\n"),
              "/book/labs/02/histogram.cu:4:18: error: use of undeclared identifier 'blokIdx'\n"
              "  int position = blokIdx.x\n                 ^",
              "/book/labs/02/histogram.cu", 4);
}

TEST_CASE("nvcc: its parentheses around the line are not shown") {
  check_place(
      first_error(
          "/book/labs/02/histogram.cu(3): warning #177-D: variable \"x\" was declared but never used\n"
          "    int x;\n\n"
          "/book/labs/02/histogram.cu(4): error: identifier \"blokIdx\" is undefined\n"
          "    int position = blokIdx.x\n"
          "                   ^\n\n"
          "/book/labs/02/histogram.cu(5): error: expected a \";\"\n"),
      "/book/labs/02/histogram.cu:4: error: identifier \"blokIdx\" is undefined\n    int position = "
      "blokIdx.x\n                   ^",
      "/book/labs/02/histogram.cu", 4);
}

TEST_CASE("a missing header is a fatal error") {
  check_place(first_error("/book/labs/02/histogram.cu:5:10: fatal error: lib.hpp: No such file or directory\n"
                          "    5 | #include \"lib.hpp\"\ncompilation terminated.\n"),
              "/book/labs/02/histogram.cu:5:10: fatal error: lib.hpp: No such file or directory\n"
              "    5 | #include \"lib.hpp\"",
              "/book/labs/02/histogram.cu", 5);
}

TEST_CASE("an error in a header of the simulator's is told of the line that led there") {
  const std::string header = "/book/common/simulator/cuda/atomics.hpp", file = "/book/labs/02/histogram.cu";
  const auto check = [&](const std::string& output, int line, const std::string& words) {
    check_place(first_error(output), file + ":" + std::to_string(line) + ": error: " + words, file, line);
  };
  // g++: an include; a template
  check("In file included from " + file + ":7,\n                 from unit.cpp:2:\n" + header +
            ":2:2: error: #error \"no such thing\"\n    2 | #error\n",
        7, "no such thing");
  check("In file included from /book/common/runner/lab.hpp:41,\n                 from " + file + ":2:\n" +
            header + ": In instantiation of 'T atomicAdd(T*)':\n" + file +
            ":9:12:   required from 'void histogram_kernel()'\n" +
            "/book/common/runner/kernel_entry.hpp:44:28:   required from here\n" + header +
            ":51:30: error: static assertion failed: a word\n",
        9, "a word");
  // clang: the same
  check("In file included from unit.cpp:2:\nIn file included from " + file + ":7:\n" + header +
            ":2:2: error: \"no such thing\"\n#error\n^\n",
        7, "no such thing");
  check("In file included from unit.cpp:2:\nIn file included from " + file + ":2:\n" + header +
            ":51:1: error: static_assert failed \"a word\"\nSIMULATOR(x)\n^\n" + file +
            ":9:12: note: in instantiation of function template specialization 'atomicAdd<int>' requested "
            "here\n  atomicAdd(x)\n",
        9, "a word");
}

TEST_CASE("what the linker misses has a place too") {
  const std::string place = "/book/labs/02/histogram.cu:7: ",
                    words = "undefined reference to `helper(unsigned int)'";
  const std::string line = place + words, told = place + "error: " + words;
  const std::string before = "/usr/bin/ld: unit.o: in function `launch_shape(unsigned long)':\n";
  check_place(first_error(before + line + "\ncollect2: error: ld returned 1 exit status\n"), told,
              "/book/labs/02/histogram.cu", 7);
  check_place(first_error(before + "/usr/bin/ld: " + line + "\nclang: error: linker command failed\n"), told,
              "/book/labs/02/histogram.cu", 7);
}

TEST_CASE("a place stays where the message ends a word in ld") {
  const std::string line = "/book/labs/02/histogram.cu:7:3: error: no 'world: ' here";
  check_place(first_error(line), line, "/book/labs/02/histogram.cu", 7);
}

TEST_CASE("an error without a place has line 0, and no error is none") {
  check_place(first_error("ninja: error: loading 'build.ninja': No such file or directory\n"),
              "ninja: error: loading 'build.ninja': No such file or directory", "ninja", 0);
  check_place(first_error(": error at the start of a line\n"), "none", "", -1);
  check_place(first_error(""), "none", "", -1);
  check_place(first_error("a.cu:1:2: warning: error-prone\n[2/2] Linking target\n"), "none", "", -1);
  check_place(first_error("a.cu(3): error #20014-D: calling a host function\n"),
              "a.cu:3: error: calling a host function", "a.cu", 3);
}

TEST_CASE("an error to which a template's use led is told of that line, wherever compilers say so") {
  const std::string file = "/book/labs/02/histogram.cu", header = "/usr/include/c++/12/vector";
  check_place(first_error(header +
                          "(9): error: no such thing\n          detected during:\n            instantiation "
                          "of \"T\" at line 30 of " +
                          header + "\n            instantiation of \"U\" at line 4 of " + file + "\n"),
              file + ":4: error: no such thing", file, 4);
  // what leads to the next error is none of this one's
  const std::string next = "In file included from " + file + ":1:\n" + file + ":5:1:   required from here\n" +
                           header + ":3:1: error: next\n";
  check_place(first_error("unit.cpp:4:1: error: this\n" + next), "unit.cpp:4:1: error: this", "unit.cpp", 4);
}

TEST_CASE("options that silence an error, and what the preprocessor made of a qualifier, are not shown") {
  const std::string file = "/book/labs/02/histogram.cu";
  check_place(first_error(file + ":4:1: error: no return [-Werror=return-type]\n    4 | a[-1]\n"),
              file + ":4:1: error: no return\n    4 | a[-1]", file, 4);
  check_place(first_error(file + "(5): error: no constant\n    __attribute__((shared)) int counts[length];\n "
                                 "                               ^\n"),
              file + ":5: error: no constant\n    __shared__ int counts[length];\n                   ^", file,
              5);
}

TEST_CASE("nvcc's later steps: names as in C++") {
  CHECK(judge::first_device_error("x\nptxas fatal   : Unresolved extern function '_Z10bin_numberh'\n") ==
        "Unresolved extern function 'bin_number(unsigned char)'");
  CHECK(judge::first_device_error("nvlink error   : Undefined reference to 'plain' in 'a.o'\n") ==
        "Undefined reference to 'plain' in 'a.o'");
  CHECK_FALSE(judge::first_device_error("ptxas info    : 0 bytes gmem\nptxas error\n"));
}
