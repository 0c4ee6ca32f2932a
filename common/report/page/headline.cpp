// SPDX-License-Identifier: MIT
// The page's first drawing: a row for each lab with its throughput as a dot on a logarithmic axis, an arrow
// with the factor to the next, CUB and the limit of reading alone. Without times the same of what the
// simulator counts.
#include <fmt/core.h>

#include <algorithm>

#include "measure/counted.hpp"
#include "report/numbers.hpp"
#include "report/page/drawing.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Anchor = Drawing::Anchor;
using measure::Rung;

struct Dot {
  double value;
  bool filled;
};

struct Row {
  std::string title, colour;
  std::vector<Dot> dots;
  std::string value, beside;  // as numbers: the measure, and what else is known
  std::string hover;
  std::string factor;  // to this row from the one before; empty: there is no arrow
  bool worse = false;  // than the one before
  std::optional<std::pair<double, double>> range = {};  // in which the value probably lies
};

// Where the columns are. Two layouts: for a laptop and for a phone.
struct Layout {
  std::string_view css_class;
  int width;
  double from, to;             // of the axis
  double value_at, beside_at;  // right ends; 0: not shown
  std::size_t marks;
};
constexpr Layout layouts[] = {{"wide", 1000, 200, 770, 880, 985, 9}, {"narrow", 400, 130, 310, 398, 0, 3}};
constexpr double top = 62, row_height = 46, bottom = 34;

struct Limit {
  double value;
  std::string words;
};

struct Picture {
  std::string description;
  std::vector<Row> rows;
  std::optional<Limit> limit;
  std::string (*mark)(double);  // the text at a mark of the axis
};

// Zero has no place on a logarithmic axis: it is drawn at the axis' beginning, as a hollow dot.
std::string drawn(const Picture& picture, const Layout& layout) {
  double least = 0, most = 0;
  for (const Row& row : picture.rows) {
    if (row.range) {
      least = least == 0 ? row.range->first : std::min(least, row.range->first);
      most = std::max(most, row.range->second);
    }
    for (const Dot& dot : row.dots) {
      if (dot.value <= 0) continue;
      least = least == 0 ? dot.value : std::min(least, dot.value);
      most = std::max(most, dot.value);
    }
  }
  if (least == 0) return {};
  if (picture.limit) most = std::max(most, picture.limit->value);
  const LogAxis axis(least, most, layout.from, layout.to);
  const double end = top + row_height * static_cast<double>(picture.rows.size());
  Drawing drawing(layout.width, static_cast<int>(end + bottom), picture.description);
  for (const double mark : axis.marks(layout.marks)) {
    drawing.line({axis.at(mark), top - 14}, {axis.at(mark), end}, "var(--faint)", 1);
    drawing.text({axis.at(mark), end + 16}, picture.mark(mark), {Anchor::middle, "var(--muted)", "small"});
  }
  if (picture.limit) {
    const double x = axis.at(picture.limit->value);
    drawing.line({x, top - 14}, {x, end}, "var(--roof)", 2, "6 4");
    drawing.text({std::min(x + 60, layout.value_at), top - 30}, picture.limit->words,
                 {Anchor::end, "var(--roof)"});
  }
  const auto place = [&](std::size_t i, const Dot& dot) {
    return Place{dot.value > 0 ? axis.at(dot.value) : layout.from,
                 top + row_height * (static_cast<double>(i) + 0.5)};
  };
  std::vector<std::pair<Place, std::string>> factors;
  for (std::size_t i = 1; i < picture.rows.size(); ++i) {
    const Row &row = picture.rows[i], &before = picture.rows[i - 1];
    if (row.factor.empty()) continue;
    const Place from = place(i - 1, before.dots.front()), to = place(i, row.dots.front());
    drawing.arrow(from, to, "var(--muted)", row.worse ? "4 3" : "");
    factors.push_back({{(from.x + to.x) / 2, (from.y + to.y) / 2}, row.factor});
  }
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    const Row& row = picture.rows[i];
    const double y = top + row_height * (static_cast<double>(i) + 0.5);
    drawing.text({2, y}, row.title, {Anchor::start, row.colour, "strong"});
    drawing.text({layout.value_at, y}, row.value, {Anchor::end});
    if (layout.beside_at > 0) drawing.text({layout.beside_at, y}, row.beside, {Anchor::end, "var(--muted)"});
    if (row.range)
      drawing.line({axis.at(row.range->first), y}, {axis.at(row.range->second), y}, "var(--estimate)", 3);
    // The last is the one below: the first of two figures is the one that counts.
    for (std::size_t d = row.dots.size(); d-- > 0;)
      drawing.dot(place(i, row.dots[d]), row.colour, row.dots[d].filled && row.dots[d].value > 0, row.hover);
  }
  for (const auto& [at, factor] : factors) drawing.text(at, factor, {Anchor::middle, "var(--ink)", "factor"});
  return drawing.svg(layout.css_class);
}

