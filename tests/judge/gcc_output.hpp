// SPDX-License-Identifier: MIT
// What g++ prints, through ninja, of a kernel with a warning, an error that it explains, and one that follows
// from it.
#pragma once

inline constexpr const char* gcc_output =
    "[1/3] Compiling C++ object labs/02\n"
    "In file included from unit.cpp:2:\n"
    "/book/labs/02/histogram.cu: In function 'void histogram_kernel(const unsigned char*)':\n"
    "/book/labs/02/histogram.cu:3:7: warning: unused variable 'x' [-Wunused-variable]\n"
    "    3 |   int x;\n"
    "/book/labs/02/histogram.cu:4:18: error: 'blokIdx' was not declared in this scope; did you mean "
    "'blockIdx'?\n"
    "    4 |   int position = blokIdx.x\n"
    "      |                  ^~~~~~~\n"
    "/book/labs/02/histogram.cu:9:1: error: expected ';' before '}' token\n"
    "    9 | }\n"
    "ninja: build stopped: subcommand failed.\n";
