// SPDX-License-Identifier: MIT
// What ncu means when it does not count, and what its user can do.
#include <fmt/core.h>

#include <sstream>

#include "measure/ncu/ncu.hpp"

namespace measure {

namespace {

using Kind = NcuRefusal::Kind;

struct Sign {
  std::string_view part;  // of a message of ncu's
  Kind kind;
};

// The first that fits. A program that ends with an error does so because of what stands above it.
constexpr Sign signs[] = {
    {"ERR_NVGPUCTRPERM", Kind::not_permitted},
    {"driver resource was unavailable", Kind::busy},
    {"driver is not compatible", Kind::old_driver},
    {"Profiling is not supported on", Kind::unsupported},
    {"The application returned an error code", Kind::runner_failed},
};

std::string first_error(const std::string& said) {
  constexpr std::string_view mark = "==ERROR== ";
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return said.substr(0, said.find('\n'));
}

}  // namespace

NcuRefusal refusal_of(const std::string& said) {
  for (const Sign& sign : signs) {
    if (said.find(sign.part) != std::string::npos) return {sign.kind, first_error(said)};
  }
  return {Kind::failed, first_error(said)};
}

std::string explanation(const NcuRefusal& refusal) {
  switch (refusal.kind) {
    case Kind::not_found:
      return "no ncu: looked at the variable NCU, on PATH, in /usr/local/cuda/bin and below "
             "/opt/nvidia/nsight-compute\n"
             "  it is part of the CUDA Toolkit (Nsight Compute)";
    case Kind::not_permitted:
      return "the driver keeps this GPU's counters to administrators (ERR_NVGPUCTRPERM)\n"
             "  an administrator opens them to all with a file /etc/modprobe.d/nvidia-counters.conf and a "
             "restart; its one line is\n"
             "    options nvidia NVreg_RestrictProfilingToAdminUsers=0\n"
             "  in a container it is the host that has to do so; else start the container with "
             "--cap-add=SYS_ADMIN\n"
             "  https://developer.nvidia.com/ERR_NVGPUCTRPERM";
    case Kind::busy:
      return "another tool has this GPU's counters at the moment, such as DCGM or a second profiler\n"
             "  dcgmi profile --pause gives them free until dcgmi profile --resume";
    case Kind::old_driver:
      return fmt::format(
          "the driver and this ncu do not fit together: {}\n"
          "  a newer driver is needed, or an ncu as old as the driver: NCU=/path/to/ncu names another",
          refusal.words);
    case Kind::unsupported:
      return fmt::format(
          "this ncu cannot count on this GPU: {}\n  ncu --list-chips names those that it knows; "
          "NCU=/path/to/ncu names another ncu",
          refusal.words);
    case Kind::runner_failed:
      return "the program failed under ncu: " + refusal.words;
    case Kind::other_launches:
      return "ncu should have counted one launch: " + refusal.words;
    default:
      return "ncu failed: " + refusal.words;
  }
}

}  // namespace measure
