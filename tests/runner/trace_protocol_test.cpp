// SPDX-License-Identifier: MIT
// Traces in the protocol's documents. What the judge takes from a runner, it relies upon.
#include <doctest/doctest.h>

#include <string>

#include "runner/protocol.hpp"

using namespace runner;

namespace {

RunAnswer example() {
  RunAnswer answer;
  answer.trace = facts::Trace{{{"data", false, 41, 1}, {"counts", true, 28, 0}}, {}, true};
  answer.trace->events = {
      {.step = facts::TraceStep::block_begins, .block = ~std::uint64_t{0}},
      {.step = facts::TraceStep::load,
       .warp = 31,
       .lanes = ~0u,
       .place = 1234,
       .size = 16,
       .array = 0,
       .first = 7,
       .stride = -9},
      {.step = facts::TraceStep::atomic_increment,
       .warp = 0,
       .lanes = 5,
       .place = 5,
       .size = 4,
       .array = 1,
       .each = {40, 8},
       .read = {0, ~std::uint64_t{0}},
       .written = {1, 0}},
      {.step = facts::TraceStep::barrier, .place = 77},
      {.step = facts::TraceStep::warp_barrier, .warp = 3, .lanes = 1, .place = 78},
      {.step = facts::TraceStep::block_ends},
  };
  return answer;
}

// The answer with one event in place of the example's, as numbers.
std::string with_event(const std::string& numbers) {
  return R"({"outputs":[],"grid":1,"block":1,"times_ms":[],"counters":{},"observations":[],"trace":{"arrays":[)"
         R"({"name":"data","shared":false,"bytes":41,"element_bytes":1}],"truncated":false,"events":[)" +
         numbers + "]}}";
}

std::string refusal(const std::string& document) {
  try {
    decode_answer(document);
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a trace comes back as it was sent") {
  const facts::Trace sent = example().trace.value(), got = decode_answer(encode(example())).trace.value();
  CHECK(got.truncated);
  REQUIRE(got.arrays.size() == 2);
  CHECK(got.arrays[0].name == "data");
  CHECK_FALSE(got.arrays[0].shared);
  CHECK(got.arrays[0].bytes == 41);
  CHECK(got.arrays[0].element_bytes == 1);
  CHECK(got.arrays[1].shared);
  REQUIRE(got.events.size() == sent.events.size());
  for (std::size_t i = 0; i < got.events.size(); ++i) {
    CAPTURE(i);
    const facts::TraceEvent &a = got.events[i], &b = sent.events[i];
    CHECK(a.step == b.step);
    CHECK(a.block == b.block);
    CHECK(a.warp == b.warp);
    CHECK(a.lanes == b.lanes);
    CHECK(a.place == b.place);
    CHECK(a.size == b.size);
    CHECK(a.array == b.array);
    CHECK(a.first == b.first);
    CHECK(a.stride == b.stride);
    CHECK(a.each == b.each);
    CHECK(a.read == b.read);
    CHECK(a.written == b.written);
  }
  CHECK_FALSE(got.interleaved);
  RunAnswer in_lockstep = example();
  in_lockstep.trace->interleaved = true;
  CHECK(decode_answer(encode(in_lockstep)).trace->interleaved);
  CHECK_FALSE(decode_answer(encode(RunAnswer{})).trace.has_value());
}

TEST_CASE("which blocks are traced comes back as it was sent") {
  RunRequest sent{.variant = "bytes"};
  CHECK_FALSE(decode_request(encode(sent)).options.trace.has_value());
  sent.options.trace = facts::TraceRequest{{{0, 0}, {3, ~std::uint64_t{0}}}};
  const facts::TraceRequest got = decode_request(encode(sent)).options.trace.value();
  CHECK_FALSE(got.values);
  CHECK_FALSE(got.most_events.has_value());
  sent.options.trace->values = true;
  CHECK(decode_request(encode(sent)).options.trace->values);
  sent.options.trace->most_events = 40;
  CHECK(decode_request(encode(sent)).options.trace->most_events == 40);
  REQUIRE(got.blocks.size() == 2);
  CHECK(got.blocks[0].first == 0);
  CHECK(got.blocks[1].first == 3);
  CHECK(got.blocks[1].last == ~std::uint64_t{0});
}

TEST_CASE("an event that no simulator writes is refused, and said why") {
  CHECK(refusal(with_event("[\"load\",[],[],0,31,3,9,4,0,8,4],[\"store\",[],[],0,0,5,9,16,0,0,0,7,9],["
                           "\"barrier\",[],[],0,0,0,5,0,0,0,0]")) == "");  // control
  const std::string kind = "unknown step: nothing", size = "an event has a size that it cannot have",
                    lanes = "an event has lanes that it cannot have",
                    offsets = "an event has not an offset for each lane";
  CHECK(refusal(with_event("[\"nothing\",[],[],0,0,0,0,0,0,0,0]")) == kind);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,0,0,8,4]")) == size);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,17,0,8,4]")) == size);
  CHECK(refusal(with_event("[\"barrier\",[],[],0,0,0,9,4,0,0,0]")) == size);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,0,9,4,0,8,4]")) == lanes);
  CHECK(refusal(with_event("[\"barrier\",[],[],0,0,1,9,0,0,0,0]")) == lanes);
  CHECK(refusal(with_event("[\"warp_barrier\",[],[],0,0,0,9,0,0,0,0]")) == lanes);
  CHECK(refusal(with_event("[\"load\",[],[],0,32,3,9,4,0,8,4]")) == "a block has no such warp");
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,1,8,4]")) == "an event is in no known array");
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,0,0,7]")) == offsets);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,0,0,7,8,9]")) == offsets);
  CHECK(refusal(with_event("[\"barrier\",[],[],0,0,0,9,0,0,0,0,1]")) == offsets);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,8]")) == "\"stride\" is missing");
  CHECK(refusal(with_event("[]")) == "\"step\" is missing");
  const std::string values = "an event has not a value for each lane";
  CHECK(refusal(with_event("[\"load\",[1,2],[],0,0,3,9,4,0,8,4]")) == "");
  CHECK(refusal(with_event("[\"load\",[1],[],0,0,3,9,4,0,8,4]")) == values);
  CHECK(refusal(with_event("[\"load\",[],[1,2,3],0,0,3,9,4,0,8,4]")) == values);
  CHECK(refusal(with_event("[\"barrier\",[1],[],0,0,0,9,0,0,0,0]")) == values);
}

