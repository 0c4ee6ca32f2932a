// SPDX-License-Identifier: MIT
#include "build/prepared_header.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "build/runner.hpp"
#include "os/command.hpp"
#include "temporary_folder.hpp"

using build::begins_with_lab_header;

namespace {

using Words = std::vector<std::string>;

// A copy of lab 04's solution as the student's file, in a folder of its own.
struct Copy {
  TemporaryFolder folder;
  const workbook::Workbook& workbook = workbook::here();
  workbook::Target target =
      workbook.target(workbook.find("04").at(0), workbook::Tree::student, facts::Backend::sim);

  explicit Copy(const std::string& text) {
    target.source = folder.write("histogram.cu", text);
    target.runner = folder.path() + "/histogram.sim";
  }

  Words arguments() const {
    return build::prepared_header_arguments(workbook, target, build::commands_of(workbook, target).front());
  }
};

std::string kernel_text() {
  return "#include \"lab.hpp\"\n"
         "template <class Binning>\n"
         "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* "
         "histo) {\n"
         "  __shared__ unsigned counts[Binning::bins];\n"
         "  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;\n"
         "  if (i < length && Binning::bin_of(data[i]) >= 0) atomicAdd(&histo[Binning::bin_of(data[i])], "
         "1u);\n"
         "  if (i == length) counts[0] = 1;\n"
         "}\n"
         "LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>(length / 256 + 1), "
         "256}; }\n";
}

bool is_prepared() {
#if defined(__clang__)
  return false;
#else
  return workbook::here().has_simulator;
#endif
}

// The file's code and data, without what debuggers read.
std::string stripped(const std::string& object) {
  const TemporaryFolder folder;
  const std::string copy = folder.path() + "/stripped.o";
  CHECK(os::run_command({"objcopy", "--strip-debug", object, copy}).code == 0);
  return text_of(copy);
}

}  // namespace

TEST_CASE("a file begins with lab.hpp if nothing but comments stands before it") {
  CHECK(begins_with_lab_header("#include \"lab.hpp\""));
  CHECK(begins_with_lab_header("// One.\n/* Two,\n three. */ #  include\t\"lab.hpp\"  // four\nint i;\n"));
  CHECK(begins_with_lab_header("\r\n#include \"lab.hpp\"\r\n"));
  CHECK_FALSE(begins_with_lab_header(""));
  CHECK_FALSE(begins_with_lab_header("// #include \"lab.hpp\""));
  CHECK_FALSE(begins_with_lab_header("/* #include \"lab.hpp\""));
  CHECK_FALSE(begins_with_lab_header("#include <lab.hpp>\n"));
  CHECK_FALSE(begins_with_lab_header("#include \"lab.hpp\" int i;\n"));
  CHECK_FALSE(begins_with_lab_header("#define __global__\n#include \"lab.hpp\"\n"));
  CHECK_FALSE(begins_with_lab_header("#include <cstdio>\n#include \"lab.hpp\"\n"));
  // a comment that goes on in the next line
  CHECK_FALSE(begins_with_lab_header("// One \\\n#include \"lab.hpp\"\n"));
}

TEST_CASE("the compiled header is taken where it makes no difference, and by g++ alone") {
  if (!is_prepared()) return;
  const std::string header = workbook::here().build_root + "/common/build/prepared/histogram/prepared.hpp";
  CHECK(Copy(kernel_text()).arguments() == Words{"-include", header, "-fpch-deps"});
  CHECK(std::filesystem::exists(header + ".gch"));
  CHECK(Copy("#define NDEBUG\n" + kernel_text()).arguments().empty());
  const Copy own(kernel_text());
  own.folder.write("lab.hpp", "");
  CHECK(own.arguments().empty());
  Copy sequential(kernel_text());
  sequential.target.exercise = sequential.workbook.find("01").at(0);
  CHECK(sequential.arguments().empty());
}

TEST_CASE("with the compiled header the code is the same, and the files that it depends on") {
  if (!is_prepared()) return;
  const std::string text = kernel_text();
  const Copy with(text), without(text);
  CHECK_FALSE(build::make_runner(with.workbook, with.target));
  const std::string taken = text_of(with.target.runner + ".p/step-1");
  CHECK(taken.substr(0, taken.find('\n')).find(" -include ") != taken.npos);
  CHECK(taken.find("/common/simulator/cuda/atomics.hpp\n") != taken.npos);
  CHECK(taken.find("/common/problems/histogram/unit/lab.hpp\n") != taken.npos);

  for (Words command : build::commands_of(without.workbook, without.target)) {
    std::filesystem::create_directories(without.target.runner + ".p");
    without.folder.write("histogram.sim.p/unit.cpp", build::text_of(without.target));
    CHECK(os::run_command(command, without.workbook.build_root).code == 0);
    if (command.front().ends_with("/lab-guard")) break;
  }
  CHECK(stripped(build::object_of(with.workbook, with.target)) ==
        stripped(build::object_of(without.workbook, without.target)));
}

TEST_CASE("errors beside the student's file are told the same with the compiled header") {
  workbook::Target target = workbook::here().target(workbook::here().find("04").at(0),
                                                    workbook::Tree::student, facts::Backend::sim);
  target.source = "/book/labs/04/histogram.cu";
  const std::string own =
                        "/book/labs/04/histogram.cu:4:9: error: 'x' was not declared in this scope\n"
                        "    4 |   x(\"error: \");\n",
                    note = "/book/common/atomics.hpp:2:1: note: candidate: atomicAdd\n",
                    beside = "/book/labs/04/parts.cuh:1:1: fatal error: y.h: No such file or directory\n",
                    header = "/book/common/atomics.hpp:3:1: error: static assertion failed\n";
  CHECK(build::tells_the_same(own, target));
  CHECK(build::tells_the_same(own + note + beside, target));
  CHECK_FALSE(build::tells_the_same(own + header, target));
  CHECK_FALSE(build::tells_the_same(note, target));
  CHECK_FALSE(build::tells_the_same("cc1plus: error: a.gch: not a compiled header\n" + own, target));
  CHECK_FALSE(build::tells_the_same("", target));
}
