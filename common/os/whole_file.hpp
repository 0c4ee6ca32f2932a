// SPDX-License-Identifier: MIT
// Files that are written whole and put in place at once: whoever reads them finds the old text or the new
// one.
#pragma once

#include <string>

namespace os {

// Throws MachineError if no file can be written there: before a run, which may be long.
void require_writable(const std::string& path);

// Writes all of the text or, if that cannot be, leaves what was there. Throws MachineError: "cannot write
// PATH: why".
void write_whole_file(const std::string& path, const std::string& text);

}  // namespace os