TEST_CASE("numbers that are none, or too large, are refused") {
  const std::string count = "a count is not a number, negative or too large",
                    distance = "a distance is not a whole number";
  for (const std::string wrong : {"-1", "1.5", "null", "\"1\"", "[1]", "4294967296"}) {
    CAPTURE(wrong);
    CHECK(refusal(with_event("[" + wrong + ",[],[],0,0,3,9,4,0,8,4]")) ==
          (wrong == "\"1\"" ? "unknown step: 1" : "expected a JSON string"));
    CHECK(refusal(with_event("[\"load\",[],[],0," + wrong + ",3,9,4,0,8,4]")) == count);
    CHECK(refusal(with_event("[\"load\",[],[],0,0," + wrong + ",9,4,0,8,4]")) == count);
  }
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,0,0,7,-1]")) == count);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,8,1.5]")) == distance);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,8,null]")) == distance);
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,8,9223372036854775808]")) ==
        "a distance is too large");
  CHECK(refusal(with_event("[\"load\",[],[],0,0,3,9,4,0,8,-9223372036854775808]")) == "");
}

TEST_CASE("a trace of another form is refused") {
  for (
      const std::string trace :
      {"null", "3", "[]", "{}", R"({"arrays":[],"events":[]})",
       R"({"arrays":[],"events":{},"truncated":false})", R"({"arrays":3,"events":[],"truncated":false})",
       R"({"arrays":[],"events":[3],"truncated":false})", R"({"arrays":[],"events":[],"truncated":1})",
       R"({"arrays":[{}],"events":[],"truncated":false})",
       R"({"arrays":[{"name":3,"shared":true,"bytes":1,"element_bytes":1}],"events":[],"truncated":false})"}) {
    CAPTURE(trace);
    const std::string document = encode(RunAnswer{});
    CHECK_FALSE(refusal(document.substr(0, document.size() - 1) + ",\"trace\":" + trace + "}").empty());
  }
}
