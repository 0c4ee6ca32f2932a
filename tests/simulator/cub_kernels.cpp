// SPDX-License-Identifier: MIT
#include "simulator/cuda/cub.hpp"
#include "toolkit_kernels.hpp"

__global__ void reduce_block(const int* in, int* out, Storage storage) {
  using BlockReduce = cub::BlockReduce<int, 128>;
  __shared__ typename BlockReduce::TempStorage room;
  const int value = in[threadIdx.x];
  int sum, largest;
  if (storage == Storage::own) {
    sum = BlockReduce().Sum(value);
    __syncthreads();
    largest = BlockReduce().Reduce(value, cuda::maximum<>());
  } else {
    sum = BlockReduce(room).Sum(value);
    if (storage == Storage::with_barrier) __syncthreads();
    largest = BlockReduce(room).Reduce(value, cuda::maximum<>());
  }
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = largest;
  }
}

__global__ void reduce_items(const int* in, int valid, int* out) {
  using BlockReduce = cub::BlockReduce<int, 96, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename BlockReduce::TempStorage room;
  int items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[threadIdx.x * 4 + i];
  const int all = BlockReduce(room).Sum(items);
  __syncthreads();
  const int some = BlockReduce(room).Sum(items[0], valid);
  if (threadIdx.x == 0) {
    out[0] = all;
    out[1] = some;
  }
}

__global__ void reduce_warps(const int* in, int valid, int* out) {
  using WarpReduce = cub::WarpReduce<int, 8>;
  __shared__ typename WarpReduce::TempStorage room[16];
  const unsigned warp = threadIdx.x / 8, warps = blockDim.x / 8;
  const int sum = WarpReduce(room[warp]).Sum(in[threadIdx.x]);
  const int some = WarpReduce(room[warp]).Reduce(in[threadIdx.x], cuda::std::plus<>(), valid);
  if (threadIdx.x % 8 == 0) {
    out[warp] = sum;
    out[warps + warp] = some;
  }
}

__global__ void reduce_segments(const int* in, int* out) {
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ typename WarpReduce::TempStorage room;
  const int heads = WarpReduce(room).HeadSegmentedSum(in[threadIdx.x], threadIdx.x % 5 == 0);
  const int tails = WarpReduce(room).TailSegmentedSum(in[threadIdx.x], threadIdx.x % 5 == 4);
  out[threadIdx.x] = threadIdx.x % 5 == 0 ? heads : 0;
  out[32 + threadIdx.x] = threadIdx.x % 5 == 0 ? tails : 0;
}

__global__ void scan_block(const int* in, int* inclusive, int* exclusive, int* total, Storage storage) {
  using BlockScan = cub::BlockScan<int, 128>;
  __shared__ typename BlockScan::TempStorage room;
  const int value = in[threadIdx.x];
  BlockScan(room).InclusiveSum(value, inclusive[threadIdx.x]);
  if (storage == Storage::with_barrier) __syncthreads();
  int all;
  BlockScan(room).ExclusiveSum(value, exclusive[threadIdx.x], all);
  total[threadIdx.x] = all;
}

namespace {

struct Prefix {
  int before;
  __device__ int operator()(int total) {
    const int prefix = before;
    before += total;
    return prefix;
  }
};

}  // namespace

__global__ void scan_items(const int* in, int* sums, int* largest) {
  using BlockScan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename BlockScan::TempStorage room;
  int items[3], results[3];
  for (int i = 0; i < 3; ++i) items[i] = in[threadIdx.x * 3 + i];
  Prefix prefix{1000};
  BlockScan(room).ExclusiveSum(items, results, prefix);
  for (int i = 0; i < 3; ++i) sums[threadIdx.x * 3 + i] = results[i];
  __syncthreads();
  BlockScan(room).InclusiveScan(items, results, cuda::maximum<>());
  for (int i = 0; i < 3; ++i) largest[threadIdx.x * 3 + i] = results[i];
}

__global__ void scan_warps(const int* in, int* out) {
  using WarpScan = cub::WarpScan<int>;
  __shared__ typename WarpScan::TempStorage room[2];
  WarpScan(room[threadIdx.x / 32]).ExclusiveSum(in[threadIdx.x], out[threadIdx.x]);
}

__global__ void scan_warps_from_value(const int* in, int initial, int* out) {
  using WarpScan = cub::WarpScan<int, 16>;
  __shared__ typename WarpScan::TempStorage room[2];
  WarpScan scan(room[threadIdx.x / 16]);
  const int value = in[threadIdx.x];
  int* const mine = out + threadIdx.x * 10;
  const cuda::std::plus<> sum;
  scan.InclusiveScan(value, mine[0], initial, sum);
  scan.InclusiveScan(value, mine[1], initial, sum, mine[2]);
  scan.ExclusiveScan(value, mine[3], initial, sum);
  scan.ExclusiveScan(value, mine[4], initial, sum, mine[5]);
  scan.ExclusiveScan(value, mine[6], sum, mine[7]);
  scan.Scan(value, mine[8], mine[9], initial, sum);
}

__global__ void scan_block_from_value(const int* in, int initial, int* out, int* total) {
  using BlockScan = cub::BlockScan<int, 64>;
  __shared__ typename BlockScan::TempStorage room;
  int items[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
  BlockScan(room).InclusiveScan(items, items, initial, cuda::std::plus<>(), total[threadIdx.x]);
  for (unsigned i = 0; i < 2; ++i) out[threadIdx.x * 2 + i] = items[i];
}

template <int threads>
__global__ void scan_by_raking(const int* in, int* inclusive, int* exclusive, int* from_prefix) {
  using BlockScan = cub::BlockScan<int, threads>;
  __shared__ typename BlockScan::TempStorage room;
  const int value = in[threadIdx.x];
  BlockScan(room).InclusiveSum(value, inclusive[threadIdx.x]);
  __syncthreads();
  BlockScan(room).ExclusiveSum(value, exclusive[threadIdx.x]);
  __syncthreads();
  Prefix prefix{1000};
  BlockScan(room).ExclusiveSum(value, from_prefix[threadIdx.x], prefix);
}
template __global__ void scan_by_raking<20>(const int*, int*, int*, int*);
template __global__ void scan_by_raking<33>(const int*, int*, int*, int*);
template __global__ void scan_by_raking<64>(const int*, int*, int*, int*);
template __global__ void scan_by_raking<256>(const int*, int*, int*, int*);
template __global__ void scan_by_raking<96>(const int*, int*, int*, int*);
template __global__ void scan_by_raking<200>(const int*, int*, int*, int*);

__global__ void count_block(const unsigned char* in, bool by_atomics, unsigned* out) {
  using BySorting = cub::BlockHistogram<unsigned char, 64, 4, 256>;
  using ByAtomics = cub::BlockHistogram<unsigned char, 64, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename BySorting::TempStorage room;
  __shared__ typename ByAtomics::TempStorage other_room;
  __shared__ unsigned histo[256];
  unsigned char items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[threadIdx.x * 4 + i];
  if (by_atomics)
    ByAtomics(other_room).Histogram(items, histo);
  else
    BySorting(room).Histogram(items, histo);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += 64) out[bin] = histo[bin];
}
