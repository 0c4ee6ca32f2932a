// SPDX-License-Identifier: MIT
#include "problems/problem.hpp"

#include <algorithm>
#include <array>

#include "problems/histogram/problem.hpp"
#include "problems/reduction/problem.hpp"

namespace problems {

const Variant* Problem::find_variant(std::string_view name) const {
  const auto all = variants();
  const auto found = std::ranges::find(all, name, &Variant::name);
  return found == all.end() ? nullptr : &*found;
}

bool Problem::has_input(std::string_view name) const {
  return std::ranges::find(inputs(), name, &NamedInput::name) != inputs().end();
}

std::span<const Problem* const> problems() {
  static const std::array<const Problem*, 2> all{&histogram::problem(), &reduction::problem()};
  return all;
}

const Problem* find_problem(std::string_view name) {
  const auto all = problems();
  const auto found = std::ranges::find(all, name, [](const Problem* problem) { return problem->name(); });
  return found == all.end() ? nullptr : *found;
}

}  // namespace problems
