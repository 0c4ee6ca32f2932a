// SPDX-License-Identifier: MIT
// Calls the `lab` program of this build, as a user would.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

struct LabResult {
  int code;
  std::string out, err;

  // What it printed, if that is one JSON document and nothing else.
  nlohmann::ordered_json json() const {
    CHECK(err.empty());
    return nlohmann::ordered_json::parse(out);
  }
};

inline std::string read_back(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

// `settings` are variables of the environment, "NAME=value"; `input` is what standard input holds.
inline LabResult lab(const std::vector<std::string>& arguments, const std::vector<std::string>& settings = {},
                     const std::string& input = {}) {
  std::FILE *const in = std::tmpfile(), *const out = std::tmpfile(), *const err = std::tmpfile();
  REQUIRE(in);
  REQUIRE(out);
  REQUIRE(err);
  std::fwrite(input.data(), 1, input.size(), in);
  std::rewind(in);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(in), STDIN_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    for (const std::string& setting : settings) putenv(const_cast<char*>(setting.c_str()));
    const std::string program = workbook::here().build_root + "/lab";
    std::string name = "lab";  // as if the shell had found it
    std::vector<char*> words{name.data()};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    _exit(126);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::fclose(in);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_back(out), read_back(err)};
}

// What is said of arguments that are refused.
inline std::string refusal(const std::vector<std::string>& arguments, int code = 2) {
  const LabResult result = lab(arguments);
  CHECK(result.code == code);
  CHECK(result.out.empty());
  return result.err;
}

// The keys of a JSON object, in their order.
inline std::string keys_of(const nlohmann::ordered_json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) keys += (keys.empty() ? "" : " ") + key;
  return keys;
}

// Whether solutions can be run on the simulator here; else a test that needs it says so and ends.
inline bool can_simulate_solutions() {
  const bool can = workbook::here().has_simulator && workbook::here().has_solutions;
  if (!can) MESSAGE("left out: this build has no simulator, or this tree no solutions/");
  return can;
}
