// SPDX-License-Identifier: MIT
#include "problems/reduction/reduction_reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>
#include <type_traits>

#include "problems/reduction/generators.hpp"
#include "problems/reduction/mistakes.hpp"

namespace reduction {

namespace {

using problems::Result;

// Up to here every case costs little, so that there are many of them.
constexpr std::uint64_t short_length = 1 << 11;
constexpr std::uint64_t medium_length = 1 << 18;

// What the elements of an input are added up in: their own type, or of floats that are added what is known of
// their sum.
template <class Operator>
struct Total {
  typename Operator::value value = Operator::identity();

  void add(typename Operator::value element) { value = Operator::combine(value, element); }
  void add(const Total& other) { value = Operator::combine(value, other.value); }
  typename Operator::value result() const { return value; }
  // So many elements of bytes of 0.
  void add_zeros(std::uint64_t elements) {
    typename Operator::value zero{};
    // What is combined with itself stays as it is, but for sums and products: of 0 these do too.
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(elements, 2); ++i) add(zero);
  }
};
template <>
struct Total<SumFloat> {
  FloatSum value;

  void add(float element) { value.add(element); }
  void add(const Total& other) { value.add(other.value); }
  float result() const { return static_cast<float>(value.sum); }
  void add_zeros(std::uint64_t elements) { value.elements += elements; }
};

template <class Operator>
Total<Operator> total_of(const Result& result) {
  return value_of<Total<Operator>>(result);
}

template <class Operator>
Total<Operator> total_of(const problems::Input& input, std::uint64_t offset, std::uint64_t length) {
  using Value = typename Operator::value;
  constexpr std::uint64_t piece_bytes = 1 << 20;
  Total<Operator> total;
  std::vector<Value> piece;
  const std::uint64_t first = offset * sizeof(Value), last = first + length * sizeof(Value);
  std::uint64_t holes = length;
  for (const problems::Extent& extent : input.extents()) {
    // A hole may begin and end within an element.
    const std::uint64_t begin = std::max(extent.offset / sizeof(Value) * sizeof(Value), first);
    const std::uint64_t end =
        std::min((extent.offset + extent.length + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value), last);
    for (std::uint64_t at = begin; at < end; at += piece.size() * sizeof(Value)) {
      piece.resize(std::min(piece_bytes, end - at) / sizeof(Value));
      input.read(at, {reinterpret_cast<unsigned char*>(piece.data()), piece.size() * sizeof(Value)});
      for (const Value& value : piece) total.add(value);
      holes -= piece.size();
    }
  }
  total.add_zeros(holes);
  return total;
}

class ReductionReference final : public problems::Reference {
 public:
  const problems::Problem& problem() const override { return reduction::problem(); }

  Result expected(std::string_view variant, const problems::Input& input, std::uint64_t offset,
                  std::uint64_t length) const override {
    return expected_result(variant, input, offset, length, std::max(std::thread::hardware_concurrency(), 1u));
  }

  Result result_of(std::string_view variant, const problems::Output& output) const override {
    return with_operator(variant, [&](auto op) {
      using Operator = decltype(op);
      Total<Operator> total;
      total.add(value_of<typename Operator::value>(output));
      return bytes_of(total);
    });
  }

  void add(std::string_view variant, Result& sum, const Result& part) const override {
    with_operator(variant, [&](auto op) {
      using Operator = decltype(op);
      Total<Operator> total;
      if (!sum.empty()) total = total_of<Operator>(sum);
      total.add(total_of<Operator>(part));
      sum = bytes_of(total);
    });
  }

  std::optional<facts::Finding> compare(std::string_view variant, const Result& expected,
                                        const problems::Output& output) const override {
    return with_operator(variant, [&](auto op) -> std::optional<facts::Finding> {
      using Operator = decltype(op);
      using Value = typename Operator::value;
      if (output.size() != sizeof(Value)) {
        return facts::Finding{facts::Verdict::protocol,
                              fmt::format("{} bytes came back instead of {}", output.size(), sizeof(Value))};
      }
      const Value got = value_of<Value>(output);
      const Total<Operator> total = total_of<Operator>(expected);
      if constexpr (std::is_same_v<Operator, SumFloat>) {
        if (total.value.allows(got)) return std::nullopt;
        return wrong(fmt::format(
            "expected {}{}, got {}", static_cast<float>(total.value.sum),
            total.value.bound() > 0 ? fmt::format(", at most {:.4g} off", total.value.bound()) : "", got));
      } else {
        if (bytes_of(got) == bytes_of(total.value)) return std::nullopt;
        return wrong(fmt::format("expected {}, got {}", text_of(total.value), text_of(got)));
      }
    });
  }

