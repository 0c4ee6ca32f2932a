// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <system_error>

#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"
#include "facts/errors.hpp"
#include "problems/input.hpp"

namespace cli {

namespace {

constexpr const char* lab_words = "04, 4, shared, 05/interleaved ...";
constexpr const char* binning_words = "letters4, letters or bytes";
constexpr const char* json_words = "one JSON document";

// What an option that wants a number accepts: digits, in base 10, and where `unit` is true something behind
// them that another validator understands. CLI11 alone takes -1 for 2^64 - 1, what is too large for the
// largest number, 010 for 8 and "" for an option that is not there.
CLI::Validator whole_number(bool unit = false) {
  return {[unit](std::string& text) -> std::string {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            if (digits == 0 || (digits < text.size() && !unit))
              return fmt::format("\"{}\" is not a whole number", text);
            const std::size_t zeros = std::min(text.find_first_not_of('0'), digits - 1);
            constexpr std::size_t most_digits = 19;  // fewer than those of 2^64
            if (digits - zeros > most_digits) return fmt::format("{} is too large", text);
            text.erase(0, zeros);
            return {};
          },
          ""};
}

// The verb that the command line chose, ready to run; none: `lab` alone.
using Chosen = std::function<int()>;

void add_tour(CLI::App& app, TourOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("tour", "every solution on this machine: correct? how fast? why?");
  verb->add_option("--input", options.input,
                   "a named input or a file; without it, the workbook's own documents");
  verb->add_option("--binning", options.binning, binning_words)->capture_default_str();
  verb->add_option("--on", options.on, "gpu or sim; without it, the GPU where one works");
  verb->add_flag("--json", options.json, json_words);
  verb->callback([&] { chosen = [&] { return tour(options); }; });
}

void add_list(CLI::App& app, bool& json, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand("list", "the labs, their exercises, the state of each");
  verb->add_flag("--json", json, json_words);
  verb->callback([&] { chosen = [&] { return list(json); }; });
}

// What says what is run on which input, the same for every verb that runs one launch.
template <class Options>
void add_run_options(CLI::App& verb, Options& options) {
  verb.add_option("LAB", options.lab, lab_words)->required();
  verb.add_option("--input", options.input,
                  "phrase, letters, bytes, text, same, skewed, runs, sorted, sparse, or a file")
      ->capture_default_str();
  verb.add_option("--length", options.length, "bytes; 4M is 4 x 2^20")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number(true));
  verb.add_option("--binning", options.binning, binning_words)->capture_default_str();
  verb.add_option("--block", options.block, "threads a block; the grid covers as many threads as before")
      ->transform(whole_number());
  verb.add_option("--grid", options.grid, "blocks in the grid")->transform(whole_number());
  verb.add_option("--on", options.on, "gpu or sim; without it, the GPU where one works");
  verb.add_option("--seed", options.seed, "of a random input; without it, 1")->transform(whole_number());
  verb.add_flag("--solution", options.solution, "the reference solution");
  verb.add_flag("--json", options.json, json_words);
}

void add_run(CLI::App& app, RunOptions& options, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand("run", "the histogram of an input, with time and counters");
  add_run_options(*verb, options);
  verb->add_option("--trace", options.trace,
                   "on the simulator: a file for what the warps did, instruction by instruction");
  verb->add_option("--trace-blocks", options.trace_blocks,
                   "which blocks are traced, such as 0,3-5; without it, block 0");
  verb->add_flag(
      "--lockstep", options.lockstep,
      "on the simulator: access by access, in an order drawn from the seed, so that races lose updates");
  verb->callback([&] { chosen = [&] { return run(options); }; });
}

void add_profile(CLI::App& app, ProfileOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("profile", "counters beside the kernel's lines, and against the lab before");
  add_run_options(*verb, options);
  verb->callback([&] { chosen = [&] { return profile(options); }; });
}

void add_check(CLI::App& app, CheckOptions& options, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand("check", "the verdict on a lab, case by case");
  verb->add_option("LAB", options.lab, lab_words)->required();
  verb->add_option("--on", options.on, "gpu or sim; without it, every backend present");
  verb->add_flag("--solution", options.solution, "judge the reference solution");
  verb->add_flag("--all", options.all, "tell everything that was found, not only what comes first");
  verb->add_option("--seed", options.seed, "of the random inputs; without it, a new one each time")
      ->transform(whole_number());
  verb->add_flag("--json", options.json, json_words);
  verb->callback([&] { chosen = [&] { return check(options); }; });
}

void add_bench(CLI::App& app, BenchOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("bench", "all labs against each other, CUB and the limit of reading; sweeps");
  verb->add_option("LAB", options.lab, "with --sweep: the lab that is swept; without it, all");
  verb->add_option("--sweep", options.sweep, "block, grid, length, contention or coarsening");
  verb->add_option("--input", options.input, "a named input, a file, or all")->capture_default_str();
  verb->add_option("--binning", options.binning, "letters4, letters, bytes, or all")->capture_default_str();
  verb->add_option("--length", options.length, "bytes; without it 1 GiB on a GPU, 1 MiB on the simulator")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number(true));
  verb->add_option("--seed", options.seed, "of a random input; without it, 1")->transform(whole_number());
  verb->add_option("--on", options.on, "gpu or sim; without it, the GPU where one works");
  verb->add_flag("--own", options.own, "the student's own labs in place of the solutions");
  verb->add_flag("--json", options.json, json_words);
  verb->callback([&] { chosen = [&] { return bench(options); }; });
}

