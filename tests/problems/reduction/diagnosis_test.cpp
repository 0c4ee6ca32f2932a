// SPDX-License-Identifier: MIT
// Mistakes as functions of the input, each under its name, and legal or unknown ones under none.
#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "problems/reduction/generators.hpp"
#include "problems/reduction/mistakes.hpp"
#include "problems/reduction/reduction_reference.hpp"

using problems::Output;
using reduction::bytes_of;

namespace {

// What an exercise makes of elements: by their operator's name, in the first or a later run of a process.
template <class Operator>
using Values = std::vector<typename Operator::value>;

struct Mistake {
  std::function<Output(const std::string& operation, std::vector<unsigned char> bytes, unsigned run)> run;
};

// The operator over the elements, after `change` has been at them.
template <class Change>
Mistake changed(Change change) {
  return {[change](const std::string& operation, std::vector<unsigned char> bytes, unsigned) {
    return reduction::with_operator(operation, [&](auto op) {
      using Operator = decltype(op);
      auto elements = problems::values_of<typename Operator::value>(bytes);
      change(elements, op);
      auto value = Operator::identity();
      for (const auto& element : elements) value = Operator::combine(value, element);
      return bytes_of(value);
    });
  }};
}

class MadeReruns final : public problems::Reruns {
 public:
  MadeReruns(const Mistake& mistake, bool guarded) : mistake_(mistake), guarded_(guarded) {}

  std::optional<std::vector<Output>> run(const problems::Case& what, const problems::Input& input,
                                         unsigned) override {
    return std::vector<Output>{output(what, input, ++runs_)};
  }
  std::optional<Output> run_afresh(const problems::Case& what, const problems::Input& input) override {
    return output(what, input, 0);
  }
  std::uint64_t seed() const override { return 23; }
  unsigned usual_times() const override { return 1; }
  bool is_guarded() const override { return guarded_; }

  Output output(const problems::Case& what, const problems::Input& input, unsigned run) const {
    std::vector<unsigned char> bytes(input.length());
    input.read(0, bytes);
    return mistake_.run(what.variant, std::move(bytes), run);
  }

 private:
  const Mistake& mistake_;
  bool guarded_;
  unsigned runs_ = 0;
};

problems::Diagnosis diagnosed(const Mistake& mistake, const problems::Case& what, bool guarded = false) {
  MadeReruns reruns(mistake, guarded);
  const auto input = reduction::make_input(what.input, what.variant, what.length, reruns.seed());
  return reduction::diagnose({what, reruns.output(what, *input, 0)}, reruns)
      .value_or(problems::Diagnosis{"none", ""});
}

const problems::Case sum_of_5000{"sum", "uniform", 5000};

template <class Value>
void erase(std::vector<Value>& elements, std::size_t begin, std::size_t end) {
  const auto first = elements.begin();
  elements.erase(first + static_cast<std::ptrdiff_t>(std::min(begin, elements.size())),
                 first + static_cast<std::ptrdiff_t>(std::min(end, elements.size())));
}

}  // namespace

TEST_CASE("the end of the input is missed") {
  const auto diagnosis = diagnosed(
      changed([](auto& elements, auto) { erase(elements, elements.size() / 256 * 256, elements.size()); }),
      sum_of_5000);
  CHECK(diagnosis.name == "tail_missed");
  CHECK(
      diagnosis.message ==
      "the end of the input is missing from the result\n  of 5,000 elements only the first 4,864 are in it");
}

TEST_CASE("a block's share is lost, and with others beside it too") {
  const auto one = changed([](auto& elements, auto) { erase(elements, 256, 512); });
  CHECK(diagnosed(one, sum_of_5000).name == "partial_lost");
  CHECK(diagnosed(one, sum_of_5000).message ==
        "a stretch of the input is missing from the result\n  of 5,000 elements, data[256] to data[511] are "
        "not in it");
  const auto two = changed([](auto& elements, auto) {
    erase(elements, 768, 5000);
    erase(elements, 256, 512);
  });
  CHECK(diagnosed(two, sum_of_5000).name == "partial_lost");
  CHECK(diagnosed(two, sum_of_5000).message ==
        "some elements are never combined\n  of 5,000 elements, data[256] to data[511] are never combined, "
        "data[768] to data[4999] never");
}

TEST_CASE("some elements are lost, or take part twice") {
  CHECK(diagnosed(changed([](auto& elements, auto) { erase(elements, 7, 8); }), sum_of_5000).name ==
        "lost_elements");
  const auto twice =
      diagnosed(changed([](auto& elements, auto) { elements.push_back(elements[3]); }), sum_of_5000);
  CHECK(twice.name == "double_counting");
  CHECK(twice.message ==
        "one element is combined more than once\n  of 5,000 elements, data[3] is combined twice");
}

TEST_CASE("what lies around the input is told where it can be read") {
  const auto beyond = changed([](auto& elements, auto op) {
    using Value = typename decltype(op)::value;
    if constexpr (std::is_same_v<Value, unsigned>) elements.push_back(0xffffffffu);
  });
  CHECK(diagnosed(beyond, sum_of_5000, true).name == "past_the_end");
  CHECK(diagnosed(beyond, sum_of_5000, false).name == "identity_forgotten");
}

TEST_CASE("padding with zeros is told for each operator whose identity is another") {
  const auto padded = changed([](auto& elements, auto) { elements.emplace_back(); });
  for (const char* const operation : {"minimum", "product", "maximum_float", "minimum_float"}) {
    const auto diagnosis = diagnosed(padded, {operation, "same", 5000});
    CHECK_MESSAGE(diagnosis.name == "identity_forgotten", operation << ": " << diagnosis.message);
  }
  CHECK(diagnosed(padded, {"minimum", "same", 5000})
            .message.ends_with("the result is the minimum of 5,000 elements and of a further 0"));
}

