// SPDX-License-Identifier: MIT
#include "report/page/drawing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/page/html.hpp"

namespace report::page {

namespace {

constexpr double radius = 7;

std::string dash_attribute(std::string_view dashes) {
  return dashes.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dashes);
}

}  // namespace

LogAxis::LogAxis(double least, double most, double from, double to)
    : low_(std::floor(std::log10(least) + 1e-9)), high_(std::log10(most)), from_(from), to_(to) {
  if (high_ <= low_) high_ = low_ + 1;
}

double LogAxis::at(double value) const {
  return from_ + (std::log10(value) - low_) / (high_ - low_) * (to_ - from_);
}

std::vector<double> LogAxis::marks(std::size_t most) const {
  const auto all = static_cast<std::size_t>(std::floor(high_ - low_ + 1e-9)) + 1;
  const std::size_t step = (all + most - 1) / most;
  std::vector<double> values;
  for (std::size_t i = 0; i < all; i += step) values.push_back(std::pow(10, low_ + static_cast<double>(i)));
  return values;
}

void Drawing::text(Place at, std::string_view text, const Words& words) {
  const char* const anchor = words.anchor == Anchor::start    ? "start"
                             : words.anchor == Anchor::middle ? "middle"
                                                              : "end";
  shapes_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" dy=\"0.35em\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", at.x,
      at.y, anchor, words.colour,
      words.css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", words.css_class), escaped(text));
}

void Drawing::line(Place from, Place to, std::string_view colour, double width, std::string_view dashes) {
  shapes_ += fmt::format(
      "<path d=\"M{:.1f},{:.1f} L{:.1f},{:.1f}\" stroke=\"{}\" stroke-width=\"{}\" fill=\"none\"{}/>\n",
      from.x, from.y, to.x, to.y, colour, width, dash_attribute(dashes));
}

void Drawing::arrow(Place from, Place to, std::string_view colour, std::string_view dashes) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  constexpr double gap = radius + 2, head = 9, half = 4.5;
  if (length < 2 * gap + head) return;
  const Place along{(to.x - from.x) / length, (to.y - from.y) / length};
  const Place tip{to.x - gap * along.x, to.y - gap * along.y};
  const Place neck{tip.x - head * along.x, tip.y - head * along.y};
  line({from.x + gap * along.x, from.y + gap * along.y}, neck, colour, 2, dashes);
  shapes_ += fmt::format("<path d=\"M{:.1f},{:.1f} L{:.1f},{:.1f} L{:.1f},{:.1f} Z\" fill=\"{}\"/>\n", tip.x,
                         tip.y, neck.x - half * along.y, neck.y + half * along.x, neck.x + half * along.y,
                         neck.y - half * along.x, colour);
}

void Drawing::box(Place at, double width, double height, std::string_view fill, std::string_view edge,
                  double edge_width) {
  shapes_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"{}\"/>\n",
      at.x, at.y, width, height, fill, edge, edge_width);
}

void Drawing::dot(Place at, std::string_view colour, bool filled, std::string_view title) {
  shapes_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"2.5\"><title>{}</title></circle>\n",
      at.x, at.y, radius, filled ? colour : "var(--paper)", colour, escaped(title));
}

std::string Drawing::svg(std::string_view css_class) const {
  return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     css_class, width_, height_, escaped(description_), shapes_);
}

}  // namespace report::page
