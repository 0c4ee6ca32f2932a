// SPDX-License-Identifier: MIT
// The GPUs that estimates can be of, and which of them is meant where nobody has named one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/device.hpp"

namespace cli {

// The GPU that estimates are of where none is named.
constexpr const char* usual_device = "h200";

// Where `lab calibrate` puts the files of GPUs that were measured here.
std::string own_devices_folder();

// The GPUs that there are files of: those that come with the workbook, and those that were measured here.
std::vector<std::string> names_of_devices();

// Throws facts::UsageError, with the names of those that are known.
model::Device find_device(const std::string& id);
nlohmann::ordered_json device_json(const std::string& id);

// The GPU whose estimates stand beside what other verbs show. Without a GPU the H200, or the one that
// WORKBOOK_ESTIMATE in the environment names; with one that is on the list this one, so that estimate and
// measurement can be compared. nullopt: none, because that GPU is not on the list, there is no simulator to
// feed the model, or WORKBOOK_ESTIMATE is "none".
std::optional<model::Device> shown_device();

// The device of a GPU that calls itself so ("NVIDIA H200"); nullopt if it is not on the list.
std::optional<model::Device> device_of_gpu(const std::string& name);

}  // namespace cli
