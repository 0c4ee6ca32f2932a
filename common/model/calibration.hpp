// SPDX-License-Identifier: MIT
// What calibrate/ has printed of a GPU becomes a file of devices/: each number with the measurement that it
// comes from. What calibrate/ does not measure is taken over from another GPU's file, which the source says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace model {

// "NVIDIA GeForce RTX 4090" as a file's name: "rtx4090".
std::string id_of_gpu(const std::string& name);

// `lines`: documents of calibrate/, all of one GPU. `compute_capability` ("9.0") says what a multiprocessor
// holds; of one that is newer than the table here, the next lower one is taken, and the source says so.
// `pattern`: the file of a GPU that was calibrated before. Throws std::runtime_error, which names it, where a
// measurement is missing.
nlohmann::ordered_json device_file(const std::vector<nlohmann::ordered_json>& lines,
                                   const std::string& compute_capability,
                                   const nlohmann::ordered_json& pattern);

}  // namespace model
