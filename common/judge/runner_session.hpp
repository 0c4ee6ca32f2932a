// SPDX-License-Identifier: MIT
// The judge's side of a runner: starts it, asks it for runs, and turns whatever becomes of it into an answer
// or a finding.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "facts/verdict.hpp"
#include "judge/time_limit.hpp"
#include "os/supervisor.hpp"
#include "problems/input.hpp"
#include "runner/protocol.hpp"
#include "workbook/workbook.hpp"

namespace judge {

struct RunnerSettings {
  std::string program;
  // The same with checks of undefined operations; empty: there is none (undefined_operations.hpp).
  std::string checked_program = {};
  std::vector<std::string> wrapper;       // a tool to run it under, such as compute-sanitizer
  std::vector<std::string> sandbox = {};  // what to run all of that under; what it ends with says nothing
  // The variables that it gets of the judge's environment; with a wrapper, those that a tool needs come to
  // it.
  std::vector<std::string> variables;
  os::Limits limits;
  std::optional<TimeLimit> whole = {};            // for the whole check, if it has a limit
  std::chrono::milliseconds start_time{20'000};   // until it says hello: a GPU has to be woken up
  std::chrono::milliseconds answer_time{10'000};  // for a request, apart from what its length asks for
  // How many times that may pass by the clock (BackendTraits).
  int clock_factor = 1;
  std::chrono::milliseconds ending_time{
      1000};  // for its end, once it has ended its channel or broken the protocol
  std::chrono::milliseconds wrapper_time{60'000};  // for the wrapper's last words, after the last answer
};

class RunnerSession {
 public:
  // Several sessions may share one input; then it is written once, before any of them is asked for a run over
  // it.
  explicit RunnerSession(RunnerSettings settings, std::shared_ptr<problems::SharedInputFile> input =
                                                      std::make_shared<problems::SharedInputFile>());
  ~RunnerSession();

  // Starts the runner. Its hello, or why there was none.
  std::variant<runner::Hello, facts::Finding> start();

  // Asks for a run over the bytes that input() holds, and does not wait for it: then answer() is called next.
  void ask(const runner::RunRequest& request);
  // Waits for the answer. After a finding the runner is gone.
  std::variant<runner::RunAnswer, facts::Finding> answer();
  std::variant<runner::RunAnswer, facts::Finding> run(const runner::RunRequest& request) {
    ask(request);
    return answer();
  }

  // Hangs up, and waits for the end of the tool that the runner runs under. A finding `crash` where its exit
  // code is not 0, by which tools such as compute-sanitizer tell that they found something; nothing where
  // there is no tool, or the runner is gone already.
  std::optional<facts::Finding> hang_up();

  problems::SharedInputFile& input() { return *input_; }

  // The end of what the program has printed so far, as lines for a message; empty: nothing.
  std::string output_text() const;

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  std::chrono::milliseconds patience_for(const runner::RunRequest& request) const;
  std::variant<std::string, facts::Finding> receive(std::chrono::milliseconds patience, std::size_t longest);
  bool drain_output();
  facts::Finding ended(std::string_view meanwhile);
  facts::Finding finding_of(os::Ending ending) const;
  std::string with_output(std::string message) const;

  RunnerSettings settings_;
  std::shared_ptr<problems::SharedInputFile> input_;
  std::unique_ptr<os::SupervisedProcess> process_;
  runner::RunRequest asked_;
  bool was_asked_ = false;
  int channel_ = -1;
  std::string printed_;
  std::uint64_t printed_bytes_ = 0;
  bool output_ended_ = false;
};

// A runner with the limits for its backend.
RunnerSettings runner_settings(const std::string& program, facts::Backend backend);
RunnerSettings runner_settings(const workbook::Target& target);

// Starts the session's runner. nullopt, or why it cannot be used: no such backend here, or a fault.
std::optional<facts::Finding> start_session(RunnerSession& session);

}  // namespace judge
