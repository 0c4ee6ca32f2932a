// SPDX-License-Identifier: MIT
// The reason that a finding gives, where several lines could be meant.
#include <doctest/doctest.h>

#include "judge/finding_details.hpp"
#include "temporary_folder.hpp"

using facts::Finding;
using facts::Verdict;

namespace {

// The kernel's body begins in line 2.
std::string kernel_with(const std::string& body) {
  return "__global__ void k(int n, int* out) {\n" + body + "}\n";
}

std::string reason_of(const std::string& text, Finding finding) {
  TemporaryFolder folder;
  const std::string path = folder.write("histogram.cu", text);
  for (facts::Location& place : finding.where) place.file = path;
  complete(finding, judge::StudentNames(*problems::find_problem("histogram"), true, path));
  return finding.missing;
}

struct RacingAccess {
  int line;
  const char* role;
  std::uint64_t thread;
};

// Of a race on `array`, of which the first access comes earlier.
std::string reason_of_race(const std::string& text, const char* array, RacingAccess first,
                           RacingAccess second, const char* diagnosis = "missing_barrier") {
  const std::string message = std::string("one thread ") + first.role + " " + array + "[0] while another " +
                              second.role + " it\n  thread (" + std::to_string(first.thread) +
                              ",0,0) of block (0,0,0) and thread (" + std::to_string(second.thread) +
                              ",0,0) of block (" + (diagnosis == std::string("missing_atomic") ? "1" : "0") +
                              ",0,0)";
  return reason_of(
      text, {.verdict = Verdict::race,
             .message = message,
             .diagnosis = diagnosis,
             .where = {{.line = first.line, .role = first.role}, {.line = second.line, .role = second.role}},
             .threads = {{.thread = first.thread}, {.thread = second.thread}}});
}

std::string reason_outside(const std::string& text, int line, const char* message) {
  return reason_of(
      text,
      {.verdict = Verdict::out_of_bounds, .message = message, .where = {{.line = line, .role = "reads"}}});
}

}  // namespace

TEST_CASE("a __syncwarp does not join threads of two warps") {
  const std::string staged = kernel_with(
      "  stage[threadIdx.x] = n;\n"
      "  __syncwarp();\n"
      "  out[threadIdx.x] = stage[threadIdx.x ^ 32];\n");
  CHECK(
      reason_of_race(staged, "stage", {2, "writes", 33}, {4, "reads", 1}) ==
      "the `__syncwarp` at line 3 joins the threads of a warp, and threads 33 and 1 are in different warps");
  CHECK(reason_of_race(staged, "stage", {2, "writes", 3}, {4, "reads", 1}, "missing_warp_sync") ==
        "no barrier of the warp between line 2 and line 4");
  // Anywhere in the loop around both, unless a barrier of the block stands there too.
  const auto in_loop = [&](const std::string& barriers) {
    return reason_of_race(kernel_with("  for (int d = 64; d > 0; d /= 2) {\n"
                                      "    const int a = keys[t ^ d];\n"
                                      "    keys[t] = a;\n" +
                                      barriers + "  }\n"),
                          "keys", {4, "writes", 31}, {3, "reads", 47});
  };
  CHECK(
      in_loop("    if (d > 32) __syncthreads();\n    else __syncwarp();\n") ==
      "the `__syncwarp` at line 6 joins the threads of a warp, and threads 31 and 47 are in different warps");
  CHECK(in_loop("    __syncthreads();\n    __syncwarp();\n") == "no barrier between line 3 and line 4");
  // Threads may wait for each other by a flag.
  CHECK(reason_of_race(kernel_with("  stage[threadIdx.x] = n;\n"
                                   "  __syncwarp();\n"
                                   "  while (*static_cast<volatile int*>(out) == 0) {}\n"
                                   "  out[threadIdx.x] = stage[threadIdx.x ^ 32];\n"),
                       "stage", {2, "writes", 33},
                       {5, "reads", 1}) == "no barrier between line 2 and line 5");
}

TEST_CASE("the next round is meant only where the threads wait for each other in this one") {
  const auto in_round = [](const std::string& between, std::uint64_t reader) {
    return reason_of_race(kernel_with("  for (int i = 0; i < n; ++i) {\n"
                                      "    stage[threadIdx.x] = i;\n" +
                                      between + "    out[i] = stage[0];\n  }\n"),
                          "stage", {3, "writes", 0}, {5, "reads", reader});
  };
  CHECK(in_round("    __syncthreads();\n", 40) ==
        "no barrier between line 5 and line 3 in the next round of the loop at line 2");
  CHECK(in_round("    if (i > 3) __syncthreads();\n", 40) == "no barrier between line 3 and line 5");
  CHECK(in_round("    if (i > 3) {} else { __syncthreads(); }\n", 40) ==
        "no barrier between line 3 and line 5");
  CHECK(in_round("    full.load(); __syncwarp(); // memory_order_relaxed\n", 1) ==
        "no barrier between line 5 and line 3 in the next round of the loop at line 2");
}

