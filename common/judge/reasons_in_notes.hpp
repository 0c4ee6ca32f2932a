// SPDX-License-Identifier: MIT
// Notes of a run that are the reasons for a wrong result: a shuffle that reads from a lane which does not
// take part, and a compare-and-swap that fails and is not tried again.
#pragma once

#include <string>
#include <vector>

#include "judge/case.hpp"

namespace judge {

// Gives a wrong answer without a place such a note's as its place and its reason: one of the first case that
// failed, if no case that passed has it, for what a kernel reads or tries and never uses does no harm.
void add_reason(facts::Finding& wrong, const std::vector<CaseResult>& cases, const std::string& program);

// The same, of these notes.
void add_unrepeated_swap(facts::Finding& wrong, const std::vector<facts::Observation>& notes,
                         const std::string& program);

void add_absent_source(facts::Finding& wrong, const facts::Observation& note, const std::string& program);

// The first of these notes that is of a shuffle from a lane which does not take part; null if there is none.
const facts::Observation* absent_source_in(const std::vector<facts::Observation>& notes);

// Whether a note is worth telling only as a reason.
bool is_mere_reason(const facts::Observation& note);

// Leaves out of the notes what has become the reason for such a wrong answer.
void leave_out_reasons(std::vector<facts::Finding>& notes, const std::vector<facts::Finding>& found);

}  // namespace judge
