// SPDX-License-Identifier: MIT
// Which functions and variables of the libraries that a runner is linked with a student's code may use.
#pragma once

#include <string>
#include <vector>

namespace judge {

// Who may use a function. Each may use what those before it may.
enum class OpenTo {
  kernels,
  host,       // what runs beside kernels, such as launch_shape
  functions,  // of the CPU that are the exercise themselves; and the host where nobody sees what it does
  nobody
};

// Of a function or a variable that is neither the unit's own nor the harness's, by the linker's name.
OpenTo library_function(const std::string& linker_name);

// The same for CUDA's runtime, which units for a GPU use.
OpenTo runtime_function(const std::string& linker_name);

// The parts of a C++ name without template arguments and parameters, "std", "thread", "join"; of a name in C
// the name itself.
std::vector<std::string> parts_of_name(const std::string& linker_name);

// "std::thread", "fopen": as a student knows it, without the parts that are the library's own affair.
std::string known_name(const std::string& linker_name);

}  // namespace judge
