// SPDX-License-Identifier: MIT
#include "grade/crew.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "grade/result.hpp"
#include "grade/sha256.hpp"
#include "grade/worker.hpp"
#include "judge/harness_words.hpp"
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

// The judge at hand: the program, what runners are made of, and what each lab asks for.
std::string judge_version(const Settings& settings) {
  const workbook::Workbook& workbook = workbook::here();
  std::vector<std::string> parts{"/proc/self/exe"};
  for (const facts::Backend backend : {settings.backend, workbook.judged_on(facts::without_kernels)})
    parts.push_back(fmt::format("{}/common/build/runner-template.{}", workbook.build_root, name_of(backend)));
  std::vector<std::string> sources;
  for (const std::string folder : {"/common", "/labs"}) {
    for (const auto& entry : files::recursive_directory_iterator(workbook.source_root + folder)) {
      const std::string name = entry.path().filename();
      if (name == "lab.manifest" || (folder == "/common" && name.ends_with(".hpp")))
        sources.push_back(entry.path());
    }
  }
  std::sort(sources.begin(), sources.end());
  parts.insert(parts.end(), sources.begin(), sources.end());
  std::string digests;
  for (const std::string& part : parts) digests += sha256(os::read_file(part).value_or(""));
  return sha256(digests).substr(0, 32);
}

std::string summary_of(const Json& result, const std::vector<workbook::ExerciseInfo>& exercises) {
  const auto passed = std::count_if(exercises.begin(), exercises.end(), [&](const auto& exercise) {
    const Json* const judged = exercise_in(result, exercise);
    return judged && judged->at("verdict") == "pass";
  });
  return fmt::format("{} of {} exercises passed", passed, exercises.size());
}

// Never returns: the worker's process.
[[noreturn]] void work(const Settings& settings, const std::string& name, const std::string& scratch,
                       const std::string& version, pid_t grader) {
  // Who starts again must not meet workers of a grader that was killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != grader) _exit(static_cast<int>(Outcome::fault));
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
    const pid_t grader = getpid(), process = fork();
    if (process == 0) work(settings_, worker.task.name, worker.scratch, version_, grader);
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
      return tell({.name = worker.task.name,
                   .unchanged = unchanged,
                   .summary = result ? summary_of(*result, settings_.exercises) : ""});
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

}  // namespace

void remove_scratch(const std::string& folder) {
  std::error_code none;
  files::remove_all(folder, none);
}

Report judge_all(const Settings& settings, const std::vector<std::string>& names,
                 const std::function<void(const Step&)>& step) {
  // Read here once, and not by each worker anew.
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : settings.exercises) {
    const facts::Backend backend = exercise.launched ? settings.backend : facts::without_kernels;
    judge::words_of_harness(workbook,
                            workbook.target(exercise, workbook::Tree::student, workbook.judged_on(backend)));
  }
  return Crew(settings, names, step).run();
}

}  // namespace grade
