// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "problems/histogram/histogram_reference.hpp"
#include "workbook/workbook.hpp"

using histogram::Conduct;

namespace {

std::vector<problems::Rule> rules_of(const std::string& lab) {
  return workbook::here().find(lab).at(0).technique;
}

const std::vector<problems::Rule> lab02 = rules_of("02"), lab03 = rules_of("03"), lab04 = rules_of("04"),
                                  contiguous = rules_of("05/contiguous"),
                                  interleaved = rules_of("05/interleaved"), lab06 = rules_of("06");

// 4 blocks of 256 threads over 4096 bytes, 7 bins: what a test does not give was not there.
Conduct conduct(std::map<std::string, std::uint64_t> counts) {
  return {{4, 256, std::move(counts)}, 4096, 7};
}

// The first fault of a lab's rules, but for the one that is judged on equal bytes.
std::string fault(const std::vector<problems::Rule>& rules, const Conduct& conduct) {
  for (const problems::Rule& rule : rules) {
    if (rule.name == "aggregation") continue;
    if (const auto fault = histogram::rule_fault(rule, conduct)) return *fault;
  }
  return {};
}

std::string fault(const std::vector<problems::Rule>& rules, std::map<std::string, std::uint64_t> counts) {
  return fault(rules, conduct(std::move(counts)));
}

}  // namespace

TEST_CASE("lab 02: 1024 threads count by atomics on histo") {
  CHECK(fault(lab02, {{"atomic_threads", 1024}, {"result_atomics", 4096}}).empty());
  CHECK(fault(lab02, {{"atomic_threads", 1024}, {"result_atomics", 4096}, {"shared_atomics", 4096}}).empty());
  CHECK(fault(lab02, {{"result_writes", 4096}}) ==
        "all counts are right, but no thread counts by an atomic on `histo`");
  CHECK(fault(lab02, {{"atomic_threads", 1023}, {"result_atomics", 4096}}) ==
        "all counts are right, but only 1,023 threads count by atomics on `histo`; this lab asks for at "
        "least 1,024");
  CHECK(fault(lab02, {{"atomic_threads", 1024}, {"result_atomics", 4096}, {"shared_atomics", 4097}}) ==
        "all counts are right, but the counting happens in shared memory, with 4,097 atomics there and 4,096 "
        "on `histo`; this lab counts on `histo`");
}

TEST_CASE("lab 03: other blocks change block 0's copy once a bin at most, and count on copies of their own") {
  CHECK(fault(lab03, {{"result_writes_of_other_blocks", 28}, {"elsewhere_writes", 1}}).empty());
  CHECK(fault(lab03, {{"result_writes_of_other_blocks", 29}, {"elsewhere_writes", 3000}}) ==
        "all counts are right, but blocks other than block 0 still change block 0's copy 29 times; this lab "
        "allows 28");
  CHECK(fault(lab03, {{"result_writes_of_other_blocks", 28}}) ==
        "all counts are right, but no block counts on a copy of its own in global memory");
  CHECK(fault(lab03, {{"elsewhere_writes", 28}, {"shared_atomics", 4096}}) ==
        "all counts are right, but the counting happens in shared memory, with 4,096 atomics there and 28 "
        "writes to private copies in global memory");
}

