// SPDX-License-Identifier: MIT
// lab grade, as an instructor calls it.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <random>

#include "grade/speed.hpp"
#include "lab.hpp"
#include "measure/gpu_device.hpp"
#include "support/contains.hpp"
#include "support/gpu.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

const std::string collection = workbook::here().source_root + "/tests/submissions/";
const std::string kernel = "02_global_atomics/histogram.cu";

// A class whose submissions hold lab 02 alone, and a folder for what is made of it.
class SmallClass {
 public:
  const std::string& folder() const { return folder_.path(); }
  std::string output() const { return output_.path() + "/grades"; }

  void hand_in(const std::string& place, const std::string& file) const {
    folder_.write(place + "/" + kernel, text_of(collection + "02_global_atomics/" + file));
  }
  void write(const std::string& place, const std::string& text) const { folder_.write(place, text); }

  std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"grade", folder(), "--output", output(), "--lab", "02", "--no-sandbox"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  LabResult grade(const std::vector<std::string>& more = {},
                  const std::vector<std::string>& settings = {}) const {
    return lab(words(more), settings);
  }

  std::string made(const std::string& name) const { return text_of(output() + "/" + name); }
  nlohmann::ordered_json result(const std::string& name) const {
    return nlohmann::ordered_json::parse(made("submissions/" + name + "/result.json"));
  }

 private:
  TemporaryFolder folder_, output_;
};

bool can_grade() {
  const bool can = workbook::here().has_simulator;
  if (!can) MESSAGE("left out: this build has no simulator");
  return can;
}

// Everything below a folder with its content, time stamps aside.
std::map<std::string, std::string> all_in(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : files::recursive_directory_iterator(folder))
    all[entry.path().lexically_relative(folder)] = entry.is_regular_file() ? text_of(entry.path()) : "";
  return all;
}

}  // namespace

TEST_CASE("a class is graded: a row each, whatever is handed in") {
  if (!can_grade()) return;
  SmallClass these;
  these.hand_in("anna/labs", "pass/pointer_and_block_of_1000.cu");
  these.hand_in("=ben, \"b\"/ben-main/labs", "wrong_answer/tail_missed-last_byte_left_out.cu");
  these.write("chris/report.txt", "");
  files::create_directories(these.folder() + "/d\nd/02_global_atomics");
  REQUIRE(mkfifo((these.folder() + "/d\nd/" + kernel).c_str(), 0666) == 0);
  these.write("list.txt", "");
  const LabResult result = these.grade({"--seed", "7", "--jobs", "2"});
  CHECK(result.err.empty());
  CHECK(result.code == 0);
  CHECK(contains(result.out,
                 "not a submission, for it is no folder: list.txt\n4 judged, 0 as before; seed 7\n"));
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\n"
        "\"'=ben, \"\"b\"\"\",wrong_answer,65\r\n"
        "anna,pass,100\r\n"
        "chris,missing,0\r\n"
        "\"d\nd\",build_error,0\r\n");
  const auto ben = these.result("%3Dben%2C%20%22b%22");
  CHECK(keys_of(ben) == "submission labs note seed backend sandbox versions asked files left_out exercises");
  CHECK(ben.at("labs") == "ben-main/labs");
  CHECK(ben.at("seed") == 7);
  CHECK(ben.at("sandbox") == false);
  REQUIRE(ben.at("files").size() == 1);
  CHECK(ben.at("files").at(0).at("path") == kernel);
  CHECK(ben.at("exercises").at(0).at("verdict") == "wrong_answer");
  CHECK(ben.at("exercises").at(0).at("diagnosis") == "tail_missed");
  CHECK_FALSE(ben.at("exercises").at(0).at("cases").empty());
  const std::string text = ben.at("exercises").at(0).at("text");
  CHECK(contains(text, "wrong_answer: the end of the input is missing from the result\n"));
  CHECK(contains(text, "  next: build/lab hint 02\n"));
  CHECK(these.result("d%0Ad").at("exercises").at(0).at("message") == kernel + ": it is a pipe or a device");
  CHECK(contains(these.made("submissions/anna/feedback.html"), "<pre>pass: "));
  CHECK(contains(these.made("submissions/anna/results.json"), "\"score\": 100.0"));
  CHECK(contains(these.made("junit.xml"),
                 "<testcase classname=\"anna\" name=\"02_global_atomics/histogram\"/>"));
  CHECK_FALSE(files::exists(these.output() + "/.scratch"));
}

