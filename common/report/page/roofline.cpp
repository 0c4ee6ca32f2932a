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
#include "report/page/axes.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

constexpr std::uint64_t counted_length = 1 << 20, longest_counted = 1 << 24;

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

// No faster than the rate over the atomics per byte. Its name stands at its end, with those of the labs.
std::string slanted_roof(double rate, double limit, const Range& across, const std::string& memory,
                         std::vector<EndLabel>& ends) {
  if (rate == 0) return {};
  ends.push_back({memory + " " + si_text(1e9 * rate) + "/s", std::string(roof), rate / across.most});
  return fmt::format(
      ", ({0:.6g}/x < {1:.6g} ? {0:.6g}/x : 1/0) linecolor rgb '{2}' linewidth 1.6 dashtype 4 notitle", rate,
      limit, roof);
}

std::string hover_of(const RooflinePoint& point) {
  return fmt::format("{}, {}: {}, {} atomics per byte, {} atomics per second, {} samples",
                     title_of(point.measured), point.measured.input, throughput_text(point.gb_s),
                     number_text(point.atomics_a_byte), si_text(1e9 * point.gb_s * point.atomics_a_byte),
                     point.measured.time_ms->samples);
}

// The usual input's points are filled and have their lab's name; those of other inputs are small and hollow.
Plot roofline_plot(const Roofline& roofline) {
  Range across, up;
  up.include(roofline.read_limit_gb_s);
  for (const RooflinePoint& point : roofline.points) {
    across.include(point.atomics_a_byte);
    up.include(point.gb_s);
  }
  across = {across.least / 4, across.most * 6};
  std::vector<std::string> named;
  std::string data, drawn, labels;
  std::vector<EndLabel> ends;
  for (std::size_t i = 0; i < roofline.points.size(); ++i) {
    const RooflinePoint& point = roofline.points[i];
    const Record& record = point.measured;
    const std::string name = short_title(record), colour = plot_colour(series_of(record));
    const bool first = std::ranges::find(named, name) == named.end();
    data += fmt::format("$point{} << END\n{:.6g} {:.6g} {}\nEND\n", i, point.atomics_a_byte, point.gb_s,
                        hover_string(hover_of(point)));
    drawn += fmt::format(
        ", $point{} using 1:2:3 with labels hypertext point pointtype {} pointsize {} linecolor rgb "
        "'{}' notitle",
        i, first ? 7 : 6, first ? 1.1 : 0.7, colour);
    if (!first) continue;
    ends.push_back({name, colour, point.gb_s});
    named.push_back(name);
  }
  const double limit = roofline.read_limit_gb_s;
  ValueAxis axis = throughput_axis(up);
  axis.to = std::max(axis.to, limit * 2.5);
  const std::string roofs = slanted_roof(roofline.shared_rate, limit, across, "shared", ends) +
                            slanted_roof(roofline.global_rate, limit, across, "global", ends);
  labels += end_labels(std::move(ends), axis);
  labels += fmt::format("set label {} at {:.6g}, {:.6g} left offset 0.5,0.6 textcolor rgb '{}'\n",
                        plot_string("reading alone, " + throughput_text(limit)), across.least, limit, roof);
  return {
      "Throughput of the labs over their atomics per byte, below the limit of reading and the highest rates "
      "of "
      "atomics",
      points_height,
      fmt::format(
          "unset key\nset logscale xy\nset format x '%g'\n{}set samples 400\nset xrange [{:.6g}:{:.6g}]\n"
          "set xlabel 'atomics per byte' offset 0,0.4 textcolor rgb '{}'\n{}{}{}"
          "plot {:.6g} linecolor rgb '{}' linewidth 2 notitle{}{}\n",
          across.most / across.least > 1e4 ? "set xtics 100\n" : "", across.least, across.most, ink,
          axis.commands(), labels, data, limit, roof, roofs, drawn)};
}

std::string roofline_table(const Roofline& roofline) {
  HtmlTable table({{"", Align::left},
                   {"input", Align::left},
                   {"atomics per byte"},
                   {"mostly on", Align::left},
                   {"throughput"},
                   {"atomics per second"},
                   {"of limit"},
                   {"samples"}});
  for (const RooflinePoint& point : roofline.points) {
    table.add({title_of(point.measured), point.measured.input, number_text(point.atomics_a_byte),
               point.shared ? "shared memory" : "global memory", throughput_text(point.gb_s),
               si_text(1e9 * point.gb_s * point.atomics_a_byte),
               share_text(point.gb_s / roofline.read_limit_gb_s),
               std::to_string(point.measured.time_ms->samples)});
  }
  return table.html("Points of the roofline");
}

