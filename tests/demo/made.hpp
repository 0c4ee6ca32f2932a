// SPDX-License-Identifier: MIT
// Demonstrations made for tests, each once.
#pragma once

#include <map>
#include <string>

#include "demo/stage.hpp"
#include "workbook/workbook.hpp"

inline const demo::Demonstration& made(const std::string& name) {
  static std::map<std::string, demo::Demonstration> all;
  if (const auto known = all.find(name); known != all.end()) return known->second;
  const demo::Options options;
  demo::Stage stage(workbook::here(), options);
  return all.emplace(name, demo::make(*demo::find(name), stage)).first->second;
}
