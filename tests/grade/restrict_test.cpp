// SPDX-License-Identifier: MIT
// The system calls that are refused to programs of a submission, in the sandbox and without one.
#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "grade/sandbox.hpp"
#include "os/command.hpp"
#include "temporary_folder.hpp"

namespace {

const std::string caller = workbook::here().build_root + "/tests/grade/system-call";

// What comes of each call behind these words.
std::map<std::string, std::string> answers(const build::Command& before, const std::string& program) {
  std::map<std::string, std::string> all;
  std::istringstream names(os::run_command({caller}).output);
  for (std::string name; std::getline(names, name);) {
    build::Command words = before;
    words.insert(words.end(), {program, name});
    const std::string printed = os::run_command(words).output;
    all[name] = printed.substr(0, printed.find('\n'));
  }
  return all;
}

void check_refused(const std::map<std::string, std::string>& all, bool with_device) {
  CHECK(all.size() >= 22);
  for (const auto& [asked, answer] : all) {
    const std::string& name = asked;
    CAPTURE(name);
    const bool harmless = name == "getpid" || name == "socket of this machine";
    const bool is_socket = name.starts_with("socket");
    const bool is_memory = name == "memfd_create" || name == "shmget" || name == "msgget" ||
                           name == "semget" || name == "mq_open";
    if (with_device && is_memory) {
      CHECK(answer != "EPERM");
    } else if (harmless || (with_device && name == "socket of the network")) {
      CHECK(answer == "made");
    } else if (is_socket) {
      // A device's machine may have no such sockets at all.
      CHECK((with_device || answer == "EAFNOSUPPORT"));
    } else {
      CHECK(answer == (name == "clone3" ? "ENOSYS" : "EPERM"));
    }
  }
}

}  // namespace

TEST_CASE(
    "the filter refuses what no limit reaches: memory files, namespaces, other processes, ways round it") {
  check_refused(answers(grade::restriction(facts::simulator), caller), false);
  check_refused(answers(grade::restriction(facts::Backend::gpu), caller), true);
  // Without it, the caller does make them.
  const auto free = answers({}, caller);
  for (const char* name : {"memfd_create", "getpid", "socket of the network"}) CHECK(free.at(name) == "made");
  CHECK(free.at("clone3") == "EINVAL");
}

TEST_CASE("in the sandbox the filter holds for compilers and runners") {
  if (const auto why = grade::why_no_sandbox()) {
    MESSAGE("left out: " << *why);
    return;
  }
  TemporaryFolder folder;
  const std::string program = folder.path() + "/system-call";
  std::filesystem::copy_file(caller, program);
  check_refused(answers(grade::runner_sandbox(folder.path(), facts::simulator), program), false);
  check_refused(answers(grade::compiler_sandbox(workbook::here(), folder.path()), program), false);
}

TEST_CASE("what a filtered program starts is filtered too, and a program that is missing is said") {
  build::Command words = grade::restriction(facts::simulator);
  words.insert(words.end(), {"sh", "-c", caller + " memfd_create; exit 7"});
  const os::CommandResult result = os::run_command(words);
  CHECK(result.output == "EPERM\n");
  CHECK(result.code == 7);
  words = grade::restriction(facts::simulator);
  words.push_back("/nonexistent");
  const os::CommandResult missing = os::run_command(words);
  CHECK(missing.code == 127);
  CHECK(missing.output == "lab-restrict: cannot run /nonexistent: No such file or directory\n");
}
