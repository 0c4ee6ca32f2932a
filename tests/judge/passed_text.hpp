// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#include <string>

#include "judge/check.hpp"

// What a check says that passed every case, from its seed.
inline std::string passed_text(const judge::CheckReport& report) {
  return fmt::format("{} cases, lengths 0 to {}", report.cases.size(),
                     problems::reference_of("histogram").drawn_technique_length(report.seed));
}
