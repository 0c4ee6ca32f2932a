// SPDX-License-Identifier: MIT
// `lab demo` as a user calls it: the list, files that are written whole or not at all, and what is refused.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "demo/stage.hpp"
#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

std::string text_in(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("without a name the demonstrations are listed, with the next command") {
  const LabResult result = lab({"demo"});
  CHECK(result.code == 0);
  for (const demo::Entry& entry : demo::demonstrations())
    CHECK(result.out.find(std::string(entry.name) + " ") != std::string::npos);
  CHECK(result.out.ends_with("to see one: lab demo " + std::string(demo::demonstrations().front().name) +
                             "\n"));
}

TEST_CASE("an unknown name is refused with the known ones") {
  const std::string words = refusal({"demo", "nothing"});
  CHECK(words.starts_with("lab: no demonstration is called \"nothing\"; there are "));
  CHECK(words.find("race") != std::string::npos);
}

TEST_CASE("options without a name are refused, and no file is written") {
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/page.html";
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--html", page}, {"--svg", page}, {"--auto"}, {"--own"}, {"--lab", "04"}, {"--text", "a"}}) {
    CAPTURE(options.front());
    std::vector<std::string> words{"demo"};
    words.insert(words.end(), options.begin(), options.end());
    CHECK(refusal(words).starts_with(
        "lab: which demonstration? Without a name lab demo takes no option but --slides; there are "));
    CHECK_FALSE(std::filesystem::exists(page));
  }
}

TEST_CASE("a demonstration of a race ends with exit code 0, in a pipe frame after frame") {
  if (!can_simulate_solutions()) return;
  const LabResult result = lab({"demo", "race"});
  CHECK(result.code == 0);
  CHECK(result.out.starts_with("race, scene 1 of 11: One after the other   step 0 of 6\n"));
  CHECK(result.out.find("\nlabs/02_global_atomics/demos/race.cu: wrong_answer: 1 of 7 bins differs.\n") !=
        std::string::npos);
}

TEST_CASE("a page and a drawing are written whole, or what was there stays") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/race.html", drawing = folder.path() + "/race.svg";
  const LabResult result = lab({"demo", "race", "--html", page, "--svg", drawing});
  CHECK(result.code == 0);
  CHECK(result.out == page + "\n" + drawing + "\n");
  CHECK(text_in(page).ends_with("</html>\n"));
  CHECK(text_in(drawing).ends_with("</svg>\n"));
  CHECK(refusal({"demo", "race", "--html", folder.path() + "/none/race.html"}, 3) ==
        "lab: cannot write \"" + folder.path() + "/none/race.html\": there is no such folder\n");
  // A kernel that cannot be shown leaves the page that was there.
  const std::string before = text_in(page),
                    broken = folder.write("broken.cu", "#include \"lab.hpp\"\nint x = ;\n");
  CHECK(refusal({"demo", "race", "--file", broken, "--html", page}, 3).find("broken.cu cannot be shown: ") !=
        std::string::npos);
  CHECK(text_in(page) == before);
}

TEST_CASE("another kernel is shown in the same way") {
  if (!can_simulate_solutions()) return;
  // Lab 02's solution counts with atomics: nothing is lost, and nothing is added about a second kernel.
  const LabResult result = lab({"demo", "race", "--lab", "02"});
  CHECK(result.code == 0);
  CHECK(result.out.find("solutions/02_global_atomics/histogram.cu\n") != std::string::npos);
  CHECK(result.out.find("lost") == std::string::npos);
  CHECK(result.out.find("All 4 updates are there") != std::string::npos);
}

TEST_CASE("what cannot be shown is refused") {
  CHECK(refusal({"demo", "race", "--text", ""}) == "lab: --text is empty: there is nothing to show\n");
  if (!can_simulate_solutions()) return;
  CHECK(refusal({"demo", "race", "--lab", "99"}) == "lab: no exercise is called \"99\"\n");
  CHECK(refusal({"demo", "race", "--lab", "01"}) ==
        "lab: lab 01 launches no kernel, so it has no events to show\n");
  CHECK(refusal({"demo", "race", "--file", "/nowhere.cu"}) == "lab: there is no file /nowhere.cu\n");
}