std::string figure_of(const Picture& picture, const std::string& caption) {
  std::string both;
  for (const Layout& layout : layouts) both += drawn(picture, layout);
  return both.empty() ? std::string()
                      : fmt::format("<figure class=\"headline\">\n{}<figcaption>{}</figcaption>\n</figure>\n",
                                    both, escaped(caption));
}

bool computes(const Record& record) {
  const problems::Peer* const peer = measure::find_peer(record.exercise.name);
  return peer && peer->computes;
}

std::string factor_text(const measure::Gain& gain) {
  return fmt::format("{}× {}", gain.claimed ? "" : "~", number_text(gain.times));
}

std::string samples_text(const Record& record) { return fmt::format("{} samples", record.time_ms->samples); }

Row timed_row(const Rung& rung) {
  const Record& record = rung.record;
  const double gb_s = throughput_gb_s(record);
  Row row{.title = short_title(record),
          .colour = css_colour(series_of(record)),
          .dots = {{gb_s, !record.is_peer()}},
          .value = throughput_text(gb_s),
          .beside = duration_text(record.time_ms->median),
          .hover = fmt::format("{}: {}, {} for {}, {}", title_of(record), throughput_text(gb_s),
                               duration_text(record.time_ms->median), bytes_text(record.bytes()),
                               samples_text(record))};
  if (rung.of_limit) row.hover += fmt::format(", {} of the limit", share_text(*rung.of_limit));
  if (rung.over_before && !record.is_peer()) {
    row.factor = factor_text(*rung.over_before);
    row.worse = rung.over_before->times < 1;
  }
  return row;
}

// Labs in their order, then what they are compared with.
std::vector<Row> timed_rows(const Ladder& ladder) {
  std::vector<Row> rows;
  for (const bool of_peers : {false, true}) {
    for (const Rung& rung : ladder.rungs) {
      const Record& record = rung.record;
      if (!record.is_timed() || record.is_peer() != of_peers || is_variant(record)) continue;
      if (!of_peers || computes(record)) rows.push_back(timed_row(rung));
    }
  }
  return rows;
}

// From where to where, in a sentence.
std::string summary_of(const Ladder& ladder) {
  const Record *first = nullptr, *best = nullptr;
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.is_timed() || record.is_peer() || is_variant(record)) continue;
    if (!first) first = &record;
    if (!best || throughput_gb_s(record) > throughput_gb_s(*best)) best = &record;
  }
  if (!first || first == best) return {};
  const double from = throughput_gb_s(*first), to = throughput_gb_s(*best);
  std::string sentence =
      fmt::format("From {} in {} to {} in {}: {} times as fast", throughput_text(from), title_of(*first),
                  throughput_text(to), title_of(*best), number_text(to / from));
  if (const Record* const limit = ladder.limit())
    sentence += fmt::format(", and {} of what reading the input alone reaches",
                            share_text(to / throughput_gb_s(*limit)));
  return paragraph(escaped(sentence + "."), "summary");
}

std::string throughput_mark(double gb_s) {
  return gb_s < 1     ? si_text(gb_s * 1000) + " MB/s"
         : gb_s < 999 ? si_text(gb_s) + " GB/s"
                      : si_text(gb_s / 1000) + " TB/s";
}

std::string timed_headline(const Ladder& ladder) {
  Picture picture{"Throughput of each lab on a logarithmic axis, with the factor from each to the next",
                  timed_rows(ladder),
                  {},
                  throughput_mark};
  if (const Record* const limit = ladder.limit())
    picture.limit =
        Limit{throughput_gb_s(*limit), "reading alone: " + throughput_text(throughput_gb_s(*limit))};
  return summary_of(ladder) +
         figure_of(
             picture,
             fmt::format(
                 "{}. Throughput, bytes of input per second of the kernel, is this page's measure: "
                 "inputs of different lengths can be compared by it, and the limit is a property of the "
                 "machine. The axis is logarithmic, further right is faster. Arrows: from lab to lab, "
                 "dashed where it became slower; ~ where the quartiles overlap.",
                 capitalised(setting_text(ladder.lab()))));
}