  std::string agreement(std::string_view variant, const Result& expected,
                        const Result& result) const override {
    const std::string equal = Reference::agreement(variant, expected, result);
    if (expected.empty() || result.empty()) return equal;
    return with_operator(variant, [&](auto op) {
      using Operator = decltype(op);
      if constexpr (std::is_same_v<Operator, SumFloat>) {
        const FloatSum sum = total_of<Operator>(expected).value;
        if (!std::isfinite(sum.sum) || sum.bound() == 0) return equal;
        if (sum.may_overflow())
          return std::string("not compared: added in some orders, these numbers leave the range of a float");
        return fmt::format("{:.4g} off {}, within the bound of {:.4g} for rounding in any order",
                           std::abs(total_of<Operator>(result).value.sum - sum.sum), problem().answer_words(),
                           sum.bound());
      } else {
        return equal;
      }
    });
  }

  std::vector<problems::Case> cases(std::uint64_t length, unsigned rotation) const override {
    std::vector<problems::Case> cases;
    const auto add = [&](std::string_view operation, std::string_view input) {
      const unsigned misalignment = static_cast<unsigned>(7 * cases.size() + rotation) % 16;
      cases.push_back({std::string(operation), std::string(input), length, misalignment});
    };
    if (length >= reduction::huge_length) {
      for (const std::string_view operation : {"sum", "maximum"}) add(operation, "sparse");
    } else if (length > medium_length) {
      // What costs most is run once, as the technique is judged, so that one run serves both. Other
      // operators, inputs and alignments have had their turn with what is shorter.
      cases.push_back({"sum", "uniform", length});
    } else if (length > short_length && std::has_single_bit(length)) {
      // What is wrong at multiples alone is so whatever the values are, and with data that begin aligned.
      for (const problems::Variant& variant : problem().variants()) {
        if (length < medium_length || variant.name == "sum")
          cases.push_back({std::string(variant.name), "uniform", length});
      }
    } else {
      for (const problems::Variant& variant : problem().variants()) {
        if (length <= 1) {
          add(variant.name, "uniform");
          continue;
        }
        add(variant.name, "uniform");
        add(variant.name, "needle");
        if (length > short_length) continue;
        add(variant.name, "same");
        add(variant.name, rotation % 2 == 0 ? "ascending" : "descending");
        add(variant.name, "special");
      }
    }
    return cases;
  }

  std::vector<problems::Case> drawn_cases(std::uint64_t seed) const override {
    // Between the fixed lengths; the longer ones once.
    static constexpr problems::DrawnLengths lengths[] = {
        {2, 30, 2}, {34, 999, 3}, {1001, 4098, 2}, {4100, 16390, 1}, {16392, 20000, 1}};
    return problems::draw_cases(problem(), lengths, seed);
  }

  std::uint64_t huge_length() const override { return reduction::huge_length; }

  std::optional<problems::Diagnosis> diagnose(const problems::FailedCase& failed,
                                              problems::Reruns& reruns) const override {
    return reduction::diagnose(failed, reruns);
  }

  std::vector<std::string_view> rules() const override { return technique_rules(); }
  std::uint64_t technique_length() const override { return reduction::technique_length; }
  std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                          std::uint64_t length,
                                                          const problems::RunCase& run) const override {
    return reduction::technique_fault(rules, length, run);
  }

  std::span<const problems::Peer> peers() const override {
    using facts::Backend;
    static const std::vector<problems::Peer> all{
        {"all_threads", "CPU, all threads", Backend::cpu, true},
        {"cub", "CUB", Backend::gpu, true},
        {"read", "reading alone", Backend::gpu, false, true},
    };
    return all;
  }
  // What an element is makes no difference to the time.
  std::vector<std::string> ladder_inputs() const override { return {"uniform"}; }

