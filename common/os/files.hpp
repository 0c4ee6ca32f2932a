// SPDX-License-Identifier: MIT
// Files read and written whole, and locks between programs that use the same ones.
#pragma once

#include <fcntl.h>

#include <functional>
#include <optional>
#include <string>

namespace os {

// Everything in a file; nullopt if it cannot be read or is no regular file: a folder would be an exception, a
// pipe or a device might have no end.
std::optional<std::string> read_file(const std::string& path);

// Throws MachineError if no file can be written there. Called before a run, which may be long.
void require_writable(const std::string& path);

// Writes under another name and then renames, so that readers find the old text or the new one, and the old
// one stays if writing fails. Throws MachineError: "cannot write PATH: why".
void write_file(const std::string& path, const std::string& text);

enum class Hold { alone, shared };

// A file or folder that one program at a time holds among those that ask for it, or several that share it;
// others wait. If it cannot be opened nothing is held: descriptor() is -1, and errno says why.
class FileLock {
 public:
  // `flags` are those of open(). A file that is created gets the permissions that the umask allows. `waiting`
  // is called if another program holds it.
  FileLock(const std::string& path, int flags, const std::function<void()>& waiting = {},
           Hold hold = Hold::alone);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace os
