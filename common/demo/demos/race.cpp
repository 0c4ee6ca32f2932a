// SPDX-License-Identifier: MIT
// Threads that count into one element: first with a load and a store each, in every order that two threads
// can take, and then with atomics. (PMPP, figures 9.3 to 9.6)
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "demo/findings.hpp"
#include "demo/replay.hpp"
#include "demo/stage.hpp"
#include "facts/errors.hpp"

namespace demo {

namespace in_race {

using Order = std::vector<std::uint64_t>;  // threads, in the order of their accesses

// Each frame has a row for each access: with more than these the page would be larger than a megabyte.
constexpr std::size_t most_events = 40;

// The audience is not given more orders than these to choose from.
constexpr std::size_t most_orders = 70;

// Turns an ordered run into frames, one before the first access and one behind each.
class Storyteller {
 public:
  explicit Storyteller(unsigned threads) : threads_(threads) {}

  // The frames of the run, in their order. Those that another run of this kernel shares are made once.
  std::vector<std::size_t> tell(Demonstration& demonstration, std::size_t run) {
    const facts::Trace& trace = demonstration.runs[run].trace;
    begin(trace);
    std::vector<std::size_t> frames;
    Order so_far;
    frames.push_back(frame(demonstration, run, 0, so_far, "Nothing has happened yet", {}));
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      const facts::TraceEvent& event = trace.events[e];
      if (!event.is_access()) {
        memory_->apply(event);
        continue;
      }
      const LaneAccess access = lanes_of(event).front();
      const std::uint64_t thread = thread_of(event, access.lane, threads_);
      so_far.push_back(thread);
      const std::string caption =
          happen(event, access, thread, mark_of(demonstration.runs[run], e, access.lane));
      frames.push_back(frame(demonstration, run, e + 1, so_far, caption, thread));
    }
    show_finding(demonstration, run, frames, false);
    return frames;
  }

  // The threads whose accesses a frame shows; nullopt for a frame of another storyteller.
  std::optional<Order> way_to(std::size_t frame) const {
    for (const auto& [order, number] : known_) {
      if (number == frame) return order;
    }
    return std::nullopt;
  }

 private:
  // Forgets the run before.
  void begin(const facts::Trace& trace) {
    memory_.emplace(trace);
    held_.assign(threads_, std::nullopt);
    rows_.clear();
    added_ = lost_ = 0;
    overwritten_ = false;
    steps_ = static_cast<std::size_t>(std::ranges::count_if(trace.events, &facts::TraceEvent::is_access));
    counted_.reset();
    output_ = output_of(trace);
    if (output_) {
      const auto first = std::ranges::find_if(
          trace.events, [&](const facts::TraceEvent& e) { return e.is_access() && e.array == *output_; });
      counted_ = Element{*output_, lanes_of(*first).front().at, 0};
      count_bytes_ = first->size;
    }
  }

  // The caption of an access, and what changes by it.
  std::string happen(const facts::TraceEvent& event, const LaneAccess& access, std::uint64_t thread,
                     std::optional<Mark> mark) {
    const facts::Trace& trace = memory_->trace();
    const bool of_count = output_ && event.array == *output_;
    const auto text = [&](std::optional<std::uint64_t> value) {
      return value ? value_text(trace.arrays[event.array], *value) : "?";
    };
    const auto before = of_count ? memory_->at({event.array, access.at, 0}) : std::nullopt;
    memory_->apply(event);
    Row row{thread, {}, false, std::move(mark)};
    std::string caption = fmt::format("Thread {} {}", thread, deed_text(trace, event, access));
    if (event.step == facts::TraceStep::load) {
      if (of_count) held_[thread] = access.read;
      row.text = "reads " + text(access.read);
    } else if (event.step == facts::TraceStep::store) {
      row.text = "writes " + text(access.written);
      // It has read the element before others wrote to it: what they added is gone.
      if (before && held_[thread] && *before != *held_[thread]) {
        row.bad = true;
        const auto gone = *before - *held_[thread];
        lost_ += gone;
        caption += fmt::format(", over the {} that is there: {} lost", *before,
                               gone == 1 ? "one update is" : fmt::format("{} updates are", gone));
      }
      if (of_count) add(held_[thread], access.written);
      held_[thread] = std::nullopt;
    } else {
      row.text = fmt::format("{} to {}", text(access.read), text(access.written));
      if (of_count) add(access.read, access.written);
    }
    rows_.push_back(std::move(row));
    return caption;
  }

