// SPDX-License-Identifier: MIT
#include "facts/backend.hpp"

namespace facts {

std::string_view name_of(Backend backend) {
  switch (backend) {
    case Backend::sim:
      return "sim";
    case Backend::gpu:
      return "gpu";
    default:
      return "cpu";
  }
}

std::optional<Backend> find_backend(std::string_view name) {
  for (const Backend backend : {Backend::sim, Backend::gpu, Backend::cpu}) {
    if (name_of(backend) == name) return backend;
  }
  return std::nullopt;
}

}  // namespace facts
