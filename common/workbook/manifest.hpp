// SPDX-License-Identifier: MIT
// A lab is a folder labs/NN_topic with a file `lab.manifest`, from which the program and the build learn what
// the lab consists of. Number, order and name come from the folder's name; extra labs, xN_topic, follow the
// numbered ones.
//
// The file has lines `key=value`; `#` begins a comment. A value is a list of words separated by blanks, but
// for `title`.
//
//   title       the lab's topic, for readers
//   problem     a folder of common/problems
//   exercises   the students' files, in their order; an exercise's name is its file's stem
//   entry       how the harness calls the file: `kernel` launches it, `sequential` calls it on the CPU
//   output      how many copies of its output a kernel gets: `one` (default) or `one_per_block`
//   sweeps      the sweeps of `lab bench --sweep` that make sense (default: none)
//   technique   the rules that a correct solution has to keep beside being right, RULE or RULE(NUMBER,...);
//   the rules are
//               those of the problem (default: none)
//
// `KEY.EXERCISE=` concerns one exercise alone: words of `sweeps` and `technique` are added to the lab's, any
// other value takes the place of the lab's.
#pragma once

#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace workbook {

// The exercises of the labs below `source_root`, in their order. Throws facts::MachineError, which names file
// and line, what is wrong and what would be right.
std::vector<ExerciseInfo> read_manifests(const std::string& source_root);

// Those of one lab; `lab` is its folder's name.
std::vector<ExerciseInfo> read_manifest(const std::string& source_root, const std::string& lab);

// The variants of these exercises: the files solutions/LAB/variants/EXERCISE-NAME.cu, which share all that
// the exercise's manifest says. Other files there are included by them. Throws facts::MachineError for one
// that is called after no exercise.
std::vector<ExerciseInfo> read_variants(const std::string& source_root,
                                        const std::vector<ExerciseInfo>& exercises);

}  // namespace workbook
