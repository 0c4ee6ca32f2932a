// SPDX-License-Identifier: MIT
#include "demo/svg.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/page/drawing.hpp"
#include "report/page/html.hpp"
#include "report/page/labs.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace demo {

namespace {

using report::page::Drawing;
using report::page::Place;

constexpr int page_width = 1000;
constexpr double margin = 20, line_height = 26, cell_height = 30, letter = 8.6;

std::string colour_of(const Cell& cell) {
  return cell.series == 0 ? "var(--ink)" : report::page::css_colour(static_cast<int>(cell.series) - 1);
}

// With the mark's word where there is room for it.
std::string marked_text(const Cell& cell, bool has_room = true) {
  if (!cell.mark) return cell.text;
  return has_room ? cell.text + " ! " + cell.mark->word : cell.text + "!";
}

// Puts shapes from the top down; the drawing's height is known at its end.
class Column {
 public:
  explicit Column(Drawing& drawing) : drawing_(drawing) {}

  void text(std::string_view text, std::string_view colour, std::string_view css_class) {
    constexpr unsigned columns = static_cast<unsigned>((page_width - 2 * margin) / letter);
    for (const std::string& line : report::wrapped(text, columns)) {
      drawing_.text({margin, y_ + line_height / 2}, line, {.colour = colour, .css_class = css_class});
      y_ += line_height;
    }
  }

  void panel(const Panel& panel) {
    text(panel.title, "var(--muted)", "small");
    if (panel.kind == Panel::Kind::bars) {
      bars(panel);
    } else if (panel.kind == Panel::Kind::table) {
      grid(panel.headings.size(), heading_cells(panel),
           (page_width - 2 * margin) / static_cast<double>(panel.headings.size()), true);
    } else {
      cells(panel);
    }
    gap(10);
  }

  void gap(double height) { y_ += height; }
  double y() const { return y_; }

 private:
  static std::vector<Cell> heading_cells(const Panel& panel) {
    std::vector<Cell> cells;
    for (const std::string& heading : panel.headings) cells.push_back({.text = heading, .look = Look::quiet});
    cells.insert(cells.end(), panel.cells.begin(), panel.cells.end());
    return cells;
  }

  void box(const Cell& cell, Place at, double width, bool has_room = true) {
    const bool marked = cell.look == Look::now || cell.look == Look::bad || cell.mark;
    const std::string colour = cell.look == Look::bad || cell.mark ? "var(--roof)" : colour_of(cell);
    drawing_.box(at, width, cell_height, marked ? "var(--shade)" : "none",
                 cell.look == Look::quiet ? "var(--faint)" : colour, marked ? 3 : 1);
    drawing_.text({at.x + width / 2, at.y + cell_height / 2}, marked_text(cell, has_room),
                  {.anchor = Drawing::Anchor::middle,
                   .colour = cell.look == Look::quiet ? "var(--muted)" : colour,
                   .css_class = marked ? "strong" : ""});
  }

  void grid(std::size_t columns, const std::vector<Cell>& cells, double width, bool has_room) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      box(cells[i], {margin + static_cast<double>(i % columns) * width, y_}, width, has_room);
      if (i % columns == columns - 1 || i + 1 == cells.size()) y_ += cell_height;
    }
  }

  void cells(const Panel& panel) {
    std::size_t label = 0, word = 1;
    for (const Cell& cell : panel.cells) {
      label = std::max(label, report::width(cell.label));
      word = std::max(word, report::width(marked_text(cell, !cell.label.empty())));
    }
    const double wanted = letter * static_cast<double>(std::max(label, word)) + 14;
    const auto fit = static_cast<std::size_t>((page_width - 2 * margin) / wanted);
    const std::size_t columns =
        std::clamp<std::size_t>(panel.per_row == 1 ? fit : panel.per_row, 1, std::max<std::size_t>(fit, 1));
    if (label == 0) return grid(columns, panel.cells, wanted, false);
    for (std::size_t i = 0; i < panel.cells.size(); ++i) {
      const double x = margin + static_cast<double>(i % columns) * wanted;
      drawing_.text({x, y_ + line_height / 2}, panel.cells[i].label,
                    {.colour = "var(--muted)", .css_class = "small"});
      box(panel.cells[i], {x, y_ + line_height}, wanted - 8);
      if (i % columns == columns - 1 || i + 1 == panel.cells.size()) y_ += line_height + cell_height + 4;
    }
  }

  void bars(const Panel& panel) {
    constexpr double labels = 190, values = 150;
    for (const Cell& cell : panel.cells) {
      drawing_.text({margin, y_ + line_height / 2}, cell.label, {});
      drawing_.box({margin + labels, y_ + 4}, (page_width - 2 * margin - labels - values) * cell.share,
                   line_height - 8, colour_of(cell), cell.look == Look::now ? "var(--ink)" : "none", 2);
      drawing_.text({page_width - margin, y_ + line_height / 2}, marked_text(cell),
                    {.anchor = Drawing::Anchor::end});
      y_ += line_height;
    }
  }

  Drawing& drawing_;
  double y_ = margin;
};

void draw(Column& column, const Demonstration& demonstration) {
  column.text(fmt::format("{}: {}", demonstration.name, demonstration.title), "var(--ink)", "strong");
  std::vector<std::size_t> drawn;
  for (const Scene& scene : demonstration.scenes) {
    if (scene.open) continue;
    for (const std::size_t number : scene.frames) {
      const Frame& frame = demonstration.frames[number];
      if (!frame.in_handout || std::ranges::find(drawn, number) != drawn.end()) continue;
      drawn.push_back(number);
      column.gap(14);
      column.text(fmt::format("{}. {}.", scene.title, frame.caption), "var(--ink)", "strong");
      if (!frame.finding.empty()) column.text("! " + frame.finding, "var(--roof)", "strong");
      for (const Panel& panel : frame.panels) column.panel(panel);
    }
  }
  for (const std::string& note : demonstration.notes) column.text(note + ".", "var(--muted)", "small");
}

}  // namespace

std::string svg(const Demonstration& demonstration) {
  // Once to see how high it gets.
  Drawing trial(page_width, 1, {});
  Column measure(trial);
  draw(measure, demonstration);
  const int height = static_cast<int>(measure.y() + margin);
  Drawing drawing(page_width, height, demonstration.title);
  Column column(drawing);
  draw(column, demonstration);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>{2}text {{ font: 16px system-ui, sans-serif; }} .small {{ font-size: 14px; }} "
      ".strong {{ font-weight: 600; }}</style>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"var(--paper)\"/>\n{3}</svg>\n",
      page_width, height, report::page::colour_sheet(), drawing.svg("handout"));
}

}  // namespace demo
