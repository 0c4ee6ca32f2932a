// SPDX-License-Identifier: MIT
// The parts of the page that tell the story: the drawing on top, the heat map, the steps, and where counts
// come from.
#include <doctest/doctest.h>

#include <set>

#include "report/page/labs.hpp"
#include "report/page/section.hpp"
#include "support/contains.hpp"
#include "support/made_records.hpp"

using namespace report::page;

namespace {

std::string html_of(const std::vector<Json>& records, const std::vector<Json>& counted_elsewhere = {}) {
  return page({records, {}, "", counted_elsewhere}).html;
}

// From the section's heading on to its end; empty: there is none.
std::string section_in(const std::string& html, const std::string& id) {
  const std::size_t begin = html.find("<section id=\"" + id + "\">");
  return begin == std::string::npos ? "" : html.substr(begin, html.find("</section>", begin) - begin);
}

Json on_input(Json record, const std::string& input) {
  record["input"] = input;
  return record;
}

const Json count_of_02 =
    made_count("02_global_atomics", "histogram", {{"global_atomics", 1 << 20}, {"shared_atomics", 0}});
const Json count_of_04 =
    made_count("04_shared_memory", "histogram",
               {{"global_atomics", 1 << 15}, {"shared_atomics", 1 << 20}, {"barriers", 1 << 10}});

Json made_profile(const std::string& lab, double waiting, double instructions) {
  Json json = made_record(lab, "histogram", 1);
  json["kind"] = "profile";
  json["counters"] = {{"barriers", 0}};
  json["figures"] = {
      {"stall_long_scoreboard", waiting}, {"instructions", instructions}, {"kernel_time", 5.0}};
  return json;
}

std::vector<Step> steps_of(const std::vector<Json>& json) {
  const std::vector<Record> records = read_all(json);
  const auto ladders = measure::ladders(records);
  const std::vector<PredictionRow> none;
  return steps(ladders.front(), {*problems::problems().front(), records, records, ladders, {}, none});
}

Json variant_of_05(double median_ms) {
  Json json = made_record("05_coarsening", "contiguous-c4", median_ms);
  json["kind"] = "variants";
  return json;
}

const Json estimate_of_one{{"gpu", "h200"},     {"name", "NVIDIA H200"},
                           {"length", 1 << 30}, {"launch", {{"grid", 1 << 20}, {"block", 1024}}},
                           {"ms", 2.5},         {"low", 2.0},
                           {"high", 3.0},       {"bound_by", {{{"what", "dram"}, {"share", 0.75}}}},
                           {"calibrated", true}};

Json with_estimate(Json record) {
  record["estimate"] = estimate_of_one;
  return record;
}

}  // namespace

TEST_CASE("without a GPU estimates stand in boxes that name it, and nowhere else") {
  Json one = with_estimate(count_of_02), other = with_estimate(count_of_04);
  one["gpu"] = other["gpu"] = nullptr;
  const std::string html = html_of({one, other});
  CHECK(contains(html, "What is estimated for an NVIDIA H200 stands in boxes that say so."));
  const std::string ladder = section_in(html, "ladder"), steps = section_in(html, "steps");
  for (const std::string& part : {ladder, steps})
    CHECK(contains(
        part,
        "<div class=\"estimated\">\n<p class=\"badge\">Estimated for an NVIDIA H200, not measured</p>"));
  CHECK(contains(ladder, "≈ 429 GB/s"));
  CHECK(contains(steps, "<td>2.5 ms</td>"));
  CHECK(contains(steps, "2 ms – 3 ms"));
  CHECK(contains(steps, "DRAM, 75 %"));
  CHECK_FALSE(contains(steps, "<th scope=\"col\">measured</th>"));
  // Without the boxes nothing of them is left.
  Json plain = count_of_02, plain_other = count_of_04;
  plain["gpu"] = plain_other["gpu"] = nullptr;
  CHECK_FALSE(contains(section_in(html_of({plain, plain_other}), "ladder"), "stimated"));
}

TEST_CASE("where the GPU was measured the estimate stands beside the time, with the difference") {
  const std::string html = html_of({with_estimate(made_record("02_global_atomics", "histogram", 2)),
                                    with_estimate(made_record("04_shared_memory", "histogram", 2.5))});
  const std::string rest = section_in(html, "rest");
  CHECK(contains(rest, "estimate off by"));
  CHECK(contains(rest, "<td>+25 %</td>"));
  CHECK(contains(rest, "<td>equal</td>"));
}

