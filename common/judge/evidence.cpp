// SPDX-License-Identifier: MIT
#include "judge/evidence.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "judge/check.hpp"
#include "judge/samples.hpp"
#include "problems/histogram/input.hpp"

namespace judge {

namespace {

// Every binning counts these, and has other bins for the first two and for what lies around the input
// (data_guard).
constexpr unsigned char repeated_byte = 'k', other_byte = 'y';
constexpr const char* repeated_name = "k";

// With several blocks, and with so many bytes a bin that 8 bits do not hold them.
constexpr std::uint64_t several_blocks = 4099, many_blocks = (1 << 14) + 7;

std::unique_ptr<histogram::Input> copies_of(unsigned char byte, std::uint64_t length) {
  return histogram::hold(std::vector<unsigned char>(length, byte));
}

// All bytes that the binning does not count, in turn; nothing where it counts every byte.
std::unique_ptr<histogram::Input> uncounted_bytes(const histogram::BinningInfo& binning,
                                                  std::uint64_t length) {
  std::vector<unsigned char> bytes;
  for (int byte = 0; byte < 256; ++byte) {
    if (binning.bin_of(static_cast<unsigned char>(byte)) < 0)
      bytes.push_back(static_cast<unsigned char>(byte));
  }
  return bytes.empty() ? nullptr : histogram::repeat(histogram::hold(std::move(bytes)), length);
}

class Gatherer {
 public:
  Gatherer(RunnerSession& session, const RunnerSettings& settings, const CaseResult& failed,
           facts::Backend backend, std::uint64_t seed)
      : session_(session),
        settings_(settings),
        failed_(failed),
        backend_(backend),
        seed_(seed),
        runs_(backend == facts::Backend::gpu ? 3 : 2) {}

  Gathered gathered() {
    const std::uint64_t length = failed_.what.length;
    begin(histogram::find_binning(failed_.what.binning).value());
    const auto input = histogram::make_input(failed_.what.input, length, seed_);
    evidence().failed = sample_of(failed_, *input);
    repeat_failed(*input);
    if (length >= huge_length) return std::move(gathered_);
    try_inputs({length, std::max(length, several_blocks), std::max(length, many_blocks)});
    // Which binning fails first may be chance; the longest cases meet one alone.
    for (const histogram::BinningInfo& binning : histogram::binnings()) {
      if (binning.name == failed_.what.binning || length > many_blocks) continue;
      begin(binning);
      const auto mixed = histogram::make_input("bytes", several_blocks, seed_);
      auto sample = run(session_, "bytes", *mixed, 1);
      if (!sample) break;
      evidence().failed = std::move(*sample);
      try_inputs({std::max(length, several_blocks)});
    }
    return std::move(gathered_);
  }

 private:
  Evidence& evidence() { return gathered_.evidence.back(); }
  const histogram::BinningInfo& binning() const { return gathered_.evidence.back().binning; }

  void begin(const histogram::BinningInfo& binning) {
    gathered_.evidence.push_back({.binning = binning,
                                  .guarded = backend_ != facts::Backend::sim,
                                  .from_2_31_on = failed_.what.length >= huge_length});
  }

  Sample sample_of(const CaseResult& result, const histogram::Input& input) const {
    return {fmt::format("{} bytes of `{}`", result.what.length, result.what.input), result.what.length,
            expected_bins(input, binning(), 0, result.what.length), result.answer->bins.front()};
  }

  // Runs over an input; nothing if that gave no counts.
  std::optional<Sample> run(RunnerSession& session, const std::string& name, const histogram::Input& input,
                            unsigned times) {
    if (lost_) return std::nullopt;
    const Case what{std::string(binning().name), name, input.length(), failed_.what.misalignment};
    CaseResult result = judge_case(session, settings_.program, what, input, times);
    const bool counted =
        result.findings.empty() || result.findings.front().verdict == facts::Verdict::wrong_answer;
    if (!counted || result.left_out) {
      lost_ = !result.answer || result.answer->failure;
      std::erase_if(result.findings,
                    [](const facts::Finding& f) { return f.verdict == facts::Verdict::wrong_answer; });
      gathered_.troubled.push_back(std::move(result));
      return std::nullopt;
    }
    Sample sample = sample_of(result, input);
    for (const auto& other : result.answer->bins) {
      if (other.size() == sample.got.size() && other != sample.got) sample.others.push_back(other);
    }
    return sample;
  }

