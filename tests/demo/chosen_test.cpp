// SPDX-License-Identifier: MIT
// Kernels that a user chooses, seeds, and a tree without solutions.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "demo/page.hpp"
#include "demo/slides.hpp"
#include "facts/errors.hpp"
#include "made.hpp"
#include "support/kept_folder.hpp"

using demo::Demonstration;

namespace {

Demonstration made_with(const std::string& name, const demo::Options& options,
                        const workbook::Workbook& workbook = workbook::here()) {
  demo::Stage stage(workbook, options);
  return demo::make(*demo::find(name), stage);
}

std::string refusal(const std::string& name, const demo::Options& options,
                    const workbook::Workbook& workbook = workbook::here()) {
  try {
    made_with(name, options, workbook);
  } catch (const facts::UsageError& error) {
    return error.what();
  }
  return "not refused";
}

std::vector<std::string> captions(const Demonstration& demonstration) {
  std::vector<std::string> all;
  for (const demo::Frame& frame : demonstration.frames) all.push_back(frame.caption);
  return all;
}

// As a tree that was handed out, with the student's files in a folder of their own.
workbook::Workbook without_solutions(const KeptFolder& folder) {
  workbook::Workbook workbook = workbook::here();
  workbook.has_solutions = false;
  workbook.labs_dir = folder.path() + "/labs";
  workbook.runners_dir = folder.path() + "/runners";
  return workbook;
}

void hand_in(const KeptFolder& folder, const std::string& lab, const std::string& text) {
  folder.write("labs/" + lab + "/histogram.cu", text);
}

std::string text_in(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("--seed draws the orders of privatization and of race, and nothing else") {
  const Demonstration other = made_with("privatization", {.seed = 7});
  CHECK(captions(other) != captions(made("privatization")));
  CHECK(captions(made_with("privatization", {.seed = 1})) == captions(made("privatization")));
  const Demonstration race = made_with("race", {.seed = 7});
  CHECK(std::ranges::count(race.scenes, "4 threads, an order drawn from seed 7", &demo::Scene::title) == 1);
  for (const char* const name :
       {"histogram", "latency", "partition", "banks", "aggregation", "divergence", "ladder"})
    CHECK(refusal(name, {.seed = 7}) ==
          std::string("--seed means nothing for \"") + name + "\": nothing in it is drawn by chance");
}

TEST_CASE("what shows measurements takes neither kernels nor texts") {
  for (const std::string name : {"latency", "ladder"}) {
    const std::string reason =
        " means nothing for \"" + name + "\": it shows what was measured, not a kernel of yours";
    CHECK(refusal(name, {.lab = "04"}) == "--lab" + reason);
    CHECK(refusal(name, {.file = "f.cu"}) == "--file" + reason);
    CHECK(refusal(name, {.own = true}) == "--own" + reason);
    CHECK(refusal(name, {.text = "a"}) == "--text means nothing for \"" + name + "\": it counts no text");
  }
}

TEST_CASE("--file shows that file and its finding") {
  const std::string file = workbook::here().source_root + "/labs/02_global_atomics/demos/race.cu";
  const Demonstration shown = made_with("privatization", {.file = file});
  REQUIRE(shown.scenes.size() == 1);
  CHECK(shown.scenes[0].title == "The chosen kernel");
  CHECK(shown.sources.at(0).file == "labs/02_global_atomics/demos/race.cu");
  CHECK(std::ranges::any_of(shown.notes, [](const std::string& note) {
    return note.starts_with("labs/02_global_atomics/demos/race.cu: wrong_answer: ");
  }));
}

// Each run of it lasts as long as an audience waits.
void check_endless(const std::string& name) {
  CAPTURE(name);
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("endless.cu",
                   "#include \"lab.hpp\"\n"
                   "template <class Binning>\n"
                   "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, "
                   "unsigned int* histo) {\n"
                   "  const volatile unsigned int* const first = histo;\n"
                   "  if (threadIdx.x < length && data[threadIdx.x] > 0) while (*first != 77u) {}\n"
                   "}\n"
                   "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  const Demonstration shown = made_with(name, {.file = file});
  REQUIRE(shown.scenes.size() == 1);
  CHECK(shown.scenes[0].frames.size() > 1);
  const demo::Frame& last = shown.frames.at(shown.scenes[0].frames.back());
  CHECK(last.finding.starts_with("timeout: histogram_kernel "));
  CHECK(last.caption.ends_with(name == "race" ? "reads histo[0]: 0" : " goes on without end"));
  CHECK(std::ranges::count_if(shown.notes, [](const std::string& note) {
          return note.find("endless.cu: timeout: histogram_kernel ") != note.npos;
        }) == 1);
}

TEST_CASE("of a kernel that never ends its beginning is shown, and the finding") { check_endless("race"); }

TEST_CASE("of a kernel that never ends other demonstrations show the beginning, too" *
          doctest::test_suite("long")) {
  for (const char* const name : {"histogram", "partition"}) check_endless(name);
}

TEST_CASE("race tells only of updates that were made") {
  const KeptFolder folder("demo");
  const auto written = [&](const std::string& name, const std::string& count) {
    return folder.write(name,
                        "#include \"lab.hpp\"\n"
                        "template <class Binning>\n"
                        "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, "
                        "unsigned int* histo) {\n"
                        "  if (threadIdx.x < length) " +
                            count +
                            "\n}\n"
                            "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  };
  const auto ends_told = [](const Demonstration& shown) {
    std::set<std::string> told;
    for (const std::string& caption : captions(shown)) {
      for (const char* const words : {" are there", " is there", " are lost", " is lost"}) {
        const std::size_t sentence = caption.rfind(". ");
        if (sentence != caption.npos && caption.ends_with(words)) told.insert(caption.substr(sentence + 2));
      }
    }
    return told;
  };
  using Told = std::set<std::string>;
  // Of four threads each is stopped at its write.
  CHECK(ends_told(made_with("race", {.file = written("outside_histo.cu", "histo[data[0]] = 1;")})) == Told{});
  // What a thread writes without a read is no update.
  CHECK(ends_told(made_with("race", {.file = written("once.cu", "histo[data[0] % 2] = 1;")})) == Told{});
  // A byte that no bin counts adds nothing.
  CHECK(ends_told(made_with("race", {.file = written("atomic.cu",
                                                     "if (Binning::bin_of(data[threadIdx.x]) >= 0) "
                                                     "atomicAdd(&histo[1], 1u);"),
                                     .text = "e!!!"})) == Told{"The only update is there"});
  // One atomic may bring several.
  CHECK(ends_told(made_with("race", {.file = written("three.cu", "atomicAdd(&histo[data[0] % 2], 3u);")})) ==
        Told{"All 6 updates are there", "All 9 updates are there", "All 12 updates are there"});
}

TEST_CASE("--lab shows that lab's kernel alone") {
  const Demonstration shown = made_with("aggregation", {.lab = "04"});
  REQUIRE(shown.scenes.size() == 1);
  CHECK(shown.sources.at(0).file == "solutions/04_shared_memory/histogram.cu");
}

TEST_CASE("a right kernel that gets fewer threads than it asks for is not called wrong") {
  const Demonstration shown = made_with("partition", {.lab = "04"});
  CHECK(shown.notes ==
        std::vector<std::string>{
            "Made from a run of solutions/04_shared_memory/histogram.cu on the simulator",
            "solutions/04_shared_memory/histogram.cu has 1 block of 8 threads here, too few for its launch "
            "shape: it does not count the whole text",
            "L1 is taken to keep what it has loaded: the simulator has no cache"});
  CHECK(std::ranges::all_of(shown.frames, [](const demo::Frame& frame) { return frame.finding.empty(); }));
  // One that is wrong in its own shape too is.
  const KeptFolder folder("demo");
  std::string text = text_in(workbook::here().source_root + "/solutions/04_shared_memory/histogram.cu");
  const std::size_t sum = text.find("atomicAdd(&histo[bin], count)");
  REQUIRE(sum != text.npos);
  text.replace(sum, 29, "atomicAdd(&histo[bin], count + 1)");
  const Demonstration wrong = made_with("partition", {.file = folder.write("wrong.cu", text)});
  CHECK(std::ranges::count_if(wrong.notes, [](const std::string& note) {
          return note.find("wrong.cu: wrong_answer: ") != note.npos;
        }) == 1);
}

TEST_CASE("without solutions, as with --own, the student's kernel is shown") {
  const KeptFolder folder("demo/without_solutions");
  const workbook::Workbook handed_out = without_solutions(folder);
  hand_in(folder, "04_shared_memory",
          text_in(workbook::here().source_root + "/solutions/04_shared_memory/histogram.cu"));
  const Demonstration shown = made_with("privatization", {.lab = "04"}, handed_out);
  CHECK(shown.sources.at(0).file.ends_with("labs/04_shared_memory/histogram.cu"));
  // The same run as the third scene of the whole.
  std::vector<std::string> expected;
  for (const std::size_t frame : made("privatization").scenes.at(2).frames)
    expected.push_back(made("privatization").frames[frame].caption);
  CHECK(captions(shown) == expected);
  // A kernel that is kept for a demonstration is taken where it is there.
  const Demonstration race = made_with("race", {}, handed_out);
  CHECK(race.sources.at(0).file == "labs/02_global_atomics/demos/race.cu");
  CHECK(std::ranges::none_of(
      race.scenes, [](const demo::Scene& scene) { return scene.title.starts_with("With atomics"); }));
}

TEST_CASE("in a tree that was handed out, what is not written yet is left out, with a note") {
  const KeptFolder folder("demo/not_written_yet");
  const workbook::Workbook handed_out = without_solutions(folder);
  const std::string root = workbook::here().source_root;
  hand_in(folder, "02_global_atomics", text_in(root + "/solutions/02_global_atomics/histogram.cu"));
  for (const char* const lab : {"03_privatization", "04_shared_memory"})
    hand_in(folder, lab, text_in(root + "/labs/" + lab + "/histogram.cu"));
  for (const bool own : {false, true}) {
    const Demonstration shown = made_with("privatization", {.own = own}, handed_out);
    REQUIRE(shown.scenes.size() == 1);
    CHECK(shown.scenes[0].title == "One for all");
    CHECK(shown.sources.at(0).file.ends_with("labs/02_global_atomics/histogram.cu"));
    for (const char* const left_out :
         {"03_privatization/histogram.cu is unchanged since it was handed out, so \"A copy for "
          "each block, in global memory\" is left out",
          "04_shared_memory/histogram.cu is unchanged since it was handed out, so \"A copy for "
          "each block, in shared memory\" is left out"})
      CHECK(std::ranges::count_if(shown.notes,
                                  [&](const std::string& note) { return note.ends_with(left_out); }) == 1);
  }
}

TEST_CASE("a kernel that is not written yet cannot be shown, and says so") {
  const KeptFolder folder("demo/nothing_written");
  const workbook::Workbook handed_out = without_solutions(folder);
  hand_in(folder, "04_shared_memory",
          text_in(workbook::here().source_root + "/labs/04_shared_memory/histogram.cu"));
  try {
    made_with("privatization", {.lab = "04"}, handed_out);
    FAIL("it was shown");
  } catch (const facts::UsageError& error) {
    CHECK(
        std::string(error.what())
            .ends_with("labs/04_shared_memory/histogram.cu is unchanged since it was handed out, so there is "
                       "nothing to show"));
  }
}

TEST_CASE("a text that is too long is cut, and a note says so") {
  const Demonstration shown = made_with("histogram", {.text = std::string(200, 'a')});
  CHECK(std::ranges::count(shown.notes, "The text is cut: the first 128 of its 200 letters are shown") == 1);
}

TEST_CASE("a text with fewer letters than threads is shown") {
  const Demonstration shown = made_with("race", {.text = "e"});
  CHECK(shown.frames.size() > 4);
  const Demonstration blank = made_with("race", {.text = " "});
  CHECK(blank.frames.size() > 1);
}

TEST_CASE("a trace that is too long is cut, and a note says so" * doctest::test_suite("long")) {
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("long.cu",
                   "#include \"lab.hpp\"\n"
                   "template <class Binning>\n"
                   "__global__ void histogram_kernel(const unsigned char* data, std::size_t "
                   "length, unsigned int* histo) {\n"
                   "  const volatile unsigned char* const first = data;\n"
                   "  for (int i = 0; i < 50000 && length > 0; ++i) {\n"
                   "    if (first[0] == 0) histo[0] = 1;\n"
                   "  }\n"
                   "}\n"
                   "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  for (const char* const name :
       {"histogram", "race", "privatization", "partition", "banks", "aggregation", "divergence"}) {
    CAPTURE(name);
    const Demonstration shown = made_with(name, {.file = file});
    CHECK(std::ranges::count(shown.notes, "The trace is cut: the kernel does more than can be shown") == 1);
    for (const demo::Scene& scene : shown.scenes) CHECK(scene.frames.size() <= 200);
    CHECK(demo::page(shown).size() < 1'000'000);
    for (const std::string& caption : captions(shown))
      CHECK(caption.find("updates are there") == caption.npos);
  }
  CHECK(made_with("partition", {.file = file}).frames.size() == 200);
}

TEST_CASE("no demonstration of the course is cut" * doctest::test_suite("long")) {
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    for (const std::string& note : made(std::string(entry.name)).notes) CHECK(note.find("cut") == note.npos);
  }
}

TEST_CASE("a value that the trace does not hold is a question mark") {
  const KeptFolder folder("demo");
  const std::string file =
      folder.write("wide.cu",
                   "#include \"lab.hpp\"\n"
                   "template <class Binning>\n"
                   "__global__ void histogram_kernel(const unsigned char* data, "
                   "std::size_t length, unsigned int* histo) {\n"
                   "  __shared__ unsigned __int128 wide;\n"
                   "  if (threadIdx.x == 0) wide = data[0];\n"
                   "  __syncthreads();\n"
                   "  const volatile unsigned __int128& each = wide;\n"
                   "  if (threadIdx.x < length) atomicAdd(&histo[0], static_cast<unsigned int>(each));\n"
                   "}\n"
                   "LaunchShape launch_shape(std::size_t) { return {1, 32}; }\n");
  for (const char* const name :
       {"race", "privatization", "histogram", "aggregation", "banks", "divergence", "partition"}) {
    CAPTURE(name);
    CHECK(made_with(name, {.file = file}).frames.size() > 1);
  }
  const std::vector<std::string> told = captions(made_with("race", {.file = file}));
  CHECK(std::ranges::count(told, "Thread 0 writes wide[0]: ?") > 0);
  CHECK(std::ranges::count(told, "Thread 0 reads wide[0]: ?") > 0);
}

TEST_CASE("each demonstration shows the kernel of each lab" * doctest::test_suite("long")) {
  for (const demo::Entry& entry : demo::demonstrations()) {
    if (!entry.obeys.kernel) continue;
    for (const char* const lab : {"02", "03", "04", "05/contiguous", "06", "x1/naive", "x1/converged"}) {
      const std::string name(entry.name);
      CAPTURE(name);
      CAPTURE(lab);
      // Its four letters are one number of a reduction: no thread has anything to add.
      if (name == "race" && std::string(lab).starts_with("x1")) {
        CHECK(refusal(name, {.lab = lab})
                  .ends_with(" cannot be shown: none of its threads has accessed memory"));
        continue;
      }
      const Demonstration shown = made_with(name, {.lab = lab});
      REQUIRE_FALSE(shown.scenes.empty());
      // A reduction reads more letters than histogram has frames for.
      if (!std::string(lab).starts_with("x1"))
        CHECK(std::ranges::none_of(
            shown.notes, [](const std::string& note) { return note.find(" is cut") != note.npos; }));
      const bool is_empty = name == "banks" && (lab == std::string("02") || lab == std::string("03"));
      CHECK((shown.scenes[0].frames.size() > 1) == !is_empty);
      CHECK((std::ranges::count(shown.notes, "No thread of the kernel accesses shared memory") == 1) ==
            is_empty);
    }
  }
}

TEST_CASE("the deck of a tree that was handed out leaves out what is not written yet, and says why") {
  const KeptFolder folder("demo/deck");
  const workbook::Workbook handed_out = without_solutions(folder);
  std::filesystem::remove_all(folder.path() + "/labs");
  std::filesystem::copy(workbook::here().source_root + "/labs", folder.path() + "/labs",
                        std::filesystem::copy_options::recursive);
  const demo::Deck deck = demo::deck_of(handed_out);
  std::vector<std::string> left_out, shown;
  for (const std::string& line : deck.left_out) {
    left_out.push_back(line.substr(0, line.find(' ')));
    CHECK(line.find(" is left out: ") != line.npos);
    CHECK(line.find(" is unchanged since it was handed out, so ") != line.npos);
  }
  CHECK(left_out == std::vector<std::string>{"histogram", "privatization", "partition", "banks",
                                             "aggregation", "divergence"});
  std::string before;
  const nlohmann::json data = frames_in(deck.page);
  for (const nlohmann::json& slide : data.at("slides")) {
    const std::string title = slide.at("title");
    if (slide.contains("demo") && title != before) shown.push_back(title);
    before = title;
  }
  CHECK(shown == std::vector<std::string>{"Latency", "Race", "Ladder"});
}
