// SPDX-License-Identifier: MIT
// x0: the whole program around a kernel, which in the other labs is the harness's work. Nothing is left to fill in.
//
//   nvcc -O2 -o host_program labs/x0_host_program/host_program.cu
//   ./host_program                 16 MiB of random bytes
//   ./host_program FILE            the bytes of a file
//   ./host_program --pinned FILE   the same, from page-locked memory
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

constexpr int values = 256;  // that a byte can have

// Thread v counts the bytes whose value is v. No two threads change the same counter, so nothing needs to be atomic; but
// each of the 256 reads the whole input. The labs do better.
__global__ void count_values(const unsigned char* data, std::size_t length, unsigned int* counts) {
  const unsigned value = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int count = 0;
  for (std::size_t i = 0; i < length; ++i) count += data[i] == value;
  counts[value] = count;
}

// Every function of CUDA's runtime returns whether it worked. A program that does not look at it goes on with rubbish.
#define CHECK(call) check(call, #call, __LINE__)
void check(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "host_program.cu:%d: %s\n%s: %s\n", line, call, cudaGetErrorName(error), cudaGetErrorString(error));
  std::exit(1);
}

// Two marks in the stream of work for the GPU. The time between them is the GPU's own: the CPU only puts work into the
// stream, and is far ahead when a kernel starts.
class Stopwatch {
 public:
  Stopwatch() {
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
    CHECK(cudaEventRecord(begin_));
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  float milliseconds() {
    CHECK(cudaEventRecord(end_));
    CHECK(cudaEventSynchronize(end_));  // waits until the GPU has come to this mark
    float time = 0;
    CHECK(cudaEventElapsedTime(&time, begin_, end_));
    return time;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

void tell(const char* what, double milliseconds, std::size_t bytes) {
  std::printf("%-36s %10.3f ms", what, milliseconds);
  if (bytes > 0) std::printf(" %9.2f GB/s", static_cast<double>(bytes) / milliseconds / 1e6);
  std::printf("\n");
}

std::vector<unsigned char> read_input(const std::string& path) {
  if (path.empty()) {
    std::vector<unsigned char> bytes(std::size_t{16} << 20);
    std::mt19937 random(1);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    return bytes;
  }
  std::ifstream file(path, std::ios::binary);
  std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty()) {
    std::fprintf(stderr, "%s is empty, or cannot be read\n", path.c_str());
    std::exit(2);
  }
  return bytes;
}

int main(int argument_count, char** arguments) {
  bool pinned = false;
  std::string path;
  for (int i = 1; i < argument_count; ++i) {
    if (std::string(arguments[i]) == "--pinned")
      pinned = true;
    else
      path = arguments[i];
  }
  const std::vector<unsigned char> input = read_input(path);
  const std::size_t length = input.size();

  cudaDeviceProp device{};
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s, %zu bytes\n", device.name, length);

  // The CPU's count: what the GPU's has to be equal to, and a time to compare with.
  const auto cpu_began = std::chrono::steady_clock::now();
  std::vector<unsigned int> expected(values);
  for (const unsigned char byte : input) ++expected[byte];
  const std::chrono::duration<double, std::milli> cpu = std::chrono::steady_clock::now() - cpu_began;

  // Memory of the CPU that the GPU can read without a copy in between, because the operating system never moves it.
  const unsigned char* host_data = input.data();
  unsigned char* page_locked = nullptr;
  if (pinned) {
    CHECK(cudaMallocHost(&page_locked, length));
    std::copy(input.begin(), input.end(), page_locked);
    host_data = page_locked;
  }

  // Memory of the GPU. The pointers mean nothing to the CPU: it must not read or write through them.
  unsigned char* data = nullptr;
  unsigned int* counts = nullptr;
  CHECK(cudaMalloc(&data, length));
  CHECK(cudaMalloc(&counts, values * sizeof(unsigned int)));
  CHECK(cudaMemset(counts, 0, values * sizeof(unsigned int)));

  Stopwatch to_gpu;
  CHECK(cudaMemcpy(data, host_data, length, cudaMemcpyHostToDevice));
  const float to_gpu_ms = to_gpu.milliseconds();

  constexpr int block = 32;
  Stopwatch kernel;
  count_values<<<values / block, block>>>(data, length, counts);
  CHECK(cudaGetLastError());  // whether it could be launched: a launch returns nothing
  const float kernel_ms = kernel.milliseconds();  // waits for its end; whether it ended well shows here

  std::vector<unsigned int> result(values);
  Stopwatch from_gpu;
  CHECK(cudaMemcpy(result.data(), counts, values * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  const float from_gpu_ms = from_gpu.milliseconds();

  CHECK(cudaFree(data));
  CHECK(cudaFree(counts));
  CHECK(cudaFreeHost(page_locked));

  tell("CPU, one thread", cpu.count(), length);
  tell(pinned ? "to the GPU, from page-locked memory" : "to the GPU", to_gpu_ms, length);
  tell("kernel", kernel_ms, length);
  tell("back: 256 counters", from_gpu_ms, 0);
  if (result != expected) {
    std::printf("the counts differ from the CPU's\n");
    return 1;
  }
  std::printf("equal to the CPU's count\n");
}
