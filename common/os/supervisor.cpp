// SPDX-License-Identifier: MIT
// The supervisor is forked from the caller and never executes another program itself. It watches its
// descendants' memory and number, ends them when the caller closes its end of the control pipe (so also when
// the caller dies), and writes the Ending to the status pipe.
#include "os/supervisor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace os {

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

namespace {

// How often the limits are looked at.
constexpr int watch_interval_ms = 20;

// Closes the descriptors from `first` to `last`.
void close_range_of(int first, int last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  last = static_cast<int>(std::min<long>(last, std::min<long>(sysconf(_SC_OPEN_MAX), 65536)));
  for (int descriptor = first; descriptor <= last; ++descriptor) close(descriptor);
}

// Closes whatever else the caller has open. The control pipes of its other programs are among it: as long as
// somebody held their ends, the caller could not end those programs.
void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  int first = STDERR_FILENO + 1;
  for (const int descriptor : kept) {
    close_range_of(first, descriptor - 1);
    first = std::max(first, descriptor + 1);
  }
  close_range_of(first, std::numeric_limits<int>::max());
}

// Without a terminal, which a program could write to, or read what is typed next; and not alive when the
// supervisor is not, whoever killed that.
void seal_off([[maybe_unused]] pid_t supervisor) {
  setsid();
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
#endif
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void execute(const ProcessArguments& what, int output) {
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_all_but(what.inherited);
  for (const int descriptor : what.inherited) fcntl(descriptor, F_SETFD, 0);
  if (!what.working_directory.empty() && chdir(what.working_directory.c_str()) != 0) _exit(127);
  std::vector<std::string> words = what.wrapper;
  words.push_back(what.program);
  words.insert(words.end(), what.arguments.begin(), what.arguments.end());
  const std::vector<char*> pointers = pointers_to(words);
  std::vector<std::string> environment = what.environment.value_or(std::vector<std::string>{});
  // The search along PATH is the caller's, the environment the program's.
  if (what.environment) {
    execvpe(pointers.front(), pointers.data(), pointers_to(environment).data());
  } else {
    execvp(pointers.front(), pointers.data());
  }
  dprintf(STDERR_FILENO, "cannot run %s: %s\n", pointers.front(), std::strerror(errno));
  _exit(127);
}

void set_resource_limits(const Limits& limits) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit file{limits.file_bytes, limits.file_bytes};
  setrlimit(RLIMIT_FSIZE, &file);
}

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return {Ending::Kind::signalled, WTERMSIG(status)};
  return {Ending::Kind::exited, WEXITSTATUS(status)};
}

// Ends all descendants. Each pass first stops them, so that none can make another while it is looked for, and
// orphans become this process's own children; it is over when there is no child left.
void end_all(pid_t program) {
  for (;;) {
    for (const pid_t descendant : descendants_of(getpid())) kill(descendant, SIGSTOP);
    for (const pid_t descendant : descendants_of(getpid())) kill(descendant, SIGKILL);
    kill(-program, SIGKILL);
    for (;;) {
      const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
      if (reaped < 0 && errno == ECHILD) return;
      if (reaped <= 0) break;
    }
    usleep(1000);
  }
}

// The processes below `ancestor` as the kernel lists each one's children, which is quick, but may leave out
// some while others end; from all processes of the machine where it keeps no such lists.
std::vector<pid_t> watched(pid_t ancestor) {
  std::vector<pid_t> result{ancestor};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::string tasks = "/proc/" + std::to_string(result[i]) + "/task";
    DIR* const directory = opendir(tasks.c_str());
    while (const dirent* const task = directory ? readdir(directory) : nullptr) {
      if (std::atoi(task->d_name) <= 0) continue;
      std::ifstream children(tasks + "/" + task->d_name + "/children");
      if (!children && result[i] == ancestor) {
        closedir(directory);
        return descendants_of(ancestor);
      }
      for (pid_t child; children >> child;) result.push_back(child);
    }
    if (directory) closedir(directory);
  }
  result.erase(result.begin());
  return result;
}

