// SPDX-License-Identifier: MIT
// The simulator's counters of several runs beside each other: which columns a table of them has, and what is
// drawn of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"

namespace measure {

// Those of the problem's columns that say something of the records that passed: a column that is 0 or unknown
// in all of them is left out. Empty where none has counters.
std::vector<problems::CountedColumn> shown_columns(std::span<const Record> records);

// "1,048,576"; of a derived counter "23.25"; empty where it is not known.
std::string counted_text(const problems::CountedColumn& column, const Record& record);

// nullopt where there is nothing to divide by.
std::optional<double> value_of(const problems::TourFigure& figure, const Record& record);

}  // namespace measure
