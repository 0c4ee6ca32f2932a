// SPDX-License-Identifier: MIT
#include "cli/tools.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <vector>

#include "workbook_config.hpp"

namespace cli {

namespace {

struct SanitizerTool {
  std::string name, looks_for;
};

std::optional<SanitizerTool> sanitizer_for(const facts::Finding& finding) {
  const SanitizerTool memcheck{"memcheck", "accesses out of bounds"};
  if (finding.verdict == facts::Verdict::out_of_bounds || finding.verdict == facts::Verdict::crash)
    return memcheck;
  if (finding.verdict != facts::Verdict::wrong_answer) return std::nullopt;
  if (finding.diagnosis == "past_the_end") return memcheck;
  if (finding.diagnosis == "uncleared_counters")
    return SanitizerTool{"initcheck", "global memory that is read before it is written"};
  const bool like_a_race = finding.diagnosis.empty() || finding.diagnosis == "not_deterministic" ||
                           finding.diagnosis == "lost_updates";
  return like_a_race ? std::optional(SanitizerTool{"racecheck", "races in shared memory"}) : std::nullopt;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool can_be_run(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

// /opt/nvidia/nsight-compute/2025.3.1 and its neighbours, the newest first.
std::vector<std::string> nsight_compute_folders() {
  std::error_code ignored;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator("/opt/nvidia/nsight-compute", ignored))
    folders.push_back(entry.path());
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

}  // namespace

std::string find_tool(const std::string& name) {
  if (name == "ncu") {
    // A user who names one means no other.
    if (const std::string named = variable("NCU"); !named.empty()) return can_be_run(named) ? named : "";
  }
  std::vector<std::string> folders;
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
  folders.push_back(std::filesystem::path(WORKBOOK_NVCC).parent_path());
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : nsight_compute_folders()) folders.push_back(folder);
  for (const std::string& folder : folders) {
    if (!folder.empty() && can_be_run(folder + "/" + name)) return folder + "/" + name;
  }
  return {};
}

std::string sanitizer_offer(const judge::CheckReport& report, const std::string& sanitizer,
                            const std::string& runner) {
  const auto failed = std::find_if(report.cases.begin(), report.cases.end(),
                                   [](const judge::CaseResult& c) { return !c.findings.empty(); });
  const auto tool = sanitizer_for(report.finding);
  if (!facts::traits_of(report.backend).accelerator || sanitizer.empty() || !tool ||
      failed == report.cases.end())
    return {};
  return fmt::format("  or, for {}: {} --tool {} {} --{} {} --input {} --length {}\n", tool->looks_for,
                     sanitizer, tool->name, runner,
                     problems::find_problem(report.exercise.problem)->variant_option(), failed->what.variant,
                     failed->what.input, failed->what.length);
}

}  // namespace cli