// Reaps everything that has ended; returns the program's own ending once it is known.
bool reap(pid_t program, Ending& ending) {
  bool program_ended = false;
  int status = 0;
  for (pid_t reaped; (reaped = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (reaped != program) continue;
    ending = ending_of(status);
    program_ended = true;
  }
  return program_ended;
}

[[noreturn]] void supervise(const ProcessArguments& what, const Limits& limits, int control, int status,
                            int output) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  // Ctrl-C in a terminal goes to the whole process group; the caller decides what it means.
  setpgid(0, 0);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // The end of a child interrupts poll, so that it is noticed at once.
  struct sigaction on_child {};
  on_child.sa_handler = [](int) {};
  sigaction(SIGCHLD, &on_child, nullptr);
  std::vector<int> needed = what.inherited;
  needed.insert(needed.end(), {control, status, output});
  close_all_but(needed);
  const pid_t supervisor = getpid(), program = fork();
  if (program == 0) {
    seal_off(supervisor);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    set_resource_limits(limits);
    execute(what, output);
  }
  close(output);
  for (const int descriptor : what.inherited) close(descriptor);
  Ending ending{Ending::Kind::killed, 0};
  pollfd caller{control, POLLIN, 0};
  while (program > 0 && !reap(program, ending)) {
    if (poll(&caller, 1, watch_interval_ms) > 0) break;  // the caller has closed its end
    const ProcessUsage usage = usage_of(watched(getpid()));
    if (usage.resident_bytes > limits.memory_bytes) ending.kind = Ending::Kind::over_memory;
    if (usage.threads > limits.processes) ending.kind = Ending::Kind::over_processes;
    if (ending.kind != Ending::Kind::killed) break;
  }
  if (program > 0) {
    reap(program, ending);
    end_all(program);
  }
  [[maybe_unused]] const ssize_t told = write(status, &ending, sizeof ending);
  _exit(0);
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    read = ends[0];
    write = ends[1];
    fcntl(read, F_SETFD, FD_CLOEXEC);
    fcntl(write, F_SETFD, FD_CLOEXEC);
  }
};

}  // namespace

namespace {

// Where a supervisor was killed, its program dies too, and becomes a child of this process with all that it
// had started. They are the only children in sessions of their own.
void end_strays() {
  for (bool found = true; found;) {
    found = false;
    for (const pid_t child : descendants_of(getpid())) {
      const auto status = status_of(child);
      if (!status || status->parent != getpid() || getsid(child) == getsid(0)) continue;
      found = true;
      for (const pid_t below : descendants_of(child)) kill(below, SIGSTOP);
      for (const pid_t below : descendants_of(child)) kill(below, SIGKILL);
      kill(child, SIGKILL);
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
}

}  // namespace

SupervisedProcess::SupervisedProcess(const ProcessArguments& arguments, const Limits& limits) {
#ifdef __linux__
  // What a supervisor leaves that was killed comes to this process.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  const Pipe control, status, output;
  std::fflush(nullptr);
  supervisor_ = fork();
  if (supervisor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (supervisor_ == 0) {
    close(control.write);
    close(status.read);
    close(output.read);
    supervise(arguments, limits, control.read, status.write, output.write);
  }
  close(control.read);
  close(status.write);
  close(output.write);
  control_ = control.write;
  status_ = status.read;
  output_ = output.read;
}

SupervisedProcess::~SupervisedProcess() {
  stop();
  close(output_);
}

Ending SupervisedProcess::stop() {
  if (supervisor_ < 0) return ending_;
  close(control_);
  std::size_t got = 0;
  while (got < sizeof ending_) {
    const ssize_t bytes = read(status_, reinterpret_cast<char*>(&ending_) + got, sizeof ending_ - got);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    got += static_cast<std::size_t>(bytes);
  }
  if (got < sizeof ending_) ending_ = {Ending::Kind::killed, 0};
  close(status_);
  status_ = -1;
  int how = 0;
  while (waitpid(supervisor_, &how, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
  if (WIFSIGNALED(how)) end_strays();
  return ending_;
}

}  // namespace os
