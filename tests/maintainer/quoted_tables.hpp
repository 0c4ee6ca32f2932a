// SPDX-License-Identifier: MIT
// The tables of measurements that documents quote, made from docs/records.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "quoted.hpp"

// All of docs/records, in the order in which they were made.
const std::vector<measure::Record>& records();

// Makes a table in Markdown from the words behind its name in the document.
using TableMaker = std::string (*)(const Words& words);

// By name.
const std::map<std::string, TableMaker>& tables();