TEST_CASE("accesses in functions stand where the kernel calls these") {
  const std::string text =
      "struct Columns {\n"
      "  unsigned char of[7][64];\n"
      "  __device__ void clear() {\n"
      "    for (auto& row : of) row[threadIdx.x] = 0;\n"
      "  }\n"
      "  __device__ unsigned sum(unsigned bin) const { return of[bin][0]; }\n"
      "};\n"
      "__global__ void k(int n, unsigned* out) {\n"
      "  __shared__ Columns own;\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    own.clear();\n"
      "    __syncthreads();\n"
      "    out[i] += own.sum(threadIdx.x);\n"
      "  }\n"
      "}\n";
  CHECK(reason_of_race(text, "own", {6, "reads", 0}, {4, "writes", 40}) ==
        "no barrier between the call at line 13 and the call at line 11 in the next round of the loop at "
        "line 10");
  const std::string lambda = kernel_with(
      "  const auto fill = [&](int from) {\n"
      "    stage[threadIdx.x] = from;\n"
      "  };\n"
      "  fill(n);\n"
      "  out[n] = stage[0];\n");
  CHECK(reason_of_race(lambda, "stage", {3, "writes", 40}, {6, "reads", 0}) ==
        "no barrier between the call at line 5 and line 6");
  // Of several calls none is claimed.
  const std::string twice = kernel_with(
      "  const auto fill = [&](int from) {\n"
      "    stage[threadIdx.x] = from;\n"
      "  };\n"
      "  fill(n);\n"
      "  fill(0);\n"
      "  out[n] = stage[0];\n");
  CHECK(reason_of_race(twice, "stage", {3, "writes", 40}, {7, "reads", 0}) ==
        "no barrier between line 3 and line 7");
}

TEST_CASE("of an object by which threads hand on what they have written, the side without an order") {
  const auto handed_on = [](const std::string& gives, const std::string& takes, const char* diagnosis) {
    return reason_of_race(kernel_with("  values[0] = n;\n"
                                      "  " +
                                      gives +
                                      ";\n"
                                      "  while (" +
                                      takes +
                                      " == 0) {}\n"
                                      "  out[n] = values[0];\n"),
                          "values", {2, "writes", 40}, {5, "reads", 0}, diagnosis);
  };
  const std::string acquires = "ready.load(cuda::memory_order_acquire)",
                    relaxed_load = "ready.load(cuda::memory_order::relaxed)",
                    releases = "ready.store(1, cuda::memory_order_release)",
                    relaxed_store = "ready.store(1, cuda::memory_order_relaxed)";
  for (const char* const diagnosis : {"missing_barrier", "missing_atomic"}) {
    CHECK(handed_on(relaxed_store, acquires, diagnosis) ==
          "the `store` at line 3 releases nothing to the `load` at line 4, which acquires `ready`");
    CHECK(handed_on(releases, relaxed_load, diagnosis) ==
          "the `load` at line 4 does not acquire what the `store` at line 3 releases by `ready`");
  }
  CHECK(handed_on("flags[0].store(1, cuda::memory_order_relaxed)", "flags[n].load()", "missing_barrier") ==
        "the `store` at line 3 releases nothing to the `load` at line 4, which acquires `flags`");
  CHECK(handed_on(releases, acquires, "missing_barrier") == "no barrier between line 2 and line 5");
  CHECK(handed_on(relaxed_store, relaxed_load, "missing_barrier") == "no barrier between line 2 and line 5");
  CHECK(handed_on("__threadfence_block(); " + relaxed_store, acquires, "missing_barrier") ==
        "no barrier between line 2 and line 5");
  CHECK(handed_on("ready.fetch_add(1, cuda::memory_order_release)", relaxed_load, "missing_barrier") ==
        "the `load` at line 4 does not acquire what the `fetch_add` at line 3 releases by `ready`");
  CHECK(handed_on("ready.fetch_add(1, cuda::memory_order_release)", "n", "missing_barrier") ==
        "the `fetch_add` at line 3 releases `ready`, but does not acquire it");
}

TEST_CASE("of an array with several dimensions no single index is blamed") {
  const std::string text = kernel_with(
      "  __shared__ int columns[7][32];\n"
      "  for (int bin = threadIdx.x; bin < 7; bin += 32) {\n"
      "    for (int k = 0; k < 32; ++k) n += columns[bin][k + lane];\n"
      "  }\n");
  CHECK(reason_outside(text, 4, "k read columns[224]; columns has 224 elements") ==
        "`bin < 7` at line 3 and `k < 32` at line 4 do not keep `columns[bin][k + lane]` within the array");
}

TEST_CASE("an array that is cast where it is read keeps its conditions") {
  const auto cast = [](const std::string& read) {
    return reason_outside(kernel_with("  for (int i = 0; i < n; ++i) {\n    sum += " + read + ";\n  }\n"), 3,
                          "k read out[9]; out has 9 elements");
  };
  const std::string of_index =
      "`out` is cast to a pointer to other elements at line 3, and `i < n` at line 2 does not keep `i` "
      "within the "
      "array";
  CHECK(cast("reinterpret_cast<const int2*>(out)[i]") == of_index);
  CHECK(cast("((const int2*)out)[i].x") == of_index);
  CHECK(cast("*reinterpret_cast<const int2*>(out + i)") == of_index);
  CHECK(cast("*(const int2*)(out + i)") == of_index);
  CHECK(cast("get(out, i)") == "nothing at line 3 keeps the index within the array");
}

TEST_CASE("an atomic on a variable of the thread's own lies within no array") {
  CHECK(reason_outside(
            kernel_with("  int own = 0;\n  int* where = n < 0 ? &own : out;\n  atomicAdd(where, 1);\n"), 4,
            "k changed a variable of the thread's own atomically; atomics need global or shared memory")
            .empty());
}
