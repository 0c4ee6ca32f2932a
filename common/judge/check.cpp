// SPDX-License-Identifier: MIT
#include "judge/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <thread>

#include "facts/words.hpp"
#include "judge/absent_lanes.hpp"
#include "judge/beyond_32_bits.hpp"
#include "judge/build.hpp"
#include "judge/executed_atomics.hpp"
#include "judge/finding_details.hpp"
#include "judge/finding_message.hpp"
#include "judge/launch_bound.hpp"
#include "judge/other_orders.hpp"
#include "judge/race_causes.hpp"
#include "judge/reasons_in_notes.hpp"
#include "judge/source_text.hpp"
#include "judge/technique.hpp"
#include "judge/undefined_operations.hpp"
#include "judge/unset_variables.hpp"
#include "judge/warnings.hpp"

namespace judge {

namespace {

using problems::Diagnosis;

// The most threads that a block of any CUDA device may have; a runner that claims more is not believed.
constexpr unsigned largest_block = 1024;

// Of several races the report shows the one from which the missing synchronisation is seen: an atomic if any
// race lacks one; a warp's barrier only if every race lies in one warp; else a barrier. But a race that comes
// of another one is not shown before it.
bool shows_race_better(const facts::Finding& other, const facts::Finding& known) {
  if (comes_of_race(other, known)) return false;
  if (comes_of_race(known, other)) return true;
  const bool better = other.diagnosis != known.diagnosis &&
                      (other.diagnosis == "missing_atomic" ||
                       (other.diagnosis == "missing_barrier" && known.diagnosis == "missing_warp_sync"));
  return better && known.verdict == facts::Verdict::race;
}

// Whether the message is of an input such as "9 bytes of `letters`", and not of "4,099 bytes of `letters`".
bool names_input(const std::string& message, const std::string& input) {
  for (std::size_t at = 0; (at = message.find(input, at)) != std::string::npos; ++at) {
    if (at == 0 || message[at - 1] == ' ') return true;
  }
  return false;
}

// Whether a launch was ended by the clock.
bool is_out_of_time(const CaseResult& result) {
  return std::ranges::any_of(result.findings, [](const facts::Finding& finding) {
    return finding.verdict == facts::Verdict::timeout &&
           finding.message.find(" still runs after ") != std::string::npos;
  });
}

// Judges a runner that is already built.
class Check {
 public:
  Check(const RunnerSettings& settings, const workbook::ExerciseInfo& exercise, facts::Backend backend,
        const CheckOptions& options)
      : settings_(settings),
        options_(options),
        reference_(problems::reference_of(exercise.problem)),
        report_{.exercise = exercise, .backend = backend, .seed = options.seed},
        bound_(exercise.launched ? launch_bound_in(options.source, reference_.problem()) : std::nullopt),
        session_(settings) {}

  CheckReport report() {
    if (auto finding = start_session(session_)) {
      report_.finding = std::move(*finding);
      return std::move(report_);
    }
    auto undefined = undefined_operation(settings_, reference_, report_.seed);
    if (undefined) undefined->finding.message += with_case(undefined->what);
    if (undefined && !undefined->may_be_meant) found_.push_back(undefined->finding);
    // Lengths around the block size matter; which size the exercise chooses is known once it has run.
    const CaseResult probe = run_case(reference_.cases(1, 0).front());
    if (probe.passed()) {
      go_through_lengths(probe.answer->block);
    } else {
      report_.cases.push_back(probe);
      merge(probe);
    }
    if (probe.answer) ask_for_more_threads(probe.answer->block);
    look_for_unset_variables();
    explain();
    if (undefined && undefined->may_be_meant && !found_.empty()) found_.push_back(undefined->finding);
    if (probe.passed()) try_beyond_32_bits();
    if (probe.passed()) examine_technique();
    if (auto finding = session_.hang_up()) found_.push_back(std::move(*finding));
    conclude();
    return std::move(report_);
  }

 private:
  std::unique_ptr<problems::Input> input_of(const Case& what) const {
    return reference_.problem().make_input(what.input, what.variant, what.length, report_.seed);
  }

  CaseResult run_case(const Case& what, bool conduct = false) {
    CaseResult result =
        judge_case(session_, settings_.program, reference_, what, *input_of(what), 1, conduct);
    refuse_beyond(bound_, result);
    return result;
  }

