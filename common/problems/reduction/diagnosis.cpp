// SPDX-License-Identifier: MIT

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "facts/words.hpp"
#include "problems/places.hpp"
#include "problems/reduction/generators.hpp"
#include "problems/reduction/mistakes.hpp"
#include "problems/reduction/reduction_reference.hpp"

namespace reduction {

namespace {

using problems::Diagnosis;
using problems::Output;

constexpr std::uint64_t inputs_to_fit = 8;
// So many wrong ones among them have to fit.
constexpr std::size_t fewest_wrong = 3;
// Beyond this length the many runs that find a place take too long.
constexpr std::uint64_t longest_search = 1 << 15;
constexpr std::uint64_t warp = 32;
constexpr std::uint64_t several_blocks = 4099, few = 3;

// A run over an input that every seed makes another one of.
template <class Operator>
struct Sample {
  std::vector<typename Operator::value> elements;
  typename Operator::value expected, got;
  problems::LaunchSize launch;
};

template <class Operator>
typename Operator::value combined(const std::vector<typename Operator::value>& elements) {
  auto value = Operator::identity();
  for (const auto& element : elements) value = Operator::combine(value, element);
  return value;
}

template <class Value>
bool same(const Value& one, const Value& other) {
  return bytes_of(one) == bytes_of(other);
}

// No operator of the labs, but easily taken for one.
struct BitwiseOr {
  using value = unsigned;
  static constexpr const char* name = "bitwise or";
  static constexpr value identity() { return 0; }
  static constexpr value combine(value a, value b) { return a | b; }
};

class Doctor {
 public:
  Doctor(const problems::FailedCase& failed, problems::Reruns& reruns)
      : failed_(failed), reruns_(reruns), length_(failed.what.length) {}

  std::optional<Diagnosis> diagnosis() {
    if (auto found = depends_on_chance()) return found;
    if (length() >= huge_length) {
      return Diagnosis{"overflow", fmt::format("the result is right for short inputs, and wrong for {}",
                                               facts::counted(length(), "elements"))};
    }
    // Over several blocks more can be told than where it was first seen; if it shows there.
    if (length() < several_blocks) {
      length_ = several_blocks;
      if (auto found = of_places()) return found;
      length_ = failed_.what.length;
    }
    if (auto found = of_places()) return found;
    if (auto found =
            with_operator(failed_.what.variant, [&](auto op) { return of_operator<decltype(op)>(); }))
      return found;
    return another_operator();
  }

 private:
  // What other operators make of it may tell more, for the identity of one may be that of the operator that
  // comes; and so may few elements, for many of them make all bits of a bitwise operation the same.
  std::optional<Diagnosis> another_operator() {
    for (const std::uint64_t elements : {several_blocks, few}) {
      length_ = elements;
      if (auto found = wrong_operator(wrong_samples<Sum>("uniform"))) return found;
      if (auto found = wrong_operator(wrong_samples<Maximum>("uniform"))) return found;
      if (auto found = wrong_operator(wrong_samples<MaximumFloat>("uniform"))) return found;
    }
    return std::nullopt;
  }

  template <class Operator>
  std::vector<Sample<Operator>> wrong_samples(std::string_view input) {
    std::vector<Sample<Operator>> all = samples<Operator>(input);
    std::erase_if(all, [](const auto& sample) { return is_allowed(sample); });
    return all;
  }

  // What sums tell; nothing if they are right.
  std::optional<Diagnosis> of_places() {
    const std::vector<Sample<Sum>> sums = samples<Sum>("uniform");
    if (!is_wrong(sums)) return std::nullopt;
    if (auto found = nothing_written(sums)) return found;
    return of_sums(sums);
  }

  std::uint64_t length() const { return length_; }
  std::string amount() const { return facts::counted(length(), "elements"); }

  problems::Case case_of(std::string_view operation, std::string_view input) const {
    return {std::string(operation), std::string(input), length(), failed_.what.misalignment,
            failed_.what.multiprocessors};
  }

