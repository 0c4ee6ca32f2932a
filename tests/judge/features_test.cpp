// SPDX-License-Identifier: MIT
// What the simulator does not do is refused by the compiler, in words that name it, at the student's own
// line: lab files that use one such thing each, compiled as the judge compiles for the simulator (but for the
// code itself).
#include <doctest/doctest.h>

#include "compiled_lab.hpp"

namespace {

// A lab's file with `before` in its second line and `body` in its fifth.
std::string lab_file(const std::string& before, const std::string& body) {
  return "#include \"lab.hpp\"\n" + before +
         "\ntemplate <class Binning>\n"
         "__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* "
         "histo) {\n" +
         body + "\n}\nLaunchShape launch_shape(std::size_t) { return {1, 1}; }\n";
}

void check_refused(const std::string& text, int line, const std::string& words) {
  CAPTURE(text);
  const auto finding = built(text);
  REQUIRE(finding);
  CHECK(name_of(finding->verdict) == "build_error");
  const std::string first = finding->message.substr(0, finding->message.find('\n'));
  const std::string place = "labs/02_global_atomics/histogram.cu:" + std::to_string(line) + ":";
  CHECK(first.substr(0, place.size()) == place);
  const std::size_t error = std::min(first.find(" error: "), first.size());
  CHECK(first.substr(error) == " error: " + words);
  REQUIRE(finding->where.size() == 1);
  CHECK(finding->where[0].file == "labs/02_global_atomics/histogram.cu");
  CHECK(finding->where[0].line == line);
}

void check_header_refused(const std::string& header, const std::string& words) {
  check_refused(lab_file("#include <" + header + ">", ""), 2, words);
}

void check_line_refused(const std::string& body, const std::string& words) {
  check_refused(lab_file("", body), 5, words);
}

}  // namespace

TEST_CASE("control: what is simulated compiles, CUDA's own headers included") {
  const auto finding = built(lab_file(
      "#include <cuda_runtime.h>\n#include <cuda.h>\n#include <device_launch_parameters.h>\n#include "
      "<string>\n#include "
      "<cmath>\n#include <iostream>\n#include <wchar.h>\n#include <signal.h>",
      "  __shared__ double sums[2]; printf(\"%d\", warpSize); assert(histo); atomicAdd(&sums[0], 1.0);"));
  CHECK_MESSAGE(!finding, finding->message);
}

TEST_CASE("headers of what is not simulated" * doctest::test_suite("long")) {
  check_header_refused("cuda_fp16.h", "half-precision numbers are not simulated: they need a GPU");
  check_header_refused("cuda_bf16.h", "half-precision numbers are not simulated: they need a GPU");
  check_header_refused("cuda_pipeline.h", "asynchronous copies are not simulated: they need a GPU");
  check_header_refused("cuda/pipeline", "asynchronous copies are not simulated: they need a GPU");
  check_header_refused("cuda/barrier", "barriers as objects are not simulated: they need a GPU");
  check_header_refused("cooperative_groups/memcpy_async.h",
                       "asynchronous copies are not simulated: they need a GPU");
  check_header_refused("cuda/semaphore", "<cuda/semaphore> is not simulated: it needs a GPU");
  check_header_refused("cuda/std/complex", "<cuda/std/complex> is not simulated: it needs a GPU");
  check_header_refused("cub/device/device_histogram.cuh",
                       "<cub/device/device_histogram.cuh> is not simulated: it needs a GPU");
  check_header_refused("cub/block/block_load.cuh",
                       "<cub/block/block_load.cuh> is not simulated: it needs a GPU");
  check_header_refused("thrust/device_vector.h", "<thrust/device_vector.h> is not simulated: it needs a GPU");
  check_header_refused("texture_types.h", "textures are not simulated: they need a GPU");
  check_header_refused("cublas_v2.h", "there is no <cublas_v2.h> on the simulator");
  check_header_refused("nvtx3/nvToolsExt.h", "there is no <nvtx3/nvToolsExt.h> on the simulator");
  check_header_refused("mma.h", "tensor cores are not simulated: they need a GPU");
  check_header_refused("curand_kernel.h", "random numbers of cuRAND are not simulated: they need a GPU");
}

TEST_CASE("attributes that hide accesses from the checkers") {
  const std::string words = "attributes that hide code from the checkers are not allowed in a kernel's file";
  check_refused(lab_file("__attribute__((no_sanitize(\"thread\"))) void count(unsigned*) {}", ""), 2, words);
  check_refused(lab_file("[[gnu::no_sanitize_thread]] void count(unsigned*) {}", ""), 2, words);
  check_refused(lab_file("__attribute__((__no_instrument_function__)) void count(unsigned*) {}", ""), 2,
                words);
}

