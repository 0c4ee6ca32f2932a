// SPDX-License-Identifier: MIT
// Member functions and constructors of the file's classes that nvcc has on the host alone, and that device
// code uses: those without __device__ that are not constexpr.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

class HostMembers {
 public:
  // The tokens must live as long as this does.
  explicit HostMembers(const std::vector<Token>& tokens);

  // Why device code cannot use the member that is named by this token of it; nullopt if it can, or if that is
  // not known.
  std::optional<std::string> mistake_at(std::size_t at) const;

 private:
  void note_class(const std::string& name, std::size_t open);
  void note_member(const std::string& of_class, std::size_t begin, std::size_t end);
  bool is_host(const std::string& of_class, const std::string& member) const;
  std::string type_of(std::size_t at) const;

  const std::vector<Token>& tokens_;
  // Of each class, the members that are functions; "()" is the operator of that name.
  std::map<std::string, std::set<std::string>> of_host_, of_device_;
};

}  // namespace judge
