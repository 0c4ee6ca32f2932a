// SPDX-License-Identifier: MIT
// Grey images as inputs: files whose name ends in .pgm are read as binary PGM ("P5" of the Netpbm formats)
// with 8 bits a pixel, and the input is the pixels alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "problems/input.hpp"

namespace problems {

// Whether an input of that name is a grey image.
bool is_grey_image(std::string_view name);

// So much of a file is enough to find its pixels.
constexpr std::size_t image_header_bytes = 1 << 16;

// Where the pixels lie, row after row from the top, in a file of `file_bytes` that begins so. Further images
// in the same file are left out. Throws InputError, which names the path, what the file is, and what is read.
Extent pixels_of(const std::string& path, std::span<const unsigned char> beginning, std::uint64_t file_bytes);

// A file of 76,800 bytes of pixels, always the same: a moon above hills, so that there are many dark pixels,
// few of a middling brightness, and some bright ones.
std::string made_image();

}  // namespace problems
