// SPDX-License-Identifier: MIT
// Drawings that are made here, as SVG: a few shapes on a logarithmic axis, for what gnuplot has no words for
// (labels in arrows, values on hover, one drawing for wide and one for narrow screens). Colours are the
// page's custom properties, so that they are others on a dark screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace report::page {

struct Place {
  double x = 0, y = 0;
};

// A logarithmic axis from one place to another.
class LogAxis {
 public:
  // From the power of ten at or below `least` to the most; both above 0.
  LogAxis(double least, double most, double from, double to);

  double at(double value) const;
  // The powers of ten on it, at most about `most` of them.
  std::vector<double> marks(std::size_t most) const;

 private:
  double low_, high_, from_, to_;
};

class Drawing {
 public:
  enum class Anchor { start, middle, end };
  struct Words {
    Anchor anchor = Anchor::start;
    std::string_view colour = "var(--ink)";
    std::string_view css_class = {};
  };

  // `description`: one sentence for those who cannot see it.
  Drawing(int width, int height, std::string description)
      : width_(width), height_(height), description_(std::move(description)) {}

  // In the middle of the line at `at`.
  void text(Place at, std::string_view text, const Words& words);
  // `dashes`: as stroke-dasharray takes them; empty: none.
  void line(Place from, Place to, std::string_view colour, double width, std::string_view dashes = {});
  // From one dot to another, with a head.
  void arrow(Place from, Place to, std::string_view colour, std::string_view dashes = {});
  // A rectangle whose upper left corner is at `at`.
  void box(Place at, double width, double height, std::string_view fill, std::string_view edge,
           double edge_width);
  // `title` is shown on hover.
  void dot(Place at, std::string_view colour, bool filled, std::string_view title);

  std::string svg(std::string_view css_class) const;

 private:
  int width_, height_;
  std::string description_, shapes_;
};

}  // namespace report::page
