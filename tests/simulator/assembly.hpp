// SPDX-License-Identifier: MIT
// Assembly as g++ writes it, for tests of what reads it.
#pragma once

#include <string>

namespace assembly {

inline std::string function(const std::string& name, const std::string& body) {
  return "\t.text\n\t.type\t" + name + ", @function\n" + name + ":\n" + body + "\t.size\t" + name + ", .-" +
         name + "\n";
}

}  // namespace assembly
