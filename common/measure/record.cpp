// SPDX-License-Identifier: MIT
#include "measure/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "facts/json_fields.hpp"
#include "measure/ladder.hpp"

template <class Archive>
void fields(Archive& archive, LaunchShape& launch) {
  archive("grid", launch.grid);
  archive("block", launch.block);
}

namespace measure {

template <class Archive>
void fields(Archive& archive, Summary& time) {
  archive("median", time.median);
  archive("min", time.min);
  archive("q1", time.q1);
  archive("q3", time.q3);
  archive("samples", time.samples);
}

template <class Archive>
void fields(Archive& archive, Machine& machine) {
  archive("system", machine.system);
  archive("kernel", machine.kernel);
  archive("cpu", machine.cpu);
  archive("cpus", machine.cpus);
  archive("memory_mib", machine.memory_mib);
}

template <class Archive>
void fields(Archive& archive, Swept& sweep) {
  archive("name", sweep.name);
  archive("value", sweep.value);
}

template <class Archive>
void fields(Archive& archive, Share& share) {
  archive("what", share.what);
  archive("share", share.share);
}

template <class Archive>
void fields(Archive& archive, Estimate& estimate) {
  archive("gpu", estimate.gpu);
  archive("name", estimate.name);
  archive("length", estimate.length);
  archive("launch", estimate.launch);
  archive("ms", estimate.ms);
  archive("low", estimate.low);
  archive("high", estimate.high);
  archive("bound_by", estimate.bound_by);
  archive("calibrated", estimate.calibrated);
}

namespace {

// Keys keep the order in which they are documented.
using Json = nlohmann::ordered_json;
using Writer = facts::FieldWriter<Json>;
using Reader = facts::FieldReader<Json>;

// The fields of a Record, or of a const Record, which a Writer takes too: where and when the run was made,
// and as part of what.
void context_fields(auto& archive, auto& record) {
  archive.nullable("commit", record.commit);
  archive("machine", record.machine);
  archive.nullable("gpu", record.machine.gpu);
  archive("time", record.time);
  archive("command", record.command);
  archive("kind", record.kind);
  archive("tree", record.tree);
  archive("seed", record.seed);
  archive.optional("sweep", record.sweep);
}

void heading_fields(auto& archive, auto& record) {
  const auto name = [](auto value) { return name_of(value); };
  archive("lab", record.exercise.lab);
  archive("exercise", record.exercise.name);
  archive.named("backend", record.backend, name, facts::find_backend, "backend");
  archive.named("verdict", record.finding.verdict, name, facts::find_verdict, "verdict");
  archive("message", record.finding.message);
  archive(std::string(problem_of(record).variant_option()).c_str(), record.variant);
  archive("input", record.input);
  archive("length", record.length);
}

void measured_fields(auto& archive, auto& record) {
  archive("launch", record.launch);
  archive("time_ms", record.time_ms);
  if constexpr (requires { archive.take(); })
    archive("throughput_gb_s", record.time_ms ? std::optional(throughput_gb_s(record)) : std::nullopt);
  archive("counters", record.counters);
  if constexpr (requires { archive.take(); }) archive("derived", facts::derived(record.counters));
}

// What is written only where it is known.
void further_fields(auto& archive, auto& record) {
  archive.optional("clock_mhz", record.clock_mhz);
  if (record.clock_mhz) archive("dropped", record.dropped);
  archive.optional("occupancy", record.occupancy);
  archive.optional("warm_cache", record.warm_cache);
  archive.optional("estimate", record.estimate);
}

// The topic of "04_shared_memory": what follows its number.
std::string topic_of(const std::string& lab) { return lab.substr(lab.find('_') + 1); }

// A record does not name its problem: it has the key under which one of them keeps its variants.
std::string problem_in(const Json& json) {
  const auto all = problems::problems();
  const auto found = std::ranges::find_if(all, [&](const problems::Problem* problem) {
    return json.contains(std::string(problem->variant_option()));
  });
  return std::string((found == all.end() ? all.front() : *found)->name());
}

// A lab that the workbook does not know is taken to have several exercises.
bool is_only_one(const workbook::ExerciseInfo& exercise) {
  const workbook::Workbook& workbook = workbook::here();
  const bool known =
      std::ranges::any_of(workbook.exercises, [&](const auto& other) { return other.lab == exercise.lab; });
  return known && workbook.is_only_one(exercise);
}

double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.5), samples.front(), quantile(samples, 0.25), quantile(samples, 0.75),
          samples.size()};
}