  // A long case, in a runner of its own: it can run while others do.
  struct LongCase {
    LongCase(Case of, std::unique_ptr<problems::Input> its_input, const RunnerSettings& settings)
        : what(std::move(of)), input(std::move(its_input)), session(settings) {}
    Case what;
    std::unique_ptr<problems::Input> input;
    RunnerSession session;
    std::optional<facts::Finding> fault = {};  // for which it did not begin
  };

  std::unique_ptr<LongCase> begin(const Case& what) const {
    auto begun = std::make_unique<LongCase>(what, input_of(what), settings_);
    begun->fault = start_session(begun->session);
    if (!begun->fault) ask_case(begun->session, what, *begun->input, 1, true);
    return begun;
  }

  CaseResult result_of(LongCase& begun) const {
    if (begun.fault) return {.what = begun.what, .findings = {*begun.fault}};
    CaseResult result =
        judge_asked_case(begun.session, settings_.program, reference_, begun.what, *begun.input);
    refuse_beyond(bound_, result);
    return result;
  }

  std::string with_case(const Case& what) const { return "\n  with " + describe(reference_.problem(), what); }

  // Whether no thread takes more than one element.
  static bool takes_one_each(const CaseResult& result) {
    return result.answer && std::uint64_t{result.answer->grid} * result.answer->block >= result.what.length;
  }

  // Every case, shortest first, up to the first length at which one fails.
  void go_through_lengths(unsigned block) {
    const bool observed = facts::traits_of(report_.backend).simulated && report_.exercise.launched;
    const auto cases = check_cases(reference_, std::clamp(block, 1u, largest_block), report_.seed,
                                   facts::traits_of(report_.backend).beyond_32_bits);
    // The first of the longest cases takes as long as all others together, and begins with them.
    std::unique_ptr<LongCase> begun;
    const std::vector<Case>& longest = cases.rbegin()->second;
    if (observed && options_.ahead && cases.rbegin()->first >= reference_.technique_length() &&
        std::thread::hardware_concurrency() > 1)
      begun = begin(longest.front());
    for (const auto& [length, of_length] : cases) {
      if (options_.progress) options_.progress(fmt::format("{} {}", length, reference_.problem().elements()));
      for (const Case& what : of_length) {
        const bool reaches_technique = length >= reference_.technique_length();
        const bool is_long = observed && reaches_technique;
        const bool is_first = what == of_length.front();
        // What a block does here, it has done at shorter lengths too; and a right loop of compare-and-swaps,
        // of a mebibyte of threads on one counter, would take a GPU longer than it has.
        if (reaches_technique && length < reference_.huge_length() && !is_first &&
            takes_one_each(report_.cases.back()))
          continue;
        if (is_long && is_first) try_small_device();
        if (is_long && is_first && found_.empty()) try_own_values();
        if (is_long && is_first && found_.empty()) try_other_orders();
        if (is_long && !found_.empty()) break;
        if (is_long && is_first && !(begun && begun->what == what)) begun = begin(what);
        report_.cases.push_back(is_long && is_first ? result_of(*begun) : run_case(what));
        const CaseResult& result = report_.cases.back();
        merge(result);
        if (result.answer && !result.answer->counters.empty() && (is_first || !is_long))
          report_.counters = result.answer->counters;
        const bool device_lost = result.answer && result.answer->failure && !result.left_out;
        if (!result.answer || device_lost) break;
      }
      if (!found_.empty()) break;
    }
  }

  // Where as many blocks are launched as a GPU holds, those of a large one have all work done in one turn of
  // their loop, at every length that is judged. On a small one they have many.
  void try_small_device() {
    const bool asks = std::ranges::any_of(report_.cases, [](const CaseResult& result) {
      return result.answer && result.answer->asks_multiprocessors;
    });
    if (!asks) return;
    Case what = reference_.cases(reference_.technique_length() / 2, 0).front();
    what.multiprocessors = 1;
    report_.cases.push_back(run_case(what));
    merge(report_.cases.back());
  }

  // On the simulator, which has run no case of such a length.
  void try_beyond_32_bits() {
    if (!found_.empty() || !report_.exercise.launched || !facts::traits_of(report_.backend).simulated) return;
    if (auto beyond = fails_beyond_32_bits(settings_, reference_, report_.seed))
      found_.push_back(std::move(beyond->finding));
  }

