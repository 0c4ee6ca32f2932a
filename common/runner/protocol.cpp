// SPDX-License-Identifier: MIT
#include "runner/protocol.hpp"

#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "facts/json_fields.hpp"

namespace facts {

template <>
inline constexpr bool as_list<ThreadAt> = true;
template <class Archive>
void fields(Archive& archive, ThreadAt& thread) {
  archive("block", thread.block);
  archive("thread", thread.thread);
  archive("site", thread.site);
}

// A verdict that nobody knows is not the runner's to give either: the judge says so.
template <class Archive>
void fields(Archive& archive, Observation& observation) {
  const auto name = [](Verdict verdict) { return name_of(verdict); };
  const auto find = [](std::string_view text) {
    return std::optional(find_verdict(text).value_or(Verdict::protocol));
  };
  archive.named("kind", observation.verdict, name, find, "verdict");
  archive("message", observation.message);
  archive("sites", observation.sites);
  archive("diagnosis", observation.diagnosis);
  archive.optional("roles", observation.roles);
  archive.optional("absent", observation.absent);
  archive.optional("threads", observation.threads);
}

template <>
inline constexpr bool as_list<TraceRequest::Blocks> = true;
template <class Archive>
void fields(Archive& archive, TraceRequest::Blocks& blocks) {
  archive("first", blocks.first);
  archive("last", blocks.last);
}

template <class Archive>
void fields(Archive& archive, TraceRequest& request) {
  archive("blocks", request.blocks);
  archive.optional("values", request.values);
  archive.optional("most_events", request.most_events);
}

template <class Archive>
void fields(Archive& archive, TraceArray& array) {
  archive("name", array.name);
  archive("shared", array.shared);
  archive("bytes", array.bytes);
  archive("element_bytes", array.element_bytes);
}

template <>
inline constexpr bool as_list<TraceEvent> = true;
template <class Archive>
void fields(Archive& archive, TraceEvent& event) {
  const auto name = [](TraceStep step) { return row_of(step).name; };
  archive.named("step", event.step, name, find_trace_step, "step");
  archive("read", event.read);
  archive("written", event.written);
  archive("block", event.block);
  archive("warp", event.warp);
  archive("lanes", event.lanes);
  archive("place", event.place);
  archive("size", event.size);
  archive("array", event.array);
  archive("first", event.first);
  archive("stride", event.stride);
  archive.rest(event.each);
}

template <class Archive>
void fields(Archive& archive, Trace& trace) {
  archive("arrays", trace.arrays);
  archive("events", trace.events);
  archive.optional("interleaved", trace.interleaved);
  archive("truncated", trace.truncated);
}

}  // namespace facts

namespace runner {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<RunFailure::Kind, std::string_view>, 5> failure_kinds{
    {{RunFailure::Kind::launch_error, "launch_error"},
     {RunFailure::Kind::device_error, "device_error"},
     {RunFailure::Kind::unending, "unending"},
     {RunFailure::Kind::too_large, "too_large"},
     {RunFailure::Kind::given_up, "given_up"}}};

std::optional<RunFailure::Kind> find_failure_kind(std::string_view name) {
  for (const auto& [kind, known] : failure_kinds) {
    if (name == known) return kind;
  }
  return std::nullopt;
}

std::string_view name_of(RunFailure::Kind kind) {
  for (const auto& [known, name] : failure_kinds) {
    if (kind == known) return name;
  }
  return {};
}

}  // namespace

template <class Archive>
void fields(Archive& archive, Hello& hello) {
  archive("lab", hello.lab);
  archive("exercise", hello.exercise);
  archive("backend", hello.backend);
  archive("device", hello.device);
  archive("unavailable", hello.unavailable);
}

template <class Archive>
void fields(Archive& archive, KernelRegisters& kernel) {
  archive("name", kernel.name);
  archive("registers", kernel.registers);
}

template <class Archive>
void fields(Archive& archive, StreamRequest& request) {
  archive("length", request.length);
  archive.optional("grid", request.grid);
  archive.optional("block", request.block);
  archive("multiprocessors", request.multiprocessors);
  archive("threads", request.threads);
  archive("blocks", request.blocks);
  archive("registers", request.registers);
  archive("schedulers", request.schedulers);
  archive("shared_bytes", request.shared_bytes);
  archive("kernels", request.kernels);
  archive("steps", request.steps);
  archive("deals_draws", request.deals_draws);
}

template <class Archive>
void fields(Archive& archive, StreamAnswer& answer) {
  archive("grid", answer.grid);
  archive("block", answer.block);
  archive("dynamic_shared_bytes", answer.dynamic_shared_bytes);
  archive("launches", answer.launches);
  archive("shared_bytes", answer.shared_bytes);
  archive("common_lines", answer.common_lines);
  archive("common_turns", answer.common_turns);
  archive("busiest_turns", answer.busiest_turns);
  archive("own_pieces", answer.own_pieces);
  archive("entered_blocks", answer.entered_blocks);
  archive("parted_blocks", answer.parted_blocks);
  archive("went_both_ways", answer.went_both_ways);
  archive("accessed_on_both_ways", answer.accessed_on_both_ways);
  archive("made_steps", answer.made_steps);
  archive("steps", answer.steps);
}

