// SPDX-License-Identifier: MIT
// An event is a list of numbers: step, block, warp, lanes, place, size, array, first, stride, and the offsets
// of each lane where first and stride do not say them.
#include "runner/trace_protocol.hpp"

#include <bit>

#include "runner/checked_json.hpp"

namespace runner {

namespace {

using TraceJson = nlohmann::json;

constexpr std::size_t numbers_of_event = 9;
constexpr unsigned first_access = 1, last_access = 5, warp_barrier_step = 7;  // in trace_steps
constexpr unsigned largest_access = 16, most_warps = 32;

void require(bool condition, const char* otherwise) {
  if (!condition) throw ProtocolError(otherwise);
}

TraceJson event_json(const TraceEvent& event) {
  TraceJson json{event.step, event.block, event.warp,  event.lanes, event.place,
                 event.size, event.array, event.first, event.stride};
  for (const std::uint64_t offset : event.each) json.push_back(offset);
  return json;
}

TraceEvent event_from(const TraceJson& json, std::size_t arrays) {
  require(list(json).size() >= numbers_of_event, "an event lacks a number");
  TraceEvent event;
  event.step = number<unsigned>(json[0]);
  event.block = number<std::uint64_t>(json[1]);
  event.warp = number<unsigned>(json[2]);
  event.lanes = number<unsigned>(json[3]);
  event.place = number<std::uint64_t>(json[4]);
  event.size = number<unsigned>(json[5]);
  event.array = number<std::uint64_t>(json[6]);
  event.first = number<std::uint64_t>(json[7]);
  event.stride = signed_number(json[8]);
  for (std::size_t i = numbers_of_event; i < json.size(); ++i)
    event.each.push_back(number<std::uint64_t>(json[i]));

  require(event.step < trace_steps.size(), "an event is of no known kind");
  const bool access = event.step >= first_access && event.step <= last_access;
  require(event.is_access() == access && event.size <= largest_access,
          "an event has a size that it cannot have");
  require(event.has_warp() == (access || event.step == warp_barrier_step),
          "an event has lanes that it cannot have");
  require(event.warp < most_warps, "a block has no such warp");
  require(!access || event.array < arrays, "an event is in no known array");
  const auto lanes = static_cast<std::size_t>(std::popcount(event.lanes));
  require(event.each.empty() || (access && event.each.size() == lanes),
          "an event has not an offset for each lane");
  return event;
}

}  // namespace

nlohmann::json to_json(const TraceRequest& request) {
  TraceJson json = TraceJson::array();
  for (const TraceRequest::Blocks& blocks : request.blocks)
    json.push_back(TraceJson{blocks.first, blocks.last});
  return json;
}

TraceRequest trace_request_from(const nlohmann::json& json) {
  TraceRequest request;
  for (const TraceJson& blocks : list(json)) {
    const std::vector<std::uint64_t> both = numbers<std::uint64_t>(blocks);
    require(both.size() == 2, "a range of blocks has not two ends");
    request.blocks.push_back({both[0], both[1]});
  }
  return request;
}

nlohmann::json to_json(const Trace& trace) {
  TraceJson json{
      {"arrays", TraceJson::array()}, {"events", TraceJson::array()}, {"truncated", trace.truncated}};
  for (const TraceArray& array : trace.arrays) {
    json["arrays"].push_back({{"name", array.name},
                              {"shared", array.shared},
                              {"bytes", array.bytes},
                              {"element_bytes", array.element_bytes}});
  }
  TraceJson& events = json["events"];
  for (const TraceEvent& event : trace.events) events.push_back(event_json(event));
  return json;
}

Trace trace_from(const nlohmann::json& json) {
  Trace trace;
  trace.truncated = json.at("truncated");
  for (const TraceJson& array : list(json.at("arrays"))) {
    trace.arrays.push_back({array.at("name"), array.at("shared"), number<std::uint64_t>(array.at("bytes")),
                            number<std::uint64_t>(array.at("element_bytes"))});
  }
  for (const TraceJson& event : list(json.at("events")))
    trace.events.push_back(event_from(event, trace.arrays.size()));
  return trace;
}

}  // namespace runner
