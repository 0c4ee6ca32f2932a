// SPDX-License-Identifier: MIT
#include "report/terminal/annotated_source.hpp"

#include <fmt/core.h>

#include "report/numbers.hpp"
#include "report/terminal/table.hpp"

namespace report {

namespace {

bool is_preamble(const std::string& line) {
  return line.empty() || line.rfind("//", 0) == 0 || line.rfind("#include", 0) == 0;
}

std::string shown(std::uint64_t number) { return number > 0 ? with_separators(number) : ""; }

}  // namespace

std::string annotated_source(std::istream& source, const std::map<int, LineCounters>& lines,
                             const std::function<bool(std::string_view)>& left_out) {
  constexpr std::size_t wide = 11;
  const Table table({{"requests", Table::Align::right, wide},
                     {"sectors", Table::Align::right, wide},
                     {"wavefronts", Table::Align::right, wide},
                     {"lanes each", Table::Align::right},
                     {"", Table::Align::right, 4},
                     {"", Table::Align::left}});
  std::string text = table.header();
  bool in_preamble = true;
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    const auto found = lines.find(++number);
    in_preamble = in_preamble && found == lines.end() && is_preamble(line);
    if (in_preamble || left_out(line)) continue;
    const LineCounters counters = found == lines.end() ? LineCounters{} : found->second;
    const std::string lanes = counters.requests > 0
                                  ? fmt::format("{:.1f}", static_cast<double>(counters.lanes) /
                                                              static_cast<double>(counters.requests))
                                  : "";
    text += table.row({shown(counters.requests), shown(counters.sectors), shown(counters.wavefronts), lanes,
                       std::to_string(number), line});
  }
  return text;
}

}  // namespace report
