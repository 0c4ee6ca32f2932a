// SPDX-License-Identifier: MIT
// Diagnoses of imagined exercises: a function from bytes to counts, and what it makes of the inputs that
// evidence.cpp takes.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <functional>

#include "facts/words.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/histogram/mistakes.hpp"
#include "problems/histogram/unit/exercise.hpp"
#include "problems/input.hpp"

using histogram::Evidence;
using histogram::Sample;

namespace {

using Bins = std::vector<std::uint32_t>;
using ByteVector = std::vector<unsigned char>;

// Counts the byte at a position into bins.
using Step = std::function<void(const ByteVector& bytes, std::size_t at, Bins& bins)>;

struct Imagined {
  histogram::BinningInfo binning = histogram::find_binning("letters4").value();
  Step step;
  std::function<void(Bins&)> in_the_end = [](Bins&) {};

  Sample sample(const std::string& name, const ByteVector& bytes) const {
    Bins got(static_cast<std::size_t>(binning.bins));
    for (std::size_t at = 0; at < bytes.size(); ++at) step(bytes, at, got);
    in_the_end(got);
    return {facts::counted(bytes.size(), "bytes") + " of `" + name + "`", bytes.size(),
            histogram::expected_bins(*problems::hold(bytes), binning, 0, bytes.size()), got, bytes};
  }

  ByteVector random(std::size_t length, std::uint64_t seed = 5) const {
    ByteVector bytes(length);
    histogram::make_input(binning.bins == 256 ? "bytes" : "letters", length, seed)->read(0, bytes);
    return bytes;
  }

  Sample of_letters(std::size_t length, std::uint64_t seed) const {
    return sample("letters", random(length, seed));
  }

  Evidence evidence(std::vector<std::size_t> lengths = {300, 4099}) const {
    Evidence evidence{.binning = binning, .failed = sample("letters", random(lengths.front()))};
    evidence.fresh = {evidence.failed.got, evidence.failed.got};
    for (const std::size_t length : lengths) {
      evidence.random.push_back(sample("letters", random(length)));
      evidence.repeated.push_back(sample("k", ByteVector(length, 'k')));
    }
    for (std::uint64_t i = 1; i < histogram::enough_inputs; ++i)
      evidence.random.push_back(of_letters(lengths.back(), 5 + i));
    ByteVector other(1000);
    for (std::size_t i = 0; i < other.size(); ++i) other[i] = static_cast<unsigned char>('{' + i % 2);
    if (binning.bins < 256) evidence.uncounted = sample("uncounted", other);
    return evidence;
  }
};

void count(const Imagined& imagined, unsigned char byte, Bins& bins) {
  if (imagined.binning.bin_of(byte) >= 0) ++bins[static_cast<std::size_t>(imagined.binning.bin_of(byte))];
}

// An exercise that counts, but for what `step` does.
Imagined imagined(const std::function<void(const Imagined&, const ByteVector&, std::size_t, Bins&)>& step,
                  const char* binning = "letters4") {
  Imagined result{.binning = histogram::find_binning(binning).value(), .step = {}};
  result.step = [step, binning = result.binning](const ByteVector& bytes, std::size_t at, Bins& bins) {
    step(Imagined{.binning = binning, .step = {}}, bytes, at, bins);
  };
  return result;
}

std::string told(const std::optional<problems::Diagnosis>& diagnosis) {
  return diagnosis ? diagnosis->name + ": " + diagnosis->message : "none";
}
std::string told(const Evidence& evidence) { return told(histogram::diagnose(evidence)); }

const Imagined right =
    imagined([](auto& self, auto& bytes, auto at, auto& bins) { count(self, bytes[at], bins); });

}  // namespace

TEST_CASE("control: of right counts nothing is said") {
  CHECK(told(right.evidence()) == "none");
  CHECK(told(histogram::diagnose(std::vector{right.evidence(), right.evidence()})) == "none");
}

