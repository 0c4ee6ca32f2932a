// SPDX-License-Identifier: MIT
#include "demo/panels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "problems/reference.hpp"

namespace demo {

std::string usual_text(const Stage& stage, std::size_t length) {
  const std::string words = stage.options().text.value_or("programming massively parallel processors");
  std::string text;
  while (text.size() < length) text += words;
  return text.substr(0, length);
}

std::string cut(Demonstration& demonstration, std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  demonstration.notes.push_back(
      fmt::format("The text is cut: the first {} of its {} letters are shown", most, text.size()));
  return text.substr(0, most);
}

std::vector<std::string> labels_of(const measure::Record& record) {
  std::vector<std::string> labels;
  const problems::Reference& reference = problems::reference_of(record.exercise.problem);
  for (const problems::Bar& bar : reference.bars(record.variant, record.result, record.parts, record.input))
    labels.push_back(bar.label);
  // Where there is one result only, it has no name.
  if (labels.empty()) labels.push_back("value");
  return labels;
}

Panel letters(std::string title, const std::string& text, const std::vector<Letter>& state,
              const std::string& array) {
  Panel panel{.kind = Panel::Kind::cells,
              .title = std::move(title) + (array.empty() ? "" : ": " + array),
              .per_row = 32};
  for (std::size_t i = 0; i < text.size(); ++i) {
    panel.cells.push_back({.text = letter_text(static_cast<unsigned char>(text[i]), false),
                           .series = state[i].reader,
                           .look = state[i].now      ? Look::now
                                   : state[i].reader ? Look::plain
                                                     : Look::quiet,
                           .mark = state[i].mark});
  }
  return panel;
}

Panel counters(std::string title, const Memory& memory, std::uint64_t array, unsigned each,
               const std::vector<std::string>& labels, std::uint64_t most,
               const std::vector<std::uint64_t>& now, const std::optional<Mark>& mark) {
  Panel panel{.kind = Panel::Kind::bars, .title = std::move(title)};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Element element{array, i * each, 0};
    const bool changed = std::ranges::find(now, element.at) != now.end();
    const std::uint64_t value = memory.at(element).value_or(0);
    panel.cells.push_back(
        {.text = memory.text(element),
         .label = labels[i],
         .series = 1,
         .look = changed ? Look::now : Look::plain,
         .share = most > 0 ? std::min(1.0, static_cast<double>(value) / static_cast<double>(most)) : 0,
         .shows = element,
         .mark = changed ? mark : std::nullopt});
  }
  return panel;
}

Cell figure(std::string label, std::uint64_t value, Look look) {
  return {.text = std::to_string(value), .label = std::move(label), .look = look};
}

std::string instruction_text(const facts::Trace& trace, const facts::TraceEvent& event) {
  const int lanes = std::popcount(event.lanes);
  const char* const what = event.step == facts::TraceStep::load    ? "read"
                           : event.step == facts::TraceStep::store ? "write"
                                                                   : "atomically change";
  const char* const one = event.step == facts::TraceStep::load    ? "reads"
                          : event.step == facts::TraceStep::store ? "writes"
                                                                  : "atomically changes";
  return fmt::format("{} lane{} of warp {} {} {}", lanes, lanes == 1 ? "" : "s", event.warp,
                     lanes == 1 ? one : what, trace.arrays[event.array].name);
}

}  // namespace demo
