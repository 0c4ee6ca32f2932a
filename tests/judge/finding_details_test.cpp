// SPDX-License-Identifier: MIT
// What a finding gains from the student's file: names, lines with columns, evidence and what is missing.
#include "judge/finding_details.hpp"

#include <doctest/doctest.h>

#include "judge/barrier_details.hpp"
#include "judge/kernel_mistakes.hpp"
#include "temporary_folder.hpp"

using facts::Finding;
using facts::Location;
using facts::Verdict;

namespace {

constexpr const char* kernel = R"(#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* text, std::size_t n, unsigned int* hist) {
  __shared__ unsigned int counts[Binning::bins];
  if (threadIdx.x >= n) return;
  counts[threadIdx.x] = 0;
  __syncthreads();
  hist[0] += counts[0];
}
)";

struct StudentsFile {
  Location at(int line, const std::string& role) const { return {.file = path, .line = line, .role = role}; }
  TemporaryFolder folder;
  std::string path = folder.write("histogram.cu", kernel);
};

// The finding as it is shown.
Finding completed(Finding finding, const StudentsFile& file) {
  complete(finding, judge::StudentNames(*problems::find_problem("histogram"), true, file.path));
  return finding;
}

}  // namespace

TEST_CASE("the parameters of a function by its first declaration") {
  using Names = std::vector<std::string>;
  CHECK(judge::parameter_names(kernel, "histogram_kernel") == Names{"text", "n", "hist"});
  CHECK(judge::parameter_names("void f(int a[4], std::pair<int, int> b = {}, const char*);", "f") ==
        Names{"a", "b", "char"});
  CHECK(judge::parameter_names("// f(int a)\nvoid g();", "f").empty());
}

TEST_CASE("arrays are called as the student's parameters are, and words stay words") {
  const StudentsFile file;
  const judge::StudentNames names(*problems::find_problem("histogram"), true, file.path);
  CHECK(names.in("read data[3]; data has 3 bytes, of `histo`, --length 3") ==
        "read text[3]; text has 3 bytes, of `hist`, --length 3");
  CHECK(names.in("data begins late, bigdata[3]") == "data begins late, bigdata[3]");
  CHECK(judge::StudentNames().in("read data[3]") == "read data[3]");
}

TEST_CASE("a finding gains columns and lines, its evidence, and what is missing") {
  const StudentsFile file;
  const Finding race =
      completed({.verdict = Verdict::race,
                 .message = "two threads change histo[0] without an atomic\n  thread 1\n  with 1 byte",
                 .diagnosis = "missing_atomic",
                 .where = {file.at(9, "reads"), file.at(9, "writes")}},
                file);
  CHECK(race.message == "two threads change hist[0] without an atomic\n  thread 1\n  with 1 byte");
  CHECK(race.evidence == "thread 1\nwith 1 byte");
  CHECK(race.missing == "the update at line 9 is not atomic");
  CHECK(race.where[0].text == "  hist[0] += counts[0];");
  CHECK(race.where[0].column == 3);

  const Finding barrier = completed({.verdict = Verdict::race,
                                     .message = "one thread reads counts[0] while another writes it",
                                     .diagnosis = "missing_barrier",
                                     .where = {file.at(9, "reads"), file.at(7, "writes")}},
                                    file);
  CHECK(barrier.missing == "no barrier between line 7 and line 9");
  CHECK(barrier.where[0].column == 14);
  CHECK(barrier.evidence == "");

  const Finding outside = completed({.verdict = Verdict::out_of_bounds,
                                     .message = "histogram_kernel wrote counts[7]; counts has 7 elements",
                                     .where = {file.at(7, "")}},
                                    file);
  CHECK(outside.missing ==
        "`threadIdx.x >= n` at line 6 does not keep the index `threadIdx.x` within the array");
  CHECK(outside.where[0].role == "writes");
}