TEST_CASE("nothing_written: all bins stay 0, whatever the length") {
  const auto nothing = imagined([](auto&, auto&, auto, auto&) {});
  CHECK(told(nothing.evidence()) ==
        "nothing_written: `histo` stays 0 in every bin\n  4,099 bytes of `letters`: the bins add up to 0 "
        "instead of 4,099");
  const auto from_1000 = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (at >= 1000) count(self, bytes[at], bins);
  });
  CHECK(told(from_1000.evidence()).find("nothing_written") == std::string::npos);
}

TEST_CASE("not_deterministic: runs that start alike end differently") {
  Evidence evidence = right.evidence();
  evidence.fresh[1][2] += 1;
  CHECK(told(evidence) ==
        "not_deterministic: two runs on the same input give different counts\n  bin 2 (i-l): " +
            std::to_string(evidence.fresh[0][2]) + " in one run, " + std::to_string(evidence.fresh[1][2]) +
            " in another");
  evidence = right.evidence();
  evidence.random[1].others = {evidence.random[1].got};
  evidence.random[1].others[0][0] = 7;
  CHECK(told(evidence).find("not_deterministic: two runs") == 0);
}

TEST_CASE("uncleared_counters: only what ran before in the process makes the difference") {
  Evidence evidence = right.evidence();
  evidence.failed.got[0] += 3;
  const std::string told_of_first =
      "uncleared_counters: the counts depend on what memory held before the launch\n  the same input, bin 0 "
      "(a-d): " +
      std::to_string(evidence.fresh[0][0]) + " in the first launch of a process, ";
  CHECK(told(evidence) == told_of_first + std::to_string(evidence.failed.got[0]) + " in a later one");
  // Also where the failed run was as the first would have been, and its repetition was not.
  evidence = right.evidence();
  evidence.failed.others = {evidence.failed.got};
  evidence.failed.others[0][0] = 0;
  CHECK(told(evidence) == told_of_first + "0 in a later one");
}

TEST_CASE("tail_missed: the counts are those of the first bytes") {
  const auto whole_blocks = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (at < bytes.size() / 256 * 256) count(self, bytes[at], bins);
  });
  CHECK(told(whole_blocks.evidence()) ==
        "tail_missed: the end of the input is missing from the result\n  of 300 bytes only the first 256 are "
        "in it");
  CHECK(told(whole_blocks.evidence({31, 4099})) ==
        "tail_missed: the end of the input is missing from the result\n  of 4,099 bytes only the first 4,096 "
        "are in it");
  const auto without_some = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (at < 256 && at != 100) count(self, bytes[at], bins);
  });
  CHECK(told(without_some.evidence()).find("tail_missed") == std::string::npos);
}

TEST_CASE("tail_missed: what fits one input by chance is told from it by others") {
  // 512 threads go round, and each loses the run that the end of the input cuts off.
  const auto last_runs = imagined(
      [](auto& self, auto& bytes, auto at, auto& bins) {
        std::size_t later = at + 512;
        while (later < bytes.size() && bytes[later] == bytes[at]) later += 512;
        if (later < bytes.size()) count(self, bytes[at], bins);
      },
      "bytes");
  Evidence evidence = last_runs.evidence({4099});
  std::vector<Sample> lucky;
  for (std::uint64_t seed = 0; lucky.size() < histogram::enough_inputs; ++seed) {
    const Sample sample = last_runs.of_letters(4099, seed);
    if (sample.counted() == 4099 - 512) lucky.push_back(sample);
  }
  evidence.random.resize(histogram::enough_inputs - 1);
  evidence.random.push_back(lucky.front());
  CHECK(told(evidence).find("lost_updates: ") == 0);
  evidence.random = {lucky.front()};
  CHECK(told(evidence).find("lost_updates: ") == 0);
  CHECK(histogram::wants_more_inputs(evidence));
  // There is no telling where all of them fit: so unlikely has the number to be.
  evidence.random = lucky;
  CHECK(told(evidence).find("tail_missed: ") == 0);
  CHECK_FALSE(histogram::wants_more_inputs(evidence));
}

