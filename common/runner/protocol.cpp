// SPDX-License-Identifier: MIT
#include "runner/protocol.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runner/checked_json.hpp"
#include "runner/trace_protocol.hpp"

namespace runner {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<RunFailure::Kind, const char*>, 3> failure_kinds{
    {{RunFailure::Kind::launch_error, "launch_error"},
     {RunFailure::Kind::device_error, "device_error"},
     {RunFailure::Kind::too_large, "too_large"}}};

RunFailure::Kind failure_kind(const std::string& name) {
  for (const auto& [kind, known] : failure_kinds) {
    if (name == known) return kind;
  }
  throw ProtocolError("unknown kind of failure: " + name);
}

std::string name_of(RunFailure::Kind kind) {
  for (const auto& [known, name] : failure_kinds) {
    if (kind == known) return name;
  }
  return {};
}

facts::Counters counters(const Json& json) {
  facts::Counters result;
  for (const auto& [name, count] : json.get_ref<const Json::object_t&>()) {
    const auto value = number<std::uint64_t>(count);
    if (const auto counter = facts::find_counter(name)) result[*counter] = value;
  }
  return result;
}

Conduct conduct_counts(const Json& json) {
  Conduct result;
  for (const auto& [name, count] : json.get_ref<const Json::object_t&>())
    result[name] = number<std::uint64_t>(count);
  return result;
}

constexpr std::string_view hexadecimal_digits = "0123456789abcdef";

// Bytes as text: shorter than JSON's list of numbers, and of any type.
std::string in_hexadecimal(const facts::Output& output) {
  std::string text;
  text.reserve(2 * output.size());
  for (const unsigned char byte : output) text.append({hexadecimal_digits[byte >> 4], hexadecimal_digits[byte & 15]});
  return text;
}

facts::Output from_hexadecimal(const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  if (text.size() % 2 != 0) throw ProtocolError("an output has half a byte");
  facts::Output output;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::size_t high = hexadecimal_digits.find(text[i]), low = hexadecimal_digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      throw ProtocolError("an output is not in hexadecimal");
    }
    output.push_back(static_cast<unsigned char>(high << 4 | low));
  }
  return output;
}

Json to_json(const Occupancy& occupancy) {
  return {{"resident_blocks", occupancy.resident_blocks}, {"warps", occupancy.warps},
          {"most_warps", occupancy.most_warps},           {"registers", occupancy.registers},
          {"shared_bytes", occupancy.shared_bytes},       {"limited_by", occupancy.limited_by}};
}

Occupancy occupancy_from(const Json& json) {
  return {number<unsigned>(json.at("resident_blocks")),   number<unsigned>(json.at("warps")),
          number<unsigned>(json.at("most_warps")),        number<unsigned>(json.at("registers")),
          number<std::uint64_t>(json.at("shared_bytes")), json.at("limited_by")};
}

template <class Read>
auto decode(std::string_view document, Read read) {
  try {
    return read(Json::parse(document));
  } catch (const Json::exception& error) {
    throw ProtocolError(error.what());
  }
}

