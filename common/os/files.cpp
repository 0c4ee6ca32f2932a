// SPDX-License-Identifier: MIT
#include "os/files.hpp"

#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "facts/errors.hpp"

namespace os {

FileLock::FileLock(const std::string& path, int flags, const std::function<void()>& waiting, Hold hold)
    : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  const int kind = hold == Hold::shared ? LOCK_SH : LOCK_EX;
  if (descriptor_ >= 0 && waiting && flock(descriptor_, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    waiting();
  while (descriptor_ >= 0 && flock(descriptor_, kind) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void require_writable(const std::string& path) {
  namespace files = std::filesystem;
  std::error_code ignored;
  if (files::exists(path, ignored) && !files::is_regular_file(path, ignored)) {
    throw facts::MachineError(
        fmt::format("cannot write {}: it is a folder, a device or a pipe, not a regular file", path));
  }
  const files::path folder = files::absolute(path, ignored).parent_path();
  if (path.empty() || !files::is_directory(folder, ignored)) {
    throw facts::MachineError(fmt::format("cannot write \"{}\": there is no such folder", path));
  }
}

void write_file(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}", path, getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(temporary.c_str());
  throw facts::MachineError(fmt::format("cannot write {}: {}", path, reason));
}

}  // namespace os
