// SPDX-License-Identifier: MIT
#include "judge/harness_words.hpp"

#include <fmt/core.h>

#include <map>
#include <mutex>
#include <tuple>

#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// All identifiers of a file of the harness and of those that it includes, but for files in `known`.
void add_words(const workbook::Workbook& workbook, const std::string& name, bool on_gpu,
               std::set<std::string>& known, std::set<std::string>& words) {
  // Only units for a GPU include it.
  if (!on_gpu && name == "runner/launch_outcome.hpp") return;
  const auto text = os::read_file(workbook.source_root + "/common/" + name);
  if (!text || !known.insert(name).second) return;
  for (const Token& token : tokens_of(*text).all) {
    if (token.is_name()) words.insert(token.text);
    if (token.kind == Token::Kind::header && token.text.front() == '"')
      add_words(workbook, token.text.substr(1, token.text.size() - 2), on_gpu, known, words);
  }
}

}  // namespace

const HarnessWords& words_of_harness(const workbook::Workbook& workbook, const workbook::Target& target) {
  static std::mutex access;
  static std::map<std::tuple<std::string, std::string, std::string, bool>, HarnessWords> read;
  const std::lock_guard guard(access);
  const bool on_gpu = target.backend == facts::Backend::gpu;
  const auto& [problem, entry] = std::tie(target.exercise.problem, target.exercise.entry);
  const auto [place, is_new] = read.try_emplace({workbook.source_root, problem, entry, on_gpu});
  if (!is_new) return place->second;
  const std::string unit = "problems/" + problem + "/unit/";
  std::set<std::string> known;
  add_words(workbook, unit + "lab.hpp", on_gpu, known, place->second.of_lab);
  add_words(workbook, unit + entry + "_entry.hpp", on_gpu, known, place->second.of_entry);
  for (const char* const name :
       {"atomic_ref", "cooperative_groups", "cooperative_groups_reduce", "cub", "functional", "standard"})
    add_words(workbook, fmt::format("simulator/cuda/{}.hpp", name), on_gpu, known, place->second.of_cuda);
  return place->second;
}

}  // namespace judge
