// SPDX-License-Identifier: MIT
// A runner as a hostile student might make it. The judge starts it as
//   env HOSTILE=BEHAVIOUR ... hostile-runner --channel N --data M
// and the tables below list the behaviours; without HOSTILE it prints its environment. It knows the protocol
// and the binnings, and nothing of the judge.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "problems/histogram/unit/exercise.hpp"
#include "runner/protocol.hpp"

namespace {

int channel = -1, data = -1;

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// Should the judge forget to end this process, it ends by itself, and the test sees another ending.
[[noreturn]] void rest() {
  alarm(20);
  for (;;) pause();
}

void append_process(const std::string& file) {
  std::FILE* const list = std::fopen(file.c_str(), "a");
  std::fprintf(list, "%d\n", static_cast<int>(getpid()));
  std::fclose(list);
}

// A grandchild in a session of its own, adopted by whoever adopts, that ignores what can be ignored. It and
// this process append their numbers to the file PROCESSES; "ready" is printed when both have.
void make_daemon() {
  int ready[2];
  if (pipe(ready) != 0) std::exit(9);
  append_process(setting("PROCESSES"));
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (const int ignored : {SIGTERM, SIGHUP, SIGINT, SIGPIPE}) signal(ignored, SIG_IGN);
    append_process(setting("PROCESSES"));
    if (write(ready[1], "x", 1) != 1) _exit(9);
    rest();
  }
  char byte;
  if (read(ready[0], &byte, 1) != 1) std::exit(9);
  std::printf("ready\n");
  std::fflush(stdout);
}

void take_memory(std::size_t mebibytes) {
  const std::size_t bytes = mebibytes << 20;
  auto* const memory = static_cast<volatile char*>(std::malloc(bytes));
  for (std::size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
}

void children(int number, void (*live)()) {
  for (int i = 0; i < number; ++i) {
    if (fork() == 0) {
      live();
      rest();
    }
  }
  rest();
}

void write_long_file() {
  std::string name = setting("FOLDER") + "/long-XXXXXX";
  const int file = mkstemp(name.data());
  unlink(name.c_str());
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 8; ++i) {
    if (write(file, block.data(), block.size()) <= 0) std::exit(9);
  }
}

