// SPDX-License-Identifier: MIT
#include "judge/process_table.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace judge {

namespace {

// Of /proc/PID/stat (proc(5)): what stands behind the command, which may itself hold spaces and parentheses.
struct Status {
  pid_t parent;
  unsigned threads;
  std::uint64_t resident_pages;
};

std::optional<Status> status_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t command_end = line.rfind(')');
  if (command_end == std::string::npos) return std::nullopt;
  Status status{};
  long resident = 0;
  const int fields =
      std::sscanf(line.c_str() + command_end + 1,
                  " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u %*d %*u %*u %ld",
                  &status.parent, &status.threads, &resident);
  if (fields != 3) return std::nullopt;
  status.resident_pages = static_cast<std::uint64_t>(std::max(resident, 0L));
  return status;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> result;
  DIR* const directory = opendir("/proc");
  if (!directory) return result;
  while (const dirent* entry = readdir(directory)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process > 0) result.push_back(process);
  }
  closedir(directory);
  return result;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t ancestor) {
  struct Edge {
    pid_t child, parent;
  };
  std::vector<Edge> edges;
  for (const pid_t process : all_processes()) {
    if (const auto status = status_of(process)) edges.push_back({process, status->parent});
  }
  std::vector<pid_t> result{ancestor};
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Edge& edge : edges) {
      if (edge.parent == result[i]) result.push_back(edge.child);
    }
  }
  result.erase(result.begin());
  return result;
}

ProcessUsage usage_of(const std::vector<pid_t>& processes) {
  static const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  ProcessUsage usage;
  for (const pid_t process : processes) {
    const auto status = status_of(process);
    if (!status) continue;
    usage.threads += status->threads;
    usage.resident_bytes += status->resident_pages * page_bytes;
  }
  return usage;
}

}  // namespace judge