TEST_CASE("work on an extra lab is told where the course alone is graded") {
  if (!can_grade() || workbook::here().find("x1/naive").empty()) return;
  const TemporaryFolder folder, output;
  const std::string file = "/labs/x1_reduction/naive.cu";
  const std::string skeleton = workbook::here().skeleton(workbook::here().find("x1/naive").at(0)).value();
  folder.write("anna" + file, skeleton + "// begun\n");
  folder.write("ben" + file, skeleton + "// begun too\n");
  folder.write("chris" + file, skeleton);
  const auto grade = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"grade", folder.path(), "--output", output.path() + "/grades",
                                   "--no-sandbox"};
    words.insert(words.end(), more.begin(), more.end());
    return lab(words);
  };
  const LabResult course = grade({});
  CHECK(course.code == 0);
  CHECK(course.err.empty());
  CHECK(contains(course.out, "\n2 submissions hold extra lab x1, which is graded with --lab x1 alone\n"));
  CHECK_FALSE(contains(grade({"--lab", "02"}).out, "extra lab"));
}

TEST_CASE("places are told as they lie in the submission") {
  if (!can_grade()) return;
  SmallClass these;
  these.write("eva/handed in/labs/" + kernel, "#include \"lab.hpp\"\nint broken(\n");
  CHECK(these.grade().code == 0);
  const std::string text = these.result("eva").at("exercises").at(0).at("text");
  CHECK(text.starts_with("build_error: handed in/labs/" + kernel + ":"));
  CHECK_FALSE(contains(text, these.output()));
  CHECK_FALSE(contains(these.made("submissions/eva/result.json"), these.output()));
}

TEST_CASE(
    "what has not changed is not judged again; a file that has changed is, and points are worked out anew" *
    doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  these.hand_in("anna", "pass/pointer_and_block_of_1000.cu");
  these.write("ben/" + kernel, "#error one");
  REQUIRE(these.grade().code == 0);
  const auto seed = these.result("anna").at("seed");
  std::string points = these.made("points.txt");
  const std::string weight = "total=100";
  points.replace(points.find(weight), weight.size(), "total=30");
  std::ofstream(these.output() + "/points.txt") << points;
  // The same bytes with another time.
  these.hand_in("anna", "pass/pointer_and_block_of_1000.cu");
  these.hand_in("ben", "technique/one_thread_counts_all.cu");
  const LabResult again = these.grade();
  CHECK(again.code == 0);
  CHECK(contains(again.out, "anna: 1 of 1 exercises passed (as before)\n"));
  CHECK(contains(again.out, "1 judged, 1 as before"));
  CHECK(these.result("anna").at("seed") == seed);
  CHECK(these.result("ben").at("seed") == seed);
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\nanna,pass,30\r\nben,technique,25.5\r\n");
}

namespace {

// Gives points for speed in an OUT that is there.
void give_points_for_speed(const SmallClass& these) {
  std::string points = these.made("points.txt");
  for (const auto& [from, to] : {std::pair("technique=15", "technique=5"), std::pair("speed=0", "speed=10")})
    points.replace(points.find(from), std::strlen(from), to);
  std::ofstream(these.output() + "/points.txt") << points;
}

}  // namespace

TEST_CASE("points for speed need a GPU, which is told before anything is judged: code 3") {
  if (!can_grade()) return;
  if (measure::gpu_device(workbook::here()).works) {
    MESSAGE("left out: there is a GPU");
    return;
  }
  SmallClass these;
  these.write("chris/report.txt", "");
  REQUIRE(these.grade().code == 0);
  give_points_for_speed(these);
  const LabResult result = these.grade();
  CHECK(result.code == 3);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with(
      "lab: points.txt gives points for speed, which is measured on a GPU beside the solutions: "));
  CHECK(result.err.ends_with("; for grades without it: speed=0, and its points to the other parts\n"));
}

