// SPDX-License-Identifier: MIT
// What `lab watch` shows and which keys it knows; the files that it watches here are nobody's to change, so
// that edits are tested on a tree of their own (tests/maintainer/watch_edits_test.cpp).
#include <algorithm>

#include "lab.hpp"
#include "state_file.hpp"
#include "support/pseudo_terminal.hpp"

namespace {

std::vector<std::string> watching(std::vector<std::string> words) {
  words.insert(words.begin(), {workbook::here().build_root + "/lab", "watch"});
  return words;
}

const std::string keys = "h hint, c counters, a all findings, j and k scroll, q quit";

// A solution that passes, and stays on the screen.
struct PassedSolution {
  PseudoTerminal terminal{watching({"02", "--solution", "--on", "sim"})};
  std::string shown;

  PassedSolution() {
    shown = terminal.wait_for("pass: ");
    shown += terminal.wait_for("watching solutions/02_global_atomics/histogram.cu");
    shown += terminal.wait_for(keys);
  }
};

}  // namespace

TEST_CASE("watch checks at once, and says what lab check says") {
  if (!can_simulate_solutions()) return;
  PassedSolution watch;
  CHECK(watch.shown.find("checking (sim, building") != std::string::npos);
  CHECK(watch.shown.find("02_global_atomics histogram on sim\x1b[0m\x1b[K\r\npass: ") != std::string::npos);
  CHECK_FALSE(watch.terminal.is_as_usual());
  watch.terminal.press("q");
  CHECK(watch.terminal.wait_for_end() == 0);
  CHECK(watch.terminal.is_as_usual());
  // The message is left on the screen, the keys are not.
  CHECK(watch.terminal.unread().find("pass: ") != std::string::npos);
  CHECK(watch.terminal.unread().find("quit") == std::string::npos);
}

TEST_CASE("keys show the counters, all findings and the next hint; others do nothing") {
  if (!can_simulate_solutions()) return;
  const StateFile kept("progress.json");
  lab({"hint", "02", "--again"});
  const std::string second = lab({"hint", "02"}).out;
  lab({"hint", "02", "--again"});
  PassedSolution watch;
  watch.terminal.press("c");
  watch.terminal.wait_for("counters of the longest case");
  watch.terminal.wait_for("global_atomics ");
  // Right and left mean something to a demonstration only.
  watch.terminal.press("\x1b[C\x1b[Dxa");
  watch.terminal.wait_for("nothing else was found");
  watch.terminal.press("h");
  watch.terminal.wait_for(second.substr(0, second.find('\n')));
  CHECK(second.rfind("hint 2 of ", 0) == 0);
  watch.terminal.press("q");
  CHECK(watch.terminal.wait_for_end() == 0);
}

TEST_CASE(
    "the terminal is given back after Ctrl-C, which is no error, and after signals, which are passed on") {
  if (!can_simulate_solutions()) return;
  {
    PassedSolution watch;
    watch.terminal.press("\x03");
    CHECK(watch.terminal.wait_for_end() == 0);
    CHECK(watch.terminal.is_as_usual());
  }
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT}) {
    CAPTURE(signal);
    PassedSolution watch;
    kill(watch.terminal.program(), signal);
    CHECK(watch.terminal.wait_for_end() == 128 + signal);
    CHECK(watch.terminal.is_as_usual());
  }
}

TEST_CASE("a check that is under way is given up with the watch") {
  if (!can_simulate_solutions()) return;
  PseudoTerminal terminal(watching({"06", "--solution", "--on", "sim"}));
  terminal.wait_for("checking (");
  terminal.press("q");
  CHECK(terminal.wait_for_end() == 0);
  CHECK(terminal.is_as_usual());
}

TEST_CASE("while it is stopped the terminal is the shell's; afterwards all is drawn anew") {
  if (!can_simulate_solutions()) return;
  PassedSolution watch;
  kill(watch.terminal.program(), SIGTSTP);
  int status = 0;
  REQUIRE(waitpid(watch.terminal.program(), &status, WUNTRACED) == watch.terminal.program());
  REQUIRE(WIFSTOPPED(status));
  CHECK(watch.terminal.is_as_usual());
  kill(watch.terminal.program(), SIGCONT);
  watch.terminal.wait_for("\x1b[2J");
  watch.terminal.wait_for(keys);
  CHECK_FALSE(watch.terminal.is_as_usual());
  watch.terminal.press("q");
  CHECK(watch.terminal.wait_for_end() == 0);
}

TEST_CASE("a window that becomes small is drawn anew, cut to what fits") {
  if (!can_simulate_solutions()) return;
  PassedSolution watch;
  watch.terminal.resize(30, 5);
  watch.terminal.wait_for("\x1b[2J");
  const std::string drawn = watch.terminal.wait_for("counters,");
  CHECK(drawn.find("... ") != std::string::npos);
  CHECK(std::count(drawn.begin(), drawn.end(), '\n') == 4);
  watch.terminal.press("q");
  CHECK(watch.terminal.wait_for_end() == 0);
}

TEST_CASE("where standard output is no terminal results come as lines, until a signal ends it") {
  if (!can_simulate_solutions()) return;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string program_path = workbook::here().build_root + "/lab";
  const pid_t program = fork();
  if (program == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(program_path.c_str(), "lab", "watch", "02", "--solution", "--on", "sim", nullptr);
    _exit(126);
  }
  close(ends[1]);
  std::string text;
  for (char byte; read(ends[0], &byte, 1) == 1;) {
    text += byte;
    if (text.ends_with("\npass: ")) kill(program, SIGINT);
  }
  close(ends[0]);
  int status = 0;
  waitpid(program, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CAPTURE(text);
  CHECK(text.rfind("watching solutions/02_global_atomics/histogram.cu; Ctrl-C ends it\n", 0) == 0);
  CHECK(text.find(" solutions/02_global_atomics/histogram.cu\n02_global_atomics histogram on sim\npass: ") !=
        std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("h hint") == std::string::npos);
}

TEST_CASE("what cannot be judged here ends the watch: code 3") {
  if (workbook::here().has_gpu) {
    MESSAGE("left out: this build has a GPU's runners");
    return;
  }
  const LabResult result = lab({"watch", "02", "--on", "gpu", "--solution"});
  CHECK(result.code == 3);
  CHECK(result.out.find("unavailable: the backend gpu is not part of this build\n  next: lab doctor\n") !=
        std::string::npos);
}

TEST_CASE("an unknown lab or backend is refused before anything is drawn") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"watch", "nope"}, {"watch", "02", "--on", "tpu"}}) {
    CHECK_FALSE(refusal(words).empty());
  }
}