TEST_CASE("past_the_end: the letter around the input is counted, where there is one") {
  const auto one_more = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    count(self, bytes[at], bins);
    if (at + 1 == bytes.size()) count(self, histogram::input_guard, bins);
  });
  Evidence evidence = one_more.evidence();
  CHECK(told(evidence).find("double_counting: ") == 0);
  evidence.guarded = true;
  CHECK(told(evidence) ==
        "past_the_end: bytes outside of the input are counted\n  4,099 bytes of `k`: 1 more than these are "
        "counted");
}

TEST_CASE("only_first_bins: from one bin on all are wrong") {
  const auto seven = imagined(
      [](auto& self, auto& bytes, auto at, auto& bins) {
        if (self.binning.bin_of(bytes[at]) < 7) count(self, bytes[at], bins);
      },
      "letters");
  CHECK(told(seven.evidence({4099})) ==
        "only_first_bins: only the first 7 of 26 bins are right\n  4,099 bytes of `letters`: bin 7 (h) and "
        "all behind it stay 0");
  const auto twice = imagined(
      [](auto& self, auto& bytes, auto at, auto& bins) {
        count(self, bytes[at], bins);
        if (self.binning.bin_of(bytes[at]) >= 20) count(self, bytes[at], bins);
      },
      "letters");
  CHECK(told(twice.evidence({4099})) ==
        "only_first_bins: only the first 20 of 26 bins are right\n  4,099 bytes of `letters`: bin 20 (u) and "
        "all behind it are wrong");
  const auto one_bin = imagined(
      [](auto& self, auto& bytes, auto at, auto& bins) {
        if (bytes[at] != 'h') count(self, bytes[at], bins);
      },
      "letters");
  CHECK(told(one_bin.evidence({4099})).find("lost_updates") == 0);
}

TEST_CASE("only_first_bins: what fits one input by chance is told from it by others") {
  const auto of_the_next = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    count(self, at % 16 == 0 && at + 1 < bytes.size() ? bytes[at + 1] : bytes[at], bins);
  });
  const auto spares_the_first = [](const Sample& sample) {
    return sample.got[0] == sample.expected[0] &&
           std::mismatch(sample.got.begin() + 1, sample.got.end(), sample.expected.begin() + 1,
                         std::not_equal_to<>())
                   .first == sample.got.end();
  };
  Evidence evidence = of_the_next.evidence({4099});
  std::vector<Sample> lucky;
  for (std::uint64_t seed = 0; lucky.size() < histogram::enough_inputs; ++seed) {
    const Sample sample = of_the_next.of_letters(4099, seed);
    if (spares_the_first(sample)) lucky.push_back(sample);
  }
  evidence.random = {lucky.front()};
  CHECK(told(evidence).find("wrong_bins: ") == 0);
  CHECK(histogram::wants_more_inputs(evidence));
  evidence.random = lucky;
  CHECK(told(evidence).find("only_first_bins: ") == 0);
  evidence.random.back() = of_the_next.of_letters(4099, 5);
  CHECK(told(evidence).find("wrong_bins: ") == 0);
  CHECK_FALSE(histogram::wants_more_inputs(evidence));
}

TEST_CASE("overflow: counters that share a word run over into the next one") {
  // Four counters of 8 bits in each word of 32.
  auto packed = right;
  packed.in_the_end = [](Bins& bins) {
    std::uint64_t carry = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      const std::uint64_t count = bins[bin] + (bin % 4 == 0 ? 0 : carry);
      bins[bin] = count & 0xff;
      carry = count >> 8;
    }
  };
  const Evidence evidence = packed.evidence();
  CHECK(told(evidence).find("overflow: counters of 8 bits run over into the bin behind them\n  ") == 0);
  // What the next one gets is not what the first has lost.
  auto shifted = right;
  shifted.in_the_end = [](Bins& bins) {
    const std::uint64_t lost = bins[0] & ~std::uint64_t{0xff};
    bins[0] -= lost;
    bins[1] += lost;
  };
  CHECK(told(shifted.evidence()).find("overflow") == std::string::npos);
}

