// SPDX-License-Identifier: MIT
#include "judge/case.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "facts/words.hpp"
#include "judge/barrier_details.hpp"
#include "judge/finding_details.hpp"
#include "judge/finding_message.hpp"
#include "judge/race_causes.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// Whether these places in the program are the same line of the source: then no barrier diverged, the compiler
// only wrote the line's code twice.
bool is_one_line(const std::vector<facts::Location>& where) {
  return where.size() > 1 && std::all_of(where.begin(), where.end(), [&](const facts::Location& l) {
           return l.file == where.front().file && l.line == where.front().line;
         });
}

// A runner reports its kernel's conduct; any other verdict is the judge's to give.
facts::Verdict verdict_of(const facts::Observation& seen) {
  return facts::is_observable(seen.verdict) ? seen.verdict : facts::Verdict::protocol;
}

// Nor is a diagnosis, except for the synchronisation that a race lacks.
std::string diagnosis_of(const facts::Observation& seen) {
  const bool of_race = seen.diagnosis == "missing_atomic" || seen.diagnosis == "missing_warp_sync" ||
                       seen.diagnosis == "missing_barrier";
  return of_race && seen.verdict == facts::Verdict::race ? seen.diagnosis : "";
}

// The launch that the device has refused, and the limit that it does not keep, where that is one of these.
std::string launch_text(unsigned grid, unsigned block) {
  constexpr unsigned most_blocks = 2147483647, most_threads = 1024;
  std::string limit;
  if (grid < 1 || grid > most_blocks)
    limit = fmt::format("; a grid has 1 to {} blocks", facts::separated(most_blocks));
  if (block < 1 || block > most_threads)
    limit += fmt::format("; a block has 1 to {} threads", facts::separated(most_threads));
  return fmt::format("\n  a launch of {} of {}{}", facts::counted(grid, "blocks"),
                     facts::counted(block, "threads"), limit);
}

// A run that computes nothing leaves its output as it was.
std::optional<facts::Finding> untouched(const problems::Output& output) {
  if (std::ranges::all_of(output, [](unsigned char byte) { return byte == 0; })) return std::nullopt;
  return facts::Finding{facts::Verdict::wrong_answer, "the output does not stay at zero"};
}

}  // namespace

