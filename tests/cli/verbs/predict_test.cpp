// SPDX-License-Identifier: MIT
#include "lab.hpp"
#include "state_file.hpp"
#include "support/contains.hpp"

namespace {

using Json = nlohmann::ordered_json;

const std::string accepted_factor = "a factor above 0, such as 2, 0.5 or 1/4: ";

// The answers that are kept for a lab, or one exercise of it; null where there is none.
std::vector<Json> kept_answers(const std::string& name) {
  std::vector<Json> answers;
  const Json document = lab({"predict", name, "--json"}).json();
  for (const Json& question : document.at("questions")) answers.push_back(question.at("answer"));
  return answers;
}

}  // namespace

TEST_CASE("questions are asked one by one, and answers read line by line") {
  const StateFile kept("predictions.json");
  const LabResult result = lab({"predict", "04"}, {}, "0.01\n B) \n1/2\n");
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.rfind(
            "lab 04_shared_memory asks 3 questions; an empty line or Ctrl-D skips one\n\n1 of 3: ", 0) == 0);
  CHECK(contains(result.out, "\n  c) about 32: one lane after another\na, b or c: \n3 of 3: "));
  CHECK(result.out.ends_with(accepted_factor + "\n3 of 3 answered\n  next: solve it, then: lab check 04\n"));
  CHECK(kept_answers("04") == std::vector<Json>{"0.01", "B)", "1/2"});
}

TEST_CASE("what is no answer is asked again, an empty line skips, and so does the end of the input") {
  const StateFile kept("predictions.json");
  const LabResult result = lab({"predict", "04"}, {}, "0\nnone\n\nd\nc");
  CHECK(result.code == 0);
  CHECK(contains(result.out,
                 accepted_factor + "\"0\" does not answer this question; an empty line skips it\n" +
                     accepted_factor + "\"none\" does not answer this question; an empty line skips it\n" +
                     accepted_factor + "\n2 of 3: "));
  CHECK(contains(
      result.out,
      "a, b or c: \"d\" does not answer this question; an empty line skips it\na, b or c: \n3 of 3: "));
  CHECK(contains(result.out, "\n1 of 3 answered\n"));
  CHECK(kept_answers("04") == std::vector<Json>{nullptr, "c", nullptr});
}

TEST_CASE("input that is no answer and has no end is given up; what was answered before is kept") {
  const StateFile kept("predictions.json");
  std::string input = "0.5\n";
  for (int i = 0; i < 1000; ++i) input += "y\n";
  const LabResult result = lab({"predict", "04"}, {}, input);
  CHECK(result.code == 2);
  CHECK(result.err ==
        "lab: standard input holds no answer to question 2: its last line was \"y\", an answer is a, b or c; "
        "what was answered before is kept\n");
  const std::string asked = "a, b or c: \"y\" does not answer this question; an empty line skips it\n";
  CHECK(result.out.ends_with("counter\n  c) about 32: one lane after another\n" + asked + asked + asked));
  CHECK(kept_answers("04") == std::vector<Json>{"0.5", nullptr, nullptr});
}

TEST_CASE("input that ends behind what is no answer is told too") {
  const StateFile kept("predictions.json");
  const LabResult result = lab({"predict", "04"}, {}, "0.5\nd\n");
  CHECK(result.code == 2);
  CHECK(result.err ==
        "lab: standard input holds no answer to question 2: its last line was \"d\", an answer is a, b or c; "
        "what was answered before is kept\n");
  CHECK(kept_answers("04") == std::vector<Json>{"0.5", nullptr, nullptr});
}

TEST_CASE("asked again, it shows what was said, and replaces what is answered anew") {
  const StateFile kept("predictions.json");
  REQUIRE(lab({"predict", "04", "--answers", "0.01,b"}).code == 0);
  const LabResult result = lab({"predict", "04"}, {}, "\na\n\n");
  CHECK(contains(result.out, "\nyou said 0.01 (20"));
  CHECK(contains(result.out, "\nyou said b) about 5: as many as meet at one counter (20"));
  CHECK(kept_answers("04") == std::vector<Json>{"0.01", "a", nullptr});
}

