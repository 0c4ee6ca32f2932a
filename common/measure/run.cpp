// SPDX-License-Identifier: MIT
#include "measure/run.hpp"

#include <algorithm>

#include "judge/case.hpp"
#include "judge/check.hpp"
#include "measure/measurement.hpp"

namespace measure {

namespace {

// In lockstep about a second's work too.
constexpr std::uint64_t lockstep_piece_bytes = 1 << 20;

}  // namespace

Record run(const judge::RunnerSettings& settings, const problems::Input& input, Record asked,
           const runner::RunOptions& options, const Sampling& sampling) {
  const problems::Reference& reference = problems::reference_of(asked.exercise.problem);
  const std::size_t element_bytes = reference.problem().find_variant(asked.variant)->element_bytes;
  const std::uint64_t elements = asked.length = input.length() / element_bytes;
  judge::RunnerSession session(settings);
  if (auto finding = judge::start_session(session)) {
    asked.finding = std::move(*finding);
    return asked;
  }
  const std::uint64_t piece = options.lockstep_seed
                                  ? lockstep_piece_bytes
                                  : sampling.piece_bytes.value_or(traits_of(asked.backend).piece_bytes);
  RecordBuilder record(asked);
  std::uint64_t done = 0;
  bool passed = true;
  do {
    if (sampling.progress)
      sampling.progress(elements > 0 ? static_cast<double>(done) / static_cast<double>(elements) : 0);
    runner::RunRequest request{.variant = asked.variant,
                               .length = std::min(piece / element_bytes, elements - done),
                               .options = options,
                               .timed = traits_of(asked.backend).timed};
    if (done > 0) request.options.trace.reset();
    session.input().write(input, done * element_bytes, request.length * element_bytes);
    Measurement measurement(session, settings.program, reference, request,
                            reference.expected(asked.variant, input, done, request.length), sampling.rule,
                            sampling.highest_clock_mhz);
    while (!measurement.done()) measurement.round();
    record.add(measurement);
    passed = measurement.finding().verdict == facts::Verdict::pass;
    done += request.length;
  } while (done < elements && passed);
  if (sampling.progress) sampling.progress(1);
  return record.finish(settings.program, session.output_text());
}

}  // namespace measure
