// SPDX-License-Identifier: MIT
// Typical mistakes of students (mistakes/*.cu), compiled by the compiler at hand: each is told at the line
// and in the words that mistakes/messages has for this compiler; of versions without recorded messages, the
// line alone is compared.
#include <algorithm>
#include <filesystem>

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

void check_mistake(const std::string& mistake, const std::string& expected, bool same_version) {
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
  if (same_version && is_ascii) CHECK(said == first_line(expected));
}

}  // namespace

TEST_CASE("typical mistakes are told at their line by the compiler at hand") {
  const std::string compiler = std::getenv("SIMULATOR_COMPILER_IS");
  const std::string recorded = compiler.rfind("clang", 0) == 0 ? "clang-14" : "g++-12";
  int mistakes = 0;
  for (const auto& [mistake, expected] : transcript(folder + "messages/" + recorded + ".txt")) {
    check_mistake(mistake, expected, compiler == recorded);
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
