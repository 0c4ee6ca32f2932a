// SPDX-License-Identifier: MIT
// What belongs to the host and is used in device code: functions and variables of a kernel's file that nvcc
// has on the host alone. A compiler for the host lets it pass.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

// A qualifier that puts a function or a variable on the device.
bool is_qualifier_of_device(const Token& token);

// Whether `.` or `->` stands in front of a token.
bool is_member_access(const std::vector<Token>& tokens, std::size_t at);

class HostNames {
 public:
  // The tokens must live as long as this does.
  explicit HostNames(const std::vector<Token>& tokens);

  // Why device code cannot use what is named by this token of it; nullopt if it can, or if that is not known.
  std::optional<std::string> mistake_at(std::size_t at) const;

 private:
  bool opens_namespace(std::size_t begin, std::size_t end) const;
  void note_head(std::size_t begin, std::size_t end);
  void note_variables(std::size_t begin, std::size_t end);
  void note_members();
  std::optional<std::string> constant_by_reference(std::size_t at) const;
  bool is_declared_elsewhere(const std::string& name) const;
  bool is_changed(std::size_t at) const;
  bool is_constant_here(std::size_t at) const;

  const std::vector<Token>& tokens_;
  std::set<std::string> macros_, of_device_;
  std::set<std::string> functions_, arrays_, variables_;  // the host's
  std::set<std::string> constants_;                       // numbers, which device code has without an address
  std::set<std::string> members_, type_parameters_;       // static constants of classes; of templates
  std::set<std::string> member_arrays_;                   // the same, arrays
  std::set<std::string> read_only_;                       // __constant__, which device code cannot change
  std::set<std::size_t> declared_at_;                     // where those are declared
};

}  // namespace judge
