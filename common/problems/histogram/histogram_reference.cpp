// SPDX-License-Identifier: MIT
#include "problems/histogram/histogram_reference.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "problems/histogram/generators.hpp"
#include "problems/histogram/mistakes.hpp"
#include "problems/histogram/problem.hpp"
#include "problems/histogram/technique.hpp"

namespace histogram {

namespace {

using problems::Result;
using Counts = std::vector<std::uint64_t>;

// Up to here every case costs little, so that there are many of them.
constexpr std::uint64_t short_length = 1 << 13;
constexpr std::uint64_t medium_length = 1 << 18;

BinningInfo binning_of(std::string_view variant) { return find_binning(variant).value(); }

Result packed(const Counts& bins) { return problems::bytes_of<std::uint64_t>(bins); }
Counts bins_of(const Result& result) { return problems::values_of<std::uint64_t>(result); }

std::uint64_t total(const Counts& bins) {
  return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
}

// One byte for each of the first so many bins.
std::vector<unsigned char> bytes_of_bins(const BinningInfo& binning, std::uint64_t bins) {
  std::vector<unsigned char> bytes;
  for (int bin = 0; bin < static_cast<int>(bins); ++bin) {
    int byte = 0;
    while (binning.bin_of(static_cast<unsigned char>(byte)) != bin) ++byte;
    bytes.push_back(static_cast<unsigned char>(byte));
  }
  return bytes;
}

class HistogramReference final : public problems::Reference {
 public:
  const problems::Problem& problem() const override { return histogram::problem(); }

  Result expected(std::string_view variant, const problems::Input& input, std::uint64_t offset,
                  std::uint64_t length) const override {
    return packed(expected_bins(input, binning_of(variant), offset, length));
  }

  Result result_of(std::string_view, const facts::Output& output) const override {
    const std::vector<unsigned int> counts = counts_of(output);
    return packed({counts.begin(), counts.end()});
  }

  void add(std::string_view, Result& sum, const Result& part) const override {
    Counts bins = bins_of(sum);
    const Counts more = bins_of(part);
    bins.resize(more.size());
    for (std::size_t bin = 0; bin < more.size(); ++bin) bins[bin] += more[bin];
    sum = packed(bins);
  }

  std::optional<facts::Finding> compare(std::string_view variant, const Result& expected,
                                        const facts::Output& output) const override {
    return compare_bins(binning_of(variant), bins_of(expected), counts_of(output));
  }

  std::vector<problems::Case> cases(std::uint64_t length, unsigned rotation) const override {
    std::vector<problems::Case> cases;
    const auto add = [&](std::string_view binning, std::string_view input) {
      // Alignments 0 to 15, each of them sooner or later.
      const unsigned misalignment = static_cast<unsigned>(7 * cases.size() + rotation) % 16;
      cases.push_back({std::string(binning), std::string(input), length, misalignment});
    };
    if (length >= histogram::huge_length) {
      for (const BinningInfo& binning : binnings()) add(binning.name, "sparse");
    } else if (length > medium_length) {
      // What costs most is run once: with counts that 16 bits do not hold, and as the technique is judged, so
      // that one run serves both. Other binnings, inputs and alignments have had their turn with what is
      // shorter.
      cases.push_back({"letters4", "letters", length});
    } else {
      for (const BinningInfo& binning : binnings()) {
        for (const NamedInput& input : named_inputs()) {
          const bool for_short = input.name == "letters" || input.name == "bytes" || input.name == "same";
          if (length > short_length ? input.name != "sparse" : for_short) add(binning.name, input.name);
        }
      }
    }
    return cases;
  }

  std::uint64_t huge_length() const override { return histogram::huge_length; }

  std::optional<Diagnosis> diagnose(const problems::FailedCase& failed,
                                    problems::Reruns& reruns) const override {
    return histogram::diagnose(gather_evidence(failed, reruns));
  }

  std::vector<std::string_view> rules() const override { return technique_rules(); }
  std::uint64_t technique_length() const override { return histogram::technique_length; }
  std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                          const problems::RunCase& run) const override {
    return histogram::technique_fault(rules, run);
  }

  std::span<const problems::Peer> peers() const override {
    using facts::Backend;
    static const std::vector<problems::Peer> all{
        {"all_threads", "CPU, all threads", Backend::cpu, true},
        {"cub", "CUB", Backend::gpu, true},
        {"read", "reading alone", Backend::gpu, false, true},
        {"copy", "copying", Backend::gpu, false},
    };
    return all;
  }

  std::vector<std::uint64_t> contention_levels(std::string_view variant) const override {
    const auto bins = static_cast<std::uint64_t>(binning_of(variant).bins);
    std::vector<std::uint64_t> levels;
    for (std::uint64_t level = 1; level < bins; level *= 2) levels.push_back(level);
    levels.push_back(bins);
    return levels;
  }

  std::unique_ptr<problems::Input> contended_input(std::string_view variant, std::uint64_t level,
                                                   std::uint64_t length, std::uint64_t seed) const override {
    return make_uniform(bytes_of_bins(binning_of(variant), level), length, seed);
  }

  std::string contention_text(std::uint64_t level) const override {
    return fmt::format("uniform over {} bins", level);
  }
  std::string_view contention_unit() const override { return "bins in use"; }

  void write(nlohmann::ordered_json& document, std::string_view, const Result& result) const override {
    document["bins"] = bins_of(result);
  }

  std::vector<problems::Bar> bars(std::string_view variant, const Result& result) const override {
    const BinningInfo binning = binning_of(variant);
    std::vector<problems::Bar> all;
    for (const std::uint64_t count : bins_of(result)) {
      all.push_back({binning.label(static_cast<int>(all.size())), count});
    }
    return all;
  }
  std::string_view bar_word() const override { return "bin"; }

  std::map<std::string, double> figures(std::string_view, const Result& result) const override {
    return {{"counted", static_cast<double>(total(bins_of(result)))}};
  }

  std::optional<problems::LostUpdates> lost_updates(std::string_view, const Result& expected,
                                                    const Result& result) const override {
    const Counts wanted = bins_of(expected), got = bins_of(result);
    if (got.empty() || got.size() != wanted.size()) return std::nullopt;
    problems::LostUpdates updates{total(wanted), 0};
    for (std::size_t bin = 0; bin < got.size(); ++bin) {
      if (got[bin] < wanted[bin]) updates.lost += wanted[bin] - got[bin];
    }
    return updates;
  }
};

}  // namespace

const problems::Reference& reference() {
  static const HistogramReference the_reference;
  return the_reference;
}

}  // namespace histogram
