// SPDX-License-Identifier: MIT
// Demonstrations made for tests, each once.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
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

// What a page or a deck of slides is drawn from.
inline nlohmann::json frames_in(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"frames\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}
