// SPDX-License-Identifier: MIT
#include "judge/runner_session.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "hostile.hpp"
#include "problems/histogram/generators.hpp"
#include "support/outputs.hpp"
#include "temporary_folder.hpp"

using facts::Finding;
using facts::Verdict;
using judge::RunnerSession;
using judge::RunnerSettings;
using std::chrono::milliseconds;

namespace {

const Finding none{Verdict::pass, "no finding"};

// What becomes of a runner that is started.
Finding start(const RunnerSettings& settings) {
  RunnerSession session(settings);
  const auto started = session.start();
  const auto* const finding = std::get_if<Finding>(&started);
  return finding ? *finding : none;
}

runner::RunRequest request_of(std::uint64_t length) {
  runner::RunRequest request;
  request.variant = "letters4";
  request.length = length;
  return request;
}

// What becomes of a runner that greets, and is asked for a run.
Finding ask(const RunnerSettings& settings) {
  RunnerSession session(settings);
  REQUIRE(std::holds_alternative<runner::Hello>(session.start()));
  session.input().write(*histogram::make_input("letters", 100, 1));
  const auto answered = session.run(request_of(100));
  const auto* const finding = std::get_if<Finding>(&answered);
  return finding ? *finding : none;
}

void check_finding(const Finding& finding, Verdict verdict, const std::string& message) {
  CHECK(name_of(finding.verdict) == name_of(verdict));
  CHECK(finding.message == message);
}

RunnerSettings impatient(RunnerSettings settings) {
  settings.start_time = milliseconds(250);
  settings.answer_time = milliseconds(250);
  settings.clock_factor = 1;
  return settings;
}

// Of programs that do not end by themselves.
RunnerSettings without_waiting_for_its_end(RunnerSettings settings) {
  settings.ending_time = milliseconds(50);
  return settings;
}

}  // namespace

TEST_CASE("control: a runner that keeps the protocol gives its greeting and its answers") {
  RunnerSession session(hostile("is honest", {"BLOCK=32"}));
  const auto started = session.start();
  REQUIRE(std::holds_alternative<runner::Hello>(started));
  const auto& hello = std::get<runner::Hello>(started);
  CHECK(hello.lab == "02_global_atomics");
  CHECK(hello.backend == "sim");
  CHECK(hello.unavailable.empty());
  for (const std::uint64_t length : {41, 0, 20}) {
    session.input().write(*histogram::make_input("phrase", length, 0));
    const auto answered = session.run(request_of(length));
    REQUIRE(std::holds_alternative<runner::RunAnswer>(answered));
    const auto& answer = std::get<runner::RunAnswer>(answered);
    const std::vector<Counters32> bins = counters_in(answer.outputs);
    REQUIRE(bins.size() == 1);
    if (length == 41) CHECK(bins[0] == std::vector<std::uint32_t>{5, 5, 6, 10, 10, 1, 1});
    if (length == 0) CHECK(bins[0] == std::vector<std::uint32_t>(7));
    CHECK(answer.block == 32);
    CHECK(answer.counters.at("threads") == length);
  }
  CHECK(session.output_text().empty());
}

TEST_CASE("a program that ends without an answer breaks the protocol, whatever it prints") {
  check_finding(start(hostile("exits")), Verdict::protocol,
                "the program ended without an answer (exit code 0)");
  check_finding(start(hostile("prints PASS")), Verdict::protocol,
                "the program ended without an answer (exit code 0)\n  it printed:\n    PASS");
  check_finding(ask(hostile("ends when asked")), Verdict::protocol,
                "the program ended without an answer (exit code 0)");
}

TEST_CASE("a program that cannot be started breaks the protocol with exit code 127") {
  RunnerSettings settings;
  settings.program = "/nonexistent/runner";
  check_finding(start(settings), Verdict::protocol,
                "the program ended without an answer (exit code 127)\n  it printed:\n"
                "    cannot run /nonexistent/runner: No such file or directory");
}

TEST_CASE("a right answer does not help a runner that ends at the next request, nor whoever asks it again") {
  RunnerSession session(hostile("is honest once"));
  REQUIRE(std::holds_alternative<runner::Hello>(session.start()));
  CHECK(std::holds_alternative<runner::RunAnswer>(session.run(request_of(0))));
  for (const std::string end : {"without an answer", "before it was asked for a run"}) {
    const auto answered = session.run(request_of(0));
    REQUIRE(std::holds_alternative<Finding>(answered));
    check_finding(std::get<Finding>(answered), Verdict::protocol,
                  "the program ended " + end + " (exit code 0)");
  }
}

TEST_CASE("a program that stays silent is stopped") {
  check_finding(start(impatient(hostile("is silent"))), Verdict::timeout, "no answer within 0.25 s");
  check_finding(start(impatient(hostile("stops itself"))), Verdict::timeout, "no answer within 0.25 s");
  check_finding(ask(impatient(hostile("hangs when asked"))), Verdict::timeout, "no answer within 0.25 s");
  check_finding(ask(impatient(hostile("answers by halves"))), Verdict::timeout, "no answer within 0.25 s");
}

