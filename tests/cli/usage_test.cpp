// SPDX-License-Identifier: MIT
#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

// Wrong usage: code 2, nothing on standard output, and the accepted values on standard error.
void check_refused(const std::vector<std::string>& arguments, const std::string& message) {
  CAPTURE(message);
  CHECK(refusal(arguments) == "lab: " + message + "\n");
}

void check_not_understood(const std::vector<std::string>& arguments, const std::string& about) {
  CAPTURE(about);
  CHECK(refusal(arguments).find(about) != std::string::npos);
}

// "01 (01_sequential), ..., 05/contiguous (05_coarsening), 05/interleaved (05_coarsening), ..."
std::string all_labs() {
  std::string text;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    text += (text.empty() ? "" : ", ") + workbook::here().short_name(exercise) + " (" + exercise.lab + ")";
  }
  return text;
}

}  // namespace

TEST_CASE("an unknown verb is refused, and all verbs are named") {
  const std::string refused = refusal({"nope"});
  CHECK(refused.rfind("lab: lab knows no \"nope\"; it knows: ", 0) == 0);
  for (const char* verb : {"tour", "list", "run", "check", "watch", "compare", "predict", "profile",
                           "estimate", "bench", "records", "report", "hint", "reset", "doctor"}) {
    CAPTURE(verb);
    CHECK(refused.find(verb) != std::string::npos);
    CHECK(lab({verb, "--help"}).code == 0);
  }
}

TEST_CASE("an unknown lab is refused, and all labs are named") {
  for (const char* verb : {"run", "check", "watch", "compare", "predict", "profile", "hint", "reset"}) {
    CAPTURE(verb);
    check_refused({verb, "nope"}, "\"nope\" does not name exactly one lab; the labs are: " + all_labs());
    check_refused({verb, ""}, "\"\" does not name exactly one lab; the labs are: " + all_labs());
    check_refused({verb, "histogram"},
                  "\"histogram\" does not name exactly one lab; the labs are: " + all_labs());
  }
}

TEST_CASE("where one exercise is meant, a lab with two is refused, and both are named") {
  for (const char* verb : {"run", "profile", "hint"}) {
    CAPTURE(verb);
    check_refused({verb, "05"}, "lab 05 has several exercises; say which: 05/contiguous, 05/interleaved");
  }
}

TEST_CASE("unknown inputs, binnings and backends are refused, and the accepted ones are named") {
  check_refused({"run", "04", "--input", "nope"},
                "input \"nope\" is neither a file nor one of: phrase, letters, bytes, text, same, skewed, "
                "runs, sorted, sparse");
  const std::string binnings = "no binning is called \"nope\"; the binnings are: letters4, letters, bytes";
  check_refused({"run", "04", "--binning", "nope"}, binnings);
  check_refused({"tour", "--binning", "nope"}, binnings);
  const std::string backends = "--on tpu: no such backend; the backends are: gpu, sim";
  check_refused({"run", "04", "--on", "tpu"}, backends);
  check_refused({"run", "01", "--on", "tpu"}, backends);
  check_refused({"check", "04", "--on", "tpu"}, backends);
  check_refused({"tour", "--on", "tpu"}, backends);
}

TEST_CASE("what is missing, unknown or no number is refused") {
  check_not_understood({"run"}, "LAB");
  check_not_understood({"check"}, "LAB");
  check_not_understood({"run", "04", "--nope"}, "--nope");
  check_not_understood({"--nope"}, "--nope");
  check_not_understood({"run", "04", "05"}, "05");
}

TEST_CASE("numbers are digits; -1 is not 2^64 - 1, and nothing is cut off") {
  for (const std::string option : {"--length", "--block", "--grid", "--seed"}) {
    for (const std::string value : {"many", "-1", "1.5", "4X", "99999999999999999999999", "", " "}) {
      CAPTURE(value);
      check_not_understood({"run", "04", option, value}, option);
    }
  }
  check_not_understood({"check", "04", "--seed", "-1"}, "--seed");
  check_not_understood({"check", "04", "--time-limit", "0"}, "--time-limit");
}

TEST_CASE("a launch that no device takes is the user's matter, not the file's") {
  for (const char* verb : {"run", "profile", "estimate"}) {
    for (const std::string name : {"04", "x1/naive"}) {
      if (workbook::here().find(name).empty()) continue;  // the extra lab is not in every tree
      CAPTURE(verb);
      check_refused({verb, name, "--block", "2000"}, "--block 2000: a block has 1 to 1,024 threads");
      check_refused({verb, name, "--block", "1025"}, "--block 1025: a block has 1 to 1,024 threads");
      check_refused({verb, name, "--block", "0"}, "--block 0: a block has 1 to 1,024 threads");
      check_refused({verb, name, "--block", "5000000000"},
                    "--block 5000000000: a block has 1 to 1,024 threads");
      check_refused({verb, name, "--grid", "0"}, "--grid 0: a grid has 1 to 2,147,483,647 blocks");
      check_refused({verb, name, "--grid", "2147483648"},
                    "--grid 2147483648: a grid has 1 to 2,147,483,647 blocks");
    }
  }
  check_refused({"run", "01", "--block", "64"}, "--block 64: lab 01 launches no kernel");
  check_refused({"run", "01", "--grid", "64"}, "--grid 64: lab 01 launches no kernel");
  // A verdict is on the file's own launch.
  check_not_understood({"check", "04", "--block", "64"}, "--block");
  check_not_understood({"bench", "04", "--sweep", "length", "--block", "64"}, "--block");
}

