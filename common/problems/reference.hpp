// SPDX-License-Identifier: MIT
// What only the judge and those above it know of a problem: the right answers, how an answer is compared with
// them, which mistake a wrong one shows, which technique a lab asks for, and what the labs are measured
// against.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/backend.hpp"
#include "facts/verdict.hpp"
#include "problems/input.hpp"
#include "problems/problem.hpp"

namespace problems {

// An input that an exercise is judged on.
struct Case {
  std::string variant;
  std::string input;  // a named input, or what the problem or the judge has chosen to be one
  std::uint64_t length;
  unsigned misalignment = 0;  // of the data, in elements past an aligned address
  // On the simulator: how many multiprocessors the launch's shape is told of; 0: those of the device.
  unsigned multiprocessors = 0;

  bool operator==(const Case&) const = default;
};

// The answer for an input of any length: bytes like an output's, but of a type that is wide enough.
using Result = std::vector<unsigned char>;

// An output as a list of T, and back.
template <class T>
std::vector<T> values_of(std::span<const unsigned char> bytes);
template <class T>
std::vector<unsigned char> bytes_of(std::span<const T> values);

struct Diagnosis {
  // What its second line tells: the elements that are concerned, to which the case seen first adds nothing;
  // or sums alone, to which the atomics add something that a short case executes.
  enum class Tells { numbers, places, sums };

  std::string name;     // empty: what can be said has no name of its own
  std::string message;  // one line, and a second one
  Tells tells = Tells::numbers;
};

// The shape of a launch; zeros if it is not known.
struct LaunchSize {
  std::uint64_t grid = 0, block = 0;

  std::uint64_t threads() const { return grid * block; }
};

// A case that gave a wrong answer.
struct FailedCase {
  Case what;
  Output output;
};

// Runs the exercise once more, over inputs that a problem chooses to tell one mistake from another. A run
// that does not end in an answer gives nothing; the judge keeps what became of it.
class Reruns {
 public:
  virtual ~Reruns() = default;
  // The distinct outputs of so many runs over the input; `what` describes it in messages.
  virtual std::optional<std::vector<Output>> run(const Case& what, const Input& input, unsigned times) = 0;
  // The output of one run that is the first of its process.
  virtual std::optional<Output> run_afresh(const Case& what, const Input& input) = 0;

  virtual std::uint64_t seed() const = 0;
  virtual unsigned usual_times() const = 0;  // runs that show whether the result depends on chance
  virtual bool is_guarded() const = 0;       // the bytes around the input can be read
  virtual LaunchSize last_launch() const { return {}; }  // of the last run; of several launches the first
};

// A rule of a lab's technique, with its parameters, as the lab's manifest names it.
struct Rule {
  std::string name;
  std::vector<std::uint64_t> parameters;

  bool operator==(const Rule&) const = default;
};

// What is known of one launch whose answer was right.
struct Launch {
  std::uint64_t grid = 0, block = 0;
  std::map<std::string, std::uint64_t>
      counts;  // the simulator's counters, and the problem's own (runner/launch_outcome.hpp)

  std::uint64_t threads() const { return grid * block; }
  std::uint64_t of(const std::string& counter) const;  // 0 if nobody has counted it
};

// Runs a case for its technique; nothing if its answer was not right.
using RunCase = std::function<std::optional<Launch>(const Case&)>;

struct TechniqueFault {
  Case what;  // that shows it
  std::string message;
};

// What the labs are measured against.
struct Peer {
  std::string name;         // of its runner
  std::string description;  // in tables
  facts::Backend backend;
  bool computes;          // false: it leaves the output at zero, as a sweep over memory does
  bool is_limit = false;  // reading the input alone, which no exercise undercuts
};

// A result's parts with their names, to be drawn as bars.
struct Bar {
  std::string label;
  std::uint64_t value;
  std::string text = {};  // to be shown for the value; empty: the number itself
};

// One counter over another, or over the bytes of the input where `over` is empty.
struct TourFigure {
  std::string_view title, counter, over;
};

// What the simulator counts in place of a time, as bars or over what is swept.
struct CountedPlot {
  std::string_view title;           // of the axis: "atomics per byte"
  std::vector<TourFigure> figures;  // one or two, whose titles tell them apart
  std::string_view caption;
};

// A column of the tables in which the simulator's counters of several exercises stand side by side.
struct CountedColumn {
  std::string_view counter;      // or a derived one
  std::string_view title;        // on the page
  std::string_view short_title;  // in a terminal, up to 10 characters; empty: it is on the page alone
  bool swept = false;            // a sweep shows it in a terminal too
};

struct LostUpdates {
  std::uint64_t updates, lost;  // that there are, and by how much the result falls short
};

class Reference {
 public:
  virtual ~Reference() = default;
  virtual const Problem& problem() const = 0;

  // The answer for a stretch of an input; offset and length in elements.
  virtual Result expected(std::string_view variant, const Input& input, std::uint64_t offset,
                          std::uint64_t length) const = 0;
  // One run's output as a result, and the results of two stretches of an input as one of both.
  virtual Result result_of(std::string_view variant, const Output& output) const = 0;
  virtual void add(std::string_view variant, Result& sum, const Result& part) const = 0;
  // A wrong answer with the first differences; nothing if it is right.
  virtual std::optional<facts::Finding> compare(std::string_view variant, const Result& expected,
                                                const Output& output) const = 0;
  // How a result that compare() takes agrees with the answer: "equal to the CPU's count".
  virtual std::string agreement(std::string_view variant, const Result& expected, const Result& result) const;