TEST_CASE("a barrier of a tile does not join threads of two") {
  TemporaryFolder folder;
  const std::string path = folder.write("histogram.cu", R"(__global__ void f(int* out) {
  __shared__ int stage[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  for (int round = 0; round < 9; ++round) {
    stage[threadIdx.x] = round;
    tile.sync();
    out[threadIdx.x] = stage[threadIdx.x ^ 16];
    tile.sync();
  }
}
)");
  const auto missing = [&](std::uint64_t one, std::uint64_t other) {
    Finding race{
        .verdict = Verdict::race,
        .message = "one thread writes stage[16] while another reads it",
        .diagnosis = "missing_warp_sync",
        .where = {{.file = path, .line = 5, .role = "writes"}, {.file = path, .line = 7, .role = "reads"}},
        .threads = {{.thread = one}, {.thread = other}}};
    complete(race, judge::StudentNames(*problems::find_problem("histogram"), true, path));
    return race.missing;
  };
  CHECK(missing(16, 0) ==
        "the barrier at line 6 joins a tile of 16 threads, and threads 16 and 0 are in different tiles");
  CHECK(missing(1, 0) ==
        "no barrier of the warp between line 7 and line 5 in the next round of the loop at line 4");
}

TEST_CASE("elements of a finding are written as the file has them, where the access is one of an element") {
  TemporaryFolder folder;
  const std::string path = folder.write("tile.cu",
                                        "__global__ void k() {\n"
                                        "  __shared__ unsigned tile[4][32];\n"
                                        "  tile[i][j] = 1;\n"
                                        "  sum += tile[j][i];\n"
                                        "  memset(&tile[i][0], 0, 16);\n"
                                        "}\n");
  const auto message = [&](Verdict verdict, int first, int second) {
    Finding finding{.verdict = verdict,
                    .message = "one thread writes tile[37] while another reads it",
                    .diagnosis = verdict == Verdict::race ? "missing_barrier" : "",
                    .where = {{.file = path, .line = first, .role = "writes"},
                              {.file = path, .line = second, .role = "reads"}}};
    complete(finding, judge::StudentNames());
    return finding.message;
  };
  CHECK(message(Verdict::race, 3, 4) == "one thread writes tile[1][5] while another reads it");
  CHECK(message(Verdict::race, 5, 4) == "one thread writes tile[37] while another reads it");
  CHECK(message(Verdict::build_error, 3, 4) == "one thread writes tile[37] while another reads it");
}

TEST_CASE("of a barrier that a thread has not reached, the line of its return") {
  const StudentsFile file;
  Finding finding{.verdict = Verdict::divergent_barrier, .message = "m", .where = {file.at(8, "waits")}};
  judge::add_return(finding, "thread 40");
  finding = completed(finding, file);
  CHECK(finding.missing == "thread 40 returns at line 6 before the barrier at line 8");
  REQUIRE(finding.where.size() == 2);
  CHECK(finding.where[0].column == 3);
  CHECK(finding.where[1].line == 6);
  CHECK(finding.where[1].column == 25);
  CHECK(finding.where[1].role == "returns");
}

TEST_CASE("mistakes that only nvcc would refuse are found by their tokens") {
  const auto words_of = [](const std::string& text) {
    const auto mistake = judge::find_kernel_mistake(text);
    return mistake ? std::to_string(mistake->line) + ": " + mistake->words.substr(0, 30) : "none";
  };
  CHECK(words_of(kernel) == "none");
  CHECK(words_of("__global__ void k() {\n  __shared__ int s[3] = {0};\n}") ==
        "2: a variable in shared memory ca");
  CHECK(words_of("__shared__ int s{};") == "1: a variable in shared memory ca");
  CHECK(words_of("__shared__ struct { int a; } s;\nint i = 0;") == "none");
  CHECK(words_of("__global__ void k() {\n  if (true) { std::cout << 1; }\n}") ==
        "2: std::cout belongs to the host:");
  CHECK(words_of("__global__ void k() {}\nvoid f() { std::cout << 1; }") == "none");
  CHECK(words_of("__global__ void k() {\n__shared__ int s[3];\nauto f = [&s] { s[0] = 1; };\n}") ==
        "3: a lambda cannot capture s by i");
  CHECK(words_of("__global__ void k() {\n__shared__ int s[3];\nauto f = [&] { s[0] = s[1]; };\n}") == "none");
  CHECK(words_of("__global__ void k() {\n__shared__ int s[3];\nauto f = [&t = s] { t[0] = 1; };\n}") ==
        "none");
  CHECK(words_of("__global__ void k() {\n  __device__ int s;\n}") == "2: a variable of a function canno");
  CHECK(words_of("__global__ void k() {\n  auto f = [] __device__ { };\n}") ==
        "2: a lambda with __device__ or __");
  CHECK(words_of("[[nodiscard]] __device__ int f() { return 1; }") == "none");
}

