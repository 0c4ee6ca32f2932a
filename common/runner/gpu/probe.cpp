// SPDX-License-Identifier: MIT
// lab-gpu-probe: prints the first GPU's name, compute capability and the driver's and runtime's versions, a
// line each as "key value", and exits 0; or prints why no GPU can be used, and exits 1. The `lab` program
// itself is not linked with CUDA, so it asks this one.
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
  int driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  if (error == cudaSuccess) error = cudaDriverGetVersion(&driver);
  if (error == cudaSuccess) error = cudaRuntimeGetVersion(&runtime);
  if (error == cudaSuccess)
    error = cudaFree(nullptr);  // makes the context: the driver and the device really answer
  int clock_khz = 0;
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    return 1;
  }
  std::printf(
      "name %s\ncompute_capability %d.%d\nmultiprocessors %d\nmemory_mib %zu\nl2_bytes %d\nclock_mhz "
      "%d\ndriver_cuda %d.%d\nruntime_cuda %d.%d\n",
      properties.name, properties.major, properties.minor, properties.multiProcessorCount,
      properties.totalGlobalMem >> 20, properties.l2CacheSize, clock_khz / 1000, driver / 1000,
      driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  return 0;
}
