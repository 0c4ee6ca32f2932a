// SPDX-License-Identifier: MIT
// Tells, token by token, which code of a file is the device's.
#pragma once

#include <vector>

#include "judge/tokens.hpp"

namespace judge {

class DeviceCode {
 public:
  // Goes on by one token, which must live as long as this does. Directives are left out.
  void follow(const Token& token);

  // Whether the next token stands in the body of a function for the device alone.
  bool is_here() const { return in_body() && scopes_.back().is_device; }

 private:
  struct Scope {
    bool is_body, is_device;
  };

  bool in_body() const { return !scopes_.empty() && scopes_.back().is_body; }
  Scope scope_of_head() const;

  std::vector<Scope> scopes_;
  std::vector<const Token*> head_;  // of the declaration that is under way
};

}  // namespace judge
