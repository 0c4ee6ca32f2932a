// SPDX-License-Identifier: MIT
// Which threads wait at a barrier that others never reach, and under which conditions it stands.
#pragma once

#include <string>

#include "facts/verdict.hpp"
#include "judge/source_structure.hpp"

namespace judge {

// Of a barrier that threads do not reach together; empty if there is nothing to say beside the message.
// Precondition: the finding has a place.
std::string missing_at_barrier(const facts::Finding& finding, const SourceStructure& source);

// Of a barrier that `thread` has not reached: adds the line at which it returned, if only one can be meant,
// and says so.
void add_return(facts::Finding& finding, const std::string& thread);

}  // namespace judge
