// SPDX-License-Identifier: MIT
#include "grade/grading.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "build/runner.hpp"
#include "facts/errors.hpp"
#include "grade/documents.hpp"
#include "grade/names.hpp"
#include "grade/points.hpp"
#include "grade/result.hpp"
#include "grade/submission.hpp"
#include "grade/worker.hpp"
#include "os/files.hpp"

namespace grade {

namespace {

namespace files = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// A fault of the machine may pass: memory that others had taken, a process that could not be made.
constexpr unsigned most_attempts = 3;

// A worker that takes longer hangs on the machine; all that a submission may do has narrower limits.
constexpr std::chrono::minutes longest_work{30};

std::string kept_file(const std::string& output) { return output + "/grading.json"; }
std::string points_file(const std::string& output) { return output + "/points.txt"; }

bool is_below(const files::path& path, const files::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

void remove_scratch(const std::string& folder) {
  std::error_code none;
  files::remove_all(folder, none);
}

// The judge at hand: the program, and what runners are made of.
std::string judge_version(const Settings& settings) {
  const workbook::Workbook& workbook = workbook::here();
  std::string versions;
  std::vector<std::string> programs{"/proc/self/exe"};
  for (const facts::Backend backend : {settings.backend, workbook.judged_on(facts::without_kernels)})
    programs.push_back(
        fmt::format("{}/common/build/runner-template.{}", workbook.build_root, name_of(backend)));
  for (const std::string& program : programs) {
    versions += fmt::format("{:016x}", std::hash<std::string>{}(os::read_file(program).value_or("")));
  }
  return versions;
}

void bring_up_to_date(const Settings& settings, const std::function<void(const std::string&)>& building) {
  const workbook::Workbook& workbook = workbook::here();
  for (const facts::Backend backend : {settings.backend, workbook.judged_on(facts::without_kernels)}) {
    if (const auto output = build::update_libraries(workbook, backend, building))
      throw facts::MachineError("the harness cannot be built:\n" + *output);
  }
}

std::string summary_of(const Json& result) {
  const Json& exercises = result.at("exercises");
  const auto passed = std::count_if(exercises.begin(), exercises.end(),
                                    [](const Json& one) { return one.at("verdict") == "pass"; });
  return fmt::format("{} of {} exercises passed", passed, exercises.size());
}

// Never returns: the worker's process.
[[noreturn]] void work(const Settings& settings, const std::string& name, const std::string& scratch,
                       const std::string& version) {
  // Who starts again must not meet workers of a grader that was killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) _exit(static_cast<int>(Outcome::fault));
  if (!std::freopen("/dev/null", "r", stdin)) _exit(static_cast<int>(Outcome::fault));
  // Compilers leave nothing outside of the scratch folder either.
  setenv("TMPDIR", scratch.c_str(), 1);
  setenv("CCACHE_DISABLE", "1", 1);
  std::string fault;
  try {
    _exit(static_cast<int>(judge_submission(settings, name, scratch, version)));
  } catch (const std::exception& error) {
    fault = error.what();
  }
  try {
    os::write_file(scratch + "/fault", fault);
  } catch (const std::exception&) {
    // A disk that is full keeps no message; the exit code says enough.
  }
  _exit(static_cast<int>(Outcome::fault));
}

// Keeps workers at work until every submission is dealt with.
class Crew {
 public:
  Crew(const Settings& settings, const std::vector<std::string>& names,
       const std::function<void(const Step&)>& step)
      : settings_(settings), step_(step), version_(judge_version(settings)), all_(names.size()) {
    for (const std::string& name : names) waiting_.push_back({name, 1});
  }
  ~Crew() {
    for (const auto& [process, worker] : at_work_) kill(process, SIGKILL);
    for (const auto& [process, worker] : at_work_) waitpid(process, nullptr, 0);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  Report run() {
    while (!waiting_.empty() || !at_work_.empty()) {
      while (!waiting_.empty() && at_work_.size() < settings_.jobs) start();
      finish_one();
    }
    return std::move(report_);
  }

 private:
  struct Task {
    std::string name;
    unsigned attempt;
  };
  struct Worker {
    Task task;
    std::string scratch;
    Clock::time_point begin;
  };

  void start() {
    Worker worker{waiting_.front(),
                  fmt::format("{}/job-{}-{}", scratch_folder(settings_.output), getpid(), ++started_),
                  Clock::now()};
    waiting_.pop_front();
    files::create_directories(worker.scratch);
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) work(settings_, worker.task.name, worker.scratch, version_);
    if (process < 0) {
      conclude_attempt(worker, fmt::format("cannot start a process: {}", std::strerror(errno)));
      usleep(100'000);
      return;
    }
    at_work_.emplace(process, std::move(worker));
  }

  void finish_one() {
    while (!at_work_.empty()) {
      int status = 0;
      const pid_t process = waitpid(-1, &status, WNOHANG);
      const auto found = at_work_.find(process);
      if (process > 0 && found != at_work_.end()) {
        const Worker worker = std::move(found->second);
        at_work_.erase(found);
        conclude(worker, status);
        return;
      }
      for (const auto& [number, worker] : at_work_) {
        if (Clock::now() - worker.begin > longest_work) kill(number, SIGKILL);
      }
      usleep(5'000);
    }
  }

  void conclude(const Worker& worker, int status) {
    const bool ended = WIFEXITED(status);
    const int code = ended ? WEXITSTATUS(status) : 0;
    if (ended &&
        (code == static_cast<int>(Outcome::judged) || code == static_cast<int>(Outcome::unchanged))) {
      const bool unchanged = code == static_cast<int>(Outcome::unchanged);
      if (!unchanged) spent_ += std::chrono::duration<double>(Clock::now() - worker.begin).count();
      ++(unchanged ? report_.unchanged : report_.judged);
      remove_scratch(worker.scratch);
      const auto result = read_result(result_file(settings_.output, worker.task.name));
      return tell(
          {.name = worker.task.name, .unchanged = unchanged, .summary = result ? summary_of(*result) : ""});
    }
    const std::string fault =
        !ended ? fmt::format("its worker was ended by signal {}", WTERMSIG(status))
               : os::read_file(worker.scratch + "/fault").value_or("its worker gave no reason");
    conclude_attempt(worker, fault.substr(0, fault.find_last_not_of('\n') + 1));
  }

  void conclude_attempt(const Worker& worker, const std::string& fault) {
    remove_scratch(worker.scratch);
    if (worker.task.attempt < most_attempts) {
      waiting_.push_back({worker.task.name, worker.task.attempt + 1});
      return;
    }
    report_.faults.emplace_back(worker.task.name, fault);
    tell({.name = worker.task.name, .fault = fault});
  }

  void tell(Step step) {
    step.done = ++done_;
    step.all = all_;
    if (report_.judged > 0)
      step.seconds_left = spent_ / static_cast<double>(report_.judged) * static_cast<double>(all_ - done_) /
                          static_cast<double>(settings_.jobs);
    if (step_) step_(step);
  }

  const Settings& settings_;
  const std::function<void(const Step&)>& step_;
  const std::string version_;
  std::deque<Task> waiting_;
  std::map<pid_t, Worker> at_work_;
  Report report_;
  std::size_t all_, done_ = 0, started_ = 0;
  double spent_ = 0;  // seconds of workers that judged
};

std::vector<std::string> chosen(const Settings& settings, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool mine = i % settings.shard.count == settings.shard.index - 1;
    if (settings.only.empty() ? mine : names[i] == settings.only) result.push_back(names[i]);
  }
  if (result.empty() && !settings.only.empty())
    throw facts::UsageError(
        fmt::format("there is no folder \"{}\" in {}", printable_name(settings.only), settings.folder));
  return result;
}

}  // namespace

std::optional<Kept> kept_in(const std::string& output) {
  const auto text = os::read_file(kept_file(output));
  if (!text) return std::nullopt;
  const Json json = Json::parse(*text, nullptr, false);
  try {
    return Kept{json.at("folder"),
                json.at("seed"),
                json.at("backend"),
                {json.at("shard").at("index"), json.at("shard").at("count")},
                json.at("submissions")};
  } catch (const Json::exception&) {
    throw facts::UsageError(kept_file(output) + " is damaged; name another folder with --output");
  }
}

namespace {

void keep(const Settings& settings, const std::string& folder, std::size_t submissions) {
  put(settings.output, kept_file(settings.output),
      dumped({{"folder", folder},
              {"seed", settings.seed},
              {"backend", name_of(settings.backend)},
              {"shard", {{"index", settings.shard.index}, {"count", settings.shard.count}}},
              {"submissions", submissions}}));
}

// Makes the folder, if it may be ours.
void make_output(const std::string& output, bool is_ours) {
  std::error_code none;
  if (!is_ours && files::exists(output, none) &&
      !(files::is_directory(output, none) && files::is_empty(output, none)))
    throw facts::UsageError(
        fmt::format("{} holds other things; name an empty folder, or one that does not exist", output));
  files::create_directories(scratch_folder(output), none);
  if (none) throw facts::MachineError(fmt::format("cannot write to {}: {}", output, none.message()));
}

}  // namespace

void prepare_output(Settings& settings, bool seed_given) {
  std::error_code none;
  settings.folder = files::canonical(settings.folder, none);
  if (none)
    throw facts::UsageError(
        fmt::format("cannot read the folder \"{}\": {}", settings.folder, none.message()));
  settings.output = files::weakly_canonical(settings.output, none);
  if (is_below(settings.output, settings.folder))
    throw facts::UsageError(
        fmt::format("{} lies in {}, where every folder is a submission", settings.output, settings.folder));
  const auto kept = kept_in(settings.output);
  if (kept && kept->folder != as_text(settings.folder))
    throw facts::UsageError(fmt::format("{} holds the grades of {}", settings.output, kept->folder));
  if (kept && kept->backend != name_of(settings.backend))
    throw facts::UsageError(
        fmt::format("{} was graded with --on {}; name another folder", settings.output, kept->backend));
  if (kept && seed_given && kept->seed != settings.seed)
    throw facts::UsageError(fmt::format("{} was graded with another seed, {}", settings.output, kept->seed));
  if (kept && (kept->shard.index != settings.shard.index || kept->shard.count != settings.shard.count))
    throw facts::UsageError(fmt::format("{} holds shard {}/{}; name another folder", settings.output,
                                        kept->shard.index, kept->shard.count));
  if (kept) settings.seed = kept->seed;
  make_output(settings.output, kept.has_value());
  if (!kept) keep(settings, as_text(settings.folder), 0);
}

namespace {

Points points_in(const Settings& settings) {
  const std::string file = points_file(settings.output);
  const auto& exercises = workbook::here().exercises;
  if (!files::exists(file)) put(settings.output, file, points_text({}, exercises));
  const auto text = os::read_file(file);
  if (!text) throw facts::MachineError(fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  return points_from(*text, file, exercises);
}

bool holds_all(const Json& result, const std::vector<workbook::ExerciseInfo>& exercises) {
  return std::all_of(exercises.begin(), exercises.end(),
                     [&](const auto& exercise) { return exercise_in(result, exercise) != nullptr; });
}

}  // namespace

namespace {

// Writes gradebook, JUnit and the pages from the results that lie in these folders of OUT. Returns how many
// there are.
std::size_t write_documents(const Settings& settings, const std::vector<std::string>& folders) {
  const Points points = points_in(settings);
  const Scheme scheme{workbook::here(), settings.exercises, points};
  const std::string& output = settings.output;
  std::map<std::string, std::pair<std::string, std::string>> rows;  // by name: of the gradebook, of JUnit
  for (const std::string& folder : folders) {
    const std::string place = output + "/submissions/" + folder;
    const auto result = read_result(place + "/result.json");
    if (!result || !holds_all(*result, settings.exercises)) continue;
    rows[result->at("submission")] = {csv_row(*result, scheme), junit_suite(*result, scheme)};
    put(output, place + "/feedback.html", feedback_page(*result, scheme));
    put(output, place + "/results.json", gradescope_document(*result, scheme));
  }
  std::string gradebook = csv_header(scheme), junit = junit_begin;
  for (const auto& [name, row] : rows) {
    gradebook += row.first;
    junit += row.second;
  }
  put(output, output + "/junit.xml", junit + junit_end);
  put(output, output + "/gradebook.csv", gradebook);
  return rows.size();
}

// The shards' memories; throws facts::UsageError if they are not those of one grading.
std::vector<Kept> kept_of_shards(const std::vector<std::string>& shards) {
  std::vector<Kept> all;
  for (const std::string& shard : shards) {
    const auto kept = kept_in(shard);
    if (!kept) throw facts::UsageError(fmt::format("{} holds no grades", shard));
    if (kept->shard.count != shards.size())
      throw facts::UsageError(fmt::format("{} is shard {}/{}, but {} folders are to be merged", shard,
                                          kept->shard.index, kept->shard.count, shards.size()));
    for (const Kept& other : all) {
      if (other.shard.index == kept->shard.index)
        throw facts::UsageError(fmt::format("{}: shard {} is there twice", shard, kept->shard.index));
      if (other.seed != kept->seed || other.backend != kept->backend)
        throw facts::UsageError(
            fmt::format("{} was graded with another seed or backend than the others", shard));
    }
    all.push_back(*kept);
  }
  return all;
}

}  // namespace

Report merge(Settings& settings, const std::vector<std::string>& shards) {
  std::error_code none;
  settings.output = files::weakly_canonical(settings.output, none);
  const std::vector<Kept> all = kept_of_shards(shards);
  const auto kept = kept_in(settings.output);
  if (kept && (kept->seed != all.front().seed || kept->shard.count != 1))
    throw facts::UsageError(fmt::format("{} holds other grades", settings.output));
  settings.seed = all.front().seed;
  settings.backend = facts::find_backend(all.front().backend).value_or(facts::simulator);
  make_output(settings.output, kept.has_value());
  Report report;
  std::size_t wanted = 0;
  for (const Kept& one : all) wanted += one.submissions;
  keep(settings, all.front().folder, wanted);
  std::vector<std::string> folders;
  for (const std::string& shard : shards) {
    for (const auto& entry : files::directory_iterator(shard + "/submissions", none)) {
      const auto text = os::read_file(entry.path() / "result.json");
      if (!text) continue;
      folders.push_back(entry.path().filename());
      put(settings.output, settings.output + "/submissions/" + folders.back() + "/result.json", *text);
    }
  }
  report.rows = write_documents(settings, folders);
  if (report.rows < wanted)
    report.faults.emplace_back(fmt::format("{} submissions", wanted - report.rows),
                               "their shard has no result");
  remove_scratch(scratch_folder(settings.output));
  return report;
}

Report grade_class(const Settings& settings, const std::function<void(const std::string&)>& building,
                   const std::function<void(const Step&)>& step) {
  const os::FileLock lock(settings.output + "/.lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + settings.output);
  remove_scratch(scratch_folder(settings.output));
  files::create_directories(scratch_folder(settings.output));
  points_in(settings);  // a mistake there is told before the work, not after it
  const Listing listing = submissions_in(settings.folder);
  const std::vector<std::string> names = chosen(settings, listing.submissions);
  if (settings.only.empty()) keep(settings, as_text(settings.folder), names.size());
  bring_up_to_date(settings, building);
  Report report = Crew(settings, names, step).run();
  report.others = listing.others;
  std::vector<std::string> folders;
  for (const std::string& name : listing.submissions) folders.push_back(file_name_of(name));
  report.rows = write_documents(settings, folders);
  remove_scratch(scratch_folder(settings.output));
  return report;
}

}  // namespace grade