void add_records(CLI::App& app, RecordsOptions& options, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand("records", "what was measured so far");
  verb->add_option("--file", options.file, "another file of records than the build folder's");
  verb->add_flag("--csv", options.csv, "all of it as comma-separated values");
  verb->callback([&] { chosen = [&] { return records(options); }; });
}

void add_report(CLI::App& app, ReportOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("report", "what was measured as a page with plots, for a browser");
  verb->add_option("--output", options.output, "the file; without it report/index.html in the build folder");
  verb->add_option("--records", options.records, "another file of records than the build folder's");
  verb->callback([&] { chosen = [&] { return write_report(options); }; });
}

void add_compare(CLI::App& app, CompareOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("compare", "after pass: the student's file and the reference solution side by side");
  verb->add_option("LAB", options.lab, lab_words)->required();
  verb->add_flag("--anyway", options.anyway, "before it has passed too");
  verb->callback([&] { chosen = [&] { return compare(options); }; });
}

void add_predict(CLI::App& app, PredictOptions& options, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand(
      "predict", "the lab's questions before the run; lab check sets the answers against what comes out");
  verb->add_option("LAB", options.lab, lab_words)->required();
  verb->add_option("--answers", options.answers,
                   "the answers, such as a,0.5,b; one that is empty skips its question");
  verb->add_flag("--json", options.json, "what was predicted, and what came of it, as one JSON document");
  verb->callback([&] { chosen = [&] { return predict(options); }; });
}

void add_hint(CLI::App& app, HintOptions& options, Chosen& chosen) {
  CLI::App* const verb = app.add_subcommand("hint", "the next hint, one at a time");
  verb->add_option("LAB", options.lab, lab_words)->required();
  verb->add_flag("--again", options.again, "from the first hint again");
  verb->callback([&] { chosen = [&] { return hint(options); }; });
}

void add_reset(CLI::App& app, std::string& lab, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("reset", "the skeleton again; the student's file is kept beside it");
  verb->add_option("LAB", lab, lab_words)->required();
  verb->callback([&] { chosen = [&] { return reset(lab); }; });
}

void add_watch(CLI::App& app, WatchOptions& options, Chosen& chosen) {
  CLI::App* const verb =
      app.add_subcommand("watch", "checks again at every save, and moves on when a lab is passed");
  verb->add_option("LAB", options.lab, std::string(lab_words) + "; without it, the next that is not passed");
  verb->add_option("--on", options.on, "gpu or sim; without it, every backend present");
  verb->add_flag("--solution", options.solution, "watch the reference solution");
  verb->callback([&] { chosen = [&] { return watch(options); }; });
}

void add_doctor(CLI::App& app, Chosen& chosen) {
  app.add_subcommand("doctor", "what this machine has and lacks, and what mends it")->callback([&] {
    chosen = doctor;
  });
}

// What every verb may be told.
struct AllOptions {
  TourOptions tour;
  bool list_json = false;
  RunOptions run;
  ProfileOptions profile;
  CheckOptions check;
  BenchOptions bench;
  RecordsOptions records;
  ReportOptions report;
  CompareOptions compare;
  PredictOptions predict;
  HintOptions hint;
  std::string reset_lab;
  WatchOptions watch;
};

// CLI11 calls an unknown verb an unexpected argument; a user wants to know which there are.
void require_verb(const CLI::App& app, int argument_count, char** arguments) {
  if (argument_count < 2 || arguments[1][0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == arguments[1]) return;
    verbs.push_back(verb->get_name());
  }
  throw facts::UsageError(fmt::format("lab knows no \"{}\"; it knows: {}", arguments[1], join(verbs)));
}

int parse_and_run(int argument_count, char** arguments) {
  CLI::App app{"The parallel histogram, step by step: build, check and run the labs.", "lab"};
  app.require_subcommand(0, 1);
  AllOptions options;
  Chosen chosen = overview;
  add_tour(app, options.tour, chosen);
  add_list(app, options.list_json, chosen);
  add_run(app, options.run, chosen);
  add_check(app, options.check, chosen);
  add_watch(app, options.watch, chosen);
  add_compare(app, options.compare, chosen);
  add_predict(app, options.predict, chosen);
  add_profile(app, options.profile, chosen);
  add_bench(app, options.bench, chosen);
  add_records(app, options.records, chosen);
  add_report(app, options.report, chosen);
  add_hint(app, options.hint, chosen);
  add_reset(app, options.reset_lab, chosen);
  add_doctor(app, chosen);
  require_verb(app, argument_count, arguments);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::fine : ExitCode::usage;
  }
  return chosen();
}

int complain(const char* what, int exit_code) {
  fmt::print(stderr, "lab: {}\n", what);
  return exit_code;
}

// A descriptor from 0 to 2 that is closed would be the next file's that is opened, and what is printed go
// there.
void open_standard_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDWR);
  }
}

// The exit code, unless what was printed has not arrived: a full disk is noticed only now.
int after_printing(int exit_code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_code;
  return complain(fmt::format("cannot write to standard output: {}", std::strerror(errno)).c_str(),
                  ExitCode::machine);
}

}  // namespace

int run_program(int argument_count, char** arguments) {
  open_standard_streams();
  remember_command(argument_count, arguments);
  try {
    return after_printing(parse_and_run(argument_count, arguments));
  } catch (const facts::UsageError& error) {
    return complain(error.what(), ExitCode::usage);
  } catch (const facts::MachineError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const problems::InputError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::system_error& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::bad_alloc&) {
    return complain("this machine has too little memory for that", ExitCode::machine);
  }
}

}  // namespace cli