TEST_CASE("a signal is a crash that is named") {
  check_finding(start(hostile("segfaults")), Verdict::crash, "it was ended by SIGSEGV (Segmentation fault)");
  check_finding(start(hostile("aborts")), Verdict::crash, "it was ended by SIGABRT (Aborted)");
  check_finding(ask(hostile("segfaults when asked")), Verdict::crash,
                "it was ended by SIGSEGV (Segmentation fault)");
}

TEST_CASE("what is no greeting or no answer breaks the protocol") {
  const std::string no_greeting = "the program started with something that is no greeting";
  const std::string no_answer = "the program answered with something that is no answer";
  check_finding(start(hostile("greets with garbage")), Verdict::protocol, no_greeting + " (exit code 0)");
  check_finding(start(hostile("greets with deep garbage")), Verdict::protocol,
                no_greeting + " (exit code 0)");
  check_finding(start(without_waiting_for_its_end(hostile("greets with garbage and stays"))),
                Verdict::protocol, no_greeting);
  check_finding(start(hostile("greets by halves")), Verdict::protocol,
                "the program ended without an answer (exit code 0)");
  check_finding(start(hostile("announces 4 GiB")), Verdict::protocol, no_answer + " (exit code 0)");
  check_finding(ask(hostile("answers PASS")), Verdict::protocol, no_answer + " (exit code 0)");
  check_finding(ask(hostile("answers twice")), Verdict::protocol,
                "the program said more than one answer (exit code 0)");
}

TEST_CASE("a program that hangs up breaks the protocol, even if it lives on") {
  check_finding(start(without_waiting_for_its_end(hostile("hangs up and stays"))), Verdict::protocol,
                "the program ended without an answer");
}

TEST_CASE("a program that ends its supervisor gets no better verdict") {
  check_finding(start(hostile("kills its parent")), Verdict::protocol, "the program ended without an answer");
}

TEST_CASE("memory is limited, of a process and of all its children together") {
  for (const char* behaviour : {"takes 200 MiB", "has children take 200 MiB"}) {
    CAPTURE(behaviour);
    RunnerSettings settings = hostile(behaviour);
    settings.limits.memory_bytes = 128 << 20;
    check_finding(start(settings), Verdict::limit, "it took more than 128 MiB of memory");
  }
}

TEST_CASE("processes and threads are limited") {
  for (const char* behaviour : {"has 20 children", "has 20 threads"}) {
    CAPTURE(behaviour);
    RunnerSettings settings = hostile(behaviour);
    settings.limits.processes = 8;
    check_finding(start(settings), Verdict::limit, "it started more than 8 processes and threads");
    settings.limits.processes = 30;  // the control
    check_finding(start(impatient(settings)), Verdict::timeout, "no answer within 0.25 s");
  }
}

TEST_CASE("output is limited, and its end is shown") {
  RunnerSettings settings = hostile("prints 2 MiB");
  settings.limits.output_bytes = 1 << 20;
  check_finding(start(settings), Verdict::limit,
                "it printed more than 1 MiB\n  it printed:\n    " + std::string(2000, 'x'));
  settings.limits.output_bytes = 3 << 20;
  check_finding(start(impatient(settings)), Verdict::timeout,
                "no answer within 0.25 s\n  it printed:\n    " + std::string(1992, 'x') + "the end");
}

TEST_CASE("the size of files is limited") {
  const TemporaryFolder folder;
  RunnerSettings settings = hostile("writes 8 MiB", {"FOLDER=" + folder.path()});
  settings.limits.file_bytes = 4 << 20;
  check_finding(start(settings), Verdict::limit, "it wrote a file of more than 4 MiB");
  settings.limits.file_bytes = 9 << 20;
  check_finding(start(settings), Verdict::protocol, "the program ended without an answer (exit code 0)");
}

TEST_CASE("what a program prints cannot command the terminal") {
  check_finding(start(hostile("prints escapes")), Verdict::protocol,
                "the program ended without an answer (exit code 0)\n  it printed:\n"
                "    ?[2J??PASS???31m\tr\xc3\xa9sum\xc3\xa9");
}

TEST_CASE("what a runner says through its channel cannot command the terminal") {
  const std::string command = "\\u001b[2J\\u009b31m\\u0007", harmless = "?[2J?31m?";
  RunnerSession session(
      hostile("answers",
              {"UNAVAILABLE=\x1b[2J",
               R"(ANSWER={"outputs":[],"grid":1,"block":1,"times_ms":[],"counters":{")" + command +
                   R"(":1},"conduct":{")" + command + R"(":1},"observations":[{"kind":"race","message":")" +
                   command + R"(","sites":[],"diagnosis":""}],"failure":{"kind":"too_large","message":")" +
                   command + R"("},"trace":{"arrays":[{"name":")" + command +
                   R"(","shared":false,"bytes":1,"element_bytes":1}],"events":[],"truncated":false}})"}));
  const auto started = session.start();
  REQUIRE(std::holds_alternative<runner::Hello>(started));
  CHECK(std::get<runner::Hello>(started).unavailable == "?[2J");
  const auto answered = session.run(request_of(0));
  REQUIRE(std::holds_alternative<runner::RunAnswer>(answered));
  const auto& answer = std::get<runner::RunAnswer>(answered);
  CHECK(answer.observations.at(0).message == harmless);
  CHECK(answer.failure->message == harmless);
  CHECK(answer.counters.empty());
  CHECK(answer.conduct.begin()->first == harmless);
  CHECK(answer.trace->arrays.at(0).name == harmless);
}