  void try_own_values() {
    const auto result =
        fails_with_own_values(session_, settings_.program, reference_, report_.cases, report_.seed);
    if (!result) return;
    for (const facts::Finding& finding : result->findings) {
      found_.push_back(finding);
      found_.back().message += with_case(result->what);
    }
  }

  // Not in the list of cases, since most of it is the simulator's doing. In processes of their own: a launch
  // that is given up leaves the kernel's variables as no launch leaves them.
  void try_other_orders() {
    std::optional<facts::Finding> not_started;
    const auto begin = [&] {
      auto session = std::make_unique<RunnerSession>(settings_);
      not_started = start_session(*session);
      return not_started ? nullptr : std::move(session);
    };
    const auto result =
        fails_in_other_order(begin, settings_.program, reference_, report_.cases, report_.seed);
    if (not_started) return found_.push_back(std::move(*not_started));
    if (!result) return;
    for (const facts::Finding& finding : result->findings) {
      found_.push_back(finding);
      found_.back().message += with_case(result->what);
    }
  }

  // In a short case only the lanes of one warp meet, or the threads of one block. Before a barrier is what a
  // race lacks, cases with several warps and blocks are asked too, of each length in the first variant and in
  // the one that failed: who meets depends more on the launch. Of these nothing but races is taken.
  void ask_for_more_threads(unsigned block) {
    const auto is_of_few = [&](const facts::Finding& f) {
      const bool is_one_block =
          !report_.cases.empty() && report_.cases.back().answer && report_.cases.back().answer->grid == 1;
      return f.diagnosis == "missing_warp_sync" || (f.diagnosis == "missing_barrier" && is_one_block);
    };
    if (std::ranges::none_of(found_, is_of_few)) return;
    constexpr std::uint64_t longest = (1 << 14) + 7;
    for (const auto& [length, of_length] :
         check_cases(reference_, std::clamp(block, 1u, largest_block), report_.seed, false)) {
      if (length <= report_.cases.back().what.length || length > longest) continue;
      const auto alike = std::ranges::find(of_length, report_.cases.back().what.variant, &Case::variant);
      for (auto what = of_length.begin(); what != of_length.end(); ++what) {
        if (what != of_length.begin() && what != alike) continue;
        CaseResult result = run_case(*what);
        if (!result.answer) return;
        std::erase_if(result.findings,
                      [](const facts::Finding& f) { return f.verdict != facts::Verdict::race; });
        merge(result);
        if (std::ranges::none_of(found_, is_of_few)) return;
      }
    }
  }

  // The case as a finding of this verdict shows it. Where the input begins is left out if the case ends alike
  // with an input that begins at an aligned address.
  Case shown_case(const CaseResult& result, facts::Verdict verdict) {
    Case aligned = result.what;
    if (aligned.misalignment == 0 || result.findings.empty() || !result.answer || result.answer->failure)
      return aligned;
    aligned.misalignment = 0;
    auto known = std::ranges::find(aligned_, result.what, &AlignedCase::what);
    if (known == aligned_.end()) {
      if (settings_.whole && settings_.whole->is_over()) return result.what;
      aligned_.push_back({result.what, run_case(aligned).findings});
      known = std::prev(aligned_.end());
    }
    const bool ends_alike = std::ranges::any_of(
        known->findings, [&](const facts::Finding& finding) { return finding.verdict == verdict; });
    return ends_alike ? aligned : result.what;
  }

  // Adds a case's findings, each kind of verdict once: the first case that showed it stands for all.
  void merge(const CaseResult& result) {
    for (const facts::Finding& finding : result.findings) {
      const auto known = std::find_if(found_.begin(), found_.end(),
                                      [&](const facts::Finding& f) { return f.verdict == finding.verdict; });
      if (known != found_.end() && !shows_race_better(finding, *known)) continue;
      facts::Finding described = finding;
      described.message += with_case(shown_case(result, finding.verdict));
      if (known != found_.end()) {
        *known = std::move(described);
      } else {
        found_.push_back(std::move(described));
      }
    }
  }

  bool is_wrong_at_worst() const {
    return std::ranges::all_of(
        found_, [](const facts::Finding& f) { return f.verdict >= facts::Verdict::wrong_answer; });
  }

