// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "cli/predict/predictions.hpp"
#include "facts/counters.hpp"
#include "facts/errors.hpp"

using cli::Question;
using cli::QuestionKind;

namespace {

const std::string of_lab_04 =
    R"("of": {"exercise": "04", "binning": "letters4", "input": "letters", "length": 1000})";
const std::string head = R"("name": "n", "text": "t", "subject": "s", "figure": "global_atomics")";

std::vector<Question> read(const std::string& questions) {
  return cli::read_questions(workbook::here(), "{\"questions\": [" + questions + "]}", "questions.json");
}

std::string why_not(const std::string& questions) {
  try {
    read(questions);
    return "nothing is wrong";
  } catch (const facts::MachineError& error) {
    return error.what();
  }
}

Question asked(QuestionKind kind, std::size_t choices = 0) {
  Question question{.kind = kind};
  for (std::size_t i = 0; i < choices; ++i) question.choices.push_back({"text " + std::to_string(i), 0, 1});
  return question;
}

// Choices take every figure from 0 on, each exactly once.
void check_complete(const Question& question) {
  std::vector<cli::Choice> choices = question.choices;
  std::sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  double end = 0;
  for (const cli::Choice& choice : choices) {
    CHECK(choice.from == end);
    CHECK(choice.to > choice.from);
    end = choice.to;
  }
  CHECK(end == std::numeric_limits<double>::infinity());
}

bool is_figure(const std::string& name) {
  const bool is_derived = std::ranges::find(facts::derived_table, name, &facts::DerivedCounter::name) !=
                          facts::derived_table.end();
  return name == cli::time_figure || name == "counted" || facts::find_counter(name) || is_derived;
}

}  // namespace

TEST_CASE("a question names the run that decides, and what that is set against") {
  const auto questions = read("{" + head + R"(, "kind": "factor", "per": "warps", )" + of_lab_04 +
                              R"(, "against": {"exercise": "03", "input": "same"}})");
  REQUIRE(questions.size() == 1);
  const Question& question = questions.front();
  CHECK(question.name == "n");
  CHECK(question.text == "t");
  CHECK(question.subject == "s");
  CHECK(question.kind == QuestionKind::factor);
  CHECK(question.figure == "global_atomics");
  CHECK(question.per == "warps");
  CHECK(question.of == cli::CountedRun{workbook::here().find("04").at(0), "letters4", "letters", 1000});
  CHECK(question.against == cli::CountedRun{workbook::here().find("03").at(0), "letters4", "same", 1000});
}

TEST_CASE("a choice without an end takes everything on that side") {
  const auto questions = read("{" + head + R"(, "kind": "choice", )" + of_lab_04 +
                              R"(, "choices": [{"text": "few", "to": 2}, {"text": "many", "from": 2}]})");
  REQUIRE(questions.front().choices.size() == 2);
  CHECK(questions.front().choices[0].from == 0);
  CHECK(questions.front().choices[0].to == 2);
  CHECK(questions.front().choices[1].from == 2);
  CHECK(questions.front().choices[1].to == std::numeric_limits<double>::infinity());
}

TEST_CASE("what is wrong with a file of questions is said, with its name") {
  const std::string number = R"(, "kind": "number", )";
  CHECK(why_not("{" + head + number + of_lab_04 + "}") == "nothing is wrong");
  CHECK(why_not("{" + head + R"(, "kind": "guess", )" + of_lab_04 + "}") ==
        "questions.json: no kind of question is called \"guess\"");
  CHECK(why_not("{" + head + R"(, "kind": "choice", )" + of_lab_04 + "}") ==
        "questions.json: choices belong to a question of that kind, two at least");
  CHECK(why_not("{" + head + R"(, "kind": "factor", )" + of_lab_04 + "}") ==
        "questions.json: a factor is set against another run");
  CHECK(why_not("{" + head + number + R"("of": {"exercise": "05"}})") ==
        "questions.json: \"05\" is not one exercise");
  CHECK(why_not("{" + head + number + R"("of": {"exercise": "04"}})") ==
        "questions.json: a run needs an exercise and a length");
  CHECK(why_not("{" + head + number + R"("of": {"exercise": "04", "length": 1, "binning": "x"}})") ==
        "questions.json: no binning is called \"x\"");
  CHECK(why_not("{" + head + number +
                R"("of": {"exercise": "04", "length": 1, "binning": "bytes", "input": "x"}})") ==
        "questions.json: no input is called \"x\"");
  const std::string one = "{" + head + number + of_lab_04 + "}";
  CHECK(why_not(one + "," + one) == "questions.json: two questions are called \"n\"");
  CHECK(why_not("{}").rfind("questions.json: ", 0) == 0);
  CHECK(why_not("{").rfind("questions.json: ", 0) == 0);
}

