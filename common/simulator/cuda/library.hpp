// SPDX-License-Identifier: MIT
// The functions of the C library that kernels may call, in a `.cu` file without an include: printf, assert,
// clock, memset, memcpy, memmove. Those that touch memory, and those that ask for some, are functions of the
// simulator in truth, which see what they do (device_functions.cpp, hooks.cpp). For kernels alone: the
// simulator's own files must not include this.
#pragma once

#include <string.h>  // not <cstring>: without an include nvcc has memcpy, and no std::memcpy

#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using std::nullptr_t;  // which <cstddef> declares with g++ alone

// The toolkit that a file may ask for: the one whose names there are.
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

// In the object that is compiled these names stand for the simulator's functions, whoever calls them: the
// kernel, or the compiler for a copied or cleared type. clang calls those that copy memory for vectors, too.
#ifdef __clang__
__asm__(
    ".set memset, __tsan_memset\n"
    ".set memcpy, __tsan_memcpy\n"
    ".set memmove, __tsan_memmove\n");
#else
__asm__(
    ".set memset, simulator_memset\n"
    ".set memcpy, simulator_memcpy\n"
    ".set memmove, simulator_memmove\n");
#endif
__asm__(
    ".set malloc, simulator_malloc\n"
    ".set calloc, simulator_calloc\n"
    ".set realloc, simulator_realloc\n"
    ".set free, simulator_free\n"
    ".set aligned_alloc, simulator_aligned_alloc\n"
    ".set _Znwm, simulator_new\n"  // operator new, operator new[]
    ".set _Znam, simulator_new\n"
    ".set _ZnwmRKSt9nothrow_t, simulator_new_nothrow\n"
    ".set _ZnamRKSt9nothrow_t, simulator_new_nothrow\n"
    ".set _ZnwmSt11align_val_t, simulator_new_aligned\n"
    ".set _ZnamSt11align_val_t, simulator_new_aligned\n"
    ".set _ZdlPv, simulator_delete\n"  // operator delete, operator delete[]
    ".set _ZdaPv, simulator_delete\n"
    ".set _ZdlPvm, simulator_delete\n"
    ".set _ZdaPvm, simulator_delete\n"
    ".set _ZdlPvRKSt9nothrow_t, simulator_delete\n"
    ".set _ZdaPvRKSt9nothrow_t, simulator_delete\n"
    ".set _ZnwmSt11align_val_tRKSt9nothrow_t, simulator_new_aligned_nothrow\n"
    ".set _ZnamSt11align_val_tRKSt9nothrow_t, simulator_new_aligned_nothrow\n"
    ".set _ZdlPvSt11align_val_tRKSt9nothrow_t, simulator_delete_aligned\n"
    ".set _ZdaPvSt11align_val_tRKSt9nothrow_t, simulator_delete_aligned\n"
    ".set _ZdlPvSt11align_val_t, simulator_delete_aligned\n"
    ".set _ZdaPvSt11align_val_t, simulator_delete_aligned\n"
    ".set _ZdlPvmSt11align_val_t, simulator_delete_sized\n"
    ".set _ZdaPvmSt11align_val_t, simulator_delete_sized\n"
    ".set printf, simulator_printf\n"
    ".set fflush, simulator_fflush\n"
    ".set strlen, simulator_strlen\n"
    ".set strcmp, simulator_strcmp\n"
    ".set strncmp, simulator_strncmp\n"
    ".set memcmp, simulator_memcmp\n"
    ".set bcmp, simulator_memcmp\n"
    ".set memchr, simulator_memchr\n"
    ".set frexp, simulator_frexp\n"
    ".set frexpf, simulator_frexpf\n"
    ".set modf, simulator_modf\n"
    ".set modff, simulator_modff\n"
    ".set remquo, simulator_remquo\n"
    ".set remquof, simulator_remquof\n"
    ".set sincos, simulator_sincos\n"
    ".set sincosf, simulator_sincosf\n");