TEST_CASE("names of what is not simulated" * doctest::test_suite("long")) {
  check_line_refused("  histo[0] = tex1Dfetch<unsigned>(0, 1);",
                     "textures are not simulated: they need a GPU");
  check_line_refused("  cudaTextureObject_t letters = 0;", "textures are not simulated: they need a GPU");
  check_line_refused("  surf2Dwrite(1, 0, 0, 0);", "surfaces are not simulated: they need a GPU");
  for (const char* spelling : {"asm", "asm volatile", "__asm__", "__asm__ __volatile__", "__asm volatile"}) {
    check_line_refused(std::string("  unsigned id; ") + spelling + "(\"mov.u32 %0, %%smid;\" : \"=r\"(id));",
                       "inline PTX is not simulated: it needs a GPU");
  }
  check_refused(lab_file("#include <cooperative_groups.h>", "  cooperative_groups::this_grid().sync();"), 5,
                "barriers of a grid are not simulated: they need a GPU");
  check_refused(
      lab_file(
          "#include <cooperative_groups.h>",
          "  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());"),
      5, "tiles of more than a warp are not simulated: they need a GPU");
  check_refused(
      lab_file("#include <cooperative_groups.h>",
               "  auto all = cooperative_groups::coalesced_threads();\n"
               "  histo[0] = cooperative_groups::reduce(all, 1u, cooperative_groups::plus<unsigned>());"),
      6, "cooperative_groups::reduce needs #include <cooperative_groups/reduce.h>");
  check_line_refused("  cudaMemset(histo, 0, 4);",
                     "the CUDA runtime's host functions are not simulated: they need a GPU");
  check_refused(lab_file("__global__ void __cluster_dims__(2, 1, 1) other(int*) {}", ""), 2,
                "thread block clusters are not simulated: they need a GPU");
}

TEST_CASE("the runtime's names, wherever they stand" * doctest::test_suite("long")) {
  check_line_refused("  cudaError_t error = cudaSuccess;",
                     "the CUDA runtime is not simulated: cudaError_t needs a GPU");
  check_line_refused("  if (histo[0] == cudaSuccess) histo[0] = 1;",
                     "the CUDA runtime is not simulated: cudaSuccess needs a GPU");
  check_line_refused("  cudaGridDependencySynchronize();",
                     "the CUDA runtime is not simulated: cudaGridDependencySynchronize needs a GPU");
  check_refused(lab_file("inline void choose() { cudaSetDevice(0); }", ""), 2,
                "the CUDA runtime is not simulated: cudaSetDevice needs a GPU");
  check_refused(lab_file("cudaStream_t stream;", ""), 2,
                "the CUDA runtime is not simulated: cudaStream_t needs a GPU");
}

TEST_CASE("designated initializers of vectors") {
  check_line_refused("  uint2 pair = {.x = 1, .y = 2}; histo[0] = pair.x;",
                     "designated initializers of uint2 are not simulated: they need a GPU");
  check_line_refused("  const float4 four{.x = 1, .w = 2}; histo[0] = four.x;",
                     "designated initializers of float4 are not simulated: they need a GPU");
}

TEST_CASE("a name that is not there in a namespace of NVIDIA's, or in a class of one") {
  check_refused(lab_file("#include <cub/cub.cuh>", "  histo[0] = cub::ShuffleIndex<32>(1, 3, ~0u);"), 5,
                "there is no cub::ShuffleIndex on the simulator");
  check_refused(lab_file("#include <cub/cub.cuh>", "  cub::GridQueue<int> queue;"), 5,
                "there is no cub::GridQueue on the simulator");
  check_refused(lab_file("#include <cuda/atomic>", "  histo[0] = cuda::std::gcd(4, 6);"), 5,
                "there is no cuda::std::gcd on the simulator");
  check_refused(lab_file("#include <cooperative_groups.h>",
                         "  cooperative_groups::this_thread_block().barrier_arrive();"),
                5, "cooperative_groups::thread_block has no barrier_arrive on the simulator");
}

TEST_CASE("Thrust without its header") {
  check_line_refused("  thrust::pair<int, int> pair{1, 2};", "Thrust is not simulated: it needs a GPU");
}

// clang names the namespace itself.
TEST_CASE("such a name, where the namespace has another one in the file") {
  const auto finding = built(lab_file("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;",
                                      "  cg::reduce_store_async(cg::this_thread_block(), histo, 1, 2);"));
  REQUIRE(finding);
  const std::string first = finding->message.substr(0, finding->message.find('\n'));
  CHECK(first.find("::reduce_store_async on the simulator") != std::string::npos);
  CHECK(first.find(": error: there is no c") != std::string::npos);
}

