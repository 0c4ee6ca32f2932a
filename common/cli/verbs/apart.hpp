// SPDX-License-Identifier: MIT
// Verbs that are in a program of their own, lab-class, because their code takes as long to compile as all the
// others' together, and the first tour needs none of it: what a lecturer and an instructor call, and the
// report. `lab` shows them in `lab --help`, builds the program when one of them is called, and becomes it.
#pragma once

namespace cli {

class CommandLine;

inline constexpr const char* report_words = "what was measured as a page with plots, for a browser";
inline constexpr const char* demo_words = "demonstrations for a lecture, made from runs of the very kernels";
inline constexpr const char* grade_words = "a folder of submissions into a gradebook";
inline constexpr const char* handout_words = "the tree that students get, without any right answer";

// Puts a verb of lab-class on the command line of `lab`.
void add_apart(CommandLine& line, const char* name, const char* words);

}  // namespace cli