TEST_CASE(
    "what is right is timed beside the solution once points are given for speed, and nothing is judged "
    "again" *
    doctest::test_suite("gpu")) {
  if (!can_grade()) return;
  skip_without_gpu();
  SmallClass these;
  these.write("anna/" + kernel, text_of(workbook::here().source_root + "/solutions/" + kernel));
  these.hand_in("ben", "technique/one_thread_counts_all.cu");
  these.hand_in("chris", "wrong_answer/tail_missed-first_64_kib_only.cu");
  these.hand_in("dora", "race/no_atomic.cu");
  REQUIRE(these.grade().code == 0);
  const auto judged = [&](const char* name) { return these.result(name).at("exercises").at(0); };
  const auto before = judged("anna");
  give_points_for_speed(these);
  CHECK(contains(these.grade().out, "3 judged, 1 as before"));
  auto anna = judged("anna");
  CHECK(keys_of(anna.at("speed")) == "share ms solution_ms gpu binning input length elements");
  const double share = anna.at("speed").at("share");
  CHECK((share > 0 && share <= 1));
  anna.erase("speed");
  CHECK(anna == before);
  // One thread alone takes minutes for 64 Mi bytes; and a kernel that is right but for long inputs is
  // wrong there.
  CHECK(judged("ben").at("speed") == grade::no_speed("20 seconds were not enough for it"));
  CHECK(keys_of(judged("chris").at("speed")) == "share message");
  CHECK(judged("chris").at("speed").at("share") == 0.0);
  CHECK_FALSE(judged("dora").contains("speed"));
  CHECK(contains(these.made("submissions/anna/feedback.html"), "<p>Speed: "));
  CHECK(contains(these.grade().out, "0 judged, 4 as before"));
}

TEST_CASE("labs that were graded before are kept when another is graded, as long as no file changes" *
          doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  these.write("anna/" + kernel, "#error one");
  const auto grade_lab = [&](const std::string& number) {
    return lab({"grade", these.folder(), "--output", these.output(), "--no-sandbox", "--lab", number});
  };
  const auto asked = [&] { return these.result("anna").at("asked").dump(); };
  CHECK(grade_lab("02").code == 0);
  CHECK(contains(grade_lab("03").out, "1 judged, 0 as before"));
  CHECK(asked() == R"(["02_global_atomics/histogram","03_privatization/histogram"])");
  CHECK(these.made("gradebook.csv") == "submission,03_privatization/histogram,points\r\nanna,missing,0\r\n");
  CHECK(contains(grade_lab("02").out, "0 judged, 1 as before"));
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\nanna,build_error,0\r\n");
  these.write("anna/" + kernel, "#error two");
  CHECK(contains(grade_lab("03").out, "1 judged, 0 as before"));
  CHECK(asked() == R"(["03_privatization/histogram"])");
}

TEST_CASE("a submission alone can be graded, and the others keep their rows" * doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  these.write("-a/" + kernel, "#error one");
  these.write("b/" + kernel, "#error one");
  const LabResult one = these.grade({"--only=-a"});
  CHECK(contains(one.out, "1/1 -a: 0 of 1 exercises passed\n"));
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\n'-a,build_error,0\r\n");
  CHECK(these.grade({"--only", "b"}).code == 0);
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\n'-a,build_error,0\r\nb,build_error,0\r\n");
  const LabResult none = these.grade({"--only", "c"});
  CHECK(none.code == 2);
  CHECK(none.err == "lab: there is no folder \"c\" in " + these.folder() + "\n");
}

TEST_CASE("pairs with the same code are named in a file and on the last line" * doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  const std::string pass = "pass/pointer_and_block_of_1000.cu";
  const std::string text = text_of(collection + "02_global_atomics/" + pass);
  these.hand_in("anna", pass);
  these.hand_in("ben", "technique/one_thread_counts_all.cu");
  these.write("chris/labs/" + kernel, "// all my own work\n" + text);
  const std::string similar = these.output() + "/similar.csv";
  CHECK(contains(
      these.grade({"--similar"}).out,
      "says\n1 pair of submissions with the same code, names and comments aside; a hint, no verdict: " +
          similar + "\n"));
  CHECK(these.made("similar.csv")
            .starts_with("first,second,exercises,tokens\r\nanna,chris,02_global_atomics/histogram,"));
  // It is about the files of this start.
  CHECK(these.grade().code == 0);
  CHECK_FALSE(files::exists(similar));
  files::remove_all(these.folder() + "/chris");
  CHECK(contains(these.grade({"--similar"}).out, "\nno two submissions hold the same code, "));
  CHECK(these.made("similar.csv") == "first,second,exercises,tokens\r\n");
}

