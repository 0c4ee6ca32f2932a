// SPDX-License-Identifier: MIT
// The element that is accessed at a place of the student's file, the conditions and the loops around it.
#include "judge/source_structure.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

using judge::SourceStructure;

namespace {

// "name[index] at column"
std::string element(const std::string& text, int line, const char* role, const char* array) {
  const auto found = SourceStructure(text).element(line, role, array);
  return found ? fmt::format("{}[{}] at {}", found->name, found->index, found->column) : "none";
}

// The conditions that held where `role` of `array` is on the line: "i < n at 1".
std::string held(const std::string& text, int line, const char* role, const char* array) {
  const SourceStructure source(text);
  const auto found = source.element(line, role, array);
  if (!found) return "no element";
  std::string all;
  for (const judge::Condition& condition : source.conditions(*found))
    all += fmt::format("{}{} at {}", all.empty() ? "" : ", ", condition.text, condition.line);
  return all;
}

std::string loops(const std::string& text, int line) {
  std::string all;
  for (const judge::Loop& loop : SourceStructure(text).loops(line))
    all += fmt::format("{}{}: {}{}", all.empty() ? "" : ", ", loop.line, loop.condition,
                       loop.is_empty ? " (empty)" : "");
  return all;
}

}  // namespace

TEST_CASE("the element of an access by what the kernel does there") {
  const std::string commit = "atomicAdd(&copies[b], mine[b + 1]);";
  CHECK(element(commit, 1, "changes", "copies") == "copies[b] at 12");
  CHECK(element(commit, 1, "reads", "copies") == "mine[b + 1] at 23");
  const std::string move = "a[i] = b[i] + b[j];";
  CHECK(element(move, 1, "writes", "a") == "a[i] at 1");
  CHECK(element(move, 1, "writes", "pointed_to") == "a[i] at 1");
  CHECK(element(move, 1, "reads", "b") == "b[i] at 8");
  CHECK(element(move, 1, "reads", "pointed_to") == "none");
  CHECK(SourceStructure(move).element(1, "writes", "a")->is_only);
  CHECK_FALSE(SourceStructure(move).element(1, "reads", "b")->is_only);
  CHECK(element("hist[text[i]]++;", 1, "reads", "hist") == "hist[text[i]] at 1");
  CHECK(element("else ++hist[b];", 1, "writes", "hist") == "hist[b] at 8");
  CHECK(element("unsigned counts[7];", 1, "reads", "counts") == "none");
}

TEST_CASE("conditions are those that compare what the index is made of") {
  CHECK(held("for (i = 0; i <= n; i++) x += data[i];", 1, "reads", "data") == "i <= n at 1");
  CHECK(held("if (i < n && k > 0)\n  while (j != 3) {\n    data[i] = 0;\n  }", 3, "writes", "data") ==
        "i < n at 1");
  CHECK(held("if (t >= n) return;\ndata[t] = 0;", 2, "writes", "data") == "t >= n at 1");
  CHECK(held("if (k) { if (t >= n) return; }\ndata[t] = 0;", 2, "writes", "data").empty());
  CHECK(held("if (t < n) {}\nelse data[t] = 0;", 2, "writes", "data").empty());
  CHECK(held("x = t < n ? data[t] : 0;", 1, "reads", "data") == "t < n at 1");
  CHECK(held("x = t < n ? 0 : data[t];", 1, "reads", "data").empty());
  CHECK(held("if (i < n) hist[text[i]]++;", 1, "reads", "hist").empty());
}

TEST_CASE("loops by the line of their keyword") {
  CHECK(loops("while (i < n)\n{\n  i = 0;\n}", 3) == "1: i < n");
  CHECK(loops("for (;;) {\n  do {\n    f();\n  } while (x);\n}", 3) == "1: , 2: x");
  CHECK(loops("while (lock[0])\n  ;", 2) == "1: lock[0] (empty)");
  CHECK(loops("while (a) b();\nc();", 2).empty());
}

TEST_CASE("where a pointer is set, an array is read, a function returns") {
  const std::string text = R"(__global__ void kernel() {
  unsigned* mine = copies + 3;
  if (mine == copies) return;
  old = hist[b];
  hist[b] = old;
}
LaunchShape launch_shape(std::size_t length) {
  return {1, 1};
})";
  const SourceStructure source(text);
  CHECK(source.line_that_sets("mine", 5) == 2);
  CHECK(source.line_that_sets("copies", 5) == std::nullopt);
  CHECK(source.line_that_reads("hist", 5) == 4);
  CHECK(source.line_of_return("launch_shape") == 8);
  CHECK(source.returns_before(5) == std::vector{3});
  CHECK(source.returns_behind_in_loop(2).empty());
  CHECK(SourceStructure("for (;;) {\n  __syncthreads();\n  if (x) return;\n}").returns_behind_in_loop(2) ==
        std::vector{3});
}

