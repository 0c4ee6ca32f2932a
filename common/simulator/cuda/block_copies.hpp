// SPDX-License-Identifier: MIT
// A copied vector or structure is a call of memcpy to clang, cleared ones are calls of memset. Up to version 14 no hook
// stands before these. So the assembler gives them, in instrumented units alone, to the hooks of later versions.
#pragma once

#ifdef __clang__
#if __has_feature(thread_sanitizer)
__asm__("memcpy = __tsan_memcpy");
__asm__("memmove = __tsan_memmove");
__asm__("memset = __tsan_memset");
#endif
#endif
