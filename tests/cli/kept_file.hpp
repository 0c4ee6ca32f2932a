// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.hpp"
#include "workbook/workbook.hpp"

// A file in the build folder, taken away for the time of a test and put back when that is over.
class KeptFile {
 public:
  explicit KeptFile(const std::string& name)
      : path_(workbook::here().build_root + "/" + name),
        existed_(std::filesystem::exists(path_)),
        text_(text_of(path_)) {
    std::filesystem::remove(path_);
  }
  ~KeptFile() {
    if (existed_) {
      std::ofstream(path_, std::ios::binary) << text_;
    } else {
      std::filesystem::remove(path_);
    }
  }
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  const bool existed_;
  const std::string text_;
};
