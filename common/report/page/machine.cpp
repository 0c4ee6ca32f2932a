// SPDX-License-Identifier: MIT
// Where the numbers come from, and how to get them again.
#include <fmt/core.h>

#include <map>

#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

std::string count_text(std::size_t count, const std::string& of_one, const std::string& of_several) {
  return fmt::format("{} {}", facts::separated(count), count == 1 ? of_one : of_several);
}

std::string mebibytes_text(const std::string& mebibytes) {
  constexpr std::uint64_t mebi = 1 << 20;
  const bool number = !mebibytes.empty() && mebibytes.size() < 12 &&
                      mebibytes.find_first_not_of("0123456789") == std::string::npos;
  return number ? fmt::format("{:.3g} GiB", static_cast<double>(std::stoull(mebibytes) * mebi) / (1 << 30))
                : mebibytes;
}

// What is known of a GPU, in words.
std::string gpu_words(const std::map<std::string, std::string>& gpu) {
  if (gpu.empty()) return "none";
  const auto of = [&](const char* key) { return gpu.contains(key) ? gpu.at(key) : std::string("?"); };
  return fmt::format("{}, compute capability {}, {} multiprocessors, up to {} MHz, {} of memory", of("name"),
                     of("compute_capability"), of("multiprocessors"), of("clock_mhz"),
                     mebibytes_text(of("memory_mib")));
}

}  // namespace

std::string machine_html(const measure::Selected& selected) {
  const measure::Machine& machine = selected.machine;
  HtmlTable table({{"", Align::left}, {"", Align::prose}});
  table.add({"GPU", gpu_words(machine.gpu)});
  if (!machine.gpu.empty()) {
    const auto of = [&](const char* key) {
      return machine.gpu.contains(key) ? machine.gpu.at(key) : std::string("?");
    };
    table.add({"CUDA", fmt::format("driver for {}, runtime {}", of("driver_cuda"), of("runtime_cuda"))});
  }
  table.add({"CPU", fmt::format("{}, {}", machine.cpu, count_text(machine.cpus, "CPU", "CPUs"))});
  table.add({"memory", mebibytes_text(std::to_string(machine.memory_mib))});
  table.add({"system", machine.system});
  table.add({"kernel", machine.kernel});
  std::string html = table.html("The machine");
  std::string left_out;
  if (selected.elsewhere > 0)
    left_out += fmt::format(" {} made on another machine or GPU, and left out.",
                            count_text(selected.elsewhere, "record was", "records were"));
  if (selected.misshapen > 0)
    left_out += fmt::format(" {} incomplete, and left out.",
                            count_text(selected.misshapen, "record was", "records were"));
  html += paragraph(fmt::format("{} of this machine.{}",
                                count_text(selected.records.size(), "record", "records"), left_out));
  return html;
}

std::string repeat_html(const measure::Selected& selected) {
  struct Run {
    std::string time, commit;
  };
  std::vector<std::string> order;
  std::map<std::string, Run> runs;
  for (const measure::Record& record : selected.records) {
    if (!runs.contains(record.command)) order.push_back(record.command);
    runs[record.command] = {record.time, record.commit};
  }
  HtmlTable table({{"command", Align::prose}, {"last run, UTC", Align::left}, {"commit", Align::left}});
  for (const std::string& command : order)
    table.add(
        {command, runs[command].time, runs[command].commit.empty() ? "not known" : runs[command].commit});
  return paragraph(
             "At the commit (with a + some files had been changed since), these commands "
             "measure the same again: inputs are "
             "drawn from a seed, 1 unless the command gives another. "
             "Times are medians of the kernel alone; contenders took turns, the L2 cache was "
             "cold, each result was checked "
             "(docs/timing.md).") +
         table.html("Commands");
}

}  // namespace report::page
