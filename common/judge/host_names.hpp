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
  bool is_declared_elsewhere(const std::string& name) const;
  bool is_constant_here(std::size_t at) const;

  const std::vector<Token>& tokens_;
  std::set<std::string> macros_, of_device_;
  std::set<std::string> functions_, arrays_, variables_;  // the host's
  std::set<std::size_t> declared_at_;                     // where those are declared
};

}  // namespace judge