  // The same input once more, as the first of new processes and later in one.
  std::optional<Diagnosis> depends_on_chance() {
    const auto input = make_input(failed_.what.input, failed_.what.variant, length(), reruns_.seed());
    const auto again = reruns_.run(failed_.what, *input, reruns_.usual_times());
    std::vector<Output> fresh;
    for (int i = 0; i < 2 && length() < huge_length; ++i) {
      if (auto output = reruns_.run_afresh(failed_.what, *input)) fresh.push_back(std::move(*output));
    }
    if (fresh.size() == 2 && fresh[0] != fresh[1])
      return differing("not_deterministic", "two runs on the same input give different results", fresh[0],
                       fresh[1], "in one run", "in another");
    std::vector<Output> later{failed_.output};
    if (again) later.insert(later.end(), again->begin(), again->end());
    for (const Output& output : later) {
      if (!fresh.empty() && output != fresh.front()) {
        return differing("uncleared_counters", "the result depends on what memory held before the launch",
                         fresh.front(), output, "in the first launch of a process", "in a later one");
      }
      if (fresh.empty() && output != later.front())
        return differing("not_deterministic", "two runs on the same input give different results",
                         later.front(), output, "in one run", "in another");
    }
    return std::nullopt;
  }

  Diagnosis differing(const char* name, const char* message, const Output& one, const Output& other,
                      const char* where_one, const char* where_other) const {
    return with_operator(failed_.what.variant, [&](auto op) {
      using Value = typename decltype(op)::value;
      return Diagnosis{
          name, fmt::format("{}\n  the same input: {} {}, {} {}", message, text_of(value_of<Value>(one)),
                            where_one, text_of(value_of<Value>(other)), where_other)};
    });
  }

  template <class Operator>
  std::optional<typename Operator::value> result(std::string_view name, const Input& input) {
    const auto outputs = reruns_.run(case_of(Operator::name, name), input, 1);
    if (!outputs || outputs->front().size() != sizeof(typename Operator::value)) return std::nullopt;
    return value_of<typename Operator::value>(outputs->front());
  }

  template <class Operator>
  std::vector<Sample<Operator>> samples(std::string_view name) {
    using Value = typename Operator::value;
    std::vector<Sample<Operator>> all;
    const std::uint64_t wanted = length() > longest_search ? 3 : inputs_to_fit;
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const auto input = make_input(name, Operator::name, length(), reruns_.seed() + i);
      const auto got = result<Operator>(name, *input);
      if (!got) return {};
      std::vector<Value> elements(length());
      input->read(0, {reinterpret_cast<unsigned char*>(elements.data()), length() * sizeof(Value)});
      const Value expected = combined<Operator>(elements);
      all.push_back({std::move(elements), expected, *got, reruns_.last_launch()});
    }
    return all;
  }

  template <class Operator>
  static bool is_wrong(const std::vector<Sample<Operator>>& samples) {
    return std::ranges::any_of(samples,
                               [](const auto& sample) { return !same(sample.got, sample.expected); });
  }

  // Whether there are samples and `explains` gives the result of each.
  template <class Operator, class Explains>
  static bool all_fit(const std::vector<Sample<Operator>>& samples, Explains explains) {
    return !samples.empty() && std::ranges::all_of(samples, [&](const auto& sample) {
      return same(sample.got, explains(sample));
    });
  }

  // Where nobody has written the output, it holds what the runner has filled it with.
  std::optional<Diagnosis> nothing_written(const std::vector<Sample<Sum>>& sums) {
    static constexpr unsigned untouched = 0xffffffffu;
    if (!is_wrong(sums) || !all_fit(sums, [](const auto&) { return untouched; })) return std::nullopt;
    // A result may be that number.
    if (taking_part_before(0) != untouched) return std::nullopt;
    return Diagnosis{
        "nothing_written",
        "no result is ever written\n  whatever the input is, the result is as it was before the launch"};
  }

  // --- the sum itself is wrong, so it is a matter of places

  std::optional<Diagnosis> of_sums(const std::vector<Sample<Sum>>& sums) {
    if (auto found = wrong_operator(wrong_samples<Sum>("uniform"))) return found;
    if (auto found = overflow(sums)) return found;
    if (auto found = constant_difference(sums)) return found;
    if (length() > longest_search) return std::nullopt;
    const problems::Places places = is_linear(sums.front()) ? found_places() : problems::Places();
    const std::vector<problems::Stretch> odd = places.odd();
    if (odd.empty()) return std::nullopt;
    const problems::Stretch& first = odd.front();
    if (first.times > 0) return double_counting(places, sums);
    if (first.length() == length()) {
      return Diagnosis{
          "lost_elements",
          fmt::format("no element is in the result\n  the sum of {}, each of them 1, is 0", amount())};
    }
    if (odd.size() == 1 && places.is_complete() && first.end == length()) return tail_missed(first, sums);
    return missing_places(places, sums);
  }

