// SPDX-License-Identifier: MIT
// The functions of arithmetic_cases.hpp on a GPU (arithmetic_gpu_test.cpp compares).
#include <climits>
#include <cstring>
#include <map>
#include <stdexcept>

#include "arithmetic_case.hpp"

namespace {

template <class To, class From>
__device__ To from_bits(From bits) {
  To value;
  memcpy(&value, &bits, sizeof(To));
  return value;
}

#define VECTOR(type, word) from_bits<type>(word)
#define INTRINSIC(name, result, parameters, call, value)            \
  struct name##_on_gpu {                                            \
    static __device__ result value_of parameters { return call; }   \
    template <class Evaluation>                                     \
    __device__ static void evaluate(const Evaluation& evaluation) { \
      evaluation(value_of);                                         \
    }                                                               \
  };
#include "arithmetic_cases.hpp"
#undef INTRINSIC

// Calls a function with one row of arguments.
struct Evaluation {
  const Arguments* arguments;
  std::uint64_t* value;

  template <class Result, class A>
  __device__ void operator()(Result (*function)(A)) const {
    keep(function(argument<A>(0)));
  }
  template <class Result, class A, class B>
  __device__ void operator()(Result (*function)(A, B)) const {
    keep(function(argument<A>(0), argument<B>(1)));
  }
  template <class Result, class A, class B, class C>
  __device__ void operator()(Result (*function)(A, B, C)) const {
    keep(function(argument<A>(0), argument<B>(1), argument<C>(2)));
  }

 private:
  template <class T>
  __device__ T argument(int index) const {
    return from_bits<T>(reinterpret_cast<const std::uint64_t*>(arguments)[index]);
  }
  template <class T>
  __device__ void keep(T result) const {
    std::uint64_t bits = 0;
    memcpy(&bits, &result, sizeof(T));
    *value = bits;
  }
};

template <class Function>
__global__ void evaluate(const Arguments* arguments, std::uint64_t* values, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) Function::evaluate(Evaluation{arguments + i, values + i});
}

using Kernel = void (*)(const Arguments*, std::uint64_t*, std::size_t);

const std::map<std::string, Kernel>& kernels() {
  static const std::map<std::string, Kernel> all{
#define INTRINSIC(name, result, parameters, call, value) {#name, evaluate<name##_on_gpu>},
#include "arithmetic_cases.hpp"
#undef INTRINSIC
  };
  return all;
}

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

}  // namespace

std::string why_no_gpu() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  return code == cudaSuccess ? (count > 0 ? "" : "no GPU") : cudaGetErrorString(code);
}

std::vector<std::uint64_t> values_on_gpu(const std::string& name, const std::vector<Arguments>& arguments) {
  Arguments* given = nullptr;
  std::uint64_t* computed = nullptr;
  std::vector<std::uint64_t> values(arguments.size());
  check(cudaMalloc(&given, arguments.size() * sizeof(Arguments)));
  check(cudaMalloc(&computed, arguments.size() * sizeof(std::uint64_t)));
  check(cudaMemcpy(given, arguments.data(), arguments.size() * sizeof(Arguments), cudaMemcpyHostToDevice));
  kernels().at(name)<<<static_cast<unsigned>((arguments.size() + 255) / 256), 256>>>(given, computed,
                                                                                     arguments.size());
  check(cudaGetLastError());
  check(cudaMemcpy(values.data(), computed, values.size() * sizeof(std::uint64_t), cudaMemcpyDeviceToHost));
  check(cudaFree(given));
  check(cudaFree(computed));
  return values;
}
