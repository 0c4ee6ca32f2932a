// SPDX-License-Identifier: MIT
#include "grade/grading.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "build/runner.hpp"
#include "facts/errors.hpp"
#include "grade/crew.hpp"
#include "grade/documents.hpp"
#include "grade/names.hpp"
#include "grade/points.hpp"
#include "grade/result.hpp"
#include "grade/sha256.hpp"
#include "grade/speed.hpp"
#include "grade/submission.hpp"
#include "os/files.hpp"

namespace grade {

namespace {

namespace files = std::filesystem;
using Json = nlohmann::ordered_json;

std::string kept_file(const std::string& output) { return output + "/grading.json"; }
std::string points_file(const std::string& output) { return output + "/points.txt"; }

bool is_below(const files::path& path, const files::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

void bring_up_to_date(const Settings& settings, const std::function<void(const std::string&)>& building) {
  const workbook::Workbook& workbook = workbook::here();
  std::vector<facts::Backend> backends{settings.backend, workbook.judged_on(facts::without_kernels)};
  if (settings.speed) backends.push_back(facts::Backend::gpu);
  for (const facts::Backend backend : backends) {
    if (const auto output = build::update_libraries(workbook, backend, building))
      throw facts::MachineError("the harness cannot be built:\n" + *output);
  }
  if (settings.speed) build_solutions(settings.exercises);
}

std::vector<std::string> chosen(const Settings& settings, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool mine = i % settings.shard.count == settings.shard.index - 1;
    if (!settings.only ? mine : names[i] == *settings.only) result.push_back(names[i]);
  }
  return result;
}

}  // namespace

std::optional<Kept> kept_in(const std::string& output) {
  const auto text = os::read_file(kept_file(output));
  if (!text) return std::nullopt;
  const Json json = Json::parse(*text, nullptr, false);
  try {
    return Kept{json.at("folder"),
                json.at("seed"),
                json.at("backend"),
                {json.at("shard").at("index"), json.at("shard").at("count")},
                json.at("submissions")};
  } catch (const Json::exception&) {
    throw facts::UsageError(kept_file(output) + " is damaged; name another folder with --output");
  }
}

namespace {

void keep(const Settings& settings, const std::string& folder, std::size_t submissions) {
  put(settings.output, kept_file(settings.output),
      dumped({{"folder", folder},
              {"seed", settings.seed},
              {"backend", name_of(settings.backend)},
              {"shard", {{"index", settings.shard.index}, {"count", settings.shard.count}}},
              {"submissions", submissions}}));
}

// An empty path would be the root folder's.
std::string canonical_output(const std::string& output) {
  if (output.empty()) throw facts::UsageError("--output is empty; name a folder");
  std::error_code none;
  const files::path path = files::weakly_canonical(files::absolute(output), none);
  if (none) throw facts::UsageError(fmt::format("cannot write to {}: {}", output, none.message()));
  return path;
}

// Makes the folder, if it may be ours.
void make_output(const std::string& output, bool is_ours) {
  std::error_code none;
  if (!is_ours && files::exists(output, none) &&
      !(files::is_directory(output, none) && files::is_empty(output, none)))
    throw facts::UsageError(
        fmt::format("{} holds other things; name an empty folder, or one that does not exist", output));
  files::create_directories(scratch_folder(output), none);
  if (none) throw facts::MachineError(fmt::format("cannot write to {}: {}", output, none.message()));
}

}  // namespace

void prepare_output(Settings& settings, bool seed_given) {
  // Before anything is made.
  const std::vector<std::string> names = submissions_in(settings.folder).submissions;
  settings.folder = files::canonical(settings.folder);
  if (settings.only && std::find(names.begin(), names.end(), *settings.only) == names.end())
    throw facts::UsageError(
        fmt::format("there is no folder \"{}\" in {}", printable_name(*settings.only), settings.folder));
  settings.output = canonical_output(settings.output);
  if (is_below(settings.output, settings.folder))
    throw facts::UsageError(
        fmt::format("{} lies in {}, where every folder is a submission", settings.output, settings.folder));
  const auto kept = kept_in(settings.output);
  if (kept && kept->folder != as_text(settings.folder))
    throw facts::UsageError(fmt::format("{} holds the grades of {}", settings.output, kept->folder));
  if (kept && kept->backend != name_of(settings.backend))
    throw facts::UsageError(
        fmt::format("{} was graded with --on {}; name another folder", settings.output, kept->backend));
  if (kept && seed_given && kept->seed != settings.seed)
    throw facts::UsageError(fmt::format("{} was graded with another seed, {}", settings.output, kept->seed));
  if (kept && (kept->shard.index != settings.shard.index || kept->shard.count != settings.shard.count))
    throw facts::UsageError(fmt::format("{} holds shard {}/{}; name another folder", settings.output,
                                        kept->shard.index, kept->shard.count));
  if (kept) settings.seed = kept->seed;
  make_output(settings.output, kept.has_value());
  if (!kept) keep(settings, as_text(settings.folder), 0);
}

namespace {

Points points_in(const Settings& settings) {
  const std::string file = points_file(settings.output);
  const auto& exercises = workbook::here().exercises;
  if (!files::exists(file)) {
    // An extra lab has a line where it is graded.
    std::vector<workbook::ExerciseInfo> listed = exercises;
    std::erase_if(listed, [&](const workbook::ExerciseInfo& exercise) {
      return exercise.is_extra() && std::ranges::none_of(settings.exercises, [&](const auto& graded) {
               return graded.is_same(exercise);
             });
    });
    put(settings.output, file, points_text({}, listed));
  }
  const auto text = os::read_file(file);
  if (!text) throw facts::MachineError(fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  return points_from(*text, file, exercises);
}

bool holds_all(const Json& result, const std::vector<workbook::ExerciseInfo>& exercises) {
  return std::all_of(exercises.begin(), exercises.end(),
                     [&](const auto& exercise) { return exercise_in(result, exercise) != nullptr; });
}

}  // namespace

namespace {

// Writes gradebook, JUnit and the pages from the results that lie in these folders of OUT. Returns how many
// there are.
std::size_t write_documents(const Settings& settings, const std::vector<std::string>& folders) {
  const Points points = points_in(settings);
  const Scheme scheme{workbook::here(), settings.exercises, points};
  const std::string& output = settings.output;
  std::map<std::string, std::pair<std::string, std::string>> rows;  // by name: of the gradebook, of JUnit
  for (const std::string& folder : folders) {
    const std::string place = output + "/submissions/" + folder;
    const auto result = read_result(place + "/result.json");
    if (!result || !holds_all(*result, settings.exercises)) continue;
    rows[result->at("submission")] = {csv_row(*result, scheme), junit_suite(*result, scheme)};
    put(output, place + "/feedback.html", feedback_page(*result, scheme));
    put(output, place + "/results.json", gradescope_document(*result, scheme));
  }
  std::string gradebook = csv_header(scheme), junit = junit_begin;
  for (const auto& [name, row] : rows) {
    gradebook += row.first;
    junit += row.second;
  }
  put(output, output + "/junit.xml", junit + junit_end);
  put(output, output + "/gradebook.csv", gradebook);
  return rows.size();
}

// The shards' memories; throws facts::UsageError if they are not those of one grading.
std::vector<Kept> kept_of_shards(const std::vector<std::string>& shards) {
  std::vector<Kept> all;
  for (const std::string& shard : shards) {
    const auto kept = kept_in(shard);
    if (!kept) throw facts::UsageError(fmt::format("{} holds no grades", shard));
    if (kept->shard.count != shards.size())
      throw facts::UsageError(fmt::format("{} is shard {}/{}, but {} folders are to be merged", shard,
                                          kept->shard.index, kept->shard.count, shards.size()));
    for (const Kept& other : all) {
      if (other.shard.index == kept->shard.index)
        throw facts::UsageError(fmt::format("{}: shard {} is there twice", shard, kept->shard.index));
      if (other.seed != kept->seed || other.backend != kept->backend)
        throw facts::UsageError(
            fmt::format("{} was graded with another seed or backend than the others", shard));
    }
    all.push_back(*kept);
  }
  return all;
}

}  // namespace

Report merge(Settings& settings, const std::vector<std::string>& shards) {
  std::error_code none;
  settings.output = canonical_output(settings.output);
  const std::vector<Kept> all = kept_of_shards(shards);
  const auto kept = kept_in(settings.output);
  if (kept && (kept->seed != all.front().seed || kept->shard.count != 1))
    throw facts::UsageError(fmt::format("{} holds other grades", settings.output));
  settings.seed = all.front().seed;
  settings.backend = facts::find_backend(all.front().backend).value_or(facts::simulator);
  make_output(settings.output, kept.has_value());
  Report report;
  std::size_t wanted = 0;
  for (const Kept& one : all) wanted += one.submissions;
  keep(settings, all.front().folder, wanted);
  std::vector<std::string> folders;
  for (const std::string& shard : shards) {
    for (const auto& entry : files::directory_iterator(shard + "/submissions", none)) {
      const auto text = os::read_file(entry.path() / "result.json");
      if (!text) continue;
      folders.push_back(entry.path().filename());
      put(settings.output, settings.output + "/submissions/" + folders.back() + "/result.json", *text);
    }
  }
  report.rows = write_documents(settings, folders);
  if (report.rows < wanted)
    report.faults.emplace_back(fmt::format("{} submissions", wanted - report.rows),
                               "their shard has no result");
  remove_scratch(scratch_folder(settings.output));
  return report;
}

namespace {

// The submissions' own files as they lie in DIR, each exercise by its name.
Similarity find_similar(const Settings& settings, const std::vector<std::string>& names) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string copy = scratch_folder(settings.output) + "/similar";
  Texts skeletons;
  std::vector<std::pair<std::string, Texts>> submissions;
  const auto name_of = [](const workbook::ExerciseInfo& exercise) {
    return exercise.lab + "/" + exercise.name;
  };
  for (const workbook::ExerciseInfo& exercise : settings.exercises)
    skeletons[name_of(exercise)] = workbook.skeleton(exercise).value_or("");
  for (const std::string& name : names) {
    remove_scratch(copy);
    const Snapshot snapshot = take_snapshot(settings.folder + "/" + name, copy, workbook.exercises);
    submissions.emplace_back(name, Texts());
    for (const workbook::ExerciseInfo& exercise : settings.exercises) {
      const std::string path = exercise.lab + "/" + exercise.file;
      if (snapshot.holds(path))
        submissions.back().second[name_of(exercise)] = os::read_file(copy + "/" + path).value_or("");
    }
  }
  return similarity(submissions, skeletons);
}

// A file that is still as it was handed out is no work.
bool begins(const Json& result, const std::string& lab) {
  const workbook::Workbook& workbook = workbook::here();
  return std::ranges::any_of(workbook.exercises, [&](const workbook::ExerciseInfo& exercise) {
    if (exercise.lab != lab) return false;
    const std::string path = exercise.lab + "/" + exercise.file,
                      untouched = sha256(workbook.skeleton(exercise).value_or(""));
    return std::ranges::any_of(result.at("files"), [&](const Json& file) {
      return file.at("path") == path && file.at("sha256") != untouched;
    });
  });
}

std::map<std::string, std::size_t> extra_labs(const Settings& settings,
                                              const std::vector<std::string>& folders) {
  std::map<std::string, std::string> labs;  // by what a user types
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    const auto is_graded = [&](const auto& graded) { return graded.lab == exercise.lab; };
    if (exercise.is_extra() && std::ranges::none_of(settings.exercises, is_graded))
      labs[exercise.short_name(true)] = exercise.lab;
  }
  std::map<std::string, std::size_t> begun;
  for (const std::string& folder : folders) {
    const auto result = read_result(settings.output + "/submissions/" + folder + "/result.json");
    if (!result) continue;
    for (const auto& [name, lab] : labs) {
      if (begins(*result, lab)) ++begun[name];
    }
  }
  return begun;
}

}  // namespace