  // A right result may be so by luck; a wrong one, or an access outside of its array, is explained by that.
  void look_for_unset_variables() {
    const auto comes_of_index = [](const facts::Finding& f) {
      return f.verdict == facts::Verdict::out_of_bounds;
    };
    const auto may_come_of_it = [&](const facts::Finding& f) {
      return comes_of_index(f) || f.verdict >= facts::Verdict::wrong_answer;
    };
    if (!std::ranges::all_of(found_, may_come_of_it)) return;
    std::vector<Case> cases;
    const auto failed =
        std::ranges::find_if(report_.cases, [](const CaseResult& c) { return !c.findings.empty(); });
    if (failed != report_.cases.end()) {
      // A thread finds what an earlier launch has left, too.
      cases.assign(3, failed->what);
    } else {
      for (const std::uint64_t length : {1, 33, 1000, 4099})
        std::ranges::copy(reference_.cases(length, 0), std::back_inserter(cases));
    }
    auto unset = read_unset(settings_, options_.source, reference_, cases, report_.seed);
    if (!unset) return;
    std::erase_if(found_, comes_of_index);
    unset->finding.message += with_case(unset->what);
    found_.push_back(std::move(unset->finding));
  }

  // Where nothing worse than a wrong answer was found, further runs tell why it is wrong. They may find
  // worse.
  void explain() {
    const auto failed = std::find_if(report_.cases.begin(), report_.cases.end(),
                                     [](const CaseResult& c) { return !c.findings.empty(); });
    if (found_.empty() || !is_wrong_at_worst() || failed == report_.cases.end()) return;
    SessionReruns reruns(session_, settings_, reference_, report_.backend, report_.seed);
    const auto diagnosis = reference_.diagnose({failed->what, failed->answer->outputs.front()}, reruns);
    // What the time did not suffice for shows nothing: the case itself has come to its end.
    const bool in_time = !settings_.whole || !settings_.whole->is_over();
    for (const CaseResult& troubled : reruns.troubled()) {
      if (in_time && !is_out_of_time(troubled)) merge(troubled);
    }
    if (!diagnosis) return;
    const auto found = std::find_if(found_.begin(), found_.end(), [](const facts::Finding& f) {
      return f.verdict == facts::Verdict::wrong_answer;
    });
    // The diagnosis may rest on other cases than the one that was seen first: then each is told with its own.
    std::string first_seen = found->message;
    const Case shown = shown_case(*failed, facts::Verdict::wrong_answer);
    const std::string of_case = with_case(shown);
    if (first_seen.ends_with(of_case)) first_seen.resize(first_seen.size() - of_case.size());
    const std::string input =
        fmt::format("{} of `{}`", facts::counted(shown.length, reference_.problem().elements()), shown.input);
    const std::string seen_with = "\n  first seen with " + describe(reference_.problem(), shown);
    first_seen = names_input(diagnosis->message, input)         ? of_case
                 : diagnosis->tells == Diagnosis::Tells::places ? seen_with
                                                                : seen_with + ": " + first_seen;
    if (diagnosis->tells == Diagnosis::Tells::sums && reruns.troubled().empty())
      first_seen += executed_atomics(*failed);
    for (facts::Finding* finding : {&failed->findings.front(), &*found}) {
      finding->diagnosis = diagnosis->name;
      finding->message = diagnosis->message + first_seen;
    }
  }

  // Where sums are all that is known of short inputs: which atomics the case executes, by their lines. Empty
  // where there is nothing to tell.
  std::string executed_atomics(const CaseResult& failed) {
    constexpr std::uint64_t longest = 300;
    if (!facts::traits_of(report_.backend).simulated || !report_.exercise.launched ||
        failed.what.length > longest)
      return {};
    const std::vector<int> written = lines_of_atomics(options_.source);
    if (written.empty()) return {};
    const auto input = reference_.problem().make_input(failed.what.input, failed.what.variant,
                                                       failed.what.length, report_.seed);
    session_.input().write(*input);
    runner::RunRequest request{.variant = failed.what.variant,
                               .length = failed.what.length,
                               .misalignment = failed.what.misalignment};
    request.options.places = true;
    const auto outcome = session_.run(request);
    const auto* const answer = std::get_if<runner::RunAnswer>(&outcome);
    if (!answer || answer->failure || answer->places.empty()) return {};
    return atomics_text(settings_.program, options_.source, written, answer->places);
  }

