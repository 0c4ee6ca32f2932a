// SPDX-License-Identifier: MIT
#include "judge/other_orders.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/finding_details.hpp"
#include "judge/reasons_in_notes.hpp"

namespace judge {

namespace {

using facts::Preferred;

// Longer cases show nothing that these do not. A step is an access, of which the simulator makes some two
// million per second; these cases have some thousands.
constexpr std::uint64_t longest = 4099, most_steps = 1'000'000;

// In which way the threads of a case take turns, and how a message says it.
struct Order {
  Preferred preferred;
  const char* of;               // whose order it is
  const char* words;            // in which the result is wrong; {} stands for who
  bool is_first_launch = true;  // of its process
};

class Orders {
 public:
  Orders(const std::function<std::unique_ptr<RunnerSession>()>& begin, const std::string& program,
         const problems::Reference& reference, std::uint64_t seed)
      : begin_(begin), program_(program), reference_(reference), seed_(seed) {}

  std::optional<CaseResult> fault(const std::vector<CaseResult>& passed) {
    constexpr Order threads{Preferred::readers, "threads", "if {} run at the same time", false};
    constexpr Order all_at_once{Preferred::readers, "blocks", "if {} run at the same time"};
    constexpr Order first_ahead{Preferred::first_blocks, "blocks", "if block 0 is ahead of the others"};
    constexpr Order last_ahead{Preferred::last_blocks, "blocks", "if the last block is ahead of the others"};
    // Who meets whom in a block may be another thing for each variant; what blocks do to each other hardly
    // is.
    for (const Case& what : longest_of_one_block(passed)) {
      if (auto found = fault(what, threads)) return found;
    }
    for (const Case& what : of_several_blocks(passed)) {
      for (const Order& order : {all_at_once, first_ahead, last_ahead}) {
        if (auto found = fault(what, order)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  // Whether it is the first of its variant at this length: that input leaves no variant without work.
  bool is_usual(const Case& what) const {
    const std::vector<Case> of_length = reference_.cases(what.length, 0);
    const auto first = std::ranges::find(of_length, what.variant, &Case::variant);
    return first != of_length.end() && first->input == what.input;
  }

  // The longest, of each variant the first.
  std::vector<Case> longest_of_one_block(const std::vector<CaseResult>& passed) const {
    std::vector<Case> chosen;
    for (const CaseResult& result : passed) {
      const Case& what = result.what;
      if (!result.answer || result.answer->grid != 1 || what.length < 2 || what.length > longest) continue;
      if (!is_usual(what)) continue;
      if (!chosen.empty() && chosen.front().length < what.length) chosen.clear();
      if (std::ranges::find(chosen, what.variant, &Case::variant) == chosen.end()) chosen.push_back(what);
    }
    return chosen;
  }

  // The longest of the fewest blocks, since a block that begins when others have ended is not overtaken by
  // them; and the first where several of them meet.
  std::vector<Case> of_several_blocks(const std::vector<CaseResult>& passed) const {
    constexpr unsigned enough_blocks = 4;
    const CaseResult *fewest = nullptr, *several = nullptr;
    for (const CaseResult& result : passed) {
      if (!result.answer || result.answer->grid < 2 || result.what.length > longest) continue;
      if (!is_usual(result.what) || result.what.variant != passed.front().what.variant) continue;
      if (!fewest || result.answer->grid <= fewest->answer->grid) fewest = &result;
      if (!several || several->answer->grid < enough_blocks) several = &result;
    }
    if (!fewest) return {};
    return several == fewest ? std::vector{fewest->what} : std::vector{fewest->what, several->what};
  }

  std::optional<CaseResult> fault(const Case& what, const Order& order) {
    if (given_up_) return std::nullopt;
    CaseResult result = run(what, order);
    if (result.findings.empty()) return std::nullopt;
    // The beginning of the input is left out where it does not matter.
    Case aligned = what;
    aligned.misalignment = 0;
    if (aligned != what && result.answer && !result.answer->failure && run(aligned, std::nullopt).passed()) {
      CaseResult as_well = run(aligned, order);
      if (!as_well.findings.empty() && as_well.findings.front().verdict == result.findings.front().verdict)
        result = std::move(as_well);
    }
    for (facts::Finding& finding : result.findings) {
      describe(finding, order);
      if (finding.diagnosis != "not_deterministic" || !result.answer) continue;
      add_unrepeated_swap(finding, result.answer->notes, program_);
      if (finding.where.empty()) tell_lost_update(finding, result.answer->notes, program_);
    }
    return result;
  }

  // A wrong result, where a thread has stored in a word that it had read before another one changed it: that
  // is why. Which words these are the checkers do not see where all accesses are strong.
  static void tell_lost_update(facts::Finding& finding, const std::vector<facts::Observation>& notes,
                               const std::string& program) {
    const auto note =
        std::ranges::find(notes, std::vector<std::string>{"reads", "writes"}, &facts::Observation::roles);
    if (note == notes.end()) return;
    finding = {.verdict = facts::Verdict::race,
               .message = note->message,
               .diagnosis = "missing_atomic",
               .where = places_of(program, *note),
               .threads = note->threads};
  }

  static void describe(facts::Finding& finding, const Order& order) {
    if (finding.verdict != facts::Verdict::wrong_answer) {
      finding.message +=
          fmt::format("\n  this happens only {}", fmt::format(fmt::runtime(order.words), order.of));
      return;
    }
    finding.diagnosis = "not_deterministic";
    finding.message = fmt::format(
        "the result depends on the order in which {} run\n"
        "  right if they run one after another; {}: {}",
        order.of, fmt::format(fmt::runtime(order.words), "they"), finding.message);
  }

  // What the clock or the number of steps ended shows nothing: a thread may wait long for its turn. It does
  // where threads wait for what nobody changes any more.
  static bool shows_nothing(const facts::Finding& finding) {
    return finding.verdict == facts::Verdict::timeout &&
           std::ranges::none_of(finding.where,
                                [](const facts::Location& place) { return place.role == "repeats"; });
  }

  CaseResult run(const Case& what, const std::optional<Order>& order) {
    if (!session_ || (order && order->is_first_launch)) session_ = begin_();
    if (!session_) {
      given_up_ = true;
      return {.what = what};
    }
    const auto input = reference_.problem().make_input(what.input, what.variant, what.length, seed_);
    session_->input().write(*input);
    runner::RunRequest request{
        .variant = what.variant, .length = what.length, .misalignment = what.misalignment};
    if (order) {
      request.options.lockstep_seed = seed_;
      request.options.lockstep_turns = {order->preferred, most_steps};
    }
    CaseResult result = judged_run(*session_, program_, reference_, request,
                                   reference_.expected(what.variant, *input, 0, what.length));
    result.what = what;
    given_up_ |= result.left_out || !result.answer;
    std::erase_if(result.findings, shows_nothing);
    return result;
  }

  const std::function<std::unique_ptr<RunnerSession>()>& begin_;
  std::unique_ptr<RunnerSession> session_;
  const std::string& program_;
  const problems::Reference& reference_;
  std::uint64_t seed_;
  bool given_up_ = false;
};

}  // namespace

std::optional<CaseResult> fails_in_other_order(const std::function<std::unique_ptr<RunnerSession>()>& begin,
                                               const std::string& program,
                                               const problems::Reference& reference,
                                               const std::vector<CaseResult>& passed, std::uint64_t seed) {
  return Orders(begin, program, reference, seed).fault(passed);
}

}  // namespace judge
