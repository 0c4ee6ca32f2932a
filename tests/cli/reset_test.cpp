// SPDX-License-Identifier: MIT
#include "cli/reset.hpp"

#include <doctest/doctest.h>

#include "cli/errors.hpp"
#include "temporary_folder.hpp"

namespace {

// A workbook in a folder of its own, with one exercise whose skeleton is "skeleton".
struct OneLab {
  TemporaryFolder folder;
  judge::Workbook workbook{};
  judge::ExerciseInfo exercise{"04_shared_memory", "histogram", "histogram.cu", true};

  OneLab() {
    workbook.source_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("common/exercise/skeletons/04_shared_memory/histogram.cu", "skeleton");
  }

  std::string student(const std::string& text) const { return folder.write("labs/04_shared_memory/histogram.cu", text); }
};

constexpr const char* file = "labs/04_shared_memory/histogram.cu";

}  // namespace

TEST_CASE("a file that is still the skeleton stays as it is") {
  const OneLab lab;
  const std::string path = lab.student("skel eton\n");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton already");
  CHECK(text_of(path) == "skel eton\n");
}

TEST_CASE("each file that was there is kept under a name of its own") {
  const OneLab lab;
  const std::string path = lab.student("first");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-1");
  CHECK(text_of(path) == "skeleton");
  lab.student("second");
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton again; yours is kept as " + file + ".kept-2");
  CHECK(text_of(path + ".kept-1") == "first");
  CHECK(text_of(path + ".kept-2") == "second");
}

TEST_CASE("a file that is gone comes back") {
  const OneLab lab;
  CHECK(cli::bring_back(lab.workbook, lab.exercise) == std::string(file) + " is the skeleton again");
  CHECK(text_of(lab.folder.path() + "/" + file) == "skeleton");
}

TEST_CASE("where the folder cannot be written it is named, and the file is as it was") {
  const OneLab lab;
  const std::string path = lab.student("mine");
  // A folder in the way stops the superuser too.
  lab.folder.write(std::string(file) + ".new/in_the_way", "");
  CHECK_THROWS_WITH_AS(cli::bring_back(lab.workbook, lab.exercise),
                       "cannot write in labs/04_shared_memory: Invalid argument; labs/04_shared_memory/histogram.cu is as it was",
                       cli::MachineError);
  CHECK(text_of(path) == "mine");
  CHECK_FALSE(std::filesystem::exists(path + ".kept-1"));
}

TEST_CASE("a skeleton that is not there is named, and the file is as it was") {
  const OneLab lab;
  const std::string path = lab.student("mine");
  std::filesystem::remove_all(lab.folder.path() + "/common");
  CHECK_THROWS_WITH_AS(cli::bring_back(lab.workbook, lab.exercise),
                       "cannot read common/exercise/skeletons/04_shared_memory/histogram.cu: No such file or directory; "
                       "labs/04_shared_memory/histogram.cu is as it was",
                       cli::MachineError);
  CHECK(text_of(path) == "mine");
}
