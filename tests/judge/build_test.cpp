// SPDX-License-Identifier: MIT
#include "judge/build.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "temporary_folder.hpp"

using judge::Backend;
using judge::Tree;
using judge::Verdict;

namespace {

struct Place {
  std::string message, file;
  int line;
};

Place first_error(const std::string& output) {
  const auto error = judge::first_compiler_error(output);
  return error ? Place{error->message, error->where.file, error->where.line} : Place{"none", "", -1};
}

void check_place(const Place& place, const std::string& message, const std::string& file, int line) {
  CHECK(place.message == message);
  CHECK(place.file == file);
  CHECK(place.line == line);
}

constexpr const char* gcc =
    "[1/3] Compiling C++ object labs/02\n"
    "In file included from unit.cpp:2:\n"
    "/book/labs/02/histogram.cu: In function 'void histogram_kernel(const unsigned char*)':\n"
    "/book/labs/02/histogram.cu:3:7: warning: unused variable 'x' [-Wunused-variable]\n"
    "    3 |   int x;\n"
    "/book/labs/02/histogram.cu:4:18: error: 'blokIdx' was not declared in this scope; did you mean "
    "'blockIdx'?\n"
    "    4 |   int position = blokIdx.x\n"
    "      |                  ^~~~~~~\n"
    "/book/labs/02/histogram.cu:9:1: error: expected ';' before '}' token\n"
    "    9 | }\n"
    "ninja: build stopped: subcommand failed.\n";

// A build folder whose one runner comes from a `command` of ours.
struct FakeBuild {
  TemporaryFolder folder;
  judge::Workbook workbook = judge::workbook();
  judge::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true};

  explicit FakeBuild(const std::string& command) {
    workbook.source_root = folder.path();
    workbook.build_root = folder.path() + "/build";
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("labs/02_global_atomics/histogram.cu", "");
    folder.write("build/build.ninja", "rule make\n  command = " + command +
                                          "\nbuild labs/02_global_atomics/histogram.sim: make $\n"
                                          "  ../labs/02_global_atomics/histogram.cu\n");
  }

  std::optional<judge::Finding> build() const {
    return build_runner(workbook, exercise, Tree::student, Backend::sim);
  }
};

}  // namespace

