// SPDX-License-Identifier: MIT
// The roofline: measured throughput over atomics per byte.
//
// A kernel that reads its input once is no faster than reading (the flat roof), and if the machine makes at
// most R atomics per second, no faster than R / (atomics per byte) (the slanted roof). R is not in a data
// sheet: it is the highest rate at which any lab made atomics so far, on global and on shared memory each. So
// a point on the slant makes atomics as fast as any and is helped by fewer; one below it makes them more
// slowly than another lab can. (Williams, Waterman and Patterson, Roofline, 2009.)
//
// Atomics are counted by the simulator: the profiler counts requests of warps, not lanes. How many there are
// per byte depends on the threads per block and the bytes per thread, and hardly on the length: a short
// launch with both the same stands for a long one.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

constexpr std::uint64_t counted_length = 1 << 20;

double elements_a_thread(const Record& record) {
  return static_cast<double>(record.length) /
         (static_cast<double>(record.launch.grid) * static_cast<double>(record.launch.block));
}

// Grids are whole numbers of blocks, so elements a thread are seldom quite the same.
bool is_scaled(const Record& measured, const Record& counted) {
  constexpr double tolerance = 1.1;
  if (measured.launch.grid == 0 || counted.launch.grid == 0 || measured.launch.block != counted.launch.block)
    return false;
  const double ratio = elements_a_thread(measured) / elements_a_thread(counted);
  // Where a thread has one element, the last block may be half empty.
  return (ratio < tolerance && ratio > 1 / tolerance) ||
         (elements_a_thread(measured) <= 1 && elements_a_thread(counted) <= 1);
}

const Record* counted_like(const Record& measured, const std::vector<Record>& records) {
  const auto fits = [&](const Record& other) {
    return traits_of(other.backend).simulated && other.passed() && other.length > 0 &&
           !other.counters.empty() && other.exercise.is_same(measured.exercise) &&
           other.tree == measured.tree && other.variant == measured.variant &&
           other.input == measured.input && is_scaled(measured, other);
  };
  const auto found = std::find_if(records.rbegin(), records.rend(), fits);
  return found == records.rend() ? nullptr : &*found;
}

void add_rung(Roofline& roofline, const Record& rung, const std::vector<Record>& records) {
  const Record* const counted = counted_like(rung, records);
  if (!counted) {
    roofline.uncounted.push_back(rung);
    return;
  }
  const auto global = static_cast<double>(counted->counters.value("global_atomics"));
  const auto shared = static_cast<double>(counted->counters.value("shared_atomics"));
  RooflinePoint point{rung, throughput_gb_s(rung), (global + shared) / static_cast<double>(counted->bytes()),
                      shared > global};
  if (point.atomics_a_byte == 0) return;  // it has no place on a logarithmic axis
  double& rate = point.shared ? roofline.shared_rate : roofline.global_rate;
  rate = std::max(rate, point.gb_s * point.atomics_a_byte);
  roofline.points.push_back(std::move(point));
}

// Whether atomics say something of the problem's exercises.
bool has_atomics(const std::string& problem) {
  return std::ranges::any_of(problems::reference_of(problem).counted_columns(), [](const auto& column) {
    return column.counter == "global_atomics" || column.counter == "shared_atomics";
  });
}

// Number and, where a lab has several exercises, the first letter: what fits beside a point.
std::string short_title(const Record& record) {
  const std::string name = measure::short_name(record.exercise);
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(0, slash) + name.substr(slash + 1, 1);
}

std::string slanted_roof(double rate, double limit, const std::string& title) {
  if (rate == 0) return {};
  return fmt::format(
      ", ({0:.6g}/x < {1:.6g} ? {0:.6g}/x : 1/0) linecolor rgb '{2}' linewidth 1.6 dashtype 4 title {3}",
      rate, limit, roof, plot_string(title));
}

Plot roofline_plot(const Roofline& roofline) {
  Range across, up;
  up.include(roofline.read_limit_gb_s);
  std::vector<std::string> inputs;
  for (const RooflinePoint& point : roofline.points) {
    across.include(point.atomics_a_byte);
    up.include(point.gb_s);
    if (std::ranges::find(inputs, point.measured.input) == inputs.end())
      inputs.push_back(point.measured.input);
  }
  std::string data, drawn;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    data += fmt::format("$input{} << END\n", i);
    for (const RooflinePoint& point : roofline.points) {
      if (point.measured.input == inputs[i])
        data += fmt::format("{:.6g} {:.6g} \"{}\"\n", point.atomics_a_byte, point.gb_s,
                            short_title(point.measured));
    }
    data += "END\n";
    const int series = static_cast<int>(i);
    drawn += fmt::format(
        ", $input{0} using 1:2 with points linecolor rgb '{1}' pointtype {2} pointsize 1.1 title {3}, "
        "$input{0} using 1:2:3 with labels "
        "{5} textcolor rgb '{4}' notitle",
        i, series_colour(series), 5 + 2 * (series % 4), plot_string(inputs[i]), ink,
        i % 2 == 0 ? "left offset 0.8,0" : "right offset -0.8,0");
  }
  const double limit = roofline.read_limit_gb_s;
  const int keys = static_cast<int>(inputs.size()) / 2 + 3;
  return {
      "Throughput of the labs over their atomics per byte, below the limit of reading and the highest rates "
      "of "
      "atomics",
      points_height + 24 * keys,
      fmt::format(
          "set logscale xy\nset format '%g'\nset samples 400\nset xrange [{:.6g}:{:.6g}]\nset yrange "
          "[{:.6g}:{:.6g}]\n"
          "set xlabel 'atomics per byte' offset 0,0.4 textcolor rgb '{ink}'\nset ylabel 'GB/s' textcolor rgb "
          "'{ink}'\nset key below maxrows "
          "{}\n{}"
          "plot {:.6g} linecolor rgb '{roof}' linewidth 2 title {}{}{}{}\n",
          across.least / 4, across.most * 4, up.least / 3, limit * 2.5, keys, data, limit,
          plot_string("reading alone, " + throughput_text(limit)),
          slanted_roof(
              roofline.shared_rate, limit,
              fmt::format("{} billion shared atomics per second", number_text(roofline.shared_rate))),
          slanted_roof(
              roofline.global_rate, limit,
              fmt::format("{} billion global atomics per second", number_text(roofline.global_rate))),
          drawn, fmt::arg("ink", ink), fmt::arg("roof", roof))};
}