  // What a check goes through at a length, many cases where it is short. `rotation` changes from length to
  // length, so that alignments do.
  virtual std::vector<Case> cases(std::uint64_t length, unsigned rotation) const = 0;
  // Cases beside these, whose lengths, inputs and alignments are drawn from the seed, so that nobody knows
  // them before. All are short.
  virtual std::vector<Case> drawn_cases(std::uint64_t seed) const = 0;
  // Beyond this length a device may be too small for a case, which is then left out.
  virtual std::uint64_t huge_length() const = 0;

  // Which mistake a wrong answer shows; nothing where the evidence does not tell.
  virtual std::optional<Diagnosis> diagnose(const FailedCase& failed, Reruns& reruns) const = 0;

  // Of a problem that counts: a variant under which elements that are all 0 count alike, and how many of them
  // an output has counted. Empty: there is none.
  virtual std::string_view variant_for_zeros() const { return {}; }
  virtual std::uint64_t counted_zeros(const Output&) const { return 0; }

  // The rules' names.
  virtual std::vector<std::string_view> rules() const = 0;
  // From this length on, over aligned data, technique is judged: cases of it are run with the observer.
  virtual std::uint64_t technique_length() const = 0;
  // The length at which a check judges it, drawn from the seed: at most a thousandth more than that.
  std::uint64_t drawn_technique_length(std::uint64_t seed) const;
  // The first rule that is not kept at this length, in the lab's terms with the numbers that show it.
  virtual std::optional<TechniqueFault> technique_fault(const std::vector<Rule>& rules, std::uint64_t length,
                                                        const RunCase& run) const = 0;

  virtual std::span<const Peer> peers() const = 0;

  // The inputs of a full ladder, the usual one first.
  virtual std::vector<std::string> ladder_inputs() const = 0;

  // How many different values a sweep over contention goes through, and the input for one of them.
  virtual std::vector<std::uint64_t> contention_levels(std::string_view variant) const = 0;
  virtual std::unique_ptr<Input> contended_input(std::string_view variant, std::uint64_t level,
                                                 std::uint64_t length, std::uint64_t seed) const = 0;
  // The level in words: "uniform over 4 bins"; and what is counted: "bins in use".
  virtual std::string contention_text(std::uint64_t level) const = 0;
  virtual std::string_view contention_unit() const = 0;

  // The result in a document, under the problem's own keys. `parts`: what the blocks of the first launch
  // left, where the kernel is launched again over it; or nothing.
  virtual void write(nlohmann::ordered_json& document, std::string_view variant, const Result& result,
                     const Output& parts) const = 0;
  // `input`: the name of what was counted, which may say what its elements are.
  virtual std::vector<Bar> bars(std::string_view variant, const Result& result, const Output& parts,
                                std::string_view input) const = 0;
  // The result in words, to be shown above its bars; empty: they say all.
  virtual std::string result_text(std::string_view variant, const Result& result) const = 0;
  virtual std::string_view bar_word() const = 0;  // "bin"
  // Two figures that explain the times of a tour, and what they are: "shared, global: atomics per byte".
  virtual std::array<TourFigure, 2> tour_figures() const = 0;
  virtual std::string_view tour_legend() const = 0;
  // The counters that say something of its exercises, up to five of them with short titles and up to four of
  // these swept, and what the short titles mean.
  virtual std::span<const CountedColumn> counted_columns() const = 0;
  virtual std::string_view counted_legend() const = 0;
  virtual CountedPlot ladder_plot() const = 0;
  virtual CountedPlot sweep_plot() const = 0;  // of one figure
  // Figures that questions may ask for besides counters and times.
  virtual std::map<std::string, double> figures(std::string_view variant, const Result& result) const = 0;
  // Nothing where the results are not of the same kind.
  virtual std::optional<LostUpdates> lost_updates(std::string_view variant, const Result& expected,
                                                  const Result& result) const = 0;
};

// Lengths from which cases are drawn: so many of one length between these two, both included.
struct DrawnLengths {
  std::uint64_t from, to;
  int cases;
};

// Cases of the problem's variants and inputs at lengths, and up to 15 elements past an aligned address, that
// are drawn from the seed.
std::vector<Case> draw_cases(const Problem& problem, std::span<const DrawnLengths> lengths,
                             std::uint64_t seed);

// The reference of the problem of that name. Precondition: find_problem(name).
const Reference& reference_of(std::string_view name);

template <class T>
std::vector<T> values_of(std::span<const unsigned char> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.begin(), values.size() * sizeof(T), reinterpret_cast<unsigned char*>(values.data()));
  return values;
}

template <class T>
std::vector<unsigned char> bytes_of(std::span<const T> values) {
  const auto* const first = reinterpret_cast<const unsigned char*>(values.data());
  return {first, first + values.size_bytes()};
}

}  // namespace problems
