// SPDX-License-Identifier: MIT
#include "measure/ncu/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "facts/json_fields.hpp"
#include "judge/source_text.hpp"
#include "measure/records.hpp"
#include "os/command.hpp"
#include "os/files.hpp"

namespace measure {

namespace {

// Where the kernel is launched in a run whose counts are taken, over the input and over what it leaves.
constexpr const char* counted_range = "sample/launch/";

std::string log_of(const NcuJob& job) { return std::filesystem::path(job.report).replace_extension(".log"); }

// The end of what the runner printed: there it says why it failed.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

std::variant<std::vector<ProfiledLaunch>, NcuRefusal> read_back(const NcuJob& job) {
  os::CommandResult page = os::run_command(import_command(job.ncu, job.report, true));
  if (page.code != 0) page = os::run_command(import_command(job.ncu, job.report, false));
  if (page.code != 0) return refusal_of(page.output);
  try {
    std::vector<ProfiledLaunch> launches = read_raw_page(page.output);
    if (launches.empty())
      return NcuRefusal{NcuRefusal::Kind::other_launches, fmt::format("{} holds no launch", job.report)};
    for (const ProfiledLaunch& launch : launches) {
      if (launch.kernel != launches.front().kernel)
        return NcuRefusal{NcuRefusal::Kind::other_launches,
                          fmt::format("{} holds launches of {} and of {}", job.report,
                                      launches.front().kernel, launch.kernel)};
    }
    return launches;
  } catch (const PageError& error) {
    return NcuRefusal{NcuRefusal::Kind::failed, error.what()};
  }
}

using Kind = NcuRefusal::Kind;

// How ncu says why it does not count.
struct Sign {
  std::string_view part;  // of a message of ncu's
  Kind kind;
};

// The first that fits. A program that ends with an error does so because of what stands above it.
constexpr Sign signs[] = {
    {"ERR_NVGPUCTRPERM", Kind::not_permitted},
    {"driver resource was unavailable", Kind::busy},
    {"driver is not compatible", Kind::old_driver},
    {"Profiling is not supported on", Kind::unsupported},
    {"The application returned an error code", Kind::runner_failed},
};

std::string first_error(const std::string& said) {
  constexpr std::string_view mark = "==ERROR== ";
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return said.substr(0, said.find('\n'));
}

}  // namespace

std::vector<std::string> profile_command(const NcuJob& job) {
  // The clock is left as it is, as in all other measurements: locking it takes rights that a student need not
  // have.
  std::vector<std::string> words{job.ncu,
                                 "--clock-control",
                                 "none",
                                 "--target-processes",
                                 "application-only",
                                 "--nvtx",
                                 "--nvtx-include",
                                 counted_range,
                                 "--metrics",
                                 metric_list(),
                                 "--log-file",
                                 log_of(job),
                                 "-f",
                                 "-o",
                                 std::filesystem::path(job.report).replace_extension(),
                                 job.runner,
                                 "--input",
                                 job.input,
                                 "--length",
                                 std::to_string(job.length),
                                 "--" + job.variant_option,
                                 job.variant,
                                 "--seed",
                                 std::to_string(job.seed)};
  for (const auto& [option, value] : {std::pair("--block", job.block), std::pair("--grid", job.grid)}) {
    if (value) words.insert(words.end(), {option, std::to_string(*value)});
  }
  return words;
}

std::vector<std::string> import_command(const std::string& ncu, const std::string& report, bool instances) {
  std::vector<std::string> words{ncu, "--import", report, "--page", "raw", "--csv", "--print-units", "base"};
  if (instances) words.insert(words.end(), {"--print-metric-instances", "details"});
  return words;
}

std::variant<std::vector<ProfiledLaunch>, NcuRefusal> profile_with_ncu(const NcuJob& job) {
  if (job.ncu.empty()) return NcuRefusal{NcuRefusal::Kind::not_found, {}};
  const std::filesystem::path folder = std::filesystem::path(job.report).parent_path();
  std::filesystem::create_directories(folder);
  // One at a time makes reports in a folder; others wait. ncu itself would let them wait too, for the GPU.
  const os::FileLock lock(folder, O_RDONLY | O_DIRECTORY);
  // What an earlier run has left must not be taken for this one's.
  std::filesystem::remove(job.report);
  std::filesystem::remove(log_of(job));
  const os::CommandResult result = os::run_command(profile_command(job));
  const std::string log = os::read_file(log_of(job)).value_or("");
  // Before it has opened its log, ncu speaks to standard output. From then on that is the program's alone.
  const std::string& said = log.empty() ? result.output : log;
  if (said.find("==ERROR== ") != std::string::npos) {
    NcuRefusal refusal = refusal_of(said);
    const std::string last_words = last_line(result.output);
    if (refusal.kind == NcuRefusal::Kind::runner_failed && !last_words.empty()) refusal.words = last_words;
    return refusal;
  }
  if (result.code != 0)
    return NcuRefusal{NcuRefusal::Kind::failed,
                      fmt::format("it ended with {}: {}", result.code, last_line(said))};
  if (!std::filesystem::exists(job.report)) {
    return NcuRefusal{NcuRefusal::Kind::other_launches,
                      fmt::format("no launch in the range {}", counted_range)};
  }
  return read_back(job);
}

NcuRefusal refusal_of(const std::string& said) {
  for (const Sign& sign : signs) {
    if (said.find(sign.part) != std::string::npos) return {sign.kind, first_error(said)};
  }
  return {Kind::failed, first_error(said)};
}

std::string explanation(const NcuRefusal& refusal) {
  switch (refusal.kind) {
    case Kind::not_found:
      return "no ncu: looked at the variable NCU, on PATH, in /usr/local/cuda/bin and below "
             "/opt/nvidia/nsight-compute\n"
             "  it is part of the CUDA Toolkit (Nsight Compute)";
    case Kind::not_permitted:
      return "the driver keeps this GPU's counters to administrators (ERR_NVGPUCTRPERM)\n"
             "  an administrator opens them to all with a file /etc/modprobe.d/nvidia-counters.conf and a "
             "restart; its one line is\n"
             "    options nvidia NVreg_RestrictProfilingToAdminUsers=0\n"
             "  in a container it is the host that has to do so; else start the container with "
             "--cap-add=SYS_ADMIN\n"
             "  https://developer.nvidia.com/ERR_NVGPUCTRPERM";
    case Kind::busy:
      return "another tool has this GPU's counters at the moment, such as DCGM or a second profiler\n"
             "  dcgmi profile --pause gives them free until dcgmi profile --resume";
    case Kind::old_driver:
      return fmt::format(
          "the driver and this ncu do not fit together: {}\n"
          "  a newer driver is needed, or an ncu as old as the driver: NCU=/path/to/ncu names another",
          refusal.words);
    case Kind::unsupported:
      return fmt::format(
          "this ncu cannot count on this GPU: {}\n  ncu --list-chips names those that it knows; "
          "NCU=/path/to/ncu names another ncu",
          refusal.words);
    case Kind::runner_failed:
      return "the program failed under ncu: " + refusal.words;
    case Kind::other_launches:
      return "ncu should have counted the launches of one kernel: " + refusal.words;
    default:
      return "ncu failed: " + refusal.words;
  }
}

namespace {

auto launch_of(const Record& record) {
  return std::tie(record.exercise.lab, record.exercise.name, record.tree, record.input, record.variant,
                  record.length, record.launch.grid, record.launch.block);
}

bool is_profile(const Record& record) {
  return traits_of(record.backend).accelerator && record.passed() &&
         !(record.counters.empty() && record.figures.empty());
}

facts::Counters simulated_of(const Record& measured, const std::vector<Record>& records) {
  if (!measured.simulated.empty()) return measured.simulated;
  const auto found = std::find_if(records.rbegin(), records.rend(), [&](const Record& other) {
    return traits_of(other.backend).simulated && other.passed() && launch_of(other) == launch_of(measured);
  });
  return found == records.rend() ? facts::Counters{} : found->counters;
}

bool is_profile_of(const Record& record, const workbook::ExerciseInfo& exercise) {
  return record.kind == "profile" && record.exercise.is_same(exercise) && record.tree == "solution" &&
         record.passed() && record.machine.gpu.contains("name");
}

}  // namespace

LaunchCounts counts_of(const std::vector<ProfiledLaunch>& launches) {
  LaunchCounts counts{.launches = launches.size()};
  for (const auto& [counter, quantity] : measured_counters()) {
    const auto has = [&quantity = quantity](const ProfiledLaunch& launch) {
      return launch.value(quantity).has_value();
    };
    if (!std::ranges::all_of(launches, has)) continue;
    for (const ProfiledLaunch& launch : launches)
      counts.counters[counter] += static_cast<std::uint64_t>(*launch.value(quantity));
  }
  for (const facts::Quantity& figure : measured_figures()) {
    if (const auto value = launches.front().value(figure)) counts.figures[std::string(figure.name)] = *value;
  }
  return counts;
}

std::string ncu_report(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                       workbook::Tree tree) {
  return workbook.state_file(fmt::format("profiles/{}-{}{}.ncu-rep", exercise.lab, exercise.name,
                                         tree == workbook::Tree::solution ? "-solution" : ""));
}

std::variant<LaunchCounts, NcuRefusal> counted_by_ncu(const workbook::Workbook& workbook,
                                                      const std::string& ncu, const Record& asked,
                                                      workbook::Tree tree, std::optional<unsigned> block,
                                                      std::optional<unsigned> grid) {
  const auto counted = profile_with_ncu({.ncu = ncu,
                                         .runner = workbook.runner(asked.exercise, tree, asked.backend),
                                         .report = ncu_report(workbook, asked.exercise, tree),
                                         .input = asked.input,
                                         .variant_option = std::string(problem_of(asked).variant_option()),
                                         .variant = asked.variant,
                                         .length = asked.length,
                                         .seed = asked.seed.value_or(1),
                                         .block = block,
                                         .grid = grid});
  if (const auto* const refusal = std::get_if<NcuRefusal>(&counted)) return *refusal;
  return counts_of(std::get<std::vector<ProfiledLaunch>>(counted));
}

SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, facts::Counters>& places) {
  std::vector<std::uint64_t> wanted;
  for (const auto& [place, counters] : places) wanted.push_back(place);
  const std::vector<std::optional<facts::Location>> found = judge::line_of_each(program, wanted);
  SourceProfile profile;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // The compiler may have written the path in another way.
    std::error_code ignored;
    const bool in_file =
        found[i] && (found[i]->file == file || std::filesystem::equivalent(found[i]->file, file, ignored));
    facts::Counters& sum = in_file ? profile.lines[found[i]->line] : profile.elsewhere;
    sum += places.at(wanted[i]);
  }
  return profile;
}