std::string roofline_table(const Roofline& roofline) {
  HtmlTable table({{"", Align::left},
                   {"input", Align::left},
                   {"atomics per byte"},
                   {"mostly on", Align::left},
                   {"GB/s"},
                   {"billion atomics per second"},
                   {"of limit"}});
  for (const RooflinePoint& point : roofline.points) {
    table.add({title_of(point.measured), point.measured.input, number_text(point.atomics_a_byte),
               point.shared ? "shared memory" : "global memory", number_text(point.gb_s),
               number_text(point.gb_s * point.atomics_a_byte),
               share_text(point.gb_s / roofline.read_limit_gb_s)});
  }
  return table.html("Points of the roofline");
}

// One input's labs. A longer list is folded away.
constexpr std::size_t listed_commands = 6;

// What has to be counted for the points that are missing.
std::string missing_points(const Roofline& roofline) {
  if (roofline.is_complete()) return {};
  std::string lines;
  for (const Record& rung : roofline.uncounted)
    lines += fmt::format("<li>{}</li>\n", code(counting_command(rung)));
  const std::string list = "<ul class=\"commands\">\n" + lines + "</ul>\n";
  return paragraph(
             "Not shown, because their atomics are not counted yet; the simulator does, on a short input "
             "with the same block and bytes a "
             "thread:") +
         (roofline.uncounted.size() > listed_commands
              ? folded(fmt::format("{} commands", roofline.uncounted.size()), list)
              : list);
}

std::string one_roofline(const Roofline& roofline, Plotter& plotter) {
  std::string html = fmt::format("<h3>{} {}, {}</h3>\n", escaped(capitalised(roofline.variant_option)),
                                 escaped(roofline.variant),
                                 roofline.tree == "student" ? "the student's own labs" : "the solutions");
  if (!roofline.points.empty()) {
    html += figure(plotter, roofline_plot(roofline),
                   "Each point is a lab, by its number and, where it has several exercises, their first "
                   "letter: the further left, the "
                   "fewer atomics it makes a byte; the higher, the faster. The flat line is "
                   "reading the input alone. "
                   "The slanted ones are the highest rates at which any lab here made atomics: a lab on such "
                   "a line makes them as fast as "
                   "any, and is helped by fewer; "
                   "one below it makes them more slowly than another lab can.");
    html += roofline_table(roofline);
  }
  return html + missing_points(roofline);
}

}  // namespace

std::vector<Roofline> rooflines(const std::vector<Ladder>& ladders, const std::vector<Record>& records) {
  std::vector<Roofline> found;
  for (const Ladder& ladder : ladders) {
    const Record* const limit = ladder.limit();
    if (!ladder.timed || !limit || !has_atomics(ladder.lab().exercise.problem)) continue;
    const Record& lab = ladder.lab();
    auto roofline = std::ranges::find_if(
        found, [&](const Roofline& other) { return other.tree == lab.tree && other.variant == lab.variant; });
    if (roofline == found.end())
      roofline = found.insert(found.end(),
                              Roofline{lab.tree, std::string(problem_of(lab).variant_option()), lab.variant});
    roofline->read_limit_gb_s = std::max(roofline->read_limit_gb_s, throughput_gb_s(*limit));
    for (const measure::Rung& rung : ladder.rungs) {
      if (rung.record.exercise.launched && !rung.record.is_peer() && rung.record.is_timed())
        add_rung(*roofline, rung.record, records);
    }
  }
  return found;
}

std::string counting_command(const Record& measured) {
  const std::uint64_t block = measured.launch.block;
  const double threads = std::max(1.0, static_cast<double>(counted_length) / elements_a_thread(measured));
  const auto grid =
      static_cast<std::uint64_t>(std::max(1.0, std::round(threads / static_cast<double>(block))));
  const auto length =
      static_cast<std::uint64_t>(std::round(elements_a_thread(measured) * static_cast<double>(grid * block)));
  return fmt::format("lab run {} --on sim{} --input {} --{} {} --block {} --grid {} --length {}",
                     measure::short_name(measured.exercise), measured.tree == "solution" ? " --solution" : "",
                     measured.input, problem_of(measured).variant_option(), measured.variant, block, grid,
                     length);
}

std::string roofline_section(const Material& material, Plotter& plotter) {
  std::string html;
  for (const Roofline& roofline : rooflines(material.ladders, material.selected.records))
    html += one_roofline(roofline, plotter);
  if (html.empty() && has_atomics(std::string(material.problem.name())))
    html = paragraph(
        "It sets times of a GPU against the simulator's counters. For the times, on a machine with a GPU: " +
            code(bench_command(material.problem)),
        "nothing");
  return html;
}

}  // namespace report::page