template <class Archive>
void fields(Archive& archive, BlockSample& sample) {
  archive("places", sample.places);
  archive("longest", sample.longest);
  archive("part", sample.part);
  archive("most_accesses", sample.most_accesses);
}

template <class Archive>
void fields(Archive& archive, SampledReads& reads) {
  archive("accesses", reads.accesses);
  archive("end", reads.end);
  archive("reads", reads.reads);
  archive("given_up", reads.given_up);
  archive("sites", reads.sites);
}

template <class Archive>
void fields(Archive& archive, RunRequest& request) {
  archive("variant", request.variant);
  archive("length", request.length);
  archive("misalignment", request.misalignment);
  archive.optional("block", request.options.block);
  archive.optional("grid", request.options.grid);
  archive.optional("warm_cache", request.options.warm_cache);
  archive("warm_ups", request.warm_ups);
  archive("samples", request.samples);
  archive.optional("timed", request.timed);
  archive.optional("same_input", request.same_input);
  archive.optional("parts", request.options.parts);
  archive.optional("places", request.options.places);
  archive.optional("multiprocessors", request.options.multiprocessors);
  archive.optional("trace", request.options.trace);
  archive.optional("lockstep_seed", request.options.lockstep_seed);
  archive.optional("lockstep_turns", request.options.lockstep_turns);
  archive.optional("absent_lanes_echo", request.options.absent_lanes_echo);
  archive.optional("deals_draws", request.options.deals_draws);
  archive.optional("notes_wide_accesses", request.options.notes_wide_accesses);
  archive.optional("conduct_of_values", request.options.conduct_of_values);
  archive.optional("stream", request.options.stream);
  archive.optional("lockstep_order", request.options.lockstep_order);
  archive.optional("sample", request.options.sample);
  archive.optional("end_after_ms", request.end_after_ms);
  archive.optional("conduct", request.conduct);
}

template <class Archive>
void fields(Archive& archive, RunFailure& failure) {
  const auto name = [](RunFailure::Kind kind) { return name_of(kind); };
  archive.named("kind", failure.kind, name, find_failure_kind, "kind of failure");
  archive("message", failure.message);
}

template <class Archive>
void fields(Archive& archive, Unfinished& unfinished) {
  archive("launches_run", unfinished.launches_run);
  archive("launches", unfinished.launches);
}

template <class Archive>
void fields(Archive& archive, RunAnswer& answer) {
  archive("outputs", answer.outputs);
  archive.optional("unfinished", answer.unfinished);
  archive("grid", answer.grid);
  archive("block", answer.block);
  archive.optional("asks_multiprocessors", answer.asks_multiprocessors);
  archive("times_ms", answer.times_ms);
  archive.optional("clocks_mhz", answer.clocks_mhz);
  archive.optional("occupancy", answer.occupancy);
  archive("counters", answer.counters);
  archive.optional("parts", answer.parts);
  archive.optional("places", answer.places);
  archive.optional("conduct", answer.conduct);
  archive("observations", answer.observations);
  archive.optional("notes", answer.notes);
  archive.optional("failure", answer.failure);
  archive.optional("trace", answer.trace);
  archive.optional("stream", answer.stream);
  archive.optional("sample", answer.sample);
}

namespace {

// Also of a runner that says what it likes, the judge can rely on a trace: arrays exist, and an access has
// lanes, with an offset for each.
void require_sound(const facts::Trace& trace) {
  constexpr unsigned largest_access = 16, most_warps = 32;
  const auto require = [](bool condition, const char* otherwise) {
    if (!condition) throw ProtocolError(otherwise);
  };
  for (const facts::TraceEvent& event : trace.events) {
    require((event.size > 0) == event.is_access() && event.size <= largest_access,
            "an event has a size that it cannot have");
    require((event.lanes > 0) == event.has_warp(), "an event has lanes that it cannot have");
    require(event.warp < most_warps, "a block has no such warp");
    require(!event.is_access() || event.array < trace.arrays.size(), "an event is in no known array");
    const auto lanes = static_cast<std::size_t>(std::popcount(event.lanes));
    require(event.each.empty() || (event.is_access() && event.each.size() == lanes),
            "an event has not an offset for each lane");
    for (const auto* values : {&event.read, &event.written})
      require(values->empty() || (event.is_access() && values->size() == lanes),
              "an event has not a value for each lane");
  }
}

template <class Message>
std::string encoded(const Message& message) {
  return facts::written<Json>(message).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Message>
Message decoded(std::string_view document) {
  try {
    Message message;
    facts::read(Json::parse(document), message);
    return message;
  } catch (const Json::exception& error) {
    throw ProtocolError(error.what());
  } catch (const facts::FieldError& error) {
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

std::string encode(const Hello& hello) { return encoded(hello); }
std::string encode(const RunRequest& request) { return encoded(request); }
std::string encode(const RunAnswer& answer) { return encoded(answer); }

Hello decode_hello(std::string_view document) { return decoded<Hello>(document); }
RunRequest decode_request(std::string_view document) { return decoded<RunRequest>(document); }
RunAnswer decode_answer(std::string_view document) {
  RunAnswer answer = decoded<RunAnswer>(document);
  if (answer.trace) require_sound(*answer.trace);
  return answer;
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
