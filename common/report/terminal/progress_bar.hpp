// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

#include "report/terminal/terminal.hpp"

namespace report {

// A bar on standard error that appears once something has taken a second, and is gone when it is done. Where
// standard error is no terminal nothing is shown.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title) : title_(std::move(title)) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // How much is done, from 0 to 1.
  void update(double fraction);

  // What is being done, where nobody knows how much of it there is.
  void update(const std::string& step);

  void clear();

 private:
  bool due() const;
  void write(const std::string& line);

  std::string title_;
  Terminal terminal_ = Terminal::of_errors();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

}  // namespace report