TEST_CASE("a sweep on the simulator that counts nothing is shown by its estimates") {
  Json first = made_point("block", 128, 1, "02_global_atomics"),
       second = made_point("block", 256, 1, "02_global_atomics");
  for (Json* const point : {&first, &second}) {
    (*point)["backend"] = "sim";
    (*point)["time_ms"] = nullptr;
    (*point)["length"] = 1 << 20;
    (*point)["counters"] = {{"global_atomics", 0}};
  }
  CHECK(section_in(html_of({first, second}), "sweeps").empty());
  const std::string sweeps = section_in(html_of({with_estimate(first), with_estimate(second)}), "sweeps");
  CHECK(contains(sweeps, "Estimated for an NVIDIA H200, not measured"));
  CHECK(contains(sweeps, "Estimated throughput: 1 GiB of letters, binning letters4, the solutions."));
  CHECK(contains(sweeps, "<td>429 GB/s</td>"));
}

TEST_CASE("the drawing on top has each lab's throughput, the factors between them, CUB and the limit") {
  const std::string html = section_in(html_of(made_ladder()), "ladder");
  CHECK(contains(
      html,
      "<p class=\"summary\">From 1.07 GB/s in 01 sequential to 268 GB/s in 04 shared_memory: 250 times as "
      "fast, and 6.25 % of what reading the input alone reaches.</p>"));
  for (const char* const text :
       {">02</text>", ">5.37 GB/s</text>", ">200 ms</text>", ">× 5</text>", ">× 50</text>", ">CUB</text>",
        ">reading alone: 4.29 TB/s</text>",
        "<title>04 shared_memory: 268 GB/s, 4 ms for 1 GiB, 21 samples, 6.25 % of the limit</title>"}) {
    CAPTURE(text);
    CHECK(contains(html, text));
  }
  // Once for wide screens, once for narrow ones.
  CHECK(contains(html, "<svg class=\"wide\" viewBox=\"0 0 1000 "));
  CHECK(contains(html, "<svg class=\"narrow\" viewBox=\"0 0 400 "));
  // No lab became slower.
  CHECK_FALSE(contains(html, "stroke-dasharray=\"4 3\""));
}

TEST_CASE("an arrow to a slower lab is dashed, and a factor within the quartiles is no claim") {
  std::vector<Json> records = made_ladder();
  records.insert(records.begin() + 3, made_record("05_coarsening", "contiguous", 8));
  const std::string slower = section_in(html_of(records), "ladder");
  CHECK(contains(slower, ">× 0.5</text>"));
  CHECK(contains(slower, "stroke-dasharray=\"4 3\""));
  records[3] = made_record("05_coarsening", "contiguous", 3.9);
  CHECK(contains(section_in(html_of(records), "ladder"), ">~× 1.03</text>"));
}

TEST_CASE("without times the drawing is of what the simulator counts") {
  std::vector<Json> records{count_of_02, count_of_04};
  for (Json& record : records) record["gpu"] = nullptr;
  const std::string html = html_of(records);
  const std::string drawing = section_in(html, "ladder");
  CHECK(contains(drawing, ">÷ 32</text>"));
  CHECK(contains(
      drawing,
      "<title>04 shared_memory: 0.0312 atomics per byte on global memory, 1 atomics per byte on shared "
      "memory</title>"));
  CHECK(contains(html,
                 "without a GPU, 2026-11-20. Times need a GPU; those that an H200 measured: <code>lab report "
                 "--records docs/records/h200.jsonl</code>"));
  CHECK(contains(section_in(html, "steps"), "<th scope=\"col\">global atomics</th>"));
}

TEST_CASE("each exercise has a colour of its own, variants that of their exercise") {
  const auto colour = [](const std::string& lab, const std::string& exercise) {
    return css_colour(series_of(read_all({made_record(lab, exercise, 1)}).front()));
  };
  CHECK(colour("02_global_atomics", "histogram") == "var(--series-1)");
  CHECK(colour("04_shared_memory", "histogram") == "var(--series-3)");
  CHECK(colour("05_coarsening", "contiguous") == "var(--series-4)");
  CHECK(colour("05_coarsening", "interleaved") == "var(--series-5)");
  CHECK(colour("05_coarsening", "interleaved-bytewise") == "var(--series-5)");
  CHECK(colour("06_aggregation", "histogram") == "var(--series-6)");
  CHECK(colour("01_sequential", "histogram") == "var(--muted)");
  CHECK(colour("peers", "cub") == "var(--ink)");
  std::set<std::string> colours;
  std::size_t exercises = 0;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (!exercise.launched || exercise.problem != "histogram") continue;
    colours.insert(colour(exercise.lab, exercise.name));
    ++exercises;
  }
  CHECK(colours.size() == exercises);
}

