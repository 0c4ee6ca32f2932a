// SPDX-License-Identifier: MIT
// Runs the chosen version on a GPU. What CUDA answers is printed and otherwise left alone: the kernels are
// there to fail.
#pragma once

#include "one_version.hpp"

inline void say_error(const char* what, cudaError_t code) {
  if (code != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorName(code));
}

template <class T>
class Array {
 public:
  enum class Contents { given, none };

  Array(const std::string&, const std::vector<T>& values, Contents contents = Contents::given)
      : count_(values.size()) {
    say_error("cudaMalloc", cudaMalloc(&data_, bytes()));
    if (contents == Contents::none) return;
    say_error("cudaMemcpy", cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  Array(const std::string& name, std::size_t count, T value = {})
      : Array(name, std::vector<T>(count, value)) {}
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    say_error("cudaMemcpy", cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  T* data_ = nullptr;
  std::size_t count_;
};

template <class... Parameters>
Launched launch_kernel(const simulator::LaunchConfiguration& configuration, void (*kernel)(Parameters...),
                       std::type_identity_t<Parameters>... arguments) {
  kernel<<<configuration.grid, configuration.block, configuration.dynamic_shared_bytes>>>(arguments...);
  say_error("launch", cudaGetLastError());
  say_error("cudaDeviceSynchronize", cudaDeviceSynchronize());
  return {};
}
