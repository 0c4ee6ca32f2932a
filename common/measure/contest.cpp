// SPDX-License-Identifier: MIT
#include "measure/contest.hpp"

#include <algorithm>

#include "judge/case.hpp"
#include "judge/check.hpp"
#include "measure/measurement.hpp"

namespace measure {

namespace {

// A contender under way; the measurement is missing where its runner did not start.
struct Running {
  std::unique_ptr<judge::RunnerSession> session;
  std::optional<Measurement> measurement;
  facts::Finding refusal = {};

  bool done() const { return !measurement || measurement->done(); }
};

runner::RunRequest request_of(const Contender& contender, const std::string& variant, std::uint64_t length) {
  return {
      .variant = variant,
      .length = length,
      .options = {.block = contender.block, .grid = contender.grid, .warm_cache = contender.asked.warm_cache},
      .timed = true};
}

Record record_of(const Running& running, const Contender& contender, const std::string& variant,
                 std::uint64_t length) {
  Record record = contender.asked;
  record.variant = variant;
  record.length = length;
  if (!running.measurement) {
    record.finding = running.refusal;
    return record;
  }
  RecordBuilder builder(std::move(record));
  builder.add(*running.measurement);
  return builder.finish(contender.settings.program, running.session->output_text());
}

}  // namespace

std::vector<Record> contest(const std::vector<Contender>& contenders, const problems::Input& input,
                            const ContestOptions& options) {
  const auto file = std::make_shared<problems::SharedInputFile>();
  file->write(input);
  const std::uint64_t elements =
      input.length() / options.reference->problem().find_variant(options.variant)->element_bytes;
  const problems::Result expected = options.reference->expected(options.variant, input, 0, elements);

  std::vector<Running> all;
  for (const Contender& contender : contenders) {
    Running& running = all.emplace_back();
    running.session = std::make_unique<judge::RunnerSession>(contender.settings, file);
    if (auto finding = judge::start_session(*running.session)) {
      running.refusal = std::move(*finding);
      continue;
    }
    running.measurement.emplace(*running.session, contender.settings.program, *options.reference,
                                request_of(contender, options.variant, elements),
                                contender.computes ? std::optional(expected) : std::nullopt, options.rule,
                                options.highest_clock_mhz);
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

  std::vector<Record> records;
  for (std::size_t i = 0; i < all.size(); ++i)
    records.push_back(record_of(all[i], contenders[i], options.variant, elements));
  return records;
}

}  // namespace measure
