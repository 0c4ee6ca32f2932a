// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace os {

// A file or folder that no other program which asks for it holds at the same time; who comes second waits.
// Where it cannot be opened nothing is held: descriptor() is -1, and errno says why.
class FileLock {
 public:
  // `flags` are open()'s. A file that is made may be written by all whom the user lets (umask).
  FileLock(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace os
