// SPDX-License-Identifier: MIT
#include "demo/terminal.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/terminal/screen.hpp"

namespace demo {

namespace {

using report::Colour;
using report::Terminal;

Colour terminal_colour(const Cell& cell) {
  constexpr std::array series{Colour::blue, Colour::yellow, Colour::green};
  if (cell.look == Look::bad || cell.mark) return Colour::red;
  if (cell.look == Look::quiet) return Colour::grey;
  if (cell.look == Look::now) return Colour::bold;
  return cell.series == 0 ? Colour::none : series[(cell.series - 1) % series.size()];
}

// What the cell says, with marks that need no colour.
std::string words_of(const Cell& cell) {
  const std::string words = cell.look == Look::now ? "[" + cell.text + "]" : cell.text;
  return cell.mark ? words + " ! " + cell.mark->word : words;
}

std::string padded(const Terminal& terminal, const Cell& cell, std::size_t columns) {
  const std::string words = words_of(cell);
  const std::size_t taken = report::width(words);
  return terminal.paint(terminal_colour(cell), words) +
         std::string(columns > taken ? columns - taken : 0, ' ');
}

std::size_t widest(const std::vector<Cell>& cells, std::size_t from = 0, std::size_t every = 1) {
  std::size_t most = 0;
  for (std::size_t i = from; i < cells.size(); i += every)
    most = std::max(most, report::width(words_of(cells[i])));
  return most;
}

// Of a table's rows those that are shown where only `most` have room: up to the last one that is marked.
struct Rows {
  std::size_t first = 0, end = 0;
};
Rows rows_shown(const Panel& panel, std::size_t most) {
  const std::size_t columns = panel.headings.size(), all = panel.cells.size() / columns;
  if (all <= most) return {0, all};
  const auto marked = std::find_if(panel.cells.rbegin(), panel.cells.rend(), [](const Cell& cell) {
    return cell.look == Look::now || cell.look == Look::bad;
  });
  const std::size_t end =
      static_cast<std::size_t>(panel.cells.rend() - marked + static_cast<std::ptrdiff_t>(columns) - 1) /
      columns;
  return {std::max(end, most) - most, std::max(end, most)};
}

std::string table_text(const Panel& panel, const Terminal& terminal, std::size_t most_rows) {
  const std::size_t columns = panel.headings.size();
  std::vector<std::size_t> widths;
  std::string text = " ";
  for (std::size_t c = 0; c < columns; ++c) {
    widths.push_back(std::max(report::width(panel.headings[c]), widest(panel.cells, c, columns)) + 2);
    text += padded(terminal, {.text = panel.headings[c], .look = Look::quiet}, widths[c]);
  }
  text += "\n";
  const auto [first, end] = rows_shown(panel, most_rows);
  for (std::size_t i = first * columns; i < end * columns; ++i) {
    if (i % columns == 0) text += " ";
    text += padded(terminal, panel.cells[i], widths[i % columns]);
    if (i % columns == columns - 1) text += "\n";
  }
  if (end - first < panel.cells.size() / columns)
    text += terminal.paint(Colour::grey, fmt::format(" rows {} to {} of {}", first + 1, end,
                                                     panel.cells.size() / columns)) +
            "\n";
  return text;
}

std::string cells_text(const Panel& panel, const Terminal& terminal) {
  const bool labelled =
      std::ranges::any_of(panel.cells, [](const Cell& cell) { return !cell.label.empty(); });
  std::string text;
  if (labelled) {
    for (const Cell& cell : panel.cells)
      text += fmt::format(" {}  {}\n", cell.label, padded(terminal, cell, 0));
    return text;
  }
  // What happens now has a mark in the gap behind it.
  std::size_t each = 2;
  for (const Cell& cell : panel.cells) each = std::max(each, report::width(cell.text) + 1);
  const std::size_t fit = std::max<std::size_t>(1, (terminal.columns - 1) / each);
  std::size_t row = panel.per_row;
  while (row > fit) row = (row + 1) / 2;
  for (std::size_t i = 0; i < panel.cells.size(); ++i) {
    if (i % row == 0) text += " ";
    const Cell& cell = panel.cells[i];
    const std::string words = cell.text + (cell.mark ? "!" : cell.look == Look::now ? "*" : "");
    text += terminal.paint(terminal_colour(cell), words) + std::string(each - report::width(words), ' ');
    if (i % row == row - 1 || i + 1 == panel.cells.size()) text += "\n";
  }
  return text;
}

std::string bars_text(const Panel& panel, const Terminal& terminal) {
  constexpr double whole = 1e6;
  std::vector<problems::Bar> bars;
  for (const Cell& cell : panel.cells) {
    const std::string mark = cell.mark ? " ! " + cell.mark->word : "";
    bars.push_back({cell.label, static_cast<std::uint64_t>(std::llround(cell.share * whole)),
                    cell.look == Look::now ? "> " + cell.text + mark
                    : cell.text.empty()    ? " "  // else the bar's number would be shown
                                           : cell.text + mark});
  }
  // A hidden bar of full length keeps the scale from frame to frame.
  bars.push_back({"", static_cast<std::uint64_t>(whole), ""});
  // The last column of a terminal is not written to.
  std::string text = report::bars(bars, "", terminal.columns - 1, static_cast<unsigned>(bars.size()));
  text.erase(text.rfind('\n', text.size() - 2) + 1);
  return text;
}

std::string panel_text(const Panel& panel, const Terminal& terminal, std::size_t most_rows) {
  std::string text = terminal.paint(Colour::grey, panel.title) + "\n";
  switch (panel.kind) {
    case Panel::Kind::table:
      return text + table_text(panel, terminal, most_rows);
    case Panel::Kind::bars:
      return text + bars_text(panel, terminal);
    default:
      return text + cells_text(panel, terminal);
  }
}

// The line that is executed, with a neighbour on either side.
std::string source_text(const Source& source, int line, const Terminal& terminal) {
  const auto at = std::ranges::find(source.numbers, line);
  if (source.lines.empty()) return {};
  std::string text = terminal.paint(Colour::grey, source.file) + "\n";
  if (at == source.numbers.end()) return text + "\n\n\n";
  const auto here = at - source.numbers.begin();
  for (auto i = here - 1; i <= here + 1; ++i) {
    if (i < 0 || i >= static_cast<std::ptrdiff_t>(source.lines.size())) {
      text += "\n";
      continue;
    }
    const auto n = static_cast<std::size_t>(i);
    const std::string words =
        fmt::format("{} {:>3} {}", i == here ? ">" : " ", source.numbers[n], source.lines[n]);
    text += terminal.paint(i == here ? Colour::bold : Colour::grey, words) + "\n";
  }
  return text;
}

std::string filled(const std::string& text, const Terminal& terminal) {
  std::string result;
  for (const std::string& line : report::wrapped(text, terminal.columns)) result += line + "\n";
  return result;
}

}  // namespace

std::vector<Choice> Position::choices() const {
  return demonstration_.scenes[scene_].open ? frame().next : std::vector<Choice>();
}

bool Position::enter(std::size_t scene) {
  if (scene >= demonstration_.scenes.size()) return false;
  const Scene& entered = demonstration_.scenes[scene];
  scene_ = scene;
  at_ = 0;
  way_ = entered.frames;
  if (entered.open) way_.resize(1);
  return true;
}

bool Position::on() {
  if (at_ + 1 < way_.size()) return ++at_, true;
  const std::vector<Choice> all = choices();
  return !all.empty() && choose(all.front().key);
}

bool Position::back() {
  if (at_ == 0) return false;
  --at_;
  return true;
}

bool Position::choose(unsigned key) {
  const std::vector<Choice> all = choices();
  const auto chosen = std::ranges::find(all, key, &Choice::key);
  if (chosen == all.end()) return false;
  way_.resize(at_ + 1);
  way_.push_back(chosen->frame);
  ++at_;
  return true;
}

namespace {

// Of a table at most so many rows.
std::string whole_picture(const Demonstration& demonstration, const Position& position,
                          const Terminal& terminal, std::size_t most_rows) {
  const Scene& scene = demonstration.scenes[position.scene()];
  const Frame& frame = position.frame();
  std::string text = terminal.paint(
      Colour::bold, fmt::format("{}, scene {} of {}: {}", demonstration.name, position.scene() + 1,
                                demonstration.scenes.size(), scene.title));
  text += scene.open ? fmt::format("   step {}\n", position.step())
                     : fmt::format("   step {} of {}\n", position.step(), position.steps() - 1);
  if (position.step() == 0) text += filled(demonstration.question, terminal);
  text += source_text(demonstration.sources[scene.source], frame.line, terminal);
  text += filled(frame.caption + ".", terminal);
  if (!frame.finding.empty()) {
    for (const std::string& line : report::wrapped("! " + frame.finding, terminal.columns))
      text += terminal.paint(Colour::red, line) + "\n";
  }
  for (const Panel& panel : frame.panels) text += panel_text(panel, terminal, most_rows);
  return text;
}

std::size_t rows_of_tables(const Frame& frame) {
  std::size_t most = 0;
  for (const Panel& panel : frame.panels) {
    if (panel.kind == Panel::Kind::table) most = std::max(most, panel.cells.size() / panel.headings.size());
  }
  return most;
}

}  // namespace

std::string picture(const Demonstration& demonstration, const Position& position, const Terminal& terminal) {
  const std::size_t all = rows_of_tables(position.frame());
  if (!terminal.live) return whole_picture(demonstration, position, terminal, all);
  if (terminal.columns < least_columns || terminal.rows < least_rows) {
    return fmt::format("a demonstration needs {} columns and {} rows; this terminal has {} and {}\n",
                       least_columns, least_rows, terminal.columns, terminal.rows);
  }
  std::string text = whole_picture(demonstration, position, terminal, all);
  // The last column is not written to, the last row is that of the keys.
  const std::size_t high = report::wrapped(text, terminal.columns - 1).size(), room = terminal.rows - 1;
  constexpr std::size_t least_of_table = 3;
  if (high <= room || all <= least_of_table) return text;
  const std::size_t too_many = high - room + 1;  // with the line that says which rows are shown
  return whole_picture(demonstration, position, terminal,
                       all > too_many + least_of_table ? all - too_many : least_of_table);
}

std::string all_pictures(const Demonstration& demonstration, const Terminal& terminal) {
  std::string text;
  Position position(demonstration);
  for (std::size_t scene = 0; scene < demonstration.scenes.size(); ++scene) {
    if (demonstration.scenes[scene].open) continue;  // its frames are those of many runs
    position.enter(scene);
    do text += picture(demonstration, position, terminal) + "\n";
    while (position.on());
  }
  for (const std::string& note : demonstration.notes) text += filled(note + ".", terminal);
  return text;
}

}  // namespace demo
