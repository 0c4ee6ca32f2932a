// SPDX-License-Identifier: MIT
// `lab watch` while a student works: what is saved how, and what is shown then.
#include <filesystem>

#include "fresh_tree.hpp"
#include "support/pseudo_terminal.hpp"

namespace {

namespace files = std::filesystem;

const std::string file = "labs/01_sequential/histogram.cpp";

// Lab 01 under watch, not started.
struct Watching {
  const FreshTree& tree = FreshTree::here();
  const std::string path = tree.root() + "/" + file;
  std::string solution = tree.read("solutions/01_sequential/histogram.cpp");
  PseudoTerminal terminal;

  Watching() : terminal(start()) {
    terminal.wait_for("not_started: " + file + " is unchanged since it was handed out");
  }

  std::vector<std::string> start() const {
    tree.start_again();
    return {tree.lab(), "watch"};
  }

  std::string without_last_byte() const {
    std::string text = solution;
    const std::size_t at = text.find("i < length");
    REQUIRE(at != std::string::npos);
    return text.replace(at, 1, "i + 1");
  }

  void quit() {
    terminal.press("q");
    CHECK(terminal.wait_for_end() == 0);
    CHECK(terminal.is_as_usual());
  }
};

const std::string tail_missed = "wrong_answer: the end of the input is missing from the result";

}  // namespace

TEST_CASE("a save is judged, and the message stays until the next one is") {
  Watching watch;
  watch.tree.write(file, watch.without_last_byte());
  watch.terminal.wait_for("checking (cpu, building");
  watch.terminal.wait_for(tail_missed);
  watch.terminal.wait_for("next: " + watch.tree.lab() + " hint 01");
  watch.tree.write(file, watch.solution + "nonsense\n");
  // The whole frame is drawn while the next check is under way.
  const std::string meanwhile = watch.terminal.wait_for("checking (");
  CHECK(meanwhile.find(tail_missed) != std::string::npos);
  const std::string error = watch.terminal.wait_for("build_error: " + file + ":");
  watch.terminal.wait_for("next: fix the error, then run: " + watch.tree.lab() + " check 01");
  watch.quit();
}

TEST_CASE("after a pass the message stays, and the next exercise is watched") {
  Watching watch;
  watch.tree.write(file, watch.solution);
  watch.terminal.wait_for("01 is passed; on to 02");
  watch.terminal.wait_for("pass: ");
  watch.terminal.wait_for(
      "not_started: labs/02_global_atomics/histogram.cu is unchanged since it was handed out");
  watch.terminal.wait_for("watching labs/02_global_atomics/histogram.cu");
  watch.terminal.press("h");
  watch.terminal.wait_for("hint 1 of ");
  watch.terminal.wait_for("01 is passed");
  watch.tree.write("labs/02_global_atomics/histogram.cu", "nonsense\n");
  watch.terminal.wait_for("build_error: labs/02_global_atomics/histogram.cu:");
  watch.quit();
  CHECK(watch.terminal.unread().find("01 is passed") == std::string::npos);
  const std::string overview = watch.tree.run("build/lab").text;
  CAPTURE(overview);
  CHECK(overview.find("  01 passed, 1 attempt\n  02 build_error, 1 attempt\n") != std::string::npos);
}

TEST_CASE("files that are replaced, moved away and put back, or deleted are seen") {
  Watching watch;
  // Written beside and renamed over, as many editors do.
  watch.tree.write("labs/01_sequential/4913", watch.without_last_byte());
  files::rename(watch.tree.root() + "/labs/01_sequential/4913", watch.path);
  watch.terminal.wait_for(tail_missed);
  files::remove(watch.path);
  watch.terminal.wait_for("build_error: " + file + ": No such file or directory");
  // Vim: the old file becomes the backup, and a new one is written.
  watch.tree.write(file, watch.solution + "nonsense\n");
  watch.terminal.wait_for("build_error: " + file + ":");
  files::rename(watch.path, watch.path + "~");
  watch.tree.write(file, watch.without_last_byte());
  files::remove(watch.path + "~");
  watch.terminal.wait_for(tail_missed);
  files::remove_all(watch.tree.root() + "/labs/01_sequential");
  watch.terminal.wait_for("build_error: " + file + ": No such file or directory");
  watch.quit();
}

