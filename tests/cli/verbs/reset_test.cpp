// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "temporary_folder.hpp"

namespace {

// A workbook in a folder of its own, with one exercise whose skeleton is "skeleton".
struct OneLab {
  TemporaryFolder folder;
  workbook::Workbook workbook{};
  workbook::ExerciseInfo exercise{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"};

  OneLab() {
    workbook.source_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("labs/04_shared_memory/.skeleton/histogram.cu", "skeleton");
  }

  std::string student(const std::string& text) const {
    return folder.write("labs/04_shared_memory/histogram.cu", text);
  }
};

constexpr const char* file = "labs/04_shared_memory/histogram.cu";

}  // namespace

TEST_CASE("a file that is still the skeleton stays as it is") {
  const OneLab lab;
  const std::string path = lab.student("skel eton\n");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton already");
  CHECK(text_of(path) == "skel eton\n");
}

TEST_CASE("comments that are gone come back") {
  const OneLab lab;
  const std::string path = lab.student("skeleton // mine");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) ==
        std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-1");
  CHECK(text_of(path) == "skeleton");
}

TEST_CASE("each file that was there is kept under a name of its own") {
  const OneLab lab;
  const std::string path = lab.student("first");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) ==
        std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-1");
  CHECK(text_of(path) == "skeleton");
  lab.student("second");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) ==
        std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-2");
  CHECK(text_of(path + ".kept-1") == "first");
  CHECK(text_of(path + ".kept-2") == "second");
}

TEST_CASE("a file that is gone comes back") {
  const OneLab lab;
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton again");
  CHECK(text_of(lab.folder.path() + "/" + file) == "skeleton");
}

TEST_CASE("whatever stands beside the file stays") {
  const OneLab lab;
  const std::string path = lab.student("mine");
  for (const char* const suffix : {".new", ".new-1", ".kept-1"})
    lab.folder.write(file + std::string(suffix), suffix);
  // A link that leads nowhere is the student's too.
  std::filesystem::create_symlink("nowhere", path + ".kept-2");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) ==
        std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-3");
  CHECK(text_of(path) == "skeleton");
  CHECK(text_of(path + ".kept-3") == "mine");
  for (const char* const suffix : {".new", ".new-1", ".kept-1"}) CHECK(text_of(path + suffix) == suffix);
  CHECK(std::filesystem::read_symlink(path + ".kept-2") == "nowhere");
  CHECK_FALSE(std::filesystem::exists(path + ".new-2"));
}

TEST_CASE("a link in the file's place is kept, even if it leads nowhere") {
  const OneLab lab;
  const std::string path = lab.student("mine");
  std::filesystem::remove(path);
  std::filesystem::create_symlink("nowhere", path);
  CHECK(cli::bring_back(lab.workbook, lab.exercise) ==
        std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-1");
  CHECK(std::filesystem::read_symlink(path + ".kept-1") == "nowhere");
  CHECK(text_of(path) == "skeleton");
}

TEST_CASE("programs that bring back the same file at once lose nothing: one does it") {
  for (int round = 0; round < 20; ++round) {
    const OneLab lab;
    const std::string path = lab.student("mine");
    for (int i = 0; i < 4; ++i) {
      if (fork() != 0) continue;
      try {
        cli::bring_back(lab.workbook, lab.exercise);
      } catch (const facts::MachineError&) {
        _exit(1);
      }
      _exit(0);
    }
    int failed = 0;
    for (int i = 0, status = 0; i < 4; ++i) {
      wait(&status);
      failed += status != 0;
    }
    CHECK(failed == 0);
    CHECK(text_of(path) == "skeleton");
    CHECK(text_of(path + ".kept-1") == "mine");
    CHECK_FALSE(std::filesystem::exists(path + ".kept-2"));
  }
}

TEST_CASE("where the folder cannot be written it is named, and the file is as it was") {
  OneLab lab;
  // A name that nothing can be added to stops the superuser too.
  lab.exercise.file = std::string(252, 'x') + ".cu";
  const std::string name = "labs/04_shared_memory/" + lab.exercise.file,
                    path = lab.folder.write(name, "mine");
  lab.folder.write("labs/04_shared_memory/.skeleton/" + lab.exercise.file, "skeleton");
  CHECK_THROWS_WITH_AS(
      cli::bring_back(lab.workbook, lab.exercise),
      ("cannot write in labs/04_shared_memory: File name too long; " + name + " is as it was").c_str(),
      facts::MachineError);
  CHECK(text_of(path) == "mine");
}

TEST_CASE("a skeleton that is not there is named, and the file is as it was") {
  const OneLab lab;
  const std::string path = lab.student("mine");
  std::filesystem::remove_all(lab.folder.path() + "/labs/04_shared_memory/.skeleton");
  CHECK_THROWS_WITH_AS(cli::bring_back(lab.workbook, lab.exercise),
                       "cannot read labs/04_shared_memory/.skeleton/histogram.cu: No such file or directory; "
                       "labs/04_shared_memory/histogram.cu is as it was",
                       facts::MachineError);
  CHECK(text_of(path) == "mine");
}
