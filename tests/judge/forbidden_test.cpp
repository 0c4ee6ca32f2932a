// SPDX-License-Identifier: MIT
#include "judge/forbidden.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "judge/tokens.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

workbook::Target target_in(const TemporaryFolder& folder, facts::Backend backend = facts::Backend::sim) {
  workbook::Target target =
      workbook::here().target(workbook::here().find("02").at(0), workbook::Tree::student, backend);
  target.source = folder.path() + "/histogram.cu";
  target.runner = folder.path() + "/histogram.runner";
  return target;
}

judge::Inspection inspected(const std::string& text, facts::Backend backend = facts::Backend::sim) {
  const TemporaryFolder folder;
  folder.write("histogram.cu", text);
  return judge::inspect(workbook::here(), target_in(folder, backend));
}

// The first line of the finding behind the file's name, such as ":2: assembler is not allowed"; empty if the
// file is not forbidden.
std::string words_of(const std::string& text, facts::Backend backend = facts::Backend::sim) {
  const judge::Inspection inspection = inspected(text, backend);
  CHECK_FALSE(inspection.unreadable);
  if (!inspection.forbidden) return "";
  CHECK(inspection.forbidden->verdict == facts::Verdict::forbidden);
  const std::string first = inspection.forbidden->message.substr(0, inspection.forbidden->message.find('\n'));
  const std::string file = "/histogram.cu";
  return first.substr(first.find(file) + file.size());
}

std::string spelt(const std::string& text) {
  std::string all;
  for (const judge::Token& token : judge::tokens_of(text).all) all += (all.empty() ? "" : " ") + token.text;
  return all;
}

}  // namespace

TEST_CASE("tokens: comments, literals, joined lines, digraphs, numbers") {
  CHECK(spelt("a/**/b//c\nd") == "a b d");
  CHECK(spelt("as\\\nm as\\  \nm") == "asm asm");
  CHECK(spelt("/\\\n* a *\\\n/ b /\\\n/ c\\\nd\ne") == "b e");
  CHECK(spelt("\"/*\" x '\"' y '\\'' z") == "\"/*\" x '\"' y '\\'' z");
  CHECK(spelt("R\"(\"/*)\" x u8R\"a()\")a\" y") == "R\"(\"/*)\" x u8R\"a()\")a\" y");
  CHECK(spelt("R\"(a\\\n)\" x") == "R\"(a\\\n)\" x");
  CHECK(spelt("LR \"(\" x") == "LR \"(\" x");
  CHECK(spelt("1'000'000 0x1p-3 .5e+1 1.f x'a'") == "1'000'000 0x1p-3 .5e+1 1.f x 'a'");
  CHECK(spelt("L'a' u8\"b\" M'c'") == "L'a' u8\"b\" M 'c'");
  CHECK(spelt("%: %:%: <% %> <: :> <:: <::: <::>") == "# ## { } [ ] < :: [ :: [ ]");
  CHECK(spelt("#include <a//b> c\n#include \"d\\\" e") == "# include <a//b> c # include \"d\\\" e");
  CHECK(spelt("\"open\nnext") == "\"open next");
  CHECK(spelt("/* open") == "");
  CHECK(spelt("\xEF\xBB\xBFx") == "x");
}

TEST_CASE("tokens: lines and what begins one, also across comments and joined lines") {
  const auto tokens = judge::tokens_of("a\\\nb /* \n */ # c\n /**/ # d").all;
  REQUIRE(tokens.size() == 5);
  CHECK((tokens[0].line == 1 && tokens[0].starts_line && tokens[0].text == "ab"));
  CHECK((tokens[1].line == 3 && !tokens[1].starts_line));
  CHECK((tokens[3].line == 4 && tokens[3].starts_line));
}