TEST_CASE("a choice is answered by its letter") {
  const Question question = asked(QuestionKind::choice, 3);
  CHECK(cli::accepted_answers(question) == "a, b or c");
  CHECK(cli::value_of_answer(question, "a") == 0.0);
  CHECK(cli::value_of_answer(question, "C") == 2.0);
  CHECK(cli::value_of_answer(question, "b)") == 1.0);
  for (const char* text : {"", "d", "ab", "1", "a) text", "!", "\xc3\xa4"}) {
    CAPTURE(text);
    CHECK_FALSE(cli::value_of_answer(question, text));
  }
  CHECK(cli::answer_text(question, "B") == "b) text 1");
}

TEST_CASE("a number is answered by digits, in any of the usual ways") {
  const Question question = asked(QuestionKind::number);
  CHECK(cli::accepted_answers(question) == "a number, such as 1000 or 1e6");
  CHECK(cli::value_of_answer(question, "0") == 0.0);
  CHECK(cli::value_of_answer(question, "1,048,579") == 1048579.0);
  CHECK(cli::value_of_answer(question, "1e6") == 1e6);
  CHECK(cli::value_of_answer(question, "1.5") == 1.5);
  for (const char* text : {"", "-1", "a", "nan", "inf", "0x10", "1e999", "1 000", "1/2", ","}) {
    CAPTURE(text);
    CHECK_FALSE(cli::value_of_answer(question, text));
  }
  CHECK(cli::answer_text(question, "1e6") == "1e6");
}

TEST_CASE("a factor is answered by a number above 0, or by a fraction") {
  const Question question = asked(QuestionKind::factor);
  CHECK(cli::accepted_answers(question) == "a factor above 0, such as 2, 0.5 or 1/4");
  CHECK(cli::value_of_answer(question, "0.5") == 0.5);
  CHECK(cli::value_of_answer(question, "1/4") == 0.25);
  CHECK(cli::value_of_answer(question, "150") == 150.0);
  for (const char* text : {"", "0", "0/1", "1/0", "1/", "/2", "1/2/3", "-2", "2x", "1e308/1e-308"}) {
    CAPTURE(text);
    CHECK_FALSE(cli::value_of_answer(question, text));
  }
}

TEST_CASE("every lab asks two or three questions an exercise at most, about figures that there are") {
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    const std::vector<Question> questions = cli::questions_of(workbook, exercise.lab);
    const auto exercises = workbook.find(exercise.lab).size();
    CHECK(questions.size() >= 2);
    CHECK(questions.size() <= std::max<std::size_t>(4, 2 * exercises));
    std::set<std::string> asked_about;
    for (const Question& question : questions) {
      CAPTURE(question.name);
      CHECK(question.of.exercise.lab == exercise.lab);
      CHECK(is_figure(question.figure));
      CHECK((question.per.empty() || is_figure(question.per)));
      CHECK_FALSE(question.text.empty());
      CHECK_FALSE(question.subject.empty());
      asked_about.insert(question.of.exercise.name);
      if (question.kind == QuestionKind::choice) check_complete(question);
    }
    CHECK(asked_about.count(exercise.name) == 1);
  }
}

TEST_CASE("a lab without questions asks none") {
  CHECK(cli::questions_of(workbook::here(), "99_nothing").empty());
}

TEST_CASE("a question says what it is about: the figure, the run, and what that is set against") {
  const auto about = [](const std::string& lab, std::size_t number) {
    return cli::about(workbook::here(), cli::questions_of(workbook::here(), lab).at(number));
  };
  CHECK(about("01_sequential", 1) ==
        "the time of lab 01, 16,777,216 bytes of letters, binning letters4, against 8,388,608 bytes");
  CHECK(about("02_global_atomics", 1) ==
        "global_atomics of lab 02, 16,391 bytes of text, binning letters4, against letters");
  CHECK(about("04_shared_memory", 1) ==
        "shared_atomic_wavefronts for each of shared_atomic_requests of lab 04, 1,048,579 bytes of letters, "
        "binning letters4");
}

TEST_CASE("every question of the workbook's says why it comes out so") {
  for (const auto& exercise : workbook::here().exercises) {
    for (const cli::Question& question : cli::questions_of(workbook::here(), exercise.lab)) {
      CAPTURE(exercise.lab + " " + question.name);
      CHECK(question.why.ends_with('.'));
    }
  }
}