  // For accounts of how often each element takes part; none where that is not known.
  std::vector<problems::PlacesSample> places_samples(const std::vector<Sample<Sum>>& sums) {
    const auto total = taking_part_before(length());
    std::vector<problems::PlacesSample> all;
    for (const Sample<Sum>& sample : sums) {
      const auto is_from = [&sample](std::span<const std::uint32_t> times) {
        unsigned value = 0;
        for (std::size_t i = 0; i < times.size(); ++i) value += times[i] * sample.elements[i];
        return value == sample.got;
      };
      if (total) all.push_back({length(), sample.launch, *total, is_from});
    }
    return all;
  }

  Diagnosis double_counting(const problems::Places& places, const std::vector<Sample<Sum>>& sums) {
    const auto samples = places_samples(sums);
    const auto rule = problems::rule_of(places, samples), account = problems::account_of(places, samples);
    return {"double_counting", fmt::format("{}\n  {}{}", places.headline(), rule ? *rule : places.text(),
                                           account ? "\n  " + *account : "")};
  }

  Diagnosis tail_missed(const problems::Stretch& missing, const std::vector<Sample<Sum>>& sums) const {
    const problems::Beginning beginning{missing.begin, length(), sums.front().launch};
    const auto account = problems::account_of_beginning({&beginning, 1}, beginning, "elements");
    return {"tail_missed",
            fmt::format("{}\n  of {} only the first {} are in it{}", problems::headline_of(beginning),
                        amount(), facts::separated(missing.begin), account ? "\n  " + *account : "")};
  }

  Diagnosis missing_places(const problems::Places& places, const std::vector<Sample<Sum>>& sums) {
    const std::vector<problems::Stretch> odd = places.odd();
    const problems::Stretch& first = odd.front();
    const auto samples = places_samples(sums);
    const auto rule = problems::rule_of(places, samples), account = problems::account_of(places, samples);
    const std::string behind = account ? "\n  " + *account : "";
    const bool is_stretch = first.length() >= warp, is_only = odd.size() == 1 && places.is_complete();
    const char* const name = is_stretch ? "partial_lost" : "lost_elements";
    if (is_only && is_stretch)
      return {name, fmt::format("a stretch of the input is missing from the result\n  of {}, data[{}] to "
                                "data[{}] are not in it{}",
                                amount(), first.begin, first.end - 1, behind)};
    if (is_only && first.length() == 1)
      return {name, fmt::format("an element is missing from the result\n  of {}, data[{}] is not in it{}",
                                amount(), first.begin, behind)};
    return {name, fmt::format("{}\n  {}{}", places.headline(), rule ? *rule : places.text(), behind)};
  }

  // Of elements that are three times as large the sum is too, whichever of them take part and how often. What
  // is no sum is no matter of places.
  bool is_linear(const Sample<Sum>& sample) {
    std::vector<unsigned> elements = sample.elements;
    for (unsigned& element : elements) element *= 3;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(elements.data());
    const auto got = result<Sum>("uniform, each three times",
                                 *problems::hold({bytes, bytes + length() * sizeof(unsigned)}));
    return got == 3 * sample.got;
  }

  static std::optional<Diagnosis> overflow(const std::vector<Sample<Sum>>& sums) {
    for (const unsigned bits : {8u, 16u}) {
      const unsigned mask = (1u << bits) - 1;
      if (all_fit(sums, [&](const auto& sample) { return sample.expected & mask; }))
        return Diagnosis{"overflow",
                         fmt::format("the result is right modulo {} alone\n  {} came instead of {}", mask + 1,
                                     sums.front().got, sums.front().expected)};
    }
    return std::nullopt;
  }

  // The same too much or too little whatever the elements are.
  std::optional<Diagnosis> constant_difference(const std::vector<Sample<Sum>>& sums) const {
    constexpr unsigned most = 1 << 13;
    const unsigned difference = sums.front().got - sums.front().expected;
    if (difference == 0 || !all_fit(sums, [&](const auto& sample) { return sample.expected + difference; }))
      return std::nullopt;
    // Around the input lies the largest number, which is -1.
    if (reruns_.is_guarded() && -difference <= most) {
      return Diagnosis{"past_the_end",
                       fmt::format("values outside of the input are combined too\n  {} more than the {}",
                                   facts::separated(-difference), amount())};
    }
    if (difference > most && -difference > most) return std::nullopt;
    return Diagnosis{"identity_forgotten",
                     fmt::format("values that are neither elements nor the identity are combined too\n  "
                                 "the sum of {} is off by {}, whatever they are",
                                 amount(), static_cast<int>(difference))};
  }

