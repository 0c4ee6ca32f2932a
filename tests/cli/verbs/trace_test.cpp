// SPDX-License-Identifier: MIT
#include <sstream>

#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Runs a solution on the phrase, with "--trace FILE"; the file's lines.
std::vector<std::string> traced(const std::string& name, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/trace";
  std::vector<std::string> words{"run", name, "--solution", "--input", "phrase", "--trace", file};
  words.insert(words.end(), more.begin(), more.end());
  CHECK(lab(words).code == 0);
  return lines_of(text_of(file));
}

// The first line of the solution's file that holds the text.
std::string line_with(const std::string& file, const std::string& text) {
  const std::vector<std::string> lines = lines_of(text_of(workbook::here().source_root + "/" + file));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(text) != std::string::npos) {
      return R"({"file":")" + file + R"(","line":)" + std::to_string(i + 1) + "}";
    }
  }
  return "no such line: " + text;
}

// What docs/trace.md shows: its command and its file, whose first line is folded there.
struct TracedExample {
  std::vector<std::string> words, lines;
};

TracedExample example_of_document() {
  TracedExample example;
  std::string block;
  for (const std::string& line : lines_of(text_of(workbook::here().source_root + "/docs/trace.md"))) {
    if (line.rfind("```", 0) == 0) {
      block = line;
    } else if (block == "```sh") {
      std::istringstream words(line);
      for (std::string word; words >> word;) example.words.push_back(word);
    } else if (block == "```json") {
      if (line.front() == ' ') {
        example.lines.back() += line.substr(1);
      } else {
        example.lines.push_back(line);
      }
    }
  }
  return example;
}

workbook::Workbook nowhere() {
  workbook::Workbook workbook = workbook::here();
  workbook.build_root = "/nowhere";
  return workbook;
}

std::string trace_lines(const std::vector<facts::TraceRequest::Blocks>& blocks, facts::Trace trace) {
  const measure::Record record{
      .seed = 7,
      .exercise = {"02_global_atomics", "histogram", "histogram.cu", true, "histogram"},
      .backend = facts::Backend::sim,
      .variant = "letters",
      .input = "text",
      .length = 1000,
      .launch = {4, 256},
      .trace = std::move(trace)};
  return cli::trace_lines(nowhere(), record, workbook::Tree::student, {blocks});
}

std::string blocks_text(const std::string& words) {
  std::string text;
  for (const auto& [first, last] : cli::traced_blocks(words).blocks)
    text += std::to_string(first) + "-" + std::to_string(last) + " ";
  return text;
}

}  // namespace

TEST_CASE("lab 02's trace, line for line") {
  if (!can_simulate_solutions()) return;
  const std::string file = "solutions/02_global_atomics/histogram.cu";
  CHECK(
      traced("02") ==
      std::vector<std::string>{
          R"({"format":"workbook-trace","version":2,"lab":"02_global_atomics","exercise":"histogram","file":")" +
              file +
              R"(","binning":"letters4","input":"phrase","length":41,"seed":1,"launch":{"grid":1,"block":256},"order":"warps","values":false,"blocks":[[0,0]],)"
              R"("arrays":[{"name":"data","space":"global","bytes":41,"element_bytes":1},)"
              R"({"name":"histo","space":"global","bytes":28,"element_bytes":4}],"places":[)" +
              line_with(file, "data[position]") + "," + line_with(file, "atomicAdd(") +
              R"(],"events":6,"truncated":false})",
          R"({"do":"begin","block":0})",
          R"({"do":"load","warp":0,"lanes":"ffffffff","array":0,"size":1,"at":0,"stride":1,"place":0})",
          R"({"do":"atomic_increment","warp":0,"lanes":"bfdff7ff","array":1,"size":4,"at":[12,16,12,4,16,0,12,12,8,12,4,12,0,16,)"
          R"(16,8,20,4,8,24,12,0,16,0,8,8,4,8,12],"place":1})",
          R"({"do":"load","warp":1,"lanes":"000001ff","array":0,"size":1,"at":32,"stride":1,"place":0})",
          R"({"do":"atomic_increment","warp":1,"lanes":"000001ff","array":1,"size":4,"at":[16,12,0,4,16,16,12,16,16],"place":1})",
          R"({"do":"end"})",
      });
}

