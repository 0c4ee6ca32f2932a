// SPDX-License-Identifier: MIT
#include "grade/settings.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "facts/errors.hpp"
#include "grade/names.hpp"
#include "grade/sha256.hpp"

namespace grade {

namespace {

std::string folder_of(const std::string& output, const std::string& name) {
  return output + "/submissions/" + file_name_of(name);
}

}  // namespace

std::string result_file(const std::string& output, const std::string& name) {
  return folder_of(output, name) + "/result.json";
}

void put(const std::string& output, const std::string& path, const std::string& text) {
  namespace files = std::filesystem;
  // In the folder that is emptied at each start: what a crash leaves there is gone then.
  const std::string fresh =
      fmt::format("{}/{}-{}", scratch_folder(output), sha256(path).substr(0, 16), getpid());
  std::error_code none;
  files::create_directories(files::path(path).parent_path(), none);
  const int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = descriptor >= 0;
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t wrote = write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    good = wrote > 0;
    if (good) done += static_cast<std::size_t>(wrote);
  }
  good = good && fsync(descriptor) == 0 && std::rename(fresh.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (good) return;
  std::remove(fresh.c_str());
  throw facts::MachineError(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

}  // namespace grade