// Reads until `bytes` are there; fewer at the end of the stream.
std::size_t read_fully(int descriptor, char* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::read(descriptor, to + done, bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

std::string encode(const Hello& hello) {
  return Json{{"lab", hello.lab},
              {"exercise", hello.exercise},
              {"backend", hello.backend},
              {"device", hello.device},
              {"unavailable", hello.unavailable}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string encode(const RunRequest& request) {
  Json json{{"variant", request.variant},           {"length", request.length},
            {"misalignment", request.misalignment}, {"warm_ups", request.warm_ups},
            {"samples", request.samples},           {"conduct", request.conduct}};
  if (request.block) json["block"] = *request.block;
  if (request.grid) json["grid"] = *request.grid;
  if (request.timed) json["timed"] = true;
  if (request.same_input) json["same_input"] = true;
  if (request.places) json["places"] = true;
  if (request.trace) json["trace"] = to_json(*request.trace);
  if (request.lockstep_seed) json["lockstep_seed"] = *request.lockstep_seed;
  if (request.end_after_ms) json["end_after_ms"] = *request.end_after_ms;
  return json.dump();
}

std::string encode(const RunAnswer& answer) {
  Json json{{"outputs", Json::array()},         {"grid", answer.grid},         {"block", answer.block},
            {"times_ms", answer.times_ms}, {"counters", answer.counters}, {"observations", Json::array()}};
  for (const facts::Output& output : answer.outputs) json["outputs"].push_back(in_hexadecimal(output));
  if (!answer.clocks_mhz.empty()) json["clocks_mhz"] = answer.clocks_mhz;
  if (answer.occupancy) json["occupancy"] = to_json(*answer.occupancy);
  if (!answer.conduct.empty()) json["conduct"] = answer.conduct;
  for (const Observation& observation : answer.observations) {
    json["observations"].push_back({{"kind", observation.kind},
                                    {"message", observation.message},
                                    {"sites", observation.sites},
                                    {"diagnosis", observation.diagnosis}});
  }
  for (const Note& note : answer.notes)
    json["notes"].push_back({{"message", note.message}, {"sites", note.sites}});
  for (const auto& [place, counters] : answer.places) json["places"].push_back({place, counters});
  if (answer.failure) {
    json["failure"] = {{"kind", name_of(answer.failure->kind)}, {"message", answer.failure->message}};
  }
  if (answer.trace) json["trace"] = to_json(*answer.trace);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Hello decode_hello(std::string_view document) {
  return decode(document, [](const Json& json) {
    return Hello{json.at("lab"), json.at("exercise"), json.at("backend"), json.at("device"),
                 json.at("unavailable")};
  });
}

RunRequest decode_request(std::string_view document) {
  return decode(document, [](const Json& json) {
    RunRequest request;
    request.variant = json.at("variant");
    request.length = number<std::uint64_t>(json.at("length"));
    request.misalignment = number<unsigned>(json.at("misalignment"));
    request.block = optional_number<unsigned>(json, "block");
    request.grid = optional_number<unsigned>(json, "grid");
    if (json.contains("trace")) request.trace = trace_request_from(json.at("trace"));
    request.lockstep_seed = optional_number<std::uint64_t>(json, "lockstep_seed");
    request.end_after_ms = optional_number<std::uint64_t>(json, "end_after_ms");
    request.warm_ups = number<unsigned>(json.at("warm_ups"));
    request.samples = number<unsigned>(json.at("samples"));
    request.timed = json.contains("timed");
    request.same_input = json.contains("same_input");
    request.places = json.contains("places");
    request.conduct = json.value("conduct", false);
    return request;
  });
}

RunAnswer decode_answer(std::string_view document) {
  return decode(document, [](const Json& json) {
    RunAnswer answer;
    for (const Json& output : list(json.at("outputs"))) answer.outputs.push_back(from_hexadecimal(output));
    answer.grid = number<unsigned>(json.at("grid"));
    answer.block = number<unsigned>(json.at("block"));
    json.at("times_ms").get_to(answer.times_ms);
    if (json.contains("clocks_mhz")) json.at("clocks_mhz").get_to(answer.clocks_mhz);
    if (json.contains("occupancy")) answer.occupancy = occupancy_from(json.at("occupancy"));
    answer.counters = counters(json.at("counters"));
    if (json.contains("places")) {
      for (const Json& place : list(json.at("places")))
        answer.places[number<std::uint64_t>(place.at(0))] = counters(place.at(1));
    }
    if (json.contains("conduct")) answer.conduct = conduct_counts(json.at("conduct"));
    for (const Json& observation : list(json.at("observations"))) {
      answer.observations.push_back({observation.at("kind"), observation.at("message"),
                                     numbers<std::uint64_t>(observation.at("sites")),
                                     observation.at("diagnosis")});
    }
    if (json.contains("notes")) {
      for (const Json& note : list(json.at("notes")))
        answer.notes.push_back({note.at("message"), numbers<std::uint64_t>(note.at("sites"))});
    }
    if (json.contains("failure")) {
      const Json& failure = json.at("failure");
      answer.failure = RunFailure{failure_kind(failure.at("kind")), failure.at("message")};
    }
    if (json.contains("trace")) answer.trace = trace_from(json.at("trace"));
    return answer;
  });
}

std::string frame(std::string_view document) {
  std::string result;
  for (std::size_t i = 0; i < frame_header_bytes; ++i) {
    result.push_back(static_cast<char>(document.size() >> 8 * i & 0xff));
  }
  return result.append(document);
}

std::size_t announced_length(std::string_view header) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < frame_header_bytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(header[i])) << 8 * i;
  }
  if (length > frame_limit_bytes) throw ProtocolError("a frame is longer than the protocol allows");
  return length;
}

void write_frame(int descriptor, std::string_view document) {
  const std::string bytes = frame(document);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t sent = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw ProtocolError(std::string("cannot write to the judge: ") + std::strerror(errno));
    done += static_cast<std::size_t>(sent);
  }
}

std::optional<std::string> read_frame(int descriptor) {
  std::string header(frame_header_bytes, '\0');
  if (read_fully(descriptor, header.data(), header.size()) < header.size()) return std::nullopt;
  std::string document(announced_length(header), '\0');
  if (read_fully(descriptor, document.data(), document.size()) < document.size()) {
    throw ProtocolError("a frame ended early");
  }
  return document;
}

}  // namespace runner
