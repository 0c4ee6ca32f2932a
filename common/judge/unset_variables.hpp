// SPDX-License-Identifier: MIT
// Variables of a thread's own that are read before they are set. No checker watches a thread's stack. Where a
// file declares such variables without a value, the runner with checks (undefined_operations.hpp) begins all
// of them with a pattern. A kernel that sets what it reads gives the same results there; another result comes
// of such a variable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"

namespace judge {

struct UnsetVariable {
  std::string name;
  int line;

  bool operator==(const UnsetVariable&) const = default;
};

// The variables that functions of the file declare without a value, but for shared and static ones. Of a
// class, they may get one by its constructor.
std::vector<UnsetVariable> unset_variables(std::string_view text);

struct ReadUnset {
  Case what;
  facts::Finding finding;
};

// The first of these cases whose result is another one if the variables begin with a pattern; nullopt if
// there is none, or the file has no such variables.
std::optional<ReadUnset> read_unset(const RunnerSettings& settings, const std::string& source,
                                    const problems::Reference& reference, const std::vector<Case>& cases,
                                    std::uint64_t seed);

}  // namespace judge
