// SPDX-License-Identifier: MIT
#include <sstream>

#include "lab.hpp"
#include "os/command.hpp"
#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;
using Counts = std::vector<std::uint64_t>;

const std::string run_keys =
    "lab exercise backend verdict message binning input length bins launch time_ms throughput_gb_s counters "
    "derived notes";

LabResult run_solution(const std::string& name, const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", name, "--solution", "--on", "sim"};
  words.insert(words.end(), more.begin(), more.end());
  return lab(words);
}

// This file, and after it every byte value, byte b as often as b + 1.
std::string real_bytes() {
  std::string text = text_of(workbook::here().source_root + "/tests/cli/verbs/run_test.cpp");
  REQUIRE(text.size() > 1000);
  for (std::size_t byte = 0; byte < 256; ++byte) text.append(byte + 1, static_cast<char>(byte));
  return text;
}

// What a shell pipeline counts: lines of "COUNT WHAT".
Counts counted_by_shell(const std::string& pipeline, std::size_t bins,
                        std::size_t (*bin_of)(const std::string&)) {
  const os::CommandResult result = os::run_command({"sh", "-c", pipeline});
  REQUIRE(result.code == 0);
  Counts counts(bins);
  std::istringstream lines(result.output);
  std::uint64_t count = 0;
  for (std::string what; lines >> count >> what;) counts.at(bin_of(what)) = count;
  return counts;
}

}  // namespace

TEST_CASE("the bins of a file are those that od, sort and uniq count" * doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string file = folder.write("a file", real_bytes()), quoted = "'" + file + "'";
  const Counts bytes =
      counted_by_shell("od -An -v -tu1 " + quoted + " | tr -s ' ' '\\n' | grep . | sort -n | uniq -c", 256,
                       [](const std::string& what) { return static_cast<std::size_t>(std::stoi(what)); });
  const Counts letters =
      counted_by_shell("tr -cd a-z < " + quoted + " | fold -w1 | sort | uniq -c", 26,
                       [](const std::string& what) { return static_cast<std::size_t>(what.at(0) - 'a'); });
  CHECK(bytes.at(255) == 256);
  for (const char* name : {"01", "02", "03", "04", "05/contiguous", "05/interleaved", "06"}) {
    CAPTURE(name);
    const Json by_bytes = run_solution(name, {"--input", file, "--binning", "bytes", "--json"}).json();
    CHECK(by_bytes.at("bins").get<Counts>() == bytes);
    CHECK(by_bytes.at("length") == real_bytes().size());
    CHECK(by_bytes.at("input") == file);
    const Json by_letters = run_solution(name, {"--input", file, "--binning", "letters", "--json"}).json();
    CHECK(by_letters.at("bins").get<Counts>() == letters);
  }
}

TEST_CASE("a run on the simulator is one JSON document without times") {
  if (!can_simulate_solutions()) return;
  const LabResult result = run_solution("04", {"--input", "phrase", "--json"});
  CHECK(result.code == 0);
  const Json run = result.json();
  CHECK(keys_of(run) == run_keys);
  CHECK(run.at("lab") == "04_shared_memory");
  CHECK(run.at("exercise") == "histogram");
  CHECK(run.at("backend") == "sim");
  CHECK(run.at("verdict") == "pass");
  CHECK(run.at("binning") == "letters4");
  CHECK(run.at("input") == "phrase");
  CHECK(run.at("length") == 41);
  CHECK(run.at("bins").get<Counts>() == Counts{5, 5, 6, 10, 10, 1, 1});
  CHECK(keys_of(run.at("launch")) == "grid block");
  CHECK(run.at("time_ms").is_null());
  CHECK(run.at("throughput_gb_s").is_null());
  CHECK(run.at("counters").at("threads") ==
        run.at("launch").at("grid").get<std::uint64_t>() * run.at("launch").at("block").get<std::uint64_t>());
}

TEST_CASE("a run on the CPU has times, whatever backend is asked for") {
  if (!workbook::here().has_solutions) return;
  const Json run = run_solution("01", {"--length", "4K", "--json"}).json();
  CHECK(keys_of(run) == run_keys);
  CHECK(run.at("backend") == "cpu");
  CHECK(run.at("length") == 4096);
  CHECK(keys_of(run.at("time_ms")) == "median min q1 q3 samples");
  CHECK(run.at("time_ms").at("samples").get<unsigned>() >= 20);  // until their spread is small
  CHECK(run.at("throughput_gb_s").is_number());
  CHECK(run.at("counters").empty());
}

TEST_CASE("a run without JSON shows bars, launch and counters") {
  if (!can_simulate_solutions()) return;
  const LabResult result = run_solution("02", {"--input", "phrase"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.rfind(
            "02_global_atomics histogram on sim: 41 bytes of phrase, binning letters4\n\na-d  ██", 0) == 0);
  CHECK(result.out.find("\n1 block of 256 threads\n") != std::string::npos);
  CHECK(result.out.find("\npass: equal to the CPU's count\n") != std::string::npos);
}

TEST_CASE("a file is taken whole, or cut, or repeated") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "aaax");
  const auto bins = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--input", file, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_solution("05/interleaved", words).json().at("bins").get<Counts>();
  };
  CHECK(bins({}) == Counts{3, 0, 0, 0, 0, 1, 0});
  CHECK(bins({"--length", "2"}) == Counts{2, 0, 0, 0, 0, 0, 0});
  CHECK(bins({"--length", "9"}) == Counts{7, 0, 0, 0, 0, 2, 0});
  CHECK(bins({"--length", "0"}) == Counts(7));
}

TEST_CASE("lengths are decimal, with units of 1024" * doctest::test_suite("long")) {
  if (!workbook::here().has_solutions) return;
  const std::vector<std::pair<std::string, std::uint64_t>> lengths{
      {"0", 0}, {"7", 7}, {"010", 10}, {"4k", 4096}, {"2K", 2048}, {"1M", 1 << 20}};
  for (const auto& entry : lengths) {
    CAPTURE(entry.first);
    CHECK(run_solution("01", {"--length", entry.first, "--json"}).json().at("length") == entry.second);
  }
}

TEST_CASE("an empty file has a histogram of zeros") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const LabResult result = run_solution("03", {"--input", folder.write("empty", ""), "--json"});
  CHECK(result.code == 0);
  CHECK(result.json().at("bins").get<Counts>() == Counts(7));
}

TEST_CASE("a grid whose copies of the histogram fit no memory is a limit: code 1") {
  if (!can_simulate_solutions()) return;
  const LabResult result = run_solution("03", {"--length", "1000", "--grid", "2147483647", "--json"});
  CHECK(result.code == 1);
  CHECK(result.json().at("verdict") == "limit");
}