TEST_CASE("the heat map has the fastest lab of each variant and input, with its share of the limit") {
  std::vector<Json> records = made_ladder();
  for (const Json& record : made_ladder()) records.push_back(on_input(record, "same"));
  const std::string html = section_in(html_of(records), "inputs");
  CHECK(contains(html,
                 "<thead><tr><th scope=\"col\">binning</th><th scope=\"col\">letters</th><th "
                 "scope=\"col\">same</th></tr></thead>"));
  const std::string cell =
      "<td style=\"--share:0.062\" title=\"02: 5.37 GB/s, 0.12 % of the limit; 04: 268 GB/s, 6.25 % of the "
      "limit\">"
      "<b>268 GB/s</b><span>04 · 6 %</span></td>";
  CHECK(contains(html, "<tr><th scope=\"row\">letters4</th>" + cell + cell + "</tr>"));
  CHECK(contains(
      html,
      "<th scope=\"row\">letters4, same</th><td style=\"--share:0.001\" title=\"5.37 GB/s, 0.12 % of the "
      "limit\">5.37 GB/s</td>"));
  CHECK(contains(html, "over 1 GiB each"));
  // A newer ladder over another length is not among them.
  std::vector<Json> with_shorter = records;
  for (Json record : made_ladder()) {
    record["length"] = 1 << 20;
    record["time"] = "2026-11-20T23:00:00Z";
    with_shorter.push_back(on_input(record, "same"));
  }
  CHECK(section_in(html_of(with_shorter), "inputs") == html);
  // One input is no map.
  CHECK(section_in(html_of(made_ladder()), "inputs") == "");
}

TEST_CASE("a step names the counter and the profiler's figure that fell and rose most") {
  std::vector<Json> records = made_ladder();
  for (const Json& record : {count_of_02, count_of_04, made_profile("02_global_atomics", 1252, 1 << 30),
                             made_profile("04_shared_memory", 17, 1 << 29)})
    records.push_back(record);
  const std::vector<Step> found = steps_of(records);
  REQUIRE(found.size() == 1);
  CHECK(found[0].gain.times == doctest::Approx(50));
  REQUIRE(found[0].fell.size() == 2);
  CHECK(found[0].fell[0].quantity == "global atomics per byte");
  CHECK(found[0].fell[0].before == 1);
  CHECK(found[0].fell[0].after == 1.0 / 32);
  // Waiting fell by more than instructions did; the kernel's time says how fast, not why.
  CHECK(found[0].fell[1].quantity == "warps that waited for global memory");
  REQUIRE(found[0].rose.size() == 1);
  CHECK(found[0].rose[0].quantity == "shared atomics per byte");
  const std::string html = section_in(html_of(records), "steps");
  CHECK(contains(
      html,
      "<th scope=\"row\" class=\"words\">02 → 04</th><td>× 50</td><td class=\"prose\">global atomics per "
      "byte fell from 1 to 0.0312; warps that waited for global memory fell from 1,252 to 17; shared "
      "atomics per byte rose from 0 to 1</td>"));
}

TEST_CASE("what changed by less than a tenth, or was counted of one lab alone, explains no step") {
  Json hardly = count_of_02;
  hardly["lab"] = "04_shared_memory";
  hardly["counters"]["global_atomics"] = (1 << 20) * 95 / 100;
  std::vector<Json> records = made_ladder();
  records.push_back(count_of_02);
  CHECK(steps_of(records).at(0).fell.empty());
  records.push_back(hardly);
  CHECK(steps_of(records).at(0).fell.empty());
}

TEST_CASE(
    "what the simulator counted of a solution elsewhere is as good; of a student's lab it is another "
    "kernel") {
  Json elsewhere = count_of_04;
  elsewhere["machine"]["cpu"] = "a laptop's";
  elsewhere["gpu"] = nullptr;
  CHECK_FALSE(
      contains(html_of(made_ladder()), "id=\"roofline\">\n<h2>The roofline</h2>\n<div class=\"scroll\""));
  const std::string roofline = section_in(html_of(made_ladder(), {elsewhere}), "roofline");
  CHECK(contains(roofline,
                 "<th scope=\"row\" class=\"words\">04 shared_memory</th><td "
                 "class=\"words\">letters</td><td>1.03</td>"));
  std::vector<Json> of_students = made_ladder();
  for (Json& record : of_students) {
    if (record["tree"] == "solution") record["tree"] = "student";
  }
  elsewhere["tree"] = "student";
  CHECK_FALSE(contains(section_in(html_of(of_students, {elsewhere}), "roofline"), "1.03"));
  // Among the same records it is the student's own.
  of_students.insert(of_students.begin(), elsewhere);
  CHECK(contains(section_in(html_of(of_students), "roofline"), "1.03"));
}

