// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "cli/watch/watch.hpp"
#include "temporary_folder.hpp"

using cli::SaveWatcher;
using cli::Snapshot;
using News = cli::SaveWatcher::News;
using std::chrono::milliseconds;

namespace {

struct Lab {
  TemporaryFolder folder;
  workbook::Workbook workbook{};
  workbook::ExerciseInfo contiguous{"05_coarsening", "contiguous", "contiguous.cu", true, "histogram"};

  Lab() {
    workbook.source_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    workbook.exercises = {contiguous, {"05_coarsening", "interleaved", "interleaved.cu", true}};
    write("contiguous.cu", "kernel");
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder.write("labs/05_coarsening/" + name, text);
  }
  Snapshot now() const {
    return cli::snapshot_of(workbook,
                            workbook.target(contiguous, workbook::Tree::student, facts::Backend::sim));
  }
};

SaveWatcher::Time at(int ms) { return SaveWatcher::Time{} + milliseconds(ms); }

}  // namespace

TEST_CASE("a save is seen: new contents, the same contents again, another file in its place") {
  const Lab lab;
  const std::string file = lab.write("contiguous.cu", "kernel"), before = lab.now().files;
  CHECK(lab.now().files == before);
  lab.write("contiguous.cu", "kernal");
  const std::string other = lab.now().files;
  CHECK(other != before);
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(1));
  const std::string touched = lab.now().files;
  CHECK(touched != other);
  std::filesystem::rename(lab.write("4913", "kernal"), file);
  CHECK(lab.now().files != touched);
}

TEST_CASE("contents are seen where times tell nothing") {
  const Lab lab;
  const std::string file = lab.write("contiguous.cu", "kernel");
  const auto time = std::filesystem::last_write_time(file);
  const std::string before = lab.now().files;
  lab.write("contiguous.cu", "kernal");
  std::filesystem::last_write_time(file, time);
  CHECK(lab.now().files != before);
}

TEST_CASE("a header beside the file counts; other exercises, chapters and what editors leave do not") {
  const Lab lab;
  const std::string before = lab.now().files;
  for (const char* name : {"interleaved.cu", "README.md", "contiguous.cu~", ".contiguous.cu.swp",
                           ".#contiguous.cu", "#contiguous.cu#", "4913", "contiguous.cu.kept-1"}) {
    CAPTURE(name);
    lab.write(name, "text");
    CHECK(lab.now().files == before);
  }
  lab.write("bins.hpp", "");
  CHECK(lab.now().files != before);
}

TEST_CASE("a file or a whole folder may be missing") {
  const Lab lab;
  CHECK(lab.now().complete);
  std::filesystem::remove(lab.workbook.labs_dir + "/05_coarsening/contiguous.cu");
  CHECK_FALSE(lab.now().complete);
  std::filesystem::remove_all(lab.workbook.labs_dir);
  CHECK_FALSE(lab.now().complete);
  CHECK(lab.now().files.empty());
}

TEST_CASE("files that stay as they are are no news") {
  SaveWatcher watcher({"a", true});
  for (const int ms : {0, 500, 5000}) CHECK(watcher.look({"a", true}, at(ms)) == News::none);
}

TEST_CASE("a save is told once, when the files have come to rest") {
  SaveWatcher watcher({"a", true});
  CHECK(watcher.look({"b", true}, at(1000)) == News::changing);
  CHECK(watcher.look({"b", true}, at(1099)) == News::none);
  CHECK(watcher.look({"b", true}, at(1100)) == News::saved);
  CHECK(watcher.look({"b", true}, at(1200)) == News::none);
  CHECK(watcher.look({"b", true}, at(9000)) == News::none);
}

TEST_CASE("several saves in a row are one, and so are the steps of one save") {
  SaveWatcher watcher({"a", true});
  CHECK(watcher.look({"", true}, at(0)) == News::changing);  // truncated
  CHECK(watcher.look({"b", true}, at(50)) == News::changing);
  CHECK(watcher.look({"", false}, at(100)) == News::changing);  // renamed away
  CHECK(watcher.look({"", false}, at(150)) == News::none);
  CHECK(watcher.look({"c", true}, at(200)) == News::changing);
  CHECK(watcher.look({"c", true}, at(299)) == News::none);
  CHECK(watcher.look({"c", true}, at(300)) == News::saved);
}

TEST_CASE("a file that stays away is told after a second") {
  SaveWatcher watcher({"a", true});
  CHECK(watcher.look({"", false}, at(0)) == News::changing);
  CHECK(watcher.look({"", false}, at(999)) == News::none);
  CHECK(watcher.look({"", false}, at(1000)) == News::saved);
}

TEST_CASE("what is saved and taken back at once is a save") {
  SaveWatcher watcher({"a", true});
  CHECK(watcher.look({"b", true}, at(0)) == News::changing);
  CHECK(watcher.look({"a", true}, at(50)) == News::changing);
  CHECK(watcher.look({"a", true}, at(150)) == News::saved);
}