std::vector<std::uint64_t> check_lengths(unsigned block, std::uint64_t longest, bool beyond_32_bits) {
  // Some multiples of all that a kernel may deal its input out by: a rest that is no rest is wrong only
  // there.
  std::vector<std::uint64_t> lengths{0, 1, 31, 32, 33, 1000, 4099, 1 << 14, (1 << 14) + 7, 1 << 18, longest};
  for (const std::uint64_t around : {block - 1, block, block + 1}) lengths.push_back(around);
  if (beyond_32_bits) {
    lengths.push_back((std::uint64_t{1} << 31) + 3);
    lengths.push_back((std::uint64_t{1} << 32) + 3);
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::map<std::uint64_t, std::vector<Case>> check_cases(const problems::Reference& reference, unsigned block,
                                                       std::uint64_t seed, bool beyond_32_bits) {
  std::map<std::uint64_t, std::vector<Case>> cases;
  unsigned rotation = 0;
  for (const std::uint64_t length :
       check_lengths(block, reference.drawn_technique_length(seed), beyond_32_bits)) {
    // Up to one element alignment matters little, and messages look alike from seed to seed.
    const auto drawn = static_cast<unsigned>(length > 1 ? seed % 16 : 0);
    cases[length] = reference.cases(length, rotation++ + drawn);
  }
  for (Case& drawn : reference.drawn_cases(seed)) cases[drawn.length].push_back(std::move(drawn));
  return cases;
}

namespace {

// Whether an access lies outside of its array because its index comes of what a thread has read where nobody
// has written, or while another wrote. That is the defect, and the access what comes of it.
bool has_misread_index(const facts::Finding& outside, const std::vector<facts::Finding>& findings) {
  if (outside.verdict != facts::Verdict::out_of_bounds || outside.where.empty()) return false;
  const facts::Location& place = outside.where.front();
  const SourceStructure source(os::read_file(place.file).value_or(""));
  return std::ranges::any_of(findings, [&](const facts::Finding& finding) {
    const bool is_unwritten = finding.verdict == facts::Verdict::uninitialised;
    const bool is_race = finding.verdict == facts::Verdict::race && place_with(finding, "writes");
    const facts::Location* const reads = is_race        ? place_with(finding, "reads")
                                         : is_unwritten ? &finding.where.front()
                                                        : nullptr;
    const std::string array = array_in(finding.message);
    // An atomic has made another word of the one that nobody has written: any line may read that.
    const bool is_changed = is_unwritten && finding.message.find(" changes ") != std::string::npos;
    return reads && reads->file == place.file && !array.empty() &&
           source.leads_to_index(array, is_changed ? 0 : reads->line, place.line);
  });
}

// Where threads have parted at a barrier, some have not yet come to what others wait for: a word that is read
// unwritten from then on comes of that. The findings are in the order in which they were made.
void leave_out_unwritten_behind_barriers(std::vector<facts::Finding>& findings) {
  const auto parted =
      std::ranges::find(findings, facts::Verdict::divergent_barrier, &facts::Finding::verdict);
  findings.erase(std::remove_if(parted, findings.end(),
                                [](const facts::Finding& finding) {
                                  return finding.verdict == facts::Verdict::uninitialised;
                                }),
                 findings.end());
}

// What came back from a run that was asked for.
CaseResult judged_answer(RunnerSession& session, const std::string& program,
                         const problems::Reference& reference, const Case& what,
                         const std::optional<problems::Result>& expected) {
  CaseResult result{.what = what};
  auto outcome = session.answer();
  if (auto* finding = std::get_if<facts::Finding>(&outcome)) {
    result.findings.push_back(std::move(*finding));
    return result;
  }
  runner::RunAnswer& answer = std::get<runner::RunAnswer>(outcome);
  for (const facts::Observation& seen : answer.observations) {
    facts::Finding finding{.verdict = verdict_of(seen),
                           .message = seen.message,
                           .diagnosis = diagnosis_of(seen),
                           .where = places_of(program, seen),
                           .threads = seen.threads};
    if (!seen.absent.empty()) add_return(finding, seen.absent);
    const bool diverged = finding.verdict != facts::Verdict::divergent_barrier || !is_one_line(finding.where);
    const bool in_time = finding.verdict != facts::Verdict::timeout;
    if (diverged) result.findings.push_back(std::move(finding));
    if (in_time) continue;
    // Its counts are not those of the kernel.
    if (answer.trace) result.overdue = std::move(answer);
    return result;
  }
  if (answer.failure) {
    using Kind = runner::RunFailure::Kind;
    switch (answer.failure->kind) {
      case Kind::too_large:
      case Kind::given_up:
        result.left_out = answer.failure->message;
        break;
      case Kind::launch_error:
        result.findings.push_back(
            {facts::Verdict::launch_error, answer.failure->message + launch_text(answer.grid, answer.block)});
        break;
      case Kind::unending:
        result.findings.push_back({facts::Verdict::launch_error, answer.failure->message});
        break;
      case Kind::device_error:
        result.findings.push_back({facts::Verdict::crash, answer.failure->message});
        break;
    }
  } else if (answer.outputs.empty()) {
    result.findings.push_back({facts::Verdict::protocol, "the answer holds no output"});
  } else if (!answer.unfinished || result.findings.empty()) {
    for (const problems::Output& output : answer.outputs) {
      auto wrong = expected ? reference.compare(what.variant, *expected, output) : untouched(output);
      if (!wrong) continue;
      if (answer.outputs.size() > 1) wrong->message += "\n  another run on the same input gave other counts";
      result.findings.push_back(std::move(*wrong));
      break;
    }
  }
  leave_out_unwritten_behind_barriers(result.findings);
  std::stable_sort(result.findings.begin(), result.findings.end(), facts::comes_before);
  std::erase_if(result.findings, [all = result.findings](const facts::Finding& finding) {
    return has_misread_index(finding, all);
  });
  if (has_parting_race(result.findings)) {
    std::erase_if(result.findings, [](const facts::Finding& finding) {
      return finding.verdict == facts::Verdict::divergent_barrier;
    });
  }
  result.answer = std::move(answer);
  return result;
}

}  // namespace

CaseResult judged_run(RunnerSession& session, const std::string& program,
                      const problems::Reference& reference, const runner::RunRequest& request,
                      const std::optional<problems::Result>& expected) {
  session.ask(request);
  return judged_answer(session, program, reference,
                       {request.variant, {}, request.length, request.misalignment}, expected);
}

void ask_case(RunnerSession& session, const Case& what, const problems::Input& input, unsigned samples,
              bool conduct) {
  session.input().write(input);
  runner::RunRequest request{.variant = what.variant,
                             .length = what.length,
                             .misalignment = what.misalignment,
                             .samples = samples,
                             .conduct = conduct};
  if (what.multiprocessors > 0) request.options.multiprocessors = what.multiprocessors;
  request.options.notes_wide_accesses = true;  // see Notes::told()
  session.ask(request);
}

CaseResult judge_case(RunnerSession& session, const std::string& program,
                      const problems::Reference& reference, const Case& what, const problems::Input& input,
                      unsigned samples, bool conduct) {
  ask_case(session, what, input, samples, conduct);
  return judge_asked_case(session, program, reference, what, input);
}

CaseResult judge_asked_case(RunnerSession& session, const std::string& program,
                            const problems::Reference& reference, const Case& what,
                            const problems::Input& input) {
  CaseResult result = judged_answer(session, program, reference, what,
                                    reference.expected(what.variant, input, 0, what.length));
  if (result.left_out && what.length < reference.huge_length()) {
    // Every device has room for this input, so the exercise asks for too much; to leave it out would be to
    // pass it.
    result.findings.push_back({facts::Verdict::limit, *result.left_out});
    result.left_out.reset();
  }
  return result;
}

std::string describe(const problems::Problem& problem, const Case& what) {
  std::string text = fmt::format("{} of `{}`, {} {}", facts::counted(what.length, problem.elements()),
                                 what.input, problem.variant_option(), what.variant);
  if (what.misalignment > 0)
    text += fmt::format(", beginning {} past an aligned address",
                        facts::counted(what.misalignment, problem.elements()));
  if (what.multiprocessors > 0)
    text += fmt::format(", on a GPU with {}", facts::counted(what.multiprocessors, "multiprocessors"));
  return text;
}

unsigned SessionReruns::usual_times() const { return facts::traits_of(backend_).evidence_runs; }

bool SessionReruns::is_guarded() const { return facts::traits_of(backend_).guarded; }

std::optional<std::vector<problems::Output>> SessionReruns::run(const Case& what,
                                                                const problems::Input& input,
                                                                unsigned times) {
  return run_in(session_, what, input, times);
}

std::optional<problems::Output> SessionReruns::run_afresh(const Case& what, const problems::Input& input) {
  RunnerSession fresh(settings_);
  if (lost_ || start_session(fresh)) return std::nullopt;
  const auto outputs = run_in(fresh, what, input, 1);
  return outputs ? std::optional(outputs->front()) : std::nullopt;
}

std::optional<std::vector<problems::Output>> SessionReruns::run_in(RunnerSession& session, const Case& what,
                                                                   const problems::Input& input,
                                                                   unsigned times) {
  if (lost_) return std::nullopt;
  CaseResult result = judge_case(session, settings_.program, reference_, what, input, times);
  last_launch_ = result.answer ? problems::LaunchSize{result.answer->grid, result.answer->block}
                               : problems::LaunchSize();
  const bool answered =
      result.findings.empty() || result.findings.front().verdict == facts::Verdict::wrong_answer;
  if (answered && !result.left_out) return std::move(result.answer->outputs);
  lost_ = !result.answer || result.answer->failure;
  std::erase_if(result.findings, [](const facts::Finding& finding) {
    return finding.verdict == facts::Verdict::wrong_answer;
  });
  troubled_.push_back(std::move(result));
  return std::nullopt;
}

}  // namespace judge
