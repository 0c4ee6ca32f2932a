// SPDX-License-Identifier: MIT
#include "measure/records.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "os/files.hpp"

namespace measure {

namespace {

using Json = nlohmann::ordered_json;

std::string reason() { return std::strerror(errno); }

// Whether the file ends in the middle of a line: somebody was ended while writing it.
bool ends_in_a_line(int descriptor, off_t size) {
  char last = '\n';
  return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

// Why a line is no record; empty if it is one.
std::string fault_of(const Json& json) {
  if (!json.is_object()) return "is damaged";
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_number_integer()) return "has no schema's number";
  if (*schema > record_schema)
    return fmt::format("was written by a newer workbook (schema {}, this one knows {})", schema->get<int>(),
                       record_schema);
  return {};
}

}  // namespace

std::string records_file(const workbook::Workbook& workbook) {
  const char* const elsewhere = std::getenv("WORKBOOK_RECORDS");
  return elsewhere && *elsewhere ? elsewhere : workbook.build_root + "/records.jsonl";
}

std::vector<std::string> record_files(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string recorded_elsewhere(const workbook::Workbook& workbook) {
  return workbook.source_root + "/docs/records";
}

std::string append_record(const std::string& file, const Json& record) {
  const os::FileLock locked(file, O_RDWR | O_CREAT | O_APPEND);
  if (locked.descriptor() < 0) return fmt::format("cannot write {}: {}", file, reason());
  struct stat status {};
  if (fstat(locked.descriptor(), &status) != 0) return fmt::format("cannot write {}: {}", file, reason());
  std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (ends_in_a_line(locked.descriptor(), status.st_size)) line.insert(0, "\n");
  const ssize_t written = write(locked.descriptor(), line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return {};
  const std::string why = written < 0 ? reason() : "the disk is full";
  // Half a record is none.
  if (ftruncate(locked.descriptor(), status.st_size) != 0)
    return fmt::format("cannot write {}: {}; its last line is damaged", file, why);
  return fmt::format("cannot write {}: {}", file, why);
}

Records read_records(const std::string& file) {
  Records result;
  struct stat status {};
  if (stat(file.c_str(), &status) != 0 && errno == ENOENT) return result;
  std::ifstream lines(file);
  if (!lines) throw std::system_error(errno, std::generic_category(), "cannot read " + file);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    Json json = Json::parse(line, nullptr, false);
    if (const std::string fault = fault_of(json); !fault.empty()) {
      result.warnings.push_back(fmt::format("{}:{} {} and is left out", file, number, fault));
      continue;
    }
    result.records.push_back(std::move(json));
  }
  if (lines.bad()) throw std::system_error(errno, std::generic_category(), "cannot read " + file);
  return result;
}

}  // namespace measure
