// SPDX-License-Identifier: MIT
// Which submissions lab grade --similar names.
#include "grade/similar.hpp"

#include <doctest/doctest.h>

#include "grade/code.hpp"

namespace {

const std::string skeleton = "void f(int n) {\n  // TODO 1: count.\n}\n";
const grade::Texts skeletons{{"a", skeleton}, {"b", skeleton}};

// Code with `lines` lines of seven tokens each beyond the skeleton.
std::string code(int lines, const std::string& name = "sum", const std::string& sign = "+") {
  std::string text = "void f(int n) {\n";
  for (int i = 0; i < lines; ++i) text += "  " + name + "[i] " + sign + "= 1;\n";
  return text + "}\n";
}
constexpr int enough = 8;

std::string found(const std::vector<std::pair<std::string, grade::Texts>>& submissions) {
  return grade::similar_csv(grade::similarity(submissions, skeletons)).substr(31);
}

}  // namespace

TEST_CASE("the same code with other names, comments and white space is similar, other code is not") {
  CHECK(grade::tokens_in(code(1)).size() - grade::tokens_in(skeleton).size() == 8);
  const std::string renamed = "/* mine */ " + code(enough, "total") + "// the end";
  CHECK(found({{"anna", {{"a", code(enough)}}}, {"ben", {{"a", renamed}}}}) == "anna,ben,a,64\r\n");
  CHECK(found({{"anna", {{"a", code(enough)}}}, {"ben", {{"a", code(enough, "sum", "-")}}}}).empty());
  CHECK(found({{"anna", {{"a", code(enough)}}}, {"ben", {{"a", code(enough + 1)}}}}).empty());
  CHECK(found({{"anna", {{"a", code(enough)}}}, {"ben", {{"b", code(enough)}}}}).empty());
}

TEST_CASE("what is handed out, and what is too short to be written in many ways, is no hint") {
  CHECK(found({{"anna", {{"a", skeleton}}}, {"ben", {{"a", skeleton}}}}).empty());
  CHECK(found({{"anna", {{"a", code(enough - 1)}}}, {"ben", {{"a", code(enough - 1)}}}}).empty());
  CHECK(found({{"anna", {{"a", ""}}}, {"ben", {{"a", ""}}}}).empty());
}

TEST_CASE("pairs with the most code in common come first, each once") {
  CHECK(found({{"anna", {{"a", code(8)}, {"b", code(9)}}},
               {"=ben", {{"a", code(8)}, {"b", code(9)}}},
               {"c,d", {{"a", code(8)}, {"b", code(20)}}},
               {"eva", {{"b", code(20)}}}}) ==
        "\"c,d\",eva,b,160\r\nanna,'=ben,a b,136\r\nanna,\"c,d\",a,64\r\n'=ben,\"c,d\",a,64\r\n");
}

TEST_CASE("code that more than five submissions hold is counted, not listed in pairs") {
  std::vector<std::pair<std::string, grade::Texts>> submissions;
  for (int i = 0; i < 5; ++i) submissions.push_back({std::to_string(i), {{"a", code(enough)}}});
  CHECK(grade::similarity(submissions, skeletons).pairs.size() == 10);
  CHECK(grade::similarity(submissions, skeletons).common.empty());
  submissions.push_back({"5", {{"a", code(enough, "x")}}});
  const grade::Similarity six = grade::similarity(submissions, skeletons);
  CHECK(six.pairs.empty());
  REQUIRE(six.common.size() == 1);
  CHECK(six.common.front().exercise == "a");
  CHECK(six.common.front().submissions == 6);
}
