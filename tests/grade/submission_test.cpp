// SPDX-License-Identifier: MIT
#include "grade/submission.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "facts/errors.hpp"
#include "grade/sha256.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

const std::vector<workbook::ExerciseInfo> two_labs{{.lab = "02_a", .name = "x", .file = "x.cu"},
                                                   {.lab = "05_b", .name = "y", .file = "y.cu"}};

struct Taken {
  TemporaryFolder folder, copy;
  grade::Snapshot snapshot;

  void take() { snapshot = grade::take_snapshot(folder.path(), copy.path(), two_labs); }

  // The files as words, and what was left out with its reasons.
  std::string words() const {
    std::string text;
    for (const auto& file : snapshot.files) text += file.path + "\n";
    for (const auto& file : snapshot.left_out) text += "not " + file.path + ": " + file.why + "\n";
    return text;
  }
};

}  // namespace

TEST_CASE("the labs are found in labs/, at the top, or within one folder more") {
  for (const std::string where : {"labs", "", "anna-main", "anna-main/labs"}) {
    CAPTURE(where);
    Taken taken;
    taken.folder.write(where.empty() ? "02_a/x.cu" : where + "/02_a/x.cu", "one");
    taken.take();
    CHECK(taken.snapshot.labs == where);
    CHECK(taken.snapshot.note.empty());
    CHECK(taken.words() == "02_a/x.cu\n");
    CHECK(taken.snapshot.files.at(0).bytes == 3);
    CHECK(taken.snapshot.files.at(0).sha256 == grade::sha256("one"));
    CHECK(text_of(taken.copy.path() + "/02_a/x.cu") == "one");
  }
}

TEST_CASE("a submission without labs, or with several, says so") {
  Taken none;
  none.folder.write("report.pdf", "");
  none.take();
  CHECK(none.snapshot.note == "there is no folder of a lab");
  CHECK(none.words().empty());
  Taken several;
  several.folder.write("one/02_a/x.cu", "");
  several.folder.write("two/02_a/x.cu", "");
  several.take();
  CHECK(several.snapshot.note == "several folders hold labs; only one may");
  CHECK(several.words().empty());
  Taken deeper;
  deeper.folder.write("one/two/02_a/x.cu", "");
  deeper.take();
  CHECK(deeper.snapshot.note == "there is no folder of a lab");
}

TEST_CASE("a lab's folder or labs/ that is a link is not followed, and it is said") {
  Taken lab;
  files::create_directory_symlink("/usr", lab.folder.path() + "/02_a");
  lab.folder.write("05_b/y.cu", "");
  lab.take();
  CHECK(lab.words() == "05_b/y.cu\nnot 02_a: it is a link\n");
  const grade::LeftOut* const kernel = lab.snapshot.find_left_out("02_a/x.cu");
  REQUIRE(kernel);
  CHECK(kernel->is_link);
  Taken alone;
  files::create_directories(alone.folder.path() + "/labs");
  files::create_directory_symlink("/usr", alone.folder.path() + "/labs/02_a");
  alone.take();
  CHECK(alone.words() == "not 02_a: it is a link\n");
  Taken labs;
  labs.folder.write("elsewhere/parts/02_a/x.cu", "");
  files::create_directory_symlink("elsewhere/parts", labs.folder.path() + "/labs");
  labs.take();
  CHECK(labs.snapshot.note == "labs is a link");
}

TEST_CASE("helpers come along; what is hidden, and what lies beside the labs, does not") {
  Taken taken;
  for (const char* name :
       {"02_a/x.cu", "02_a/parts/helper.hpp", "02_a/.git/config", "common.hpp", "report.pdf", "data/big.cu"})
    taken.folder.write(name, "");
  taken.take();
  CHECK(taken.words() == "02_a/parts/helper.hpp\n02_a/x.cu\ncommon.hpp\n");
  Taken labs;
  for (const char* name : {"labs/02_a/x.cu", "labs/shared/helper.hpp", "other/helper.hpp"})
    labs.folder.write(name, "");
  labs.take();
  CHECK(labs.words() == "02_a/x.cu\nshared/helper.hpp\n");
}