TEST_CASE(
    "overflow: what is missing are multiples of 256 or 65536, or the first wrong length is beyond 2^31" *
    doctest::test_suite("long")) {
  auto bits8 = right;
  bits8.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin &= 0xff;
  };
  const Evidence evidence = bits8.evidence();
  const Sample& shown = evidence.random[1];
  CHECK(told(evidence) ==
        "overflow: every count that differs is too low by a multiple of 256\n  4,099 bytes of `letters`: bin "
        "0 (a-d) has " +
            std::to_string(shown.got[0]) + " instead of " + std::to_string(shown.expected[0]));
  auto bits16 = right;
  bits16.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin &= 0xffff;
  };
  CHECK(told(bits16.evidence({1 << 20}))
            .find("overflow: every count that differs is too low by a multiple of 65536\n") == 0);
  Evidence huge{
      .binning = right.binning, .from_2_31_on = true, .failed = right.sample("sparse", ByteVector(100, 'k'))};
  huge.failed.got[2] = 1;
  CHECK(told(huge) ==
        "overflow: counts are right up to 2^31 bytes, and wrong from there on\n  100 bytes of `sparse`");
  huge.failed.got[2] = 0;
  CHECK(told(huge).find("nothing_written: ") == 0);
}

TEST_CASE("overflow: counters begin anew at any number, if each count is what is left of the right one") {
  auto wrapped = right;
  wrapped.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin %= 100;
  };
  CHECK(
      told(wrapped.evidence()).find("overflow: every count that differs is too low by a multiple of 100\n") ==
      0);
  // Less by multiples of 100, but more than 100 is left.
  auto fewer = right;
  fewer.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin -= bin < 200 ? 0 : 100;
  };
  CHECK(told(fewer.evidence()).find("lost_updates: ") == 0);
}

TEST_CASE("overflow: counts that are taken away from nothing fall below zero") {
  auto down = right;
  down.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin = 0 - bin;
  };
  const Evidence evidence = down.evidence({4099});
  const Sample& shown = evidence.random[0];
  CHECK(told(evidence) ==
        fmt::format(
            "overflow: counts fall below zero\n  4,099 bytes of `letters`: bin 0 (a-d) has {}, which is "
            "-{} as a signed number, instead of {}",
            facts::separated(shown.got[0]), shown.expected[0], facts::separated(shown.expected[0])));
  // What a counter held before it was set is no count.
  auto garbage = right;
  garbage.in_the_end = [](Bins& bins) {
    for (auto& bin : bins) bin += 0xdbdbdbdb;
  };
  CHECK(told(garbage.evidence()).find("double_counting: ") == 0);
}

TEST_CASE("two counts that lack 256, or one that lacks 65536, may be chance") {
  Evidence evidence = right.evidence();
  evidence.repeated[1].got[2] -= 256;
  evidence.repeated[0].got[2] -= 256;
  CHECK(told(evidence) ==
        "lost_updates: the bins add up to less than there is to count\n  4,099 bytes of `k`: the bins add up "
        "to 3,843 instead of 4,099");
  evidence.random[1].got[2] -= 256;
  CHECK(told(evidence).find("overflow: every count that differs is too low by a multiple of 256\n") == 0);
  evidence = right.evidence({1 << 18});
  evidence.repeated[0].got[2] -= 1 << 16;
  CHECK(told(evidence).find("lost_updates: ") == 0);
  evidence.repeated_less = {right.sample("k", ByteVector(1 << 17, 'k'))};
  evidence.repeated_less[0].got[2] -= 1 << 16;
  CHECK(told(evidence).find("overflow: every count that differs is too low by a multiple of 65536\n") == 0);
}

