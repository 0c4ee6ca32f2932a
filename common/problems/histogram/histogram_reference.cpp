// SPDX-License-Identifier: MIT
#include "problems/histogram/histogram_reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <numeric>

#include "facts/words.hpp"
#include "problems/grey_image.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/mistakes.hpp"
#include "problems/histogram/unit/binning.hpp"

namespace histogram {

namespace {

// All 256 byte values are counted first and sorted into bins afterwards, so that the count itself knows
// nothing of binnings. Neighbouring equal bytes would make each increment wait for the one before (the
// counter is loaded again right after it was stored); four tables taken in turn break that chain.
constexpr std::size_t tables = 4;

// Longest stretch that cannot overflow a 32-bit counter.
constexpr std::size_t stretch_bytes = std::size_t{1} << 30;

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

  Result result_of(std::string_view, const problems::Output& output) const override {
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
                                        const problems::Output& output) const override {
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
      // What costs most is run once, as the technique is judged, so that one run serves both, and once more
      // with equal bytes where threads take several: small counters overflow then. Other binnings, inputs and
      // alignments have had their turn with what is shorter.
      cases.push_back({"letters4", "letters", length});
      cases.push_back({"letters4", "same", length});
    } else if (length > short_length && std::has_single_bit(length)) {
      // What is wrong at multiples alone is so whatever the bytes are, and with data that begin aligned.
      for (const BinningInfo& binning : binnings()) {
        if (length < medium_length || binning.name == Letters4::name)
          cases.push_back({std::string(binning.name), "letters", length});
      }
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

  std::vector<problems::Case> drawn_cases(std::uint64_t seed) const override {
    // Between the fixed lengths; the longer ones once.
    static constexpr problems::DrawnLengths lengths[] = {
        {2, 30, 2}, {34, 999, 2}, {1001, 4098, 2}, {4100, 16390, 1}, {16392, 20000, 1}};
    return problems::draw_cases(problem(), lengths, seed);
  }

  std::uint64_t huge_length() const override { return histogram::huge_length; }

  std::optional<Diagnosis> diagnose(const problems::FailedCase& failed,
                                    problems::Reruns& reruns) const override {
    return histogram::diagnose(gather_evidence(failed, reruns));
  }

  std::string_view variant_for_zeros() const override { return Bytes::name; }
  std::uint64_t counted_zeros(const problems::Output& output) const override {
    return counts_of(output).at(static_cast<std::size_t>(Bytes::bin_of(0)));
  }

  std::vector<std::string_view> rules() const override { return technique_rules(); }
  std::uint64_t technique_length() const override { return histogram::technique_length; }
  std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                          std::uint64_t length,
                                                          const problems::RunCase& run) const override {
    return histogram::technique_fault(rules, length, run);
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

  // Each shows another thing: uniform letters and bytes, a text, the most contention there is, and long runs,
  // where aggregation has its chance.
  std::vector<std::string> ladder_inputs() const override {
    return {"letters", "bytes", "text", "same", "runs"};
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

  void write(nlohmann::ordered_json& document, std::string_view, const Result& result,
             const problems::Output&) const override {
    document["bins"] = bins_of(result);
  }

  std::vector<problems::Bar> bars(std::string_view variant, const Result& result, const problems::Output&,
                                  std::string_view input) const override {
    const BinningInfo binning = binning_of(variant);
    // A pixel's byte is its brightness and no letter.
    const bool are_grey_levels = variant == Bytes::name && problems::is_grey_image(input);
    std::vector<problems::Bar> all;
    for (const std::uint64_t count : bins_of(result)) {
      const int bin = static_cast<int>(all.size());
      all.push_back({are_grey_levels ? std::to_string(bin) : binning.label(bin), count});
    }
    return all;
  }
  std::string result_text(std::string_view, const Result&) const override { return {}; }
  std::string_view bar_word() const override { return "bin"; }
  std::array<problems::TourFigure, 2> tour_figures() const override {
    return {{{"shared", "shared_atomics", ""}, {"global", "global_atomics", ""}}};
  }
  std::string_view tour_legend() const override {
    return "shared, global: atomics per byte on each kind of memory";
  }
  std::span<const problems::CountedColumn> counted_columns() const override {
    static constexpr std::array<problems::CountedColumn, 7> all{
        {{"global_load_requests", "load requests", "load req.", true},
         {"global_load_sectors", "sectors", "sectors", true},
         {"global_atomics", "global atomics", "global at.", true},
         {"shared_atomics", "shared atomics", "shared at."},
         {"shared_atomic_wavefronts", "wavefronts", "wavefronts", true},
         {"barriers", "barriers", ""},
         {"lane_efficiency", "lane efficiency", ""}}};
    return all;
  }
  std::string_view counted_legend() const override {
    return "load req., sectors: of global memory; at.: atomics, one per lane; wavefronts: of shared atomics";
  }
  problems::CountedPlot ladder_plot() const override {
    return {"atomics per byte",
            {{"on global memory", "global_atomics", ""}, {"on shared memory", "shared_atomics", ""}},
            "Further left are fewer atomics, each thread's counted; those on global memory cost the most."};
  }
  problems::CountedPlot sweep_plot() const override {
    return {"global atomics per byte",
            {{"", "global_atomics", ""}},
            "Lower is better: global atomics are what blocks pay to add their counts up."};
  }

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

void ByteCounts::add(std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const std::span<const unsigned char> stretch = bytes.first(std::min(bytes.size(), stretch_bytes));
    bytes = bytes.subspan(stretch.size());
    std::array<std::array<std::uint32_t, 256>, tables> counts{};
    std::size_t i = 0;
    for (; i + tables <= stretch.size(); i += tables) {
      ++counts[0][stretch[i]];
      ++counts[1][stretch[i + 1]];
      ++counts[2][stretch[i + 2]];
      ++counts[3][stretch[i + 3]];
    }
    for (; i < stretch.size(); ++i) ++counts[0][stretch[i]];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (const auto& table : counts) counts_[byte] += table[byte];
    }
  }
}

std::vector<std::uint64_t> ByteCounts::bins(const BinningInfo& binning) const {
  std::vector<std::uint64_t> result(static_cast<std::size_t>(binning.bins));
  for (int byte = 0; byte < 256; ++byte) {
    const int bin = binning.bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) result[static_cast<std::size_t>(bin)] += counts_[static_cast<std::size_t>(byte)];
  }
  return result;
}

std::vector<std::uint64_t> expected_bins(const problems::Input& input, const BinningInfo& binning,
                                         std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t piece_bytes = 1 << 20;
  ByteCounts counts;
  std::vector<unsigned char> piece;
  std::uint64_t holes = length;
  for (const problems::Extent& extent : input.extents()) {
    const std::uint64_t end = std::min(extent.offset + extent.length, offset + length);
    for (std::uint64_t at = std::max(extent.offset, offset); at < end; at += piece.size()) {
      piece.resize(std::min(piece_bytes, end - at));
      input.read(at, piece);
      counts.add(piece);
      holes -= piece.size();
    }
  }
  counts.add(0, holes);
  return counts.bins(binning);
}

std::optional<facts::Finding> compare_bins(const BinningInfo& binning,
                                           const std::vector<std::uint64_t>& expected,
                                           const std::vector<unsigned int>& got) {
  constexpr std::size_t shown_bins = 5;
  if (got.size() != expected.size()) {
    return facts::Finding{facts::Verdict::protocol,
                          fmt::format("{} bins came back instead of {}", got.size(), expected.size())};
  }
  std::size_t different = 0;
  std::string lines;
  for (std::size_t bin = 0; bin < expected.size(); ++bin) {
    if (expected[bin] == got[bin] || ++different > shown_bins) continue;
    lines += fmt::format("\n  bin {} ({}): expected {}, got {}", bin, binning.label(static_cast<int>(bin)),
                         facts::separated(expected[bin]), facts::separated(got[bin]));
  }
  if (different == 0) return std::nullopt;
  if (different > shown_bins) lines += fmt::format("\n  and {} more", different - shown_bins);
  return facts::Finding{
      facts::Verdict::wrong_answer,
      fmt::format("{} of {} bins {}", different, expected.size(), different == 1 ? "differs" : "differ") +
          lines};
}

const problems::Reference& reference() {
  static const HistogramReference the_reference;
  return the_reference;
}

}  // namespace histogram