TEST_CASE("what belongs to the host and is used in a kernel is found by its tokens") {
  const auto words_of = [](const std::string& before, const std::string& body) {
    const auto mistake =
        judge::find_kernel_mistake(before + "\n__global__ void k(int* p, int i) {\n" + body + "\n}\n");
    return mistake ? std::to_string(mistake->line) + ": " + mistake->words : "none";
  };
  const std::string
      function = "3: f belongs to the host: a kernel cannot call it, for it is not a __device__ function",
      variable =
          "3: t belongs to the host: a kernel cannot use it, for it is neither __device__ nor "
          "__constant__";
  for (const char* host : {"int f(int a) { return a; }", "template <class T> T f(T a) { return a; }",
                           "static inline auto f(int a) noexcept -> int { return a; }",
                           "namespace n { int f(int a) { return a; } }"}) {
    CAPTURE(host);
    CHECK(words_of(host, "p[0] = f(i);") == function);
  }
  for (const char* both :
       {"__device__ int f(int a) { return a; }", "__host__ __device__ int f(int a) { return a; }",
        "constexpr int f(int a) { return a; }", "__device__ int f(int a); int f(int a) { return a; }",
        "int f(double a) { return a; } __device__ int f(int a) { return a; }",
        "#define HOST_AND_DEVICE __host__ __device__\\\n\nHOST_AND_DEVICE int f(int a) { return a; }",
        "struct S { int f(int a) { return a; } };", "constexpr auto f = [](int a) { return a; };"}) {
    CAPTURE(both);
    CHECK(words_of(both, "p[0] = f(i);") == "none");
  }
  const std::string host = "int f(int a) { return a; }";
  CHECK(words_of(host, "auto f = [](int a) { return a; }; p[0] = f(i);") == "none");
  CHECK(words_of(host, "p[0] = s.f(i);") == "none");
  CHECK(words_of(host + "\nint g(int a) { return f(a); }", "") == "none");
  CHECK(words_of("int max(int a, int b) { return a; }", "p[0] = max(i, 1);") == "none");

  for (const char* table :
       {"int t[2] = {1, 2};", "const int t[] = {1, 2};", "static constexpr int t[2] = {1, 2};"}) {
    CAPTURE(table);
    CHECK(words_of(table, "p[0] = t[i];") == variable);
    CHECK(words_of(table, "int t[3]; p[0] = t[i];") == "none");
    CHECK(words_of(table, "constexpr int one = t[1]; p[0] = one;") == "none");
    CHECK(words_of(table, "p[0] = sizeof(t[i]);") == "none");
    CHECK(words_of(table, "for (int one : t) p[0] += one;") == variable);
    CHECK(words_of(table, "const int* q = t;") == variable);
    CHECK(words_of(table, "p[0] = std::size(t);") == "none");
  }
  CHECK(words_of("int t = 3;", "p[0] = t;") == variable);
  CHECK(words_of("int t = 3;", "atomicAdd(&t, 1);") == variable);
  CHECK(words_of("int t = 3;", "int& t = p[0]; t = 1;") == "none");
  CHECK(words_of("struct S { static constexpr int t[2] = {1, 2}; };", "p[0] = S::t[i];") == variable);
  CHECK(words_of("struct S { static constexpr int t[2] = {1, 2}; };", "constexpr int one = S::t[1];") ==
        "none");
  for (const char* change : {"t = 1;", "t += 1;", "t++;"}) {
    CAPTURE(change);
    CHECK(words_of("__constant__ int t;", change) == "3: t is __constant__: a kernel cannot change it");
    CHECK(words_of("__device__ int t;", change) == "none");
  }
  CHECK(words_of("__constant__ int t[2];", "t[i] = 1;") == "3: t is __constant__: a kernel cannot change it");
  CHECK(words_of("__constant__ int t[2];", "if (t[i] == 1) p[0] = t[0] + t[1];") == "none");
  for (const char* number :
       {"const int t = 3;", "constexpr int t = 3;", "__device__ int t = 3;", "enum { t = 3 };"}) {
    CAPTURE(number);
    CHECK(words_of(number, "p[0] = t;") == "none");
  }
  CHECK(words_of("__constant__ int t[2] = {1, 2};", "p[0] = t[i];") == "none");
  const std::string reference =
      "3: std::max takes its arguments by reference, and n has no address in a kernel";
  for (const char* number :
       {"const int n = 3;", "constexpr int n = 3;", "namespace a { static constexpr int n = 3; }"}) {
    CAPTURE(number);
    CHECK(words_of(number, "p[0] = std::max(i, n);") == reference);
    CHECK(words_of(number, "p[0] = std::max(n, i);") == reference);
    CHECK(words_of(number, "p[0] = std::max(i, n + 0);") == "none");
    CHECK(words_of(number, "p[0] = std::max(i, int(n));") == "none");
    CHECK(words_of(number, "p[0] = max(i, n);") == "none");
    CHECK(words_of(number, "int n = i; p[0] = std::max(i, n);") == "none");
    CHECK(words_of(number, "constexpr int m = std::max(3, n);") == "none");
  }
  CHECK(words_of("template <class B>", "p[0] = std::min(B::bins, i);") ==
        "3: std::min takes its arguments by reference, and B::bins has no address in a kernel");
  CHECK(words_of("struct S { static constexpr int n = 3; };", "p[0] = std::min(i, S::n);") ==
        "3: std::min takes its arguments by reference, and S::n has no address in a kernel");
  CHECK(words_of("struct S { enum { n = 3 }; };", "p[0] = std::min(i, S::n);") == "none");
  const std::string method =
      "3: S::f belongs to the host: a kernel cannot call it, for it is not a __device__ function";
  CHECK(words_of("struct S { int a; int f() const { return a; } };", "S s{i}; p[0] = s.f();") == method);
  CHECK(words_of("struct S { int a; int f() const { return a; } };", "const S* s = q; p[0] = s->f();") ==
        method);
  CHECK(words_of("class S { public: static int f(int a) { return a; } };", "p[0] = S::f(i);") == method);
  CHECK(words_of("struct S { int operator()(int a) { return a; } };", "p[0] = S()(i);")
            .find("3: S::operator() bel") == 0);
  CHECK(words_of("struct S { int a; S(int b) : a(b) {} };", "S s(3); p[0] = s.a;")
            .find("3: S::S belongs to the h") == 0);
  for (const char* both :
       {"struct S { int a; __device__ int f() const { return a; } };",
        "struct S { int a; constexpr int f() const { return a; } };",
        "struct S { int f(); }; __device__ int S::f() { return 1; }",
        "template <class T> struct S { int a; HOST_DEVICE int f() const { return a; } };"}) {
    CAPTURE(both);
    CHECK(words_of(both, "S s{i}; p[0] = s.f();") == "none");
  }
  CHECK(words_of("struct S { int size() { return 1; } };", "auto s = tile(); p[0] = s.size();") == "none");
  CHECK(words_of("struct S { int a; S(const S& b) : a(b.a) {} };", "S s; S t(s); p[0] = t.a;") == "none");
  CHECK(words_of("", "__atomic_fetch_add(p, 1, 0);") ==
        "3: __atomic_fetch_add belongs to the host: a kernel cannot use it");
  CHECK(words_of("", "memmove(p, p + 1, 4);") == "3: memmove belongs to the host: a kernel cannot use it");
}