  void examine_technique() {
    if (!found_.empty() || !facts::traits_of(report_.backend).simulated) return;
    const TechniqueResult result =
        judge_technique(session_, settings_.program, reference_, report_.exercise, report_.seed,
                        report_.cases, [&](const Case& what) { return run_case(what, true); });
    for (const CaseResult& failed : result.failed) merge(failed);
    if (result.fault)
      found_.push_back({facts::Verdict::technique, result.fault->message + with_case(result.fault->what)});
  }

  // Takes the verdict from all that was found, and the notes from all cases.
  void conclude() {
    Notes notes;
    for (const CaseResult& result : report_.cases) {
      if (result.answer) notes.add(result.answer->notes, with_case(result.what));
    }
    report_.notes = notes.told(settings_.program);
    // What is worth knowing of an array in which there is a race is the race.
    std::erase_if(report_.notes, [&](const facts::Finding& note) {
      return std::ranges::any_of(found_, [&](const facts::Finding& finding) {
        return finding.verdict == facts::Verdict::race && array_in(finding.message) == array_in(note.message);
      });
    });
    std::stable_sort(found_.begin(), found_.end(), facts::comes_before);
    for (facts::Finding& finding : found_) add_reason(finding, report_.cases, settings_.program);
    leave_out_reasons(report_.notes, found_);
    const StudentNames names(reference_.problem(), report_.exercise.launched, options_.source);
    for (facts::Finding& finding : found_) complete(finding, names);
    for (facts::Finding& note : report_.notes) complete(note, names);
    if (!found_.empty()) {
      report_.finding = found_.front();
      report_.further.assign(found_.begin() + 1, found_.end());
      return;
    }
    const auto judged = std::count_if(report_.cases.begin(), report_.cases.end(),
                                      [](const CaseResult& c) { return c.passed(); });
    report_.finding = {facts::Verdict::pass, fmt::format("{} cases, lengths 0 to {}", judged,
                                                         facts::separated(report_.cases.back().what.length))};
    for (const CaseResult& result : report_.cases) {
      if (!result.left_out) continue;
      report_.further.push_back(
          {facts::Verdict::unavailable,
           fmt::format("left out: {}: {}", describe(reference_.problem(), result.what), *result.left_out)});
    }
  }

  const RunnerSettings& settings_;
  const CheckOptions& options_;
  const problems::Reference& reference_;
  CheckReport report_;
  std::optional<LaunchBound> bound_;
  RunnerSession session_;
  std::vector<facts::Finding> found_;
  // Cases that failed, and what is found with the same input at an aligned address.
  struct AlignedCase {
    Case what;
    std::vector<facts::Finding> findings;
  };
  std::vector<AlignedCase> aligned_;
};

}  // namespace

std::optional<facts::Finding> missing_backend(const workbook::Workbook& workbook, facts::Backend backend) {
  if (workbook.has(backend)) return std::nullopt;
  return facts::Finding{facts::Verdict::unavailable,
                        fmt::format("the backend {} is not part of this build", name_of(backend))};
}

CheckReport check_runner(const RunnerSettings& settings, const workbook::ExerciseInfo& exercise,
                         facts::Backend backend, const CheckOptions& options) {
  return Check(settings, exercise, backend, options).report();
}

CheckReport check(const workbook::Workbook& workbook, const workbook::Target& target,
                  const CheckOptions& options) {
  CheckReport report{.exercise = target.exercise, .backend = target.backend, .seed = options.seed};
  if (auto missing = missing_backend(workbook, target.backend)) {
    report.finding = std::move(*missing);
    return report;
  }
  if (auto untouched = not_started(workbook, target)) {
    report.finding = std::move(*untouched);
    return report;
  }
  if (options.progress) options.progress("building");
  const workbook::Target judged =
      workbook.target(target.exercise, target.tree, workbook.judged_on(target.backend));
  TimeLimit whole(options.time_limit);
  if (auto finding =
          build_runner(workbook, judged,
                       {.progress = options.progress, .manner = options.build_manner, .whole = &whole})) {
    report.finding = std::move(*finding);
    return report;
  }
  RunnerSettings settings = runner_settings(judged);
  settings.wrapper = options.wrapper;
  settings.sandbox = options.sandbox;
  settings.whole = whole;
  CheckOptions of_source = options;
  of_source.source = target.source;
  report = check_runner(settings, target.exercise, judged.backend, of_source);
  add_warning(report, build::printed_of(workbook, judged), target.source);
  report.backend = target.backend;
  return report;
}

}  // namespace judge
