// SPDX-License-Identifier: MIT
// launch-limits [KERNEL BLOCKS THREADS [ROUNDS]]: how long one launch takes, and how much memory the process
// has had resident at most. Without arguments: grids of thousands to millions of blocks, and 10^9 accesses,
// each in a process of its own.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "launch_limits_kernels.hpp"
#include "simulator/launch.hpp"
#include "simulator/memory_map.hpp"

namespace {

struct Measurement {
  const char* kernel;
  unsigned blocks, threads, rounds;
};

constexpr unsigned words_of_each = 1 << 20;

unsigned* elements(const simulator::DeviceBuffer& buffer) {
  return reinterpret_cast<unsigned*>(buffer.bytes().data());
}

template <class Program>
simulator::LaunchResult launched(unsigned blocks, unsigned threads, const Program& program) {
  const auto run = [](const void* arguments) { (*static_cast<const Program*>(arguments))(); };
  simulator::LaunchConfiguration configuration;
  configuration.grid = blocks;
  configuration.block = threads;
  return simulator::launch(configuration, {run, &program});
}

simulator::LaunchResult launched(const Measurement& m) {
  const std::string kernel = m.kernel;
  simulator::DeviceBuffer words(words_of_each * sizeof(unsigned), {"words", sizeof(unsigned)});
  simulator::DeviceBuffer other(1024 * sizeof(unsigned), {"other", sizeof(unsigned)});
  unsigned *const w = elements(words), *const o = elements(other);
  if (kernel == "touch_once") return launched(m.blocks, m.threads, [&] { touch_once(w, words_of_each); });
  if (kernel == "read_many")
    return launched(m.blocks, m.threads, [&] { read_many(w, words_of_each, m.rounds, o); });
  if (kernel == "take_turns") return launched(m.blocks, m.threads, [&] { take_turns(w, o); });
  if (kernel == "race_everywhere")
    return launched(m.blocks, m.threads, [&] { race_everywhere(w, words_of_each); });
  return launched(m.blocks, m.threads, [&] { share_and_wait(w); });
}

std::size_t most_resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib;
  }
  return 0;
}

int measure(const Measurement& m) {
  const auto begin = std::chrono::steady_clock::now();
  const simulator::LaunchResult result = launched(m);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  fmt::print(
      "{:<16} {:>9} blocks of {:>4}: {:>13} accesses and basic blocks, {:>7.2f} s, {:>6.1f} MiB, {} "
      "hazards\n",
      m.kernel, m.blocks, m.threads, result.counters.value("thread_steps"), elapsed.count(),
      static_cast<double>(most_resident_kib()) / 1024, result.hazards.size());
  return 0;
}

// Each in a process of its own: what is resident at most is known for a whole process.
int measure_apart(const Measurement& m) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int code = measure(m);
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const auto number = [&](int at, unsigned otherwise) {
    return at < argument_count ? static_cast<unsigned>(std::strtoul(arguments[at], nullptr, 10)) : otherwise;
  };
  if (argument_count > 1) return measure({arguments[1], number(2, 1), number(3, 32), number(4, 1)});
  int failed = 0;
  for (const unsigned blocks : {4'000u, 40'000u, 400'000u, 4'000'000u})
    failed |= measure_apart({"touch_once", blocks, 32, 1});
  for (const unsigned blocks : {1'000u, 10'000u, 100'000u})
    failed |= measure_apart({"share_and_wait", blocks, 32, 1});
  for (const unsigned blocks : {100u, 1'000u}) failed |= measure_apart({"share_and_wait", blocks, 1024, 1});
  for (const unsigned blocks : {100u, 1'000u, 10'000u})
    failed |= measure_apart({"take_turns", blocks, 32, 1});
  for (const unsigned blocks : {1'000u, 10'000u, 100'000u})
    failed |= measure_apart({"race_everywhere", blocks, 32, 1});
  for (const unsigned rounds : {10u, 100u, 1'000u, 10'000u})
    failed |= measure_apart({"read_many", 100, 1000, rounds});
  return failed;
}
