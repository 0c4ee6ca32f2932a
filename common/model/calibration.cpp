// SPDX-License-Identifier: MIT
#include "model/calibration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace model {

namespace {

using Json = nlohmann::ordered_json;

// CUDA C++ Programming Guide, technical specifications per compute capability.
struct Limits {
  double capability;
  unsigned threads, blocks, shared_kib;
};
constexpr std::array<Limits, 9> limits_table{{{7.0, 2048, 32, 96},
                                              {7.5, 1024, 16, 64},
                                              {8.0, 2048, 32, 164},
                                              {8.6, 1536, 16, 100},
                                              {8.7, 1536, 16, 164},
                                              {8.9, 1536, 24, 100},
                                              {9.0, 2048, 32, 228},
                                              {10.0, 2048, 32, 228},
                                              {12.0, 1536, 24, 100}}};

// The measurements, found by their settings.
class Measured {
 public:
  explicit Measured(const std::vector<Json>& lines) : lines_(lines) {}

  // The newest of this kind in which all of `setting` holds. Throws if there is none.
  double value(const std::string& what, const std::string& key, const Json& setting) const {
    const auto found = std::find_if(lines_.rbegin(), lines_.rend(), [&](const Json& line) {
      return line.value("what", "") == what && line.contains(key) && holds(line, setting);
    });
    if (found == lines_.rend())
      throw std::runtime_error(
          fmt::format("the calibration lacks \"{}\" of \"{}\", {}; measure again, as this workbook does it",
                      key, what, setting.dump()));
    return found->at(key).get<double>();
  }

 private:
  static bool holds(const Json& line, const Json& setting) {
    return std::ranges::all_of(setting.items(), [&](const auto& wanted) {
      return line.contains(wanted.key()) && line.at(wanted.key()) == wanted.value();
    });
  }

  const std::vector<Json>& lines_;
};

// Three digits are more than two runs agree in.
double rounded(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return std::round(value / unit) * unit;
}

class DeviceFile {
 public:
  explicit DeviceFile(Json pattern) : json_(std::move(pattern)) {}

  void set(const char* key, double value, const std::string& source) {
    json_[key] = {{"value", rounded(value)}, {"source", source}};
    set_.push_back(key);
  }
  void set_whole(const char* key, std::uint64_t value, const std::string& source) {
    json_[key] = {{"value", value}, {"source", source}};
    set_.push_back(key);
  }
  void set_table(const char* key, Json table, const std::string& source) {
    json_[key] = {{"value", std::move(table)}, {"source", source}};
    set_.push_back(key);
  }

  // All numbers that were not set say whose they are.
  Json finished(const std::string& pattern_name) && {
    for (auto& [key, entry] : json_.items()) {
      if (entry.is_object() && std::ranges::count(set_, key) == 0)
        entry["source"] = "taken over from " + pattern_name + "; not measured on this GPU";
    }
    return std::move(json_);
  }

