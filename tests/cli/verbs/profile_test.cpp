// SPDX-License-Identifier: MIT
#include <map>
#include <regex>
#include <sstream>

#include "facts/counters.hpp"
#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;

// line -> its text
std::map<int, std::string> numbered_lines(const std::string& path) {
  std::istringstream text(text_of(path));
  std::map<int, std::string> lines;
  int number = 0;
  for (std::string line; std::getline(text, line);) lines[++number] = line;
  return lines;
}

// The one line of the file with this text, as JSON has it.
Json at_line_with(const Json& profile, const std::string& text) {
  const auto lines =
      numbered_lines(workbook::here().source_root + "/" + profile.at("file").get<std::string>());
  for (const Json& line : profile.at("lines")) {
    if (lines.at(line.at("line")).find(text) != std::string::npos) return line.at("counters");
  }
  return nullptr;
}

}  // namespace

TEST_CASE("each line has its counters, and together they are the kernel's") {
  if (!can_simulate_solutions()) return;
  const LabResult result = lab({"profile", "04", "--solution", "--on", "sim", "--input", "bytes", "--binning",
                                "bytes", "--length", "4096", "--block", "256", "--json"});
  CHECK(result.code == 0);
  const Json profile = result.json();
  CHECK(keys_of(profile) ==
        "lab exercise backend verdict message binning input length launch counters derived file lines "
        "elsewhere before");
  const Json& counters = profile.at("counters");
  CHECK(profile.at("derived") == Json({{"lane_efficiency", counters.at("thread_steps").get<double>() /
                                                               counters.at("warp_steps").get<double>()}}));
  CHECK(profile.at("launch") == Json({{"grid", 16}, {"block", 256}}));
  CHECK(profile.at("file") == "solutions/04_shared_memory/histogram.cu");
  CHECK(at_line_with(profile, "counts[bin] = 0;") == Json({{"shared_store_requests", 128},
                                                           {"shared_store_wavefronts", 128},
                                                           {"thread_steps", 4096},
                                                           {"warp_steps", 128}}));
  CHECK(at_line_with(profile, "bin_of(data[position])") == Json({{"global_load_requests", 128},
                                                                 {"global_load_sectors", 128},
                                                                 {"thread_steps", 4096},
                                                                 {"warp_steps", 128}}));
  CHECK(at_line_with(profile, "atomicAdd(&counts[bin], 1u)").at("shared_atomics") == 4096);
  CHECK(at_line_with(profile, "__syncthreads()").is_null());
  CHECK(profile.at("elsewhere").empty());
  std::map<std::string, std::uint64_t> sum;
  for (const Json& line : profile.at("lines")) {
    for (const auto& [name, value] : line.at("counters").items()) sum[name] += value.get<std::uint64_t>();
  }
  for (const auto& counter : profile.at("counters").items()) {
    const std::string name = counter.key();
    const bool of_accesses = name.rfind("global", 0) == 0 || name.rfind("shared", 0) == 0;
    CAPTURE(name);
    if (of_accesses) CHECK(sum[name] == counter.value().get<std::uint64_t>());
  }
  CHECK(profile.at("before").at("lab") == "03_privatization");
  CHECK(profile.at("before").at("counters").at("shared_atomics") == 0);
}

TEST_CASE("the kernel is printed with its counters, against the lab before") {
  if (!can_simulate_solutions()) return;
  const LabResult result =
      lab({"profile", "06", "--solution", "--on", "sim", "--input", "same", "--length", "4096"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(
      result.out.rfind(
          "06_aggregation histogram on sim: 4,096 bytes of same, binning letters4\n1 block of 256 threads\n",
          0) == 0);
  CHECK(std::regex_search(
      result.out,
      std::regex(
          "\n +8 +256 +32.0 +[0-9]+    if \\(current >= 0\\) atomicAdd\\(&counts\\[current\\], run\\);\n")));
  CHECK(result.out.find("<solution>") == std::string::npos);
  CHECK(std::regex_search(result.out, std::regex("\n +06 +05/interleaved\n")));
  CHECK(
      std::regex_search(result.out, std::regex("\nshared_atomics +256 +4,096  the same counted by lanes\n")));
  CHECK(result.out.find("global_store") == std::string::npos);
}

TEST_CASE("lab 02 has no lab before it that launches a kernel") {
  if (!can_simulate_solutions()) return;
  const LabResult result = lab({"profile", "02", "--solution", "--on", "sim", "--length", "100", "--json"});
  CHECK(result.code == 0);
  CHECK(result.json().at("before").is_null());
}

TEST_CASE("every counter of a run has a meaning, and stands in the document") {
  if (!can_simulate_solutions()) return;
  const Json counters =
      lab({"run", "04", "--solution", "--on", "sim", "--length", "100", "--json"}).json().at("counters");
  const std::string document = text_of(workbook::here().source_root + "/docs/counters.md");
  CHECK(counters.size() == facts::counter_table.size());
  for (const facts::CounterRow& row : facts::counter_table) {
    const std::string name(row.quantity.name);
    CAPTURE(name);
    CHECK(counters.contains(name));
    CHECK(document.find("| `" + name + "` |") != std::string::npos);
  }
  for (const facts::DerivedCounter& which : facts::derived_table) {
    const std::string row = "| `" + std::string(which.name) + "` | `" + std::string(name_of(which.of)) +
                            "` / `" + std::string(name_of(which.over)) + "`";
    CAPTURE(row);
    CHECK(document.find(row) != std::string::npos);
  }
}

TEST_CASE("what is derived is shown behind the counters, of the exercise and of the one before it") {
  if (!can_simulate_solutions() || workbook::here().find("x1/converged").empty()) return;
  for (const std::string name : {"06", "x1/converged"}) {
    const LabResult result = lab({"profile", name, "--solution", "--on", "sim", "--length", "4096"});
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(std::regex_search(
        result.out,
        std::regex("\nlane_efficiency +[0-9]+\\.[0-9][0-9] +[0-9]+\\.[0-9][0-9]  active lanes in a step of a "
                   "warp, on average, of 32\n")));
  }
}