Picture estimated_picture(const Ladder& ladder) {
  Picture picture{"Estimated throughput of each lab on a logarithmic axis", {}, {}, throughput_mark};
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.estimate || !is_lab(record)) continue;
    const measure::Estimate& estimate = *record.estimate;
    const double gb_s = estimated_gb_s(record);
    Row row{.title = short_title(record),
            .colour = css_colour(series_of(record)),
            .dots = {{gb_s, false}},
            .value = "≈ " + throughput_text(gb_s),
            .beside = "≈ " + duration_text(estimate.ms),
            .hover = fmt::format("{}: estimated {}, {} for {}, probably {} to {}", title_of(record),
                                 throughput_text(gb_s), duration_text(estimate.ms),
                                 bytes_text(estimated_bytes(record)), duration_text(estimate.low),
                                 duration_text(estimate.high)),
            .range = std::pair(estimated_gb_s(record, estimate.high), estimated_gb_s(record, estimate.low))};
    picture.rows.push_back(std::move(row));
  }
  return picture;
}

std::string estimated_headline(const Ladder& ladder) {
  const Record* const one = estimated_lab(ladder);
  if (!one) return {};
  return estimated(
      one->estimate->name,
      figure_of(estimated_picture(ladder),
                fmt::format(
                    "{}. Throughput, bytes of input per second of the kernel, as a model of this GPU expects "
                    "it from what the simulator saw; each line is the range in which it probably lies. The "
                    "axis is logarithmic, "
                    "further right is faster.",
                    capitalised(estimated_setting_text(*one)))));
}

std::string count_mark(double value) { return si_text(value); }

// "÷ 33", "× 2", and where it is hardly another number "≈".
std::string counted_factor(double before, double here) {
  constexpr double hardly = 1.05;
  const double ratio = std::max(before, here) / std::min(before, here);
  if (ratio < hardly) return "≈";
  return fmt::format("{} {}", here > before ? "×" : "÷", number_text(ratio, ratio < 9.95 ? 2 : 3));
}

Picture counted_picture(const Ladder& ladder, const problems::CountedPlot& plot) {
  Picture picture{fmt::format("{} of each lab on a logarithmic axis", capitalised(std::string(plot.title))),
                  {},
                  {},
                  count_mark};
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.passed() || record.counters.empty() || !is_lab(record)) continue;
    Row row{.title = short_title(record), .colour = css_colour(series_of(record))};
    row.hover = title_of(record) + ": ";
    for (std::size_t i = 0; i < plot.figures.size(); ++i) {
      const double value = value_of(plot.figures[i], record).value_or(0);
      row.dots.push_back({value, i == 0});
      (i == 0 ? row.value : row.beside) = number_text(value);
      row.hover +=
          fmt::format("{}{} {} {}", i ? ", " : "", number_text(value), plot.title, plot.figures[i].title);
    }
    if (!picture.rows.empty()) {
      const double before = picture.rows.back().dots.front().value, here = row.dots.front().value;
      row.worse = here > before;
      if (before > 0 && here > 0) row.factor = counted_factor(before, here);
    }
    picture.rows.push_back(std::move(row));
  }
  return picture;
}

std::string counted_headline(const Ladder& ladder) {
  const problems::CountedPlot plot = problems::reference_of(ladder.lab().exercise.problem).ladder_plot();
  std::string caption = fmt::format("On the simulator: {}. {}", setting_text(ladder.lab()), plot.caption);
  if (plot.figures.size() > 1)
    caption += fmt::format(" Filled, and the first number: {} {}; hollow, and the second: {}.", plot.title,
                           plot.figures[0].title, plot.figures[1].title);
  caption += " The axis is logarithmic; 0 is a hollow dot at its beginning.";
  return figure_of(counted_picture(ladder, plot), caption);
}

}  // namespace

std::string headline_section(const Material& material, Plotter&) {
  const Ladder* const ladder = story_ladder(material.ladders);
  if (!ladder) return {};
  return ladder->timed ? timed_headline(*ladder) : estimated_headline(*ladder) + counted_headline(*ladder);
}

}  // namespace report::page
