// SPDX-License-Identifier: MIT
// The protocol between the judge and a runner, over a socket of their own: frames of a length (4 bytes,
// little endian) and a JSON document.
//
//   runner -> judge   Hello, once
//   judge -> runner   RunRequest      } as often as the judge likes; the input's bytes
//   runner -> judge   RunAnswer       } lie in a file that both have open
//
// A runner answers with what happened, never with a verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "facts/counters.hpp"
#include "facts/trace.hpp"
#include "facts/turns.hpp"
#include "facts/verdict.hpp"
#include "model/stream.hpp"
#include "problems/problem.hpp"

namespace runner {

// A frame or its document is not what the protocol says.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Conduct = std::map<std::string, std::uint64_t>;  // counts of the problem's own, see launch_outcome.hpp

struct Hello {
  std::string lab, exercise;
  std::string backend;      // "gpu", "sim" or "cpu"
  std::string device;       // its name
  std::string unavailable;  // why the backend cannot run here; empty: it can
};

// As nvcc has compiled it.
struct KernelRegisters {
  std::string name;        // the linker's
  unsigned registers = 0;  // of a thread
};

// What the timing model wants to know of a launch (model/), on the simulator.
struct StreamRequest {
  // The launch shape is asked for as many elements, whatever the run's length is.
  std::uint64_t length = 0;
  std::optional<unsigned> grid = {}, block = {};  // instead of the exercise's own, as in RunOptions
  // Of the GPU that this is about: what a launch shape may ask for.
  unsigned multiprocessors = 0, threads = 0, blocks = 0, registers = 0, schedulers = 1;
  std::uint64_t shared_bytes = 0;
  std::vector<KernelRegisters> kernels = {};  // those of the file, if it is known what they need
  // Write the instructions of all blocks down; nothing is checked or counted then.
  bool steps = false;
  // Numbers that blocks draw from a counter are dealt out among them, as where they run side by side.
  bool deals_draws = false;
};

// Some blocks of a launch over more elements than could be simulated: where they read (sampled_launch.hpp).
struct BlockSample {
  std::vector<unsigned> places;  // of the blocks in the grid, in thousandths of it
  // Where a block of the exercise's own launch over so many elements has more to do than `part` of them,
  // there are so many blocks that it has as much as that.
  std::uint64_t longest = 0, part = 0;
  std::uint64_t most_accesses = 0;  // of threads: then the launch is given up
};

// What a user may choose of a run. The command line fills it in, and it goes unchanged to the executor.
struct RunOptions {
  // Threads per block instead of the exercise's own number; the grid covers as many threads.
  std::optional<unsigned> block = {};
  // Blocks instead of the exercise's own number.
  std::optional<unsigned> grid = {};
  // On a GPU, of a timed run: a sample finds in the L2 cache what the run before has left there, instead of
  // nothing of the input.
  bool warm_cache = false;
  // The values that the blocks of the first launch leave are wanted too, where the kernel is launched again
  // over them.
  bool parts = false;
  // The rest is for the simulator alone. Counts by place in the program too.
  bool places = false;
  std::optional<unsigned> multiprocessors = {};  // that the launch's shape is told of
  // Blocks whose events are written down, in the first run.
  std::optional<facts::TraceRequest> trace = {};
  // Threads go access by access, in an order drawn from this seed.
  std::optional<std::uint64_t> lockstep_seed = {};
  std::optional<facts::Turns> lockstep_turns = {};  // who of them is preferred
  // A shuffle from a lane that does not take part gives the lane its own value, and not one that no lane has.
  bool absent_lanes_echo = false;
  // Numbers that blocks draw from a counter are dealt out among them (simulator/dealt_draws.hpp).
  bool deals_draws = false;
  // Notes tell of accesses that are wider than a shared array may be aligned to; only who knows how it is
  // declared can tell which of them do harm (simulator/checkers/wide_accesses.hpp).
  bool notes_wide_accesses = false;
  bool conduct_of_values = false;  // the conduct tells, too, what depends on the values in memory
  std::optional<StreamRequest> stream = {};
  // In lockstep, whose access is next, by the threads' numbers in the grid; the seed decides what is left
  // (simulator/launch.hpp).
  std::vector<std::uint64_t> lockstep_order = {};
  std::optional<BlockSample> sample = {};
};

struct RunRequest {
  std::string variant;
  std::uint64_t length = 0;   // of the input, in elements
  unsigned misalignment = 0;  // how many elements after an aligned address the data begins
  RunOptions options = {};
  unsigned warm_ups = 0;    // runs whose results are not looked at, before the first that is
  unsigned samples = 1;     // runs whose results are
  bool timed = false;       // on a GPU and on the CPU: how long each of these takes
  bool same_input = false;  // as in the request before: what was made of it may be used again
  // On the simulator: a kernel that still runs is ended then, and its places are reported.
  std::optional<std::uint64_t> end_after_ms = {};
  bool conduct = false;  // on the simulator: count also how the kernel goes about it
};

// How the run ended where it gave no output.
struct RunFailure {
  enum class Kind {
    launch_error,  // the device refused the launch; the message is in its words
    device_error,  // the kernel ended with an error of the device: a crash
    unending,      // the launches that a run takes would never come to an end; the message says why
    too_large,     // the case does not fit this device's memory: it cannot be judged here
    given_up,      // in lockstep it made more steps than were asked for
  };
  Kind kind;
  std::string message;
};

// How a launch fills a multiprocessor.
struct Occupancy {
  unsigned resident_blocks = 0;    // on a multiprocessor at a time
  unsigned warps = 0;              // in them
  unsigned most_warps = 0;         // that a multiprocessor holds
  unsigned registers = 0;          // of a thread
  std::uint64_t shared_bytes = 0;  // of a block
  std::string limited_by;          // "threads", "blocks", "registers" or "shared memory"
};
// For facts/json_fields.hpp.
template <class Archive>
void fields(Archive& archive, Occupancy& occupancy) {
  archive("resident_blocks", occupancy.resident_blocks);
  archive("warps", occupancy.warps);
  archive("most_warps", occupancy.most_warps);
  archive("registers", occupancy.registers);
  archive("shared_bytes", occupancy.shared_bytes);
  archive("limited_by", occupancy.limited_by);
}

// A run that left no result: a launch that broke a rule leaves no input for another, or the last launch did
// not write its value.
struct Unfinished {
  std::uint64_t launches_run = 0, launches = 0;  // with the one that broke a rule; that a whole run has

