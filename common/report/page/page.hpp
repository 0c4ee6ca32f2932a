// SPDX-License-Identifier: MIT
// What `lab report` writes: records as one page of HTML that needs nothing else (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace report::page {

struct PredictionRow {
  std::string lab, question;
  std::string outcome;        // what was said and what came out, in a line
  std::optional<bool> right;  // nothing: not known yet
};

// A page that lies beside this one, and is shown within it.
struct LinkedPage {
  std::string title;
  std::string address;  // from this page's folder
};

struct PageContent {
  std::vector<nlohmann::ordered_json> records;  // in the order in which they were made
  std::vector<PredictionRow> predictions;
  std::string gnuplot;  // how it is called; empty: there is none, and the page has tables alone
  // Where the simulator has counted solutions before: counts do not depend on the machine.
  std::vector<nlohmann::ordered_json> counted_elsewhere;
  std::vector<LinkedPage> demonstrations = {};
};

struct Page {
  std::string html;
  std::string
      gnuplot_fault;  // what it said where it failed, in which case plots are missing; empty: it did not
  std::size_t records = 0;  // how many the page shows; 0: none of them is complete
};

Page page(const PageContent& content);

}  // namespace report::page
