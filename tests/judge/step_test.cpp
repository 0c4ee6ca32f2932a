// SPDX-License-Identifier: MIT
// When a step of a build runs again, and which commands make a runner.
#include "build/step.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <thread>

#include "build/runner.hpp"
#include "facts/errors.hpp"
#include "temporary_folder.hpp"

using build::Step;
using Words = std::vector<std::string>;

namespace {

// A step that copies `in` to `out`, and notes each of its runs.
struct Copying {
  TemporaryFolder folder;
  Step step{.command = {"sh", "copy.sh", "in", "-o", "out"},
            .folder = folder.path(),
            .record = folder.path() + "/records/step",
            .depfile = "out.d"};

  Copying() {
    write("in", "first");
    write("header", "first");
    write("copy.sh", "echo run >> runs; echo out: in header > out.d; cp in out");
    write("records/other", "");
  }

  void write(const std::string& name, const std::string& text) const { folder.write(name, text); }
  std::string text(const std::string& name) const { return text_of(folder.path() + "/" + name); }
  std::filesystem::file_time_type time(const std::string& name) const {
    return std::filesystem::last_write_time(folder.path() + "/" + name);
  }
  void set_time(const std::string& name, std::filesystem::file_time_type time) const {
    std::filesystem::last_write_time(folder.path() + "/" + name, time);
  }

  // How often the command has run, after the step was run once more.
  std::size_t runs() const {
    // A file that was saved just before may have been saved meanwhile, for all that a step can tell.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(run(step));
    return text("runs").size() / std::string("run\n").size();
  }
};

}  // namespace

TEST_CASE("a step runs once while nothing that it depends on changes") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  CHECK(copying.text("out") == "first");
  CHECK(copying.runs() == 1);
}

TEST_CASE("content decides whether a step runs again, not time stamps") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  const auto time = copying.time("in");
  copying.set_time("in", time + std::chrono::hours(1));
  CHECK(copying.runs() == 1);
  copying.write("in", "first");
  CHECK(copying.runs() == 1);
  copying.write("in", "other");  // as long as before
  copying.set_time("in", time - std::chrono::hours(1));
  CHECK(copying.runs() == 2);
  CHECK(copying.text("out") == "other");
}

TEST_CASE("a step runs again for a file that only its depfile names") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  copying.write("header", "other");
  CHECK(copying.runs() == 2);
}

TEST_CASE("a step runs again if its output is gone or another one") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  std::filesystem::remove(copying.folder.path() + "/out");
  CHECK(copying.runs() == 2);
  copying.write("out", "other");
  CHECK(copying.runs() == 3);
}

TEST_CASE("a step runs again if its command is another one") {
  Copying copying;
  CHECK(copying.runs() == 1);
  copying.step.command.push_back("-O3");
  CHECK(copying.runs() == 2);
}

TEST_CASE("nothing is known of a file that was saved while the command ran") {
  const Copying copying;
  copying.write("copy.sh", "echo run >> runs; cp in out; touch in");
  CHECK(copying.runs() == 1);
  CHECK(copying.runs() == 2);
}

TEST_CASE("a command that fails says what it printed, and runs again though nothing has changed") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  copying.write("copy.sh", "echo run >> runs; echo no such thing; false");
  CHECK(run(copying.step).value().output == "no such thing\n");
  CHECK(run(copying.step).value().output == "no such thing\n");
  CHECK(copying.text("runs") == "run\nrun\nrun\n");
  CHECK(files_of(copying.step).empty());
}

TEST_CASE("a command that cannot be started is the machine's fault") {
  Copying copying;
  copying.step.command.front() = "/nonexistent/compiler";
  CHECK_THROWS_WITH_AS(run(copying.step), "cannot run /nonexistent/compiler: No such file or directory\n",
                       facts::MachineError);
}

TEST_CASE("the files of a step are those that the command or its depfile names, if they are there") {
  const Copying copying;
  CHECK(copying.runs() == 1);
  const std::string folder = copying.folder.path() + "/";
  CHECK(files_of(copying.step) ==
        Words{folder + "copy.sh", folder + "header", folder + "in", folder + "out"});
}

TEST_CASE("a depfile may escape blanks, # and $, and continue a line") {
  CHECK(build::prerequisites("out.o: a.h b\\ c.h \\\n  d\\#e.h f$$g.h\nother: h.h\n") ==
        Words{"a.h", "b c.h", "d#e.h", "f$g.h", "h.h"});
  CHECK(build::prerequisites("").empty());
}

TEST_CASE("a command line falls into the words that a shell would see") {
  CHECK(build::shell_words("c++  -c\ta.cpp ") == Words{"c++", "-c", "a.cpp"});
  CHECK(build::shell_words(R"('-DNAME="a b"' c\ d "e\"f" g'h i'j)") ==
        Words{"-DNAME=\"a b\"", "c d", "e\"f", "gh ij"});
  CHECK(build::shell_words(R"('a\b' "" '')") == Words{"a\\b", "", ""});
  CHECK(build::shell_words(" ").empty());
}

TEST_CASE("the template's commands make another runner from another file") {
  const TemporaryFolder folder;
  folder.write(
      "build.ninja",
      "rule library\n  command = ar $out\n"
      "rule compile\n  command = c++ -fdiagnostics-color=always -Icommon/build/runner-template.sim.p "
      "'-DNAME=\"a b\"' -MF $out.d -o $out -c $in\n"
      "rule link\n  command = c++ -o $out $in\n"
      "build libother.a: library\n"
      "build common/build/runner-template.sim.p/unit.o: compile ../common/build/runner-template.cpp\n"
      "build common/build/runner-template.sim: link common/build/runner-template.sim.p/unit.o "
      "libother.a\n");
  workbook::Workbook workbook = workbook::here();
  workbook.source_root = "/book";
  workbook.build_root = folder.path();
  workbook::Target target =
      workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::sim);
  target.runner = "/runners/mine.sim";
  Words compile{"c++",
                "-fdiagnostics-color=never",
                "-Icommon/build/runner-template.sim.p",
                "-DNAME=\"a b\"",
                "-MF",
                "/runners/mine.sim.p/unit.o.d",
                "-o",
                "/runners/mine.sim.p/unit.o",
                "-c",
                "/runners/mine.sim.p/unit.cpp",
                "-I/book/common/problems/histogram/unit"};
  const Words link{"c++", "-o", "/runners/mine.sim", "/runners/mine.sim.p/unit.o", "libother.a"};
  SUBCASE("with a kernel") { CHECK(build::commands_of(workbook, target) == std::vector{compile, link}); }
  SUBCASE("with a function that is called") {
    target.exercise = workbook.find("01").at(0);
    compile.insert(compile.end(), {"-DWORKBOOK_SEQUENTIAL", "-fexceptions"});
    CHECK(build::commands_of(workbook, target) == std::vector{compile, link});
  }
  SUBCASE("a backend without a template is the machine's fault") {
    target.backend = facts::Backend::gpu;
    CHECK_THROWS_AS(build::commands_of(workbook, target), facts::MachineError);
  }
}
