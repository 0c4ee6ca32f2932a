// SPDX-License-Identifier: MIT
// The backends that an exercise can run on, and the properties by which they differ: code asks for a
// property, not for a name. A new backend is an enumerator, a row of the table, and its folder in runner/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace facts {

// In the order in which a check goes through them.
enum class Backend { sim, gpu, cpu };

struct BackendTraits {
  Backend backend;
  std::string_view name;
  bool launches;        // kernels; else it calls functions, and whoever asks for a backend cannot ask for it
  bool accelerator;     // a device with a clock, memory and a profiler of its own
  bool simulated;       // every access is counted exactly, checked, and can be traced
  bool timed;           // how long a run takes says something
  bool guarded;         // accesses outside an array are seen by the guard zones around it alone
  bool beyond_32_bits;  // fast enough for inputs of more than 2^32 bytes
  std::uint64_t default_length;  // of an input, in bytes
  std::uint64_t piece_bytes;     // longer inputs are counted piece by piece, with a launch for each
  unsigned evidence_runs;        // of a wrong answer, to see whether the next run gives another
  std::uint64_t memory_bytes;    // the most that a runner may hold
  unsigned processes;            // the most that a runner may be; threads count too
  // How many times a runner's time limit may pass by the clock: more than once where it counts the
  // processor's time, of which a busy machine gives it a part.
  int clock_factor;
  std::optional<Backend> judged_on = {};  // the backend whose checkers see more, where it is built
};

namespace bytes {
constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;
}

inline constexpr std::array backend_table{
    // A piece is about a second's work, so that progress shows.
    BackendTraits{.backend = Backend::sim,
                  .name = "sim",
                  .launches = true,
                  .accelerator = false,
                  .simulated = true,
                  .timed = false,
                  .guarded = false,
                  .beyond_32_bits = false,
                  .default_length = 1 * bytes::mib,
                  .piece_bytes = 8 * bytes::mib,
                  .evidence_runs = 2,
                  .memory_bytes = 4 * bytes::gib,
                  .processes = 64,
                  .clock_factor = 4},
    // A piece is what surely fits into memory twice. CUDA's driver maps and starts much of its own.
    BackendTraits{.backend = Backend::gpu,
                  .name = "gpu",
                  .launches = true,
                  .accelerator = true,
                  .simulated = false,
                  .timed = true,
                  .guarded = true,
                  .beyond_32_bits = true,
                  .default_length = 256 * bytes::mib,
                  .piece_bytes = 1 * bytes::gib,
                  .evidence_runs = 3,
                  .memory_bytes = 16 * bytes::gib,
                  .processes = 256,
                  .clock_factor = 1},
    BackendTraits{.backend = Backend::cpu,
                  .name = "cpu",
                  .launches = false,
                  .accelerator = false,
                  .simulated = false,
                  .timed = true,
                  .guarded = true,
                  .beyond_32_bits = false,
                  .default_length = 256 * bytes::mib,
                  .piece_bytes = 1 * bytes::gib,
                  .evidence_runs = 2,
                  .memory_bytes = 4 * bytes::gib,
                  .processes = 64,
                  .clock_factor = 1,
                  .judged_on = Backend::sim},
};

static_assert([] {
  for (std::size_t i = 0; i < backend_table.size(); ++i) {
    if (backend_table[i].backend != static_cast<Backend>(i)) return false;
  }
  return true;
}());

constexpr const BackendTraits& traits_of(Backend backend) {
  return backend_table[static_cast<std::size_t>(backend)];
}
constexpr std::string_view name_of(Backend backend) { return traits_of(backend).name; }

// The first backend that has the property, or has not.
constexpr Backend backend_with(bool BackendTraits::*property, bool has = true) {
  for (const BackendTraits& traits : backend_table) {
    if (traits.*property == has) return traits.backend;
  }
  return Backend::sim;
}
inline constexpr Backend simulator = backend_with(&BackendTraits::simulated);
inline constexpr Backend accelerator = backend_with(&BackendTraits::accelerator);
inline constexpr Backend without_kernels = backend_with(&BackendTraits::launches, false);

constexpr std::optional<Backend> find_backend(std::string_view name) {
  for (const BackendTraits& traits : backend_table) {
    if (traits.name == name) return traits.backend;
  }
  return std::nullopt;
}

}  // namespace facts