  // A thread has found `before` in the output and leaves `after`.
  void add(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after) {
    if (before && after && *after >= *before)
      added_ += *after - *before;
    else
      overwritten_ = true;
  }

  // What came of the updates; empty where nothing was added, or where a thread wrote what it had not added
  // up.
  std::string end_of_updates() const {
    if (added_ == 0 || overwritten_) return {};
    if (lost_ > 0)
      return fmt::format(". In the end {} of {} updates {} lost", lost_, added_, lost_ == 1 ? "is" : "are");
    return added_ == 1 ? ". The only update is there" : fmt::format(". All {} updates are there", added_);
  }

  std::size_t frame(Demonstration& demonstration, std::size_t run, std::size_t events, const Order& so_far,
                    std::string caption, std::optional<std::uint64_t> thread) {
    if (const auto known = known_.find(so_far); known != known_.end()) return known->second;
    Frame frame = frame_after(demonstration, run, events, std::move(caption));
    frame.panels.push_back(table());
    frame.panels.push_back(state(thread));
    if (so_far.size() == steps_) {
      frame.in_handout = true;
      // What came of the updates is not known where the end is cut off.
      if (!demonstration.runs[run].is_cut && !demonstration.runs[run].is_endless())
        frame.caption += end_of_updates();
    }
    return known_[so_far] = add_frame(demonstration, std::move(frame));
  }

  Panel table() const {
    Panel panel{.kind = Panel::Kind::table, .title = "Time goes down", .headings = {"step"}};
    for (unsigned t = 0; t < threads_; ++t) panel.headings.push_back(fmt::format("thread {}", t));
    for (std::size_t step = 0; step < steps_; ++step) {
      const bool done = step < rows_.size();
      panel.cells.push_back({.text = std::to_string(step + 1), .look = Look::quiet});
      for (unsigned t = 0; t < threads_; ++t) {
        if (!done || rows_[step].thread != t) {
          panel.cells.push_back({.look = Look::quiet});
          continue;
        }
        const bool last = step + 1 == rows_.size();
        panel.cells.push_back({.text = rows_[step].text + (rows_[step].bad ? " \u2717" : ""),
                               .series = t + 1,
                               .look = rows_[step].bad ? Look::bad
                                       : last          ? Look::now
                                                       : Look::plain,
                               .mark = rows_[step].mark});
      }
    }
    return panel;
  }

  Panel state(std::optional<std::uint64_t> thread) const {
    Panel panel{.kind = Panel::Kind::cells, .title = "Now", .per_row = 1};
    for (unsigned t = 0; t < threads_; ++t) {
      panel.cells.push_back({.text = held_[t] ? std::to_string(*held_[t]) : "\u2013",
                             .label = fmt::format("thread {} holds", t),
                             .series = t + 1,
                             .look = thread == t ? Look::now
                                     : held_[t]  ? Look::plain
                                                 : Look::quiet});
    }
    if (counted_) {
      const facts::TraceArray& array = memory_->trace().arrays[counted_->array];
      panel.cells.push_back({.text = memory_->text(*counted_),
                             .label = element_text(array, counted_->at, count_bytes_),
                             .look = !rows_.empty() && rows_.back().bad ? Look::bad : Look::plain,
                             .shows = counted_});
    }
    return panel;
  }

