// SPDX-License-Identifier: MIT
// Describes the reduction exercise of a unit to the runner: what its entry, and the peers, have in common.
#pragma once

#include "problems/reduction/unit/operators.hpp"
#include "runner/exercise.hpp"

namespace reduction {

#if defined(WORKBOOK_SIMULATOR)
runner::ConductObserver* observe(runner::Bytes input, runner::Bytes result);
#else
constexpr auto observe = static_cast<runner::ConductObserver* (*)(runner::Bytes, runner::Bytes)>(nullptr);
#endif

// A byte that changes every result if values made of it are combined: the largest number, or NaN. Of a
// minimum and of a product that is 0.
template <class Operator>
constexpr unsigned char guard = 0xff;
template <>
inline constexpr unsigned char guard<Minimum> = 0;
template <>
inline constexpr unsigned char guard<Product> = 0;

template <class Operator>
constexpr typename Operator::value identity = Operator::identity();

// How `Entry` launches a kernel or calls a function for one operator: Entry::launch<Operator>(shape, data,
// length, partials, outcome).
template <class Entry, class Operator>
void launch(const LaunchShape& shape, const void* data, std::size_t length, void* partials,
            runner::LaunchOutcome& outcome) {
  using Value = typename Operator::value;
  Entry::template launch<Operator>(shape, static_cast<const Value*>(data), length,
                                   static_cast<Value*>(partials), outcome);
}

template <class Entry, class Operator>
constexpr runner::Variant variant() {
  using Value = typename Operator::value;
  return {Operator::name,      sizeof(Value),  sizeof(Value), &launch<Entry, Operator>, 0,
          &identity<Operator>, guard<Operator>};
}

template <class Entry>
constexpr runner::Variant variants[] = {variant<Entry, Sum>(),          variant<Entry, Maximum>(),
                                        variant<Entry, Minimum>(),      variant<Entry, Product>(),
                                        variant<Entry, SumFloat>(),     variant<Entry, MaximumFloat>(),
                                        variant<Entry, MinimumFloat>(), variant<Entry, Farthest>()};

template <class Entry>
constexpr runner::Exercise exercise(const char* lab, const char* name, runner::Outputs outputs,
                                    LaunchShape (*launch_shape)(std::size_t)) {
  return {"reduction",
          lab,
          name,
          outputs,
          launch_shape,
          variants<Entry>,
          sizeof(variants<Entry>) / sizeof(runner::Variant),
          {"data", "elements"},
          {"partials", "values"},
          guard<Sum>,
          observe};
}

}  // namespace reduction
