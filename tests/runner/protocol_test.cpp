// SPDX-License-Identifier: MIT
// The messages as JSON documents; how they travel is in protocol_frames_test.cpp.
#include "runner/protocol.hpp"

#include <doctest/doctest.h>

#include <array>

#include "support/outputs.hpp"

using namespace runner;

namespace {

// The document with one piece of text replaced, to see that what was right is refused then.
std::string replaced(std::string document, const std::string& from, const std::string& to) {
  const std::size_t at = document.find(from);
  REQUIRE(at != std::string::npos);
  return document.replace(at, from.size(), to);
}

RunRequest example_request() {
  RunRequest request{.variant = "letters4", .length = (std::uint64_t{1} << 33) + 1, .misalignment = 3};
  request.options.block = 256;
  request.options.grid = 7;
  request.options.warm_cache = true;
  request.warm_ups = 2;
  request.samples = 9;
  request.options.lockstep_seed = ~std::uint64_t{0};
  request.options.lockstep_turns = {facts::Preferred::last_blocks, std::uint64_t{1} << 40};
  request.options.lockstep_order = {3, 0, ~std::uint64_t{0}};
  request.end_after_ms = 9000;
  request.timed = true;
  request.same_input = true;
  request.options.places = true;
  request.conduct = true;
  return request;
}

RunAnswer example_answer() {
  RunAnswer answer;
  answer.outputs = {output_of({1, 0, 0xffffffffu}), output_of({4, 5, 6})};
  answer.unfinished = Unfinished{1, 3};
  answer.grid = 12;
  answer.block = 1024;
  answer.times_ms = {0.1, 1e-7, 12345.678};
  answer.clocks_mhz = {1980, 1755.5};
  answer.occupancy = Occupancy{8, 64, 48, 28, 1024, "registers"};
  answer.counters = {{"threads", std::uint64_t{1} << 40}, {"warps", 0}};
  answer.places = {{std::uint64_t{1} << 33, {{"global_load_requests", 3}}}, {16, {}}};
  answer.conduct = {{"input_bytes", 41}};
  answer.observations = {{facts::Verdict::out_of_bounds, "wrote histo[7]", {}},
                         {facts::Verdict::divergent_barrier, "two\nlines", {1, ~std::uint64_t{0}}}};
  answer.notes = {{.message = "a \"flag\"", .sites = {7, 9}}, {}};
  return answer;
}

}  // namespace

TEST_CASE("Hello comes back as it was sent") {
  const Hello sent{"04_shared_memory", "histogram", "sim", "a \"device\"\n\\ \xc3\xbc", "no such driver"};
  const Hello got = decode_hello(encode(sent));
  CHECK(got.lab == sent.lab);
  CHECK(got.exercise == sent.exercise);
  CHECK(got.backend == sent.backend);
  CHECK(got.device == sent.device);
  CHECK(got.unavailable == sent.unavailable);
  CHECK(decode_hello(encode(Hello{})).unavailable.empty());
}

TEST_CASE("RunRequest comes back as it was sent") {
  SUBCASE("everything given") {
    const RunRequest sent = example_request(), got = decode_request(encode(sent));
    CHECK(got.variant == sent.variant);
    CHECK(got.options.lockstep_seed == sent.options.lockstep_seed);
    CHECK(got.options.lockstep_turns == sent.options.lockstep_turns);
    CHECK(got.options.lockstep_order == sent.options.lockstep_order);
    CHECK(got.end_after_ms == sent.end_after_ms);
    CHECK(got.length == sent.length);
    CHECK(got.misalignment == sent.misalignment);
    CHECK(got.options.block == sent.options.block);
    CHECK(got.options.grid == sent.options.grid);
    CHECK(got.options.warm_cache);
    CHECK(got.warm_ups == sent.warm_ups);
    CHECK(got.samples == sent.samples);
    CHECK(got.timed);
    CHECK(got.same_input);
    CHECK(got.options.places);
    CHECK(got.conduct);
  }
  SUBCASE("neither block nor grid") {
    const RunRequest got = decode_request(encode(RunRequest{.variant = "bytes"}));
    CHECK_FALSE(got.options.block.has_value());
    CHECK_FALSE(got.options.grid.has_value());
    CHECK_FALSE(got.options.warm_cache);
    CHECK_FALSE(got.options.lockstep_seed.has_value());
    CHECK_FALSE(got.options.lockstep_turns.has_value());
    CHECK_FALSE(got.end_after_ms.has_value());
    CHECK(got.length == 0);
    CHECK_FALSE(got.timed);
    CHECK_FALSE(got.same_input);
    CHECK_FALSE(got.options.places);
    CHECK(got.samples == 1);
    CHECK_FALSE(got.conduct);
  }
  SUBCASE("0 is not the same as nothing") {
    RunRequest sent{.variant = "bytes"};
    sent.options.block = 0;
    sent.options.grid = 0;
    sent.options.lockstep_seed = 0;
    const RunRequest got = decode_request(encode(sent));
    CHECK(got.options.lockstep_seed == 0u);
    CHECK(got.options.block == 0u);
    CHECK(got.options.grid == 0u);
  }
}

