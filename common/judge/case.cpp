// SPDX-License-Identifier: MIT
#include "judge/case.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/source_lines.hpp"
#include "problems/histogram/reference.hpp"

namespace judge {

namespace {

// Up to here every case costs little, so that there are many of them.
constexpr std::uint64_t short_length = 1 << 13;
constexpr std::uint64_t medium_length = 1 << 18;

constexpr std::size_t shown_bins = 5;

// Whether these places in the program are the same line of the source: then no barrier diverged, the compiler
// only wrote the line's code twice.
bool is_one_line(const std::vector<facts::Location>& where) {
  return where.size() > 1 && std::all_of(where.begin(), where.end(), [&](const facts::Location& l) {
           return l.file == where.front().file && l.line == where.front().line;
         });
}

// What a runner may report is what its kernel did. Any other verdict is not its to give.
facts::Verdict verdict_of(const runner::Observation& seen) {
  const facts::Verdict verdict = facts::find_verdict(seen.kind).value_or(facts::Verdict::protocol);
  const bool ended_launch = verdict == facts::Verdict::limit || verdict == facts::Verdict::timeout ||
                            verdict == facts::Verdict::crash;
  return ended_launch || (verdict >= facts::Verdict::out_of_bounds && verdict <= facts::Verdict::race)
             ? verdict
             : facts::Verdict::protocol;
}

// Nor are diagnoses, but for what a race lacks.
std::string diagnosis_of(const runner::Observation& seen) {
  const bool of_race = seen.diagnosis == "missing_atomic" || seen.diagnosis == "missing_warp_sync" ||
                       seen.diagnosis == "missing_barrier";
  return of_race && verdict_of(seen) == facts::Verdict::race ? seen.diagnosis : "";
}

}  // namespace

std::vector<Case> cases_of_length(std::uint64_t length, unsigned variant) {
  std::vector<Case> cases;
  const auto add = [&](std::string_view binning, std::string_view input) {
    // Alignments 0 to 15, each of them sooner or later.
    const unsigned misalignment = static_cast<unsigned>(7 * cases.size() + variant) % 16;
    cases.push_back({std::string(binning), std::string(input), length, misalignment});
  };
  if (length >= huge_length) {
    for (const histogram::BinningInfo& binning : histogram::binnings()) add(binning.name, "sparse");
  } else if (length > medium_length) {
    // What costs most is run once: with counts that no 16 bits hold, and as the technique is judged
    // (technique.hpp), so that one run serves both. Other binnings, inputs and alignments have had their turn
    // with what is shorter.
    cases.push_back({"letters4", "letters", length});
  } else {
    for (const histogram::BinningInfo& binning : histogram::binnings()) {
      for (const histogram::NamedInput& input : histogram::named_inputs()) {
        const bool for_short = input.name == "letters" || input.name == "bytes" || input.name == "same";
        if (length > short_length ? input.name != "sparse" : for_short) add(binning.name, input.name);
      }
    }
  }
  return cases;
}

std::vector<std::uint64_t> check_lengths(unsigned block, bool beyond_32_bits) {
  std::vector<std::uint64_t> lengths{0, 1, 31, 32, 33, 1000, 4099, (1 << 14) + 7, (1 << 20) + 3};
  for (const std::uint64_t around : {block - 1, block, block + 1}) lengths.push_back(around);
  if (beyond_32_bits) {
    lengths.push_back((std::uint64_t{1} << 31) + 3);
    lengths.push_back((std::uint64_t{1} << 32) + 3);
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::vector<std::uint64_t> expected_bins(const histogram::Input& input, const histogram::BinningInfo& binning,
                                         std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t piece_bytes = 1 << 20;
  histogram::ByteCounts counts;
  std::vector<unsigned char> piece;
  std::uint64_t holes = length;
  for (const histogram::Extent& extent : input.extents()) {
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

std::optional<facts::Finding> compare_bins(const histogram::BinningInfo& binning,
                                           const std::vector<std::uint64_t>& expected,
                                           const std::vector<std::uint32_t>& got) {
  if (got.size() != expected.size()) {
    return facts::Finding{facts::Verdict::protocol,
                          fmt::format("{} bins came back instead of {}", got.size(), expected.size())};
  }
  std::size_t different = 0;
  std::string lines;
  for (std::size_t bin = 0; bin < expected.size(); ++bin) {
    if (expected[bin] == got[bin] || ++different > shown_bins) continue;
    lines += fmt::format("\n  bin {} ({}): expected {}, got {}", bin, binning.label(static_cast<int>(bin)),
                         expected[bin], got[bin]);
  }
  if (different == 0) return std::nullopt;
  if (different > shown_bins) lines += fmt::format("\n  and {} more", different - shown_bins);
  return facts::Finding{facts::Verdict::wrong_answer,
                        fmt::format("{} of {} bins differ", different, expected.size()) + lines};
}

JudgedRun judged_run(RunnerSession& session, const std::string& program, const runner::RunRequest& request,
                     const std::vector<std::uint64_t>& expected) {
  JudgedRun result;
  auto outcome = session.run(request);
  if (auto* finding = std::get_if<facts::Finding>(&outcome)) {
    result.findings.push_back(std::move(*finding));
    return result;
  }
  runner::RunAnswer& answer = std::get<runner::RunAnswer>(outcome);
  for (const runner::Observation& seen : answer.observations) {
    facts::Finding finding{verdict_of(seen), seen.message, diagnosis_of(seen),
                           source_lines(program, seen.sites)};
    const bool diverged = finding.verdict != facts::Verdict::divergent_barrier || !is_one_line(finding.where);
    const bool in_time = finding.verdict != facts::Verdict::timeout;
    if (diverged) result.findings.push_back(std::move(finding));
    if (!in_time) return result;  // its counts are not those of the kernel
  }
  if (answer.failure) {
    using Kind = runner::RunFailure::Kind;
    switch (answer.failure->kind) {
      case Kind::too_large:
        result.left_out = answer.failure->message;
        break;
      case Kind::launch_error:
        result.findings.push_back(
            {facts::Verdict::launch_error,
             fmt::format(
                 "{}\n  a launch of {} {} of {} threads; a grid has 1 to 2147483647 blocks, a block 1 to "
                 "1024 threads",
                 answer.failure->message, answer.grid, answer.grid == 1 ? "block" : "blocks", answer.block)});
        break;
      case Kind::device_error:
        result.findings.push_back({facts::Verdict::crash, answer.failure->message});
        break;
    }
  } else if (answer.bins.empty()) {
    result.findings.push_back({facts::Verdict::protocol, "the answer holds no bins"});
  } else {
    const histogram::BinningInfo binning = histogram::find_binning(request.binning).value();
    for (const std::vector<std::uint32_t>& bins : answer.bins) {
      if (auto wrong = compare_bins(binning, expected, bins)) {
        if (answer.bins.size() > 1) wrong->message += "\n  another run on the same input gave other counts";
        result.findings.push_back(std::move(*wrong));
        break;
      }
    }
  }
  std::stable_sort(result.findings.begin(), result.findings.end(), facts::comes_before);
  result.answer = std::move(answer);
  return result;
}

CaseResult judge_case(RunnerSession& session, const std::string& program, const Case& what,
                      const histogram::Input& input, unsigned samples, bool conduct) {
  session.input().write(input);
  const histogram::BinningInfo binning = histogram::find_binning(what.binning).value();
  runner::RunRequest request;
  request.binning = what.binning;
  request.length = what.length;
  request.misalignment = what.misalignment;
  request.samples = samples;
  request.conduct = conduct;
  JudgedRun run = judged_run(session, program, request, expected_bins(input, binning, 0, what.length));
  if (run.left_out && what.length < huge_length) {
    // Every device has room for this input, so the exercise asks for too much; to leave it out would be to
    // pass it.
    run.findings.push_back({facts::Verdict::limit, *run.left_out});
    run.left_out.reset();
  }
  return {what, std::move(run.findings), std::move(run.answer), std::move(run.left_out)};
}

std::string describe(const Case& what) {
  return fmt::format("{} bytes of `{}`, binning {}, {} past an aligned address", what.length, what.input,
                     what.binning, what.misalignment);
}

}  // namespace judge
