// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "judge/source_text.hpp"

namespace cli {

namespace {

// Keys keep the order in which they are documented.
using Line = nlohmann::ordered_json;

// More places than the instructions of any kernel; so many can be asked for at once.
constexpr std::size_t most_places = 10'000;

// Places in the program, each once, with its position in the file's table: in the order in which they appear.
struct Places {
  std::vector<std::uint64_t> all;
  std::unordered_map<std::uint64_t, std::size_t> position;

  explicit Places(const facts::Trace& trace) {
    for (const facts::TraceEvent& event : trace.events) {
      const bool has_place = event.place > 0 && all.size() < most_places;
      if (has_place && position.try_emplace(event.place, all.size()).second) all.push_back(event.place);
    }
  }
};

// Reads a number at the beginning of `words` and takes it off.
std::optional<std::uint64_t> take_number(std::string_view& words) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  if (error != std::errc{}) return std::nullopt;
  words.remove_prefix(static_cast<std::size_t>(end - words.data()));
  return number;
}

bool take(std::string_view& words, char wanted) {
  if (words.empty() || words.front() != wanted) return false;
  words.remove_prefix(1);
  return true;
}

Line places_json(const workbook::Workbook& workbook, const std::string& program, const Places& places) {
  Line json = Line::array();
  for (const std::optional<facts::Location>& line : judge::line_of_each(program, places.all)) {
    json.push_back(line ? Line{{"file", workbook.shortened(line->file)}, {"line", line->line}}
                        : Line(nullptr));
  }
  return json;
}

Line header_json(const workbook::Workbook& workbook, const measure::Record& record, workbook::Tree tree,
                 const facts::TraceRequest& blocks, const Places& places) {
  const workbook::ExerciseInfo& exercise = record.exercise;
  const facts::Trace& trace = *record.trace;
  Line json{{"format", "workbook-trace"},
            {"version", 2},
            {"lab", exercise.lab},
            {"exercise", exercise.name},
            {"file", workbook.shortened(workbook.source_file(exercise, tree))},
            {std::string(measure::problem_of(record).variant_option()), record.variant},
            {"input", record.input},
            {"length", record.length},
            {"seed", record.seed.value_or(1)},
            {"launch", {{"grid", record.launch.grid}, {"block", record.launch.block}}},
            {"order", trace.interleaved ? "lockstep" : "warps"},
            {"values", blocks.values},
            {"blocks", Line::array()},
            {"arrays", Line::array()},
            {"places", places_json(workbook, workbook.runner(exercise, tree, record.backend), places)},
            {"events", trace.events.size()},
            {"truncated", trace.truncated}};
  for (const auto& [first, last] : blocks.blocks) json["blocks"].push_back(Line::array({first, last}));
  for (const facts::TraceArray& array : trace.arrays) {
    json["arrays"].push_back(
        {{"name", array.name},
         {"space", array.shared ? "shared" : "global"},
         {"bytes", array.bytes},
         {"element_bytes", array.element_bytes > 0 ? Line(array.element_bytes) : Line(nullptr)}});
  }
  return json;
}

Line event_json(const facts::TraceEvent& event, const Places& places, bool interleaved) {
  Line json{{"do", event.name()}};
  if (interleaved || event.step == facts::TraceStep::block_begins) json["block"] = event.block;
  if (event.has_warp()) {
    json["warp"] = event.warp;
    json["lanes"] = fmt::format("{:08x}", event.lanes);
  }
  if (event.is_access()) {
    json["array"] = event.array;
    json["size"] = event.size;
    if (event.each.empty()) {
      json["at"] = event.first;
      json["stride"] = event.stride;
    } else {
      json["at"] = event.each;
    }
  }
  if (!event.read.empty()) json["read"] = event.read;
  if (!event.written.empty()) json["written"] = event.written;
  if (const auto place = places.position.find(event.place); place != places.position.end())
    json["place"] = place->second;
  return json;
}

std::string in_one_line(const Line& json) {
  return json.dump(-1, ' ', false, Line::error_handler_t::replace) + "\n";
}

}  // namespace

facts::TraceRequest traced_blocks(const std::string& words) {
  facts::TraceRequest request;
  std::string_view rest = words;
  do {
    const std::optional<std::uint64_t> first = take_number(rest);
    const std::optional<std::uint64_t> last = take(rest, '-') ? take_number(rest) : first;
    if (!first || !last || *first > *last) {
      throw facts::UsageError(
          fmt::format("--trace-blocks \"{}\": not a list of blocks such as 0,3-5", words));
    }
    request.blocks.push_back({*first, *last});
  } while (take(rest, ','));
  if (!rest.empty())
    throw facts::UsageError(fmt::format("--trace-blocks \"{}\": not a list of blocks such as 0,3-5", words));
  return request;
}

std::string trace_lines(const workbook::Workbook& workbook, const measure::Record& record,
                        workbook::Tree tree, const facts::TraceRequest& blocks) {
  const Places places(*record.trace);
  std::string text = in_one_line(header_json(workbook, record, tree, blocks, places));
  for (const facts::TraceEvent& event : record.trace->events)
    text += in_one_line(event_json(event, places, record.trace->interleaved));
  return text;
}

}  // namespace cli
