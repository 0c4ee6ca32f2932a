// SPDX-License-Identifier: MIT
// For ../helper_header.cu.
#pragma once
constexpr int first_bin = 0;
constexpr unsigned block_size = 256;
