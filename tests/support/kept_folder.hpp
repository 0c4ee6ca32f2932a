// SPDX-License-Identifier: MIT
// A folder below the build folder that stays there, for kernels that a test compiles: in the next run their
// runners are made again only if something that they depend on has changed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

class KeptFolder {
 public:
  explicit KeptFolder(const std::string& name) : path_(workbook::here().build_root + "/tests/kept/" + name) {
    std::filesystem::create_directories(path_);
  }

  const std::string& path() const { return path_; }

  // Makes a file, with the folders above it, and gives its path. A file that is the same already stays as it
  // is.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(path.parent_path());
    if (os::read_file(path.string()) != text) std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

 private:
  std::string path_;
};