TEST_CASE("RunAnswer comes back as it was sent") {
  SUBCASE("a run") {
    const RunAnswer sent = example_answer(), got = decode_answer(encode(sent));
    CHECK(got.outputs == sent.outputs);
    CHECK(got.unfinished == sent.unfinished);
    CHECK(got.grid == sent.grid);
    CHECK(got.block == sent.block);
    CHECK(got.times_ms == sent.times_ms);
    CHECK(got.clocks_mhz == sent.clocks_mhz);
    REQUIRE(got.occupancy);
    CHECK(got.occupancy->resident_blocks == 8);
    CHECK(got.occupancy->warps == 64);
    CHECK(got.occupancy->most_warps == 48);
    CHECK(got.occupancy->registers == 28);
    CHECK(got.occupancy->shared_bytes == 1024);
    CHECK(got.occupancy->limited_by == "registers");
    CHECK(got.counters == sent.counters);
    CHECK(got.places == sent.places);
    CHECK(got.conduct == sent.conduct);
    CHECK_FALSE(got.failure.has_value());
    REQUIRE(got.notes.size() == 2);
    CHECK(got.notes[0].message == "a \"flag\"");
    CHECK(got.notes[0].sites == std::vector<std::uint64_t>{7, 9});
    CHECK(got.notes[1].sites.empty());
    REQUIRE(got.observations.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(got.observations[i].verdict == sent.observations[i].verdict);
      CHECK(got.observations[i].message == sent.observations[i].message);
      CHECK(got.observations[i].sites == sent.observations[i].sites);
      CHECK(got.observations[i].diagnosis == sent.observations[i].diagnosis);
    }
  }
  SUBCASE("every kind of failure") {
    for (const auto kind :
         {RunFailure::Kind::launch_error, RunFailure::Kind::device_error, RunFailure::Kind::too_large}) {
      RunAnswer sent;
      sent.failure = RunFailure{kind, "in its words"};
      const RunAnswer got = decode_answer(encode(sent));
      REQUIRE(got.failure.has_value());
      CHECK(got.failure->kind == kind);
      CHECK(got.failure->message == "in its words");
      CHECK(got.outputs.empty());
      CHECK(got.notes.empty());
    }
  }
}

TEST_CASE("text that is no UTF-8 is sent with replacement characters") {
  Hello hello;
  hello.device = "a\xff";
  CHECK(decode_hello(encode(hello)).device == "a\xef\xbf\xbd");
  RunAnswer answer;
  answer.failure = RunFailure{RunFailure::Kind::device_error, "b\xc3"};
  CHECK(decode_answer(encode(answer)).failure.value().message == "b\xef\xbf\xbd");
}

TEST_CASE("a document that is no such message is a ProtocolError") {
  for (const std::string document :
       {"", " ", "{", "{}", "[]", "null", "3", "\"text\"", "{\"lab\":\"\xff\"}", "{} {}"}) {
    CAPTURE(document);
    CHECK_THROWS_AS(decode_hello(document), ProtocolError);
    CHECK_THROWS_AS(decode_request(document), ProtocolError);
    CHECK_THROWS_AS(decode_answer(document), ProtocolError);
  }
}

TEST_CASE("one message is not taken for another") {
  CHECK_THROWS_AS(decode_hello(encode(example_request())), ProtocolError);
  CHECK_THROWS_AS(decode_request(encode(example_answer())), ProtocolError);
  CHECK_THROWS_AS(decode_answer(encode(Hello{})), ProtocolError);
}

TEST_CASE("a message without one of its parts is a ProtocolError") {
  for (const std::string key : {"lab", "exercise", "backend", "device", "unavailable"}) {
    CAPTURE(key);
    CHECK_THROWS_AS(decode_hello(replaced(encode(Hello{}), "\"" + key + "\"", "\"other\"")), ProtocolError);
  }
  for (const std::string key : {"variant", "length", "misalignment", "warm_ups", "samples"}) {
    CAPTURE(key);
    CHECK_THROWS_AS(decode_request(replaced(encode(example_request()), "\"" + key + "\"", "\"other\"")),
                    ProtocolError);
  }
  for (const std::string key :
       {"outputs", "grid", "block", "times_ms", "counters", "observations", "kind", "sites", "diagnosis"}) {
    CAPTURE(key);
    CHECK_THROWS_AS(decode_answer(replaced(encode(example_answer()), "\"" + key + "\"", "\"other\"")),
                    ProtocolError);
  }
}

