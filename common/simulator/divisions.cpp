// SPDX-License-Identifier: MIT
#include "simulator/divisions.hpp"

#include <cstddef>
#include <cstring>

#include "simulator/program_image.hpp"

namespace simulator {

namespace {

constexpr std::size_t longest_block = 2048;  // bytes of code that are looked at

template <class Number>
Number number_at(std::uintptr_t address) {
  Number number;
  std::memcpy(&number, reinterpret_cast<const void*>(address), sizeof number);
  return number;
}

#if defined(__x86_64__)

constexpr std::size_t call_bytes = 5, code_step = 1;

// Where the call at an address leads; 0: it is none.
std::uintptr_t called_at(std::uintptr_t address) {
  constexpr unsigned char call = 0xe8;
  if (number_at<unsigned char>(address) != call) return 0;
  return address + call_bytes + static_cast<std::uintptr_t>(number_at<std::int32_t>(address + 1));
}

// DIV and IDIV of a register, F7 with F0 to FF behind it. The same bytes may be a part of a number; so what
// fills the upper half of the dividend has to stand before them: CLTD (CQTO has the same byte), XOR of EDX
// with itself, or MOV of 0.
bool divides(std::uintptr_t address) {
  if (number_at<unsigned char>(address) != 0xf7 || number_at<unsigned char>(address + 1) < 0xf0) return false;
  constexpr std::uintptr_t before = 16;
  for (std::uintptr_t at = address - before; at < address; ++at) {
    const auto two = number_at<std::uint16_t>(at);
    if ((two & 0xff) == 0x99 || two == 0xd231) return true;
    if ((two & 0xff) == 0xba && number_at<std::uint32_t>(at + 1) == 0) return true;
  }
  return false;
}

#elif defined(__aarch64__)

constexpr std::size_t call_bytes = 4, code_step = 4;

std::uintptr_t called_at(std::uintptr_t address) {
  const auto word = number_at<std::uint32_t>(address);
  if (word >> 26 != 0b100101) return 0;  // BL
  const auto distance = static_cast<std::int32_t>(word << 6) >> 6;
  return address + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance) * 4);
}

// UDIV and SDIV.
bool divides(std::uintptr_t address) {
  return (number_at<std::uint32_t>(address) & 0x7fe0f800) == 0x1ac00800;
}

#endif

}  // namespace

unsigned divisions_at(std::uintptr_t site) {
  const std::uintptr_t call = site + 1 - call_bytes, end = site + 1 + longest_block;
  if (!ProgramImage::instance().contains(call, end + call_bytes - call)) return 0;
  const std::uintptr_t trace = called_at(call);
  if (trace == 0) return 0;
  unsigned count = 0;
  for (std::uintptr_t at = site + 1; at < end && called_at(at) != trace; at += code_step)
    count += divides(at);
  return count;
}

}  // namespace simulator
