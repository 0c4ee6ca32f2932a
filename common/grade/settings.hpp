// SPDX-License-Identifier: MIT
// What a class is graded with, and where the results go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "facts/backend.hpp"
#include "judge/check.hpp"
#include "workbook/workbook.hpp"

namespace grade {

// How a verdict is told: `lab check`'s own functions.
struct Telling {
  std::function<std::string(const workbook::Workbook&, const judge::CheckReport&)> as_text, as_json;
};

struct Shard {
  unsigned index = 1, count = 1;  // the index counts from 1
};

struct Settings {
  std::string folder;  // with the submissions
  std::string output;  // where everything is written
  std::uint64_t seed = 0;
  facts::Backend backend = facts::simulator;
  std::vector<workbook::ExerciseInfo> exercises;
  bool sandboxed = false;
  unsigned jobs = 1;
  std::optional<std::string> only;  // the name of one submission; nullopt: all
  Shard shard;
  bool similar = false;  // look for submissions with the same code
  bool speed = false;    // measure it, for points.txt gives points for it
  Telling telling;
};

// Places below OUT. `name`: a submission's.
std::string result_file(const std::string& output, const std::string& name);
inline std::string scratch_folder(const std::string& output) { return output + "/.scratch"; }
// Held by whoever runs something on the GPU: shared by judges, alone by who measures.
inline std::string gpu_lock_file(const std::string& output) { return scratch_folder(output) + "/gpu.lock"; }
inline std::string similar_file(const std::string& output) { return output + "/similar.csv"; }

// Writes below OUT so that readers, and whoever starts again after a crash, find the old text or the new one.
// Throws facts::MachineError.
void put(const std::string& output, const std::string& path, const std::string& text);

}  // namespace grade