  // The sum of ones up to `end` and zeros from there on: how often elements before it take part.
  std::optional<std::uint64_t> taking_part_before(std::uint64_t end) {
    std::vector<unsigned> elements(length());
    std::fill_n(elements.begin(), end, 1u);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(elements.data());
    const auto got =
        result<Sum>("ones and zeros", *problems::hold({bytes, bytes + length() * sizeof(unsigned)}));
    return got ? std::optional<std::uint64_t>(*got) : std::nullopt;
  }

  problems::Places found_places() {
    constexpr std::size_t most = 5;
    const auto before = [this](std::uint64_t end) { return taking_part_before(end); };
    return {.length = length(),
            .stretches = problems::find_stretches(length(), most, before),
            .elements = "elements",
            .done = "combined"};
  }

  // --- sums are right, so it is a matter of the operator

  template <class Operator>
  std::optional<Diagnosis> of_operator() {
    if constexpr (std::is_same_v<Operator, Sum>) {
      return std::nullopt;
    } else {
      // Of the failed input too: on a single one of another kind it may be right by chance.
      std::vector<Sample<Operator>> all = wrong_samples<Operator>(failed_.what.input);
      for (auto& sample : wrong_samples<Operator>("uniform")) all.push_back(std::move(sample));
      if (all.size() < fewest_wrong) return std::nullopt;
      if (auto found = wrong_identity(all)) return found;
      return wrong_operator(all);
    }
  }

  template <class Operator>
  static bool is_allowed(const Sample<Operator>& sample) {
    if constexpr (std::is_same_v<Operator, SumFloat>) {
      FloatSum sum;
      for (const float element : sample.elements) sum.add(element);
      return sum.allows(sample.got);
    }
    return same(sample.got, sample.expected);
  }

  // Values that stand for an identity where none is asked for.
  static std::vector<unsigned> candidates(unsigned) { return {0u, 1u, 0xffffffffu}; }
  static std::vector<float> candidates(float) {
    constexpr float infinity = std::numeric_limits<float>::infinity(),
                    most = std::numeric_limits<float>::max();
    return {0.0f, 1.0f, most, -most, std::numeric_limits<float>::min(), infinity, -infinity};
  }
  static std::vector<Point> candidates(Point) { return {{0, 0, 0, 0}}; }

  template <class Operator>
  std::optional<Diagnosis> wrong_identity(const std::vector<Sample<Operator>>& wrong) const {
    for (const auto& value : candidates(Operator::identity())) {
      const auto with_value = [&](const auto& sample) { return Operator::combine(sample.expected, value); };
      if (!all_fit(wrong, with_value)) continue;
      return Diagnosis{"identity_forgotten",
                       fmt::format("a value that is neither an element nor the identity is combined too\n  "
                                   "the result is the {} of {} and of a further {}",
                                   Operator::name, amount(), text_of(value))};
    }
    return std::nullopt;
  }

  template <class Operator>
  static std::optional<Diagnosis> wrong_operator(const std::vector<Sample<Operator>>& wrong) {
    if (wrong.size() < fewest_wrong) return std::nullopt;
    const auto found_as = [&](auto other) -> std::optional<Diagnosis> {
      using Other = decltype(other);
      if (!all_fit(wrong, [](const auto& sample) { return combined<Other>(sample.elements); }))
        return std::nullopt;
      // A product of many numbers is 0, whatever they are: that shows nothing.
      const auto as_first = [&](const auto& sample) { return same(sample.got, wrong.front().got); };
      if (std::ranges::all_of(wrong, as_first)) return std::nullopt;
      return Diagnosis{"wrong_operator",
                       fmt::format("elements are not combined by the operator\n  where the {} is asked "
                                   "for, the {} comes: {} instead of {}",
                                   Operator::name, Other::name, reduction::text_of(wrong.front().got),
                                   text_of(wrong.front().expected))};
    };
    std::optional<Diagnosis> found;
    if constexpr (std::is_same_v<typename Operator::value, unsigned>) {
      found = found_as(Sum());
      if (!found) found = found_as(Maximum());
      if (!found) found = found_as(Minimum());
      if (!found) found = found_as(Product());
      if (!found) found = found_as(BitwiseOr());
    } else if constexpr (std::is_same_v<typename Operator::value, float>) {
      found = found_as(SumFloat());
      if (!found) found = found_as(MaximumFloat());
      if (!found) found = found_as(MinimumFloat());
    }
    return found;
  }

  const problems::FailedCase& failed_;
  problems::Reruns& reruns_;
  std::uint64_t length_;  // of the inputs
};

}  // namespace

std::optional<Diagnosis> diagnose(const problems::FailedCase& failed, problems::Reruns& reruns) {
  return Doctor(failed, reruns).diagnosis();
}

}  // namespace reduction
