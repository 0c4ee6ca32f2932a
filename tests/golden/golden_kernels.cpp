// SPDX-License-Identifier: MIT
// golden-kernels.gpu NAME GRID BLOCK [NAME GRID BLOCK ...]: launches kernels of kernels.cu once each, for ncu
// to look at, and prints the checksum of what each wrote.
#include <cuda_runtime_api.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "kernels.hpp"

namespace {

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "golden-kernels: %s: %s\n", cudaGetErrorName(code), cudaGetErrorString(code));
  std::exit(1);
}

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

unsigned* device_words() {
  void* words = nullptr;
  check(cudaMalloc(&words, golden::elements * sizeof(unsigned)));
  return static_cast<unsigned*>(words);
}

int wrong_usage() {
  std::fprintf(
      stderr,
      "usage: golden-kernels.gpu NAME GRID BLOCK [NAME GRID BLOCK ...], as in tests/golden/launches.txt\n");
  return 2;
}

void run(const golden::Kernel& kernel, unsigned grid, unsigned block) {
  constexpr std::size_t bytes = golden::elements * sizeof(unsigned);
  std::vector<unsigned> words = golden::input();
  unsigned* const in = device_words();
  unsigned* const out = device_words();
  check(cudaMemcpy(in, words.data(), bytes, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, bytes));
  runner::LaunchOutcome outcome;
  kernel.launch(grid, block, in, out, kernel.parameter, outcome);
  check(outcome.error);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(words.data(), out, bytes, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  std::printf("checksum %llu\n", static_cast<unsigned long long>(golden::checksum(words.data())));
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 4 || argument_count % 3 != 1) return wrong_usage();
  for (int i = 1; i < argument_count; i += 3) {
    const golden::Kernel* const kernel = golden::find_kernel(arguments[i]);
    const std::optional<unsigned> grid = number(arguments[i + 1]), block = number(arguments[i + 2]);
    if (!kernel || !grid || !block) return wrong_usage();
    run(*kernel, *grid, *block);
  }
}
