// SPDX-License-Identifier: MIT
// Typical mistakes of students (mistakes/*.cu), compiled by the compiler at hand: each is told at the line
// and in the words that mistakes/messages has for this compiler; of versions without recorded messages, the
// line alone is compared. Plain `meson test` takes one of each kind of message, the suite submissions takes
// all.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "compiled_lab.hpp"
#include "transcript.hpp"

namespace {

const std::string folder = workbook::here().source_root + "/tests/judge/mistakes/";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// In a locale of UTF-8, g++ quotes by other marks.
std::string with_ascii_quotes(std::string text) {
  for (const std::string_view mark : {"‘", "’"}) {
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, mark.size(), "'");
  }
  return text;
}

// "FILE:LINE" of "FILE:LINE:COLUMN: error: ...", or "FILE" where there is no line.
std::string place_of(const std::string& message) {
  const std::size_t error = message.find(" error: "), line = message.find(':');
  return line + 1 == error ? message.substr(0, line) : message.substr(0, message.find(':', line + 1));
}

// How the message names the place: "FILE:LINE:COLUMN: error" is the compiler's, "FILE:LINE: error" and "FILE:
// error" are the judge's own words; or "(compiles)".
std::string kind_of(const std::string& expected) {
  static const std::regex message(R"([^:]*(:\d+)?(:\d+)?: (fatal )?error: )");
  std::smatch parts;
  if (!std::regex_search(expected, parts, message, std::regex_constants::match_continuous))
    return "(compiles)";
  return std::string("file") + (parts[1].matched ? ":line" : "") + (parts[2].matched ? ":column" : "");
}

std::string compiler_at_hand() { return std::getenv("SIMULATOR_COMPILER_IS"); }

std::string recorded_compiler() { return compiler_at_hand().rfind("clang", 0) == 0 ? "clang-14" : "g++-12"; }

std::map<std::string, std::string> recorded_messages() {
  return transcript(folder + "messages/" + recorded_compiler() + ".txt");
}

void check_mistake(const std::string& mistake, const std::string& expected) {
  CAPTURE(mistake);
  if (expected.find("undefined reference") != std::string::npos) return;  // nothing is linked here
  const auto finding = built(text_of(folder + mistake + ".cu"));
  CHECK(finding.has_value() == (expected != "(compiles)\n"));
  if (!finding || expected == "(compiles)\n") return;
  const std::string said = with_ascii_quotes(first_line(finding->message));
  CHECK(place_of(said) == place_of(expected));
  // What stands outside of ASCII is written according to the locale.
  const bool is_ascii =
      std::all_of(expected.begin(), expected.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  if (compiler_at_hand() == recorded_compiler() && is_ascii) CHECK(said == first_line(expected));
}

}  // namespace

TEST_CASE("the first mistake with each kind of message is told at its line by the compiler at hand") {
  std::set<std::string> seen;
  for (const auto& [mistake, expected] : recorded_messages()) {
    if (seen.insert(kind_of(expected)).second) check_mistake(mistake, expected);
  }
  CHECK(seen == std::set<std::string>{"(compiles)", "file", "file:line", "file:line:column"});
}

TEST_CASE("typical mistakes are told at their line by the compiler at hand" * doctest::test_suite("long")) {
  int mistakes = 0;
  for (const auto& [mistake, expected] : recorded_messages()) {
    check_mistake(mistake, expected);
    ++mistakes;
  }
  CHECK(mistakes >= 40);
}

TEST_CASE("every mistake has a message of each compiler") {
  for (const char* compiler : {"g++-12", "clang-14", "nvcc-13"}) {
    CAPTURE(compiler);
    const auto messages = transcript(folder + "messages/" + compiler + ".txt");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".cu") continue;
      CAPTURE(entry.path().string());
      CHECK(messages.count(entry.path().stem().string()) == 1);
      ++files;
    }
    CHECK(messages.size() == files);
  }
}
