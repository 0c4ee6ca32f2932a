// SPDX-License-Identifier: MIT
#include "judge/unknown_names.hpp"

#include <doctest/doctest.h>

TEST_CASE("the name that a compiler does not know") {
  using judge::undeclared_name;
  CHECK(undeclared_name(
            "a.cu:1:2: error: 'cudaSuccess' was not declared in this scope; did you mean 'x'?\n  x") ==
        "cudaSuccess");
  CHECK(undeclared_name("a.cu:1:2: error: 'cudaError_t' does not name a type") == "cudaError_t");
  CHECK(undeclared_name("a.cu:1:2: error: use of undeclared identifier 'norm3df'; did you mean 'y'?") ==
        "norm3df");
  CHECK(undeclared_name("a.cu:1:2: error: unknown type name 'cudaStream_t'") == "cudaStream_t");
  CHECK(undeclared_name("a.cu:1:2: error: expected ';' before 'x'") == "");
}

TEST_CASE("names of CUDA's that the simulator does not have") {
  using judge::words_of_cuda;
  CHECK(words_of_cuda("cudaGetDeviceCount") ==
        "cudaGetDeviceCount belongs to the CUDA runtime, which is not simulated: it needs a GPU");
  CHECK(words_of_cuda("norm3df") == "norm3df is not simulated: it needs a GPU");
  CHECK(words_of_cuda("erfinv") == "erfinv is not simulated: it needs a GPU");
  for (const char* const other : {"", "f", "cuda", "cudaless", "cudas", "counts", "atomicadd"}) {
    CAPTURE(other);
    CHECK_FALSE(words_of_cuda(other));
  }
}

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
