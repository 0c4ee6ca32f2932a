// SPDX-License-Identifier: MIT
#include "simulator/cuda/atomic_ref.hpp"
#include "toolkit_kernels.hpp"

__global__ void count_by_reference(const unsigned char* data, unsigned length, unsigned* histo) {
  __shared__ unsigned counts[4];
  if (threadIdx.x < 4) cuda::atomic_ref<unsigned, cuda::thread_scope_block>(counts[threadIdx.x]).store(0);
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> count(counts[data[i] % 4]);
    count.fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  if (threadIdx.x < 4) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(histo[threadIdx.x]);
    bin.fetch_add(counts[threadIdx.x], cuda::memory_order_relaxed);
  }
}

__global__ void count_by_function(const unsigned char* data, unsigned length, unsigned* histo) {
  __shared__ unsigned counts[4];
  if (threadIdx.x < 4) counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    atomicAdd_block(&counts[data[i] % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}

__global__ void change_by_references(Words* words, long long* old) {
  using cuda::atomic_ref;
  atomic_ref<int> i(words->i);
  atomic_ref<unsigned, cuda::thread_scope_block> u(words->u);
  atomic_ref<long long> ll(words->ll);
  atomic_ref<unsigned long long, cuda::thread_scope_device> ull(words->ull);
  atomic_ref<float> f(words->f);
  atomic_ref<double> d(words->d);
  atomic_ref<unsigned char> byte(words->byte);
  atomic_ref<unsigned short> half(words->half);
  *old++ = i.fetch_add(-3);
  *old++ = i.fetch_min(-7);
  *old++ = i.exchange(12);
  *old++ = i--;
  *old++ = i.fetch_sub(1, cuda::memory_order_relaxed);
  *old++ = u.fetch_or(0x10);
  *old++ = u.fetch_and(0x18);
  *old++ = u.fetch_xor(0x1f);
  *old++ = u += 3;
  *old++ = ll.fetch_add(-5);
  *old++ = ll.fetch_min(-100);
  *old++ = ll.fetch_max(7);
  *old++ = static_cast<long long>(ull.fetch_max(1ull << 63));
  *old++ = static_cast<long long>(ull.fetch_add(1));
  *old++ = static_cast<long long>(f.fetch_add(0.5f) * 100);
  *old++ = static_cast<long long>(f.fetch_max(9.0f) * 100);
  *old++ = static_cast<long long>(d.fetch_sub(0.25) * 100);
  *old++ = byte.fetch_add(250);
  *old++ = ++byte;
  *old++ = byte.exchange(77);
  *old++ = half.fetch_sub(1);
  *old++ = half.load();
}

__global__ void compare_and_exchange(int* word, int* seen) {
  cuda::atomic_ref<int, cuda::thread_scope_device> value(*word);
  int expected = 5;
  seen[0] = value.compare_exchange_strong(expected, 6);
  seen[1] = expected;
  seen[2] = value.compare_exchange_weak(expected, 8, cuda::memory_order_acq_rel, cuda::memory_order_acquire);
  seen[3] = expected;
  seen[4] = value;
}

__global__ void take_flags(unsigned* words, unsigned* out) {
  __shared__ cuda::std::atomic_flag flag;
  __shared__ cuda::std::atomic_uint count;
  if (threadIdx.x == 0) {
    flag.clear();
    count.store(0x0f, cuda::memory_order::relaxed);
  }
  __syncthreads();
  const bool was_set = flag.test_and_set(cuda::memory_order::acquire);
  if (!was_set) count |= 0x70;
  __syncthreads();
  if (!was_set) {
    count &= 0x3f;
    count ^= 1;
    out[0] = count;
    out[1] = flag.test();
  }
  // The second thread waits for the first one.
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> word(words[0]);
  if (threadIdx.x == 0) {
    words[1] = 42;
    word.store(1, cuda::memory_order::release);
    word.notify_all();
  } else if (threadIdx.x == 1) {
    word.wait(0, cuda::memory_order::acquire);
    out[2] = words[1];
  }
  if (threadIdx.x == 2) {
    cuda::atomic_ref<uint2> pair(*reinterpret_cast<uint2*>(words + 2));
    const uint2 before = pair.exchange(uint2{7, 8});
    out[3] = before.x + pair.load().y;
  }
}

__global__ void count_in_shared_object(unsigned* out) {
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> count;
  if (threadIdx.x == 0) count.store(100, cuda::memory_order_relaxed);
  __syncthreads();
  ++count;
  count.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) *out = count.load(cuda::memory_order_relaxed);
}

__global__ void hand_over(bool ordered, unsigned* value, unsigned* flag, unsigned* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    *value = 42;
    raised.fetch_add(1, ordered ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else if (raised.fetch_add(1, ordered ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 1) {
    *out = *value;
  }
}
