// SPDX-License-Identifier: MIT
// What a program in the sandbox can reach, and what becomes of lab grade without one.
#include "grade/sandbox.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "lab.hpp"
#include "os/command.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

bool has_sandbox() {
  const auto why = grade::why_no_sandbox();
  if (why) MESSAGE("left out: " << *why);
  return !why;
}

// What a line of the shell's prints in the sandbox.
os::CommandResult in(const build::Command& sandbox, const std::string& line) {
  build::Command words = sandbox;
  words.insert(words.end(), {"sh", "-c", line});
  return os::run_command(words);
}

}  // namespace

TEST_CASE("a runner in the sandbox sees the system and its own folder, and nothing of the instructor's") {
  if (!has_sandbox()) return;
  TemporaryFolder runners;
  runners.write("mine", "own\n");
  const build::Command sandbox = grade::runner_sandbox(runners.path(), facts::simulator);
  CHECK(in(sandbox, "cat " + runners.path() + "/mine").output == "own\n");
  const std::string& root = workbook::here().source_root;
  CHECK(in(sandbox, "ls " + root + " 2>/dev/null").output.empty());
  CHECK(in(sandbox, "ls /home /root /etc/passwd 2>/dev/null").output.empty());
  CHECK(in(sandbox, "ls " + files::path(runners.path()).parent_path().string()).output ==
        files::path(runners.path()).filename().string() + "\n");
}

TEST_CASE("a runner in the sandbox can write to its temporary folder alone, and not without end") {
  if (!has_sandbox()) return;
  TemporaryFolder runners;
  const build::Command sandbox = grade::runner_sandbox(runners.path(), facts::simulator);
  for (const std::string& place : {std::string("/"), std::string("/dev"), std::string("/dev/shm"),
                                   std::string("/usr"), runners.path()}) {
    CAPTURE(place);
    CHECK(in(sandbox, "touch " + place + "/new 2>&1").code != 0);
  }
  CHECK(in(sandbox, "touch /tmp/new && echo x > /dev/null").code == 0);
  CHECK_FALSE(files::exists("/tmp/new"));
  CHECK(contains(in(sandbox, "head -c 300000000 /dev/zero > /tmp/big").output, "No space left on device"));
}

TEST_CASE("a runner in the sandbox has no network, no other process, no environment, and no new namespaces") {
  if (!has_sandbox()) return;
  TemporaryFolder runners;
  const build::Command sandbox = grade::runner_sandbox(runners.path(), facts::simulator);
  CHECK(in(sandbox, "tail -n +3 /proc/net/dev | grep -v ' *lo:' | wc -l").output == "0\n");
  CHECK(in(sandbox, "kill -0 " + std::to_string(getpid()) + " 2>&1").code != 0);
  setenv("SECRET_OF_THE_INSTRUCTOR", "1", 1);
  CHECK_FALSE(contains(in(sandbox, "cat /proc/self/environ /proc/1/environ").output, "SECRET"));
  CHECK(in(sandbox, "unshare -U true 2>&1").code != 0);
}

TEST_CASE("a runner on a GPU has the devices and the libraries that it is told of, and no other variable") {
  if (!has_sandbox()) return;
  TemporaryFolder runners, driver;
  driver.write("libcuda.so.1", "");
  setenv("CUDA_VISIBLE_DEVICES", "GPU-3", 1);
  setenv("LD_LIBRARY_PATH", driver.path().c_str(), 1);
  const build::Command sandbox = grade::runner_sandbox(runners.path(), facts::Backend::gpu);
  const build::Command simulated = grade::runner_sandbox(runners.path(), facts::simulator);
  unsetenv("CUDA_VISIBLE_DEVICES");
  unsetenv("LD_LIBRARY_PATH");
  const std::string line = "echo $CUDA_VISIBLE_DEVICES; ls $LD_LIBRARY_PATH; test -d /sys/class; echo $?";
  CHECK(in(sandbox, line).output == "GPU-3\nlibcuda.so.1\n0\n");
  CHECK(in(simulated, "echo \"$CUDA_VISIBLE_DEVICES$LD_LIBRARY_PATH\"; ls /sys 2>/dev/null").output == "\n");
  // Its devices, where there are any.
  if (files::exists("/dev/nvidiactl")) CHECK(in(sandbox, "test -c /dev/nvidiactl").code == 0);
  CHECK(in(simulated, "ls /dev | grep -c nvidia").output == "0\n");
}

