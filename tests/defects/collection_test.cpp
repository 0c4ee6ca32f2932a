// SPDX-License-Identifier: MIT
// The collection as a whole.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <string>

#include "sources.hpp"

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A kernel without its own names and constants.
std::string normalised(const std::string& body) {
  std::string text = std::regex_replace(body, std::regex("//[^\n]*"), "");
  text = std::regex_replace(text, std::regex("\\b[0-9][0-9a-fx.]*(u|ull)?\\b"), "0");
  const std::regex keyword(
      "if|else|for|while|do|return|break|continue|const|constexpr|unsigned|int|char|float|bool|void|volatile|defect|threadIdx|blockIdx|"
      "blockDim|gridDim|extern|__\\w+|atomic\\w+");
  std::string result;
  const std::regex word("[A-Za-z_]\\w*|[^A-Za-z_\\s]");
  for (std::sregex_iterator token(text.begin(), text.end(), word), end; token != end; ++token) {
    const std::string one = token->str();
    const bool own_name = std::isalpha(static_cast<unsigned char>(one[0])) && !std::regex_match(one, keyword);
    result += (own_name ? "name" : one) + " ";
  }
  return result;
}

}  // namespace

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
  const std::string tests = text_of_files(DEFECTS_FOLDER, "_test.cpp");
  const std::string document = text_of_files(DOCUMENTS_FOLDER, "checkers.md");
  for (const auto& kernel : kernel_sources()) {
    const std::string& name = kernel.first;
    CAPTURE(name);
    CHECK(contains(tests, "check_both(\"" + name + "\""));
    CHECK(contains(document, "| `" + name + "` |"));
  }
}
