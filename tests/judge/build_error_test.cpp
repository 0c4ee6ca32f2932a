// SPDX-License-Identifier: MIT
// What a student reads of typical mistakes (mistakes/*.cu), from what g++ 12, clang 14 and nvcc 13 really
// printed (mistakes/recorded: the first 30 lines of each; the workbook in /book, quotation marks in ASCII).
#include <doctest/doctest.h>

#include "judge/build.hpp"
#include "temporary_folder.hpp"
#include "transcript.hpp"

using facts::Backend;

namespace {

const std::string compiles = "(compiles)\n";

std::string with_folder(std::string text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find("/book/", at)) != std::string::npos; at += folder.size())
    text.replace(at, 5, folder);
  return text;
}

// The finding for `output` about the student's file with this text.
facts::Finding finding_of(const std::string& text, const std::string& output, Backend backend,
                          bool launched = true) {
  const TemporaryFolder folder;
  workbook::Workbook workbook = workbook::here();
  workbook.source_root = folder.path();
  const std::string source = folder.write("labs/02_global_atomics/histogram.cu", text);
  const workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", launched,
                                        "histogram"};
  workbook::Target target = workbook.target(exercise, workbook::Tree::student, backend);
  target.source = source;
  return judge::build_error(workbook, target, with_folder(output, folder.path()));
}

void check_messages(const std::string& compiler, Backend backend) {
  const std::string folder = workbook::here().source_root + "/tests/judge/mistakes/";
  const auto messages = transcript(folder + "messages/" + compiler + ".txt");
  int compared = 0;
  for (const auto& recorded : transcript(folder + "recorded/" + compiler + ".txt")) {
    // Not a structured binding: clang 14 does not let CAPTURE take one.
    const std::string& mistake = recorded.first;
    const std::string& output = recorded.second;
    CAPTURE(mistake);
    REQUIRE(messages.count(mistake) == 1);
    const std::string& message = messages.at(mistake);
    if (output == compiles) {
      CHECK(message == compiles);
      continue;
    }
    const facts::Finding finding = finding_of(text_of(folder + mistake + ".cu"), output, backend);
    CHECK(name_of(finding.verdict) == "build_error");
    CHECK(finding.message + "\n" == message);
    if (!finding.where.empty()) {
      const std::string place = finding.where[0].file + ":" + std::to_string(finding.where[0].line) + ":";
      CHECK(message.substr(0, place.size()) == place);
    }
    CHECK(message.find("labs/02_global_atomics/histogram.cu:") == 0);
    for (const char* word : {"/common/", "/usr/", "unit.cpp", "-W", "runner::", "sanitize"}) {
      CAPTURE(word);
      CHECK(message.find(word) == std::string::npos);
    }
    ++compared;
  }
  CHECK(compared >= 40);
}

}  // namespace

TEST_CASE("what g++ says of typical mistakes, as a student reads it") {
  check_messages("g++-12", Backend::sim);
}

TEST_CASE("what clang says of typical mistakes, as a student reads it") {
  check_messages("clang-14", Backend::sim);
}

TEST_CASE("what nvcc says of typical mistakes, as a student reads it") {
  check_messages("nvcc-13", Backend::gpu);
}

TEST_CASE("an error before the line of an unclosed brace comes first") {
  const std::string text = "int a = b;\nvoid f() {\n",
                    unit = "/book/build/common/runner/units/unit.cpp:4:1: error: expected something\n";
  CHECK(finding_of(text, "/book/labs/02_global_atomics/histogram.cu:1:9: error: no b\n" + unit, Backend::sim)
            .message == "labs/02_global_atomics/histogram.cu:1:9: error: no b\n    1 | int a = b;");
  CHECK(finding_of(text, unit, Backend::sim).message ==
        "labs/02_global_atomics/histogram.cu:2: error: the brace { that opens here is never closed\n    2 | "
        "void f() {");
}

TEST_CASE("braces are no matter where the linker misses something") {
  const std::string text = "#ifdef A\nint f() {\n#else\nint g() {\n#endif\n  return h();\n}\n";
  CHECK(finding_of(text, "/book/labs/02_global_atomics/histogram.cu:6: undefined reference to `h()'\n",
                   Backend::sim)
            .message ==
        "labs/02_global_atomics/histogram.cu:6: error: undefined reference to `h()'\n    6 |   return h();");
  CHECK(finding_of(text,
                   "/usr/bin/ld: /book/labs/02_global_atomics/histogram.cu:6:(.text+0x11): undefined "
                   "reference to `h()'\n",
                   Backend::gpu)
            .message ==
        "labs/02_global_atomics/histogram.cu:6: error: undefined reference to `h()'\n    6 |   return h();");
}

TEST_CASE("lab 01: the function that the harness calls") {
  const std::string error =
      "/book/common/runner/sequential_entry.hpp:22:3: error: no matching function for call to "
      "'histogram_sequential'\n";
  CHECK(
      finding_of("void histogram();\n", error, Backend::sim, false).message ==
      "labs/02_global_atomics/histogram.cu: error: no histogram_sequential in this file; the harness calls\n"
      "  template <class Binning>\n  void histogram_sequential(const unsigned char* data, std::size_t "
      "length, unsigned int* histo)");
  const facts::Finding finding = finding_of("\nvoid histogram_sequential();\n", error, Backend::sim, false);
  CHECK(finding.message ==
        "labs/02_global_atomics/histogram.cu:2: error: histogram_sequential is not declared as the harness "
        "calls it\n"
        "    2 | void histogram_sequential();\n  the harness calls\n"
        "  template <class Binning>\n  void histogram_sequential(const unsigned char* data, std::size_t "
        "length, unsigned int* histo)");
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].line == 2);
}

TEST_CASE("a header beside the student's file is the student's") {
  CHECK(finding_of("#include \"mine.hpp\"\n",
                   "/book/labs/02_global_atomics/mine.hpp:7:1: error: no such thing\n", Backend::sim)
            .message == "labs/02_global_atomics/mine.hpp:7:1: error: no such thing");
}

TEST_CASE("where no error is recognised, the tools' words are told without their commands") {
  CHECK(finding_of("int a;\n",
                   "ninja: Entering directory `build'\n[1/2] c++ -c a.cpp\nFAILED: a.o\nc++ -c "
                   "a.cpp\nsomething happened\nninja: build "
                   "stopped: subcommand failed.\n",
                   Backend::sim)
            .message == "ninja: Entering directory `build'\nsomething happened\n");
}

TEST_CASE("a file saved as UTF-16, and one whose variables are larger than a program may be") {
  CHECK(finding_of(std::string("\xff\xfe#\0i\0", 6), "FILE:1:1: error: stray '\\377' in program\n",
                   Backend::sim)
            .message ==
        "labs/02_global_atomics/histogram.cu: error: this file is saved as UTF-16; save it as UTF-8");
  const std::string of_linker =
      "unit.o:(.debug_info+0x6): relocation truncated to fit: R_X86_64_32 against `.debug_abbrev'\n"
      "collect2: error: ld returned 1 exit status\n";
  CHECK(finding_of("__device__ char all[1l << 35];\n", of_linker, Backend::sim).message ==
        "labs/02_global_atomics/histogram.cu: error: the variables of this file take more memory than a "
        "program "
        "may have");
}