TEST_CASE("an answer stands once its outcome is known, and is told when it is asked for again") {
  const StateFile kept("predictions.json");
  std::ofstream(kept.path()) << R"({"predictions": {"04_shared_memory": {"global_atomics": {"answer": "0.01",
    "at": "2026-11-20T17:00:00Z", "outcome": {"value": 0.006656, "choice": "", "of": 7170.0,
    "against": 1077246.0, "right": true, "at": "2026-11-20T17:30:00Z"}}}}, "counted": {}})";
  const LabResult asked = lab({"predict", "04"}, {}, "b\n2\n");
  CHECK(asked.code == 0);
  CHECK(contains(asked.out,
                 "\nalready answered (2026-11-20T17:00:00Z): global atomics, against lab 03: you said 0.01; "
                 "counted 7,170 against 1,077,246, so 0.00666: right\n"));
  CHECK(kept_answers("04") == std::vector<Json>{"0.01", "b", "2"});
  const LabResult given = lab({"predict", "04", "--answers", "0.007,a"});
  CHECK(given.code == 2);
  CHECK(
      given.err ==
      "lab: --answers: question 1 was already answered with 0.01 (2026-11-20T17:00:00Z), before its outcome "
      "was known; that stands\n");
  CHECK(kept_answers("04") == std::vector<Json>{"0.01", "b", "2"});
  // What has no outcome yet may be answered anew.
  CHECK(lab({"predict", "04", "--answers", "0.01,a"}).code == 0);
  CHECK(kept_answers("04") == std::vector<Json>{"0.01", "a", "2"});
  const Json first = lab({"predict", "04", "--json"}).json().at("questions").at(0);
  CHECK(first.at("at") == "2026-11-20T17:00:00Z");
  CHECK(first.at("outcome").at("of") == 7170);
}

TEST_CASE("answers may be given on the command line; one that is wrong keeps all from being taken") {
  const StateFile kept("predictions.json");
  const LabResult result = lab({"predict", "04", "--answers", ", c ,2"});
  CHECK(result.code == 0);
  CHECK(result.out == "\n2 of 3 answered\n  next: solve it, then: lab check 04\n");
  CHECK(kept_answers("04") == std::vector<Json>{nullptr, "c", "2"});
  const LabResult wrong = lab({"predict", "04", "--answers", "1,d,2"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "lab: --answers: \"d\" does not answer question 2; expected a, b or c\n");
  CHECK(lab({"predict", "04", "--answers", "1,a,1,1"}).err ==
        "lab: --answers \"1,a,1,1\": 4 answers for 3 questions\n");
  CHECK(kept_answers("04") == std::vector<Json>{nullptr, "c", "2"});
}

TEST_CASE("an exercise's questions are those of its lab that are about it") {
  const StateFile kept("predictions.json");
  REQUIRE(lab({"predict", "05/interleaved", "--answers", "b"}).code == 0);
  CHECK(kept_answers("05") == std::vector<Json>{nullptr, nullptr, "b", nullptr});
  CHECK(kept_answers("05/contiguous") == std::vector<Json>{nullptr, nullptr});
}

TEST_CASE("as JSON: every question with its answer and what came of it") {
  const StateFile kept("predictions.json");
  REQUIRE(lab({"predict", "04", "--answers", "0.01"}).code == 0);
  const LabResult result = lab({"predict", "04", "--json"});
  CHECK(result.code == 0);
  const Json document = result.json();
  CHECK(keys_of(document) == "lab questions");
  CHECK(document.at("lab") == "04_shared_memory");
  REQUIRE(document.at("questions").size() == 3);
  const Json& question = document.at("questions")[0];
  CHECK(keys_of(question) == "question text subject kind choices answer at outcome about why");
  CHECK(question.at("question") == "global_atomics");
  CHECK(question.at("kind") == "factor");
  CHECK(question.at("answer") == "0.01");
  CHECK(question.at("at").get<std::string>().size() == 20);
  CHECK(question.at("outcome").is_null());
  CHECK(question.at("about") ==
        "global_atomics of lab 04, 1,048,579 bytes of letters, binning letters4, against lab 03");
  CHECK(question.at("why").is_null());
  CHECK(document.at("questions")[1].at("choices").size() == 3);
}

TEST_CASE("a damaged file of predictions is said once") {
  const StateFile kept("predictions.json");
  std::ofstream(kept.path()) << "{";
  const std::string aside = kept.path() + ".damaged";
  CHECK(lab({"predict", "04", "--answers", "1"}).err ==
        "lab: " + kept.path() + " is damaged, no prediction is remembered; it was put aside as " + aside +
            "\n");
  CHECK(lab({"predict", "04", "--answers", "1"}).err.empty());
  std::filesystem::remove(aside);
}
