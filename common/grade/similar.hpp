// SPDX-License-Identifier: MIT
// Pairs of submissions that hold the same code, comments, white space and the choice of names aside: a hint
// to look at them, no verdict. Short exercises leave few ways to be right, so code says something only if
// it is long and few have it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace grade {

// By an exercise's name, such as "05_coarsening/contiguous".
using Texts = std::map<std::string, std::string>;

struct SimilarPair {
  std::string first, second;           // in the order in which the submissions came
  std::vector<std::string> exercises;  // in which they are the same
  std::size_t tokens = 0;              // that both wrote in these, beyond the skeletons
};

struct CommonCode {
  std::string exercise;
  std::size_t submissions = 0;  // that hold the same
};

struct Similarity {
  std::vector<SimilarPair> pairs;  // those with the most code first
  std::vector<CommonCode> common;  // what more submissions hold than `SimilarityBounds::most` is no hint
};

struct SimilarityBounds {
  // The solution of lab 01 has 49 tokens beyond its skeleton, that of lab 02 87, the others 176 and more.
  static constexpr std::size_t least_tokens = 60, most = 5;
};

Similarity similarity(const std::vector<std::pair<std::string, Texts>>& submissions, const Texts& skeletons);

// first,second,exercises,tokens: a row for each pair, in the form of RFC 4180.
std::string similar_csv(const Similarity& similarity);

}  // namespace grade
