// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "judge/workbook.hpp"
#include "temporary_folder.hpp"

// What the program remembers, put back when the test is over.
class KeptProgress {
 public:
  KeptProgress() : existed_(std::filesystem::exists(path_)), text_(text_of(path_)) {}
  ~KeptProgress() {
    if (existed_) {
      std::ofstream(path_, std::ios::binary) << text_;
    } else {
      std::filesystem::remove(path_);
    }
  }
  KeptProgress(const KeptProgress&) = delete;
  KeptProgress& operator=(const KeptProgress&) = delete;

 private:
  const std::string path_ = judge::workbook().build_root + "/progress.json";
  const bool existed_;
  const std::string text_;
};
