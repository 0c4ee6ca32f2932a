// SPDX-License-Identifier: MIT
// Pieces of HTML. What is called text is escaped here; what is called html has been.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/markup.hpp"

namespace report::page {

// With a capital letter first.
std::string capitalised(std::string text);

// <p class="...">; without a class if that is empty.
std::string paragraph(std::string_view html, std::string_view css_class = {});

// <code>text</code>
std::string code(std::string_view text);

// A section with its heading; `id` is what a link may point to.
std::string section(std::string_view id, std::string_view title, std::string_view html);

// What is folded away until a reader asks for it; print shows it only if it was opened.
std::string folded(std::string_view summary, std::string_view html);

// What was estimated and not measured: in a box of its own colour, under a line that says so and names the
// GPU.
std::string estimated(std::string_view gpu, std::string_view html);

// A table in a box of its own, which scrolls where the screen is narrower, and shows that it does.
std::string scrolled(std::string_view label, std::string_view table);

class HtmlTable {
 public:
  enum class Align { left, right, prose };  // prose goes over several lines where it has to
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // A cell of text a column. The first one is the row's heading.
  void add(const std::vector<std::string>& cells, std::string_view css_class = {});

  bool empty() const { return rows_.empty(); }

  // In a box that scrolls.
  std::string html(std::string_view label) const;

 private:
  std::vector<Column> columns_;
  std::string rows_;
};

// For screens from a phone to a projector, light or dark, and for paper.
std::string_view style_sheet();

// The part of it that names the colours, light and dark.
std::string_view colour_sheet();

}  // namespace report::page
