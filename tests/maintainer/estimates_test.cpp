// SPDX-License-Identifier: MIT
// Estimates of a student's own files, and what `lab check` says of them below its verdict.
#include <nlohmann/json.hpp>

#include "fresh_tree.hpp"
#include "support/contains.hpp"

namespace {

using Json = nlohmann::ordered_json;

// A submission as the student's file, estimated.
class Estimated {
 public:
  Estimated() { tree_.start_again(); }
  ~Estimated() { tree_.start_again(); }

  void put(const std::string& submission) const {
    tree_.write("labs/04_shared_memory/histogram.cu",
                tree_.read("tests/submissions/04_shared_memory/" + submission));
  }
  void solve() const {
    tree_.write("labs/04_shared_memory/histogram.cu", tree_.read("solutions/04_shared_memory/histogram.cu"));
  }

  const FreshTree& tree() const { return tree_; }

  FreshTree::Output estimate() const { return tree_.run("build/lab estimate 04 --json"); }

  // No number, but the verdict and the reason.
  void is_withheld(const std::string& verdict, const std::string& reason) const {
    const FreshTree::Output output = estimate();
    CAPTURE(output.text);
    CHECK(output.code == 1);
    const Json json = Json::parse(output.text);
    CHECK(json.at("verdict") == verdict);
    for (const char* key : {"ms", "low", "high"}) CHECK(json.at(key).is_null());
    CHECK(json.at("bound_by").empty());
    CHECK(contains(json.at("message").get<std::string>(), reason));
  }

 private:
  const FreshTree& tree_ = FreshTree::here();
};

constexpr const char* mark = "stimated for an NVIDIA H200, not measured";

}  // namespace

TEST_CASE("a file that is not begun, or whose counts are wrong, has no estimate, and the message says why") {
  const Estimated student;
  student.is_withheld("not_started",
                      "labs/04_shared_memory/histogram.cu is unchanged since it was handed out");
  student.put("race/no_second_barrier.cu");
  student.is_withheld("race", "");
  // Right over lengths that the blocks divide, and so in a short run.
  student.put("wrong_answer/tail_missed-last_block_does_not_commit.cu");
  student.is_withheld("wrong_answer", "");
  student.tree().write("labs/04_shared_memory/histogram.cu", "this is no C++\n");
  student.is_withheld("build_error", "labs/04_shared_memory/histogram.cu:1");
}

TEST_CASE("what does not run on the simulator has no estimate: clusters and asynchronous copies") {
  const Estimated student;
  const std::string solution = student.tree().read("solutions/04_shared_memory/histogram.cu");
  student.tree().write(
      "labs/04_shared_memory/histogram.cu",
      "#include <cooperative_groups.h>\n" + solution +
          "\n__device__ unsigned rank() { return cooperative_groups::this_cluster().thread_rank(); }\n");
  student.is_withheld("build_error", "thread block clusters are not simulated");
  student.tree().write("labs/04_shared_memory/histogram.cu", "#include <cuda/pipeline>\n" + solution);
  student.is_withheld("build_error", "asynchronous copies are not simulated");
}

TEST_CASE("right counts are all that an estimate needs: technique stands beside it") {
  const Estimated student;
  student.put("technique/counts_in_global_memory.cu");
  const FreshTree::Output output = student.estimate();
  CAPTURE(output.text);
  CHECK(output.code == 0);
  const Json json = Json::parse(output.text);
  CHECK(json.at("verdict") == "technique");
  CHECK(json.at("ms").get<double>() > 0);
  CHECK(json.at("message").get<std::string>().starts_with("all counts are right, but"));
  const FreshTree::Output told = student.tree().run("build/lab estimate 04");
  CHECK(told.code == 0);
  CHECK(contains(told.text, mark));
  CHECK(contains(told.text, "\ntechnique: all counts are right, but"));
}

TEST_CASE(
    "lab check estimates below its verdict, where nobody waits for the verdict and no program reads it") {
  const Estimated student;
  student.solve();
  const auto check = [&](const std::string& line) { return student.tree().run(line).text; };
  const std::string text = check("build/lab check 04");
  const std::size_t verdict = text.find("\npass: "), estimate = text.find(mark);
  CAPTURE(text);
  REQUIRE(verdict != std::string::npos);
  REQUIRE(estimate != std::string::npos);
  CHECK(verdict < estimate);
  CHECK(text.ends_with("\n  more: build/lab estimate 04\n"));
  for (const char* const line :
       {"build/lab check 04 --json", "build/lab check 04 --gtest_output=xml:build/check.xml",
        "build/lab check 04 --solution", "WORKBOOK_ESTIMATE=none build/lab check 04"}) {
    const std::string without = check(line);
    CAPTURE(line);
    CHECK(contains(without, "pass"));
    CHECK_FALSE(contains(without, "stimate"));
  }
  CHECK(
      contains(check("WORKBOOK_ESTIMATE=t4 build/lab check 04"), "stimated for an NVIDIA T4, not measured"));
  student.put("technique/counts_in_global_memory.cu");
  CHECK_FALSE(contains(check("build/lab check 04"), "stimate"));
}

TEST_CASE("a prediction of a time is answered by the estimate") {
  const Estimated student;
  student.solve();
  student.tree().write("labs/03_privatization/histogram.cu",
                       student.tree().read("solutions/03_privatization/histogram.cu"));
  REQUIRE(student.tree().run("build/lab predict 04 --answers ,,1000").code == 0);
  const std::string text = student.tree().run("build/lab check 04").text;
  CAPTURE(text);
  CHECK(contains(text, "time, against lab 03: you said 1000; estimated for an NVIDIA H200, not measured: "));
  CHECK(contains(text, ": off by a factor of "));
  const Json asked = Json::parse(student.tree().run("build/lab predict 04 --json").text);
  CHECK(asked.at("questions").at(2).at("outcome").at("estimated").at("gpu") == "NVIDIA H200");
}