TEST_CASE("a part of the wrong type or beyond its range is a ProtocolError") {
  const auto request = [](const char* from, const char* to) {
    return replaced(encode(example_request()), from, to);
  };
  REQUIRE_NOTHROW(decode_request(request("\"block\":256", "\"block\":255")));
  for (const char* const value :
       {"\"block\":\"256\"", "\"block\":null", "\"block\":-1", "\"block\":4294967296", "\"block\":1.5"}) {
    CAPTURE(std::string(value));
    CHECK_THROWS_AS(decode_request(request("\"block\":256", value)), ProtocolError);
  }
  CHECK_THROWS_AS(decode_request(request("\"samples\":9", "\"samples\":-9")), ProtocolError);
  CHECK_THROWS_AS(decode_request(request("\"variant\":\"letters4\"", "\"variant\":4")), ProtocolError);

  const auto answer = [](const char* from, const char* to) {
    return replaced(encode(example_answer()), from, to);
  };
  const std::string output = document_of({4, 5, 6});
  CHECK(output == "\"040000000500000006000000\"");
  REQUIRE_NOTHROW(decode_answer(answer(output.c_str(), "\"04000000050000000700000a\"")));
  REQUIRE_NOTHROW(decode_answer(answer(output.c_str(), "\"\"")));
  for (const char* const wrong :
       {"\"4\"", "\"040\"", "\"-4\"", "\"0g\"", "\"0A\"", "\" 4\"", "\"0x04\"", "\"4,5,6.\"",
        "\"04\\u000005\"", "\"\\u00e9\"", "[4,5,6]", "[\"04\",\"05\"]", "4", "null", "{\"a\":4}"}) {
    CAPTURE(std::string(wrong));
    CHECK_THROWS_AS(decode_answer(answer(output.c_str(), wrong)), ProtocolError);
  }
  for (const char* const notes : {"[7,-9]", "[7,9.5]", "7", "null"}) {
    CAPTURE(std::string(notes));
    CHECK_THROWS_AS(decode_answer(answer("[7,9]", notes)), ProtocolError);
  }
  CHECK_THROWS_AS(decode_answer(answer("\"a \\\"flag\\\"\"", "3")), ProtocolError);
  CHECK_THROWS_AS(decode_answer(answer("\"grid\":12", "\"grid\":-12")), ProtocolError);
  CHECK_THROWS_AS(decode_answer(answer("\"warps\":0", "\"warps\":-1")), ProtocolError);
  CHECK_THROWS_AS(decode_answer(answer("12345.678", "null")), ProtocolError);
  for (const char* const place : {"[-16,{}]", "[16]", "[16,[]]", "16", "[16,{\"warps\":-1}]"}) {
    CAPTURE(std::string(place));
    CHECK_THROWS_AS(decode_answer(answer("[16,{}]", place)), ProtocolError);
  }
  for (const std::string wrong : {"null", "3", "[3]", "\"threads\""}) {
    CAPTURE(wrong);
    for (const std::string part : {"\"outputs\":[]", "\"observations\":[]", "\"counters\":{}"}) {
      CAPTURE(part);
      const std::string key = part.substr(0, part.size() - 2);
      CHECK_THROWS_AS(decode_answer(replaced(encode(RunAnswer{}), part, key + wrong)), ProtocolError);
    }
  }
  CHECK_THROWS_AS(decode_answer(answer("[1,18446744073709551615]", "[-1]")), ProtocolError);
  CHECK_THROWS_AS(decode_answer(answer("[1,18446744073709551615]", "[18446744073709551616]")), ProtocolError);
}

TEST_CASE("a failure of an unknown kind is a ProtocolError that names it") {
  RunAnswer answer;
  answer.failure = RunFailure{RunFailure::Kind::too_large, ""};
  CHECK_THROWS_WITH_AS(decode_answer(replaced(encode(answer), "too_large", "wrong")),
                       "unknown kind of failure: wrong", ProtocolError);
}

TEST_CASE("a document nested a million deep is refused as any other") {
  const std::string open(1'000'000, '['), close(1'000'000, ']');
  CHECK_THROWS_AS(decode_answer(open), ProtocolError);
  CHECK_THROWS_AS(decode_answer(open + close), ProtocolError);
}
