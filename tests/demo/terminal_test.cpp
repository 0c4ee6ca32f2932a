// SPDX-License-Identifier: MIT
#include "demo/terminal.hpp"

#include <doctest/doctest.h>

#include "made.hpp"

using demo::Position;

TEST_CASE("a frame in a terminal, line for line") {
  Position position(made("race"));
  REQUIRE(position.enter(1));
  for (int step = 0; step < 6; ++step) REQUIRE(position.on());
  CHECK_FALSE(position.on());
  CHECK(demo::picture(made("race"), position, {}) ==
        "race, scene 2 of 11: In turns   step 6 of 6\n"
        "labs/02_global_atomics/demos/race.cu\n"
        "   10     const int bin = Binning::bin_of(data[i]);\n"
        ">  11     if (bin >= 0) ++histo[bin];\n"
        "   12   }\n"
        "Thread 1 writes histo[1]: 1, over the 1 that is there: one update is lost. In\n"
        "the end 1 of 2 updates is lost.\n"
        "! race: two threads change histo[1] without an atomic (second access)\n"
        "Time goes down\n"
        " step  thread 0         thread 1           \n"
        " 1     reads 'e'                           \n"
        " 2                      reads 'e'          \n"
        " 3     reads 0                             \n"
        " 4                      reads 0            \n"
        " 5     writes 1 ! race                     \n"
        " 6                      writes 1 \u2717 ! race  \n"
        "Now\n"
        " thread 0 holds  \u2013\n"
        " thread 1 holds  [\u2013]\n"
        " histo[1]  1\n");
}

TEST_CASE("steps go on and back, and scenes begin at their first frame") {
  Position position(made("race"));
  CHECK(position.step() == 0);
  CHECK_FALSE(position.back());
  CHECK(position.on());
  CHECK(position.on());
  CHECK(position.back());
  CHECK(position.step() == 1);
  CHECK(position.steps() == 7);
  CHECK_FALSE(position.choose(1));  // there is nothing to choose
  CHECK(position.enter(2));
  CHECK(position.step() == 0);
  CHECK_FALSE(position.enter(99));
  CHECK(position.scene() == 2);
}

TEST_CASE("in an open scene a choice decides what follows, and can be taken back") {
  Position position(made("race"));
  REQUIRE(position.enter(2));
  REQUIRE(position.choices().size() == 2);
  CHECK(position.choices()[1].label == "thread 1");
  CHECK(position.choose(2));
  CHECK(position.frame().caption == "Thread 1 reads data[1]: 'e'");
  CHECK(position.back());
  CHECK(position.choose(1));
  CHECK(position.frame().caption == "Thread 0 reads data[0]: 'e'");
  CHECK_FALSE(position.choose(3));
  int steps = 1;
  while (position.on()) ++steps;
  CHECK(steps == 6);
  CHECK(position.choices().empty());
}

TEST_CASE("a terminal that is too small says what is needed") {
  const Position position(made("race"));
  report::Terminal terminal{.live = true, .columns = 59, .rows = 24};
  CHECK(demo::picture(made("race"), position, terminal) ==
        "a demonstration needs 60 columns and 20 rows; this terminal has 59 and 24\n");
  terminal.columns = 60;
  terminal.rows = 20;
  CHECK(demo::picture(made("race"), position, terminal).starts_with("race, scene 1 of 11: "));
}

TEST_CASE("a pipe gets all frames of the scenes that are played, and the notes") {
  const std::string all = demo::all_pictures(made("race"), {});
  std::size_t frames = 0;
  for (std::size_t at = 0; (at = all.find("race, scene ", at)) != all.npos; ++at) ++frames;
  CHECK(frames == 7 + 7 + 10 + 13 + 13 + 5 + 13);
  CHECK(all.find("You choose") == all.npos);
  CHECK(all.find("Made from a run of labs/02_global_atomics/demos/race.cu on the simulator.\n") != all.npos);
}
