// SPDX-License-Identifier: MIT
#include "report/terminal/progress_bar.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace report {

namespace {

constexpr std::chrono::seconds unnoticed{1};
constexpr std::size_t widest_bar = 30, narrowest_bar = 5;
constexpr std::size_t besides_the_bar = 24;  // " [] 100 %, 99999 s left"

// Back to the start of the line, and clear it.
constexpr std::string_view cleared = "\r\x1b[K";

constexpr std::array<int, 2> ending_signals{SIGINT, SIGTERM};

void clear_and_end(int signal) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, cleared.data(), cleared.size());
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// While a bar is shown, Ctrl-C clears it before the program ends: the prompt is to stand on a line of its
// own.
void clear_at_end(bool wanted) {
  for (const int signal : ending_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != (wanted ? SIG_DFL : clear_and_end))
      continue;  // ignored by whoever started the program
    ::signal(signal, wanted ? clear_and_end : SIG_DFL);
  }
}

std::string with_bar(std::string title, double fraction, std::size_t columns) {
  const std::size_t room =
      columns > title.size() + besides_the_bar ? columns - title.size() - besides_the_bar : 0;
  const std::size_t cells = std::min(room, widest_bar);
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(cells));
  if (cells >= narrowest_bar)
    title += fmt::format(" [{}{}]", std::string(filled, '#'), std::string(cells - filled, '.'));
  return title + fmt::format(" {:3.0f} %", fraction * 100);
}

}  // namespace

bool ProgressBar::due() const {
  return terminal_.live && std::chrono::steady_clock::now() - start_ >= unnoticed;
}

void ProgressBar::write(const std::string& line) {
  if (!shown_) clear_at_end(true);
  // One column less: a full line would wrap.
  fmt::print(stderr, "{}{}", cleared, line.substr(0, terminal_.columns - 1));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::update(double fraction) {
  if (!due()) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::string line = with_bar(title_, fraction, terminal_.columns);
  if (fraction > 0.01) line += fmt::format(", {:.0f} s left", elapsed.count() / fraction * (1 - fraction));
  write(line);
}

void ProgressBar::update(const std::string& step) {
  if (due()) write(fmt::format("{}: {}", title_, step));
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "{}", cleared);
  std::fflush(stderr);
  clear_at_end(false);
  shown_ = false;
}

}  // namespace report