TEST_CASE("an array of each thread's own that atomics change") {
  const auto array = [](const std::string& declaration) {
    const auto found =
        SourceStructure("__global__ void k() {\n  " + declaration + "\n  atomicAdd(&counts[b], 1u);\n}")
            .local_array_of_atomics();
    return found ? fmt::format("{} at {}:{}", found->name, found->line, found->column) : "none";
  };
  CHECK(array("unsigned int counts[7];") == "counts at 2:16");
  CHECK(array("__shared__ unsigned int counts[7];") == "none");
  CHECK(array("extern __shared__ unsigned counts[];") == "none");
  CHECK(array("unsigned* counts = copies;") == "none");
  CHECK(array("unsigned others[7];") == "none");
}

TEST_CASE("of several elements on a line those are left out that the thread has not reached") {
  const std::string text =
      "unsigned t = threadIdx.x;\nunsigned s = 8;\ns /= 2;\na[2 * t] = a[2 * t] + a[2 * t + s];";
  const auto read = [&](std::int64_t index, std::optional<std::int64_t> thread) {
    const auto element = SourceStructure(text).element(4, "reads", "a", judge::Reached{index, thread});
    return element ? fmt::format("{} at {}{}", element->index, element->column,
                                 element->is_only ? "" : ", or another")
                   : "none";
  };
  CHECK(read(10, 1) == "2 * t + s at 23");
  CHECK(read(2, 1) == "2 * t at 12, or another");
  CHECK(read(10, std::nullopt) == "2 * t at 12, or another");
}

