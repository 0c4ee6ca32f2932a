// SPDX-License-Identifier: MIT
// What the model is fed with, kept in a file, so that another try with other rules takes seconds.
#pragma once

#include <cstdint>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/estimated.hpp"

namespace kept_input {

using Json = nlohmann::json;

inline void keep(const std::string& path, const cli::ModelInput& fed) {
  Json json{{"grid", fed.launch.grid},
            {"block", fed.launch.block},
            {"dynamic", fed.launch.dynamic_shared_bytes},
            {"registers", fed.launch.registers},
            {"code", Json::binary(fed.code)},
            {"work", fed.launch.work},
            {"launches", fed.launch.launches}};
  for (const model::Sample& sample : fed.samples) {
    const model::Stream& stream = sample.stream;
    json["samples"].push_back({{"work", sample.work},
                               {"draws_dealt", sample.draws_dealt},
                               {"grid", stream.grid},
                               {"block", stream.block},
                               {"shared", stream.shared_bytes},
                               {"lines", stream.common_lines},
                               {"turns", stream.common_turns},
                               {"busiest", stream.busiest_turns},
                               {"own", stream.own_pieces},
                               {"entered", stream.entered_blocks},
                               {"parted", stream.parted_blocks},
                               {"both_ways", stream.went_both_ways},
                               {"both_accessed", stream.accessed_on_both_ways},
                               {"steps", Json::binary(model::pack(stream.blocks))}});
  }
  if (fed.launch.last_block) {
    const model::LastBlock& last = *fed.launch.last_block;
    json["last_block"] = Json::binary(model::pack({last.all, last.part}));
    json["last_block_grid"] = last.grid;
  }
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// nullopt: there is none, or it was kept by another version.
inline std::optional<cli::ModelInput> kept(const std::string& path) try {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const Json json = Json::from_cbor(file);
  cli::ModelInput fed{.launch = {.grid = json.at("grid"),
                                 .block = json.at("block"),
                                 .dynamic_shared_bytes = json.at("dynamic"),
                                 .registers = json.at("registers"),
                                 .work = json.at("work"),
                                 .launches = json.at("launches")},
                      .samples = {},
                      .code = json.at("code").get_binary()};
  if (!fed.code.empty()) fed.launch.code = model::MachineCode(fed.code);
  if (json.contains("last_block")) {
    const std::vector<model::BlockSteps> blocks = model::unpack(json.at("last_block").get_binary());
    fed.launch.last_block = {blocks.at(0), blocks.at(1), json.at("last_block_grid")};
  }
  for (const Json& one : json.at("samples")) {
    fed.samples.push_back({.work = one.at("work"),
                           .stream = {.grid = one.at("grid"),
                                      .block = one.at("block"),
                                      .shared_bytes = one.at("shared"),
                                      .common_lines = one.at("lines"),
                                      .common_turns = one.at("turns"),
                                      .busiest_turns = one.at("busiest"),
                                      .own_pieces = one.at("own"),
                                      .entered_blocks = one.at("entered"),
                                      .parted_blocks = one.at("parted"),
                                      .went_both_ways = one.at("both_ways"),
                                      .accessed_on_both_ways = one.value("both_accessed", std::uint64_t{0}),
                                      .blocks = model::unpack(one.at("steps").get_binary())},
                           .draws_dealt = one.value("draws_dealt", false)});
  }
  return fed;
} catch (const std::exception&) {
  return std::nullopt;
}

// Without what nvcc says.
inline model::Estimate without_nvcc(cli::ModelInput fed, const model::Device& device) {
  fed.launch.registers = 0;
  fed.launch.code.reset();
  return model::estimate(fed.launch, fed.samples, device);
}

}  // namespace kept_input
