// SPDX-License-Identifier: MIT
// `lab demo` on a terminal, with somebody at the keyboard.
#include <doctest/doctest.h>

#include <string>

#include "demo/stage.hpp"
#include "support/pseudo_terminal.hpp"
#include "workbook/workbook.hpp"

namespace {

struct Shown {
  PseudoTerminal terminal;

  explicit Shown(std::vector<std::string> words, unsigned short columns = 100, unsigned short rows = 40)
      : terminal(with_program(std::move(words)), columns, rows) {}

  // Presses, and waits until this is shown.
  std::string press(const std::string& keys, const std::string& then) {
    terminal.press(keys);
    return terminal.wait_for(then);
  }
  void quit() {
    terminal.press("q");
    CHECK(terminal.wait_for_end() == 0);
    CHECK(terminal.is_as_usual());
  }

 private:
  static std::vector<std::string> with_program(std::vector<std::string> words) {
    words.insert(words.begin(), {workbook::here().build_root + "/lab", "demo"});
    return words;
  }
};

const std::string right = "\x1b[C", left = "\x1b[D";

}  // namespace

TEST_CASE("keys and arrows go a step on and back, n to the next scene, q ends") {
  Shown race({"race"});
  race.terminal.wait_for("race, scene 1 of ");
  race.terminal.wait_for("step 0 of 6");
  race.press(" ", "step 1 of 6");
  race.press(right, "step 2 of 6");
  race.press("b", "step 1 of 6");
  race.press(left, "step 0 of 6");
  race.press("  ", "step 2 of 6");
  race.press("a", "step 0 of 6");
  race.press("n", "scene 2 of ");
  race.terminal.wait_for("space: on, b: back, a: again, n: next scene, p: play");
  race.quit();
  // What ran and what was found stays on the screen.
  CHECK(race.terminal.unread().find("wrong_answer: 1 of 7 bins differs.") != std::string::npos);
}

TEST_CASE("a digit chooses who is next, and a step back takes it back") {
  Shown race({"race"});
  race.press("nn", "You choose, 20 orders");
  race.terminal.wait_for("1: thread 0  2: thread 1");
  race.press("2", "Thread 1 reads data[1]: 'e'");
  race.press("b", "step 0");
  race.press("1", "Thread 0 reads data[0]: 'e'");
  race.press("1", "Thread 0 reads histo[1]: 0");
  race.press("1", "Thread 0 writes histo[1]: 1");
  // A thread keeps its digit when the other has none left.
  race.press("12", "Thread 1 reads data[1]: 'e'");
  race.terminal.wait_for("2: thread 1  space");
  race.quit();
}

TEST_CASE("of four threads the audience chooses too, and the simulator follows") {
  Shown race({"race"});
  race.terminal.wait_for("race, scene 1 of ");
  for (const char* const title : {"scene 2 of ", "scene 3 of ", "scene 4 of ", "scene 5 of ", "scene 6 of ",
                                  "scene 7 of ", "scene 8 of ", "scene 9 of "})
    race.press("n", title);
  race.press("n", "You choose, 3 threads");
  race.press("n", "You choose, 4 threads");
  race.terminal.wait_for("1: thread 0  2: thread 1  3: thread 2  4: thread 3");
  race.press("4", "Thread 3 reads data[3]: 'e'");
  race.press("2", "Thread 1 reads data[1]: 'e'");
  race.press("4", "Thread 3 reads histo[1]: 0");
  race.press("2", "Thread 1 reads histo[1]: 0");
  race.press("4", "Thread 3 writes histo[1]: 1");
  // Who has made all its accesses is no longer asked.
  race.terminal.wait_for("1: thread 0  2: thread 1  3: thread 2  space");
  race.press("2", "Thread 1 writes histo[1]: 1, over the 1 that is there: one update is lost");
  race.quit();
}

TEST_CASE("a terminal that is too small says what it needs, and shows the picture once it is larger") {
  Shown race({"race"}, 50, 10);
  race.terminal.wait_for("a demonstration needs 60 columns and 20 rows;");
  race.terminal.wait_for("this terminal has 50 and 10");
  race.terminal.resize(100, 40);
  race.terminal.wait_for("race, scene 1 of ");
  race.quit();
}

TEST_CASE("of a table that is too high the rows around the step are shown, and which they are") {
  Shown race({"race"}, 80, 24);
  race.terminal.wait_for("race, scene 1 of ");
  for (const char* const title : {"scene 2 of ", "scene 3 of ", "scene 4 of ", "scene 5 of "})
    race.press("n", title);
  race.terminal.wait_for(" rows 1 to ");
  race.terminal.wait_for(" of 12");
  for (int step = 1; step <= 12; ++step) race.press(" ", "step " + std::to_string(step) + " of 12");
  race.terminal.wait_for(" to 12 of 12");
  race.quit();
}

TEST_CASE("with --auto it plays by itself, until p" * doctest::test_suite("long")) {
  Shown race({"race", "--auto"});
  race.terminal.wait_for("p: pause");
  race.terminal.wait_for("step 2 of 6");
  race.press("p", "p: play");
  race.quit();
}