 private:
  Json json_;
  std::vector<std::string> set_;
};

double number_of(const std::string& compute_capability) {
  try {
    return std::stod(compute_capability);
  } catch (const std::exception&) {
    throw std::runtime_error(fmt::format("\"{}\" is no compute capability", compute_capability));
  }
}

void set_limits(DeviceFile& file, const std::string& compute_capability) {
  const double capability = number_of(compute_capability);
  const auto above = std::ranges::upper_bound(limits_table, capability + 0.01, {}, &Limits::capability);
  if (above == limits_table.begin())
    throw std::runtime_error(
        fmt::format("compute capability {} is older than the model knows", compute_capability));
  const Limits& limits = *(above - 1);
  const std::string source = fmt::format(
      "CUDA C++ Programming Guide, technical specifications of compute capability {}{}", limits.capability,
      std::abs(limits.capability - capability) < 0.01 ? "" : ", the next lower one to " + compute_capability);
  file.set("capability", capability, "the device's own properties");
  file.set_whole("schedulers", 4, source);
  file.set_whole("threads", limits.threads, source);
  file.set_whole("blocks", limits.blocks, source);
  file.set_whole("registers", 65536, source);
  file.set_whole("shared_bytes", std::uint64_t{limits.shared_kib} * 1024, source);
}

// Reading one byte per thread, a warp has a sector under way for each load.
constexpr double sector_read = 32, few_warps = 8;

// How long a round of loads takes of which each warp has `under_way`, on a multiprocessor that is far from
// busy.
double round_cycles(const Measured& measured, unsigned under_way) {
  return few_warps * sector_read * under_way /
         measured.value("read_dram", "bytes_per_cycle",
                        {{"load_bytes", 1}, {"under_way", under_way}, {"warps", 8}});
}

// Besides the load itself: what a turn of the loop takes.
constexpr double rest_of_a_turn = 60;

// So many times p / (1 - p) longer a load takes where DRAM is busy for the part p of the time.
double queue_cycles(const Measured& measured, double fastest) {
  constexpr double lanes = 32, busiest = 0.9;  // beyond, it is DRAM's rate that counts
  double products = 0, squares = 0;
  for (const double bytes : {4, 16}) {
    const auto rate = [&](double warps) {
      return measured.value("read_dram", "bytes_per_cycle",
                            {{"load_bytes", bytes}, {"under_way", 1}, {"warps", warps}});
    };
    const auto latency = [&](double warps) { return warps * lanes * bytes / rate(warps); };
    const auto queue = [&](double warps) { return rate(warps) / (fastest - rate(warps)); };
    for (const double warps : {16, 32, 64}) {
      if (rate(warps) > busiest * fastest) continue;
      const double more = queue(warps) - queue(few_warps);
      products += more * (latency(warps) - latency(few_warps));
      squares += more * more;
    }
  }
  return squares > 0 ? std::max(products / squares, 0.0) : 0;
}

void set_dram(DeviceFile& file, const Measured& measured) {
  const double alone = round_cycles(measured, 1);
  // Of n waits with an exponential distribution the longest is 1 + 1/2 + ... + 1/n of the mean: so much more
  // than one.
  constexpr std::array<std::pair<unsigned, double>, 3> longest{{{2, 0.5}, {4, 1.083}, {8, 1.718}}};
  double products = 0, squares = 0;
  for (const auto& [under_way, more] : longest) {
    products += more * (round_cycles(measured, under_way) - alone);
    squares += more * more;
  }
  const double spread = std::max(products / squares, 0.0);
  file.set("dram_latency", alone - rest_of_a_turn - spread,
           "measured: 8 warps with one load each under way; less 60 cycles for the rest of the loop and the "
           "spread");
  file.set(
      "dram_latency_spread", spread,
      "measured: how much longer rounds of 2, 4 and 8 loads take; fitted to an exponential distribution");
  double fastest = 0;
  for (const unsigned warps : {8, 16, 32, 64})
    fastest = std::max(fastest, measured.value("read_dram", "bytes_per_cycle",
                                               {{"load_bytes", 16}, {"under_way", 4}, {"warps", warps}}));
  file.set(
      "dram_queue_cycles", queue_cycles(measured, fastest),
      "measured: how much longer a load of 4 or 16 bytes takes with more than 8 warps, against p / (1 - p)");
  file.set("dram_bytes_per_cycle", fastest, "measured: 1 GiB with four loads of 16 bytes under way");
  file.set("dram_request_cycles",
           sector_read / measured.value("read_dram", "bytes_per_cycle",
                                        {{"load_bytes", 1}, {"under_way", 8}, {"warps", 64}}),
           "measured: loads of a byte by 64 warps, 8 of them under way");
}

void set_multiprocessor(DeviceFile& file, const Measured& measured) {
  file.set("instruction_cycles", measured.value("issue", "cycles", {{"chains", 1}, {"warps", 1}}),
           "measured: a chain of LOP3");
  file.set("integer_cycles", 4 * measured.value("issue", "cycles", {{"chains", 4}, {"warps", 32}}),
           "measured: 32 warps with four chains of LOP3 each, for each of the four schedulers");
  const std::array<std::array<const char*, 3>, 4> latencies{
      {{"shared_latency", "shared_cycles", "shared memory"},
       {"shared_atomic_latency", "shared_atomic_cycles", "shared memory, of atomics"},
       {"l1_latency", "l1_cycles", "16 KiB"},
       {"l2_latency", "l2_cycles", "8 MiB"}}};
  for (const auto& [key, name, where] : latencies) {
    file.set(key, measured.value("latency", name, Json::object()),
             fmt::format("measured: a chain in {}", where));
  }
  constexpr double lanes = 32;
  file.set("wavefront_cycles",
           measured.value("shared_increment", "cycles",
                          {{"lanes_a_word", 1}, {"word_stride", 32}, {"active", 32}, {"warps", 32}}) /
               lanes,
           "measured: atomics of shared memory, all lanes on one bank");
  const double one_warp = measured.value("barrier", "cycles", {{"warps", 1}}),
               all = measured.value("barrier", "cycles", {{"warps", 32}});
  const double of_warp = (all - one_warp) / 31;
  file.set("barrier_cycles", one_warp - of_warp, "measured: barriers of 1 and 32 warps");
  file.set("barrier_cycles_of_warp", of_warp, "measured: barriers of 1 and 32 warps");
}

// How much longer an atomic takes if all have to bring their sector from DRAM first.
double miss_cycles(const Measured& measured) {
  constexpr double used_again = 8448;  // copies, which stay in L2
  double sum = 0, count = 0;
  for (const unsigned words : {7, 8, 32, 256}) {
    const unsigned blocks = words > 32 ? 1 << 20 : words > 8 ? 1 << 21 : 1 << 22;
    for (const unsigned used : {1u, std::min(words, 32u)}) {
      const auto took = [&](double copies) {
        return measured.value("copies", "cycles",
                              {{"adds", 1},
                               {"loads", 0},
                               {"commits", 1},
                               {"words", words},
                               {"used", used},
                               {"threads", 32},
                               {"copies", copies}});
      };
      sum += took(blocks) - took(used_again);
      ++count;
    }
  }
  return sum / count;
}

void set_atomics(DeviceFile& file, const Measured& measured, double multiprocessors) {
  constexpr double lanes = 32;
  const double full = 8 * multiprocessors;
  const auto adds = [&](double lanes_a_word, double active, double lines, double times) {
    return measured.value("global_atomic", "cycles",
                          {{"blocks", full},
                           {"lanes_a_word", lanes_a_word},
                           {"word_stride", 1},
                           {"active", active},
                           {"lines", lines},
                           {"line_stride", 128},
                           {"times", times}});
  };
  file.set("turn_cycles", adds(32, 32, 1, 32) / lanes,
           "measured: atomics of all multiprocessors on one word");
  file.set("full_turn_cycles", adds(1, 8, 1, 64),
           "measured: atomics of all multiprocessors on the eight words of one sector");
  const double alone = adds(1, 1, 0, 64), together = adds(32, 32, 0, 64);
  const double turn = (together - alone) / (lanes - 1);
  file.set("private_turn_cycles", turn, "measured: a line for each warp, 32 lanes on one word");
  file.set("private_request_cycles", std::max(alone - turn, 0.0),
           "measured: a line for each warp, one lane, less a turn");
  file.set("atomic_request_cycles", alone * multiprocessors, "measured: a line for each warp, one lane");
  // Four turns of one sector take as long as one turn of each of four sectors, in one slice.
  const double one_line = adds(4, 32, 1, 32);
  Json table = Json::array({{1, 1}});
  double most = 1;
  for (const unsigned lines : {2, 4, 8, 16, 32, 64, 256, 1024, 4096}) {
    most = std::max(most, one_line / adds(1, 32, lines, 32));
    table.push_back({lines, rounded(most)});
  }
  file.set_table("slices_of_lines", std::move(table),
                 "measured: atomics of all warps on so many neighbouring lines, against one line");
  file.set("atomic_miss_cycles", miss_cycles(measured),
           "measured: blocks of 32 threads that add to copies which are new, against copies used before, and "
           "then to a common word: the mean of 8");
}

// A loop over operations of a warp also has instructions of its own. How long nvcc lets them wait for one
// another is written in the code that it makes for sm_90: a selection by a predicate takes 17, the loop's
// branch 6 for each fourth operation, less what the last of these need not wait.
constexpr double selection_and_loop = 17.75, selection_after_vote_and_loop = 19.5, move_and_loop = 5.75;
constexpr double first_redux = 8.0;  // compute capability of the first GPUs that have it

// The model gives an operation a turn of its unit and the time of an instruction; what is left of the time
// until its result is its latency.
void set_exchanges(DeviceFile& file, const Measured& measured, double capability) {
  const auto took = [&](const char* operation, unsigned values, unsigned chains, unsigned warps) {
    return measured.value(
        "exchange", "cycles",
        {{"operation", operation}, {"chains", chains}, {"values", values}, {"warps", warps}});
  };
  const auto alone = [&](const char* operation, unsigned values) { return took(operation, values, 1, 1); };
  const auto busy = [&](const char* operation, unsigned values) { return took(operation, values, 4, 32); };
  const double instruction = measured.value("issue", "cycles", {{"chains", 1}, {"warps", 1}});
  constexpr unsigned lanes = 32;
  const std::string throughput = "measured: 32 warps with four operations under way each";
  const std::string latency =
      "measured: one operation after the other, less its turn, an instruction and the loop's own "
      "instructions";
  const double shuffle = busy("shuffle", lanes), match = busy("match_any", 1),
               of_value = (busy("match_any", lanes) - match) / (lanes - 1);
  file.set("shuffle_cycles", shuffle, throughput);
  file.set("shuffle_latency", alone("shuffle", lanes) - shuffle - instruction, latency);
  file.set("vote_latency", alone("ballot", lanes) - selection_after_vote_and_loop - 2 * instruction,
           "measured: one vote after the other, less two instructions and the loop's own ones");
  file.set("match_cycles", match, throughput);
  file.set("match_cycles_of_value", of_value, throughput);
  file.set("match_latency", alone("match_any", 1) - selection_and_loop - match - instruction, latency);
  file.set("match_latency_of_value",
           (alone("match_any", lanes) - alone("match_any", 1)) / (lanes - 1) - of_value,
           "measured: how much longer a match takes for each further value, less its turn");
  if (capability < first_redux) return;
  const double redux = busy("reduce_add", lanes);
  file.set("redux_cycles", redux, throughput);
  file.set("redux_latency", alone("reduce_add", lanes) - move_and_loop - redux - instruction, latency);
}

void set_special_reads(DeviceFile& file, const Measured& measured) {
  const Json alone{{"operation", "none"}, {"beside", "special_registers"}, {"accesses", 1}};
  file.set("special_read_cycles", measured.value("both", "cycles", alone),
           "measured: 32 warps read the multiprocessor's number");
}

// Where all lanes of a warp change one word, each has a round of its own. Several warps take turns: the next
// change is that of the warp which loads first after the last one.
void set_cas_loops(DeviceFile& file, const Measured& measured) {
  constexpr double lanes = 32;
  constexpr unsigned warps = 8;
  const auto addition = [&](unsigned bytes, unsigned of_warps) {
    return measured.value("cas_loop", "cycles",
                          {{"bytes", bytes}, {"lanes_a_word", 32}, {"warps", of_warps}}) /
           lanes;
  };
  const double round = addition(4, 1), long_round = addition(8, 1);
  const std::string source = "measured: one warp of which all lanes add to one word of shared memory";
  file.set("cas_round_cycles", round, source);
  file.set("long_cas_round_cycles", long_round, source + " of 64 bits");
  file.set("cas_hold_cycles",
           (addition(4, warps) + addition(8, warps) - (round + long_round) / (2 * warps)) / 2,
           "measured: the same by 8 warps, less half the time between the loads of two; the mean of both");
}

// The place of a load is what the one before has found: an instruction adds it up, another one makes it an
// address.
void set_constants(DeviceFile& file, const Measured& measured) {
  constexpr unsigned many = 32;
  const auto load = [&](unsigned words, unsigned warps) {
    return measured.value("constant", "cycles", {{"words", words}, {"warps", warps}});
  };
  const double instruction = measured.value("issue", "cycles", {{"chains", 1}, {"warps", 1}});
  file.set("constant_cycles", load(many, 32) / many,
           "measured: 32 warps, each lane of which loads another word");
  file.set("constant_latency", load(1, 1) - 2 * instruction,
           "measured: one load after the other of one word, less two instructions");
  file.set("constant_latency_of_word", (load(many, 1) - load(1, 1)) / (many - 1),
           "measured: how much longer a load takes for each further word");
}

// A switch of eight ways with three jumps through a table. A scheduler has a quarter of 32 warps. With four
// ways each jump leads to one of them, with eight to two.
void set_switches(DeviceFile& file, const Measured& measured) {
  constexpr double warps_of_scheduler = 8, jumps = 3, instructions = 77;
  const auto turn = [&](unsigned ways, unsigned warps) {
    return measured.value("switch", "cycles", {{"ways", ways}, {"warps", warps}});
  };
  const double parting = (turn(8, 32) - turn(4, 32)) / 4 / warps_of_scheduler;
  file.set(
      "parting_cycles", parting,
      "measured: 32 warps whose lanes go 4 and 8 ways of a switch, a scheduler's 8 warps for 4 ways more");
  file.set("jump_cycles", turn(4, 32) / warps_of_scheduler / jumps - parting,
           "measured: the same with 4 ways, for three jumps and three partings");
  file.set("jump_latency", turn(1, 1) - instructions,
           "measured: one warp that goes one way, less what its instructions take");
}

void set_launches(DeviceFile& file, const Measured& measured, double multiprocessors, double clock_mhz) {
  constexpr double many = 1 << 20;
  file.set("block_start_cycles",
           measured.value("empty_blocks", "ns", {{"blocks", 1 << 20}, {"threads", 32}}) / many *
               multiprocessors * clock_mhz * 1e-3,
           "measured: 1,048,576 empty blocks");
}

}  // namespace

