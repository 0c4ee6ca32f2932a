// SPDX-License-Identifier: MIT
// Mistakes that only nvcc would refuse, found by their tokens. (Initial values and streams:
// finding_details_test.cpp.)
#include "judge/kernel_mistakes.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>

#include "judge/source_functions.hpp"
#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace {

constexpr std::array<problems::Callee, 2> functions_called{
    {{"k", "__global__ void k()"}, {"shape", "LaunchShape shape(std::size_t n)"}}};

std::string mistake_in(const std::string& text) {
  const auto mistake = judge::find_kernel_mistake(text, functions_called);
  return mistake ? std::to_string(mistake->line) + ": " + mistake->words : "none";
}

std::string functions_of(const std::string& text) {
  using Side = judge::SourceFunction::Side;
  std::string all;
  for (const judge::SourceFunction& function : judge::FunctionsOfFile(text).all) {
    all += function.name + (function.is_member ? "/member" : "") +
           (function.side == Side::kernel   ? " kernel"
            : function.side == Side::device ? " device"
            : function.side == Side::both   ? " both"
            : function.side == Side::host   ? " host"
                                            : " unknown") +
           (function.is_evaluated ? " constexpr; " : "; ");
  }
  return all;
}

}  // namespace

TEST_CASE("the functions of a file, and the side on which each runs") {
  CHECK(functions_of("template <class T>\n__global__ void __launch_bounds__(256) k(T* p) { if (p) { } }\n"
                     "int n = 3;\nconstexpr int f(int i) { return i; }\nvoid declared(int);") ==
        "k kernel; f host constexpr; ");
  CHECK(functions_of("struct S { __device__ int get() const { return 1; } };\n"
                     "namespace my { __host__ __device__ int both() { return 2; } }\nint shape() { }") ==
        "get/member device; both/member both; shape host; ");
  CHECK(functions_of("#define ONLY __device__\n#define mine __device__\nONLY int f() { }\nmine int g() { }\n"
                     "DEFINE_ADD(add, int)\n__device__ int h() { }") == "f unknown; g unknown; h device; ");
  CHECK(functions_of("__device__ int f(int);\nint g(int);\nint f(int i) { return i; }\nint g(int i) { }") ==
        "f unknown; g host; ");
  CHECK(functions_of("auto l = [](int i) { return i; };\nint table[] = {1, 2};\nenum E { a, b };\n"
                     "void f() { }") == "f host; ");
}

TEST_CASE("a kernel without __global__ is told at its name") {
  const std::string words =
      ": k has no __global__ in front of it: only a function that has it can be launched";
  CHECK(mistake_in("__global__ void k() { }") == "none");
  CHECK(mistake_in("template <class T>\nvoid k() { threadIdx.x; }") == "2" + words);
  CHECK(mistake_in("__device__ void k() { }") == "1" + words);
  CHECK(mistake_in("__device__ void f(); void k() { }") == "1" + words);
  CHECK(mistake_in("__global__ void k();\nvoid k() { }") == "none");
  CHECK(mistake_in("KERNEL void k() { }") == "none");
  CHECK(mistake_in("struct S { void k() { } };") == "none");
  CHECK(mistake_in("// no kernel") == "none");
}

TEST_CASE("indices in a function of the host are told with the function") {
  const auto shape = [](const std::string& body) {
    return mistake_in("LaunchShape shape(std::size_t n) {\n  " + body + "\n}");
  };
  CHECK(shape("return {blockDim.x, 256};") ==
        "2: blockDim is there in kernels only, and shape is a function of the host");
  CHECK(shape("dim3 blockDim(256);\n  return {1, blockDim.x};") == "none");
  CHECK(shape("return {mine.blockDim.x, settings->gridDim.x};") == "none");
  CHECK(shape("return f([=] __device__(int i) { return threadIdx.x; });").starts_with("2: a lambda with"));
  CHECK(mistake_in("constexpr int f() { return threadIdx.x; }") == "none");
  CHECK(mistake_in("__host__ __device__ int f() { return threadIdx.x; }") == "none");
  CHECK(mistake_in("#define HERE threadIdx.x\n__global__ void k() { HERE; }") == "none");
}

TEST_CASE("a kernel that is called is told, and not one that is launched or handed on") {
  const auto calls = [](const std::string& call) {
    return mistake_in("template <class T>\n__global__ void k(int* p) { }\nint shape() {\n  " + call + "\n}");
  };
  const std::string words = "4: k is a kernel: it is launched, and cannot be called";
  CHECK(calls("k<int>(nullptr);") == words);
  CHECK(calls("k(nullptr);") == words);
  CHECK(calls("k<std::pair<int, int>>(nullptr);") == words);
  CHECK(calls("k<int><<<1, 256>>>(nullptr); k<<<1, 2>>>(nullptr);") == "none");
  CHECK(calls("return resident_blocks(k<int>, 256) + resident_blocks(k, 256);") == "none");
}

TEST_CASE("exceptions in a kernel are told at their line") {
  CHECK(mistake_in("__global__ void k() {\n  throw 1;\n}") ==
        "2: there are no exceptions in a kernel, and no `throw`");
  CHECK(mistake_in("__global__ void k() { }\nvoid f() { throw 1; }") == "none");
}

TEST_CASE("a barrier or a function that is named and not called is told") {
  const auto kernel = [](const std::string& body) {
    return mistake_in("__device__ void commit() { }\n__global__ void k() {\n  " + body + "\n}");
  };
  CHECK(kernel("__syncthreads;") == "3: `__syncthreads;` names the function and does not call it");
  CHECK(kernel("if (i < n)\n    __syncwarp;") == "4: `__syncwarp;` names the function and does not call it");
  CHECK(kernel("commit;") == "3: `commit;` names the function and does not call it");
  CHECK(kernel("__syncthreads();\n  (void)commit;\n  auto f = commit;\n  return commit;") == "none");
}

TEST_CASE("nothing of the kind is found in honest kernels and solutions") {
  const std::string root = workbook::here().source_root;
  std::size_t files = 0;
  for (const char* const folder : {"/tests/judge/honest", "/tests/findings/bases", "/tests/golden",
                                   "/tests/submissions", "/solutions"}) {
    for (const auto& found : std::filesystem::recursive_directory_iterator(root + folder)) {
      if (found.path().extension() != ".cu") continue;
      CAPTURE(found.path().string());
      const auto mistake = judge::find_kernel_mistake(os::read_file(found.path()).value_or(""),
                                                      problems::find_problem("histogram")->entry(true));
      CHECK_MESSAGE(!mistake, mistake->words);
      ++files;
    }
  }
  CHECK(files >= 200);
}
