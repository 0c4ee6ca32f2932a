// SPDX-License-Identifier: MIT
// Hooks that stand in the unit's own code, in place of the calls that the compiler's instrumentation makes:
// most events of a lane are those of the lane before it, at the same place, and there is little to do.
#pragma once

#include <string>

namespace simulator {

// The assembly, for x86-64 as g++ and clang write it, with each call that reports a basic block or a load of
// 1, 2, 4, 8 or 16 bytes, or adds to a word, replaced by what the called function does where the running lane
// joins the row ahead of it (join_basic_block and join_access in recorder.hpp). A called function is free to
// change all registers that are changed here, and flags. Else the function is called at the end of the unit's
// function (simulator_enter_block and simulator_load4 in hooks.cpp, simulator_add in device_functions.cpp),
// with the place at which the call would have returned: that is where the hook ends, and by it the event is
// known.
//
// A basic block with one of these behind it on every way (hook_calls.hpp) is recorded there: the lane joins
// both rows at once where the second one is the first one's follower.
//
// In a loop it is guessed to which row a joined one leads: a row is mostly followed by the one right behind
// it in memory. Else a processor would wait for one row's line of its cache after the other, which takes
// longer than all the rest.
//
// It comes last, for what else is added to the assembly looks at the calls. Throws std::runtime_error where a
// function has no end.
std::string with_inlined_hooks(const std::string& assembly);

}  // namespace simulator