TEST_CASE("lab 04: global atomics for the commits alone, and counts in shared memory") {
  CHECK(fault(lab04, {{"global_atomics", 28}, {"result_writes", 28}, {"shared_writes", 1}}).empty());
  CHECK(
      fault(lab04, {{"global_atomics", 4096}, {"shared_writes", 28}}) ==
      "all counts are right, but every byte still costs a global atomic: 4,096 of them; this lab allows 28");
  CHECK(fault(lab04, {{"global_atomics", 29}, {"result_atomics", 29}, {"shared_writes", 28}}) ==
        "all counts are right, but there are more global atomics than commits need: 29 of them; this lab "
        "allows 28");
  // Counters of 16 bits are committed twice for the bytes that fill one.
  const auto commits = [](std::uint64_t atomics) {
    return Conduct{{4, 256, {{"global_atomics", atomics}, {"result_atomics", atomics}, {"shared_writes", 1}}},
                   1 << 17,
                   7};
  };
  CHECK(fault(lab04, commits(28 + 4 * 7)).empty());
  CHECK_FALSE(fault(lab04, commits(28 + 4 * 7 + 1)).empty());
  // 4096 bytes and 4 blocks: 16 pieces drawn, and two for each block
  CHECK(fault(lab04, {{"global_atomics", 52}, {"result_atomics", 28}, {"shared_writes", 28}}).empty());
  CHECK_FALSE(fault(lab04, {{"global_atomics", 53}, {"result_atomics", 28}, {"shared_writes", 28}}).empty());
  // 28 commits under locks, of which each is taken and given back; atomics elsewhere may be 28 more
  CHECK(
      fault(lab04, {{"global_atomics", 24 + 56 + 28}, {"result_writes", 28}, {"shared_writes", 28}}).empty());
  CHECK_FALSE(
      fault(lab04, {{"global_atomics", 24 + 56 + 29}, {"result_writes", 28}, {"shared_writes", 28}}).empty());
  // no locks where the commits are atomics, nor for more commits than are allowed
  CHECK_FALSE(fault(lab04, {{"global_atomics", 28 + 24 + 56},
                            {"result_atomics", 28},
                            {"result_writes", 28},
                            {"shared_writes", 28}})
                  .empty());
  CHECK_FALSE(
      fault(lab04, {{"global_atomics", 4096}, {"result_writes", 4096}, {"shared_writes", 28}}).empty());
  CHECK(fault(lab04, {{"result_writes", 29}, {"shared_writes", 28}}) ==
        "all counts are right, but `histo` is written 29 times; this lab allows 28");
  CHECK(fault(lab04, {{"global_atomics", 28}, {"result_writes", 28}}) ==
        "all counts are right, but nothing is counted in shared memory");
}

TEST_CASE("lab 05 and 06: as lab 04, with half as many threads as bytes") {
  for (const auto& each : {contiguous, interleaved, lab06}) {
    CAPTURE(each.back().name);
    CHECK(fault(each, {{"global_atomics", 29}, {"result_atomics", 29}, {"shared_writes", 28}})
              .find("more global atomics than commits need") != std::string::npos);
    Conduct many = conduct({{"shared_writes", 1}});
    many.length = 1535;  // 1024 threads, of which a block may be there for few bytes
    CHECK(fault(each, many) ==
          "all counts are right, but 1,024 threads are launched for 1,535 bytes; this lab allows 1,023");
    many.length = 1536;
    CHECK(fault(each, many).empty());
  }
}

TEST_CASE("lab 05, contiguous: a thread's bytes are neighbours") {
  CHECK(fault(contiguous, {{"shared_writes", 1}, {"input_bytes", 4096}, {"input_near_bytes", 1024}}).empty());
  CHECK(fault(contiguous, {{"shared_writes", 1}, {"input_bytes", 4096}, {"input_near_bytes", 1023}}) ==
        "all counts are right, but a thread does not read contiguous bytes: of 4,096 bytes that are read, "
        "only 1,023 lie beside the byte that the same thread read before");
}

TEST_CASE("lab 05, interleaved: the lanes of a warp read neighbouring pieces") {
  CHECK(fault(interleaved,
              {{"shared_writes", 1}, {"input_bytes", 4096}, {"input_requests", 128}, {"input_sectors", 256}})
            .empty());
  CHECK(
      fault(interleaved,
            {{"shared_writes", 1}, {"input_bytes", 4096}, {"input_requests", 128}, {"input_sectors", 257}}) ==
      "all counts are right, but the lanes of a warp read bytes that do not lie side by side: 128 loads of "
      "warps for 4,096 bytes of data touch 257 sectors of 32 bytes; this lab allows 256");
}

TEST_CASE(
    "lab 06: equal bytes cost two shared atomics a thread, one where a thread takes three bytes, or one "
    "for each vector of eight and another") {
  const auto on_same = [](std::uint64_t length, std::uint64_t atomics) {
    Conduct same = conduct({{"shared_atomics", atomics}});
    same.length = length;
    return histogram::rule_fault(lab06.back(), same).value_or("");
  };
  CHECK(lab06.back().name == "aggregation");
  CHECK(on_same(4096, 2048).empty());
  CHECK(on_same(4096, 2049) ==
        "all counts are right, but 4,096 equal bytes cost 2,049 shared atomics; this lab allows 2,048 for "
        "1,024 threads");
  CHECK(on_same(3000, 1024).empty());
  CHECK(on_same(3000, 1025) ==
        "all counts are right, but 3,000 equal bytes cost 1,025 shared atomics; this lab allows 1,024 for "
        "1,024 threads");
  // 64 bytes each, in vectors of 8
  CHECK(on_same(65536, 8192 + 1024).empty());
  CHECK(on_same(65536, 8192 + 1025) ==
        "all counts are right, but 65,536 equal bytes cost 9,217 shared atomics; this lab allows 9,216 for "
        "1,024 threads");
  CHECK(on_same(8191, 2049) ==
        "all counts are right, but 8,191 equal bytes cost 2,049 shared atomics; this lab allows 2,048 for "
        "1,024 threads");
  for (const problems::Rule& rule : contiguous) CHECK(rule.name != "aggregation");
}

