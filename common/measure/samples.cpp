// SPDX-License-Identifier: MIT
#include "measure/samples.hpp"

#include <algorithm>
#include <cmath>

namespace measure {

namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.5), samples.front(), quantile(samples, 0.25), quantile(samples, 0.75),
          samples.size()};
}

void Samples::add(const runner::RunAnswer& answer, std::chrono::duration<double, std::milli> wall) {
  spent_ += wall;
  for (std::size_t i = 0; i < answer.times_ms.size(); ++i) {
    const bool watched = highest_clock_mhz_ > 0 && i < answer.clocks_mhz.size();
    if (watched && answer.clocks_mhz[i] < slowest_clock * highest_clock_mhz_) {
      ++dropped_;
      continue;
    }
    times_ms_.push_back(answer.times_ms[i]);
    if (watched) clocks_mhz_.push_back(answer.clocks_mhz[i]);
  }
}

bool Samples::enough(const StopRule& rule) const {
  if (times_ms_.size() >= rule.most) return true;
  if (spent_ >= rule.budget && times_ms_.size() + dropped_ >= rule.fewest) return true;
  if (times_ms_.size() < rule.least) return false;
  const Summary now = summarize(times_ms_);
  return now.q3 - now.q1 <= rule.spread * now.median;
}

unsigned Samples::next_round(const StopRule& rule) const {
  const std::size_t taken = times_ms_.size() + dropped_;
  if (taken == 0) return 1;
  const double left_ms = (rule.budget - spent_).count();
  const double each_ms = spent_.count() / static_cast<double>(taken);
  const unsigned fitting =
      each_ms * rule.round <= left_ms ? rule.round : static_cast<unsigned>(std::max(left_ms, 0.0) / each_ms);
  const auto missing = static_cast<unsigned>(rule.most - std::min<std::size_t>(times_ms_.size(), rule.most));
  return std::clamp(fitting, 1u, std::max(missing, 1u));
}

std::optional<Summary> Samples::summary() const {
  if (times_ms_.empty()) return std::nullopt;
  return summarize(times_ms_);
}

std::optional<double> Samples::clock_mhz() const {
  if (clocks_mhz_.empty()) return std::nullopt;
  return summarize(clocks_mhz_).median;
}

bool is_faster(const Summary& one, const Summary& other) { return one.q3 < other.q1; }

}  // namespace measure