  // Equal elements do not get into each other's way.
  std::vector<std::uint64_t> contention_levels(std::string_view) const override { return {}; }
  std::unique_ptr<problems::Input> contended_input(std::string_view variant, std::uint64_t,
                                                   std::uint64_t length, std::uint64_t seed) const override {
    return make_input("uniform", variant, length, seed);
  }
  std::string contention_text(std::uint64_t) const override { return {}; }
  std::string_view contention_unit() const override { return {}; }

  void write(nlohmann::ordered_json& document, std::string_view variant, const Result& result,
             const problems::Output& parts) const override {
    with_operator(variant, [&](auto op) {
      using Operator = decltype(op);
      document["result"] =
          result.empty() ? nlohmann::ordered_json() : json_of(total_of<Operator>(result).result());
      document["partials"] = nlohmann::ordered_json::array();
      for (const auto& value : problems::values_of<typename Operator::value>(parts))
        document["partials"].push_back(json_of(value));
    });
  }

  std::vector<problems::Bar> bars(std::string_view variant, const Result&, const problems::Output& parts,
                                  std::string_view) const override {
    return with_operator(variant, [&](auto op) { return bars_of<decltype(op)>(parts); });
  }
  std::string result_text(std::string_view variant, const Result& result) const override {
    return with_operator(variant, [&](auto op) {
      return fmt::format("result: {}", text_of(total_of<decltype(op)>(result).result()));
    });
  }
  std::string_view bar_word() const override { return "block"; }
  std::array<problems::TourFigure, 2> tour_figures() const override {
    return {{{"sectors", "global_load_sectors", "global_load_requests"},
             {"lanes", "thread_steps", "warp_steps"}}};
  }
  std::string_view tour_legend() const override {
    return "sectors: of 32 bytes, that a load of a warp fetches; lanes: of 32, that are active in a step of "
           "a warp";
  }
  std::span<const problems::CountedColumn> counted_columns() const override {
    static constexpr std::array<problems::CountedColumn, 6> all{
        {{"global_load_requests", "load requests", "load req.", true},
         {"global_load_sectors", "sectors", "sectors", true},
         {"shared_load_requests", "shared loads", "shared ld."},
         {"shared_load_wavefronts", "wavefronts", ""},
         {"barriers", "barriers", "barriers", true},
         {"lane_efficiency", "lane efficiency", "lanes", true}}};
    return all;
  }
  std::string_view counted_legend() const override {
    return "load req., sectors: of global memory; shared ld.: loads of warps from shared memory; lanes: of "
           "32, active in a step of a warp";
  }
  problems::CountedPlot ladder_plot() const override {
    return {"warp steps per byte",
            {{"", "warp_steps", ""}},
            "Further left is less work: steps that the warps take, whether one lane is active or all."};
  }
  problems::CountedPlot sweep_plot() const override {
    return {"warp steps per byte",
            {{"", "warp_steps", ""}},
            "Lower is better: steps that the warps take for a byte of the input, whether one lane is active "
            "or all."};
  }

  std::map<std::string, double> figures(std::string_view, const Result&) const override { return {}; }
  std::optional<problems::LostUpdates> lost_updates(std::string_view, const Result&,
                                                    const Result&) const override {
    return std::nullopt;
  }

 private:
  static facts::Finding wrong(std::string message) {
    return {facts::Verdict::wrong_answer, std::move(message)};
  }

  // A bar for each block, or where there are many for several together, as long as what they left is large.
  template <class Operator>
  static std::vector<problems::Bar> bars_of(const problems::Output& parts) {
    constexpr std::size_t most_bars = 16;
    constexpr double longest = 1 << 30;
    const auto values = problems::values_of<typename Operator::value>(parts);
    const std::size_t each = (values.size() + most_bars - 1) / most_bars;
    std::vector<problems::Bar> all;
    std::vector<double> sizes;
    for (std::size_t first = 0; first < values.size(); first += each) {
      const std::size_t end = std::min(first + each, values.size());
      auto value = Operator::identity();
      for (std::size_t i = first; i < end; ++i) value = Operator::combine(value, values[i]);
      all.push_back(
          {end == first + 1 ? fmt::format("block {}", first) : fmt::format("blocks {} to {}", first, end - 1),
           0, text_of(value)});
      sizes.push_back(size_of(value));
    }
    const double largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
    for (std::size_t i = 0; i < all.size() && largest > 0; ++i)
      all[i].value = static_cast<std::uint64_t>(sizes[i] / largest * longest);
    return all;
  }