TEST_CASE("the sum in place of the operator") {
  const Mistake sums{[](const std::string& operation, std::vector<unsigned char> bytes, unsigned) {
    if (operation.ends_with("_float")) {
      float sum = 0;
      for (const float value : problems::values_of<float>(bytes)) sum += value;
      return bytes_of(sum);
    }
    unsigned sum = 0;
    for (const unsigned value : problems::values_of<unsigned>(bytes)) sum += value;
    return bytes_of(sum);
  }};
  for (const char* const operation : {"maximum", "minimum", "product", "maximum_float"}) {
    const auto diagnosis = diagnosed(sums, {operation, "uniform", 5000});
    CHECK_MESSAGE(diagnosis.name == "wrong_operator", operation << ": " << diagnosis.message);
  }
  CHECK(diagnosed(sums, {"maximum", "uniform", 5000})
            .message.starts_with("elements are not combined by the operator\n  where the maximum is asked "
                                 "for, the sum comes: "));
}

TEST_CASE("nothing is written") {
  const Mistake silent{[](const std::string& operation, const std::vector<unsigned char>&, unsigned) {
    return reduction::with_operator(
        operation, [](auto op) { return Output(sizeof(typename decltype(op)::value), 0xff); });
  }};
  CHECK(diagnosed(silent, sum_of_5000).name == "nothing_written");
}

TEST_CASE("a result that changes from run to run, or from the first one on") {
  unsigned calls = 0;
  const Mistake chance{[&calls](const std::string&, const std::vector<unsigned char>&, unsigned) {
    return bytes_of(++calls);
  }};
  CHECK(diagnosed(chance, sum_of_5000).name == "not_deterministic");
  const Mistake kept{[](const std::string&, const std::vector<unsigned char>& bytes, unsigned run) {
    return bytes_of(static_cast<unsigned>(bytes.size()) + run);
  }};
  CHECK(diagnosed(kept, sum_of_5000).name == "uncleared_counters");
}

TEST_CASE("results that are right modulo 2^16 alone, and long inputs alone that are wrong") {
  const Mistake narrow{[](const std::string&, const std::vector<unsigned char>& bytes, unsigned) {
    unsigned sum = 0;
    for (const unsigned value : problems::values_of<unsigned>(bytes)) sum += value;
    return bytes_of(sum & 0xffffu);
  }};
  CHECK(diagnosed(narrow, sum_of_5000).name == "overflow");
}

TEST_CASE("no name where nothing fits") {
  const Mistake odd{[](const std::string&, const std::vector<unsigned char>& bytes, unsigned) {
    unsigned value = 17;
    for (const unsigned char byte : bytes) value = value * 31 + byte;
    return bytes_of(value);
  }};
  CHECK(diagnosed(odd, {"maximum", "uniform", 5000}).name == "none");
}

TEST_CASE("another operator is told also where the one that is asked for pads with its identity") {
  // As many values as a block of 1024 threads takes, the identity behind the end.
  const auto padded_sum = [](const std::string& operation, const std::vector<unsigned char>& bytes,
                             unsigned) {
    return reduction::with_operator(operation, [&](auto op) {
      using Operator = decltype(op);
      using Value = typename Operator::value;
      auto elements = problems::values_of<Value>(bytes);
      elements.resize((elements.size() + 2047) / 2048 * 2048, Operator::identity());
      if constexpr (std::is_same_v<Value, Point>) {
        return bytes_of(elements.front());
      } else {
        Value sum = 0;
        for (const Value& element : elements) sum += element;
        return bytes_of(sum);
      }
    });
  };
  CHECK(diagnosed({padded_sum}, {"minimum", "uniform", 1}).name == "wrong_operator");
  CHECK(diagnosed({padded_sum}, {"minimum", "uniform", 5000}).name == "wrong_operator");
  const auto larger = changed([](auto& elements, auto op) {
    using Value = typename decltype(op)::value;
    if constexpr (std::is_same_v<Value, unsigned>) elements = {*std::ranges::max_element(elements)};
  });
  CHECK(diagnosed(larger, {"sum", "uniform", 3}).name == "wrong_operator");
  CHECK(diagnosed(larger, {"sum", "uniform", 3})
            .message.starts_with("elements are not combined by the operator\n  where the sum is asked for, "
                                 "the maximum comes: "));
}

TEST_CASE("no element at all, and a single one that tells little alone") {
  const auto none = diagnosed(changed([](auto& elements, auto) { elements.clear(); }), {"sum", "uniform", 1});
  CHECK(none.name == "lost_elements");
  CHECK(none.message == "no element is in the result\n  the sum of 4,099 elements, each of them 1, is 0");
  const auto first = changed([](auto& elements, auto) { erase(elements, 0, 1); });
  CHECK(diagnosed(first, {"sum", "uniform", 1}).message ==
        "an element is missing from the result\n  of 4,099 elements, data[0] is not in it");
}

TEST_CASE("a bitwise operation, of which many elements look like an output that nobody has written") {
  const auto bits = changed([](auto& elements, auto op) {
    using Value = typename decltype(op)::value;
    if constexpr (std::is_same_v<Value, unsigned>) {
      Value all = decltype(op)::identity();
      for (const Value element : elements) all |= element;
      elements = {all};
    }
  });
  CHECK(diagnosed(bits, {"minimum", "uniform", 1}).name == "wrong_operator");
  CHECK(diagnosed(bits, {"sum", "uniform", 5000}).name == "wrong_operator");
}