TEST_CASE("assembler, however it is spelt") {
  const std::string told = ": assembler is not allowed";
  CHECK(words_of("asm(\"nop\");") == ":1" + told);
  CHECK(words_of("\nint f() { __asm__ volatile(\"nop\" ::: \"memory\"); }") == ":2" + told);
  CHECK(words_of("\n\n__asm(\"nop\");") == ":3" + told);
  CHECK(words_of("a\\\nsm(\"nop\");") == ":1" + told);
  CHECK(words_of("as\\ \nm(R\"(nop)\");") == ":1" + told);
  CHECK(words_of("/**/asm/* */(/* */\"nop\");") == ":1" + told);
  CHECK(words_of("#define A asm\nA(\"nop\");") == ":1" + told);
  CHECK(words_of("#if 0\n#else\nasm(\"nop\");\n#endif") == ":3" + told);
  CHECK(words_of("const char* s = \"//\"; asm(\"nop\");") == ":1" + told);
  CHECK(words_of("const char* s = R\"x()\")x\"; asm(\"nop\");") == ":1" + told);
  CHECK(words_of("int i = 1'0; asm(\"nop\"); char c = '0';") == ":1" + told);
  CHECK(words_of("asm(\"\" \"nop\");") == ":1" + told);
  CHECK(words_of("#define E \"nop\"\nasm(\"\" E);") == ":2" + told);
  CHECK(words_of("asm(\"\" : \"+r\"(x));") == ":1" + told);
  CHECK(words_of("asm(\"\" : : \"r\"(x) : \"memory\");") == ":1" + told);
  CHECK(words_of("asm(\"\" ::: \"rsp\");") == ":1" + told);
  CHECK(words_of("asm goto(\"\" :::: out);") == ":1" + told);
  CHECK(words_of("int x asm(\"histo\");") == ":1" + told);
}

TEST_CASE("control: an empty one that holds the compiler, and words that only look like assembler") {
  CHECK(words_of("void f() { asm volatile(\"\" ::: \"memory\"); }") == "");
  CHECK(words_of("void f() { __asm__ __volatile__(\"\" : : : \"memory\", \"cc\"); asm(\"\"); }") == "");
  CHECK(words_of("// asm(\"nop\")\n/* asm */ const char* s = \"asm(1)\"; int plasma, asm1, _asm; auto r = "
                 "R\"(asm)\";") == "");
}

TEST_CASE("on a GPU the device's code may hold PTX, the host's no assembler") {
  const auto on_gpu = [](const std::string& text) { return words_of(text, facts::Backend::gpu); };
  const std::string told = ": assembler is not allowed", ptx = "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(i));";
  CHECK(on_gpu("__device__ int f() { int i; if (true) { " + ptx + " } return i; }") == "");
  CHECK(on_gpu("template <class B> __global__ void k(int* h) { auto f = [] { int i; " + ptx + " }; }") == "");
  CHECK(on_gpu("namespace { struct S { int a; __device__ int f() { int i; " + ptx + " return i; } }; }") ==
        "");
  CHECK(on_gpu("struct __align__(16) S { __device__ void f() { " + ptx + " } void g() {" + ptx + "} };") ==
        ":1" + told);
  CHECK(on_gpu("int f() { int i; " + ptx + " return i; }") == ":1" + told);
  CHECK(on_gpu("__host__ __device__ int f() { int i; " + ptx + " return i; }") == ":1" + told);
  CHECK(on_gpu("__device__ int v;\n" + ptx) == ":2" + told);
  const std::string macro = "#define SMID(i) " + ptx + "\n#define S SMID\n";
  CHECK(on_gpu(macro + "__device__ void f() { int i; S(i) }") == "");
  CHECK(on_gpu(macro + "void f() { int i; S(i) }") ==
        ":3: this macro holds assembler, outside of device code");
}

TEST_CASE("attributes outside of the list") {
  const auto told = [](int line, const std::string& name) {
    return ":" + std::to_string(line) + ": the attribute " + name + " is not allowed";
  };
  CHECK(words_of("__attribute__((no_sanitize(\"thread\"))) int f();") == told(1, "no_sanitize"));
  CHECK(words_of("__attribute__((__no_sanitize_thread__)) int f();") == told(1, "__no_sanitize_thread__"));
  CHECK(words_of("__attribute((unused, constructor(101))) int f();") == told(1, "constructor"));
  CHECK(words_of("[[gnu::constructor]] int f();") == told(1, "constructor"));
  CHECK(words_of("[[using gnu: unused, destructor]] int f();") == told(1, "destructor"));
  CHECK(words_of("[[__gnu__::__naked__]] int f();") == told(1, "__naked__"));
  CHECK(words_of("[\n[ clang::no_sanitize(\"thread\")]] int f();") == told(2, "no_sanitize"));
  CHECK(words_of("<:<:gnu::weak:>:> int f();") == told(1, "weak"));
  CHECK(words_of("[[nodiscard]] [[maybe_unused, gnu::section(\"x\")]] int f();") == told(1, "section"));
  CHECK(words_of("#define unused no_sanitize(\"thread\")\n__attribute__((unused)) int f();") ==
        told(2, "unused"));
  CHECK(words_of("#include \"lab.hpp\"\n#define gnu clang\n[[gnu::unused]] int f();") == told(3, "unused"));
  CHECK(words_of("#define N 16), alias(\"x\"\n__attribute__((aligned(N))) int f();") == told(2, "N"));
  CHECK(words_of("#define M 16), alias(\"x\"\n#define N M\n__attribute__((aligned(N))) int f();") ==
        told(3, "N"));
  CHECK(words_of("#define N ((no_sanitize(\"thread\")))\n__attribute__ N int f();") ==
        ":2: this __attribute__ is made of macros");
  CHECK(words_of("#define A __attribute__\nA((weak)) int f();") ==
        ":1: this __attribute__ is made of macros");
  CHECK(words_of("__declspec(dllexport) int f();") == ":1: __declspec is not allowed");
}

