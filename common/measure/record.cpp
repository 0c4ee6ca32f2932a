// SPDX-License-Identifier: MIT
#include "measure/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "measure/ladder.hpp"

namespace measure {

namespace {

// Keys keep the order in which they are documented.
using Json = nlohmann::ordered_json;

// A Fact or a const Fact: the lists of keys below serve both directions.
template <class Type, class Fact>
concept Is = std::is_same_v<std::remove_const_t<Type>, Fact>;

void keys(auto& archive, Is<Summary> auto& time) {
  archive("median", time.median);
  archive("min", time.min);
  archive("q1", time.q1);
  archive("q3", time.q3);
  archive("samples", time.samples);
}

void keys(auto& archive, Is<runner::Occupancy> auto& occupancy) {
  archive("resident_blocks", occupancy.resident_blocks);
  archive("warps", occupancy.warps);
  archive("most_warps", occupancy.most_warps);
  archive("registers", occupancy.registers);
  archive("shared_bytes", occupancy.shared_bytes);
  archive("limited_by", occupancy.limited_by);
}

void keys(auto& archive, Is<Machine> auto& machine) {
  archive("system", machine.system);
  archive("kernel", machine.kernel);
  archive("cpu", machine.cpu);
  archive("cpus", machine.cpus);
  archive("memory_mib", machine.memory_mib);
}

void keys(auto& archive, Is<Swept> auto& sweep) {
  archive("name", sweep.name);
  archive("value", sweep.value);
}

void keys(auto& archive, Is<LaunchShape> auto& launch) {
  archive("grid", launch.grid);
  archive("block", launch.block);
}

// Where and when the run was made, and as part of what.
void context_keys(auto& archive, Is<Record> auto& record) {
  archive.nullable("commit", record.commit);
  archive("machine", record.machine);
  archive.nullable("gpu", record.machine.gpu);
  archive("time", record.time);
  archive("command", record.command);
  archive("kind", record.kind);
  archive("tree", record.tree);
  archive.optional("seed", record.seed, true);
  archive.optional("sweep", record.sweep, record.sweep.has_value());
}

void heading_keys(auto& archive, Is<Record> auto& record) {
  archive("lab", record.exercise.lab);
  archive("exercise", record.exercise.name);
  archive("backend", record.backend);
  archive("verdict", record.finding.verdict);
  archive.optional("message", record.finding.message, true);
  archive(problem_of(record).variant_option(), record.variant);
  archive("input", record.input);
  archive("length", record.length);
}

void measured_keys(auto& archive, Is<Record> auto& record) {
  archive("launch", record.launch);
  archive("time_ms", record.time_ms);
  archive.derived("throughput_gb_s", [&] { return record.time_ms ? Json(throughput_gb_s(record)) : Json(); });
  archive("counters", record.counters);
}

// What is written only where it is known.
void further_keys(auto& archive, Is<Record> auto& record) {
  archive.optional("clock_mhz", record.clock_mhz, record.clock_mhz.has_value());
  archive.optional("dropped", record.dropped, record.clock_mhz.has_value());
  archive.optional("occupancy", record.occupancy, record.occupancy.has_value());
}

class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}

  template <class T>
  void operator()(std::string_view key, const T& value) {
    json_[std::string(key)] = json_of(value);
  }
  // null where it is empty.
  template <class T>
  void nullable(std::string_view key, const T& value) {
    json_[std::string(key)] = value.empty() ? Json() : json_of(value);
  }
  // Left out where nothing is known.
  template <class T>
  void optional(std::string_view key, const T& value, bool known) {
    if (known) json_[std::string(key)] = json_of(value);
  }
  template <class Value>
  void derived(std::string_view key, Value value) {
    json_[std::string(key)] = value();
  }

 private:
  template <class T>
  static Json json_of(const T& value) {
    if constexpr (requires { name_of(value); }) {
      return name_of(value);
    } else if constexpr (requires(Writer & archive) { keys(archive, value); }) {
      Json json = Json::object();
      Writer writer(json);
      keys(writer, value);
      return json;
    } else {
      return value;
    }
  }
  template <class T>
  static Json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : Json();
  }

  Json& json_;
};