TEST_CASE("lab 04's trace is the one that docs/trace.md shows, line for line") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const TracedExample example = example_of_document();
  REQUIRE(example.words.size() > 3);
  REQUIRE(example.words.front() == "build/lab");
  REQUIRE(example.words.back() == "FILE");
  std::vector<std::string> words(example.words.begin() + 1, example.words.end() - 1);
  words.push_back(folder.path() + "/trace");
  CHECK(lab(words).code == 0);
  CHECK(example.lines.size() == 12);
  CHECK(lines_of(text_of(words.back())) == example.lines);
}

TEST_CASE("chosen blocks are traced, and every line is JSON") {
  if (!can_simulate_solutions()) return;
  const std::vector<std::string> lines = traced("02", {"--block", "8", "--trace-blocks", "5,1-2,99"});
  std::string begun;
  for (const std::string& line : lines) {
    const Json event = Json::parse(line);
    if (event.contains("block")) begun += event.at("block").dump() + " ";
  }
  CHECK(begun == "1 2 5 ");
  const Json header = Json::parse(lines.front());
  CHECK(header.at("blocks").dump() == "[[5,5],[1,2],[99,99]]");
  CHECK(header.at("launch").dump() == R"({"grid":32,"block":8})");
  CHECK(header.at("events") == lines.size() - 1);
}

TEST_CASE("a run says where its trace is; with --json as a key of its own") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string file = folder.write("trace", "what was there before");
  const LabResult text = lab({"run", "02", "--solution", "--input", "phrase", "--trace", file});
  CHECK(text.out.find("\ntrace: 6 events in " + file + "\n") != std::string::npos);
  CHECK(text_of(file).rfind("{\"format\":", 0) == 0);
  const Json json = lab({"run", "02", "--solution", "--input", "phrase", "--json", "--trace", file}).json();
  CHECK(json.at("trace").dump() == Json{{"file", file}, {"events", 6}, {"truncated", false}}.dump());
  CHECK_FALSE(lab({"run", "02", "--solution", "--input", "phrase", "--json"}).json().contains("trace"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) ==
        1);  // nothing lies beside it
}

TEST_CASE("a trace that does not fit is cut off, and says so" * doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/trace";
  const LabResult result = lab({"run", "02", "--solution", "--input", "bytes", "--binning", "bytes",
                                "--length", "4M", "--trace", file, "--trace-blocks", "0-999999"});
  CHECK(result.code == 0);
  CHECK(result.out.find(" events, cut off where no more fit, in " + file + "\n") != std::string::npos);
  const std::vector<std::string> lines = lines_of(text_of(file));
  CHECK(Json::parse(lines.front()).at("truncated") == true);
  CHECK(Json::parse(lines.front()).at("events") == lines.size() - 1);
  CHECK(lines.size() > 40'000);
}

TEST_CASE("where a kernel does not run there is no trace, and what was there stays") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string file = folder.write("trace", "what was there before");
  const LabResult refused =
      lab({"run", "03", "--solution", "--input", "phrase", "--grid", "2147483647", "--trace", file});
  CHECK(refused.code == 1);
  CHECK(refused.out.find("\nno trace: the kernel did not run to its end\n") != std::string::npos);
  CHECK(text_of(file) == "what was there before");
  CHECK(lab({"run", "03", "--solution", "--grid", "2147483647", "--json", "--trace", file})
            .json()
            .at("trace")
            .is_null());
}

TEST_CASE("what cannot be traced is refused, and so is a list of blocks that is none") {
  CHECK(refusal({"run", "01", "--trace", "x"}) ==
        "lab: --trace works on the simulator alone; lab 01 launches no kernel\n");
  CHECK(refusal({"run", "04", "--on", "gpu", "--trace", "x"}) ==
        "lab: --trace works on the simulator alone; --on sim chooses it\n");
  CHECK(refusal({"run", "04", "--trace-blocks", "1"}) ==
        "lab: --trace-blocks chooses blocks for --trace FILE, which is not given\n");
  CHECK(refusal({"run", "04", "--trace", "x", "--trace-blocks", "1,"}) ==
        "lab: --trace-blocks \"1,\": not a list of blocks such as 0,3-5\n");
}

