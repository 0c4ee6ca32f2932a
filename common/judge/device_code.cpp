// SPDX-License-Identifier: MIT
#include "judge/device_code.hpp"

namespace judge {

void DeviceCode::follow(const Token& token) {
  if (token.is("{")) {
    scopes_.push_back(in_body() ? scopes_.back() : scope_of_head());
    head_.clear();
  } else if (token.is("}")) {
    if (!scopes_.empty()) scopes_.pop_back();
    head_.clear();
  } else if (token.is(";")) {
    head_.clear();
  } else {
    head_.push_back(&token);
  }
}

// What the declaration in front of a brace makes of the code behind it.
DeviceCode::Scope DeviceCode::scope_of_head() const {
  Scope scope{.is_body = true, .is_device = false};
  bool host = false;
  for (std::size_t i = 0; i < head_.size(); ++i) {
    const Token& token = *head_[i];
    const bool parameter = i > 0 && (head_[i - 1]->is("<") || head_[i - 1]->is(","));
    const bool is_class = (token.is("struct") || token.is("class") || token.is("union")) && !parameter;
    if (token.is("namespace") || token.is("extern") || (is_class && !head_.back()->is(")")))
      scope.is_body = false;
    scope.is_device = scope.is_device || token.is("__device__") || token.is("__global__");
    host = host || token.is("__host__");
  }
  scope.is_device = scope.is_device && !host;
  return scope;
}

}  // namespace judge