// Throws Json::exception.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  template <class T>
  void operator()(std::string_view key, T& value) {
    read(json_.at(std::string(key)), value);
  }
  template <class T>
  void nullable(std::string_view key, T& value) {
    if (const Json& json = json_.at(std::string(key)); !json.is_null()) read(json, value);
  }
  template <class T>
  void optional(std::string_view key, T& value, bool) {
    if (const auto found = json_.find(std::string(key)); found != json_.end() && !found->is_null())
      read(*found, value);
  }
  template <class Value>
  void derived(std::string_view, Value) {}

 private:
  template <class Find>
  static auto known(const Json& json, Find find) {
    const auto found = find(json.get_ref<const std::string&>());
    if (!found) throw Json::type_error::create(302, "the name " + json.dump() + " is not known", &json);
    return *found;
  }

  template <class T>
  static void read(const Json& json, T& value) {
    if constexpr (requires(Reader & archive) { keys(archive, value); }) {
      Reader reader(json);
      keys(reader, value);
    } else {
      json.get_to(value);
    }
  }
  template <class T>
  static void read(const Json& json, std::optional<T>& value) {
    if (!json.is_null()) read(json, value.emplace());
  }
  static void read(const Json& json, facts::Backend& value) { value = known(json, facts::find_backend); }
  static void read(const Json& json, facts::Verdict& value) { value = known(json, facts::find_verdict); }

  const Json& json_;
};

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

double throughput_gb_s(const Record& record, double time_ms) {
  return static_cast<double>(record.length) / (time_ms * 1e6);
}

double throughput_gb_s(const Record& record) {
  return record.time_ms && record.time_ms->median > 0 ? throughput_gb_s(record, record.time_ms->median) : 0;
}

std::string short_name(const workbook::ExerciseInfo& exercise) {
  return exercise.short_name(is_only_one(exercise));
}

std::string title_of(const workbook::ExerciseInfo& exercise) {
  if (exercise.lab.find('_') == std::string::npos) return exercise.lab;
  return short_name(exercise) + (is_only_one(exercise) ? " " + topic_of(exercise.lab) : "");
}

std::string title_of(const Record& record) {
  if (!record.is_peer()) return title_of(record.exercise);
  const problems::Peer* const peer = find_peer(record.exercise.name);
  return peer ? peer->description : record.exercise.name;
}

Json kept_json(const Record& record) {
  Json json{{"schema", record_schema}};
  Writer writer(json);
  context_keys(writer, record);
  heading_keys(writer, record);
  measured_keys(writer, record);
  further_keys(writer, record);
  writer.optional("figures", record.figures, !record.figures.empty());
  return json;
}

Record record_of(const Json& json) {
  Record record;
  record.exercise.problem = problem_in(json);
  Reader reader(json);
  context_keys(reader, record);
  heading_keys(reader, record);
  measured_keys(reader, record);
  further_keys(reader, record);
  reader.optional("figures", record.figures, true);
  reader.optional("simulated", record.simulated, true);
  record.exercise.launched = traits_of(record.backend).launches;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.lab == record.exercise.lab) record.exercise.problem = exercise.problem;
  }
  // A kernel takes time; what does not has no throughput.
  const auto& time = record.time_ms;
  if (time && !(time->q1 > 0 && time->median > 0 && time->q3 > 0)) record.time_ms.reset();
  return record;
}

Json heading_json(const Record& record) {
  Json json;
  Writer writer(json);
  heading_keys(writer, record);
  return json;
}

Json run_json(const workbook::Workbook& workbook, const Record& record) {
  Json json = heading_json(record);
  Writer writer(json);
  problems::reference_of(record.exercise.problem).write(json, record.variant, record.result);
  measured_keys(writer, record);
  json["notes"] = notes_json(workbook, record.notes);
  further_keys(writer, record);
  return json;
}

Json places_json(const workbook::Workbook& workbook, const std::vector<facts::Location>& places) {
  Json all = Json::array();
  for (const facts::Location& place : places)
    all.push_back({{"file", workbook.shortened(place.file)}, {"line", place.line}});
  return all;
}

Json notes_json(const workbook::Workbook& workbook, const std::vector<facts::Finding>& notes) {
  Json all = Json::array();
  for (const facts::Finding& note : notes)
    all.push_back({{"message", note.message}, {"where", places_json(workbook, note.where)}});
  return all;
}

}  // namespace measure
