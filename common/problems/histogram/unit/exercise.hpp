// SPDX-License-Identifier: MIT
// Describes the histogram exercise of a unit to the runner: what both entries, and the peers, have in common.
#pragma once

#include "problems/histogram/unit/binning.hpp"
#include "runner/exercise.hpp"

namespace histogram {

using Counter = unsigned int;

#if defined(WORKBOOK_SIMULATOR)
runner::ConductObserver* observe(runner::Bytes input, runner::Bytes result);
#else
constexpr auto observe = static_cast<runner::ConductObserver* (*)(runner::Bytes, runner::Bytes)>(nullptr);
#endif

// Every binning counts it.
constexpr unsigned char input_guard = 'm';

// How `Entry` launches a kernel or calls a function for one binning: Entry::launch<Binning>(shape, data,
// length, histo, outcome).
template <class Entry, class Binning>
void launch(const LaunchShape& shape, const void* data, std::size_t length, void* output,
            runner::LaunchOutcome& outcome) {
  Entry::template launch<Binning>(shape, static_cast<const unsigned char*>(data), length,
                                  static_cast<Counter*>(output), outcome);
}

template <class Entry, class Binning>
constexpr runner::Variant variant() {
  return {Binning::name, sizeof(unsigned char), Binning::bins * sizeof(Counter), &launch<Entry, Binning>};
}

template <class Entry>
constexpr runner::Variant variants[] = {variant<Entry, Letters4>(), variant<Entry, Letters>(),
                                        variant<Entry, Bytes>()};

template <class Entry>
constexpr runner::Exercise exercise(const char* lab, const char* name, runner::Outputs outputs,
                                    LaunchShape (*launch_shape)(std::size_t)) {
  return {"histogram",
          lab,
          name,
          outputs,
          launch_shape,
          variants<Entry>,
          sizeof(variants<Entry>) / sizeof(runner::Variant),
          {"data", "bytes", sizeof(unsigned char)},
          {"histo", "counters", sizeof(Counter)},
          input_guard,
          observe};
}

}  // namespace histogram
