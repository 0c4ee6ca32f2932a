// SPDX-License-Identifier: MIT
// The sandbox in which a submission is compiled and run: bubblewrap (bwrap), which makes namespaces. Inside
// there are the system, read-only, and the submission's own files; neither the solutions nor other
// submissions, neither the gradebook nor the network, no other process, no terminal and no environment.
#pragma once

#include <optional>
#include <string>

#include "build/runner.hpp"
#include "facts/backend.hpp"
#include "workbook/workbook.hpp"

namespace grade {

// Why there is no sandbox on this machine, and how to get one; nullopt if there is. bwrap that is installed,
// but may not make namespaces, counts as absent.
std::optional<std::string> why_no_sandbox();

// What to put before words that run without a sandbox: the filter of system calls alone, which in the
// sandbox holds too (restrict_tool.cpp).
build::Command restriction(facts::Backend backend);

// What to put before a compiler's words. `folder`: the only one that it may write to, the submission's copy
// and what is made of it.
build::Command compiler_sandbox(const workbook::Workbook& workbook, const std::string& folder);

// What to put before a runner's words: it may write nothing but a temporary folder of its own. `runners`: the
// folder of the submission's runners.
build::Command runner_sandbox(const std::string& runners, facts::Backend backend);

}  // namespace grade
