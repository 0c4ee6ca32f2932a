// SPDX-License-Identifier: MIT
// Nothing in common/ but its problems knows what a problem computes: none of its words occurs there.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "workbook/workbook.hpp"

namespace {

constexpr std::array<std::string_view, 12> words_of_problems{
    "bins",       "bin",      "binning",  "binnings",  "histo",         "reduction",
    "reductions", "partials", "farthest", "sum_float", "maximum_float", "minimum_float"};

// CUDA has reductions of its own, over a warp or a block.
bool is_of_cuda(const std::filesystem::path& path, const std::string& word) {
  return word.starts_with("reduction") && path.string().find("/common/simulator/") != std::string::npos;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The first of these words in the line, as a whole word in any case, or nothing. A folder of programs is
// called "bin" too: "/usr/bin".
std::optional<std::string> word_of_problem(const std::string& line) {
  for (auto begin = line.begin(); (begin = std::find_if(begin, line.end(), is_of_word)) != line.end();) {
    const auto end = std::find_if_not(begin, line.end(), is_of_word);
    std::string word(begin, end);
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_folder =
        word == "bin" && ((begin != line.begin() && begin[-1] == '/') || (end != line.end() && *end == '/'));
    if (!is_folder && std::ranges::count(words_of_problems, word) > 0) return word;
    begin = end;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("control: the words are found wherever they stand alone") {
  CHECK(word_of_problem("// of the first bin.") == "bin");
  CHECK(word_of_problem("Bins in use") == "bins");
  CHECK(word_of_problem("options.binning = x;") == "binning");
  CHECK(word_of_problem("\"--binning\"") == "binning");
  CHECK(word_of_problem("binnings()") == "binnings");
  CHECK(word_of_problem("histo[0]") == "histo");
  CHECK(word_of_problem("bin") == "bin");
  CHECK(word_of_problem("the partials of a Reduction") == "partials");
  CHECK(word_of_problem("namespace reduction {") == "reduction");
  CHECK_FALSE(word_of_problem(""));
  CHECK_FALSE(word_of_problem("cubin, bin_of(x), histogram and robin"));
  CHECK_FALSE(word_of_problem("partial results of atomic_reduction"));
  CHECK_FALSE(word_of_problem("#!/bin/sh, /usr/local/cuda/bin"));
}

TEST_CASE("no folder of common/ but problems/ has words of a problem") {
  const std::filesystem::path common = std::filesystem::path(workbook::here().source_root) / "common";
  std::size_t seen = 0;
  for (auto entry = std::filesystem::recursive_directory_iterator(common);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    // Skeletons are the students' files, cut out of the solutions.
    if (entry->path() == common / "problems" || entry->path() == common / "runner/skeletons") {
      entry.disable_recursion_pending();
    }
    if (!entry->is_regular_file()) continue;
    ++seen;
    std::ifstream file(entry->path());
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      const auto word = word_of_problem(line);
      CHECK_MESSAGE((!word || is_of_cuda(entry->path(), *word)), entry->path().string()
                                                                     << ":" << number << ": " << line);
    }
  }
  CHECK(seen > 100);
}
