// SPDX-License-Identifier: MIT
#include "problems/histogram/evidence.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "facts/words.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/histogram/mistakes.hpp"

namespace histogram {

bool Sample::is_wrong() const {
  return !std::equal(got.begin(), got.end(), expected.begin(), expected.end());
}
std::uint64_t Sample::countable() const {
  return std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
}
std::uint64_t Sample::counted() const { return std::accumulate(got.begin(), got.end(), std::uint64_t{0}); }

Samples wrong_of(const std::vector<Sample>& samples) {
  Samples wrong;
  for (const Sample& sample : samples) {
    if (sample.is_wrong()) wrong.push_back(&sample);
  }
  return wrong;
}

Samples wrong_and_counted(const Evidence& evidence) {
  const auto only_counted_bytes = [](const Sample& sample) { return sample.countable() == sample.length; };
  Samples wrong = wrong_of(evidence.random);
  const Samples repeated = wrong_of(evidence.repeated);
  wrong.insert(wrong.end(), repeated.begin(), repeated.end());
  if (evidence.failed.is_wrong() && only_counted_bytes(evidence.failed)) wrong.push_back(&evidence.failed);
  return wrong;
}

const Sample& longest(const Samples& samples) {
  return **std::max_element(samples.begin(), samples.end(),
                            [](auto* a, auto* b) { return a->length < b->length; });
}

std::string name_of_bin(const Evidence& evidence, std::size_t bin) {
  return fmt::format("bin {} ({})", bin, evidence.binning.label(static_cast<int>(bin)));
}

namespace {

// Every binning counts these, and has other bins for the first two and for what lies around the input
// (input_guard).
constexpr unsigned char repeated_byte = 'k', other_byte = 'y';
constexpr const char* repeated_name = "k";

// With several blocks, and with so many bytes per bin that 8 bits do not hold them.
constexpr std::uint64_t several_blocks = 4099, many_blocks = (1 << 14) + 7;

std::unique_ptr<Input> copies_of(unsigned char byte, std::uint64_t length) {
  return problems::hold(std::vector<unsigned char>(length, byte));
}

// All bytes that the binning does not count, in turn; null where it counts every byte.
std::unique_ptr<Input> uncounted_bytes(const BinningInfo& binning, std::uint64_t length) {
  std::vector<unsigned char> bytes;
  for (int byte = 0; byte < 256; ++byte) {
    if (binning.bin_of(static_cast<unsigned char>(byte)) < 0)
      bytes.push_back(static_cast<unsigned char>(byte));
  }
  return bytes.empty() ? nullptr : problems::repeat(problems::hold(std::move(bytes)), length);
}

class Gatherer {
 public:
  Gatherer(const problems::FailedCase& failed, problems::Reruns& reruns) : failed_(failed), reruns_(reruns) {}

  std::vector<Evidence> gathered() {
    const std::uint64_t length = failed_.what.length;
    begin(find_binning(failed_.what.variant).value());
    const auto input = make_input(failed_.what.input, length, reruns_.seed());
    evidence().failed = sample_of(failed_.what.input, *input, {failed_.output});
    repeat_failed(*input);
    if (is_huge()) return std::move(gathered_);
    try_inputs({length, std::max(length, several_blocks), std::max(length, many_blocks)});
    // Which binning fails first may be chance; the longest cases meet one alone.
    for (const BinningInfo& binning : binnings()) {
      if (binning.name == failed_.what.variant || length > many_blocks) continue;
      begin(binning);
      auto sample = run("bytes", *make_input("bytes", several_blocks, reruns_.seed()), 1);
      if (!sample) break;
      evidence().failed = std::move(*sample);
      try_inputs(std::max(length, several_blocks));
    }
    return std::move(gathered_);
  }

 private:
  Evidence& evidence() { return gathered_.back(); }
  const BinningInfo& binning() const { return gathered_.back().binning; }
  bool is_huge() const { return failed_.what.length >= huge_length; }

  void begin(const BinningInfo& binning) {
    gathered_.push_back({.binning = binning, .guarded = reruns_.is_guarded(), .from_2_31_on = is_huge()});
  }

  problems::Case case_of(const std::string& name, const Input& input) const {
    return {std::string(binning().name), name, input.length(), failed_.what.misalignment,
            failed_.what.multiprocessors};
  }

  Sample sample_of(const std::string& name, const Input& input,
                   const std::vector<problems::Output>& outputs) const {
    Sample sample{fmt::format("{} of `{}`", facts::counted(input.length(), "bytes"), name), input.length(),
                  expected_bins(input, binning(), 0, input.length()), counts_of(outputs.front())};
    for (std::size_t i = 1; i < outputs.size(); ++i) {
      std::vector<std::uint32_t> other = counts_of(outputs[i]);
      if (other.size() == sample.got.size() && other != sample.got) sample.others.push_back(std::move(other));
    }
    return sample;
  }

