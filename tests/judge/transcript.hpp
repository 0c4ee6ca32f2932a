// SPDX-License-Identifier: MIT
// A file of texts under headings "=== NAME".
#pragma once

#include <fstream>
#include <map>
#include <string>

inline std::map<std::string, std::string> transcript(const std::string& path) {
  std::map<std::string, std::string> texts;
  std::ifstream file(path);
  std::string* text = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("=== ", 0) == 0) {
      text = &texts[line.substr(4)];
    } else if (text) {
      *text += line + "\n";
    }
  }
  return texts;
}
