// SPDX-License-Identifier: MIT
#include "report/page/html.hpp"

#include <fmt/core.h>

namespace report::page {

namespace {

std::string class_attribute(std::string_view css_class) {
  return css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
}

std::string align_attribute(HtmlTable::Align align) {
  return class_attribute(align == HtmlTable::Align::right  ? ""
                         : align == HtmlTable::Align::left ? "words"
                                                           : "prose");
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) result += c;
        if (c == '\n' || c == '\t') result += ' ';
    }
  }
  return result;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string paragraph(std::string_view html, std::string_view css_class) {
  return fmt::format("<p{}>{}</p>\n", class_attribute(css_class), html);
}

std::string code(std::string_view text) { return fmt::format("<code>{}</code>", escaped(text)); }

std::string section(std::string_view id, std::string_view title, std::string_view html) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, escaped(title), html);
}

std::string folded(std::string_view summary, std::string_view html) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(summary), html);
}

void HtmlTable::add(const std::vector<std::string>& cells, std::string_view css_class) {
  rows_ += fmt::format("<tr{}>", class_attribute(css_class));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string text = i < cells.size() ? escaped(cells[i]) : std::string();
    const std::string align = align_attribute(columns_[i].align);
    rows_ += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", align, text)
                    : fmt::format("<td{}>{}</td>", align, text);
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::html(std::string_view label) const {
  std::string head;
  for (const Column& column : columns_) {
    head += fmt::format("<th scope=\"col\"{}>{}</th>", align_attribute(column.align), escaped(column.title));
  }
  // Who has no mouse scrolls the box by the keyboard.
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\">\n<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
      escaped(label), head, rows_);
}

}  // namespace report::page
