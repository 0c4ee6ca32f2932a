// SPDX-License-Identifier: MIT
// What ncu prints for `--import FILE --page raw --csv --print-units base`: a row of column names, a row of
// units, and a row for each launch.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/ncu/metrics.hpp"

namespace measure {

// The text is no such page; what() says what is wrong with it.
struct PageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ProfiledLaunch {
  struct Cell {
    std::string value, unit;
  };
  std::string kernel;                 // as ncu writes it, "void histogram_kernel<Letters4>(...)"
  std::map<std::string, Cell> cells;  // by column: metrics, and what ncu says of the launch

  // The sum of the quantity's metrics, in its unit; nothing where one of them is missing or has no
  // value ("n/a"). Throws PageError for a value in another unit.
  std::optional<double> value(const facts::Quantity& quantity) const;
};

// The launches in their order. Lines before the row of column names are ncu's own words and are passed over.
// Throws PageError where there is no such row, or a row has another number of fields.
std::vector<ProfiledLaunch> read_raw_page(const std::string& text);

}  // namespace measure