  // Runs over an input; nothing if that gave no counts.
  std::optional<Sample> run(const std::string& name, const Input& input, unsigned times) {
    const auto outputs = reruns_.run(case_of(name, input), input, times);
    if (!outputs) return std::nullopt;
    Sample sample = sample_of(name, input, *outputs);
    sample.launch = reruns_.last_launch();
    return sample;
  }

  // The failed run again, later in its process and as the first one of two others. A backend that times
  // nothing runs once for a request, so the first result is compared here.
  void repeat_failed(const Input& input) {
    Sample& failed = evidence().failed;
    if (const auto again = run(failed_.what.input, input, reruns_.usual_times())) {
      failed.others = again->others;
      if (again->got != failed.got) failed.others.push_back(again->got);
    }
    if (is_huge()) return;
    for (int i = 0; i < 2; ++i) {
      if (const auto output = reruns_.run_afresh(case_of(failed_.what.input, input), input)) {
        evidence().fresh.push_back(counts_of(*output));
      }
    }
  }

  void try_inputs(const std::set<std::uint64_t>& lengths) {
    for (const std::uint64_t length : lengths) try_inputs(length);
    try_more_random();
    const std::uint64_t longest = *lengths.rbegin();
    for (const std::uint64_t less : {longest - longest / 5, longest - longest / 9}) {
      if (auto sample = run(repeated_name, *copies_of(repeated_byte, less), 1))
        evidence().repeated_less.push_back(std::move(*sample));
    }
    try_other_repeated(longest);
    try_more_mixed(longest);
    // Some dozens of runs, worth it where positions decide and nothing else tells which.
    if (!depends_on_position(evidence())) return;
    const auto known = diagnose(evidence());
    if (!known || known->name == "double_counting") find_stretches();
  }

  void try_inputs(std::uint64_t length) {
    try_random(length, reruns_.seed(), reruns_.usual_times());
    auto repeated = run(repeated_name, *copies_of(repeated_byte, length), 1);
    if (!repeated) return;
    evidence().repeated.push_back(std::move(*repeated));
    if (const auto uncounted = uncounted_bytes(binning(), length))
      evidence().uncounted = run("uncounted", *uncounted, 1);
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
      try_random(length, reruns_.seed() + i, 1);
    }
  }

  // Where equal bytes alone come out wrong, those of other bins tell whether a count is too large for its
  // counter.
  void try_other_repeated(std::uint64_t length) {
    const Evidence& known = evidence();
    if (known.random.empty() || !wrong_of(known.random).empty() || wrong_of(known.repeated).empty()) return;
    for (const unsigned char byte : {'c', 'g', 'o'}) {
      if (auto sample = run(std::string(1, static_cast<char>(byte)), *copies_of(byte, length), 1))
        evidence().repeated_others.push_back(std::move(*sample));
    }
  }

  // Where counted bytes alone come out right, one input that mixes them with others is all that is known.
  void try_more_mixed(std::uint64_t length) {
    if (length > many_blocks || !evidence().failed.is_wrong() || !wrong_and_counted(evidence()).empty())
      return;
    for (std::uint64_t i = 1; i < enough_inputs; ++i) {
      if (auto sample = run("bytes", *make_input("bytes", length, reruns_.seed() + i), 1))
        evidence().mixed.push_back(std::move(*sample));
    }
  }

  // Random bytes, all of which the binning counts.
  void try_random(std::uint64_t length, std::uint64_t seed, unsigned runs) {
    const std::string name = uncounted_bytes(binning(), 1) ? "letters" : "bytes";
    const auto input = make_input(name, length, seed);
    auto sample = run(name, *input, runs);
    if (!sample) return;
    sample->bytes.resize(length);
    input->read(0, sample->bytes);
    evidence().random.push_back(std::move(*sample));
  }

  // How many of the first `end` bytes are counted, each as often as it is; nothing if the run gave no counts.
  std::optional<std::uint64_t> counted_before(std::uint64_t end, std::uint64_t length) {
    std::vector<unsigned char> bytes(length, other_byte);
    std::fill_n(bytes.begin(), end, repeated_byte);
    const auto sample = run("k and y", *problems::hold(std::move(bytes)), 1);
    if (!sample) return std::nullopt;
    return sample->got[static_cast<std::size_t>(binning().bin_of(repeated_byte))];
  }

  // How often each byte is counted, from the first one on.
  void find_stretches() {
    const auto& random = evidence().random;
    const Sample& wrong =
        *std::find_if(random.rbegin(), random.rend(), [](const Sample& s) { return s.is_wrong(); });
    const std::uint64_t length = wrong.length;
    // Some dozens of runs; fewer over an input that takes long.
    const std::size_t most = length > 8 * many_blocks ? 2 : 5;
    evidence().searched_length = length;
    evidence().stretches = problems::find_stretches(
        length, most, [&](std::uint64_t end) { return counted_before(end, length); });
  }

  const problems::FailedCase& failed_;
  problems::Reruns& reruns_;
  std::vector<Evidence> gathered_;
};

}  // namespace

std::vector<Evidence> gather_evidence(const problems::FailedCase& failed, problems::Reruns& reruns) {
  return Gatherer(failed, reruns).gathered();
}

}  // namespace histogram
