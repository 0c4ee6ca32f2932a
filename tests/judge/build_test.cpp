// SPDX-License-Identifier: MIT
#include "judge/build.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "facts/errors.hpp"
#include "gcc_output.hpp"
#include "temporary_folder.hpp"

using facts::Backend;
using facts::Verdict;
using workbook::Tree;

namespace {

// A build folder whose runners for the simulator come from a `command` of ours, and those for a GPU from
// another.
struct FakeBuild {
  TemporaryFolder folder;
  workbook::Workbook workbook = workbook::here();
  workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true, "histogram"};

  explicit FakeBuild(const std::string& command, const std::string& gpu_command = "false") {
    workbook.source_root = folder.path();
    workbook.build_root = folder.path() + "/build";
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("labs/02_global_atomics/histogram.cu", "");
    folder.write("build/common/build/runner-template.cpp", "");
    std::string rules;
    for (const auto& [backend, unit_command] : {std::pair{"sim", command}, {"gpu", gpu_command}}) {
      const std::string name = std::string("compiler.") + backend;
      const std::string compiler = folder.write(
          name,
          "#!/bin/sh\nfor word; do case $word in *.cpp) in=$word ;; -*) ;; *) out=$word ;; esac; done\n"
          "case $in in */unit.cpp) " +
              unit_command + " ;; *) cp $in $out ;; esac\n");
      std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
      rules += "rule " + std::string(backend) + "\n  command = ../" + name + " $in -o $out\n" +
               "build common/build/runner-template." + backend + ": " + backend +
               " common/build/runner-template.cpp\n";
    }
    folder.write("build/build.ninja", rules);
  }

  std::optional<facts::Finding> build(const judge::BuildOptions& options = {}) const {
    return judge::build_runner(workbook, workbook.target(exercise, Tree::student, Backend::sim), options);
  }
};

}  // namespace

TEST_CASE("a runner that builds gives no finding") {
  const FakeBuild fake("cp $in $out");
  CHECK_FALSE(fake.build());
  CHECK(access(fake.workbook.runner(fake.exercise, Tree::student, Backend::sim).c_str(), R_OK) == 0);
}

TEST_CASE("a build error is told with its place as the student knows it") {
  const FakeBuild fake("cat ../messages && false");
  std::string messages = gcc_output;
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

TEST_CASE("what nvcc refuses and the simulator's compiler takes is told so") {
  const auto message = [](const std::string& for_simulator) {
    const FakeBuild fake(for_simulator, "cat ../messages; false");
    fake.folder.write("labs/02_global_atomics/histogram.cu", "int a;\n");
    fake.folder.write("messages",
                      fake.folder.path() + "/labs/02_global_atomics/histogram.cu(1): error: no such thing\n");
    workbook::Workbook workbook = fake.workbook;
    workbook.has_simulator = true;
    return judge::build_runner(workbook, workbook.target(fake.exercise, Tree::student, Backend::gpu))
        ->message;
  };
  const std::string error = "labs/02_global_atomics/histogram.cu:1: error: no such thing\n    1 | int a;";
  CHECK(message("cp $in $out") == error + "\n  nvcc refuses this; for the simulator the same file compiles");
  CHECK(message("false") == error);
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
    judge::BuildOptions full;
    full.is_disk_full = [](const std::string&) { return true; };
    CHECK_THROWS_WITH_AS(fake.build(full),
                         ("cannot build labs/02_global_atomics/histogram.sim: " + told).c_str(),
                         std::system_error);
    // A file may make a compiler say so.
    CHECK(fake.build().value().verdict == Verdict::build_error);
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
  fake.folder.write("messages",
                    "/book/histogram.cu:5:1: error: 'x' was not declared\n"
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

TEST_CASE("a compiler that takes too long or too much memory is a build error that says so") {
  const auto told = [](const std::string& command, const os::ToolLimits& limits) {
    const auto finding = FakeBuild(command).build({.manner = {.limits = limits}});
    REQUIRE(finding);
    CHECK(finding->verdict == Verdict::build_error);
    return finding->message;
  };
  CHECK(told("sleep 100", {.time = std::chrono::milliseconds(200)}) ==
        "labs/02_global_atomics/histogram.cu: compiling it took more than 0.2 s, and was given up");
  CHECK(
      told("head -c 300000000 /dev/zero | tail", {.memory_bytes = 100 << 20}) ==
      "labs/02_global_atomics/histogram.cu: compiling it took more than 100 MiB of memory, and was given up");
}

TEST_CASE("the time of a whole check is the compiler's too, from when the harness is built") {
  judge::TimeLimit whole(std::chrono::milliseconds(300));
  const auto finding = FakeBuild("sleep 100").build({.whole = &whole});
  REQUIRE(finding);
  CHECK(finding->message ==
        "labs/02_global_atomics/histogram.cu: compiling it took more than 0.3 s, and was given up");
  CHECK(whole.is_over());
}

TEST_CASE("a compiler that somebody ended, or that lacks a part, is the machine's fault") {
  const std::string cannot = "cannot build labs/02_global_atomics/histogram.sim: ";
  CHECK_THROWS_WITH_AS(FakeBuild("kill -9 $$").build(),
                       (cannot + "the compiler was ended by a signal: Killed").c_str(), facts::MachineError);
  for (const std::string last :
       {"g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.",
        "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.",
        "g++: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\ncompilation "
        "terminated.",
        "collect2: fatal error: cannot find 'ld'\ncompilation terminated.",
        "clang: error: unable to execute command: Killed\n"
        "clang: error: linker command failed due to signal (use -v to see invocation)",
        "nvcc error   : 'cicc' died due to signal 9 (Kill signal)", "sh: 1: cicc: not found"}) {
    CAPTURE(last);
    const FakeBuild fake("cat ../messages && false");
    fake.folder.write("messages", last + "\n");
    CHECK_THROWS_WITH_AS(fake.build(), (cannot + last.substr(0, last.find('\n'))).c_str(),
                         facts::MachineError);
    // A file's own text stands before the line that shows it, or before the compiler's last words.
    for (const std::string behind : {"   12 | static_assert(false, \"...\");\n      |               ^~~~~\n",
                                     "1 error detected in the compilation of \"unit.cpp\".\n"}) {
      fake.folder.write("messages", fake.folder.path() +
                                        "/labs/02_global_atomics/histogram.cu:12:1: error: a\n" + last +
                                        "\n" + behind);
      CHECK(fake.build().value().verdict == Verdict::build_error);
    }
  }
}

TEST_CASE("a compiler's message neither commands the terminal nor tells where other files lie") {
  const FakeBuild fake("cat ../messages && false");
  fake.folder.write("messages", fake.folder.path() +
                                    "/labs/02_global_atomics/histogram.cu:1:1: error: \x1b[2J\xc2\x9b\xff "
                                    "/home/me/secret/file and " +
                                    fake.folder.path() + "/labs/other\n");
  CHECK(fake.build().value().message.find("labs/02_global_atomics/histogram.cu:1:1: error: ?[2J?? file and " +
                                          fake.folder.path() + "/labs/other") == 0);
  fake.folder.write("messages",
                    "/etc/passwd:1:1: error: 'root' does not name a type\n"
                    "    1 | root:x:0:0:root:/root:/bin/bash\n");
  CHECK(fake.build().value().message == "passwd:1:1: error: 'root' does not name a type");
}