TEST_CASE("where no file can be written nothing is run: code 3") {
  const TemporaryFolder folder;
  const LabResult on_folder = lab({"run", "04", "--trace", folder.path()});
  CHECK(on_folder.code == 3);
  CHECK(on_folder.out.empty());
  CHECK(on_folder.err ==
        "lab: cannot write " + folder.path() + ": it is a folder, a device or a pipe, not a regular file\n");
  const LabResult in_none = lab({"run", "04", "--trace", folder.path() + "/none/trace"});
  CHECK(in_none.code == 3);
  CHECK(in_none.err == "lab: cannot write \"" + folder.path() + "/none/trace\": there is no such folder\n");
  CHECK(lab({"run", "04", "--trace", ""}).code == 3);
  CHECK(lab({"run", "04", "--trace", "/dev/null"}).code == 3);
}

TEST_CASE("lists of blocks are numbers and ranges") {
  CHECK(blocks_text("0") == "0-0 ");
  CHECK(blocks_text("0,3-5") == "0-0 3-5 ");
  CHECK(blocks_text("7-7,18446744073709551615") == "7-7 18446744073709551615-18446744073709551615 ");
  for (const std::string words : {"", ",", "1,", ",1", "1-", "-1", "5-3", "1--2", "1 2", "1, 2", "+1", "x",
                                  "0x1", "1.5", "18446744073709551616"}) {
    CAPTURE(words);
    CHECK_THROWS_WITH_AS(cli::traced_blocks(words),
                         ("--trace-blocks \"" + words + "\": not a list of blocks such as 0,3-5").c_str(),
                         facts::UsageError);
  }
}

TEST_CASE("places that nothing is known of are null") {
  facts::Trace trace;
  trace.events = {{.step = facts::TraceStep::block_begins, .block = 3},
                  {.step = facts::TraceStep::barrier, .place = 0x99999999},
                  {.step = facts::TraceStep::warp_barrier, .warp = 2, .lanes = 5, .place = 0x99999999},
                  {.step = facts::TraceStep::block_ends}};
  trace.truncated = true;
  CHECK(
      lines_of(trace_lines({{3, 3}}, trace)) ==
      std::vector<std::string>{
          R"({"format":"workbook-trace","version":2,"lab":"02_global_atomics","exercise":"histogram","file":")" +
              nowhere().shortened(
                  nowhere().source_file({"02_global_atomics", "histogram", "histogram.cu", true, "histogram"},
                                        workbook::Tree::student)) +
              R"(","binning":"letters","input":"text","length":1000,"seed":7,"launch":{"grid":4,"block":256},"order":"warps","values":false,"blocks":[[3,3]],)"
              R"("arrays":[],"places":[null],"events":4,"truncated":true})",
          R"({"do":"begin","block":3})", R"({"do":"barrier","place":0})",
          R"({"do":"warp_barrier","warp":2,"lanes":"00000005","place":0})", R"({"do":"end"})"});
}

TEST_CASE("names and offsets that a hostile program makes up are written as JSON can hold them") {
  facts::Trace trace;
  trace.arrays = {{"a\"b\n\xff", true, ~std::uint64_t{0}, 0}};
  trace.events = {{.step = facts::TraceStep::store,
                   .warp = 31,
                   .lanes = 3,
                   .size = 16,
                   .array = 0,
                   .first = ~std::uint64_t{0},
                   .stride = INT64_MIN}};
  // More places than are asked for: the last ones have none.
  for (std::uint64_t place = 1; place <= 10'001; ++place)
    trace.events.push_back({.step = facts::TraceStep::barrier, .place = place});
  const std::vector<std::string> lines = lines_of(trace_lines({}, trace));
  REQUIRE(lines.size() == 10'003);
  CHECK(Json::parse(lines[0]).at("arrays").dump() ==
        R"([{"name":"a\"b\n)"
        "\xef\xbf\xbd"
        R"(","space":"shared","bytes":18446744073709551615,"element_bytes":null}])");
  CHECK(lines[1] ==
        R"({"do":"store","warp":31,"lanes":"00000003","array":0,"size":16,"at":18446744073709551615,)"
        R"("stride":-9223372036854775808})");
  CHECK(lines[10'001] == R"({"do":"barrier","place":9999})");
  CHECK(lines[10'002] == R"({"do":"barrier"})");
}
