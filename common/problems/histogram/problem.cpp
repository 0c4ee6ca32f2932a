// SPDX-License-Identifier: MIT
#include "problems/histogram/problem.hpp"

#include <fmt/core.h>

#include <cstring>

#include "problems/grey_image.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/unit/exercise.hpp"

namespace histogram {

namespace {

template <class Binning>
constexpr BinningInfo info_of() {
  return {Binning::name, Binning::bins, &Binning::bin_of};
}

std::string byte_label(int byte) {
  return byte > ' ' && byte < 0x7f ? std::string(1, static_cast<char>(byte)) : fmt::format("0x{:02x}", byte);
}

class HistogramProblem final : public problems::Problem {
 public:
  std::string_view name() const override { return "histogram"; }
  std::string_view title() const override { return "The parallel histogram"; }
  std::string_view variant_option() const override { return "binning"; }

  std::span<const problems::Variant> variants() const override {
    static const std::vector<problems::Variant> all = [] {
      std::vector<problems::Variant> result;
      for (const BinningInfo& binning : binnings()) {
        result.push_back({binning.name, 1});
      }
      return result;
    }();
    return all;
  }

  // All grey levels of an image.
  std::string_view usual_variant(std::string_view input) const override {
    return problems::is_grey_image(input) ? info_of<Bytes>().name : variants().front().name;
  }

  std::string_view elements() const override { return "bytes"; }
  std::span<const problems::NamedInput> inputs() const override { return named_inputs(); }
  std::string_view usual_input() const override { return "text"; }

  std::unique_ptr<problems::Input> make_input(std::string_view name, std::string_view, std::uint64_t length,
                                              std::uint64_t seed) const override {
    return histogram::make_input(name, length, seed);
  }

  std::optional<std::uint64_t> natural_length(std::string_view input) const override {
    return input == "phrase" ? std::optional<std::uint64_t>(phrase().size()) : std::nullopt;
  }

  std::span<const problems::Callee> entry(bool launched) const override {
    static constexpr std::array<problems::Callee, 1> function{
        {{"histogram_sequential",
          "template <class Binning>\n  void histogram_sequential(const unsigned char* data, std::size_t "
          "length, unsigned int* histo)"}}};
    static constexpr std::array<problems::Callee, 2> kernel{
        {{"histogram_kernel",
          "template <class Binning>\n  __global__ void histogram_kernel(const unsigned char* data, "
          "std::size_t length, unsigned int* histo)"},
         {"launch_shape", "LaunchShape launch_shape(std::size_t length)"}}};
    return launched ? std::span<const problems::Callee>(kernel) : std::span<const problems::Callee>(function);
  }

  std::string_view time_words() const override { return "zeroing the histogram not counted"; }
  std::string_view answer_words() const override { return "the CPU's count"; }
  std::string_view tour_time_words() const override { return "zeroing the histogram is not counted"; }

  std::string lines(std::string_view variant, const problems::Output& output) const override {
    const BinningInfo binning = find_binning(variant).value();
    const std::vector<Counter> counts = counts_of(output);
    std::string text;
    for (int bin = 0; bin < binning.bins; ++bin) {
      text += fmt::format("{:>5} {:>12}\n", binning.label(bin), counts[static_cast<std::size_t>(bin)]);
    }
    return text;
  }
};

}  // namespace

std::string BinningInfo::label(int bin) const {
  int first = -1, last = -1;
  for (int byte = 0; byte < 256; ++byte) {
    if (bin_of(static_cast<unsigned char>(byte)) != bin) continue;
    if (first < 0) first = byte;
    last = byte;
  }
  if (first < 0) return "-";
  return first == last ? byte_label(first) : byte_label(first) + "-" + byte_label(last);
}

std::vector<unsigned int> counts_of(std::span<const unsigned char> output) {
  std::vector<unsigned int> counts(output.size() / sizeof(unsigned int));
  std::memcpy(counts.data(), output.data(), counts.size() * sizeof(unsigned int));
  return counts;
}

const std::array<BinningInfo, 3>& binnings() {
  static constexpr std::array<BinningInfo, 3> all{info_of<Letters4>(), info_of<Letters>(), info_of<Bytes>()};
  return all;
}

std::optional<BinningInfo> find_binning(std::string_view name) {
  for (const BinningInfo& binning : binnings()) {
    if (binning.name == name) return binning;
  }
  return std::nullopt;
}

const problems::Problem& problem() {
  static const HistogramProblem the_problem;
  return the_problem;
}

}  // namespace histogram