TEST_CASE("a compiler in the sandbox sees the harness and the submission, and no solutions, tests or labs") {
  if (!has_sandbox()) return;
  TemporaryFolder scratch, other;
  const workbook::Workbook& workbook = workbook::here();
  const build::Command sandbox = grade::compiler_sandbox(workbook, scratch.path());
  CHECK(in(sandbox, "echo x > " + scratch.path() + "/made").code == 0);
  CHECK(text_of(scratch.path() + "/made") == "x\n");
  CHECK(in(sandbox, "test -d " + workbook.source_root + "/common/runner").code == 0);
  for (const char* part : {"solutions", "tests", "labs", ".git", "docs"}) {
    CHECK(in(sandbox, "test -e " + workbook.source_root + "/" + part).code == 1);
    CHECK(in(sandbox, "test -e " + workbook.build_root + "/" + part).code == 1);
  }
  CHECK(in(sandbox, "touch " + workbook.source_root + "/common/new 2>&1").code != 0);
  CHECK(in(sandbox, "ls " + other.path() + " 2>/dev/null").output.empty());
}

TEST_CASE("without bubblewrap lab grade refuses, unless it is told to do without") {
  if (!workbook::here().has_simulator) return;
  TemporaryFolder folder, output, programs;
  folder.write("anna/02_global_atomics/histogram.cu", "#error one");
  const std::string made = output.path() + "/grades";
  const LabResult missing = lab({"grade", folder.path(), "--output", made}, {"PATH=" + programs.path()});
  CHECK(missing.code == 3);
  CHECK(contains(missing.err, "lab: bubblewrap (bwrap) is not installed"));
  CHECK(contains(missing.err, "lab grade --no-sandbox"));
  CHECK_FALSE(files::exists(made));
  // As in a container that forbids namespaces.
  chmod(programs.write("bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace'\nexit 1\n")
            .c_str(),
        0755);
  const LabResult forbidden =
      lab({"grade", folder.path(), "--output", made}, {"PATH=" + programs.path() + ":/usr/bin:/bin"});
  CHECK(forbidden.code == 3);
  CHECK(contains(
      forbidden.err,
      "cannot make namespaces here, as in many containers: bwrap: No permissions to create new namespace\n"));
  CHECK_FALSE(files::exists(made));
}

TEST_CASE("in the sandbox a submission gets the verdict that it gets without") {
  if (!workbook::here().has_simulator || !has_sandbox()) return;
  TemporaryFolder folder, output;
  const std::string collection = workbook::here().source_root + "/tests/submissions/02_global_atomics/";
  folder.write("anna/02_global_atomics/histogram.cu",
               text_of(collection + "pass/pointer_and_block_of_1000.cu"));
  folder.write("ben/02_global_atomics/histogram.cu",
               text_of(collection + "wrong_answer/tail_missed-last_byte_left_out.cu"));
  folder.write("chris/02_global_atomics/histogram.cu", "#include \"lab.hpp\"\nint broken(\n");
  const LabResult result =
      lab({"grade", folder.path(), "--output", output.path() + "/grades", "--lab", "02"});
  CHECK(result.err.empty());
  CHECK(result.code == 0);
  CHECK(text_of(output.path() + "/grades/gradebook.csv") ==
        "submission,02_global_atomics/"
        "histogram,points\r\nanna,pass,100\r\nben,wrong_answer,65\r\nchris,build_error,0\r\n");
  CHECK_FALSE(
      contains(text_of(output.path() + "/grades/submissions/anna/feedback.html"), "without a sandbox"));
  CHECK(contains(text_of(output.path() + "/grades/submissions/anna/result.json"), "\"sandbox\": true"));
}
