// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cli {

using Json = nlohmann::json;

Progress Progress::load(const judge::Workbook& workbook) {
  Progress progress;
  progress.path_ = workbook.build_root + "/progress.json";
  std::ifstream file(progress.path_);
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object()) return progress;
  for (const auto& [name, entry] : json.items()) {
    if (!entry.is_object()) continue;
    try {
      progress.all_[name] = {entry.value("verdict", ""), entry.value("fingerprint", ""), entry.value("attempts", 0u), entry.value("hints", 0u)};
    } catch (const Json::exception&) {
      continue;
    }
  }
  return progress;
}

void Progress::save() const {
  Json json = Json::object();
  for (const auto& [name, entry] : all_) {
    json[name] = {{"verdict", entry.verdict}, {"fingerprint", entry.fingerprint}, {"attempts", entry.attempts}, {"hints", entry.hints}};
  }
  const std::string temporary = fmt::format("{}.{}", path_, getpid());
  errno = 0;
  std::ofstream file(temporary);
  file << json.dump(2) << "\n";
  file.close();
  if (file && std::rename(temporary.c_str(), path_.c_str()) == 0) return;
  // The verdict stands all the same; only `lab list` will not know of it.
  fmt::print(stderr, "lab: this is not remembered: cannot write {}: {}\n", path_, std::strerror(errno));
  std::remove(temporary.c_str());
}

std::string fingerprint_of(const std::string& path) {
  // A folder, a pipe or a device in its place would be an exception, or have no end.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  // FNV-1a, 64 bits: tells versions of a file apart, and guards nothing.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c; file.get(c);) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

State state_of(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise, const ExerciseProgress& progress) {
  const std::string file = workbook.source_file(exercise, judge::Tree::student);
  if (judge::equals_skeleton(file, workbook.skeleton_file(exercise))) return State::not_started;
  if (progress.verdict.empty() || progress.fingerprint != fingerprint_of(file)) return State::changed;
  return progress.verdict == name_of(judge::Verdict::pass) ? State::passed : State::failing;
}

}  // namespace cli