namespace {

// An exercise that launches `grid` blocks of 1024 threads and does all it should, but for the atomics on
// equal bytes.
struct Exercised {
  std::uint64_t grid;
  std::vector<problems::Case> cases = {};
  std::optional<problems::Launch> operator()(const problems::Case& what) {
    cases.push_back(what);
    const std::uint64_t atomics = what.input == "same" ? 3 * grid * 1024 : 1;
    return problems::Launch{grid, 1024, {{"shared_atomics", atomics}, {"shared_writes", 1}}};
  }
};

std::optional<problems::TechniqueFault> judged(const std::vector<problems::Rule>& rules,
                                               Exercised& exercised) {
  return histogram::technique_fault(rules, histogram::technique_length,
                                    [&](const problems::Case& what) { return exercised(what); });
}

}  // namespace

TEST_CASE("from lab 02 on, no thread does more than two of 256 parts of the work") {
  for (const auto& each : {lab02, lab03, lab04, contiguous, interleaved, lab06}) {
    const auto rule = std::find_if(each.begin(), each.end(),
                                   [](const problems::Rule& one) { return one.name == "many_threads"; });
    REQUIRE(rule != each.end());
    const auto fault = [&](std::uint64_t bytes, std::uint64_t writes) {
      return histogram::rule_fault(*rule, conduct({{"most_input_bytes", bytes}, {"most_writes", writes}}))
          .value_or("");
    };
    CHECK(fault(32, 256).empty());
    CHECK(fault(33, 0) ==
          "all counts are right, but one thread reads 33 of 4,096 bytes; this lab asks for at least 256 "
          "threads that share the work");
    CHECK(fault(0, 257) ==
          "all counts are right, but one thread writes 257 times for 4,096 bytes; this lab asks for at least "
          "256 threads that share the work");
  }
}

TEST_CASE("the rule is applied to aligned letters under seven bins, at the length that it is given") {
  Exercised exercised{4};
  CHECK_FALSE(judged(lab04, exercised));
  REQUIRE(exercised.cases.size() == 1);
  CHECK(exercised.cases[0].length == (1 << 20) + 3);
  CHECK(exercised.cases[0].misalignment == 0);
  CHECK(exercised.cases[0].variant == "letters4");
  CHECK(exercised.cases[0].input == "letters");
}

TEST_CASE("a launch of many threads that goes round gets an input that is long enough for the rule") {
  Exercised exercised{600};
  CHECK_FALSE(judged(interleaved, exercised));
  REQUIRE(exercised.cases.size() == 2);
  CHECK(exercised.cases[1].length == 2 * 600 * 1024 + 3);
  Exercised grows{1025};  // a thread for each byte
  const auto fault = judged(interleaved, grows);
  REQUIRE(grows.cases.size() == 1);
  REQUIRE(fault);
  CHECK(fault->what == grows.cases[0]);
}

TEST_CASE("lab 06 is judged on equal bytes too, of which each thread has eight") {
  Exercised exercised{150};
  const auto fault = judged(lab06, exercised);
  REQUIRE(exercised.cases.size() == 3);
  CHECK(exercised.cases[2].input == "same");
  CHECK(exercised.cases[2].length == 8 * 150 * 1024 + 3);
  REQUIRE(fault);
  CHECK(fault->what == exercised.cases[2]);
}

TEST_CASE("an exercise whose manifest names no rule is run for none") {
  CHECK(rules_of("01").empty());
  Exercised exercised{1};
  CHECK_FALSE(judged({}, exercised));
  CHECK(exercised.cases.empty());
}

TEST_CASE("where a run gives no right answer, no rule is applied") {
  std::size_t runs = 0;
  const auto fault =
      histogram::technique_fault(lab04, histogram::technique_length, [&](const problems::Case&) {
        ++runs;
        return std::optional<problems::Launch>();
      });
  CHECK(runs == 1);
  CHECK_FALSE(fault);
}

TEST_CASE("every rule that a manifest names is known, and the rules have names of their own") {
  const auto known = histogram::technique_rules();
  CHECK(std::set<std::string_view>(known.begin(), known.end()).size() == known.size());
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.problem != "histogram") continue;
    for (const problems::Rule& rule : exercise.technique) {
      CAPTURE(rule.name);
      CHECK(std::find(known.begin(), known.end(), rule.name) != known.end());
    }
  }
}
