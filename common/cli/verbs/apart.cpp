// SPDX-License-Identifier: MIT
#include "cli/verbs/apart.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "build/runner.hpp"
#include "cli/command_line.hpp"
#include "facts/errors.hpp"
#include "report/terminal/screen.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

struct ApartOptions {
  char** arguments = nullptr;  // the whole command line, with a null pointer at its end
};

// The build makes lab-class after lab. So an older one, or none, is one that something has changed for.
bool is_built(const std::string& program, const std::string& lab) {
  struct stat own {
  }, other{};
  if (stat(program.c_str(), &own) != 0) return false;
  if (stat(lab.c_str(), &other) != 0) return true;
  return std::pair(own.st_mtim.tv_sec, own.st_mtim.tv_nsec) >=
         std::pair(other.st_mtim.tv_sec, other.st_mtim.tv_nsec);
}

int become_class_program(const ApartOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string program = workbook.build_root + "/lab-class";
  if (!is_built(program, workbook.build_root + "/lab")) {
    report::ProgressBar bar(std::string("lab ") + options.arguments[1]);
    const os::CommandResult built =
        build::update(workbook, {program}, [&](const std::string& step) { bar.update(step); });
    bar.clear();
    if (built.code != 0)
      throw facts::MachineError(std::string("the program for lab ") + options.arguments[1] +
                                " could not be built: " + workbook.ninja + " -C " + workbook.build_root +
                                " lab-class\n" + built.output);
  }
  execv(program.c_str(), options.arguments);
  throw std::system_error(errno, std::generic_category(), program);
}

}  // namespace

void add_apart(CommandLine& line, const char* name, const char* words) {
  auto [verb, options] = line.add<ApartOptions>(name, words, become_class_program);
  options.arguments = line.arguments();
  // What follows, --help too, is the other program's to read.
  verb.set_help_flag();
  verb.prefix_command();
}

}  // namespace cli