TEST_CASE("wrong usage ends with code 2, and nothing is written") {
  SmallClass these;
  these.write("anna/" + kernel, "");
  const LabResult none = lab({"grade", these.folder() + "/none", "--output", these.output(), "--no-sandbox"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "cannot read the folder"));
  const LabResult inside =
      lab({"grade", these.folder(), "--output", these.folder() + "/out", "--no-sandbox"});
  CHECK(inside.code == 2);
  CHECK(contains(inside.err, "where every folder is a submission"));
  CHECK_FALSE(files::exists(these.folder() + "/out"));
  TemporaryFolder other;
  other.write("precious", "");
  const LabResult filled = lab({"grade", these.folder(), "--output", other.path(), "--no-sandbox"});
  CHECK(filled.code == 2);
  CHECK(contains(filled.err, "holds other things"));
  CHECK(all_in(other.path()).size() == 1);
  const LabResult file =
      lab({"grade", other.path() + "/precious", "--output", these.output(), "--no-sandbox"});
  CHECK(file.code == 2);
  CHECK(contains(file.err, "Not a directory"));
  CHECK(lab({"grade", these.folder()}).code == 2);
  const LabResult nowhere = lab({"grade", these.folder(), "--output", "", "--no-sandbox"});
  CHECK(nowhere.code == 2);
  CHECK(nowhere.err == "lab: --output is empty; name a folder\n");
  CHECK(these.grade({"--only", ""}).err == "lab: there is no folder \"\" in " + these.folder() + "\n");
  CHECK(these.grade({"--jobs", "0"}).code == 2);
  CHECK_FALSE(files::exists(these.output()));
  CHECK(these.grade({"--on", "cpu"}).code == 2);
  CHECK(these.grade({"--lab", "99"}).code == 2);
}

TEST_CASE("an output of another folder or another seed is refused") {
  if (!can_grade()) return;
  SmallClass these, those;
  these.write("anna/" + kernel, "#error one");
  REQUIRE(these.grade({"--seed", "1"}).code == 0);
  const auto before = all_in(these.output());
  const LabResult other = lab({"grade", those.folder(), "--output", these.output(), "--no-sandbox"});
  CHECK(other.code == 2);
  CHECK(other.err == "lab: " + these.output() + " holds the grades of " + these.folder() + "\n");
  const LabResult seed = these.grade({"--seed", "2"});
  CHECK(seed.code == 2);
  CHECK(seed.err == "lab: " + these.output() + " was graded with another seed, 1\n");
  CHECK(all_in(these.output()) == before);
}

TEST_CASE("a fault of the machine leaves a row out, says which, and is made up for by the next start" *
          doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  these.hand_in("anna", "pass/pointer_and_block_of_1000.cu");
  these.write("ben/readme", "");
  // Nothing can be compiled there.
  const LabResult fault = these.grade({}, {"PATH=/nonexistent"});
  CHECK(fault.code == 3);
  CHECK(contains(fault.err, "lab: no row for anna: "));
  CHECK_FALSE(contains(fault.err, "no row for ben"));
  CHECK(these.made("gradebook.csv") == "submission,02_global_atomics/histogram,points\r\nben,missing,0\r\n");
  const LabResult mended = these.grade();
  CHECK(mended.code == 0);
  CHECK(contains(mended.out, "1 judged, 1 as before"));
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/histogram,points\r\nanna,pass,100\r\nben,missing,0\r\n");
}

