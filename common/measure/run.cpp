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

runner::RunRequest request_of(const RunOptions& options, std::uint64_t length) {
  runner::RunRequest request;
  request.variant = options.binning;
  request.length = length;
  request.block = options.block;
  request.grid = options.grid;
  request.timed = options.backend != facts::Backend::sim;
  request.places = options.places;
  request.lockstep_seed = options.lockstep_seed;
  return request;
}

}  // namespace

std::uint64_t piece_bytes(facts::Backend backend) {
  // On the simulator about a second's work, so that progress shows; else what surely fits into memory twice.
  return backend == facts::Backend::sim ? std::uint64_t{8} << 20 : std::uint64_t{1} << 30;
}

RunReport run(const judge::RunnerSettings& settings, const problems::Input& input,
              const RunOptions& options) {
  judge::RunnerSession session(settings);
  if (auto finding = judge::start_session(session)) {
    RunReport report;
    report.finding = std::move(*finding);
    return report;
  }
  const std::uint64_t piece = options.lockstep_seed ? lockstep_piece_bytes : piece_bytes(options.backend);
  const std::size_t element_bytes = options.reference->problem().find_variant(options.binning)->element_bytes;
  const std::uint64_t elements = input.length() / element_bytes;
  ReportBuilder report;
  std::uint64_t done = 0;
  bool passed = true;
  do {
    if (options.progress)
      options.progress(elements > 0 ? static_cast<double>(done) / static_cast<double>(elements) : 0);
    runner::RunRequest request = request_of(options, std::min(piece / element_bytes, elements - done));
    if (done == 0) request.trace = options.trace;
    session.input().write(input, done * element_bytes, request.length * element_bytes);
    Measurement measurement(session, settings.program, *options.reference, request,
                            options.reference->expected(options.binning, input, done, request.length), options.rule,
                            options.highest_clock_mhz);
    while (!measurement.done()) measurement.round();
    report.add(measurement, request.length);
    passed = measurement.finding().verdict == facts::Verdict::pass;
    done += request.length;
  } while (done < elements && passed);
  if (options.progress) options.progress(1);
  return report.finish(settings.program, session.output_text());
}

}  // namespace measure