  // The failed run again, later in its process and as the first one of two others. A backend that times
  // nothing runs once for a request, so the first result is compared here.
  void repeat_failed(const histogram::Input& input) {
    Sample& failed = evidence().failed;
    if (const auto again = run(session_, failed_.what.input, input, runs_)) {
      failed.others = again->others;
      if (again->got != failed.got) failed.others.push_back(again->got);
    }
    if (failed_.what.length >= huge_length) return;
    for (int i = 0; i < 2; ++i) {
      RunnerSession fresh(settings_);
      if (start_session(fresh)) return;
      if (const auto sample = run(fresh, failed_.what.input, input, 1))
        evidence().fresh.push_back(sample->got);
    }
  }

  void try_inputs(const std::set<std::uint64_t>& lengths) {
    for (const std::uint64_t length : lengths) try_inputs(length);
    try_more_random();
    const std::uint64_t longest = *lengths.rbegin();
    for (const std::uint64_t less : {longest - longest / 5, longest - longest / 9}) {
      if (auto sample = run(session_, repeated_name, *copies_of(repeated_byte, less), 1))
        evidence().repeated_less.push_back(std::move(*sample));
    }
    try_more_mixed(longest);
    // Some twenty runs, worth it where nothing else tells what is wrong.
    if (depends_on_position(evidence()) && !diagnose(evidence())) find_odd_position();
  }

  void try_inputs(std::uint64_t length) {
    try_random(length, seed_, runs_);
    auto repeated = run(session_, repeated_name, *copies_of(repeated_byte, length), 1);
    if (!repeated) return;
    evidence().repeated.push_back(std::move(*repeated));
    if (const auto uncounted = uncounted_bytes(binning(), length))
      evidence().uncounted = run(session_, "uncounted", *uncounted, 1);
  }

  // Further inputs of the longest length that is wrong. Long ones take their time: they are spared where
  // nothing depends on them.
  void try_more_random() {
    const auto& random = evidence().random;
    const auto wrong =
        std::find_if(random.rbegin(), random.rend(), [](const Sample& s) { return s.is_wrong(); });
    if (wrong == random.rend()) return;
    const std::uint64_t length = wrong->length;
    for (std::uint64_t i = 1; i < enough_inputs && (length <= many_blocks || wants_more_inputs(evidence()));
         ++i) {
      try_random(length, seed_ + i, 1);
    }
  }

  // Where counted bytes alone come out right, one input that mixes them with others is all that is known.
  void try_more_mixed(std::uint64_t length) {
    if (length > many_blocks || !evidence().failed.is_wrong() || !wrong_and_counted(evidence()).empty())
      return;
    for (std::uint64_t i = 1; i < enough_inputs; ++i) {
      if (auto sample = run(session_, "bytes", *histogram::make_input("bytes", length, seed_ + i), 1))
        evidence().mixed.push_back(std::move(*sample));
    }
  }

  // Random bytes, all of which the binning counts.
  void try_random(std::uint64_t length, std::uint64_t seed, unsigned runs) {
    const std::string name = uncounted_bytes(binning(), 1) ? "letters" : "bytes";
    const auto input = histogram::make_input(name, length, seed);
    auto sample = run(session_, name, *input, runs);
    if (!sample) return;
    sample->bytes.resize(length);
    input->read(0, sample->bytes);
    evidence().random.push_back(std::move(*sample));
  }

  // Halves the stretch in which the first byte lies that is not counted once: up to `good` all are, up to
  // `bad` not.
  void find_odd_position() {
    const auto& random = evidence().random;
    const Sample& wrong =
        *std::find_if(random.rbegin(), random.rend(), [](const Sample& s) { return s.is_wrong(); });
    const std::uint64_t length = wrong.length;
    const auto bin = static_cast<std::size_t>(binning().bin_of(repeated_byte));
    std::uint64_t good = 0, bad = length;
    while (bad - good > 1) {
      const std::uint64_t half = good + (bad - good) / 2;
      std::vector<unsigned char> bytes(length, other_byte);
      std::fill_n(bytes.begin(), half, repeated_byte);
      const auto sample = run(session_, "k and y", *histogram::hold(std::move(bytes)), 1);
      if (!sample) return;
      (sample->got[bin] == half ? good : bad) = half;
    }
    evidence().odd = OddPosition{length, good, wrong.counted() < wrong.countable()};
  }

  RunnerSession& session_;
  const RunnerSettings& settings_;
  const CaseResult& failed_;
  facts::Backend backend_;
  std::uint64_t seed_;
  unsigned runs_;
  Gathered gathered_;
  bool lost_ = false;  // the runner, or its device
};

}  // namespace

Gathered gather_evidence(RunnerSession& session, const RunnerSettings& settings, const CaseResult& failed,
                         facts::Backend backend, std::uint64_t seed) {
  return Gatherer(session, settings, failed, backend, seed).gathered();
}

}  // namespace judge
