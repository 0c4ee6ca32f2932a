// SPDX-License-Identifier: MIT
#include "cli/tools.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "workbook_config.hpp"

namespace cli {

namespace {

struct SanitizerTool {
  std::string name, looks_for;
};

std::optional<SanitizerTool> sanitizer_for(const judge::Finding& finding) {
  const SanitizerTool memcheck{"memcheck", "accesses out of bounds"};
  if (finding.verdict == judge::Verdict::out_of_bounds || finding.verdict == judge::Verdict::crash) return memcheck;
  if (finding.verdict != judge::Verdict::wrong_answer) return std::nullopt;
  if (finding.diagnosis == "past_the_end") return memcheck;
  if (finding.diagnosis == "uncleared_counters") return SanitizerTool{"initcheck", "global memory that is read before it is written"};
  const bool like_a_race = finding.diagnosis.empty() || finding.diagnosis == "not_deterministic" || finding.diagnosis == "lost_updates";
  return like_a_race ? std::optional(SanitizerTool{"racecheck", "races in shared memory"}) : std::nullopt;
}

}  // namespace

std::string find_tool(const std::string& name) {
  const char* const path = std::getenv("PATH");
  const std::string beside_nvcc = std::filesystem::path(WORKBOOK_NVCC).parent_path().string();
  std::istringstream folders(std::string(path ? path : "") + ":" + beside_nvcc + ":/usr/local/cuda/bin:/opt/nvidia/nsight-compute");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::string sanitizer_offer(const judge::CheckReport& report, const std::string& sanitizer, const std::string& runner) {
  const auto failed = std::find_if(report.cases.begin(), report.cases.end(), [](const judge::CaseResult& c) { return !c.findings.empty(); });
  const auto tool = sanitizer_for(report.finding);
  if (report.backend != judge::Backend::gpu || sanitizer.empty() || !tool || failed == report.cases.end()) return {};
  return fmt::format("  or, for {}: {} --tool {} {} --binning {} --input {} --length {}\n", tool->looks_for, sanitizer, tool->name, runner,
                     failed->what.binning, failed->what.input, failed->what.length);
}

}  // namespace cli
