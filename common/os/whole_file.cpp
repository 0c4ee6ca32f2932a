// SPDX-License-Identifier: MIT
#include "os/whole_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "facts/errors.hpp"

namespace os {

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

void write_whole_file(const std::string& path, const std::string& text) {
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
