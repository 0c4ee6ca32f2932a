// SPDX-License-Identifier: MIT
// The collection as a whole.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "sources.hpp"
#include "support/contains.hpp"
#include "support/normalised.hpp"

TEST_CASE("there are at least forty defects, each marked in its kernel") {
  CHECK(kernel_sources().size() >= 40);
  for (const auto& kernel : kernel_sources()) {
    const std::string& name = kernel.first;
    CAPTURE(name);
    CHECK(!kernel.second.marked_lines.empty());
    CHECK(!kernel.second.body.empty());
  }
}

TEST_CASE("no two kernels are alike but for names and constants") {
  std::map<std::string, std::string> known;
  for (const auto& kernel : kernel_sources()) {
    const std::string& name = kernel.first;
    const auto known_one = known.emplace(normalised(kernel.second.body), name);
    CAPTURE(name);
    CAPTURE(known_one.first->second);
    CHECK(known_one.second);
  }
}

TEST_CASE("each kernel is tested, and stands in the document's table") {
  std::string tests = text_of_files(DEFECTS_FOLDER, "_test.cpp");
  std::erase_if(tests, [](char c) { return c == ' ' || c == '\n'; });  // however the call is laid out
  const std::string document = text_of_files(DOCUMENTS_FOLDER, "checkers.md");
  for (const auto& kernel : kernel_sources()) {
    const std::string& name = kernel.first;
    CAPTURE(name);
    CHECK(contains(tests, "check_both(\"" + name + "\""));
    CHECK(contains(document, "| `" + name + "` |"));
  }
}