void segfault() {
  void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void describe_descriptors() {
  int open = 0;
  for (int descriptor = 3; descriptor < 1024; ++descriptor) open += fcntl(descriptor, F_GETFD) >= 0;
  char byte;
  std::printf("%d descriptors, %d bytes of input\n", open, static_cast<int>(read(STDIN_FILENO, &byte, 1)));
}

void describe_session() {
  const bool has_terminal = open("/dev/tty", O_RDWR) >= 0;
  std::printf("%s, %s\n", getsid(0) == getpid() ? "a session of its own" : "the judge's session",
              has_terminal ? "a terminal" : "no terminal");
}

void describe_environment() {
  for (char** variable = environ; *variable; ++variable) std::puts(*variable);
}

void raw(const std::string& bytes) {
  if (write(channel, bytes.data(), bytes.size()) < 0) std::exit(9);
}

// Controls of both sets; the letters with accents are none.
constexpr const char* escapes =
    "\x1b[2J\a\x7fPASS\r\b\xc2\x9b"
    "31m\tr\xc3\xa9sum\xc3\xa9";

struct Behaviour {
  const char* name;
  void (*act)();
};

// Instead of a greeting. What returns exits with code 0.
const Behaviour at_start[] = {
    {"exits", [] {}},
    {"prints PASS", [] { std::puts("PASS"); }},
    {"prints escapes", [] { std::puts(escapes); }},
    {"describes descriptors", describe_descriptors},
    {"describes its session", describe_session},
    {"is silent", rest},
    {"stops itself", [] { raise(SIGSTOP); }},
    {"segfaults", segfault},
    {"aborts", [] { std::abort(); }},
    {"kills its parent", [] { kill(getppid(), SIGKILL); }},
    {"greets with garbage", [] { runner::write_frame(channel, "PASS"); }},
    {"greets with deep garbage", [] { runner::write_frame(channel, std::string(1 << 15, '[')); }},
    {"greets with garbage and stays", [] { runner::write_frame(channel, "{}"), rest(); }},
    {"greets by halves", [] { raw(runner::frame("{\"lab\":\"02\"}").substr(0, 9)); }},
    {"announces 4 GiB", [] { raw("\xff\xff\xff\xff{}"); }},
    {"hangs up and stays", [] { close(channel), rest(); }},
    {"takes 200 MiB", [] { take_memory(200), rest(); }},
    {"has children take 200 MiB", [] { children(4, [] { take_memory(50); }); }},
    {"has 20 children", [] { children(20, [] {}); }},
    {"has 20 threads",
     [] {
       std::vector<std::thread> threads;
       for (int i = 0; i < 20; ++i) threads.emplace_back(rest);
       rest();
     }},
    {"prints 2 MiB",
     [] {
       std::puts((std::string(2 << 20, 'x') + "the end").c_str());
       std::fflush(stdout);
       rest();
     }},
    {"writes 8 MiB", write_long_file},
    {"leaves a daemon", make_daemon},
    {"hangs with a daemon", [] { make_daemon(), rest(); }},
    {"kills its parent and hangs with a daemon", [] { make_daemon(), kill(getppid(), SIGKILL), rest(); }},
};

// The judge's next; where it has hung up, this is the end, as of any runner.
runner::RunRequest request() {
  const auto document = runner::read_frame(channel);
  if (!document) _exit(0);
  return runner::decode_request(*document);
}

template <class Binning>
problems::Output count(std::uint64_t length) {
  std::vector<unsigned char> bytes(length);
  if (pread(data, bytes.data(), length, 0) != static_cast<ssize_t>(length)) std::exit(9);
  std::vector<std::uint32_t> bins(Binning::bins);
  for (const unsigned char byte : bytes) {
    if (Binning::bin_of(byte) >= 0) ++bins[static_cast<std::size_t>(Binning::bin_of(byte))];
  }
  problems::Output output(4 * bins.size());
  std::memcpy(output.data(), bins.data(), output.size());
  return output;
}

// The right bins, and made-up numbers: BLOCK threads a block, sample i of i + 1 ms, a thread a byte.
runner::RunAnswer honest_answer(const runner::RunRequest& asked) {
  runner::RunAnswer answer;
  answer.outputs = {asked.variant == Letters4::name  ? count<Letters4>(asked.length)
                    : asked.variant == Letters::name ? count<Letters>(asked.length)
                                                     : count<Bytes>(asked.length)};
  answer.grid = 7;
  answer.block = static_cast<unsigned>(std::strtoul(setting("BLOCK").c_str(), nullptr, 10));
  for (unsigned i = 0; asked.timed && i < asked.samples; ++i) answer.times_ms.push_back(i + 1);
  for (unsigned i = 0; asked.timed && !setting("CLOCK_MHZ").empty() && i < asked.samples; ++i)
    answer.clocks_mhz.push_back(std::stod(setting("CLOCK_MHZ")));
  answer.counters = {{"threads", asked.length}};
  if (asked.conduct) answer.conduct = {{"result_atomics", asked.length}, {"atomic_threads", asked.length}};
  return answer;
}

void answer_honestly() {
  for (;;) runner::write_frame(channel, runner::encode(honest_answer(request())));
}

// The right bins, but for some that are added to the first bin, or to another one.
template <class Added>
void add_to_bins(Added added, unsigned char to = 'a') {
  for (unsigned run = 0;; ++run) {
    const runner::RunRequest asked = request();
    runner::RunAnswer answer = honest_answer(asked);
    const int bin = asked.variant == Letters4::name  ? Letters4::bin_of(to)
                    : asked.variant == Letters::name ? Letters::bin_of(to)
                                                     : to;
    std::uint32_t count;
    unsigned char* const at = answer.outputs[0].data() + 4 * bin;
    std::memcpy(&count, at, 4);
    count += added(run);
    std::memcpy(at, &count, 4);
    runner::write_frame(channel, runner::encode(answer));
  }
}

// After a proper greeting.
const Behaviour when_asked[] = {
    {"is honest", answer_honestly},
    {"is honest once",
     [] { runner::write_frame(channel, runner::encode(honest_answer(request()))), request(); }},
    {"is never the same", [] { add_to_bins([](unsigned) { return static_cast<unsigned>(getpid()); }); }},
    {"counts its runs", [] { add_to_bins([](unsigned run) { return run; }); }},
    {"counts its runs from 1", [] { add_to_bins([](unsigned run) { return run + 1; }); }},
    {"counts a byte too many", [] { add_to_bins([](unsigned) { return 1u; }, histogram::input_guard); }},
    {"ends when asked", [] { request(); }},
    {"hangs when asked", [] { request(), rest(); }},
    {"segfaults when asked", [] { request(), segfault(); }},
    {"answers PASS", [] { request(), runner::write_frame(channel, "\"PASS\""); }},
    {"answers by halves", [] { request(), raw(runner::frame("{\"outputs\":[]}").substr(0, 9)), rest(); }},
    {"answers twice",
     [] {
       const std::string answer = runner::frame(runner::encode(honest_answer(request())));
       raw(answer + answer);
     }},
    // The document ANSWER, with so many times as many blanks.
    {"answers at length",
     [] {
       std::string answer = setting("ANSWER");
       const std::size_t blanks = std::strtoul(setting("TIMES").c_str(), nullptr, 10) * 100'000;
       answer.insert(answer.size() - 1, blanks, ' ');
       for (;;) request(), runner::write_frame(channel, answer);
     }},
    // The document ANSWER, whatever is asked.
    {"answers",
     [] {
       for (;;) request(), runner::write_frame(channel, setting("ANSWER"));
     }},
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 5) {
    channel = std::atoi(arguments[2]);
    data = std::atoi(arguments[4]);
  }
  const std::string wanted = setting("HOSTILE");
  // Without a wrapper nobody can ask for more.
  if (wanted.empty()) return describe_environment(), 0;
  for (const Behaviour& behaviour : at_start) {
    if (wanted == behaviour.name) return behaviour.act(), 0;
  }
  for (const Behaviour& behaviour : when_asked) {
    if (wanted != behaviour.name) continue;
    runner::write_frame(channel, runner::encode(runner::Hello{"02_global_atomics", "histogram", "sim",
                                                              "a device", setting("UNAVAILABLE")}));
    return behaviour.act(), 0;
  }
  std::fprintf(stderr, "no such behaviour: \"%s\"\n", wanted.c_str());
  return 8;
}
