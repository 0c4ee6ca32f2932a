// SPDX-License-Identifier: MIT
#include "facts/verdict.hpp"

#include <algorithm>
#include <array>

namespace facts {

namespace {

constexpr std::array<std::string_view, 15> verdict_names{
    "unavailable",       "not_started", "build_error",  "protocol",      "limit",
    "timeout",           "crash",       "launch_error", "out_of_bounds", "uninitialised",
    "divergent_barrier", "race",        "wrong_answer", "technique",     "pass"};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::pass) + 1);

}  // namespace

std::string_view name_of(Verdict verdict) { return verdict_names[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> find_verdict(std::string_view name) {
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if (verdict_names[i] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

bool is_observable(Verdict verdict) {
  constexpr std::array observable{Verdict::limit,         Verdict::timeout,       Verdict::crash,
                                  Verdict::out_of_bounds, Verdict::uninitialised, Verdict::divergent_barrier,
                                  Verdict::race};
  return std::find(observable.begin(), observable.end(), verdict) != observable.end();
}

bool comes_before(const Finding& a, const Finding& b) { return a.verdict < b.verdict; }

}  // namespace facts