TEST_CASE("control: CUDA's and the standard attributes, aligned and its like") {
  CHECK(words_of("__global__ void __launch_bounds__(256, 2) k(int* __restrict__ p);\n"
                 "struct __align__(16) A { alignas(8) int x; };\n"
                 "#define WIDTH 16\n"
                 "__attribute__((aligned(WIDTH), unused)) int x; __attribute__((__always_inline__)) inline "
                 "int f();\n"
                 "[[nodiscard]] [[maybe_unused]] int g(); [[gnu::always_inline]] inline int h(); [[using "
                 "gnu: packed]];\n"
                 "void s(int* a) { a[a[0]] = 1; switch (1) { case 1: [[fallthrough]]; default: ; } [](int) { "
                 "}(1); }\n"
                 "[[deprecated(\"asm\")]] __forceinline__ __noinline__ int i();") == "");
}

TEST_CASE("directives and pragmas") {
  CHECK(words_of("#line 7 \"x\"") == ":1: #line is not allowed");
  CHECK(words_of("\n# 7 \"x\"") == ":2: #7 is not allowed");
  CHECK(words_of("%: line 7") == ":1: #line is not allowed");
  CHECK(words_of("/* */ # /* \n */ li\\\nne 7") == ":2: #line is not allowed");
  CHECK(words_of("#ident \"x\"") == ":1: #ident is not allowed");
  CHECK(words_of("#include_next <vector>") == ":1: #include_next is not allowed");
  CHECK(words_of("#import <vector>") == ":1: #import is not allowed");
  CHECK(words_of("#embed \"/etc/passwd\"") == ":1: #embed is not allowed");
  CHECK(words_of("#define H <vector>\n#include H") == ":2: this includes a file that a macro names");
  CHECK(words_of("#pragma GCC optimize(\"O3\")") == ":1: #pragma GCC is not allowed");
  CHECK(words_of("#pragma GCC push_options") == ":1: #pragma GCC is not allowed");
  CHECK(words_of("#pragma clang attribute push(x)") == ":1: #pragma clang is not allowed");
  CHECK(words_of("#pragma weak main") == ":1: #pragma weak is not allowed");
  CHECK(words_of("#pragma redefine_extname a b") == ":1: #pragma redefine_extname is not allowed");
  CHECK(words_of("#pragma push_macro(\"asm\")") == ":1: #pragma push_macro is not allowed");
  CHECK(words_of("_Pragma(\"weak main\")") == ":1: #pragma weak is not allowed");
  CHECK(words_of("_Pragma(\"GCC \\\"optimize\\\"\")") == ":1: #pragma GCC is not allowed");
  CHECK(words_of("#define P(x) _Pragma(#x)") == ":1: this _Pragma is made of macros");
  CHECK(
      words_of("#pragma unroll\n#pragma unroll 4\n#pragma GCC unroll 8\n#pragma once\n_Pragma(\"unroll 1\")\n"
               "#pragma nv_diag_suppress 177\n#define N 4\n#pragma unroll N\n#pragma GCC diagnostic push\n#\n"
               "#ifndef __HELPER_H__\n#define __HELPER_H__\n#endif") == "");
}

TEST_CASE("variables that belong to a thread of the operating system") {
  CHECK(words_of("thread_local int a;") == ":1: thread_local is not allowed");
  CHECK(words_of("void f() {\n  static __thread int a;\n}") == ":2: __thread is not allowed");
  CHECK(words_of("#define LOCAL thread_local\nLOCAL int a;") == ":1: thread_local is not allowed");
  CHECK(words_of("#define JOIN(a, b) a##b\nJOIN(thread_, local) int a;") != "");
  CHECK(words_of("__shared__ int a; int thread_locals, threads;") == "");
}

