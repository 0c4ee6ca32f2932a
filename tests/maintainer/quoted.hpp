// SPDX-License-Identifier: MIT
// What the tests of quoted figures share: words, and the lists of what comes from elsewhere.
#pragma once

#include <doctest/doctest.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

using Words = std::vector<std::string>;

inline Words words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// A list in this folder has lines "KEY  reason", its keys are so many words; # begins a comment.
inline std::set<std::string> listed_in(const std::string& list, std::size_t key_words) {
  std::istringstream lines(os::read_file(workbook::here().source_root + "/tests/maintainer/" + list).value());
  std::set<std::string> keys;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const Words words = words_of(line);
    REQUIRE(words.size() > key_words);
    std::string key = words.front();
    for (std::size_t i = 1; i < key_words; ++i) key += " " + words.at(i);
    keys.insert(key);
  }
  return keys;
}
