// SPDX-License-Identifier: MIT
// Plots by gnuplot, as SVG that stands in a page and takes its colours from there: a plot is drawn in colours
// that stand for roles, and these are replaced by the page's custom properties, which are others on a dark
// screen. What a point says (`labels hypertext`) becomes its title, which browsers show on hover.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace report::page {

// Colours as gnuplot's `rgb` takes them.
constexpr std::string_view ink = "#010101";    // text, axes
constexpr std::string_view faint = "#020202";  // grids
constexpr std::string_view roof = "#040404";   // what cannot be passed
constexpr std::string_view muted = "#050505";  // what runs on the CPU
constexpr int series_count = 6;
std::string series_colour(int series);  // from 0; the colours are used again after series_count

// The text as gnuplot's string, in which nothing is replaced; what is no plain letter, digit or sign is left
// out.
std::string plot_string(std::string_view text);

struct Plot {
  std::string description;  // one sentence, for those who cannot see it
  int height = 380;         // of a width of 600
  std::string commands;     // of gnuplot, without terminal and output
};

// The height of a plot of points or curves, without its key.
constexpr int points_height = 420;

// What an axis has to show.
struct Range {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

class Plotter {
 public:
  // `gnuplot` is how it is called; empty: there is none.
  explicit Plotter(std::string gnuplot) : gnuplot_(std::move(gnuplot)) {}

  // An <svg> element; empty where there is no gnuplot, or it fails.
  std::string svg(const Plot& plot);

  bool is_there() const { return !gnuplot_.empty(); }
  const std::string& fault() const {
    return fault_;
  }  // what gnuplot said when it failed first; empty: it did not

 private:
  std::string gnuplot_, fault_;
  int drawn_ = 0;
};

// A plot with its caption; nothing where it cannot be drawn.
std::string figure(Plotter& plotter, const Plot& plot, const std::string& caption);

}  // namespace report::page