TEST_CASE("a trace that cannot be is no answer, also where none was asked for") {
  const auto answer = [](const std::string& event) {
    return R"(ANSWER={"outputs":[],"grid":1,"block":1,"times_ms":[],"counters":{},"observations":[],"trace":{"arrays":[],"events":[)" +
           event + R"(],"truncated":false}})";
  };
  check_finding(ask(hostile("answers", {answer(R"(["end",[],[],0,0,0,0,0,0,0,0])")})), Verdict::pass,
                none.message);  // control
  check_finding(
      ask(without_waiting_for_its_end(hostile("answers", {answer(R"(["load",[],[],0,0,1,0,1,0,0,0])")}))),
      Verdict::protocol, "the program answered with something that is no answer");
}

TEST_CASE("a runner gets its channel, its data, an empty standard input, and nothing else of the judge's") {
  // Both would be inherited by every program that is started.
  const int secret = open("/dev/null", O_RDONLY), input = dup(STDIN_FILENO);
  int keyboard[2];
  REQUIRE(pipe(keyboard) == 0);
  REQUIRE(write(keyboard[1], "typed", 5) == 5);
  dup2(keyboard[0], STDIN_FILENO);
  check_finding(start(hostile("describes descriptors")), Verdict::protocol,
                "the program ended without an answer (exit code 0)\n  it printed:\n"
                "    2 descriptors, 0 bytes of input");
  dup2(input, STDIN_FILENO);
  for (const int descriptor : {secret, input, keyboard[0], keyboard[1]}) close(descriptor);
}

TEST_CASE("a runner has a session of its own, and no terminal") {
  check_finding(start(hostile("describes its session")), Verdict::protocol,
                "the program ended without an answer (exit code 0)\n  it printed:\n"
                "    a session of its own, no terminal");
}

TEST_CASE("of the environment a runner gets nothing, one for a GPU what CUDA reads") {
  setenv("CUDA_VISIBLE_DEVICES", "3", 1);
  setenv("SECRET", "1", 1);
  const std::string ended = "the program ended without an answer (exit code 0)";
  check_finding(start(judge::runner_settings(hostile_program(), facts::Backend::sim)), Verdict::protocol,
                ended);
  check_finding(start(judge::runner_settings(hostile_program(), facts::Backend::cpu)), Verdict::protocol,
                ended);
  unsetenv("LD_LIBRARY_PATH");
  check_finding(start(judge::runner_settings(hostile_program(), facts::Backend::gpu)), Verdict::protocol,
                ended + "\n  it printed:\n    CUDA_VISIBLE_DEVICES=3");
  unsetenv("CUDA_VISIBLE_DEVICES");
  unsetenv("SECRET");
}

TEST_CASE("the time of a whole check ends a run that may take longer by itself") {
  RunnerSettings settings = hostile("hangs when asked");
  settings.whole = judge::TimeLimit(milliseconds(1000));
  settings.whole->begin();
  check_finding(ask(settings), Verdict::timeout, "the check took more than 1 s");
}

TEST_CASE("an answer that is longer than an honest one is none, unless a trace was asked for") {
  const std::string long_answer =
      "ANSWER={\"outputs\":[],\"grid\":1,\"block\":1,\"times_ms\":[],\"counters\":{},"
      "\"observations\":[],\"padding\":[]"
      "}";
  const auto answered = [&](unsigned repeated, bool traced) {
    RunnerSession session(without_waiting_for_its_end(
        hostile("answers at length", {long_answer, "TIMES=" + std::to_string(repeated)})));
    REQUIRE(std::holds_alternative<runner::Hello>(session.start()));
    runner::RunRequest request = request_of(0);
    if (traced) request.options.trace = facts::TraceRequest{};
    return std::holds_alternative<runner::RunAnswer>(session.run(request));
  };
  CHECK(answered(10, false));
  CHECK_FALSE(answered(20, false));
  CHECK(answered(20, true));
}

TEST_CASE("of what a runner observes no more is looked at than an honest one sees") {
  const std::string one = R"({"kind":"race","message":"a","sites":[],"diagnosis":""})";
  std::string all = one;
  for (int i = 0; i < 99; ++i) all += "," + one;
  RunnerSession session(hostile(
      "answers", {R"(ANSWER={"outputs":[],"grid":1,"block":1,"times_ms":[],"counters":{},"observations":[)" +
                  all + "]}"}));
  REQUIRE(std::holds_alternative<runner::Hello>(session.start()));
  const auto answered = session.run(request_of(0));
  REQUIRE(std::holds_alternative<runner::RunAnswer>(answered));
  CHECK(std::get<runner::RunAnswer>(answered).observations.size() == 64);
}
