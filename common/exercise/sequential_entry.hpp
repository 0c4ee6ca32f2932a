// SPDX-License-Identifier: MIT
// Ends the unit of an exercise whose file defines `histogram_sequential`: describes it to the runner.
#pragma once

#include "exercise/exercise.hpp"
#include "histogram/binning.hpp"

namespace exercise {

template <class Binning>
void call(const LaunchShape&, const unsigned char* data, std::size_t length, unsigned int* histo, LaunchOutcome&) {
  histogram_sequential<Binning>(data, length, histo);
}

extern const Exercise exercise_under_test;
const Exercise exercise_under_test{
    WORKBOOK_LAB,
    WORKBOOK_EXERCISE,
    WORKBOOK_COPIES,
    nullptr,
    {{{Letters4::name, Letters4::bins, &call<Letters4>},
      {Letters::name, Letters::bins, &call<Letters>},
      {Bytes::name, Bytes::bins, &call<Bytes>}}}};

}  // namespace exercise
