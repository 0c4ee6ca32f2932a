// SPDX-License-Identifier: MIT
// The audience may choose every order of two threads, and each picture is that of a run in this order.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "made.hpp"

using demo::Demonstration;
using demo::Frame;

namespace {

const demo::Scene& scene_called(const Demonstration& demonstration, std::string_view title,
                                std::size_t source) {
  for (const demo::Scene& scene : demonstration.scenes) {
    if (scene.title == title && scene.source == source) return scene;
  }
  FAIL("there is no such scene: ", title);
  return demonstration.scenes.front();
}

// What the counter holds after two threads have read a byte, the counter, and written it, in this order.
unsigned counted(const std::string& order) {
  unsigned counter = 0, held[2] = {}, done[2] = {};
  for (const char c : order) {
    const auto thread = static_cast<std::size_t>(c - '0');
    const unsigned step = done[thread]++;
    if (step == 1) held[thread] = counter;
    if (step == 2) counter = held[thread] + 1;
  }
  return counter;
}

const demo::Cell& counter_of(const Frame& frame) {
  const demo::Panel& state = frame.panels.back();
  return state.cells.back();
}

// Calls it with each way through an open scene: the choices, and the frame at its end.
void each_way(const Demonstration& demonstration, std::size_t frame, const std::string& so_far,
              const std::function<void(const std::string&, const Frame&)>& at_end) {
  const Frame& here = demonstration.frames.at(frame);
  if (here.next.empty()) return at_end(so_far, here);
  for (const demo::Choice& choice : here.next)
    each_way(demonstration, choice.frame, so_far + choice.label.substr(choice.label.find(' ') + 1), at_end);
}

}  // namespace

TEST_CASE("two threads have 20 orders, and each ends as its order says") {
  const Demonstration& race = made("race");
  const demo::Scene& open = scene_called(race, "You choose, 20 orders", 0);
  CHECK(open.open);
  std::set<std::string> orders;
  std::size_t lost = 0;
  each_way(race, open.frames.front(), "", [&](const std::string& order, const Frame& end) {
    CAPTURE(order);
    CHECK(orders.insert(order).second);
    CHECK(counter_of(end).text == std::to_string(counted(order)));
    CHECK((end.caption.find("is lost") != end.caption.npos) == (counted(order) == 1));
    if (counted(order) == 1) ++lost;
    // The run that the last frame shows took this order.
    std::string taken;
    for (const unsigned thread : race.runs.at(end.run).order) taken += std::to_string(thread);
    CHECK(taken == order);
  });
  CHECK(orders.size() == 20);
  CHECK(lost == 12);
}

TEST_CASE("runs that begin alike show the same up to where they differ") {
  const Demonstration& race = made("race");
  const demo::Scene& open = scene_called(race, "You choose, 20 orders", 0);
  // Every prefix of an order is one frame: 69 of them, as there are ways to take up to three steps each.
  std::set<std::size_t> frames;
  const std::function<void(std::size_t)> visit = [&](std::size_t frame) {
    frames.insert(frame);
    for (const demo::Choice& choice : race.frames.at(frame).next) visit(choice.frame);
  };
  visit(open.frames.front());
  CHECK(frames.size() == 69);
}

TEST_CASE("with atomics nothing is lost, in any of the six orders") {
  if (!workbook::here().has_solutions) return;
  const Demonstration& race = made("race");
  const demo::Scene& open = scene_called(race, "You choose, 6 orders", 1);
  std::size_t ways = 0;
  each_way(race, open.frames.front(), "", [&](const std::string&, const Frame& end) {
    ++ways;
    CHECK(counter_of(end).text == "2");
    CHECK(end.caption.ends_with("All 2 updates are there"));
  });
  CHECK(ways == 6);
}

TEST_CASE("of four threads in turns three lose their updates, and the kernel's finding is told") {
  const Demonstration& race = made("race");
  const Frame& end = race.frames.at(scene_called(race, "4 threads in turns", 0).frames.back());
  CHECK(end.caption ==
        "Thread 3 writes histo[1]: 1, over the 1 that is there: one update is lost. In the end 3 of 4 "
        "updates are lost");
  CHECK(counter_of(end).text == "1");
  CHECK(counter_of(end).look == demo::Look::bad);
  CHECK(std::ranges::count(race.notes,
                           "labs/02_global_atomics/demos/race.cu: wrong_answer: 1 of 7 bins differs") == 1);
}

TEST_CASE("who writes last over three updates loses all three") {
  const Demonstration& race = made("race");
  const Frame& end = race.frames.at(scene_called(race, "The last one overwrites all", 0).frames.back());
  CHECK(
      end.caption ==
      "Thread 0 writes histo[1]: 1, over the 3 that is there: 3 updates are lost. In the end 3 of 4 updates "
      "are lost");
  CHECK(counter_of(end).text == "1");
}