TEST_CASE("what is no regular file of a sensible size is not opened") {
  Taken taken;
  const std::string lab = taken.folder.path() + "/02_a";
  files::create_directories(lab);
  taken.folder.write("elsewhere", "secret");
  files::create_symlink("../elsewhere", lab + "/x.cu");
  files::create_directory_symlink(".", lab + "/loop");
  REQUIRE(mkfifo((lab + "/pipe.hpp").c_str(), 0666) == 0);
  taken.folder.write("05_b/y.cu", "");
  files::resize_file(taken.folder.path() + "/05_b/y.cu", std::uint64_t{4} << 30);
  taken.take();
  CHECK(taken.words() ==
        "not 02_a/loop: it is a link\nnot 02_a/pipe.hpp: it is a pipe or a device\nnot 02_a/x.cu: it is a "
        "link\n"
        "not 05_b/y.cu: it is larger than 1024 KiB\n");
  CHECK(taken.snapshot.find_left_out("02_a/x.cu")->is_link);
  CHECK(taken.snapshot.find_left_out("05_b/y.cu")->is_too_large);
  CHECK_FALSE(taken.snapshot.holds("02_a/x.cu"));
  CHECK(files::is_empty(taken.copy.path()));
}

TEST_CASE("a folder in the place of a file, folders without end and long names are left out") {
  Taken taken;
  taken.folder.write("02_a/x.cu/x.cu", "");
  taken.folder.write("05_b/1/2/3/4/5/6/7/8/9/deep.hpp", "");
  taken.folder.write("05_b/y.cu", "");
  taken.folder.write("05_b/" + std::string(250, 'n'), "");
  taken.take();
  CHECK(taken.words() ==
        "05_b/y.cu\nnot 02_a/x.cu: it is a folder\nnot 05_b/1/2/3/4/5/6/7: it lies in too many folders\nnot "
        "05_b/" +
            std::string(250, 'n') + ": its name is too long\n");
}

TEST_CASE("an exercise's own file is taken however many others there are") {
  Taken taken;
  for (int i = 0; i < 600; ++i) taken.folder.write("02_a/" + std::to_string(i) + ".hpp", "");
  taken.folder.write("02_a/x.cu", "");
  taken.take();
  CHECK(taken.snapshot.files.size() == 501);
  CHECK(taken.snapshot.holds("02_a/x.cu"));
  CHECK(taken.snapshot.left_out.size() == 100);
  CHECK(taken.snapshot.left_out.front().why == "there are too many files");
}

TEST_CASE("a file that may not be read is left out") {
  if (geteuid() == 0) {
    MESSAGE("left out: an administrator reads every file");
    return;
  }
  Taken taken;
  chmod(taken.folder.write("02_a/x.cu", "").c_str(), 0);
  taken.take();
  CHECK(taken.words() == "not 02_a/x.cu: Permission denied\n");
}

TEST_CASE("every folder is a submission, whatever its name; a link to one is none") {
  TemporaryFolder folder;
  for (const char* name : {"b", "-rf", ".dot", "a\nb", "b\xff"})
    files::create_directories(folder.path() + "/" + name);
  files::create_directory_symlink("b", folder.path() + "/link");
  folder.write("readme.txt", "");
  const grade::Listing listing = grade::submissions_in(folder.path());
  CHECK(listing.submissions == std::vector<std::string>{"-rf", ".dot", "a\nb", "b", "b\xff"});
  CHECK(listing.others == std::vector<std::string>{"link", "readme.txt"});
  CHECK_THROWS_WITH_AS(
      grade::submissions_in(folder.path() + "/none"),
      ("cannot read the folder \"" + folder.path() + "/none\": No such file or directory").c_str(),
      facts::UsageError);
}
