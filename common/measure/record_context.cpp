// SPDX-License-Identifier: MIT
// Where and when a record was made: everything that it takes to repeat it.
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "os/command.hpp"

namespace measure {

namespace {

// The value of the first line "key<separator>value" of a file, without quotes; empty if there is none.
std::string value_in(const std::string& path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    const std::size_t end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return {};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The commit of the source tree, with a "+" behind it if files differ from it; empty where git knows of none.
std::string commit_of(const std::string& source_root) {
  const os::CommandResult commit =
      os::run_command({"git", "-C", source_root, "rev-parse", "--short=12", "HEAD"});
  if (commit.code != 0) return {};
  const os::CommandResult changes =
      os::run_command({"git", "-C", source_root, "status", "--porcelain", "--untracked-files=no"});
  return first_line(commit.output) + (changes.code == 0 && changes.output.empty() ? "" : "+");
}

Machine machine_here(const workbook::Workbook& workbook) {
  utsname names{};
  uname(&names);
  const GpuDevice& gpu = gpu_device(workbook);
  return {.system = value_in("/etc/os-release", "PRETTY_NAME", '='),
          .kernel = std::string(names.sysname) + " " + names.release,
          .cpu = value_in("/proc/cpuinfo", "model name", ':'),
          .cpus = std::thread::hardware_concurrency(),
          .memory_mib = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)) >>
                        20,
          .gpu = gpu.works ? gpu.properties : std::map<std::string, std::string>{}};
}

}  // namespace

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[sizeof "2026-11-20T17:00:00Z"];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

void add_context(Record& record, const workbook::Workbook& workbook, const std::string& command) {
  static const std::string commit = commit_of(workbook.source_root);
  static const Machine machine = machine_here(workbook);
  record.commit = commit;
  record.machine = machine;
  record.time = time_now();
  record.command = command;
}

}  // namespace measure