TEST_CASE("macros that could make a word, or change the workbook's own code") {
  const std::string joins = ": this ## joins words that are not known here";
  CHECK(words_of("#define CAT(a, b) a##b\nCAT(as, m)(\"nop\");") == ":1" + joins);
  CHECK(words_of("#define CAT(a, b) a%:%:b\nCAT(__a, CAT(s, m))(\"nop\");") == ":1" + joins);
  CHECK(words_of("#define CAT(a, b) a##b\nCAT(__, tsan_write4)(p);") == ":1" + joins);
  CHECK(words_of("#define CAT(a, b) a##b\n#define PART m\nCAT(as, PART)(\"nop\");") == ":1" + joins);
  CHECK(
      words_of(
          "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\nint CAT(counts, __LINE__), CAT(bin, 3);") ==
      "");
  CHECK(words_of("#define A(x) a##x\nA(sm)") == ":1" + joins);
  CHECK(words_of("#define A(x) x##m\nA(as)") == ":1" + joins);
  CHECK(words_of("#define A(x) __at##x\nA(tribute__)") == ":1" + joins);
  CHECK(words_of("#define A(x) x##n_ia32_movnti\nA(__builti)") == ":1" + joins);
  CHECK(words_of("#define A(...) as##__VA_ARGS__\nA(m)") == ":1" + joins);
  CHECK(words_of("#define BIN(i) bin_##i\n#define TAIL(x) x##_counts\n#define LOG(f, ...) printf(f, "
                 "##__VA_ARGS__)") == "");
  CHECK(words_of("#define asm") == ":1: a macro must not have the name asm");
  CHECK(words_of("#undef WORKBOOK_SIMULATOR") == ":1: a macro must not have the name WORKBOOK_SIMULATOR");
  CHECK(words_of("#define histogram_kernel(...) cheat()") ==
        ":1: a macro must not have the name histogram_kernel");
  CHECK(words_of("#define run_thread cheat") == ":1: a macro must not have the name run_thread");
  CHECK(words_of("#undef __shared__") == ":1: a macro must not have the name __shared__");
  CHECK(words_of("#define __shared__") == ":1: a macro must not have the name __shared__");
  CHECK(words_of("#define SHARED __shared__") == "");
  CHECK(words_of("#define const") == ":1: a macro must not have the name const");
  CHECK(words_of("#define private public") == ":1: a macro must not have the name private");
  CHECK(words_of("#define privates publics") == "");
  CHECK(words_of("#define __syncthreads cheat\n#include \"lab.hpp\"") ==
        ":1: the macro __syncthreads would change the workbook's headers");
  CHECK(words_of("#include \"lab.hpp\"\n#define acquires(order) true\n#include <cuda/atomic>") ==
        ":2: the macro acquires would change <cuda/atomic>");
  CHECK(words_of("#include <cuda/atomic>\n#define acquires(order) true\n#include <cuda/atomic>") == "");
  CHECK(words_of("#define acquires(order) true\n#include <vector>") == "");
  CHECK(words_of("#define BLOCK 256\n#define N 16\n#include \"lab.hpp\"\n#define min(a, b) ((a) < (b) ? (a) "
                 ": (b))") == "");
  CHECK(words_of("int \\u0061;") == ":1: a backslash outside of strings is not allowed here");
  CHECK(words_of("int a; // \?\?/\nint b;") == ":1: the trigraph \?\?/ is not allowed here");
  CHECK(words_of("// x\rasm(\"nop\");\n") == ":1: a carriage return inside a line is not allowed here");
  CHECK(words_of("// Windows\r\nint a;\r\n// what\?\?! \xC3\xA9\r\n") == "");
}

