// SPDX-License-Identifier: MIT
// What a check says that passed every case, from its seed.
#pragma once

#include <fmt/core.h>

#include <string>

#include "facts/words.hpp"
#include "judge/check.hpp"

inline std::string passed_text(const judge::CheckReport& report) {
  return fmt::format(
      "{} cases, lengths 0 to {}", report.cases.size(),
      facts::separated(problems::reference_of("histogram").drawn_technique_length(report.seed)));
}
