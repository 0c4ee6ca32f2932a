// SPDX-License-Identifier: MIT
// What everybody may know of a problem, a student's runner included: the types or operators that its kernels
// are templates over (variants), its inputs, and how its results are written. The answers are the judge's
// alone (reference.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/input.hpp"

namespace problems {

// One run's output: bytes whose type is the problem's.
using Output = std::vector<unsigned char>;

struct Variant {
  std::string_view name;
  std::size_t element_bytes;  // of the input
};

// A function that a student's file has to define, because the harness calls it by name.
struct Callee {
  std::string_view name, declaration;
};

class Problem {
 public:
  virtual ~Problem() = default;

  virtual std::string_view name() const = 0;   // of its folder: "histogram"
  virtual std::string_view title() const = 0;  // "The parallel histogram"

  // What the command line's option for the variant, and the key in documents and records, is called.
  virtual std::string_view variant_option() const = 0;
  // The usual one first.
  virtual std::span<const Variant> variants() const = 0;
  // The one that is meant for the input, a name or a file, where the user names none.
  virtual std::string_view usual_variant(std::string_view input) const = 0;

  // Elements of the input as messages call them: "bytes".
  virtual std::string_view elements() const = 0;
  // The inputs that a user can name, in the order in which help texts list them.
  virtual std::span<const NamedInput> inputs() const = 0;
  // The one of them that is meant where the user names none.
  virtual std::string_view usual_input() const = 0;
  // The same name, variant, length (in elements) and seed give the same input on every machine. Throws
  // std::invalid_argument for a name that is not among inputs().
  virtual std::unique_ptr<Input> make_input(std::string_view name, std::string_view variant,
                                            std::uint64_t length, std::uint64_t seed) const = 0;
  // The length of an input that has one of its own, where the user asks for none.
  virtual std::optional<std::uint64_t> natural_length(std::string_view input) const = 0;

  // The functions that the file of an exercise has to define; `launched`: of one with a kernel.
  virtual std::span<const Callee> entry(bool launched) const = 0;

  // How a time is meant, in brackets behind it, and what a right answer is equal to.
  virtual std::string_view time_words() const = 0;
  virtual std::string_view answer_words() const = 0;
  // The same of a table of times: "zeroing the histogram is not counted".
  virtual std::string_view tour_time_words() const = 0;

  // One run's result as lines of text.
  virtual std::string lines(std::string_view variant, const Output& output) const = 0;

  const Variant* find_variant(std::string_view name) const;
  bool has_input(std::string_view name) const;
};

// All problems, and the one of that name; null if there is none.
std::span<const Problem* const> problems();
const Problem* find_problem(std::string_view name);

}  // namespace problems
