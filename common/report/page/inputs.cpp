// SPDX-License-Identifier: MIT
// A heat map of variants and inputs: which lab is fastest on each, and how much of the limit it reaches. It
// is a table, so that it can be read aloud, selected, and printed.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/numbers.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::Rung;

// The timed ladder of each variant and input, all over the length of the drawing on top: what a launch costs
// whatever the length would make short inputs look slow. In the problem's order, what it does not know
// behind.
struct Grid {
  std::string amount;  // "1 GiB"
  std::vector<std::string> variants, inputs;
  std::map<std::pair<std::string, std::string>, const Ladder*> ladders;
};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

Grid grid_of(const Material& material) {
  Grid grid;
  const Ladder* const story = story_ladder(material.ladders);
  if (!story || !story->timed) return grid;
  grid.amount = bytes_text(story->lab().bytes());
  std::vector<std::string> variants, inputs;  // that were measured
  for (const Ladder& ladder : material.ladders) {
    const Record& lab = ladder.lab();
    if (!ladder.timed || lab.tree != story->lab().tree || lab.length != story->lab().length || lab.warm_cache)
      continue;
    const Ladder*& kept = grid.ladders[{lab.variant, lab.input}];
    if (!kept || kept->lab().time <= lab.time) kept = &ladder;
    add_once(variants, lab.variant);
    add_once(inputs, lab.input);
  }
  const auto ordered = [](std::vector<std::string> known, const std::vector<std::string>& measured) {
    std::erase_if(
        known, [&](const std::string& name) { return std::ranges::find(measured, name) == measured.end(); });
    for (const std::string& name : measured) add_once(known, name);
    return known;
  };
  std::vector<std::string> known;
  for (const problems::Variant& variant : material.problem.variants()) known.emplace_back(variant.name);
  grid.variants = ordered(known, variants);
  grid.inputs = ordered(problems::reference_of(material.problem.name()).ladder_inputs(), inputs);
  return grid;
}

std::vector<const Rung*> timed_labs(const Ladder& ladder) {
  std::vector<const Rung*> labs;
  for (const Rung& rung : ladder.rungs) {
    if (rung.record.is_timed() && is_lab(rung.record)) labs.push_back(&rung);
  }
  return labs;
}

std::string throughput_with_share(const Rung& rung) {
  return throughput_text(throughput_gb_s(rung.record)) +
         (rung.of_limit ? ", " + share_text(*rung.of_limit) + " of the limit" : "");
}

// `share`: of the limit, which is the cell's colour.
std::string heat_cell(const Rung& rung, const std::string& html, const std::string& hover) {
  return fmt::format("<td style=\"--share:{:.3f}\" title=\"{}\">{}</td>",
                     std::clamp(rung.of_limit.value_or(0), 0.0, 1.0), escaped(hover), html);
}

std::string best_cell(const Ladder& ladder) {
  const std::vector<const Rung*> labs = timed_labs(ladder);
  if (labs.empty()) return "<td></td>";
  const Rung& best =
      **std::ranges::max_element(labs, {}, [](const Rung* rung) { return throughput_gb_s(rung->record); });
  std::string hover;
  for (const Rung* const rung : labs)
    hover += (hover.empty() ? "" : "; ") + short_title(rung->record) + ": " + throughput_with_share(*rung);
  return heat_cell(
      best,
      fmt::format("<b>{}</b><span>{}{}</span>", escaped(throughput_text(throughput_gb_s(best.record))),
                  escaped(short_title(best.record)),
                  best.of_limit ? fmt::format(" · {:.0f} %", 100 * *best.of_limit) : ""),
      hover);
}

std::string best_map(const Grid& grid, const problems::Problem& problem) {
  std::string head = fmt::format("<th scope=\"col\">{}</th>", escaped(problem.variant_option())), rows;
  for (const std::string& input : grid.inputs)
    head += fmt::format("<th scope=\"col\">{}</th>", escaped(input));
  for (const std::string& variant : grid.variants) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(variant));
    for (const std::string& input : grid.inputs) {
      const auto ladder = grid.ladders.find({variant, input});
      rows += ladder == grid.ladders.end() ? "<td></td>" : best_cell(*ladder->second);
    }
    rows += "</tr>\n";
  }
  return scrolled(
      "The fastest lab for each input",
      fmt::format("<table class=\"heat\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n", head,
                  rows));
}

// The same for every lab: a row for each setting.
std::string every_lab(const Grid& grid, const problems::Problem& problem) {
  std::vector<std::string> titles;
  for (const auto& [setting, ladder] : grid.ladders) {
    for (const Rung* const rung : timed_labs(*ladder)) add_once(titles, short_title(rung->record));
  }
  std::string head = fmt::format("<th scope=\"col\">{}, input</th>", escaped(problem.variant_option())), rows;
  for (const std::string& title : titles) head += fmt::format("<th scope=\"col\">{}</th>", escaped(title));
  for (const std::string& variant : grid.variants) {
    for (const std::string& input : grid.inputs) {
      const auto ladder = grid.ladders.find({variant, input});
      if (ladder == grid.ladders.end()) continue;
      rows += fmt::format("<tr><th scope=\"row\">{}, {}</th>", escaped(variant), escaped(input));
      const std::vector<const Rung*> labs = timed_labs(*ladder->second);
      for (const std::string& title : titles) {
        const auto lab =
            std::ranges::find_if(labs, [&](const Rung* rung) { return short_title(rung->record) == title; });
        rows += lab == labs.end()
                    ? "<td></td>"
                    : heat_cell(**lab, escaped(throughput_text(throughput_gb_s((*lab)->record))),
                                throughput_with_share(**lab));
      }
      rows += "</tr>\n";
    }
  }
  return scrolled(
      "Throughput of every lab for each input",
      fmt::format("<table class=\"heat\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n", head,
                  rows));
}

}  // namespace

std::string input_section(const Material& material, Plotter&) {
  const Grid grid = grid_of(material);
  if (grid.ladders.size() < 2) return {};
  return paragraph(fmt::format(
             "The fastest lab for each {} and input, over {} each, its throughput, and how much that is of "
             "what reading alone reaches: the stronger the colour, the closer to the limit.",
             escaped(material.problem.variant_option()), grid.amount)) +
         best_map(grid, material.problem) +
         folded("Every lab on every input", every_lab(grid, material.problem));
}

std::string input_command(const Material& material) {
  return bench_command(material.problem,
                       fmt::format("--input all --{} all", material.problem.variant_option()));
}

}  // namespace report::page