  struct Row {
    std::uint64_t thread;
    std::string text;
    bool bad;
    std::optional<Mark> mark;
  };

  unsigned threads_;
  std::map<Order, std::size_t> known_;
  std::optional<Memory> memory_;
  std::vector<std::optional<std::uint64_t>>
      held_;  // what each thread has read of the element and not written
  std::vector<Row> rows_;
  std::uint64_t added_ = 0, lost_ = 0;
  bool overwritten_ = false;  // the output, by a thread that has not read it
  std::size_t steps_ = 0;
  std::optional<std::uint64_t> output_;
  std::optional<Element> counted_;
  unsigned count_bytes_ = 0;
};

Choice choice_of(std::uint64_t thread, std::size_t frame) {
  return {fmt::format("thread {}", thread), frame, static_cast<unsigned>(thread) + 1};
}

// One kernel, played by threads of one block.
class Play {
 public:
  Play(Stage& stage, Demonstration& demonstration, const workbook::ExerciseInfo& exercise, std::string file)
      : stage_(stage),
        demonstration_(&demonstration),
        source_(demonstration.sources.size()),
        wish_{.exercise = exercise, .file = std::move(file), .text = {}, .most_events = most_events} {
    demonstration.sources.push_back(stage.source(wish_));
  }

  // The steps of each thread, going one after the other.
  std::vector<std::size_t> begin(unsigned threads) {
    threads_ = threads;
    wish_.text = stage_.options().text.value_or(std::string(threads, 'e')).substr(0, threads);
    wish_.block = threads;
    wish_.grid = 1;
    wish_.lockstep_seed = stage_.seed();
    wish_.order = {0};
    storyteller_.emplace(threads);
    const std::size_t run = stage_.run(*demonstration_, wish_);
    steps_.assign(threads, 0);
    for (const unsigned thread : demonstration_->runs[run].order) ++steps_[thread];
    return storyteller_->tell(*demonstration_, run);
  }

  // In an empty order the seed decides.
  std::vector<std::size_t> in(Order order) {
    wish_.order = std::move(order);
    return storyteller_->tell(*demonstration_, stage_.run(*demonstration_, wish_));
  }

  // Each thread makes its next access in turn.
  Order in_turns() const {
    Order order;
    for (unsigned step = 0; step < *std::ranges::max_element(steps_); ++step) {
      for (unsigned t = 0; t < threads_; ++t) {
        if (step < steps_[t]) order.push_back(t);
      }
    }
    return order;
  }

  // The first thread stops before its last access, the others do all of theirs, then it goes on.
  Order with_late_writer() const {
    Order order(std::max<std::size_t>(steps_[0], 1) - 1, 0);
    for (unsigned t = 1; t < threads_; ++t) order.insert(order.end(), steps_[t], t);
    order.push_back(0);
    return order;
  }

  // Every order of the threads' accesses.
  std::vector<Order> all_orders() const {
    Order order;
    for (unsigned t = 0; t < threads_; ++t) order.insert(order.end(), steps_[t], t);
    std::vector<Order> all;
    do all.push_back(order);
    while (std::ranges::next_permutation(order).found && all.size() <= most_orders);
    return all;
  }

  void add_scene(std::string title, std::vector<std::size_t> frames, bool open = false) const {
    demonstration_->scenes.push_back({std::move(title), source_, std::move(frames), open});
  }

  // Whether the kernel had to be ended in the run made last.
  bool is_endless() const { return demonstration_->runs.back().is_endless(); }

  // Whether all orders can be looked through.
  bool has_few_orders() const { return all_orders().size() <= most_orders; }

  // A scene in which the audience says which thread is next, with a run for each order.
  void add_choice() {
    const std::vector<Order> orders = all_orders();
    std::vector<std::size_t> first;
    for (const Order& order : orders) {
      const std::vector<std::size_t> frames = in(order);
      for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
        std::vector<Choice>& next = demonstration_->frames[frames[i]].next;
        const bool known =
            std::ranges::any_of(next, [&](const Choice& c) { return c.frame == frames[i + 1]; });
        if (!known) next.push_back(choice_of(order[i], frames[i + 1]));
      }
      if (first.empty()) first = frames;
    }
    add_scene(fmt::format("You choose, {} orders", orders.size()), first, true);
  }

