// SPDX-License-Identifier: MIT
#include "measure/contest.hpp"

#include <algorithm>

#include "judge/case.hpp"
#include "judge/check.hpp"

namespace measure {

namespace {

// A contender under way; the measurement is missing where its runner did not start.
struct Running {
  std::unique_ptr<judge::RunnerSession> session;
  std::optional<Measurement> measurement;
  facts::Finding refusal = {};

  bool done() const { return !measurement || measurement->done(); }
};

runner::RunRequest request_of(const Contender& contender, const std::string& binning, std::uint64_t length) {
  runner::RunRequest request;
  request.variant = binning;
  request.length = length;
  request.block = contender.block;
  request.grid = contender.grid;
  request.timed = true;
  return request;
}

RunReport report_of(const Running& running, const std::string& program, std::uint64_t length) {
  if (!running.measurement) {
    RunReport report;
    report.finding = running.refusal;
    return report;
  }
  ReportBuilder report;
  report.add(*running.measurement, length);
  return report.finish(program, running.session->output_text());
}

}  // namespace

std::vector<RunReport> contest(const std::vector<Contender>& contenders, const problems::Input& input,
                               const ContestOptions& options) {
  const auto file = std::make_shared<judge::SharedInputFile>();
  file->write(input);
  const std::uint64_t elements =
      input.length() / options.reference->problem().find_variant(options.binning)->element_bytes;
  const problems::Result expected = options.reference->expected(options.binning, input, 0, elements);

  std::vector<Running> all;
  for (const Contender& contender : contenders) {
    Running& running = all.emplace_back();
    running.session = std::make_unique<judge::RunnerSession>(contender.settings, file);
    if (auto finding = judge::start_session(*running.session)) {
      running.refusal = std::move(*finding);
      continue;
    }
    running.measurement.emplace(*running.session, contender.settings.program, *options.reference,
                                request_of(contender, options.binning, elements),
                                contender.computes ? std::optional(expected) : std::nullopt,
                                options.rule, options.highest_clock_mhz);
  }

  std::size_t done = 0;
  while (done < all.size()) {
    for (Running& running : all) {
      if (!running.done()) running.measurement->round();
    }
    done = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Running& running) { return running.done(); }));
    if (options.progress) options.progress(static_cast<double>(done) / static_cast<double>(all.size()));
  }

  std::vector<RunReport> reports;
  for (std::size_t i = 0; i < all.size(); ++i)
    reports.push_back(report_of(all[i], contenders[i].settings.program, elements));
  return reports;
}

}  // namespace measure
