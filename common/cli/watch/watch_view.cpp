// SPDX-License-Identifier: MIT
#include "cli/watch/watch_view.hpp"

#include <fmt/core.h>

#include "cli/messages.hpp"
#include "report/numbers.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

// The check wrote to a pipe and therefore painted nothing.
std::string with_painted_verdict(std::string text, const std::string& verdict,
                                 const report::Terminal& terminal) {
  const std::size_t at = text.find("\n" + verdict + ":");
  const auto known = facts::find_verdict(verdict);
  if (!known || at == std::string::npos) return text;
  return text.replace(at + 1, verdict.size(), verdict_text(*known, terminal));
}

std::string counters_text(const facts::Counters& counters) {
  using Align = report::Table::Align;
  const report::Table table({{"", Align::left, 24}, {"", Align::right, 12}, {"", Align::left}});
  std::string text = "counters of the longest case\n";
  bool any = false;
  for (const auto& [counter, quantity] : facts::counter_table) {
    const std::uint64_t value = counters.value(counter);
    if (value == 0) continue;
    text += table.row(
        {std::string(quantity.name), report::with_separators(value), std::string(quantity.meaning)});
    any = true;
  }
  return any ? text : "no counters: the last check gave none\n";
}

}  // namespace

std::string result_text(const std::string& time, const std::string& file, const BackgroundResult& result,
                        const report::Terminal& terminal) {
  return fmt::format("{}\n{}", terminal.paint(report::Colour::bold, time + " " + file),
                     with_painted_verdict(result.text, result.verdict, terminal));
}

std::string WatchView::body(const report::Terminal& terminal) const {
  std::string text;
  if (!time.empty()) text += result_text(time, file, result, terminal);
  if (!time.empty() && all) text += result.further.empty() ? "nothing else was found\n" : result.further;
  if (!time.empty() && counters) text += "\n" + counters_text(result.counters);
  if (!hint.empty()) text += "\n" + hint;
  // Below: in a small window it is the one that may be cut off.
  if (!before.empty()) text += (text.empty() ? "" : "\n") + before;
  return text.empty() ? text : text + "\n";
}

std::string WatchView::footer(const report::Terminal& terminal) const {
  const std::string doing =
      under_way.empty() ? "watching " + file : fmt::format("checking ({}) {}", under_way, file);
  return terminal.paint(
      report::Colour::grey,
      fmt::format("{}\n{}", doing, keys ? "h hint, c counters, a all findings, q quit" : "Ctrl-C ends it"));
}

}  // namespace cli
