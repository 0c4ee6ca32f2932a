// SPDX-License-Identifier: MIT
// A check's finding in the picture: which accesses of a trace it is about, the mark of each where it is
// drawn, and a sentence in the frame in which it happens.
#pragma once

#include <string>
#include <vector>

#include "demo/frame.hpp"

namespace demo {

// Of a race, the first two accesses of its threads that touch the same element with no barrier between them;
// of an uninitialised read, the first one of an element that nobody has written. Empty where the trace holds
// no such accesses: what lies out of bounds is never made.
std::vector<FaultyAccess> faulty_accesses(const facts::Trace& trace, const facts::Finding& finding);

// nullopt: the access is none of the finding's.
std::optional<Mark> mark_of(const Run& run, std::size_t event, unsigned lane);

// Puts the finding of a run into the frames that show it, one after another. A thread that has ended at its
// fault gets a frame of its own behind its last access, if `may_insert`; what belongs to no event of a frame
// is told in the last one.
void show_finding(Demonstration& demonstration, std::size_t run, std::vector<std::size_t>& frames,
                  bool may_insert);

}  // namespace demo
