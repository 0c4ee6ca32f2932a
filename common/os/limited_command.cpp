// SPDX-License-Identifier: MIT
#include "os/limited_command.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

#include "os/supervisor.hpp"

namespace os {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_bytes = 1 << 20;
constexpr std::uint64_t most_printed = 64 << 20;

std::vector<std::string> environment_in_c() {
  std::vector<std::string> result{"LC_ALL=C"};
  for (char** variable = environ; *variable; ++variable) {
    if (std::string_view(*variable).substr(0, 7) != "LC_ALL=") result.emplace_back(*variable);
  }
  return result;
}

// Keeps the beginning of what is printed; false at the end of the output.
bool read_some(int descriptor, std::string& kept, std::uint64_t& printed) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  const auto bytes = static_cast<std::size_t>(got);
  kept.append(buffer.data(), std::min(bytes, kept_bytes - kept.size()));
  printed += bytes;
  return got > 0;
}

// The limit that ended it, in words.
std::string exceeded_by(const Ending& ending, const Limits& limits) {
  switch (ending.kind) {
    case Ending::Kind::over_memory:
      return fmt::format("more than {} MiB of memory", limits.memory_bytes >> 20);
    case Ending::Kind::over_processes:
      return fmt::format("more than {} processes", limits.processes);
    default:
      return {};
  }
}

int code_of(const Ending& ending) {
  if (ending.kind == Ending::Kind::exited) return ending.code;
  return ending.kind == Ending::Kind::signalled ? 128 + ending.code : 1;
}

}  // namespace

std::uint64_t memory_for_tools() {
  std::uint64_t all = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // A container's own limit; "max" where it has none.
  std::ifstream file("/sys/fs/cgroup/memory.max");
  if (std::uint64_t of_container = 0; file >> of_container) all = std::min(all, of_container);
  constexpr std::uint64_t usual = std::uint64_t{4} << 30;
  return all == 0 ? usual : std::min(usual, all / 2);
}

std::string in_seconds(milliseconds time) {
  return fmt::format("{:.5g} s", static_cast<double>((time.count() + 50) / 100) / 10);
}

LimitedResult run_limited(const std::vector<std::string>& words, const std::string& folder,
                          const ToolLimits& limits) {
  // Compilers start tools of their own; what they write are objects and programs.
  const Limits of_processes{
      .memory_bytes = limits.memory_bytes, .processes = 256, .file_bytes = std::uint64_t{1} << 30};
  SupervisedProcess process({.program = words.front(),
                             .arguments = {words.begin() + 1, words.end()},
                             .wrapper = {},
                             .inherited = {},
                             .working_directory = folder,
                             .environment = environment_in_c()},
                            of_processes);
  const Clock::time_point end = Clock::now() + limits.time;
  LimitedResult limited;
  std::uint64_t printed = 0;
  bool has_output = true, ended = false;
  while (has_output || !ended) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      limited.exceeded = "more than " + in_seconds(limits.time);
      break;
    }
    std::array<pollfd, 2> sources{
        {{has_output ? process.output() : -1, POLLIN, 0}, {ended ? -1 : process.status(), POLLIN, 0}}};
    if (poll(sources.data(), sources.size(), static_cast<int>(left.count() + 1)) <= 0) continue;
    if (sources[0].revents)
      has_output = read_some(process.output(), limited.result.output, printed) && printed < most_printed;
    // What it left running may hold the pipe open; all of that is gone before the status comes.
    ended = ended || sources[1].revents != 0;
    if (printed >= most_printed) break;
  }
  const Ending ending = process.stop();
  limited.result.code = code_of(ending);
  if (limited.exceeded.empty()) limited.exceeded = exceeded_by(ending, of_processes);
  return limited;
}

}  // namespace os