TEST_CASE("a header that the file includes beside it counts") {
  Watching watch;
  watch.tree.write("labs/01_sequential/step.hpp", "nonsense\n");
  watch.tree.write(file, "#include \"step.hpp\"\n" + watch.solution);
  watch.terminal.wait_for("build_error: labs/01_sequential/step.hpp:1");
  watch.tree.write("labs/01_sequential/step.hpp", "// nothing\n");
  watch.terminal.wait_for("01 is passed");
  watch.quit();
}

TEST_CASE(
    "what is saved while a check is under way is what is judged, and attempts that were given up do not "
    "count") {
  Watching watch;
  for (int i = 0; i < 5; ++i) {
    watch.tree.write(file, watch.solution + "nonsense\n");
    watch.terminal.wait_for("checking (");
  }
  watch.tree.write(file, watch.without_last_byte());
  watch.terminal.wait_for(tail_missed);
  watch.quit();
  CHECK(watch.tree.run("build/lab list").text.find("histogram.cpp     wrong_answer  ") != std::string::npos);
}

TEST_CASE("where the build folder cannot be written, it is said, and the watch goes on") {
  if (geteuid() == 0) {
    MESSAGE("left out: the superuser may write everywhere");
    return;
  }
  Watching watch;
  const std::string build = watch.tree.root() + "/build", lock = build + "/.lab.lock";
  files::remove(lock);
  files::permissions(build, files::perms::owner_write, files::perm_options::remove);
  watch.tree.write(file, watch.solution);
  watch.terminal.wait_for("lab: cannot write to " + build + ": Permission denied");
  files::permissions(build, files::perms::owner_write, files::perm_options::add);
  watch.tree.write(file, watch.without_last_byte());
  watch.terminal.wait_for(tail_missed);
  watch.quit();
}

TEST_CASE("a check that dies is told, and the next save is judged") {
  Watching watch;
  watch.tree.write(file, watch.without_last_byte());
  watch.terminal.wait_for("checking (cpu, building");
  const std::string children = "/proc/" + std::to_string(watch.terminal.program()) + "/task/" +
                               std::to_string(watch.terminal.program()) + "/children";
  pid_t check = 0;
  std::ifstream(children) >> check;
  if (check == 0) {
    MESSAGE("left out: this system does not list a process's children");
    return;
  }
  kill(check, SIGSEGV);
  watch.terminal.wait_for("lab: the check itself was ended by a signal: Segmentation fault");
  CHECK_FALSE(watch.terminal.is_as_usual());
  watch.tree.write(file, watch.without_last_byte() + "\n");
  watch.terminal.wait_for(tail_missed);
  watch.quit();
}

TEST_CASE("with nothing left to pass it ends, and says so") {
  const FreshTree& tree = FreshTree::here();
  tree.start_again();
  const auto& exercises = workbook::here().exercises;
  for (const workbook::ExerciseInfo& exercise : exercises) {
    const std::string name = exercise.lab + "/" + exercise.file;
    tree.write("labs/" + name, tree.read("solutions/" + name));
  }
  PseudoTerminal terminal({tree.lab(), "watch", "--on", "sim"});
  terminal.wait_for("01 is passed; on to 02");
  const std::string all_passed = "all " + std::to_string(exercises.size()) + " exercises are passed; ";
  terminal.wait_for(all_passed + "next: " + tree.lab() + " tour");
  CHECK(terminal.wait_for_end() == 0);
  CHECK(terminal.is_as_usual());
  const FreshTree::Output again = tree.run("build/lab watch");
  CHECK(again.code == 0);
  CHECK(again.text == all_passed + "to watch one all the same, name it: build/lab watch 04\n");
}