TEST_CASE("g++: the first error with its place and the lines that show it, not the warning before") {
  check_place(
      first_error(gcc),
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

TEST_CASE("nvcc: the line stands in parentheses") {
  check_place(
      first_error(
          "/book/labs/02/histogram.cu(3): warning #177-D: variable \"x\" was declared but never used\n"
          "    int x;\n\n"
          "/book/labs/02/histogram.cu(4): error: identifier \"blokIdx\" is undefined\n"
          "    int position = blokIdx.x\n"
          "                   ^\n\n"
          "/book/labs/02/histogram.cu(5): error: expected a \";\"\n"),
      "/book/labs/02/histogram.cu(4): error: identifier \"blokIdx\" is undefined\n"
      "    int position = blokIdx.x\n                   ^",
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
  check("In file included from " + file + ":7,\n                 from unit.cpp:2:\n" + header + ":2:2: error: #error \"no such thing\"\n    2 | #error\n",
        7, "no such thing");
  check("In file included from /book/common/exercise/lab.hpp:41,\n                 from " + file + ":2:\n" + header +
            ": In instantiation of 'T atomicAdd(T*)':\n" + file + ":9:12:   required from 'void histogram_kernel()'\n" +
            "/book/common/exercise/kernel_entry.hpp:44:28:   required from here\n" + header + ":51:30: error: static assertion failed: a word\n",
        9, "static assertion failed: a word");
  // clang: the same
  check("In file included from unit.cpp:2:\nIn file included from " + file + ":7:\n" + header + ":2:2: error: \"no such thing\"\n#error\n^\n", 7, "no such thing");
  check("In file included from unit.cpp:2:\nIn file included from " + file + ":2:\n" + header + ":51:1: error: static_assert failed \"a word\"\nSIMULATOR(x)\n^\n" +
            file + ":9:12: note: in instantiation of function template specialization 'atomicAdd<int>' requested here\n  atomicAdd(x)\n",
        9, "static_assert failed a word");
}

TEST_CASE("what the linker misses has a place too") {
  const std::string line = "/book/labs/02/histogram.cu:7: undefined reference to `helper(unsigned int)'";
  const std::string before = "/usr/bin/ld: unit.o: in function `launch_shape(unsigned long)':\n";
  check_place(first_error(before + line + "\ncollect2: error: ld returned 1 exit status\n"), line,
              "/book/labs/02/histogram.cu", 7);
  check_place(first_error(before + "/usr/bin/ld: " + line + "\nclang: error: linker command failed\n"),
              "/usr/bin/ld: " + line, "/book/labs/02/histogram.cu", 7);
}

TEST_CASE("an error without a place has line 0, and no error is none") {
  check_place(first_error("ninja: error: loading 'build.ninja': No such file or directory\n"),
              "ninja: error: loading 'build.ninja': No such file or directory", "ninja", 0);
  check_place(first_error(": error at the start of a line\n"), "none", "", -1);
  check_place(first_error(""), "none", "", -1);
  check_place(first_error("a.cu:1:2: warning: error-prone\n[2/2] Linking target\n"), "none", "", -1);
  check_place(first_error("a.cu(3): error #20014-D: calling a host function\n"),
              "a.cu(3): error #20014-D: calling a host function", "a.cu", 3);
}

TEST_CASE("a runner that builds gives no finding") {
  const FakeBuild fake("cp $in $out");
  CHECK_FALSE(fake.build());
  CHECK(access(fake.workbook.runner(fake.exercise, Tree::student, Backend::sim).c_str(), R_OK) == 0);
}

TEST_CASE("a build error is told with its place as the student knows it") {
  const FakeBuild fake("cat ../messages && false");
  std::string messages = gcc;
  for (std::size_t at; (at = messages.find("/book")) != std::string::npos;) {
    messages.replace(at, 5, fake.folder.path());
  }
  fake.folder.write("messages", messages);
  const auto finding = fake.build();
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::build_error);
  CHECK(
      finding->message ==
      "labs/02/histogram.cu:4:18: error: 'blokIdx' was not declared in this scope; did you mean 'blockIdx'?\n"
      "    4 |   int position = blokIdx.x\n      |                  ^~~~~~~");
  REQUIRE(finding->where.size() == 1);
  CHECK(finding->where[0].file == "labs/02/histogram.cu");
  CHECK(finding->where[0].line == 4);
}

TEST_CASE("a failure without a known form is told in the tool's words") {
  const auto finding = FakeBuild("echo the disk is full && false").build();
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::build_error);
  CHECK(finding->message.find("the disk is full") != std::string::npos);
  CHECK(finding->where.empty());
}

TEST_CASE("an error without a line names no place") {
  const FakeBuild fake("cat ../messages && false");
  fake.folder.write("messages", "collect2: error: ld returned 1 exit status\n");
  const auto finding = fake.build();
  REQUIRE(finding);
  CHECK(finding->message == "collect2: error: ld returned 1 exit status");
  CHECK(finding->where.empty());
}

TEST_CASE("a missing file is a build error that names it") {
  FakeBuild fake("cp $in $out");
  fake.exercise.file = "gone.cu";
  const auto finding = fake.build();
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::build_error);
  CHECK(finding->message == "labs/02_global_atomics/gone.cu: No such file or directory");
}

TEST_CASE("a full disk is the machine's fault, not the student's") {
  const auto says = [](const std::string& line, const std::string& told) {
    CAPTURE(line);
    const FakeBuild fake("cat ../messages && false");
    fake.folder.write("messages", "FAILED: histogram.o\n" + line + "\n");
    CHECK_THROWS_WITH_AS(fake.build(), ("cannot build labs/02_global_atomics/histogram.sim: " + told).c_str(), std::system_error);
  };
  says("labs/02/histogram.cu:61:1: fatal error: error writing to /tmp/cc0.s: No space left on device",
       "error writing to /tmp/cc0.s: No space left on device");
  says("/tmp/cc0.s: Fatal error: can't write 9 bytes to section .text of a.o: 'No space left on device'",
       "/tmp/cc0.s: Fatal error: can't write 9 bytes to section .text of a.o: No space left on device");
  says("/usr/bin/ld: final link failed: No space left on device",
       "/usr/bin/ld: final link failed: No space left on device");
  says("cc1plus: fatal error: opening output file a.o: Read-only file system",
       "opening output file a.o: Read-only file system");
}

TEST_CASE("a line of source that speaks of a full disk is none") {
  const FakeBuild fake("cat ../messages && false");
  fake.folder.write("messages", "/book/histogram.cu:5:1: error: 'x' was not declared\n"
                                "    5 |   x;  // No space left on device\n");
  const auto finding = fake.build();
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::build_error);
}

TEST_CASE("a build folder or a build tool that is not there is the machine's fault, not the student's") {
  FakeBuild fake("cp $in $out");
  fake.workbook.ninja = "/nonexistent/ninja";
  CHECK_THROWS_WITH_AS(fake.build(), "/nonexistent/ninja: No such file or directory", std::system_error);
  fake.workbook.build_root = "/nonexistent/build";
  CHECK_THROWS_WITH_AS(fake.build(), "cannot write to /nonexistent/build: No such file or directory",
                       std::system_error);
}
