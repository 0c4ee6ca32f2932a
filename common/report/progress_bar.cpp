// SPDX-License-Identifier: MIT
#include "report/progress_bar.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace report {

namespace {

constexpr std::chrono::seconds unnoticed{1};
constexpr std::size_t bar_cells = 30;

}  // namespace

bool ProgressBar::due() const {
  return terminal_.live && std::chrono::steady_clock::now() - start_ >= unnoticed;
}

void ProgressBar::write(const std::string& line) {
  // Back to the start of the line, and clear what is longer than the new text.
  fmt::print(stderr, "\r\x1b[K{}", line.substr(0, terminal_.columns - 1));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::update(double fraction) {
  if (!due()) return;
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * bar_cells);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::string line = fmt::format("{} [{}{}] {:3.0f} %", title_, std::string(filled, '#'), std::string(bar_cells - filled, '.'), fraction * 100);
  if (fraction > 0.01) line += fmt::format(", {:.0f} s left", elapsed.count() / fraction * (1 - fraction));
  write(line);
}

void ProgressBar::update(const std::string& step) {
  if (due()) write(fmt::format("{}: {}", title_, step));
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace report
