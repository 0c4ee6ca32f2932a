// SPDX-License-Identifier: MIT
#include "report/page/html.hpp"

#include <fmt/core.h>

#include "facts/words.hpp"

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

// Who has no mouse scrolls the box by the keyboard.
std::string estimated(std::string_view gpu, std::string_view html) {
  return fmt::format(
      "<div class=\"estimated\">\n<p class=\"badge\">Estimated for {}, not measured</p>\n{}</div>\n",
      escaped(facts::with_article(gpu)), html);
}

std::string scrolled(std::string_view label, std::string_view table) {
  return fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
                     escaped(label), table);
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
  return scrolled(label, fmt::format("<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                                     head, rows_));
}

std::string_view style_sheet() {
  // The series' colours are told apart by those who see no red or green (after Okabe and Ito); on dark ground
  // they are lighter.
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --muted: #56606b; --faint: #d5dae0; --shade: #f3f5f7; --roof: #b3261e; --estimate: #8a1fb0;
  --edge: rgb(0 0 0 / 0.35); --heat: 0 114 178; --heat-most: 0.6;
  --series-1: #0072b2; --series-2: #b85c00; --series-3: #00805c; --series-4: #a2467f; --series-5: #5a5fc7; --series-6: #6b6b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e8ebee; --muted: #a5afb9; --faint: #3a424a; --shade: #1e2329; --roof: #ff8a80; --estimate: #dd9bff;
    --edge: rgb(255 255 255 / 0.4); --heat: 86 180 233; --heat-most: 0.4;
    --series-1: #56b4e9; --series-2: #ffae57; --series-3: #3fd6a4; --series-4: #f09ccd; --series-5: #aeb2ff; --series-6: #d8d35c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem clamp(0.8rem, 3vw, 2.5rem) 3rem; max-width: 68rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
@media (min-width: 1600px) { html { font-size: 21px; } }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 0.4rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.4rem 0 0.6rem; padding-top: 0.6rem; border-top: 2px solid var(--faint); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0.4rem; }
p { max-width: 46rem; }
a { color: var(--series-1); }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.8rem 0; }
.lead, .nothing, figcaption { color: var(--muted); }
.notice { border-left: 4px solid var(--roof); padding: 0.4rem 0.8rem; background: var(--shade); }
.estimated { border-left: 4px solid var(--estimate); padding: 0.1rem 0 0.1rem 0.9rem; margin: 0.8rem 0; }
.badge { color: var(--estimate); font-weight: 700; margin: 0.2rem 0; }
.estimate td:nth-child(2), .estimate td:nth-child(3) { color: var(--estimate); }
code { font-family: ui-monospace, monospace; font-size: 0.92em; background: var(--shade); padding: 0.05em 0.3em; border-radius: 3px; overflow-wrap: anywhere; }
figure { margin: 0.6rem 0 1rem; }
figure svg { display: block; width: 100%; max-width: 44rem; height: auto; }
figure.headline svg { max-width: none; }
.wide text { font: 16px system-ui, sans-serif; }
.narrow text { font: 15px system-ui, sans-serif; }
.wide .small, .narrow .small { font-size: 13px; }
.wide .strong, .narrow .strong { font-weight: 600; }
.wide .factor, .narrow .factor { font-weight: 700; paint-order: stroke; stroke: var(--paper); stroke-width: 6px; stroke-linejoin: round; }
figure svg.narrow { display: none; }
@media screen and (max-width: 700px) {
  figure svg.wide { display: none; }
  figure svg.narrow { display: block; }
}
.summary { font-size: 1.15rem; max-width: 54rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 0 2rem; }
.pair > div { min-width: 0; max-width: 44rem; }
.pair h3 { margin-top: 0.4rem; }
figcaption { max-width: 46rem; margin-top: 0.4rem; }
svg g { color: inherit; }
svg text { white-space: pre; }
/* A shadow at the edge behind which there is more: the covers of the paper's colour scroll along, the shadows do not. */
.scroll {
  overflow-x: auto; max-width: 100%; margin: 0.6rem 0;
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--edge), transparent) 0 0 / 0.9rem 100% no-repeat scroll,
    linear-gradient(to left, var(--edge), transparent) 100% 0 / 0.9rem 100% no-repeat scroll;
}
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.7rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--faint); white-space: nowrap; }
thead th { color: var(--muted); font-weight: 600; }
tbody th { font-weight: 600; }
.words, .prose { text-align: left; }
.prose { white-space: normal; min-width: 14rem; }
th:first-child, td:first-child { padding-left: 0; }
.slower td:nth-child(2) { color: var(--roof); }
.heat { min-width: 100%; }
.heat td { text-align: center; padding: 0.35rem 0.5rem; border: 2px solid var(--paper); }
.heat thead th { text-align: center; }
.heat th[scope="row"] { text-align: left; }
.heat td[style] { background-color: rgb(var(--heat) / calc(0.05 + var(--heat-most) * var(--share))); }
.heat td span { display: block; font-size: 0.88em; }
.counters th, .counters td { padding: 0.25rem 0.3rem; }
.counters thead th { text-align: center; }
.off { display: inline-block; min-width: 3.3em; padding-left: 0.4em; text-align: left; color: var(--muted); font-size: 0.88em; }
.failed td { color: var(--roof); }
.right td:nth-child(2) { color: var(--series-3); font-weight: 700; }
.wrong td:nth-child(2) { color: var(--roof); font-weight: 700; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--series-1); }
.demonstration { width: 100%; height: 46rem; border: 1px solid var(--faint); }
@media screen and (max-width: 700px) {
  .prose { min-width: 9.5rem; }
  tbody th { white-space: normal; }
  th, td { padding: 0.25rem 0.4rem; }
}
ul.commands { padding-left: 1.2rem; }
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --ink: #000000; --muted: #333333; --faint: #cccccc; --shade: #f3f3f3; --roof: #b3261e; --estimate: #8a1fb0;
    --edge: transparent; --heat: 0 114 178; --heat-most: 0.5;
    --series-1: #0072b2; --series-2: #b85c00; --series-3: #00805c; --series-4: #a2467f; --series-5: #5a5fc7; --series-6: #6b6b00;
  }
  html { font-size: 11px; }
  body { max-width: none; padding: 0; }
  nav, details:not([open]) { display: none; }
  section:has(> details):not(:has(> :not(h2, details:not([open])))) { display: none; }
  figure, tr, h2, h3 { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  figure svg { max-width: 34rem; }
  .scroll { overflow: visible; background: none; }
  .heat td[style] { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .pair { grid-template-columns: 1fr 1fr; }
  th, td { white-space: normal; }
  td:nth-child(2) { white-space: nowrap; }
}
)css";
}

std::string_view colour_sheet() { return style_sheet().substr(0, style_sheet().find("\n* {") + 1); }

}  // namespace report::page