std::vector<CountedOnBoth> counted_on_both(const std::vector<Record>& records) {
  std::vector<CountedOnBoth> all;
  for (const Record& record : records) {
    if (!is_profile(record)) continue;
    std::erase_if(all,
                  [&](const CountedOnBoth& other) { return launch_of(other.measured) == launch_of(record); });
    all.push_back({record, simulated_of(record, records)});
  }
  return all;
}

bool is_of_same_input(const Record& one, const Record& other) {
  return one.variant == other.variant && one.input == other.input && one.length == other.length &&
         one.seed == other.seed;
}

std::optional<RecordedProfile> find_recorded_profile(const std::string& folder,
                                                     const workbook::ExerciseInfo& exercise,
                                                     const Record& asked) {
  std::optional<RecordedProfile> best;
  const auto fitness = [&](const Record& record) {
    return std::tuple(record.variant == asked.variant && record.input == asked.input,
                      record.length == asked.length, record.seed == asked.seed, record.time);
  };
  for (const std::string& file : record_files(folder)) {
    for (const nlohmann::ordered_json& json : read_records(file).records) {
      try {
        Record record = record_of(json);
        if (is_profile_of(record, exercise) && (!best || fitness(record) > fitness(best->record)))
          best = RecordedProfile{std::move(record), file};
      } catch (const facts::FieldError&) {
        // A record without what all have is not of this tool's making.
      }
    }
  }
  return best;
}

}  // namespace measure
