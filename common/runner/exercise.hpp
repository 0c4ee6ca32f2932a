// SPDX-License-Identifier: MIT
// The description of an exercise, which is compiled into its runner. A problem's entry headers
// (problems/NAME/unit/*_entry.hpp) fill it in; arrays are bytes here, and their types the problem's own. It
// includes nothing of the standard library but <cstddef>: a unit is compiled at every save of a student's
// file.
#pragma once

#include <cstddef>

#include "facts/launch_shape.hpp"

namespace runner {

// Input and result of a launch besides its shape; each executor has its own.
struct LaunchOutcome;

// Counts how a kernel goes about its work (launch_outcome.hpp).
class ConductObserver;

// The exercise for one type or operator that it is a template over.
struct Variant {
  const char* name;
  std::size_t element_bytes;  // of the input
  std::size_t output_bytes;   // of one copy of the output, whatever the input's length
  // Leaves the result in the first copy of the output, or each block's in its own; a library may take several
  // launches for that. `length` counts the input's elements.
  void (*launch)(const LaunchShape& shape, const void* data, std::size_t length, void* output,
                 LaunchOutcome& outcome);
  std::size_t output_bytes_per_element = 0;  // of an output that grows with the input
  const void* empty_output = nullptr;        // the output for an empty input; null: zeros
  int input_guard = -1;                      // in place of the exercise's, where it is not negative

  // Of the first copy, which is sent to the judge.
  std::size_t result_bytes(std::size_t length) const {
    return output_bytes + length * output_bytes_per_element;
  }
};

// How many copies of the output the kernel gets.
enum class Outputs {
  one,            // all zero before the launch
  one_per_block,  // the same
  until_one,  // one for each block, not cleared, over which the kernel is launched again until one is left
};

// An array as messages call it.
struct ArrayWords {
  const char* name;               // "data"
  const char* elements;           // "bytes"
  std::size_t element_bytes = 0;  // 0: as a variant says
};

struct Bytes {
  const unsigned char* begin;
  std::size_t size;
};

struct Exercise {
  const char* problem;  // "histogram"
  const char* lab;      // "04_shared_memory"
  const char* name;     // "histogram"
  Outputs outputs;
  LaunchShape (*launch_shape)(std::size_t length);  // null: a function of the CPU's, called and not launched
  const Variant* variants;
  std::size_t variant_count;
  ArrayWords input, output;
  // Surrounds the input on backends with guard zones. Every variant's result changes if it is read, but of
  // those that have another one.
  unsigned char input_guard;
  // The observer of a launch over `input` whose result is `result`; the caller owns it. Null where nothing is
  // simulated.
  ConductObserver* (*observe)(Bytes input, Bytes result);

  const Variant* begin() const { return variants; }
  const Variant* end() const { return variants + variant_count; }
  bool is_launched() const { return launch_shape != nullptr; }
  // The same exercise with the sizes of elements and the guard that are right for one of its variants.
  Exercise made_for(const Variant& variant) const {
    Exercise made = *this;
    if (input.element_bytes == 0) made.input.element_bytes = variant.element_bytes;
    if (output.element_bytes == 0) made.output.element_bytes = variant.output_bytes;
    if (variant.input_guard >= 0) made.input_guard = static_cast<unsigned char>(variant.input_guard);
    return made;
  }
};

// Defined by the unit that includes the student's file.
extern const Exercise exercise_under_test;

// Runs all threads of a grid on the simulator.
void simulate(const LaunchShape& shape, facts::ThreadProgram thread, LaunchOutcome& outcome);

// Runs a function of the host there, as the only thread of a kernel, under the memory checker.
void simulate_host_code(facts::ThreadProgram thread, LaunchOutcome& outcome);

}  // namespace runner