TEST_CASE("arrays whose size is known to nobody before the kernel runs are none of nvcc's") {
  for (const char* size : {"length", "blockDim.x", "warpSize"}) {
    CAPTURE(size);
    const auto finding = built(lab_file("", "  unsigned counts[" + std::string(size) + "]; counts[0] = 1;"));
    REQUIRE(finding);
    REQUIRE(finding->where.size() == 1);
    CHECK(finding->where[0].line == 5);
  }
  CHECK(built(lab_file("", "  static_assert(warpSize == 32);")));
  CHECK(built(lab_file("", "  uint2 pair = 5;")));
}

// In a kernel that is a template, with arguments that depend on its parameter and without.
TEST_CASE("of CUB, a collective and a function of the whole device") {
  check_refused(lab_file("#include <cub/cub.cuh>", "  using Load = cub::BlockLoad<int, 128, 4>;"), 5,
                "cub::BlockLoad is not simulated: it needs a GPU");
  check_refused(lab_file("#include <cub/cub.cuh>", "  cub::DeviceReduce::Sum(data, length);"), 5,
                "cub::DeviceReduce is not simulated: it needs a GPU");
}

TEST_CASE("what CUB has and the simulator does not is told where it is used" * doctest::test_suite("long")) {
  const auto check_collective = [](const std::string& name, const std::string& arguments) {
    const std::string words = "cub::" + name + " is not simulated: it needs a GPU";
    for (const std::string type : {"int", "typename Type<Binning>::type"}) {
      check_refused(lab_file("#include <cub/cub.cuh>\ntemplate <class> struct Type { using type = int; };",
                             "  using Collective = cub::" + name + "<" + type + arguments + ">;"),
                    6, words);
    }
  };
  check_collective("BlockAdjacentDifference", ", 128");
  check_collective("BlockDiscontinuity", ", 128");
  check_collective("BlockExchange", ", 128, 4, true");
  check_collective("BlockLoad", ", 128, 4");
  check_collective("BlockLoad", ", 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE");
  check_collective("BlockMergeSort", ", 128, 4");
  check_collective("BlockRadixSort", ", 128, 4, float, 5");
  check_collective("BlockRunLengthDecode", ", 128, 2, 4, unsigned");
  check_collective("BlockShuffle", ", 128");
  check_collective("BlockStore", ", 128, 4, cub::BLOCK_STORE_TRANSPOSE");
  check_collective("WarpExchange", ", 4, 32, cub::WARP_EXCHANGE_SHUFFLE");
  check_collective("WarpLoad", ", 4, cub::WARP_LOAD_STRIPED");
  check_collective("WarpMergeSort", ", 4, 32, float");
  check_collective("WarpStore", ", 4, cub::WARP_STORE_DIRECT");
}

TEST_CASE("what CUB does on the whole device is told where one of its functions is named" *
          doctest::test_suite("long")) {
  for (const std::string name :
       {"DeviceAdjacentDifference", "DeviceCopy", "DeviceFor", "DeviceHistogram", "DeviceMemcpy",
        "DeviceMerge", "DeviceMergeSort", "DevicePartition", "DeviceRadixSort", "DeviceReduce",
        "DeviceRunLengthEncode", "DeviceScan", "DeviceSegmentedRadixSort", "DeviceSegmentedReduce",
        "DeviceSegmentedSort", "DeviceSelect", "DeviceTransform"}) {
    check_refused(lab_file("#include <cub/cub.cuh>", "  std::size_t bytes = 0; cub::" + name +
                                                         "::Sum(nullptr, bytes, histo, histo, 1);"),
                  5, "cub::" + name + " is not simulated: it needs a GPU");
  }
}

TEST_CASE("a launch from a kernel") {
  check_line_refused("  histogram_kernel<Binning><<<1, 32>>>(data, length, histo);",
                     "launches (<<<>>>) are not simulated: they need a GPU");
}

TEST_CASE(
    "an atomic on a type that CUDA has none for is told at the student's line, with the types there are") {
  const auto finding =
      built(lab_file("", "  __shared__ unsigned char counts[4]; atomicAdd(&counts[data[0] % 4], 1);"));
  REQUIRE(finding);
  CHECK(finding->message.find("labs/02_global_atomics/histogram.cu:5: error: atomicAdd takes a pointer to "
                              "one of: int, unsigned int, unsigned long long, float, double\n") == 0);
  REQUIRE(finding->where.size() == 1);
  CHECK(finding->where[0].line == 5);
}
