// SPDX-License-Identifier: MIT
// What a submission holds, and a copy of it that nobody changes while it is judged. A submission is a folder
// with labs/NN_topic/FILE, with NN_topic/FILE, or with one folder that holds one of these. Nothing in it is
// trusted: links are not followed, and pipes, devices and what is too large are not opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace grade {

// The folders directly in `folder` by name, sorted by their bytes, and whatever else lies there.
struct Listing {
  std::vector<std::string> submissions, others;
};

// Throws facts::UsageError if it is no folder that can be read.
Listing submissions_in(const std::string& folder);

struct SubmittedFile {
  std::string path;  // below the folder with the labs
  std::uint64_t bytes = 0;
  std::string sha256;
};

// A file that is not judged, and why, in words that follow its name: "it is a link".
struct LeftOut {
  std::string path, why;
  bool is_too_large = false, is_link = false;
};

struct Snapshot {
  std::string labs;  // where in the submission the labs were: "", "labs", "wrapped/labs"
  std::string note;  // why there are none, in words; empty if there are
  std::vector<SubmittedFile> files;
  std::vector<LeftOut> left_out;

  bool holds(const std::string& path) const;
  const LeftOut* find_left_out(const std::string& path) const;
};

// Bounds of a submission. A kernel's file has a few KiB.
struct SubmissionLimits {
  static constexpr std::uint64_t file_bytes = 1 << 20, all_bytes = 16 << 20;
  static constexpr std::size_t files = 500, depth = 8, name_bytes = 200;
};

// Copies the files of the submission's labs to `copy`, which has to be empty, and tells what they are.
// Throws facts::MachineError if the copy cannot be written.
Snapshot take_snapshot(const std::string& submission, const std::string& copy,
                       const std::vector<workbook::ExerciseInfo>& exercises);

}  // namespace grade
