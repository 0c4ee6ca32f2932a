// SPDX-License-Identifier: MIT
#include "judge/runner_session.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "judge/presentable.hpp"
#include "judge/undefined_operations.hpp"

namespace judge {

namespace {

using std::chrono::milliseconds;

// The end of the program's output that is kept for messages, in bytes.
constexpr std::size_t kept_output = 2000;

// Patience for each byte of the input on top of the fixed time: the simulator takes about 0.1 microseconds a
// byte.
constexpr double milliseconds_per_byte = 0.001;

// Of the places of one observation, and of observations, an honest runner tells fewer: each is looked up in
// the program.
constexpr std::size_t most_observations = 64, most_sites = 64;

// The longest greeting, and the longest answer without what only a trace, a stream or counts by place take.
constexpr std::size_t longest_greeting = 1 << 16, usual_answer = 1 << 20, bytes_of_sample = 1 << 14;

std::string signal_name(int signal) {
  constexpr std::array<std::pair<int, const char*>, 8> names{{{SIGSEGV, "SIGSEGV"},
                                                              {SIGBUS, "SIGBUS"},
                                                              {SIGFPE, "SIGFPE"},
                                                              {SIGILL, "SIGILL"},
                                                              {SIGABRT, "SIGABRT"},
                                                              {SIGTRAP, "SIGTRAP"},
                                                              {SIGKILL, "SIGKILL"},
                                                              {SIGTERM, "SIGTERM"}}};
  for (const auto& [number, name] : names) {
    if (number == signal) return fmt::format("{} ({})", name, strsignal(signal));
  }
  return fmt::format("signal {}", signal);
}

// A CUDA program finds its driver and its device by these.
const std::vector<std::string> variables_of_cuda{"CUDA_DEVICE_ORDER", "CUDA_MPS_PIPE_DIRECTORY",
                                                 "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"};
const std::vector<std::string> variables_of_tools{"HOME", "PATH", "TMPDIR"};

// A student's code sees nothing of the user's: no tokens, names or paths.
std::vector<std::string> environment_of(const RunnerSettings& settings) {
  std::vector<std::string> names = settings.variables, result;
  if (!settings.wrapper.empty())
    names.insert(names.end(), variables_of_tools.begin(), variables_of_tools.end());
  for (const std::string& name : names) {
    if (const char* const value = std::getenv(name.c_str())) result.push_back(name + "=" + value);
  }
  return result;
}

// A runner's own words in a message.
std::string fit(std::string_view text) { return shortened_text(printable(text)); }

runner::Hello fit(runner::Hello hello) {
  for (std::string* text : {&hello.lab, &hello.exercise, &hello.backend, &hello.device, &hello.unavailable}) {
    *text = fit(*text);
  }
  return hello;
}

runner::Conduct fit(const runner::Conduct& counts) {
  runner::Conduct result;
  for (const auto& [name, count] : counts) result[fit(name)] = count;
  return result;
}

runner::RunAnswer fit(runner::RunAnswer answer) {
  for (auto* list : {&answer.observations, &answer.notes}) {
    list->resize(std::min(list->size(), most_observations));
    for (facts::Observation& observation : *list) {
      observation.message = fit(observation.message);
      observation.sites.resize(std::min(observation.sites.size(), most_sites));
      observation.absent = fit(observation.absent);
      observation.threads.resize(std::min(observation.threads.size(), most_sites));
      observation.roles.resize(std::min(observation.roles.size(), most_sites));
      for (std::string& role : observation.roles) role = fit(role);
    }
  }
  if (answer.failure) answer.failure->message = fit(answer.failure->message);
  if (answer.occupancy) answer.occupancy->limited_by = fit(answer.occupancy->limited_by);
  answer.conduct = fit(answer.conduct);
  if (answer.trace) {
    for (facts::TraceArray& array : answer.trace->arrays) array.name = fit(array.name);
  }
  return answer;
}

}  // namespace

RunnerSession::RunnerSession(RunnerSettings settings, std::shared_ptr<problems::SharedInputFile> input)
    : settings_(std::move(settings)), input_(std::move(input)) {}

RunnerSession::~RunnerSession() {
  if (channel_ >= 0) close(channel_);
}

std::variant<runner::Hello, facts::Finding> RunnerSession::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a channel to the runner");
  }
  channel_ = ends[0];
  fcntl(channel_, F_SETFL, O_NONBLOCK);
  std::vector<std::string> wrapper = settings_.sandbox;
  wrapper.insert(wrapper.end(), settings_.wrapper.begin(), settings_.wrapper.end());
  process_ = std::make_unique<os::SupervisedProcess>(
      os::ProcessArguments{
          .program = settings_.program,
          .arguments = {"--channel", std::to_string(ends[1]), "--data", std::to_string(input_->descriptor())},
          .wrapper = std::move(wrapper),
          .inherited = {ends[1], input_->descriptor()},
          .working_directory = {},
          .environment = environment_of(settings_)},
      settings_.limits);
  close(ends[1]);
  auto received = receive(settings_.start_time, longest_greeting);
  if (auto* finding = std::get_if<facts::Finding>(&received)) return std::move(*finding);
  try {
    return fit(runner::decode_hello(std::get<std::string>(received)));
  } catch (const runner::ProtocolError&) {
    return ended("started with something that is no greeting");
  }
}