TEST_CASE("help is no error") {
  const LabResult help = lab({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  for (const char* verb : {"tour", "list", "run", "check", "watch", "compare", "predict", "profile",
                           "estimate", "bench", "records", "report", "hint", "reset", "doctor"}) {
    CHECK(help.out.find(verb) != std::string::npos);
  }
}

TEST_CASE("the version is the one that the changelog begins with") {
  const LabResult result = lab({"--version"});
  CHECK(result.code == 0);
  REQUIRE(result.out.rfind("lab ", 0) == 0);
  const std::string changelog = text_of(workbook::here().source_root + "/docs/changelog.md");
  const std::string version = result.out.substr(4, result.out.size() - 5);
  CHECK(changelog.find("\n## ") == changelog.find("\n## " + version + "\n"));
}

TEST_CASE("a folder or a device in the place of an input is the machine's matter: code 3") {
  const TemporaryFolder folder;
  const LabResult on_folder = lab({"run", "04", "--input", folder.path()});
  CHECK(on_folder.code == 3);
  CHECK(on_folder.out.empty());
  CHECK(on_folder.err == "lab: cannot read " + folder.path() + ": it is a folder, not a regular file\n");
  const LabResult on_device = lab({"run", "04", "--input", "/dev/zero"});
  CHECK(on_device.code == 3);
  CHECK(on_device.err == "lab: cannot read /dev/zero: it is a device or pipe, not a regular file\n");
}

TEST_CASE("a file behind a folder that may not be entered is the machine's matter: code 3") {
  if (geteuid() == 0) {
    MESSAGE("left out: the superuser may enter every folder");
    return;
  }
  const TemporaryFolder folder;
  const std::string input = folder.write("closed/input", "abc");
  std::filesystem::permissions(folder.path() + "/closed", std::filesystem::perms::none);
  const LabResult result = lab({"run", "04", "--input", input});
  std::filesystem::permissions(folder.path() + "/closed", std::filesystem::perms::owner_all);
  CHECK(result.code == 3);
  CHECK(result.err == "lab: cannot open " + input + ": Permission denied\n");
}

TEST_CASE("what cannot be printed is told, and is not fine: code 3") {
  const std::string program = workbook::here().build_root + "/lab";
  const TemporaryFolder folder;
  const std::string messages = folder.path() + "/messages";
  for (const char* arguments : {" list", " list --json"}) {
    const int status = std::system((program + arguments + " >/dev/full 2>" + messages).c_str());
    CHECK(WEXITSTATUS(status) == 3);
    CHECK(text_of(messages) == "lab: cannot write to standard output: No space left on device\n");
  }
}

TEST_CASE("without standard input, output or errors it works as with them") {
  if (!can_simulate_solutions()) return;
  const std::string command = workbook::here().build_root + "/lab run 04 --solution --length 1K";
  CHECK(WEXITSTATUS(std::system((command + " >&- 2>/dev/null").c_str())) == 0);
  CHECK(WEXITSTATUS(std::system((command + " <&- 2>&- >/dev/null").c_str())) == 0);
}

TEST_CASE("an empty file cannot be repeated") {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty", "");
  check_refused({"run", "04", "--input", empty, "--length", "10"},
                empty + " is empty and cannot be repeated");
}

TEST_CASE("a backend that is not part of the build is unavailable: code 3") {
  if (workbook::here().has_gpu) {
    MESSAGE("left out: this build has runners for a GPU");
    return;
  }
  for (const char* verb : {"run", "check"}) {
    CAPTURE(verb);
    const LabResult result = lab({verb, "04", "--on", "gpu", "--json"});
    CHECK(result.code == 3);
    CHECK(result.json().at("verdict") == "unavailable");
    CHECK(result.json().at("message") == "the backend gpu is not part of this build");
  }
}

TEST_CASE("in a tree without solutions they cannot be asked for: code 3") {
  if (workbook::here().has_solutions) {
    MESSAGE("left out: this tree has solutions/");
    return;
  }
  for (const char* verb : {"run", "check"}) {
    CAPTURE(verb);
    const LabResult result = lab({verb, "04", "--solution"});
    CHECK(result.code == 3);
    CHECK(result.err == "lab: this tree has no solutions/\n");
  }
}

TEST_CASE("what cannot be profiled is refused, with what to do instead") {
  check_refused({"profile", "01"}, "lab 01 launches no kernel, so there is nothing to count");
  check_refused({"profile", "02", "--on", "cpu"}, "--on cpu: no such backend; the backends are: gpu, sim");
}
