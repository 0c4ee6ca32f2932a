// SPDX-License-Identifier: MIT
// The functions of arithmetic_cases.hpp as the simulator has them and as they are defined, and arguments to
// try them with. Included by one file of a program.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "arithmetic_case.hpp"
#include "arithmetic_reference.hpp"
#include "simulator/cuda/arithmetic.hpp"
#include "simulator/cuda/intrinsics.hpp"

struct Function {
  const char* name;
  std::vector<Kind> parameters;
  Kind result;
  std::uint64_t (*simulated)(const Arguments&);
  std::uint64_t (*defined)(const Arguments&);
};

template <class T>
T from_bits(std::uint64_t bits) {
  T value{};
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class Result, class... Parameters>
std::vector<Kind> kinds_of_parameters(Result (*)(Parameters...)) {
  return {kind_of<Parameters>()...};
}
template <class Result, class... Parameters>
Kind kind_of_result(Result (*)(Parameters...)) {
  return kind_of<Result>();
}
template <class Result, class... Parameters, std::size_t... index>
std::uint64_t call_with(Result (*function)(Parameters...), const Arguments& arguments,
                        std::index_sequence<index...>) {
  return to_bits(function(from_bits<Parameters>(arguments[index])...));
}
template <class Result, class... Parameters>
std::uint64_t call(Result (*function)(Parameters...), const Arguments& arguments) {
  return call_with(function, arguments, std::index_sequence_for<Parameters...>());
}

template <class Vector>
Vector vector_from(std::uint32_t word) {
  Vector vector;
  __builtin_memcpy(static_cast<void*>(&vector), &word, sizeof(word));
  return vector;
}

#define VECTOR(type, word) vector_from<type>(static_cast<std::uint32_t>(word))
#define INTRINSIC(name, result, parameters, call, value)     \
  inline result simulated_##name parameters { return call; } \
  inline result defined_##name parameters { return value; }
#include "arithmetic_cases.hpp"
#undef INTRINSIC

inline const std::vector<Function>& functions() {
  static const std::vector<Function> all{
#define INTRINSIC(name, result, parameters, expression, value)                     \
  {#name, kinds_of_parameters(simulated_##name), kind_of_result(simulated_##name), \
   [](const Arguments& arguments) { return call(simulated_##name, arguments); },   \
   [](const Arguments& arguments) { return call(defined_##name, arguments); }},
#include "arithmetic_cases.hpp"
#undef INTRINSIC
  };
  return all;
}

// The edges of a type, as bits.
inline const std::vector<std::uint64_t>& edges_of(Kind kind) {
  static const std::vector<std::uint64_t> all[]{
      {0,          1,          2,          3,          31,         32,         33,       0x7f,
       0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x7fffff,   0x800000, 0xffffff,
       0x01010101, 0x7f7f7f7f, 0x80808080, 0x7fff8000, 0x80007fff, 0x80008000, 0x3210,   0x7654,
       0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff},
      {0,
       1,
       2,
       0x7fffff,
       0xffffff,
       0x1000001,
       0x7fffffff,
       0x80000000,
       0xffffffff,
       0x100000000,
       0x1fffffffffffff,
       0x20000000000001,
       0x20000000000003,
       0x7fffffffffffffff,
       0x7fffff4000000000,
       0x8000000000000000,
       0x8000000000000001,
       0xffffff8000000001,
       0xfffffffffffffffe,
       0xffffffffffffffff},
      // zeros, the least and greatest of each kind, 0.5, 1, 1.5, 2.5 and neighbours, 2^23, 2^31, 2^32, 2^63,
      // 2^64, no number
      {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3effffff,
       0x3f000000, 0xbf000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000,
       0xbfc00000, 0x40200000, 0xc0200000, 0x4affffff, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000,
       0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f7fffff,
       0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001},
      {0,
       0x8000000000000000,
       1,
       0x8000000000000001,
       0x000fffffffffffff,
       0x0010000000000000,
       0x3fdfffffffffffff,
       0x3fe0000000000000,
       0xbfe0000000000000,
       0x3fefffffffffffff,
       0x3ff0000000000000,
       0xbff0000000000000,
       0x3ff0000000000001,
       0x3ff8000000000000,
       0xc004000000000000,
       0x36a0000000000000,
       0x369fffffffffffff,
       0x36a0000000000001,
       0x380fffffffffffff,
       0x47efffffe0000000,
       0x47effffff0000000,
       0x47efffffefffffff,
       0x41dfffffffc00000,
       0x41dfffffffe00000,
       0x41e0000000000000,
       0xc1e0000000000000,
       0xc1e0000000100000,
       0xc1e0000000200000,
       0x41efffffffe00000,
       0x41effffffff00000,
       0x41f0000000000000,
       0x4330000000000001,
       0x43dfffffffffffff,
       0x43e0000000000000,
       0xc3e0000000000000,
       0xc3e0000000000001,
       0x43efffffffffffff,
       0x43f0000000000000,
       0x7fefffffffffffff,
       0xffefffffffffffff,
       0x7ff0000000000000,
       0xfff0000000000000,
       0x7ff8000000000000}};
  return all[static_cast<int>(kind)];
}

// Every pair of edges (of three parameters: with a few thirds), and `count` pseudo-random ones: any bits,
// edges, and numbers near one another, for which roundings matter.
inline std::vector<Arguments> arguments_of(const Function& function, std::size_t count) {
  std::vector<Arguments> all;
  std::mt19937_64 random(2026);
  const auto parameters = function.parameters.size();
  const auto edges = [&](std::size_t parameter) -> const std::vector<std::uint64_t>& {
    static const std::vector<std::uint64_t> none{0};
    return parameter < parameters ? edges_of(function.parameters[parameter]) : none;
  };
  for (const std::uint64_t a : edges(0)) {
    for (const std::uint64_t b : edges(1)) {
      const auto& thirds = edges(2);
      const std::size_t some = std::min<std::size_t>(thirds.size(), 3);
      for (std::size_t i = 0; i < some; ++i) all.push_back({a, b, thirds[(random() + i) % thirds.size()]});
    }
  }
  while (count-- > 0) {
    Arguments one{};
    for (std::size_t i = 0; i < parameters; ++i) {
      const Kind kind = function.parameters[i];
      const auto& these = edges(i);
      one[i] = random();
      if (random() % 4 == 0) one[i] = these[random() % these.size()];
      // exponents near 0
      if (random() % 2 && kind == Kind::float_32) one[i] = (one[i] & 0x81ffffff) | 0x3e000000;
      if (random() % 2 && kind == Kind::float_64) one[i] = (one[i] & 0x81ffffffffffffff) | 0x3e00000000000000;
      if (random() % 8 == 0 && function.parameters[i] == Kind::integer_32) one[i] %= 40;
      if (kind == Kind::integer_32 || kind == Kind::float_32) one[i] &= 0xffffffff;
      // C libraries differ in what they do with numbers that are none and signal it
      if (kind == Kind::float_32 && (one[i] & 0x7fffffff) > 0x7f800000) one[i] |= 0x00400000;
      if (kind == Kind::float_64 && (one[i] << 1) > 0xffe0000000000000) one[i] |= 0x0008000000000000;
    }
    all.push_back(one);
  }
  return all;
}

// Whether two results are the same: all that is no number is.
inline bool are_same(Kind kind, std::uint64_t a, std::uint64_t b) {
  const auto is_number = [&](std::uint64_t bits) {
    if (kind == Kind::float_32) return (bits & 0x7fffffff) <= 0x7f800000;
    return kind != Kind::float_64 || (bits & 0x7fffffffffffffff) <= 0x7ff0000000000000;
  };
  return a == b || (!is_number(a) && !is_number(b));
}

// "dp4a_s(0x1, 0xff, 0x0): 0x5 instead of 0x6"
inline std::string difference_of(const Function& function, const Arguments& arguments, std::uint64_t value,
                                 std::uint64_t expected) {
  const auto hexadecimal = [](std::uint64_t bits) {
    char text[20];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(bits));
    return std::string(text);
  };
  std::string text = function.name;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    text += (i ? ", " : "(") + hexadecimal(arguments[i]);
  return text + "): " + hexadecimal(value) + " instead of " + hexadecimal(expected);
}
