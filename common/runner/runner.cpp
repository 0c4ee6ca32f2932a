// SPDX-License-Identifier: MIT
// The runner: the process in which a student's code runs. The judge starts it with `--channel N --data M`;
// started by hand it prints the result, see by_hand.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runner/backend.hpp"
#include "runner/by_hand.hpp"
#include "runner/runner_input.hpp"

namespace runner {
namespace {

const Variant& find_variant(const std::string& name) {
  for (const Variant& variant : exercise_under_test) {
    if (name == variant.name) return variant;
  }
  throw ProtocolError("no such variant: " + name);
}

// Answers the judge's requests until it hangs up.
int serve(int channel, int data) {
  const std::unique_ptr<Backend> backend = make_backend(exercise_under_test);
  write_frame(channel, encode(Hello{exercise_under_test.lab, exercise_under_test.name, backend->name(),
                                    backend->device(), backend->unavailable()}));
  while (const auto document = read_frame(channel)) {
    const RunRequest request = decode_request(*document);
    const Variant& variant = find_variant(request.variant);
    const SharedInput input(data, request.length * variant.element_bytes);
    const RunAnswer answer = backend->run(variant, request, input);
    std::fflush(stdout);  // what the kernel printed comes before the answer
    write_frame(channel, encode(answer));
  }
  return 0;
}

}  // namespace
}  // namespace runner

int main(int argument_count, char** arguments) {
  if (argument_count == 5 && std::strcmp(arguments[1], "--channel") == 0) {
    try {
      return runner::serve(std::stoi(arguments[2]), std::stoi(arguments[4]));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "runner: %s\n", error.what());
      return 3;
    }
  }
  return runner::run_by_hand(argument_count, arguments);
}