TEST_CASE("names of the workbook and of the machine") {
  CHECK(words_of("namespace runner { int a; }") == ":1: the namespace runner is the workbook's");
  CHECK(words_of("namespace r = runner;") == ":1: the namespace runner is the workbook's");
  CHECK(words_of("void runner::simulate() {}") == ":1: the namespace runner is the workbook's");
  CHECK(words_of("template <> int ::histogram::variants<int> = 1;") ==
        ":1: the namespace histogram is the workbook's");
  CHECK(words_of("int (main)() {}") == ":1: a lab's file has no main");
  CHECK(words_of("int main() {}") == ":1: a lab's file has no main");
  CHECK(words_of("void f(int* p) { __builtin_ia32_movnti(p, 1); }") ==
        ":1: __builtin_ia32_movnti is not allowed");
  CHECK(words_of("void f(int* p) { __builtin_memcpy(p, p, 64); }") == ":1: __builtin_memcpy is not allowed");
  const judge::Inspection copy = inspected("void f(int* p) { __builtin_memset(p, 0, 64); }");
  REQUIRE(copy.forbidden);
  CHECK(copy.forbidden->message.find("What it does to memory is not seen. Write memset instead.") !=
        std::string::npos);
  CHECK(words_of("extern \"C\" void __tsan_write4(void*);") == ":1: __tsan_write4 is not allowed");
  CHECK(words_of("int runner = 1, histogram = 2; struct S { int facts; } s; int f() { return s.facts + "
                 "histogram; }\n"
                 "int h() { return s.main + p->main; }\nint g() { return __builtin_popcount(3); }") == "");
}

TEST_CASE("a namespace of the student's may hold one with the name of the workbook's") {
  CHECK(words_of("namespace mine::histogram { int a; }\nint f() { return mine::histogram::a + "
                 "::mine::histogram::a; }") == "");
  CHECK(words_of(
            "struct mine { struct histogram { static int a; }; };\nint f() { return mine::histogram::a; }") ==
        "");
  const std::string told = " is the workbook's";
  CHECK(words_of("namespace mine { int a; }\nint f() { return histogram::a; }") ==
        ":2: the namespace histogram" + told);
  CHECK(words_of("#define mine\nnamespace mine::runner { int a; }") == ":2: the namespace runner" + told);
  CHECK(words_of("#if 0\nnamespace const {}\n#endif\nconst ::runner::Variant* a;") ==
        ":4: the namespace runner" + told);
  CHECK(words_of("__extension__ ::runner::Variant* a;") == ":1: the namespace runner" + told);
  CHECK(words_of("inline namespace mine {}\nnamespace mine::runner { int a; }") ==
        ":2: the namespace runner" + told);
  CHECK(words_of("#define I inline\nI namespace mine {}\nnamespace mine::runner { int a; }") ==
        ":3: the namespace runner" + told);
  CHECK(words_of("namespace a::inline mine {}\nnamespace mine::runner { int a; }") ==
        ":2: the namespace runner" + told);
}

TEST_CASE("a macro that stands for one of the workbook's namespaces, or makes a longer name of it") {
  const std::string told = ": the namespace runner is the workbook's";
  CHECK(words_of("#define R runner\nint f() { return R::a; }") == ":2: the namespace R is the workbook's");
  CHECK(words_of("#define R runner\nnamespace R { int a; }") == ":2: the namespace R is the workbook's");
  CHECK(words_of("#define OPEN namespace\nOPEN runner { int a; }") == ":2" + told);
  CHECK(words_of("#define OPEN(name) namespace name {\nOPEN(runner) int a; }") == ":2" + told);
  CHECK(words_of("#define OF(a, b) a::b\nint f() { return OF(runner, a); }") == ":2" + told);
  CHECK(words_of("#define IN ::\nint f() { return runner IN a; }") == ":2" + told);
  CHECK(words_of("#define COUNT histogram[0]\n#define MINE namespace mine {\n#define LIMIT std::size_t(3)\n"
                 "void f(int* histogram) { ++COUNT; }\nMINE }") == "");
}

TEST_CASE("headers: the standard library's, CUDA's, lab.hpp and the student's own") {
  const std::string told = ": this header is not open to a lab's file";
  CHECK(
      words_of(
          "#include \"lab.hpp\"\n#include <vector>\n#include <cub/cub.cuh>\n#include <cooperative_groups.h>\n"
          "#include <cuda/std/array>\n#include <math.h>\n#include <bits/stdc++.h>\n#include "
          "\"cuda_runtime.h\"") == "");
  CHECK(words_of("\n#include <unistd.h>") == ":2" + told);
  CHECK(words_of("#include <sys/ptrace.h>") == ":1" + told);
  CHECK(words_of("#include <immintrin.h>") == ":1" + told);
  CHECK(words_of("#include \"simulator/machine.hpp\"") == ":1" + told);
  CHECK(words_of("#include \"../solutions/02_global_atomics/histogram.cu\"") == ":1" + told);
  CHECK(words_of("#include <cuda/../simulator/machine.hpp>") == ":1" + told);
  CHECK(words_of("#if 0\n#include <dlfcn.h>\n#endif") == ":2" + told);
}

