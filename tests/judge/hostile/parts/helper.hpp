// SPDX-License-Identifier: MIT
// For ../assembler_in_a_helper.cu.
#pragma once

__asm__("nop");
