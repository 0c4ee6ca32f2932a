// SPDX-License-Identifier: MIT
// A command that makes a file from others, run only if something that it depends on has changed since: the
// command itself or the content of a file. Time stamps alone decide nothing about files that people edit: a
// file may be replaced by an older one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "os/limited_command.hpp"

namespace build {

struct Step {
  std::vector<std::string> command;
  std::string folder;                     // where it runs; relative paths start there
  std::string record;                     // a file that remembers what the last run depended on
  std::string depfile;                    // which the command writes in the form of Make, or empty
  std::vector<std::string> wrapper = {};  // a tool to run the command under; what it is decides nothing
};

// How a command failed.
struct Failure {
  int code;  // as os::CommandResult has it
  std::string output;
  std::string exceeded;  // the limit for which it was ended, as in "more than 40 s"; empty: none
};

// Whether the step's files are as its last run left them.
bool is_up_to_date(const Step& step);

// Runs the command if that is needed. nullopt if the step's files are up to date then. Throws
// std::system_error if no process can be made, facts::MachineError if the record cannot be written.
std::optional<Failure> run(const Step& step, const os::ToolLimits& limits = {});

// What the last successful run has printed, warnings for the most part.
std::string printed_by(const Step& step);

// The files that the last successful run read or wrote.
std::vector<std::string> files_of(const Step& step);

// The prerequisites in a file of dependencies in the form of Make.
std::vector<std::string> prerequisites(const std::string& depfile_text);

}  // namespace build
