// SPDX-License-Identifier: MIT
// On a GPU: each function of arithmetic_cases.hpp has the simulator's values there.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "arithmetic_table.hpp"
#include "support/backends.hpp"

TEST_CASE("the simulator's arithmetic is the GPU's") {
  for (const Function& function : functions()) {
    const std::vector<Arguments> arguments = arguments_of(function, 20'000);
    const std::vector<std::uint64_t> values = values_on_gpu(function.name, arguments);
    std::size_t different = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::uint64_t simulated = function.simulated(arguments[i]);
      if (are_same(function.result, simulated, values[i])) continue;
      if (different++ == 0) MESSAGE(difference_of(function, arguments[i], simulated, values[i]));
    }
    CHECK_MESSAGE(different == 0, function.name, ": ", different, " of ", arguments.size(), " differ");
  }
}

int main(int argument_count, char** arguments) {
  if (const std::string missing = why_no_gpu(); !missing.empty() && !is_required("gpu")) {
    std::printf("skipped: %s\n", missing.c_str());
    return skipped;
  }
  return doctest::Context(argument_count, arguments).run();
}