bool is_faster(const Summary& one, const Summary& other) { return one.q3 < other.q1; }
const problems::Problem& problem_of(const Record& record) {
  return *problems::find_problem(record.exercise.problem);
}

std::string variant_text(const Record& record) {
  return fmt::format("{} {}", problem_of(record).variant_option(), record.variant);
}

std::uint64_t Record::bytes() const {
  const problems::Problem* const problem = problems::find_problem(exercise.problem);
  const problems::Variant* const known = problem ? problem->find_variant(variant) : nullptr;
  return length * (known ? known->element_bytes : 1);
}

double throughput_gb_s(const Record& record, double time_ms) {
  return static_cast<double>(record.bytes()) / (time_ms * 1e6);
}

double throughput_gb_s(const Record& record) {
  return record.time_ms && record.time_ms->median > 0 ? throughput_gb_s(record, record.time_ms->median) : 0;
}

double estimated_gb_s(const Record& record, double ms) {
  Record over_its_length = record;
  over_its_length.length = record.estimate->length;
  return throughput_gb_s(over_its_length, ms);
}

double estimated_gb_s(const Record& record) { return estimated_gb_s(record, record.estimate->ms); }

bool has_both(const Record& record) {
  return record.is_timed() && traits_of(record.backend).accelerator && record.estimate &&
         record.estimate->length == record.length;
}

std::string short_name(const workbook::ExerciseInfo& exercise) {
  return exercise.short_name(is_only_one(exercise));
}

std::string title_of(const workbook::ExerciseInfo& exercise) {
  if (exercise.lab.find('_') == std::string::npos) return exercise.lab;
  const bool has_topic = is_only_one(exercise) && !exercise.is_variant();
  return short_name(exercise) + (has_topic ? " " + topic_of(exercise.lab) : "");
}

std::string title_of(const Record& record) {
  if (!record.is_peer()) return title_of(record.exercise);
  const problems::Peer* const peer = find_peer(record.exercise.name);
  return peer ? peer->description : record.exercise.name;
}

Json kept_json(const Record& record) {
  Writer writer(false);
  writer("schema", record_schema);
  context_fields(writer, record);
  heading_fields(writer, record);
  measured_fields(writer, record);
  further_fields(writer, record);
  writer.optional("figures", record.figures);
  return writer.take();
}

Record record_of(const Json& json) {
  Record record;
  record.exercise.problem = problem_in(json);
  Reader reader(json, false);
  context_fields(reader, record);
  heading_fields(reader, record);
  measured_fields(reader, record);
  further_fields(reader, record);
  reader.optional("figures", record.figures);
  reader.optional("simulated", record.simulated);
  record.exercise.launched = traits_of(record.backend).launches;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.lab == record.exercise.lab) record.exercise.problem = exercise.problem;
  }
  // A kernel takes time; what does not has no throughput.
  const auto& time = record.time_ms;
  if (time && !(time->q1 > 0 && time->median > 0 && time->q3 > 0)) record.time_ms.reset();
  if (const auto& estimate = record.estimate;
      estimate && !(estimate->ms > 0 && estimate->low > 0 && estimate->high > 0 && estimate->length > 0))
    record.estimate.reset();
  return record;
}

Json heading_json(const Record& record) {
  Writer writer(false);
  heading_fields(writer, record);
  return writer.take();
}

Json run_json(const workbook::Workbook& workbook, const Record& record) {
  Json json = heading_json(record);
  problems::reference_of(record.exercise.problem).write(json, record.variant, record.result, record.parts);
  Writer measured(false), further(false);
  measured_fields(measured, record);
  json.update(measured.take());
  json["notes"] = notes_json(workbook, record.notes);
  further_fields(further, record);
  json.update(further.take());
  return json;
}

Json places_json(const workbook::Workbook& workbook, const std::vector<facts::Location>& places) {
  Json all = Json::array();
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  for (const facts::Location& place : places) {
    all.push_back({{"file", workbook.shortened(place.file)},
                   {"line", place.line},
                   {"column", place.column > 0 ? Json(place.column) : Json(nullptr)},
                   {"text", or_null(place.text)},
                   {"role", or_null(place.role)}});
  }
  return all;
}

Json notes_json(const workbook::Workbook& workbook, const std::vector<facts::Finding>& notes) {
  Json all = Json::array();
  for (const facts::Finding& note : notes)
    all.push_back({{"message", note.message}, {"where", places_json(workbook, note.where)}});
  return all;
}

}  // namespace measure
