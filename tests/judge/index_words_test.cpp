// SPDX-License-Identifier: MIT
#include "judge/index_words.hpp"

#include <doctest/doctest.h>

TEST_CASE("an index without a component is told as such") {
  using judge::words_of_index;
  const std::string_view message =
      "a.cu:6:28: error: no match for 'operator*' (operand types are 'uint3' and 'dim3')\n x";
  CHECK(words_of_index(message, "int i = blockIdx * blockDim.x;") ==
        "blockIdx is no number: it has three, the components x, y and z");
  CHECK(words_of_index("error: cannot convert 'uint3' to 'int' in initialization", "int i = threadIdx;") ==
        "threadIdx is no number: it has three, the components x, y and z");
  CHECK_FALSE(words_of_index(message, "int i = blockIdx.x * mine;"));
  CHECK_FALSE(words_of_index("error: no match for 'operator*'", "int i = blockIdx * 2;"));
}
