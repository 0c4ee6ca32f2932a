// SPDX-License-Identifier: MIT
#include "grade/similar.hpp"

#include <algorithm>

#include "grade/code.hpp"
#include "grade/names.hpp"

namespace grade {

namespace {

// How much was written in a text that began as the skeleton. Solving an exercise adds lines alone.
std::size_t own_tokens(const std::string& text, const Texts& skeletons, const std::string& exercise) {
  const auto skeleton = skeletons.find(exercise);
  const std::size_t all = tokens_in(text).size();
  const std::size_t given = skeleton == skeletons.end() ? 0 : tokens_in(skeleton->second).size();
  return all - std::min(all, given);
}

struct Alike {
  std::size_t tokens = 0;
  std::vector<std::size_t> submissions;  // their places in the list
};

}  // namespace

Similarity similarity(const std::vector<std::pair<std::string, Texts>>& submissions, const Texts& skeletons) {
  std::map<std::pair<std::string, std::string>, Alike> alike;  // by exercise and code
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    for (const auto& [exercise, text] : submissions[i].second) {
      const std::size_t tokens = own_tokens(text, skeletons, exercise);
      if (tokens < SimilarityBounds::least_tokens) continue;
      Alike& those = alike[{exercise, code_of(text)}];
      those.tokens = tokens;
      those.submissions.push_back(i);
    }
  }
  Similarity result;
  std::map<std::pair<std::size_t, std::size_t>, SimilarPair> pairs;
  for (const auto& [key, those] : alike) {
    if (those.submissions.size() > SimilarityBounds::most) {
      result.common.push_back({key.first, those.submissions.size()});
      continue;
    }
    for (std::size_t a = 0; a < those.submissions.size(); ++a) {
      for (std::size_t b = a + 1; b < those.submissions.size(); ++b) {
        SimilarPair& pair = pairs[{those.submissions[a], those.submissions[b]}];
        pair.exercises.push_back(key.first);
        pair.tokens += those.tokens;
      }
    }
  }
  for (auto& [places, pair] : pairs) {
    pair.first = submissions[places.first].first;
    pair.second = submissions[places.second].first;
    result.pairs.push_back(std::move(pair));
  }
  std::stable_sort(result.pairs.begin(), result.pairs.end(),
                   [](const SimilarPair& a, const SimilarPair& b) { return a.tokens > b.tokens; });
  return result;
}

std::string similar_csv(const Similarity& similarity) {
  std::string csv = "first,second,exercises,tokens\r\n";
  for (const SimilarPair& pair : similarity.pairs) {
    std::string exercises;
    for (const std::string& exercise : pair.exercises) exercises += (exercises.empty() ? "" : " ") + exercise;
    csv += csv_cell(as_text(pair.first)) + "," + csv_cell(as_text(pair.second)) + "," + csv_cell(exercises) +
           "," + std::to_string(pair.tokens) + "\r\n";
  }
  return csv;
}

}  // namespace grade
