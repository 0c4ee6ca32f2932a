// SPDX-License-Identifier: MIT
#include "report/terminal/table.hpp"

#include <algorithm>

#include "report/terminal/terminal.hpp"

namespace report {

std::string Table::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size() && i < cells.size(); ++i) {
    const std::size_t wanted = std::max(columns_[i].width, width(columns_[i].title));
    const std::size_t has = width(cells[i]);
    const std::string padding(wanted > has ? wanted - has : 0, ' ');
    if (i > 0) line += "  ";
    line += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace report
