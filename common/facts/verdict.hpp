// SPDX-License-Identifier: MIT
// Verdicts, and the evidence for them: an observation in a runner, a finding of the judge.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace facts {

// In the order of precedence: where several apply, the first is the verdict.
enum class Verdict {
  unavailable,  // there is no such backend here; never a pass
  not_started,  // the file still equals the skeleton
  build_error,  // it does not compile
  forbidden,    // it holds what a kernel has no business with
  protocol,     // the runner ended without an answer
  limit,        // too much memory, too many processes, too much output
  timeout,
  crash,         // a signal or an error of the device
  launch_error,  // the device refused the launch
  out_of_bounds,
  uninitialised,
  divergent_barrier,
  race,
  wrong_answer,
  technique,  // the right answer, but not by what this lab teaches
  pass,
};

inline constexpr std::array<std::string_view, 16> verdict_names{
    "unavailable", "not_started",  "build_error",  "forbidden",     "protocol",      "limit",
    "timeout",     "crash",        "launch_error", "out_of_bounds", "uninitialised", "divergent_barrier",
    "race",        "wrong_answer", "technique",    "pass"};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::pass) + 1);

constexpr std::string_view name_of(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

constexpr std::optional<Verdict> find_verdict(std::string_view name) {
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if (verdict_names[i] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

// A thread at a place in the runner's program. Block and thread are numbers in a launch of one
// dimension, the thread's within its block.
struct ThreadAt {
  std::uint64_t block = 0, thread = 0, site = 0;  // site: an offset that addr2line understands
};

// Something that was seen in a runner while a kernel ran, in words for the student. The verdict `pass` makes
// it a note: worth knowing, and not wrong.
struct Observation {
  Verdict verdict = Verdict::pass;
  std::string message = {};
  std::vector<std::uint64_t> sites =
      {};                      // places in the runner's program, as offsets that addr2line understands
  std::string diagnosis = {};  // of a race: the kind of synchronisation that is missing
  std::vector<std::string> roles = {};  // what the kernel does at each site: "reads"; as many, or none
  std::string absent = {};              // of a divergent barrier: a thread that has returned, "thread 40"
  std::vector<ThreadAt> threads = {};   // that did it, each at its site; of a race, the earlier one first
};

// Whether a runner may claim the verdict: those about the kernel's conduct. All others are the judge's to
// give.
constexpr bool is_observable(Verdict verdict) {
  constexpr std::array observable{Verdict::limit,         Verdict::timeout,       Verdict::crash,
                                  Verdict::out_of_bounds, Verdict::uninitialised, Verdict::divergent_barrier,
                                  Verdict::race};
  return std::ranges::find(observable, verdict) != observable.end();
}

// The role of a shuffle that reads from a lane which does not take part: what it gets is undefined.
inline constexpr std::string_view absent_source = "shuffles";
// That of a shift by an amount that is not defined.
inline constexpr std::string_view undefined_shift = "shifts";
// That of an index outside of an array whose length its type tells.
inline constexpr std::string_view outside_index = "indexes";

struct Location {
  std::string file;
  int line;
  int column = 0;         // from 1; 0: unknown
  std::string text = {};  // the line; empty if the file is not there
  std::string role = {};  // what the kernel does there: "reads"; empty: unknown

  auto operator<=>(const Location&) const = default;
};

// A verdict with its evidence.
struct Finding {
  Verdict verdict = Verdict::pass;
  std::string message = {};
  std::string diagnosis = {};  // of a wrong answer or a race; empty: none
  std::vector<Location> where = {};
  std::string evidence = {};  // the part of the message after its first line: which threads, on which input
  std::string missing = {};   // the kind of thing that is missing: "no barrier between line 6 and line 8"
  std::vector<ThreadAt> threads = {};  // those of the observation that it comes from
};

// Whether `a` takes precedence over `b`.
inline bool comes_before(const Finding& a, const Finding& b) { return a.verdict < b.verdict; }

}  // namespace facts