std::string id_of_gpu(const std::string& name) {
  std::string id = name;
  for (const char* const brand : {"NVIDIA ", "GeForce ", "Tesla ", " GPU"}) {
    if (const std::size_t at = id.find(brand); at != std::string::npos)
      id.erase(at, std::string(brand).size());
  }
  std::string plain;
  for (const char c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == '-' && !plain.empty())
      plain += c;
  }
  return plain;
}

Json device_file(const std::vector<Json>& lines, const std::string& compute_capability, const Json& pattern) {
  if (lines.empty()) throw std::runtime_error("the calibration is empty");
  const Json& first = lines.front();
  const Measured measured(lines);
  const auto name = first.at("gpu").get<std::string>();
  const auto multiprocessors = first.at("multiprocessors").get<std::uint64_t>();
  const auto clock_mhz = first.at("clock_mhz").get<double>();
  DeviceFile file(pattern);
  file.set_whole("multiprocessors", multiprocessors, "the device's own properties");
  file.set_whole("clock_mhz", static_cast<std::uint64_t>(std::llround(clock_mhz)),
                 "measured: cycles over nanoseconds of a kernel that spins");
  set_limits(file, compute_capability);
  set_multiprocessor(file, measured);
  set_dram(file, measured);
  set_atomics(file, measured, static_cast<double>(multiprocessors));
  set_exchanges(file, measured, number_of(compute_capability));
  set_special_reads(file, measured);
  set_cas_loops(file, measured);
  set_constants(file, measured);
  set_switches(file, measured);
  set_launches(file, measured, static_cast<double>(multiprocessors), clock_mhz);
  constexpr double error = 0.3;
  file.set("error", error,
           "a guess between that of the H200 and of GPUs from data sheets: nobody has compared");
  Json json = std::move(file).finished(pattern.at("name").get<std::string>());
  json["name"] = name;
  json["calibrated"] = true;
  return json;
}

}  // namespace model