TEST_CASE("double_counting: the bins add up to more than there is to count") {
  const auto twice = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    for (int i = 0; i < (at < 10 ? 2 : 1); ++i) count(self, bytes[at], bins);
  });
  CHECK(told(twice.evidence()) ==
        "double_counting: the bins add up to more than there is to count\n  4,099 bytes of `letters`: the "
        "bins add up to 4,109 instead of 4,099");
}

TEST_CASE("lost_updates: the bins add up to less than there is to count, and the bytes decide how much") {
  const auto runs_once = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (at == 0 || bytes[at] != bytes[at - 1]) count(self, bytes[at], bins);
  });
  const Evidence evidence = runs_once.evidence();
  CHECK(told(evidence) ==
        "lost_updates: the bins add up to less than there is to count\n  4,099 bytes of `letters`: the bins "
        "add up to " +
            facts::separated(evidence.random[1].counted()) + " instead of 4,099");
}

TEST_CASE("bytes that are missed by their position have no name, but positions") {
  const auto not_the_first = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (at != 7) count(self, bytes[at], bins);
  });
  Evidence evidence = not_the_first.evidence();
  CHECK(histogram::depends_on_position(evidence));
  CHECK(told(evidence) == "none");
  const auto told_of = [&](std::vector<histogram::Stretch> stretches) {
    evidence.searched_length = 4099;
    evidence.stretches = std::move(stretches);
    return told(evidence);
  };
  CHECK(told_of({{0, 7, 1}, {7, 8, 0}, {8, 4099, 1}}) ==
        ": one byte is never counted\n  of 4,099 bytes, data[7] is never counted");
  CHECK(told_of({{0, 256, 65}, {256, 4099, 0}}) ==
        ": some bytes are counted more than once, others never\n  of 4,099 bytes, data[0] to data[255] are "
        "counted 65 times each, data[256] to data[4098] never");
  CHECK(told_of({{0, 64, 1}, {64, 65, 0}, {65, 129, 1}, {129, 131, 0}, {131, 132, 1}}) ==
        ": some bytes are never counted\n  of 4,099 bytes, data[64] is never counted, data[129] to data[130] "
        "never; there are more such places");
  CHECK(told_of({{0, 4099, 2}}) ==
        ": every byte is counted twice\n  of 4,099 bytes, data[0] to data[4098] are counted twice each");
  CHECK_FALSE(histogram::depends_on_position(right.evidence()));
}

TEST_CASE("a pattern of the bins says more than their sum") {
  const auto flags = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (const int bin = self.binning.bin_of(bytes[at]); bin >= 0) bins[static_cast<std::size_t>(bin)] = 1;
  });
  CHECK(told(flags.evidence()) ==
        "lost_updates: no bin exceeds 1, however many bytes it should count\n  4,099 bytes of `letters`: the "
        "bins add up to 7 instead of 4,099");
  const auto not_the_fourth = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (self.binning.bin_of(bytes[at]) != 3) count(self, bytes[at], bins);
  });
  CHECK(told(not_the_fourth.evidence()).find("lost_updates: only bin 3 (m-p) is wrong: it stays 0\n") == 0);
  const auto values = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    if (const int bin = self.binning.bin_of(bytes[at]); bin >= 0)
      bins[static_cast<std::size_t>(bin)] += bytes[at];
  });
  CHECK(told(values.evidence())
            .find("double_counting: each byte adds its own value to its bin: an `a` adds 97\n") == 0);
}