milliseconds RunnerSession::patience_for(const runner::RunRequest& request) const {
  // (Of a sample a few blocks are run, whatever the length is.)
  const double runs = request.options.sample ? 0 : request.warm_ups + request.samples;
  return settings_.answer_time + milliseconds(static_cast<std::int64_t>(static_cast<double>(request.length) *
                                                                        runs * milliseconds_per_byte));
}

void RunnerSession::ask(const runner::RunRequest& request) {
  const milliseconds patience = patience_for(request);
  runner::RunRequest sent = request;
  // Time to tell where the kernel was.
  const milliseconds left = settings_.whole ? std::min(patience, settings_.whole->left()) : patience;
  sent.end_after_ms = static_cast<std::uint64_t>(left.count() * 9 / 10);
  const std::string bytes = runner::frame(runner::encode(sent));
  was_asked_ = send(channel_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  asked_ = request;
}

std::variant<runner::RunAnswer, facts::Finding> RunnerSession::answer() {
  if (!was_asked_) return ended("ended before it was asked for a run");
  const runner::RunRequest& request = asked_;
  const bool is_long = request.options.trace || request.options.places ||
                       (request.options.stream && request.options.stream->steps);
  const std::size_t longest =
      std::min(runner::frame_limit_bytes,
               is_long ? runner::frame_limit_bytes : usual_answer + request.samples * bytes_of_sample);
  auto received = receive(patience_for(request) * settings_.clock_factor, longest);
  if (auto* finding = std::get_if<facts::Finding>(&received)) return std::move(*finding);
  drain_output();
  try {
    return fit(runner::decode_answer(std::get<std::string>(received)));
  } catch (const runner::ProtocolError&) {
    return ended("answered with something that is no answer");
  }
}

std::optional<facts::Finding> RunnerSession::hang_up() {
  if (settings_.wrapper.empty() || !process_ || process_->status() < 0) return std::nullopt;
  std::string tool;
  for (const std::string& word : settings_.wrapper) tool += (tool.empty() ? "" : " ") + word;
  shutdown(channel_, SHUT_RDWR);
  const Deadline deadline = std::chrono::steady_clock::now() + settings_.wrapper_time;
  bool ended = false;
  while (!ended) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    std::array<pollfd, 2> sources{
        {{output_ended_ ? -1 : process_->output(), POLLIN, 0}, {process_->status(), POLLIN, 0}}};
    poll(sources.data(), sources.size(), static_cast<int>(left.count() + 1));
    if (!drain_output()) break;
    ended = sources[1].revents != 0;
  }
  const os::Ending ending = process_->stop();
  drain_output();
  if (!ended)
    return facts::Finding{facts::Verdict::timeout,
                          with_output(fmt::format("`{}` did not end after the last answer", tool))};
  if (ending.kind != os::Ending::Kind::exited) return finding_of(ending);
  if (ending.code == 0) return std::nullopt;
  return facts::Finding{facts::Verdict::crash,
                        with_output(fmt::format("`{}` ended with exit code {}", tool, ending.code))};
}

