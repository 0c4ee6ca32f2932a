// SPDX-License-Identifier: MIT
// Counts one launch of a runner's kernel with ncu: the runner by hand, the launch of its sample found by the
// names that it gives its phases (runner/gpu/cuda.hpp), the counts read back from the report that ncu
// keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "measure/ncu/ncu_page.hpp"

namespace measure {

struct NcuJob {
  std::string ncu;     // the program
  std::string runner;  // for a GPU
  std::string report;  // the file to make, NAME.ncu-rep; what ncu says goes into NAME.log beside it
  std::string input, variant_option, variant;
  std::uint64_t length, seed;
  std::optional<unsigned> block, grid;
};

// Why there are no counts.
struct NcuRefusal {
  enum class Kind {
    not_found,       // no ncu here
    not_permitted,   // the driver keeps the counters to administrators
    busy,            // another tool has the counters
    old_driver,      // older than this ncu needs
    unsupported,     // a GPU that this ncu does not know
    runner_failed,   // the program ended with an error
    other_launches,  // not exactly one launch was counted
    failed           // anything else, in ncu's own words
  } kind;
  std::string words;  // ncu's, or the evidence; empty where the kind says it all
};

// The commands, word by word.
std::vector<std::string> profile_command(const NcuJob& job);
// `instances`: with the parts of a metric, which an older ncu does not print.
std::vector<std::string> import_command(const std::string& ncu, const std::string& report, bool instances);

// Counts; an older report of the same name is replaced. Throws std::system_error where no process or folder
// can be made.
std::variant<ProfiledLaunch, NcuRefusal> profile_with_ncu(const NcuJob& job);

// What ncu means by its messages (the lines that begin with ==ERROR==).
NcuRefusal refusal_of(const std::string& said);

// What is the matter and how to mend it, as lines of a message without a line end.
std::string explanation(const NcuRefusal& refusal);

}  // namespace measure
