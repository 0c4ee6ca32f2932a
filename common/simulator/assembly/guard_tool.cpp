// SPDX-License-Identifier: MIT
// lab-guard ASSEMBLY OBJECT NAMESPACES COMPILER...: adds checks to the assembly of a compiled unit
// (guarded_assembly.hpp), marks atomics whose place is the same for all lanes (uniform_places.hpp), counts
// what basic blocks compute (counted_blocks.hpp), lists how accesses are aligned (known_alignments.hpp), puts
// hooks in place of calls (inlined_hooks.hpp), and has the compiler make the object file of it. NAMESPACES,
// separated by commas, are the harness's. On machines other than x86-64 it counts only.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "os/files.hpp"
#include "simulator/assembly/counted_blocks.hpp"
#include "simulator/assembly/guarded_assembly.hpp"
#include "simulator/assembly/inlined_hooks.hpp"
#include "simulator/assembly/known_alignments.hpp"
#include "simulator/assembly/type_alignments.hpp"
#include "simulator/assembly/uniform_places.hpp"

namespace {

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream rest(list);
  for (std::string part; std::getline(rest, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 5) {
    std::fprintf(stderr, "usage: lab-guard ASSEMBLY OBJECT NAMESPACES COMPILER...\n");
    return 2;
  }
  const std::string input = arguments[1], object = arguments[2], output = object + ".s";
  try {
    const auto compiled = os::read_file(input);
    if (!compiled) throw std::runtime_error("cannot read " + input);
#if defined(__x86_64__)
    const std::string counted = simulator::with_counted_blocks(simulator::with_type_alignments(*compiled));
    const std::vector<std::string> harness = parts_of(arguments[3]);
    const std::string guarded =
        simulator::guarded(simulator::with_uniform_atomics(counted, harness), harness).text;
    os::write_file(output, simulator::with_inlined_hooks(simulator::with_known_alignments(guarded)));
#else
    os::write_file(output, simulator::with_counted_blocks(*compiled));
#endif
  } catch (const std::exception& error) {
    fmt::print(stderr, "lab-guard: {}\n", error.what());
    return 1;
  }
  std::vector<std::string> words(arguments + 4, arguments + argument_count);
  for (const char* word : {"-c", "-x", "assembler", "-o"}) words.emplace_back(word);
  words.push_back(object);
  words.push_back(output);
  std::vector<char*> command;
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);
  execvp(command[0], command.data());
  std::perror(command[0]);
  return 127;
}
