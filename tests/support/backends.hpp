// SPDX-License-Identifier: MIT
// What a test does where a backend is missing: it is skipped, with the reason, unless the environment demands
// the backend.
#pragma once

#include <cstdlib>
#include <string_view>

// The exit code of a test that cannot run here.
constexpr int skipped = 77;

// Whether WORKBOOK_REQUIRE names the backend.
inline bool is_required(std::string_view backend) {
  const char* const required = std::getenv("WORKBOOK_REQUIRE");
  return required && std::string_view(required).find(backend) != std::string_view::npos;
}
