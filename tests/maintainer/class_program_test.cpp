// SPDX-License-Identifier: MIT
// The program for a lecture's and an instructor's verbs: built when one of them is first called.
#include <sys/stat.h>

#include "fresh_tree.hpp"
#include "support/contains.hpp"

namespace {

// The time of the tree's lab-class; {0, 0} where there is none.
std::pair<long, long> built_at(const FreshTree& tree) {
  struct stat status {};
  if (stat((tree.root() + "/build/lab-class").c_str(), &status) != 0) return {};
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

constexpr const char* first_demo = "histogram  ";

}  // namespace

TEST_CASE("a verb of a program of its own builds it when it is first called, and again when lab is newer") {
  const FreshTree& tree = FreshTree::here();
  const std::string source = "common/cli/class_main.cpp", right = tree.read(source);
  const std::pair<long, long> none{};
  CHECK(built_at(tree) == none);

  tree.write(source, "#error not now\n" + right);
  const FreshTree::Output broken = tree.run("build/lab demo");
  CAPTURE(broken.text);
  CHECK(broken.code == 3);
  CHECK(contains(broken.text, "the program for lab demo could not be built"));
  CHECK(contains(broken.text, "not now"));
  CHECK(built_at(tree) == none);

  tree.write(source, right);
  const FreshTree::Output first = tree.run("build/lab demo");
  CAPTURE(first.text);
  CHECK(first.code == 0);
  CHECK(contains(first.text, first_demo));
  const std::pair<long, long> built = built_at(tree);
  CHECK(built != none);

  CHECK(tree.run("build/lab demo").text == first.text);
  CHECK(built_at(tree) == built);

  CHECK(tree.run("touch build/lab && build/lab demo").text == first.text);
  CHECK(built_at(tree) > built);
}
