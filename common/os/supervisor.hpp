// SPDX-License-Identifier: MIT
// Starts a program, limits it, and ends it with all its descendants. Between the caller and the program
// stands a process of our own, the supervisor: on Linux it adopts whatever the program leaves behind (a
// "child subreaper"), so that even a process that made itself a daemon is found, and ended. If the supervisor
// is killed, the program dies with it, and the caller adopts and ends the rest.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace os {

struct Limits {
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // resident, of all its processes together
  unsigned processes = 64;                              // threads count too
  std::uint64_t output_bytes = 16 << 20;                // standard output and error together
  std::uint64_t file_bytes = 64 << 20;                  // the largest file that it may write
};

// How the program ended.
struct Ending {
  enum class Kind { running, exited, signalled, over_memory, over_processes, killed } kind = Kind::running;
  int code = 0;  // exit code or signal; of a limit: 0
};

struct ProcessArguments {
  std::string program;
  std::vector<std::string> arguments;  // without the program itself
  std::vector<std::string> wrapper;    // a tool to run it under; empty: none
  std::vector<int> inherited;          // descriptors that it keeps, under the same numbers
  std::string working_directory;       // empty: the current one
  // Its environment, as "NAME=VALUE"; nullopt: the caller's own.
  std::optional<std::vector<std::string>> environment = {};
};

// A program under a supervisor, in a session of its own, without a terminal. Its standard input is empty;
// what it prints can be read from output(). No child of the caller may be in another session than the caller,
// but for those that are started here: what is left of a killed supervisor's program is told by that.
class SupervisedProcess {
 public:
  // Throws std::system_error where no process can be made. A program that cannot be executed ends with code
  // 127.
  SupervisedProcess(const ProcessArguments& arguments, const Limits& limits);
  ~SupervisedProcess();  // ends it and all its descendants
  SupervisedProcess(const SupervisedProcess&) = delete;
  SupervisedProcess& operator=(const SupervisedProcess&) = delete;

  int output() const { return output_; }  // a pipe: readable when it prints, at its end when all have ended
  int status() const { return status_; }  // a pipe: readable when it has ended; -1 once it was stopped

  // Ends the program and all its descendants, waits until none is left, and tells how it had ended before
  // that.
  Ending stop();

 private:
  pid_t supervisor_ = -1;
  int control_ = -1, status_ = -1, output_ = -1;
  Ending ending_;
};

// All processes below `ancestor`, itself not among them.
std::vector<pid_t> descendants_of(pid_t ancestor);

struct ProcessUsage {
  std::uint64_t resident_bytes = 0;
  unsigned threads = 0;
};

// The sum over these processes; those that have ended meanwhile use nothing.
ProcessUsage usage_of(const std::vector<pid_t>& processes);

}  // namespace os