  static double size_of(unsigned value) { return value; }
  static double size_of(float value) {
    return std::isfinite(value) ? std::abs(static_cast<double>(value)) : 0;
  }
  static double size_of(const Point& value) {
    const double squared = Farthest::distance(value);
    return std::isfinite(squared) ? std::sqrt(squared) : 0;
  }

  static nlohmann::ordered_json json_of(unsigned value) { return value; }
  // JSON knows neither infinities nor NaN.
  static nlohmann::ordered_json json_of(float value) {
    if (!std::isfinite(value)) return text_of(value);
    return value;
  }
  static nlohmann::ordered_json json_of(const Point& value) {
    return {
        {"x", json_of(value.x)}, {"y", json_of(value.y)}, {"z", json_of(value.z)}, {"index", value.index}};
  }
};

}  // namespace

void FloatSum::add(float element) {
  ++elements;
  sum += static_cast<double>(element);
  magnitudes += std::abs(static_cast<double>(element));
  if (element == 0 || !std::isfinite(element)) return;
  // The lowest bit that is set says how fine the element is.
  const auto bits = std::bit_cast<std::uint32_t>(element);
  const std::uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
  const std::uint32_t mantissa = exponent > 0 ? fraction | 1u << 23 : fraction;
  lowest_bit = std::min(lowest_bit, std::int64_t{std::max(exponent, 1u)} - 150 + std::countr_zero(mantissa));
}

void FloatSum::add(const FloatSum& other) {
  sum += other.sum;
  magnitudes += other.magnitudes;
  elements += other.elements;
  lowest_bit = std::min(lowest_bit, other.lowest_bit);
}

bool FloatSum::is_exact() const {
  return magnitudes == 0 ||
         (std::isfinite(magnitudes) && magnitudes <= std::ldexp(1.0, static_cast<int>(24 + lowest_bit)));
}

double FloatSum::bound() const {
  if (is_exact() || elements < 2) return 0;
  constexpr std::uint64_t most_additions = 1 << 20;
  const double roundings = static_cast<double>(std::min(elements - 1, most_additions)) * std::ldexp(1.0, -24);
  return roundings / (1 - roundings) * magnitudes;
}

bool FloatSum::allows(float got) const {
  if (std::isnan(sum)) return std::isnan(got);
  if (std::isinf(sum)) return static_cast<double>(got) == sum;
  return may_overflow() || std::abs(static_cast<double>(got) - sum) <= bound();
}

bool FloatSum::may_overflow() const {
  return magnitudes + bound() > static_cast<double>(std::numeric_limits<float>::max());
}

Result expected_result(std::string_view operation, const problems::Input& input, std::uint64_t offset,
                       std::uint64_t length, unsigned threads) {
  return with_operator(operation, [&](auto op) {
    using Operator = decltype(op);
    constexpr std::uint64_t worth_a_thread = 1 << 18;
    const std::uint64_t parts = std::clamp<std::uint64_t>(length / worth_a_thread, 1, threads);
    if (parts == 1) return bytes_of(total_of<Operator>(input, offset, length));
    std::vector<Total<Operator>> totals(parts);
    std::vector<std::exception_ptr> errors(parts);
    std::vector<std::thread> running;
    for (std::uint64_t part = 0; part < parts; ++part) {
      running.emplace_back([&, part] {
        const std::uint64_t begin = length / parts * part,
                            end = part + 1 == parts ? length : begin + length / parts;
        try {
          totals[part] = total_of<Operator>(input, offset + begin, end - begin);
        } catch (...) {
          errors[part] = std::current_exception();
        }
      });
    }
    for (std::thread& thread : running) thread.join();
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
    for (std::uint64_t part = 1; part < parts; ++part) totals.front().add(totals[part]);
    return bytes_of(totals.front());
  });
}

const problems::Reference& reference() {
  static const ReductionReference the_reference;
  return the_reference;
}

}  // namespace reduction
