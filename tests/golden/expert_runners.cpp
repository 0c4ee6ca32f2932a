// SPDX-License-Identifier: MIT
// golden-expert-runners BACKEND [NAME...]: makes the runners of all experts' kernels, or of those named, for
// measure.sh.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "experts.hpp"
#include "support/make_runners.hpp"

int main(int argument_count, char** arguments) {
  const auto backend = facts::find_backend(argument_count >= 2 ? arguments[1] : "");
  if (!backend) {
    fmt::print(stderr, "usage: golden-expert-runners sim|gpu [NAME...]\n");
    return 2;
  }
  if (const auto failure = build::update_libraries(workbook::here(), *backend)) {
    fmt::print(stderr, "{}", *failure);
    return 1;
  }
  std::vector<std::string> names(arguments + 2, arguments + argument_count);
  if (names.empty()) names = golden::experts();
  std::vector<workbook::Target> units;
  for (const std::string& name : names) units.push_back(golden::expert(name, *backend));
  const std::string printed = make_runners(units);
  fmt::print(stderr, "{}", printed);
  return printed.empty() ? 0 : 1;
}
