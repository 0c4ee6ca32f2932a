// SPDX-License-Identifier: MIT
// A file that `lab` keeps between its runs, in the folder of this test program: it is missing at first, and
// gone after the test.
#pragma once

#include <filesystem>
#include <string>

#include "temporary_folder.hpp"
#include "workbook/workbook.hpp"

class StateFile {
 public:
  explicit StateFile(const std::string& name) : path_(workbook::here().state_file(name)) {
    std::filesystem::remove(path_);
  }
  ~StateFile() { std::filesystem::remove(path_); }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};
