// SPDX-License-Identifier: MIT
#include "measure/atomic_queues.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "facts/errors.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "os/command.hpp"
#include "os/files.hpp"

namespace measure {

std::uint64_t AtomicQueue::last_answer() const { return std::ranges::max(answered); }

const AtomicQueue* AtomicQueues::find(bool shared, unsigned warps, unsigned active, unsigned words,
                                      unsigned word_stride) const {
  const auto found = std::ranges::find_if(queues, [&](const AtomicQueue& queue) {
    return queue.shared == shared && queue.warps == warps && queue.active == active && queue.words == words &&
           queue.word_stride == word_stride;
  });
  return found == queues.end() ? nullptr : &*found;
}

AtomicQueues read_atomic_queues(const std::string& text, std::string origin) {
  AtomicQueues read{.gpu = {}, .origin = std::move(origin), .queues = {}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json.at("what") != "atomic_queue") continue;
    read.gpu = json.at("gpu");
    read.clock_mhz = json.at("clock_mhz");
    read.queues.push_back({.shared = json.at("memory") == "shared",
                           .warps = json.at("warps"),
                           .active = json.at("active"),
                           .words = json.at("words"),
                           .word_stride = json.at("word_stride"),
                           .sent = json.at("sent_cycles"),
                           .answered = json.at("answered_cycles")});
  }
  return read;
}

AtomicQueues atomic_queues(const workbook::Workbook& workbook) {
  if (gpu_device(workbook).works) {
    const os::CommandResult result =
        os::run_command({workbook.build_root + "/common/model/calibrate/calibrate", "queues"});
    if (result.code != 0)
      throw facts::MachineError(fmt::format("atomics could not be measured: {}", result.output));
    return read_atomic_queues(result.output, "this machine");
  }
  // A GPU's first measurement, h200.jsonl, comes after those that add to it, h200-SOMETHING.jsonl.
  const std::vector<std::string> files = record_files(recorded_elsewhere(workbook) + "/calibration");
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    AtomicQueues kept =
        read_atomic_queues(os::read_file(*file).value_or(std::string()), workbook.shortened(*file));
    if (!kept.queues.empty()) return kept;
  }
  throw facts::MachineError("docs/records holds no measurement of atomics that wait for each other");
}

}  // namespace measure