TEST_CASE("a class graded in shards and merged has the gradebook of the whole" *
          doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  TemporaryFolder shards;
  for (const char* name : {"a", "b", "c\xff", "d"})
    these.write(std::string(name) + "/" + kernel, "#error one");
  these.hand_in("e", "pass/pointer_and_block_of_1000.cu");
  REQUIRE(these.grade({"--seed", "4"}).code == 0);
  const auto of_shard = [&](const std::string& number, const std::string& seed) {
    return lab({"grade", these.folder(), "--output", shards.path() + "/" + number, "--lab", "02",
                "--no-sandbox", "--seed", seed, "--shard", number + "/2"});
  };
  CHECK(contains(of_shard("1", "4").out, "3 judged"));
  CHECK(contains(of_shard("2", "4").out, "2 judged"));
  const std::string merged = shards.path() + "/all";
  const std::vector<std::string> words{"grade", "--merge", shards.path() + "/1", shards.path() + "/2",
                                       "--lab", "02",      "--output",           merged};
  const LabResult result = lab(words);
  CHECK(result.err.empty());
  CHECK(result.code == 0);
  CHECK(text_of(merged + "/gradebook.csv") == these.made("gradebook.csv"));
  CHECK(text_of(merged + "/junit.xml") == these.made("junit.xml"));
  CHECK(lab(words).code == 0);
  // A submission of a shard without a result.
  files::remove_all(shards.path() + "/1/submissions/a");
  files::remove_all(merged);
  const LabResult fewer = lab(words);
  CHECK(fewer.code == 3);
  CHECK(fewer.err == "lab: no row for 1 submissions: their shard has no result\n");
  const LabResult one = lab({"grade", "--merge", shards.path() + "/1", "--output", merged});
  CHECK(one.code == 2);
  CHECK(contains(one.err, "is shard 1/2, but 1 folders are to be merged"));
  const LabResult twice =
      lab({"grade", "--merge", shards.path() + "/1", shards.path() + "/1", "--output", merged});
  CHECK(contains(twice.err, "shard 1 is there twice"));
  for (const char* shard : {"0/2", "3/2", "1", "1/x", "a/2"})
    CHECK(these.grade({"--seed", "4", "--shard", shard}).code == 2);
  const LabResult unseeded = these.grade({"--shard", "1/2"});
  CHECK(unseeded.code == 2);
  CHECK(contains(unseeded.err, "give each the same --seed"));
}

namespace {

// Starts a grading, and kills it once `enough` holds.
void grade_and_kill(const SmallClass& these, const std::vector<std::string>& more,
                    const std::function<bool()>& enough) {
  std::fflush(nullptr);
  const pid_t grader = fork();
  if (grader == 0) {
    const std::string program = workbook::here().build_root + "/lab";
    std::vector<std::string> words = these.words(more);
    std::vector<char*> pointers{const_cast<char*>(program.c_str())};
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::freopen("/dev/null", "w", stdout);
    execv(pointers.front(), pointers.data());
    _exit(126);
  }
  while (!enough() && waitpid(grader, nullptr, WNOHANG) == 0) usleep(1000);
  kill(grader, SIGKILL);
  waitpid(grader, nullptr, 0);
}

}  // namespace

TEST_CASE("a grader that is killed goes on where it was" * doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  these.hand_in("anna", "pass/pointer_and_block_of_1000.cu");
  these.hand_in("ben", "race/no_atomic.cu");
  these.hand_in("chris", "technique/one_thread_counts_all.cu");
  const std::string first = these.output() + "/submissions/anna/result.json";
  grade_and_kill(these, {"--seed", "3", "--jobs", "1"}, [&] { return files::exists(first); });
  const std::string kept = text_of(first);
  CHECK_FALSE(files::exists(these.output() + "/gradebook.csv"));
  const LabResult result = these.grade({"--jobs", "1"});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "anna: 1 of 1 exercises passed (as before)\n"));
  CHECK(text_of(first) == kept);
  CHECK(these.made("gradebook.csv") ==
        "submission,02_global_atomics/"
        "histogram,points\r\nanna,pass,100\r\nben,race,0\r\nchris,technique,85\r\n");
  CHECK_FALSE(files::exists(these.output() + "/.scratch"));
}

TEST_CASE("killed at 20 moments and started again, a larger class gets the same grades" *
          doctest::test_suite("long")) {
  if (!can_grade()) return;
  SmallClass these;
  std::size_t count = 0;
  for (const auto& entry : files::recursive_directory_iterator(collection + "02_global_atomics")) {
    if (entry.path().extension() == ".cu" && count++ < 12)
      these.hand_in(entry.path().stem().string(),
                    files::relative(entry.path(), collection + "02_global_atomics"));
  }
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 3000);
    grade_and_kill(these, {"--seed", "3"}, [&] { return std::chrono::steady_clock::now() > end; });
    for (const auto& [path, text] : all_in(these.output())) {
      if (path.ends_with("result.json")) CHECK(nlohmann::ordered_json::accept(text));
    }
  }
  REQUIRE(these.grade().code == 0);
  const std::string gradebook = these.made("gradebook.csv"), junit = these.made("junit.xml");
  files::remove_all(these.output());
  REQUIRE(these.grade({"--seed", "3"}).code == 0);
  CHECK(these.made("gradebook.csv") == gradebook);
  CHECK(these.made("junit.xml") == junit);
}
