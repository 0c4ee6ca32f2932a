// SPDX-License-Identifier: MIT
// Counters as a profiler measured them beside the simulated ones: a row for each counter and a column for
// each lab, and folded away every profile in full, with what only a GPU tells.
#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "facts/words.hpp"
#include "measure/ncu/metrics.hpp"
#include "measure/ncu/profile.hpp"
#include "report/numbers.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::CountedOnBoth;
using Align = HtmlTable::Align;

std::string counter_table(const CountedOnBoth& counted) {
  HtmlTable table({{"", Align::left}, {"measured"}, {"simulated"}, {"difference"}});
  for (const auto& [name, measured] : counted.measured.counters) {
    const auto simulated = counted.simulated.find(name);
    if (measured == 0 && simulated.value_or(0) == 0) continue;
    table.add(
        {std::string(name), facts::separated(measured), simulated ? facts::separated(*simulated) : "",
         simulated ? difference_text(static_cast<double>(*simulated), static_cast<double>(measured)) : ""});
  }
  for (const auto& [name, value] : facts::derived(counted.simulated))
    table.add({name, "", facts::derived_text(value), ""});
  return table.html("Counters, measured and simulated");
}

std::string figure_table(const CountedOnBoth& counted) {
  HtmlTable table({{"", Align::left}, {"measured"}, {"unit", Align::left}, {"what it is", Align::prose}});
  for (const facts::Quantity& known : measure::measured_figures()) {
    const auto figure = counted.measured.figures.find(std::string(known.name));
    if (figure != counted.measured.figures.end())
      table.add(
          {figure->first, si_text(figure->second), std::string(known.unit), std::string(known.meaning)});
  }
  return table.empty() ? std::string() : table.html("What only the GPU tells");
}

std::string profile_title(const CountedOnBoth& counted) {
  return fmt::format("{}: {}, {}", title_of(counted.measured), setting_text(counted.measured),
                     shape_text(counted.measured.launch.grid, counted.measured.launch.block));
}

// The same variant, input, length and tree: what may stand side by side.
auto setting_of(const Record& record) {
  return std::tie(record.tree, record.variant, record.input, record.length);
}

// The profiles of one setting, a lab once: the setting of the most labs, then of the most that were simulated
// too, then the usual one, then the newest.
std::vector<const CountedOnBoth*> side_by_side(const std::vector<CountedOnBoth>& all) {
  std::vector<const CountedOnBoth*> best;
  for (const CountedOnBoth& one : all) {
    if (!is_lab(one.measured) || one.measured.counters.empty()) continue;
    std::vector<const CountedOnBoth*> fitting;
    for (const CountedOnBoth& other : all) {
      if (setting_of(other.measured) != setting_of(one.measured) || !is_lab(other.measured) ||
          other.measured.counters.empty())
        continue;
      // Of several launches of a lab the newest.
      std::erase_if(fitting, [&](const CountedOnBoth* earlier) {
        return earlier->measured.exercise.is_same(other.measured.exercise);
      });
      fitting.push_back(&other);
    }
    const auto worth = [](const std::vector<const CountedOnBoth*>& profiles) {
      const auto simulated = std::ranges::count_if(
          profiles, [](const CountedOnBoth* profile) { return !profile->simulated.empty(); });
      return profiles.empty() ? std::tuple(std::size_t{0}, simulated, false, std::string())
                              : std::tuple(profiles.size(), simulated, is_usual(profiles.front()->measured),
                                           profiles.back()->measured.time);
    };
    if (worth(fitting) > worth(best)) best = fitting;
  }
  const auto order = [](const CountedOnBoth* one) {
    return std::tie(one->measured.exercise.lab, one->measured.exercise.name);
  };
  std::ranges::stable_sort(best, [&](const CountedOnBoth* one, const CountedOnBoth* other) {
    const auto& exercises = workbook::here().exercises;
    const auto place = [&](const CountedOnBoth* profile) {
      return std::ranges::find_if(exercises, [&](const workbook::ExerciseInfo& exercise) {
        return exercise.is_same(profile->measured.exercise);
      });
    };
    return std::tuple(place(one), order(one)) < std::tuple(place(other), order(other));
  });
  return best;
}

// "131 k" and behind it how far the simulator is off, "=" where it is not; empty: it did not count.
std::string cell_of(const CountedOnBoth& profile, std::string_view counter) {
  const auto measured = profile.measured.counters.find(counter);
  if (!measured) return "<td></td>";
  const auto simulated = profile.simulated.find(counter);
  const std::string off = !simulated                ? std::string()
                          : *simulated == *measured ? "="
                                                    : difference_text(static_cast<double>(*simulated),
                                                                      static_cast<double>(*measured));
  const std::string hover =
      fmt::format("{}: {} measured, {}", counter, facts::separated(*measured),
                  simulated ? facts::separated(*simulated) + " simulated" : "not simulated");
  return fmt::format("<td title=\"{}\">{}<span class=\"off\">{}</span></td>", escaped(hover),
                     escaped(si_text(static_cast<double>(*measured))), escaped(off));
}

std::string comparison(const std::vector<const CountedOnBoth*>& profiles) {
  std::string head = "<th scope=\"col\"></th>", rows;
  for (const CountedOnBoth* const profile : profiles)
    head += fmt::format("<th scope=\"col\">{}</th>", escaped(short_title(profile->measured)));
  for (const facts::CounterRow& row : measure::measured_counters()) {
    const std::string_view name = row.quantity.name;
    if (std::ranges::all_of(profiles, [&](const CountedOnBoth* profile) {
          return profile->measured.counters.value(name) == 0 && profile->simulated.value(name) == 0;
        }))
      continue;
    std::string cells;
    for (const CountedOnBoth* const profile : profiles) cells += cell_of(*profile, name);
    rows += fmt::format("<tr><th scope=\"row\" class=\"words\" title=\"{}\">{}</th>{}</tr>\n",
                        escaped(row.quantity.meaning), escaped(name), cells);
  }
  return scrolled(
      "Counters, measured and simulated",
      fmt::format("<table class=\"counters\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                  head, rows));
}

}  // namespace

std::vector<CountedOnBoth> profiles_of(const Material& material) {
  std::vector<Record> records = material.counts;
  std::ranges::copy_if(material.records, std::back_inserter(records),
                       [](const Record& record) { return traits_of(record.backend).accelerator; });
  return measure::counted_on_both(records);
}

std::string counter_section(const Material& material, Plotter&) {
  const std::vector<CountedOnBoth> all = profiles_of(material);
  if (all.empty()) return {};
  std::string html, full;
  if (const auto profiles = side_by_side(all); !profiles.empty()) {
    html += paragraph(fmt::format(
                "What the profiler counted of each lab's launch, over {}; behind each number how far "
                "the simulator is off: = where it counts the same, empty where it has not counted "
                "this launch.",
                escaped(setting_text(profiles.front()->measured)))) +
            comparison(profiles);
  }
  for (const CountedOnBoth& counted : all) {
    full += "<h3>" + escaped(profile_title(counted)) + "</h3>\n";
    if (!counted.measured.counters.empty()) full += counter_table(counted);
    full += figure_table(counted);
  }
  return html +
         folded(all.size() == 1 ? "The profile in full" : fmt::format("{} profiles in full", all.size()),
                full);
}

std::string counter_command(const Material& material) {
  return fmt::format("lab profile {} --solution", middle_exercise(material.problem));
}

}  // namespace report::page