TEST_CASE("files outside of the student's folder are not even compiled, links followed") {
  const TemporaryFolder outside, folder;
  const std::string secret = outside.write("secret.hpp", "int secret;");
  const workbook::Target target = target_in(folder);
  const auto unreadable = [&](const std::string& text) {
    folder.write("histogram.cu", text);
    const auto inspection = judge::inspect(workbook::here(), target);
    return inspection.unreadable ? inspection.unreadable->message.substr(target.source.size()) : "";
  };
  const auto told = [](const std::string& line) {
    return ":1: this includes a file outside of your labs\n    1 | " + line +
           "\n  A lab's file may include files of its own folder, lab.hpp, CUDA's headers and the standard "
           "library's.";
  };
  for (const std::string& line :
       {"#include \"" + secret + "\"", "#include <" + secret + ">", std::string("#include \"/dev/zero\""),
        "#include \"../" + secret.substr(secret.find("workbook-test")) + "\""}) {
    CAPTURE(line);
    CHECK(unreadable(line + "\n") == told(line));
  }
  files::create_symlink(secret, folder.path() + "/helper.hpp");
  CHECK(unreadable("#include \"helper.hpp\"\n") == told("#include \"helper.hpp\""));
  files::remove(folder.path() + "/histogram.cu");
  files::create_symlink(secret, target.source);
  CHECK(judge::inspect(workbook::here(), target)
            .unreadable->message.find("this file is a link to one outside of your labs") !=
        std::string::npos);
}

TEST_CASE("what a file includes from its own folder is held to the same rules") {
  const TemporaryFolder folder;
  folder.write("histogram.cu", "#include \"lab.hpp\"\n#include \"parts/helper.cuh\"\n");
  folder.write("parts/helper.cuh", "#pragma once\n#include \"deeper.cuh\"\n#include \"../histogram.cu\"\n");
  folder.write("parts/deeper.cuh", "#include \"helper.cuh\"\n\n__asm__(\"nop\");\n");
  const auto inspection = judge::inspect(workbook::here(), target_in(folder));
  REQUIRE(inspection.forbidden);
  CHECK(inspection.forbidden->message.find(
            folder.path() + "/parts/deeper.cuh:3: assembler is not allowed\n    3 | __asm__(\"nop\");\n") ==
        0);
  REQUIRE(inspection.forbidden->where.size() == 1);
  CHECK(inspection.forbidden->where[0] == facts::Location{folder.path() + "/parts/deeper.cuh", 3});
}

TEST_CASE("control: nothing of what is in the workbook for students is forbidden") {
  const workbook::Workbook& workbook = workbook::here();
  int seen = 0;
  for (const char* tree :
       {"labs", "solutions", "tests/submissions", "tests/judge/kernels", "tests/judge/functions"}) {
    std::error_code none;
    for (const auto& entry : files::recursive_directory_iterator(workbook.source_root + "/" + tree, none)) {
      const std::string path = entry.path();
      const bool is_unit =
          path.ends_with(".cu") || (path.ends_with(".cpp") && path.find("01_") != std::string::npos);
      // Of labs/ what is judged: x0 holds a program of its own.
      const bool is_judged =
          std::string_view(tree) != "labs" || files::exists(entry.path().parent_path() / "lab.manifest");
      if (!is_unit || !is_judged) continue;
      for (const facts::Backend backend : {facts::Backend::sim, facts::Backend::gpu}) {
        workbook::Target target =
            workbook.target(workbook.find("02").at(0), workbook::Tree::student, backend);
        target.source = path;
        const judge::Inspection inspection = judge::inspect(workbook, target);
        CHECK_MESSAGE(!inspection.unreadable, inspection.unreadable->message);
        CHECK_MESSAGE(!inspection.forbidden, inspection.forbidden->message);
        ++seen;
      }
    }
  }
  CHECK(seen > 300);
}

TEST_CASE("control: nothing of the compiled solutions is forbidden, on any backend") {
  const workbook::Workbook& workbook = workbook::here();
  int seen = 0;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    for (const facts::Backend backend : {facts::Backend::cpu, facts::Backend::sim, facts::Backend::gpu}) {
      const workbook::Target target = workbook.target(exercise, workbook::Tree::solution, backend);
      if (!workbook.has(backend) || !files::exists(target.runner)) continue;
      const auto forbidden = judge::inspect_object(workbook, target);
      CHECK_MESSAGE(!forbidden, forbidden->message);
      ++seen;
    }
  }
  CHECK((seen >= 7 || !workbook.has_solutions));
}