std::string name_of(const Roofline& roofline) {
  return fmt::format("{} {}, {}", roofline.variant_option, roofline.variant,
                     roofline.tree == "student" ? "the student's own labs" : "the solutions");
}

std::string drawn_roofline(const Roofline& roofline, Plotter& plotter) {
  return figure(
      plotter, roofline_plot(roofline),
      capitalised(name_of(roofline)) +
          ". A dot for each lab, filled for the usual input and small for the others: further left, it makes "
          "fewer atomics per byte; further up, it is faster. The flat line is reading the input alone, the "
          "slanted ones are the highest rates of atomics per second, on shared and on global memory, that "
          "any lab here reached: a lab on such a line is "
          "helped by fewer atomics, one far below it makes them more slowly than another lab can.");
}

}  // namespace

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

namespace {

std::string simulated_run(const Record& measured, std::uint64_t grid, std::uint64_t length) {
  return fmt::format("lab run {} --on sim{} --input {} --{} {} --block {} --grid {} --length {}",
                     measure::short_name(measured.exercise), measured.tree == "solution" ? " --solution" : "",
                     measured.input, problem_of(measured).variant_option(), measured.variant,
                     measured.launch.block, grid, length);
}

}  // namespace

std::string counting_command(const Record& measured) {
  const std::uint64_t block = measured.launch.block;
  const double threads = std::max(1.0, static_cast<double>(counted_length) / elements_a_thread(measured));
  const auto grid =
      static_cast<std::uint64_t>(std::max(1.0, std::round(threads / static_cast<double>(block))));
  const auto length =
      static_cast<std::uint64_t>(std::round(elements_a_thread(measured) * static_cast<double>(grid * block)));
  return simulated_run(measured, grid, length);
}

std::string recounting_command(const Record& measured) {
  return simulated_run(measured, measured.launch.grid, measured.length);
}

std::string uncounted_list(const Material& material) {
  std::vector<std::string> commands;
  const auto add = [&](const std::string& command) {
    if (std::ranges::find(commands, command) == commands.end()) commands.push_back(command);
  };
  for (const Ladder& ladder : material.ladders) {
    if (!has_atomics(ladder.lab().exercise.problem)) continue;
    for (const measure::Rung& rung : ladder.rungs) {
      if (rung.record.is_timed() && is_lab(rung.record) && !counted_like(rung.record, material.counts))
        add(counting_command(rung.record));
    }
  }
  for (const measure::CountedOnBoth& profile : profiles_of(material)) {
    // A longer input takes the simulator too long.
    if (profile.simulated.empty() && profile.measured.length <= longest_counted && is_lab(profile.measured))
      add(recounting_command(profile.measured));
  }
  if (commands.empty()) return {};
  std::string lines;
  for (const std::string& command : commands) lines += fmt::format("<li>{}</li>\n", code(command));
  return folded(commands.size() == 1
                    ? "1 launch that the simulator has not counted yet"
                    : fmt::format("{} launches that the simulator has not counted yet", commands.size()),
                "<ul class=\"commands\">\n" + lines + "</ul>\n");
}

std::string roofline_section(const Material& material, Plotter& plotter) {
  std::vector<Roofline> all = rooflines(material.ladders, material.counts);
  // That of the story first, the others folded away.
  const Ladder* const story = story_ladder(material.ladders);
  std::stable_partition(all.begin(), all.end(), [&](const Roofline& roofline) {
    return roofline.tree == story->lab().tree && roofline.variant == story->lab().variant;
  });
  std::string shown, others;
  for (const Roofline& roofline : all) {
    if (roofline.points.empty()) continue;
    const std::string drawn = drawn_roofline(roofline, plotter), table = roofline_table(roofline);
    if (shown.empty())
      shown = drawn + (drawn.empty() ? table : folded("The numbers", table));
    else
      others += fmt::format("<div>\n<h3>{}</h3>\n", escaped(capitalised(name_of(roofline)))) + drawn + table +
                "</div>\n";
  }
  return shown + (others.empty()
                      ? ""
                      : folded("The other rooflines", "<div class=\"pair\">\n" + others + "</div>\n"));
}

std::string roofline_command(const Material& material) {
  const bool timed = std::ranges::any_of(material.ladders, &Ladder::timed);
  return has_atomics(std::string(material.problem.name())) && !timed ? bench_command(material.problem)
                                                                     : std::string();
}

}  // namespace report::page
