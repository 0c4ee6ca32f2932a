// SPDX-License-Identifier: MIT
#include "grade/sandbox.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <sstream>

#include "os/command.hpp"

namespace grade {

namespace {

namespace files = std::filesystem;
using build::Command;

// What may be written to the temporary folder, in bytes.
constexpr std::size_t temporary_bytes = 256 << 20;

void append(Command& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }

// Where it lies; empty if it is not there. Runners are started without a PATH.
const std::string& program() {
  static const std::string found = [] {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = folder + "/bwrap";
      if (folder.starts_with('/') && access(file.c_str(), X_OK) == 0) return file;
    }
    return std::string();
  }();
  return found;
}

// Which options this bwrap has: older ones lack some.
bool has_option(const std::string& option) {
  static const std::string help = os::run_command({program(), "--help"}).output;
  return help.find(" " + option + " ") != std::string::npos;
}

// The system without anything of its users.
Command system_alone() {
  const char* const path = std::getenv("PATH");
  const std::string programs = path ? path : "/usr/bin:/bin";
  // The environment that bwrap was started with can be read inside: that of the first process there.
  Command words{
      "/usr/bin/env",  "-i",        "PATH=" + programs, program(), "--unshare-all", "--die-with-parent",
      "--new-session", "--clearenv"};
  if (has_option("--disable-userns")) append(words, {"--unshare-user", "--disable-userns"});
  for (const std::string folder : {"/usr", "/opt"}) append(words, {"--ro-bind-try", folder, folder});
  // Links into /usr on most systems, and folders on others.
  for (const std::string folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code none;
    if (files::is_symlink(folder)) {
      append(words, {"--symlink", files::read_symlink(folder, none).string(), folder});
    } else {
      append(words, {"--ro-bind-try", folder, folder});
    }
  }
  // How programs and libraries are found.
  for (const std::string file :
       {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"})
    append(words, {"--ro-bind-try", file, file});
  append(words, {"--proc", "/proc", "--dev", "/dev"});
  if (has_option("--size")) append(words, {"--size", std::to_string(temporary_bytes)});
  append(words, {"--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp", "--setenv", "HOME", "/tmp", "--setenv",
                 "LC_ALL", "C"});
  append(words, {"--setenv", "PATH", programs});
  return words;
}

// Nothing can be written but below the temporary folder, and below what was bound to be written.
void seal(Command& words) {
  // The shared memory of /dev is a file system without a quota.
  append(words, {"--remount-ro", "/dev", "--remount-ro", "/"});
}

std::string restrict_tool() { return workbook::here().build_root + "/common/grade/lab-restrict"; }

// Within the sandbox, where it lies elsewhere.
void restrict(Command& words, facts::Backend backend) {
  append(words, {"--", "/lab-restrict"});
  if (facts::traits_of(backend).accelerator) words.push_back("--device");
}
void bind_restrict(Command& words) { append(words, {"--ro-bind", restrict_tool(), "/lab-restrict"}); }

// A variable as it is here, if it is set.
void set_variable(Command& words, const char* name) {
  if (const char* const value = std::getenv(name)) append(words, {"--setenv", name, value});
}

// Folders that a variable names, with the variable itself.
void bind_variable(Command& words, const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (!value || !*value) return;
  append(words, {"--setenv", name, value});
  std::string folders = value;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    const bool is_bound = folder.starts_with("/usr/") || folder.starts_with("/opt/");
    if (folder.starts_with('/') && !is_bound) append(words, {"--ro-bind-try", folder, folder});
    begin = end + 1;
  }
}

}  // namespace

std::optional<std::string> why_no_sandbox() {
  if (program().empty())
    return "bubblewrap (bwrap) is not installed; on Debian and Ubuntu: sudo apt-get install bubblewrap";
  Command words = system_alone();
  bind_restrict(words);
  seal(words);
  restrict(words, facts::simulator);
  words.push_back("true");
  const os::CommandResult probe = os::run_command(words);
  if (probe.code == 0) return std::nullopt;
  return fmt::format(
      "bubblewrap (bwrap) is installed, but cannot make namespaces here, as in many containers: {}",
      probe.output.substr(0, probe.output.find('\n')));
}

build::Command restriction(facts::Backend backend) {
  Command words{restrict_tool()};
  if (facts::traits_of(backend).accelerator) words.push_back("--device");
  return words;
}

build::Command compiler_sandbox(const workbook::Workbook& workbook, const std::string& folder) {
  Command words = system_alone();
  // The harness's headers and libraries: no lab, no test, no solution.
  for (const std::string& root : {workbook.source_root, workbook.build_root}) {
    for (const char* part : {"/common", "/subprojects"})
      append(words, {"--ro-bind-try", root + part, root + part});
  }
  for (const char* name : {"CPLUS_INCLUDE_PATH", "CPATH", "LIBRARY_PATH"}) bind_variable(words, name);
  append(words, {"--setenv", "CCACHE_DISABLE", "1"});
  append(words, {"--bind", folder, folder, "--chdir", workbook.build_root});
  bind_restrict(words);
  seal(words);
  restrict(words, facts::simulator);
  return words;
}

build::Command runner_sandbox(const std::string& runners, facts::Backend backend) {
  Command words = system_alone();
  append(words, {"--ro-bind", runners, runners, "--chdir", "/tmp"});
  if (facts::traits_of(backend).accelerator) {
    append(words, {"--ro-bind-try", "/sys", "/sys"});
    // Which devices are this user's, as a scheduler of a shared server says, and where the driver lies.
    for (const char* name : {"CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES"}) set_variable(words, name);
    bind_variable(words, "LD_LIBRARY_PATH");
    std::error_code none;
    for (const auto& entry : files::directory_iterator("/dev", none)) {
      const std::string device = entry.path();
      const std::string name = entry.path().filename();
      if (name.starts_with("nvidia") || name == "dxg")  // the latter under WSL
        append(words, {"--dev-bind-try", device, device});
    }
  }
  bind_restrict(words);
  seal(words);
  restrict(words, backend);
  return words;
}

}  // namespace grade