  // What follows a frame, made by runs that begin as this frame's did and let each thread go on in turn.
  void follow(Demonstration& demonstration, std::size_t frame) {
    demonstration_ = &demonstration;
    const std::optional<Order> so_far = storyteller_->way_to(frame);
    if (!so_far || !demonstration.frames[frame].next.empty()) return;
    const Run& run = demonstration.runs[demonstration.frames[frame].run];
    if (so_far->size() == run.order.size()) return;
    std::vector<Choice> next;
    for (unsigned t = 0; t < threads_; ++t) {
      Order order = *so_far;
      order.push_back(t);
      const std::vector<std::size_t> frames = in(order);
      // A thread that has no access left is passed over.
      const std::vector<unsigned>& taken = demonstration.runs.back().order;
      if (so_far->size() < taken.size() && taken[so_far->size()] == t)
        next.push_back(choice_of(t, frames[so_far->size() + 1]));
    }
    demonstration.frames[frame].next = std::move(next);
  }

 private:
  Stage& stage_;
  Demonstration* demonstration_;
  std::size_t source_;
  Wish wish_;
  unsigned threads_ = 0;
  std::vector<std::size_t> steps_;
  std::optional<Storyteller> storyteller_;
};

void play_plain(Play& play) {
  play.add_scene("One after the other", play.begin(2));
  if (play.is_endless()) return;  // in every order, each of which would have to be waited for
  play.add_scene("In turns", play.in(play.in_turns()));
  if (play.has_few_orders()) play.add_choice();
  for (const unsigned threads : {3u, 4u}) {
    play.begin(threads);
    play.add_scene(fmt::format("{} threads in turns", threads), play.in(play.in_turns()));
    if (threads == 4) play.add_scene("The last one overwrites all", play.in(play.with_late_writer()));
  }
}

// A scene in which the audience chooses among more orders than can be recorded: the simulator follows.
void add_followed(Stage& stage, Demonstration& demonstration, const workbook::ExerciseInfo& exercise,
                  const std::string& file, unsigned threads) {
  const auto play = std::make_shared<Play>(stage, demonstration, exercise, file);
  play->add_scene(fmt::format("You choose, {} threads", threads), play->begin(threads), true);
  demonstration.scenes.back().follow = [play](Demonstration& shown, std::size_t frame) {
    play->follow(shown, frame);
  };
}

Demonstration make_race(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "Two threads add one to the same counter, which holds 0. Which values can it hold in the end?";
  const workbook::ExerciseInfo exercise = stage.exercise("02");
  const std::string file = stage.kept(exercise, "race.cu");
  Play plain(stage, demonstration, exercise, file);
  play_plain(plain);
  if (plain.is_endless()) return demonstration;
  if (!stage.is_chosen() && stage.workbook().has_solutions) {
    Play atomic(stage, demonstration, exercise, {});
    atomic.begin(2);
    atomic.add_scene("With atomics, in turns", atomic.in(atomic.in_turns()));
    atomic.add_choice();
  }
  plain.begin(4);
  plain.add_scene(fmt::format("4 threads, an order drawn from seed {}", stage.seed()), plain.in({}));
  plain.begin(2);
  const bool has_many = !plain.has_few_orders();
  for (const unsigned threads : {2u, 3u, 4u}) {
    if (threads > 2 || has_many) add_followed(stage, demonstration, exercise, file, threads);
  }
  return demonstration;
}

}  // namespace in_race

extern const Entry race_demo{
    "race", "two threads change one counter: an update is lost, or not", in_race::make_race, {.seed = true}};

}  // namespace demo