TEST_CASE("an index that nobody would write is not worked out") {
  const auto element_of = [](const std::string& index) {
    const SourceStructure source("a[" + index + "] = a[0];");
    const auto element = source.element(1, "reads", "a", judge::Reached{0, 1});
    return element ? element->index : std::string("none");
  };
  const auto deep = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  const auto sum = [](int terms) {
    std::string text = "1";
    for (int i = 0; i < terms; ++i) text += " + 1";
    return text;
  };
  CHECK(element_of(deep(2'000)) == "0");
  CHECK(element_of(sum(2'000)) == "0");
  CHECK(element_of(deep(200'000)) == "none");
  CHECK(element_of(sum(200'000)) == "none");
  CHECK(element_of("9223372036854775807 + threadIdx.x") == "0");
}

TEST_CASE("names by their declarations, and what loops do with them") {
  const SourceStructure source(R"(__global__ void k(int n) {
  __shared__ int last;
  __shared__ unsigned int counts[26];
  unsigned short i = 0;
  while (i < n) {
    if (n > 3) __syncthreads();
    counts[i] = n;
  }
  for (int j = 0; j < n; j++) last = j;
})");
  const auto last = source.declaration("last"), counts = source.declaration("counts"),
             i = source.declaration("i");
  REQUIRE((last && counts && i));
  CHECK(last->line == 2);
  CHECK((last->is_shared && !last->is_array));
  CHECK((counts->is_shared && counts->is_array));
  CHECK(counts->extent == "26");
  CHECK(i->type == "unsigned short");
  CHECK_FALSE(source.declaration("n"));
  CHECK(source.counter(5)->name == "i");
  CHECK_FALSE(source.counter(5)->may_change);
  CHECK(source.counter(9)->may_change);
  CHECK_FALSE(SourceStructure("while (flag[0]);").counter(1));
  CHECK(source.barriers_in_loop(5) == std::vector{6});
  CHECK(source.controls(6).back().condition == "n > 3");
  CHECK(source.controls(7).back().is_loop);
  CHECK(source.lines_that_write("counts", 9) == std::vector{7});
}

TEST_CASE("of several names in one declaration each is known, in shared memory") {
  const SourceStructure source(
      "void f(int a, int n) {\n  __shared__ unsigned int counts[7], all, more[2][4];\n  __shared__ int low, "
      "high;\n"
      "  __shared__ Table<int, n> table;\n  g(a, n);\n  int i, k;\n}\n");
  const auto all = source.declaration("all"), more = source.declaration("more");
  REQUIRE((all && more));
  CHECK((all->is_shared && !all->is_array && all->line == 2));
  CHECK((more->is_shared && more->extent == "2"));
  CHECK(source.element_of("more", 5) == "more[1][1]");
  CHECK((source.declaration("low") && source.declaration("high")));
  CHECK_FALSE(source.declaration("n"));
  CHECK_FALSE(source.declaration("k"));
}

TEST_CASE("an index that is a constant, or of which a condition asks something else") {
  const std::string text =
      "int b = bin_of(text[i]);\nif (b >= 0) {\n  hist[text[i]]++;\n  hist[Binning::bins] = 0;\n  "
      "hist[b]++;\n}";
  const SourceStructure source(text);
  CHECK(source.is_constant(*source.element(4, "writes", "hist")));
  CHECK_FALSE(source.is_constant(*source.element(5, "writes", "hist")));
  CHECK(source.condition_of_another(*source.element(3, "writes", "hist"))->text == "b");
  CHECK_FALSE(source.condition_of_another(*source.element(5, "writes", "hist")));
  CHECK_FALSE(SourceStructure("i = blockIdx.x;\nif (i < n) h[b]++;")
                  .condition_of_another(
                      *SourceStructure("i = blockIdx.x;\nif (i < n) h[b]++;").element(2, "writes", "h")));
}

TEST_CASE("elements of several dimensions and of structs, as they are written") {
  const auto written = [](const std::string& declarations, const char* array, std::int64_t flat) {
    return SourceStructure(declarations).element_of(array, flat).value_or("none");
  };
  CHECK(written("__shared__ unsigned int tile[4][32];", "tile", 37) == "tile[1][5]");
  CHECK(written("__shared__ float tile[8][4][32];", "tile", 128 + 64 + 3) == "tile[1][2][3]");
  CHECK(written("constexpr int width = 32; __shared__ int tile[width][width + 1];", "tile", 34) ==
        "tile[1][1]");
  CHECK(written("__shared__ unsigned int copies[8][Binning::bins];", "copies", 37) == "none");
  CHECK(written("__shared__ unsigned int counts[256];", "counts", 37) == "none");
  CHECK(written("__shared__ int tile[4][32], other[2];", "tile", -1) == "none");
  const std::string cell = "struct Cell { unsigned count, first; unsigned last; };\n";
  CHECK(written(cell + "__shared__ Cell cells[16];", "cells", 9) == "cells[3].count");
  CHECK(written(cell + "__shared__ Cell cells[4][16];", "cells", 3 * 17 + 2) == "cells[1][1].last");
  CHECK(written(cell + "__shared__ Cell cell;", "cell", 1) == "cell.first");
  CHECK(written("struct Row { unsigned short of[4], all; };\n__shared__ Row rows[2];", "rows", 8) ==
        "rows[1].of[3]");
  // Members of different sizes, and functions among them
  CHECK(written("struct S { char c; int i; };\n__shared__ S all[2];", "all", 1) == "none");
  CHECK(written("struct S { int i; int f() { return i; } };\n__shared__ S all[2];", "all", 1) == "none");
}

TEST_CASE("what a condition looks at, directly or by a variable that is set there") {
  const SourceStructure source(
      "void f() {\n  if (other) return;\n  while (true) {\n    const auto mine = chunk;\n"
      "    if (mine >= end) break;\n    sum += value;\n    if (slot > 3) break;\n  }\n}\n");
  CHECK(source.decides("chunk", 4));
  CHECK(source.decides("slot", 7));
  CHECK_FALSE(source.decides("value", 6));
  CHECK_FALSE(source.decides("other", 3));
}

TEST_CASE("which lines are come to because of what a condition looks at") {
  const SourceStructure source(
      "void f() {\n  const bool last = flag;\n  if (last) {\n    sum += a[1];\n  }\n  sum += a[2];\n"
      "  if (!last) return;\n  sum += a[3];\n}\n");
  CHECK(source.decides_on("flag", 2, 4));
  CHECK(source.decides_on("last", 3, 4));
  CHECK_FALSE(source.decides_on("last", 3, 6));
  CHECK(source.decides_on("flag", 2, 8));
  CHECK_FALSE(source.decides_on("last", 8, 8));
  CHECK_FALSE(source.decides_on("sum", 4, 8));
}

TEST_CASE("an index comes of a name that stands in it, or from which it is set") {
  const SourceStructure source(
      "void f() {\n  const auto slot = place[bin];\n  counts[slot] += 1;\n  counts[place[bin]] += 1;\n"
      "  counts[bin] += slot;\n}\n");
  CHECK(source.leads_to_index("place", 2, 3));
  CHECK(source.leads_to_index("place", 4, 4));
  CHECK_FALSE(source.leads_to_index("place", 2, 5));
  CHECK_FALSE(source.leads_to_index("counts", 3, 4));
  const SourceStructure further(
      "void f() {\n  for (unsigned left = met[word]; left != 0; left &= left - 1) {\n"
      "    const unsigned bin = 32 * word + __ffs(left) - 1;\n    sum += counts[bin];\n"
      "    sum += counts[word];\n  }\n}\n");
  CHECK(further.leads_to_index("met", 2, 4));
  CHECK(further.leads_to_index("met", 0, 4));
  CHECK_FALSE(further.leads_to_index("met", 1, 4));
  CHECK_FALSE(further.leads_to_index("met", 2, 5));
}

TEST_CASE("an element has all its subscripts, and what stands behind them says what is done with it") {
  const SourceStructure source("tile[i][j] = tile[j][i];\nif (n) {\n} else {\n  __syncthreads();\n}\n");
  const auto written = source.element(1, "writes", "tile"), read = source.element(1, "reads", "tile");
  REQUIRE((written && read));
  CHECK(written->index + written->further == "i[j]");
  CHECK(read->index + read->further == "j[i]");
  REQUIRE(source.controls(4).size() == 1);
  CHECK(source.controls(4)[0].line == 2);
}

TEST_CASE("arrays whose ends nobody watches are known by their declarations") {
  const SourceStructure source(
      "struct Counts { unsigned of_bin[7]; };\nvoid f() {\n  __shared__ int shared[7];\n  int own[7]; "
      "int tile[4][8];\n"
      "  own[i] = counts.of_bin[shared[i]];\n  tile[1][i] = shared[i];\n  tile[0][i] = 0;\n}\n");
  using Arrays = std::vector<judge::UnwatchedArray>;
  CHECK(source.unwatched_arrays(5) == Arrays{{"own", 1, false}, {"of_bin", 1, false}});
  CHECK(source.unwatched_arrays(6) == Arrays{{"tile", 2, false}});
  CHECK(source.unwatched_arrays(7) == Arrays{{"tile", 2, true}});
  CHECK(source.unwatched_arrays(4) == Arrays{});
}

TEST_CASE("a name means what the innermost braces around it declare, and behind a dot a member") {
  const SourceStructure source(
      "struct Own {\n  unsigned counts[7];\n  void clear() { counts[i] = 0; }\n};\n"
      "void f(Own own, unsigned* row) {\n  __shared__ unsigned counts[4][7];\n  counts[0][k] = 0;\n"
      "  own.counts[k] = counts[1][k];\n  for (unsigned* counts = row; k < 7; ++k) counts[k] = 0;\n"
      "  {\n    unsigned row[3];\n    row[k] = a * counts[k][2];\n  }\n  row[k] = 0;\n"
      "  if (limit > counts[k][1]) return;\n}\n"
      "void g(unsigned* counts) {\n  counts[k] = 0;\n}\n"
      "struct More : Own {\n  void set() { counts[9] = 1; }\n};\n");
  using Arrays = std::vector<judge::UnwatchedArray>;
  const Arrays member{{"counts", 1, false}}, none{};
  CHECK(source.unwatched_arrays(3) == member);
  CHECK(source.unwatched_arrays(7) == none);
  CHECK(source.unwatched_arrays(8) == member);
  CHECK(source.unwatched_arrays(8, 15) == member);
  CHECK(source.unwatched_arrays(8, 30) == none);
  CHECK(source.unwatched_arrays(9) == none);
  CHECK(source.unwatched_arrays(12) == Arrays{{"row", 1, false}});
  CHECK(source.unwatched_arrays(14) == none);
  CHECK(source.unwatched_arrays(15) == none);
  CHECK(source.unwatched_arrays(18) == none);
  CHECK(source.unwatched_arrays(21) == member);
}

TEST_CASE("a shared array is aligned as its elements, unless its declaration says more") {
  const auto alignment = [](const std::string& declaration) {
    return SourceStructure("void f() {\n  " + declaration + ";\n}\n").shared_alignment("tile");
  };
  CHECK(alignment("__shared__ unsigned char tile[64]") == 1);
  CHECK(alignment("volatile __shared__ unsigned int tile[4][8]") == 4);
  CHECK(alignment("__shared__ std::uint64_t tile[4]") == 8);
  CHECK(alignment("__shared__ __align__(16) unsigned char tile[64]") == 0);
  CHECK(alignment("alignas(16) __shared__ unsigned char tile[64]") == 0);
  CHECK(alignment("__shared__ unsigned char tile[64] __attribute__((aligned(16)))") == 0);
  CHECK(alignment("__shared__ WIDE unsigned char tile[64]") == 0);
  CHECK(alignment("__shared__ uint4 tile[64]") == 0);
  CHECK(alignment("extern __shared__ unsigned char tile[]") == 0);
  CHECK(alignment("unsigned char tile[64]") == 0);
}

TEST_CASE("why an atomic in between does not order two blocks") {
  const auto missing = [](const std::string& between) {
    return SourceStructure("void f() {\n  partial[b] = sum;\n" + between + "  all += partial[0];\n}\n")
        .missing_order(2, 2 + static_cast<int>(std::ranges::count(between, '\n')) + 1)
        .value_or("none");
  };
  CHECK(missing("  last = atomicAdd(done, 1u) == 7;\n") ==
        "no fence between the write at line 2 and the atomic at line 3");
  CHECK(missing("  last = atomicAdd(done, 1u) == 7;\n  __threadfence();\n") ==
        "no fence between the write at line 2 and the atomic at line 3");
  CHECK(missing("  __threadfence_block();\n  last = atomicAdd(done, 1u) == 7;\n") ==
        "the fence at line 3 is for threads of one block");
  CHECK(missing("  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);\n"
                "  last = atomicAdd(done, 1u) == 7;\n") == "the fence at line 3 is for threads of one block");
  CHECK(missing("  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);\n"
                "  last = atomicAdd(done, 1u) == 7;\n") == "none");
  CHECK(missing("  last = count.fetch_add(1, cuda::memory_order_release) == 7;\n") ==
        "`memory_order_release` at line 3 does not acquire what other blocks have written");
  CHECK(missing("  last = count.fetch_add(1, cuda::memory_order_acquire) == 7;\n") ==
        "`memory_order_acquire` at line 3 does not release what is written at line 2");
  CHECK(missing("  last = count.fetch_add(1, cuda::memory_order_relaxed) == 7;\n") ==
        "no fence between the write at line 2 and the atomic at line 3");
  CHECK(missing("  __threadfence();\n  last = atomicAdd(done, 1u) == 7;\n") == "none");
  CHECK(missing("  last = count.fetch_add(1, cuda::memory_order_acq_rel) == 7;\n") == "none");
  CHECK(missing("  atomicAdd(done, 1u);\n") == "none");
  CHECK(missing("") == "none");
}

TEST_CASE("the bound of a kernel's launch, in numbers, constants and macros of the file") {
  const auto bound = [](const std::string& text) {
    const auto found = SourceStructure(text).launch_bound("k");
    return found ? fmt::format("{} at {}", found->threads, found->line) : "none";
  };
  CHECK(bound("__global__ void __launch_bounds__(128) k() {}") == "128 at 1");
  CHECK(bound("\n__launch_bounds__(32 * 8, 2) __global__ void k() {}") == "256 at 2");
  CHECK(bound("constexpr int n = 64;\n__global__ void __launch_bounds__(n) k() {}") == "64 at 2");
  CHECK(bound("#define N (4 * 32)\n__global__ void __launch_bounds__(N) k() {}") == "128 at 2");
  CHECK(bound("__global__ void __launch_bounds__(T::n) k() {}") == "none");
  CHECK(bound("__global__ void __launch_bounds__(128) other() {}\n__global__ void k() {}") == "none");
  CHECK(bound("__global__ void k() {}") == "none");
}

TEST_CASE("of a pointer into the array on the same line, either may be meant") {
  const auto is_only = [](const std::string& text, const char* role) {
    const auto found = SourceStructure(text).element(2, role, "copies");
    return !found ? "none" : found->has_alias ? "one of two" : "only";
  };
  CHECK(is_only("unsigned* mine = copies + 7;\ncopies[b] += mine[b];", "reads") == std::string("one of two"));
  CHECK(is_only("unsigned* mine = &copies[7];\nx = copies[b] + mine[b];", "reads") ==
        std::string("one of two"));
  CHECK(is_only("unsigned* mine = copies + 7;\ncopies[b] = mine[b];", "writes") == std::string("only"));
  CHECK(is_only("unsigned* mine = others + 7;\ncopies[b] += mine[b];", "reads") == std::string("only"));
}