  bool operator==(const Unfinished&) const = default;
};

// Of the launch that a StreamRequest asks for, and of the run's own.
struct StreamAnswer {
  unsigned grid = 0, block = 0;  // for its length
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t launches = 1;  // that the run took
  std::uint64_t shared_bytes = 0, common_lines = 0, common_turns = 0, busiest_turns = 0,
                own_pieces = 0;  // as in model::Stream
  std::uint64_t entered_blocks = 0, parted_blocks = 0, went_both_ways = 0, accessed_on_both_ways = 0;
  std::uint64_t made_steps = 0;      // of all warps
  std::vector<unsigned char> steps;  // model::pack(); empty where there were too many for an answer
};

// What the blocks of a BlockSample did.
struct SampledReads {
  std::uint64_t accesses = 0;        // of threads, to whatever memory
  std::uint64_t end = 0;             // behind the last element of the input that was read
  std::uint64_t reads = 0;           // of elements of the input
  bool given_up = false;             // there were more accesses than asked for
  std::vector<std::uint64_t> sites;  // of the first read of the input
};

struct RunAnswer {
  // The distinct results of all runs, the first run's first; of one that is unfinished, what lies where its
  // result would.
  std::vector<problems::Output> outputs;
  std::optional<Unfinished> unfinished = {};
  unsigned grid = 0, block = 0;
  bool asks_multiprocessors = false;        // on the simulator: the launch's shape, for their number
  std::vector<double> times_ms;             // the kernel alone, a sample each; empty unless it was timed
  std::vector<double> clocks_mhz;           // of a GPU's multiprocessors, right after each of these
  std::optional<Occupancy> occupancy = {};  // on a GPU, of a kernel that was timed
  problems::Output parts;  // if asked for: what the first launch left, its beginning if it is long; nothing
                           // if it left gaps
  facts::Counters counters;
  std::map<std::uint64_t, facts::Counters>
      places;                                    // if asked for: by place, as a site is; zeros are left out
  Conduct conduct;                               // empty unless it was asked for
  std::vector<facts::Observation> observations;  // faults besides a wrong output
  std::vector<facts::Observation> notes;         // worth knowing and not wrong
  std::optional<RunFailure> failure;
  std::optional<facts::Trace> trace;        // if it was asked for
  std::optional<StreamAnswer> stream = {};  // the same
  std::optional<SampledReads> sample = {};  // the same
};

std::string encode(const Hello&);
std::string encode(const RunRequest&);
std::string encode(const RunAnswer&);

// Throw ProtocolError.
Hello decode_hello(std::string_view document);
RunRequest decode_request(std::string_view document);
RunAnswer decode_answer(std::string_view document);

constexpr std::size_t frame_header_bytes = 4;
constexpr std::size_t frame_limit_bytes = std::size_t{16} * 1024 * 1024;
// Of a stream: each byte is two digits of an answer, which has something else to say too.
constexpr std::size_t stream_limit_bytes = frame_limit_bytes * 7 / 16;

// The frame around a document, and the length that a frame's header announces.
std::string frame(std::string_view document);
std::size_t announced_length(std::string_view header);

// Blocking, for the runner's side. read_frame gives nothing at the end of the stream.
void write_frame(int descriptor, std::string_view document);
std::optional<std::string> read_frame(int descriptor);

}  // namespace runner
