// SPDX-License-Identifier: MIT
#include "problems/reduction/problem.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "problems/reduction/generators.hpp"

namespace reduction {

namespace {

template <class Operator>
constexpr problems::Variant variant_of() {
  return {Operator::name, sizeof(typename Operator::value)};
}

class ReductionProblem final : public problems::Problem {
 public:
  std::string_view name() const override { return "reduction"; }
  std::string_view title() const override { return "The parallel reduction"; }
  std::string_view variant_option() const override { return "operator"; }

  std::span<const problems::Variant> variants() const override {
    static constexpr std::array<problems::Variant, 8> all{
        variant_of<Sum>(),          variant_of<Maximum>(),  variant_of<Minimum>(),
        variant_of<Product>(),      variant_of<SumFloat>(), variant_of<MaximumFloat>(),
        variant_of<MinimumFloat>(), variant_of<Farthest>()};
    return all;
  }

  std::string_view usual_variant(std::string_view) const override { return variants().front().name; }
  std::string_view elements() const override { return "elements"; }
  std::span<const problems::NamedInput> inputs() const override { return named_inputs(); }
  std::string_view usual_input() const override { return "uniform"; }

  std::unique_ptr<problems::Input> make_input(std::string_view name, std::string_view variant,
                                              std::uint64_t length, std::uint64_t seed) const override {
    return reduction::make_input(name, variant, length, seed);
  }

  std::optional<std::uint64_t> natural_length(std::string_view) const override { return std::nullopt; }

  std::span<const problems::Callee> entry(bool) const override {
    static constexpr std::array<problems::Callee, 2> kernel{
        {{"reduction_kernel",
          "template <class Operator>\n  __global__ void reduction_kernel(const typename Operator::value* "
          "data, "
          "std::size_t length, typename Operator::value* partials)"},
         {"launch_shape", "LaunchShape launch_shape(std::size_t length)"}}};
    return kernel;
  }

  std::string_view time_words() const override { return "all launches together"; }
  std::string_view answer_words() const override { return "the CPU's result"; }
  std::string_view tour_time_words() const override { return "all launches together"; }

  std::string lines(std::string_view variant, const problems::Output& output) const override {
    return with_operator(variant, [&](auto op) {
      return fmt::format("{}\n", text_of(value_of<typename decltype(op)::value>(output)));
    });
  }
};

}  // namespace

std::string text_of(unsigned value) { return fmt::format("{}", value); }
std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(const Point& value) {
  return fmt::format("({}, {}, {}), index {}", value.x, value.y, value.z, value.index);
}

const problems::Problem& problem() {
  static const ReductionProblem the_problem;
  return the_problem;
}

}  // namespace reduction