TEST_CASE("wrong_bins: the sum is right, or all bytes of one kind are found elsewhere") {
  const auto reversed = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    const int bin = self.binning.bin_of(bytes[at]);
    if (bin >= 0) ++bins[static_cast<std::size_t>(6 - bin)];
  });
  Evidence evidence = reversed.evidence();
  evidence.uncounted.reset();
  CHECK(told(evidence) ==
        "wrong_bins: bytes are counted in the wrong bin\n  4,099 bytes of `k`: all are in bin 4 (q-t), none "
        "in bin 2 (i-l)");
  const auto some = imagined(
      [](auto& self, auto& bytes, auto at, auto& bins) { count(self, at % 2 ? 'a' : bytes[at], bins); });
  CHECK(told(some.evidence()) ==
        "wrong_bins: bytes are counted in other bins than their own\n  4,099 bytes of `letters`: the bins "
        "add up to 4,099, as they should");
}

TEST_CASE("counts_other_bytes: an input without a byte to count is counted") {
  const auto brace = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    count(self, bytes[at], bins);
    if (bytes[at] == '{') ++bins[6];
  });
  Evidence evidence = brace.evidence();
  evidence.failed = brace.sample("text", {'a', '{', 'b'});
  evidence.fresh = {evidence.failed.got};
  CHECK(told(evidence) ==
        "counts_other_bytes: bytes that belong to no bin are counted\n  1,000 bytes of `uncounted`: the bins "
        "add up to 500 instead of 0");
}

TEST_CASE("where only mixed inputs fail, their sums tell") {
  Evidence evidence = right.evidence();
  evidence.failed = right.sample("text", {'a', ' ', 'b'});
  evidence.failed.got[0] = 1;
  evidence.fresh = {evidence.failed.got};
  CHECK(told(evidence) ==
        "lost_updates: the bins add up to less than there is to count\n  3 bytes of `text`: the bins add up "
        "to 1 instead of 2");
  evidence.failed.got[0] = 3;
  evidence.fresh = {evidence.failed.got};
  CHECK(told(evidence) ==
        "double_counting: the bins add up to more than there is to count\n  3 bytes of `text`: the bins add "
        "up to 3 instead of 2");
  // One more that goes the other way, and one has told too little.
  evidence.mixed = {right.sample("bytes", {'a', 'b', ' ', 'c'})};
  CHECK(told(evidence).find("double_counting: ") == 0);
  evidence.mixed[0].got[0] = 2;
  CHECK(told(evidence) == "none");
}

TEST_CASE("another binning is told where enough different bytes show it") {
  const auto by_letters4 =
      imagined([](auto&, auto& bytes, auto at, auto& bins) { count(Imagined{.step = {}}, bytes[at], bins); },
               "letters");
  Evidence evidence = by_letters4.evidence();
  CHECK(told(histogram::diagnose(std::vector{evidence})).find("as binning letters4 does") !=
        std::string::npos);
  // The same two letters can be found there by any mistake.
  for (histogram::Sample& sample : evidence.random) sample = by_letters4.sample("two", {'e', 't', 'e'});
  evidence.failed = evidence.random.front();
  evidence.repeated.clear();
  CHECK(told(histogram::diagnose(std::vector{evidence})).find("as binning") == std::string::npos);
}

TEST_CASE("of what several binnings say the most fundamental is told") {
  const auto other_bin =
      imagined([](auto& self, auto&, auto, auto& bins) { count(self, 'z', bins); }, "bytes");
  const auto brace = imagined([](auto& self, auto& bytes, auto at, auto& bins) {
    count(self, bytes[at], bins);
    if (bytes[at] == '{') ++bins[6];
  });
  CHECK(histogram::diagnose(std::vector{other_bin.evidence()})->name == "wrong_bins");
  CHECK(histogram::diagnose(std::vector{other_bin.evidence(), brace.evidence()})->name ==
        "counts_other_bytes");
  CHECK(histogram::diagnose(std::vector{brace.evidence(), other_bin.evidence()})->name ==
        "counts_other_bytes");
}