// One frame from the runner, or what became of it instead.
std::variant<std::string, facts::Finding> RunnerSession::receive(milliseconds patience, std::size_t longest) {
  const bool is_last = settings_.whole && settings_.whole->left() < patience;
  if (is_last) patience = settings_.whole->left();
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  std::string received;
  for (;;) {
    try {
      if (received.size() >= runner::frame_header_bytes) {
        const std::size_t length = runner::announced_length(received);
        if (length > longest) return ended("answered with something that is no answer");
        const std::size_t whole = runner::frame_header_bytes + length;
        if (received.size() > whole) return ended("said more than one answer");
        if (received.size() == whole) return received.substr(runner::frame_header_bytes);
      }
    } catch (const runner::ProtocolError&) {
      return ended("answered with something that is no answer");
    }
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      process_->stop();
      return facts::Finding{
          facts::Verdict::timeout,
          with_output(is_last ? settings_.whole->text()
                              : fmt::format("no answer within {:.3g} s",
                                            std::chrono::duration<double>(patience).count()))};
    }
    std::array<pollfd, 3> sources{{{channel_, POLLIN, 0},
                                   {output_ended_ ? -1 : process_->output(), POLLIN, 0},
                                   {process_->status(), POLLIN, 0}}};
    if (poll(sources.data(), sources.size(),
             static_cast<int>(std::min<std::int64_t>(left.count() + 1, 60'000))) < 0)
      continue;
    if (sources[1].revents && !drain_output()) {
      process_->stop();
      return facts::Finding{
          facts::Verdict::limit,
          with_output(fmt::format("it printed more than {} MiB", settings_.limits.output_bytes >> 20))};
    }
    if (sources[0].revents) {
      std::array<char, 65536> buffer;
      const ssize_t got = recv(channel_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got > 0) {
        received.append(buffer.data(), static_cast<std::size_t>(got));
        continue;
      }
      if (got == 0 || (errno != EAGAIN && errno != EINTR)) return ended("ended without an answer");
    } else if (sources[2].revents) {
      return ended("ended without an answer");
    }
  }
}

// Reads what the program has printed; false once it is too much.
bool RunnerSession::drain_output() {
  std::array<char, 65536> buffer;
  pollfd source{process_->output(), POLLIN, 0};
  while (!output_ended_ && poll(&source, 1, 0) > 0) {
    const ssize_t got = read(process_->output(), buffer.data(), buffer.size());
    if (got <= 0) {
      output_ended_ = got == 0 || errno != EINTR;
      break;
    }
    printed_.append(buffer.data(), static_cast<std::size_t>(got));
    if (printed_.size() > kept_output) printed_.erase(0, printed_.size() - kept_output);
    printed_bytes_ += static_cast<std::uint64_t>(got);
    if (printed_bytes_ > settings_.limits.output_bytes) return false;
  }
  return true;
}

// The program is gone, or has to go: why?
facts::Finding RunnerSession::ended(std::string_view meanwhile) {
  pollfd status{process_->status(), POLLIN, 0};
  if (status.fd >= 0) poll(&status, 1, static_cast<int>(settings_.ending_time.count()));
  const os::Ending ending = process_->stop();
  const bool within_limits = drain_output();
  if (!within_limits)
    return {facts::Verdict::limit,
            with_output(fmt::format("it printed more than {} MiB", settings_.limits.output_bytes >> 20))};
  facts::Finding finding = finding_of(ending);
  if (finding.verdict == facts::Verdict::protocol) {
    finding.message = with_output(fmt::format("the program {}{}", meanwhile, finding.message));
  }
  return finding;
}

facts::Finding RunnerSession::finding_of(os::Ending ending) const {
  // bubblewrap passes a signal on as shells do.
  constexpr int of_signals = 128;
  if (!settings_.sandbox.empty() && ending.kind == os::Ending::Kind::exited && ending.code > of_signals)
    ending = {os::Ending::Kind::signalled, ending.code - of_signals};
  const os::Limits& limits = settings_.limits;
  switch (ending.kind) {
    case os::Ending::Kind::over_memory:
      return {facts::Verdict::limit,
              with_output(fmt::format("it took more than {} MiB of memory", limits.memory_bytes >> 20))};
    case os::Ending::Kind::over_processes:
      return {facts::Verdict::limit,
              with_output(fmt::format("it started more than {} processes and threads", limits.processes))};
    case os::Ending::Kind::signalled:
      if (ending.code == SIGXFSZ) {
        return {facts::Verdict::limit,
                with_output(fmt::format("it wrote a file of more than {} MiB", limits.file_bytes >> 20))};
      }
      return {facts::Verdict::crash, with_output("it was ended by " + signal_name(ending.code))};
    case os::Ending::Kind::exited:
      return {facts::Verdict::protocol, fmt::format(" (exit code {})", ending.code)};
    default:
      return {facts::Verdict::protocol, ""};
  }
}

std::string RunnerSession::with_output(std::string message) const {
  if (const std::string printed = output_text(); !printed.empty()) message += "\n" + printed;
  return message;
}

std::string RunnerSession::output_text() const {
  if (printed_.empty()) return "";
  // A kernel's thousands of threads may all print.
  constexpr std::ptrdiff_t most_lines = 8;
  const auto lines = std::count(printed_.begin(), printed_.end(), '\n') + (printed_.back() != '\n');
  std::string text = lines > most_lines ? fmt::format("  it printed much; the last {} lines:", most_lines)
                                        : std::string("  it printed:");
  std::size_t begin = 0;
  for (auto left_out = lines - most_lines; left_out > 0; --left_out) begin = printed_.find('\n', begin) + 1;
  while (begin < printed_.size()) {
    const std::size_t end = std::min(printed_.find('\n', begin), printed_.size());
    text += "\n    " + fit(printed_.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

RunnerSettings runner_settings(const std::string& program, facts::Backend backend) {
  RunnerSettings settings;
  settings.program = program;
  settings.limits.memory_bytes = facts::traits_of(backend).memory_bytes;
  settings.limits.processes = facts::traits_of(backend).processes;
  settings.clock_factor = facts::traits_of(backend).clock_factor;
  if (facts::traits_of(backend).accelerator) settings.variables = variables_of_cuda;
  return settings;
}

RunnerSettings runner_settings(const workbook::Target& target) {
  RunnerSettings settings = runner_settings(target.runner, target.backend);
  const std::string checked = with_checked_operations(target).runner;
  if (access(checked.c_str(), X_OK) == 0) settings.checked_program = checked;
  return settings;
}

std::optional<facts::Finding> start_session(RunnerSession& session) {
  auto greeting = session.start();
  if (auto* finding = std::get_if<facts::Finding>(&greeting)) return std::move(*finding);
  const auto& hello = std::get<runner::Hello>(greeting);
  if (hello.unavailable.empty()) return std::nullopt;
  return facts::Finding{facts::Verdict::unavailable,
                        fmt::format("the backend {} cannot run here: {}", hello.backend, hello.unavailable)};
}

}  // namespace judge
