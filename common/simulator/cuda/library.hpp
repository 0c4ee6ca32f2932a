// SPDX-License-Identifier: MIT
// The functions of the C library that kernels may call, in a `.cu` file without an include: printf, assert,
// clock, memset, memcpy, memmove. Those that touch memory, and those that ask for some, are functions of the
// simulator in truth, which see what they do (device_functions.cpp, hooks.cpp). For kernels alone: the
// simulator's own files must not include this.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// In the object that is compiled these names stand for the simulator's functions, whoever calls them: the
// kernel, or the compiler for a copied or cleared type.
__asm__(
    ".set memset, __tsan_memset\n"
    ".set memcpy, __tsan_memcpy\n"
    ".set memmove, __tsan_memmove\n"
    ".set malloc, simulator_malloc\n"
    ".set calloc, simulator_calloc\n"
    ".set realloc, simulator_realloc\n"
    ".set _Znwm, simulator_new\n"    // operator new
    ".set _Znam, simulator_new\n");  // operator new[]