TEST_CASE("a profile stands beside what the simulator counted of the same launch anywhere") {
  Json profile = made_profile("04_shared_memory", 17, 100);
  profile["length"] = 1 << 22;
  profile["launch"]["grid"] = 16384;
  profile["counters"] = {{"barriers", 1000}, {"warps", 64}};
  Json counted = count_of_04;
  counted["machine"]["cpus"] = 2;
  counted["length"] = profile["length"];
  counted["launch"] = profile["launch"];
  counted["counters"] = {{"barriers", 1010}, {"warps", 64}};
  const std::string html = section_in(html_of({profile}, {counted}), "counters");
  CHECK(contains(
      html,
      "<td title=\"barriers: 1,000 measured, 1,010 simulated\">1 k<span class=\"off\">+1 %</span></td>"));
  CHECK(contains(html, "<td title=\"warps: 64 measured, 64 simulated\">64<span class=\"off\">=</span></td>"));
  const std::string alone = html_of({profile});
  CHECK(
      contains(alone, "<td title=\"warps: 64 measured, not simulated\">64<span class=\"off\"></span></td>"));
  CHECK(contains(
      alone,
      "<code>lab run 04 --on sim --solution --input letters --binning letters4 --block 256 --grid 16384 "
      "--length 4194304</code>"));
}

TEST_CASE("a lab that was swept over another length stands beside the others, and the caption says so") {
  std::vector<Json> records{made_point("block", 32, 4), made_point("block", 64, 2)};
  for (const std::uint64_t value : {32, 64}) {
    Json longer = made_point("block", value, 8, "02_global_atomics");
    longer["length"] = std::uint64_t{2} << 30;
    records.push_back(longer);
  }
  const std::string html = section_in(html_of(records), "sweeps");
  const std::size_t begin = html.find("<div class=\"pair\">"),
                    end = html.find("<summary>1 more sweep</summary>");
  REQUIRE(end != std::string::npos);
  const std::string shown = html.substr(begin, end - begin);
  CHECK(contains(shown, "2 GiB of letters, binning letters4, the solutions. 04 over 1 GiB. "));
  CHECK(contains(shown, "02 global_atomics</th><td>32</td><td>268 GB/s</td>"));
  CHECK(contains(shown, "04 shared_memory</th><td>32</td><td>268 GB/s</td>"));
}

TEST_CASE("variants of labs are folded away") {
  std::vector<Json> records = made_ladder();
  records.push_back(variant_of_05(0.5));
  records.push_back(variant_of_05(0.75));
  const std::string html = html_of(records);
  const std::string rest = section_in(html, "rest");
  CHECK(contains(rest, "<summary>Variants of the solutions</summary>"));
  // The newer one alone.
  CHECK(contains(rest, "<th scope=\"row\" class=\"words\">05/contiguous-c4</th><td>750 µs</td>"));
  CHECK_FALSE(contains(rest, "<td>500 µs</td>"));
  CHECK_FALSE(contains(section_in(html, "ladder"), "contiguous-c4"));
}

TEST_CASE("no section of the page of the recorded H200 is empty") {
  const auto records =
      measure::read_records(workbook::here().source_root + "/docs/records/h200.jsonl").records;
  const std::string html = page({records, {}, "", {}}).html;
  std::set<std::string> seen;
  const std::string start = "<section id=\"";
  for (std::size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1)) {
    const std::string id =
        html.substr(at + start.size(), html.find('"', at + start.size()) - at - start.size());
    CAPTURE(id);
    const std::string body = section_in(html, id);
    CHECK((contains(body, "<tbody>\n<tr>") || contains(body, "<circle")));
    CHECK_FALSE(contains(body, "<tbody>\n</tbody>"));
    seen.insert(id);
  }
  for (const char* const id : {"ladder", "inputs", "steps", "counters", "rest"}) {
    CAPTURE(id);
    CHECK(seen.contains(id));
  }
  // The extra lab's own story is among what is folded away.
  CHECK(contains(section_in(html, "rest"),
                 "<summary>The parallel reduction</summary>\n<h3>From lab to lab</h3>"));
}