Report grade_class(Settings& settings, const std::function<void(const std::string&)>& building,
                   const std::function<void(const Step&)>& step) {
  const os::FileLock lock(settings.output + "/.lock", O_RDWR | O_CREAT,
                          [&] { building("waiting for another lab grade with the same --output"); });
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + settings.output);
  remove_scratch(scratch_folder(settings.output));
  files::create_directories(scratch_folder(settings.output));
  // A mistake there is told before the work, not after it.
  settings.speed = points_in(settings).share_of(Part::speed) > 0;
  if (settings.speed) require_speed(workbook::here());
  const Listing listing = submissions_in(settings.folder);
  const std::vector<std::string> names = chosen(settings, listing.submissions);
  if (!settings.only) keep(settings, as_text(settings.folder), names.size());
  bring_up_to_date(settings, building);
  Report report = judge_all(settings, names, step);
  report.others = listing.others;
  std::vector<std::string> folders;
  for (const std::string& name : listing.submissions) folders.push_back(file_name_of(name));
  report.rows = write_documents(settings, folders);
  report.extra = extra_labs(settings, folders);
  // What an earlier start wrote may be about other files.
  remove_scratch(similar_file(settings.output));
  if (settings.similar) {
    report.similarity = find_similar(settings, listing.submissions);
    put(settings.output, similar_file(settings.output), similar_csv(*report.similarity));
  }
  remove_scratch(scratch_folder(settings.output));
  return report;
}

}  // namespace grade
