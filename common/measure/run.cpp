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

runner::RunRequest request_of(const Record& asked, const RunOptions& options, std::uint64_t length) {
  runner::RunRequest request;
  request.variant = asked.variant;
  request.length = length;
  request.block = options.block;
  request.grid = options.grid;
  request.timed = traits_of(asked.backend).timed;
  request.places = options.places;
  request.lockstep_seed = options.lockstep_seed;
  return request;
}

}  // namespace

Record run(const judge::RunnerSettings& settings, const problems::Input& input, Record asked,
           const RunOptions& options) {
  asked.length = input.length();
  judge::RunnerSession session(settings);
  if (auto finding = judge::start_session(session)) {
    asked.finding = std::move(*finding);
    return asked;
  }
  const problems::Reference& reference = problems::reference_of(asked.exercise.problem);
  const std::uint64_t piece =
      options.lockstep_seed ? lockstep_piece_bytes : traits_of(asked.backend).piece_bytes;
  const std::size_t element_bytes = reference.problem().find_variant(asked.variant)->element_bytes;
  const std::uint64_t elements = input.length() / element_bytes;
  RecordBuilder record(asked);
  std::uint64_t done = 0;
  bool passed = true;
  do {
    if (options.progress)
      options.progress(elements > 0 ? static_cast<double>(done) / static_cast<double>(elements) : 0);
    runner::RunRequest request = request_of(asked, options, std::min(piece / element_bytes, elements - done));
    if (done == 0) request.trace = options.trace;
    session.input().write(input, done * element_bytes, request.length * element_bytes);
    Measurement measurement(session, settings.program, reference, request,
                            reference.expected(asked.variant, input, done, request.length), options.rule,
                            options.highest_clock_mhz);
    while (!measurement.done()) measurement.round();
    record.add(measurement);
    passed = measurement.finding().verdict == facts::Verdict::pass;
    done += request.length;
  } while (done < elements && passed);
  if (options.progress) options.progress(1);
  return record.finish(settings.program, session.output_text());
}

}  // namespace measure
