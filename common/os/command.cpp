// SPDX-License-Identifier: MIT
#include "os/command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace os {

CommandResult run_command(std::vector<std::string> words, const std::string& folder,
                          const std::function<void(std::string_view)>& on_line) {
  std::array<int, 2> ends{};
  // Not for the commands that other threads start meanwhile: they would hold the pipe open.
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    // Messages are read by a program, and in one language.
    setenv("LC_ALL", "C", 1);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (!folder.empty() && chdir(folder.c_str()) != 0) {
      dprintf(STDERR_FILENO, "cannot enter %s: %s\n", folder.c_str(), std::strerror(errno));
      _exit(127);
    }
    execvp(pointers.front(), pointers.data());
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", pointers.front(), std::strerror(errno));
    _exit(127);
  }
  close(ends[1]);
  CommandResult result{0, {}};
  std::array<char, 4096> buffer;
  std::size_t passed_on = 0;
  for (ssize_t got; (got = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) result.output.append(buffer.data(), static_cast<std::size_t>(got));
    for (std::size_t end; on_line && (end = result.output.find('\n', passed_on)) != std::string::npos;
         passed_on = end + 1)
      on_line(std::string_view(result.output).substr(passed_on, end - passed_on));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace os
