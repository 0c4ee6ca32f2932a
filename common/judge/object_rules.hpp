// SPDX-License-Identifier: MIT
// The rules that a compiled unit is held to, before it may run: what it asks of others, and what would run
// before the harness does.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "os/elf_file.hpp"

namespace judge {

// A place in the object's code or data.
struct ObjectPlace {
  std::uint32_t section;
  std::uint64_t offset;
};

struct ObjectViolation {
  std::string words;  // "fopen is not open to a lab's file"
  std::string rule;   // and the way out, in one sentence
  std::string name;   // by which the student's text knows it: "fopen", "table"
  std::vector<ObjectPlace> places;
};

struct ObjectRules {
  std::string_view problem;
  const std::set<std::string>& of_harness;  // words of the headers that a unit is compiled with
  // The unit's function that runs on the host, such as "launch_shape". Nothing: all of it does, or none of
  // what a kernel runs is in this object.
  std::optional<std::string> host_function = {};
  bool on_gpu = false;
};

// The first violation of each rule by each name.
std::vector<ObjectViolation> violations_in(const os::ElfObject& object, const ObjectRules& rules);

}  // namespace judge
