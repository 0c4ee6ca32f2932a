// SPDX-License-Identifier: MIT
// Adding a lab takes a folder below labs/ and one below solutions/, and not a line anywhere else.
#include <map>

#include "fresh_tree.hpp"
#include "support/contains.hpp"

namespace {

namespace files = std::filesystem;

// Every file of the tree but for those of the build, with its contents.
std::map<std::string, std::string> all_files(const FreshTree& tree) {
  std::map<std::string, std::string> found;
  for (auto entry = files::recursive_directory_iterator(tree.root());
       entry != files::recursive_directory_iterator(); ++entry) {
    const std::string name = files::relative(entry->path(), tree.root()).string();
    if (name == "build") {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      found[name] = tree.read(name);
    }
  }
  return found;
}

// A copy of lab 04 under another number and name, for as long as this lives.
class AddedLab {
 public:
  static constexpr const char* name = "97_copied";

  explicit AddedLab(const FreshTree& tree) : tree_(tree) {
    tree.start_again();
    for (const char* folder : {"labs/", "solutions/", "tests/submissions/"}) {
      const std::string path = tree.root() + "/" + folder;
      if (files::exists(path + copied))
        files::copy(path + copied, path + name, files::copy_options::recursive);
    }
    configure();
  }
  ~AddedLab() {
    for (const char* folder : {"labs/", "solutions/", "tests/submissions/"})
      files::remove_all(tree_.root() + "/" + folder + name);
    configure();
  }

 private:
  void configure() const {
    const FreshTree::Output configured = tree_.configure("--reconfigure");
    CHECK_MESSAGE(configured.code == 0, configured.text);
  }

  static constexpr const char* copied = "04_shared_memory";
  const FreshTree& tree_;
};

}  // namespace

TEST_CASE("a lab is added by its folders alone") {
  const FreshTree& tree = FreshTree::here();
  const auto before = all_files(tree);
  {
    const AddedLab lab(tree);

    const FreshTree::Output list = tree.run("build/lab list");
    CHECK(list.code == 0);
    CHECK_MESSAGE(contains(list.text, "\n97_copied/histogram.cu "), list.text);

    const FreshTree::Output suite = tree.run("meson test -C build --no-rebuild --list --suite lab97");
    CHECK(suite.code == 0);
    CHECK_MESSAGE(contains(suite.text, "check 97_copied histogram\n"), suite.text);
    const FreshTree::Output submissions =
        tree.run("meson test -C build --no-rebuild --list --suite submissions");
    CHECK(contains(submissions.text, "submissions 97_copied histogram on sim\n"));

    const FreshTree::Output solution = tree.run("build/lab check 97 --solution --on sim");
    CHECK_MESSAGE(solution.code == 0, solution.text);
    CHECK(solution.text.starts_with("97_copied histogram on sim\npass: "));

    const FreshTree::Output skeleton = tree.run("build/lab check 97 --on sim");
    CHECK_MESSAGE(skeleton.code == 1, skeleton.text);
    CHECK(contains(skeleton.text, "\nnot_started: labs/97_copied/histogram.cu "));

    auto now = all_files(tree);
    std::erase_if(
        now, [](const auto& file) { return contains(file.first, std::string("/") + AddedLab::name + "/"); });
    CHECK(now == before);
  }
  CHECK(all_files(tree) == before);
}
