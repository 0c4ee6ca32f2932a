// SPDX-License-Identifier: MIT
// The verbs of the `lab` program, one file each: a function of its options that returns the exit code. Which
// words on the command line give which options is program.cpp's alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "judge/check.hpp"

namespace cli {

struct ExitCode {
  static constexpr int fine = 0;
  static constexpr int not_passed = 1;  // a verdict other than pass
  static constexpr int usage = 2;       // wrong usage
  static constexpr int machine = 3;     // the machine lacks something
};

struct BenchOptions {
  std::string lab, on, input = "letters", binning = "letters4", sweep;
  std::optional<std::uint64_t> length, seed;
  bool own = false, json = false;
};

struct CheckOptions {
  std::string lab, on;
  bool solution = false, json = false;
  bool all = false;                                  // print every finding, not only the first
  std::optional<std::uint64_t> seed;                 // of the random inputs; without it, a new one each time
  std::function<void(const std::string&)> progress;  // told what is being done; may be empty
  std::function<void(const judge::CheckReport&)> judged;  // told of each exercise's report; may be empty
};

struct CompareOptions {
  std::string lab;
  bool anyway = false;  // before it has passed too
};

struct HintOptions {
  std::string lab;
  bool again = false;
};

struct PredictOptions {
  std::string lab;
  std::optional<std::string> answers;  // of its kind "a,0.5,,b"; without it they are asked for
  bool json = false;
};

struct ProfileOptions {
  std::string lab, on, input = "text", binning = "letters4";
  std::optional<std::uint64_t> length, block, grid, seed;
  bool solution = false, json = false;
};

struct RecordsOptions {
  std::string file;  // empty: the build folder's
  bool csv = false;
};

struct ReportOptions {
  std::string output;   // empty: report/index.html in the build folder
  std::string records;  // empty: the build folder's
};

struct RunOptions {
  std::string lab, on, input = "text", binning = "letters4";
  std::optional<std::uint64_t> length, block, grid, seed;
  bool solution = false, json = false;
  std::optional<std::string> trace;         // the file
  std::optional<std::string> trace_blocks;  // of its kind "0,3-5"
  bool lockstep = false;
};

struct TourOptions {
  std::string input, binning = "letters4", on;
  bool json = false;
};

struct WatchOptions {
  std::optional<std::string> lab;  // without it, the next exercise that is not passed
  std::string on;
  bool solution = false;
};

// Each throws UsageError or MachineError (errors.hpp).
int bench(const BenchOptions& options);
int check(const CheckOptions& options);
int compare(const CompareOptions& options);
int doctor();
int hint(const HintOptions& options);
int list(bool json);
int predict(const PredictOptions& options);
int profile(const ProfileOptions& options);
int records(const RecordsOptions& options);
int reset(const std::string& lab);
int run(const RunOptions& options);
int tour(const TourOptions& options);
int watch(const WatchOptions& options);
int write_report(const ReportOptions& options);

// `lab` without a verb: how far the student is, and what comes next.
int overview();

}  // namespace cli
