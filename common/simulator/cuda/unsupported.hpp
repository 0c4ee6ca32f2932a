// SPDX-License-Identifier: MIT
// What CUDA has and the simulator does not: its first use is a compile error at the student's own line that
// names it. (Headers of this kind: simulator/meson.build. Memory allocation, which host code may use too, is
// refused when it happens.) Included last, for these are macros.
#pragma once

#define SIMULATOR_REFUSE(error) _Pragma(#error)

#define SIMULATOR_NO_TEXTURES SIMULATOR_REFUSE(GCC error "textures are not simulated: they need a GPU")
#define cudaTextureObject_t SIMULATOR_NO_TEXTURES unsigned long long
#define tex1D SIMULATOR_NO_TEXTURES tex1D
#define tex1Dfetch SIMULATOR_NO_TEXTURES tex1Dfetch
#define tex1DLod SIMULATOR_NO_TEXTURES tex1DLod
#define tex1DGrad SIMULATOR_NO_TEXTURES tex1DGrad
#define tex1DLayered SIMULATOR_NO_TEXTURES tex1DLayered
#define tex2D SIMULATOR_NO_TEXTURES tex2D
#define tex2DLod SIMULATOR_NO_TEXTURES tex2DLod
#define tex2DGrad SIMULATOR_NO_TEXTURES tex2DGrad
#define tex2DLayered SIMULATOR_NO_TEXTURES tex2DLayered
#define tex2Dgather SIMULATOR_NO_TEXTURES tex2Dgather
#define tex3D SIMULATOR_NO_TEXTURES tex3D
#define texCubemap SIMULATOR_NO_TEXTURES texCubemap

#define SIMULATOR_NO_SURFACES SIMULATOR_REFUSE(GCC error "surfaces are not simulated: they need a GPU")
#define cudaSurfaceObject_t SIMULATOR_NO_SURFACES unsigned long long
#define surf1Dread SIMULATOR_NO_SURFACES surf1Dread
#define surf1Dwrite SIMULATOR_NO_SURFACES surf1Dwrite
#define surf2Dread SIMULATOR_NO_SURFACES surf2Dread
#define surf2Dwrite SIMULATOR_NO_SURFACES surf2Dwrite
#define surf3Dread SIMULATOR_NO_SURFACES surf3Dread
#define surf3Dwrite SIMULATOR_NO_SURFACES surf3Dwrite

// The checkers see a file's accesses because the compiler instruments them.
// One string: the compiler reads no second one.
// clang-format off
#define SIMULATOR_NOT_HIDDEN \
  SIMULATOR_REFUSE(GCC error "attributes that hide code from the checkers are not allowed in a kernel's file")
// clang-format on
#define no_sanitize SIMULATOR_NOT_HIDDEN no_sanitize
#define __no_sanitize__ SIMULATOR_NOT_HIDDEN __no_sanitize__
#define no_sanitize_thread SIMULATOR_NOT_HIDDEN no_sanitize_thread
#define __no_sanitize_thread__ SIMULATOR_NOT_HIDDEN __no_sanitize_thread__
#define no_sanitize_coverage SIMULATOR_NOT_HIDDEN no_sanitize_coverage
#define __no_sanitize_coverage__ SIMULATOR_NOT_HIDDEN __no_sanitize_coverage__
#define no_instrument_function SIMULATOR_NOT_HIDDEN no_instrument_function
#define __no_instrument_function__ SIMULATOR_NOT_HIDDEN __no_instrument_function__
#define disable_sanitizer_instrumentation SIMULATOR_NOT_HIDDEN disable_sanitizer_instrumentation
#define __disable_sanitizer_instrumentation__ SIMULATOR_NOT_HIDDEN __disable_sanitizer_instrumentation__

#define SIMULATOR_NO_CLUSTERS \
  SIMULATOR_REFUSE(GCC error "thread block clusters are not simulated: they need a GPU")
#define __cluster_dims__(...) SIMULATOR_NO_CLUSTERS
#define __block_size__(...) SIMULATOR_NO_CLUSTERS
#define __threadfence_cluster SIMULATOR_NO_CLUSTERS __threadfence_cluster
#define __isClusterShared SIMULATOR_NO_CLUSTERS __isClusterShared
#define __isCtaShared SIMULATOR_NO_CLUSTERS __isCtaShared
#define __clusterDim SIMULATOR_NO_CLUSTERS __clusterDim
#define __clusterDimIsSpecified SIMULATOR_NO_CLUSTERS __clusterDimIsSpecified
#define __clusterGridDimInClusters SIMULATOR_NO_CLUSTERS __clusterGridDimInClusters
#define __clusterIdx SIMULATOR_NO_CLUSTERS __clusterIdx
#define __clusterRelativeBlockIdx SIMULATOR_NO_CLUSTERS __clusterRelativeBlockIdx
#define __clusterRelativeBlockRank SIMULATOR_NO_CLUSTERS __clusterRelativeBlockRank
#define __clusterSizeInBlocks SIMULATOR_NO_CLUSTERS __clusterSizeInBlocks
#define __cluster_barrier_arrive SIMULATOR_NO_CLUSTERS __cluster_barrier_arrive
#define __cluster_barrier_arrive_relaxed SIMULATOR_NO_CLUSTERS __cluster_barrier_arrive_relaxed
#define __cluster_barrier_wait SIMULATOR_NO_CLUSTERS __cluster_barrier_wait
#define __cluster_map_shared_rank SIMULATOR_NO_CLUSTERS __cluster_map_shared_rank
#define __cluster_query_shared_rank SIMULATOR_NO_CLUSTERS __cluster_query_shared_rank

#define SIMULATOR_NO_NAMED_BARRIERS \
  SIMULATOR_REFUSE(GCC error "named barriers are not simulated: they need a GPU")
#define __barrier_sync SIMULATOR_NO_NAMED_BARRIERS __barrier_sync
#define __barrier_sync_count SIMULATOR_NO_NAMED_BARRIERS __barrier_sync_count

#define SIMULATOR_NO_ATOMIC_BUILTINS \
  SIMULATOR_REFUSE(GCC error "the __nv_atomic functions are not simulated: they need a GPU")
#define __nv_atomic_add SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_add
#define __nv_atomic_and SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_and
#define __nv_atomic_compare_exchange SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_compare_exchange
#define __nv_atomic_compare_exchange_n SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_compare_exchange_n
#define __nv_atomic_exchange SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_exchange
#define __nv_atomic_exchange_n SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_exchange_n
#define __nv_atomic_fetch_add SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_add
#define __nv_atomic_fetch_and SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_and
#define __nv_atomic_fetch_max SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_max
#define __nv_atomic_fetch_min SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_min
#define __nv_atomic_fetch_or SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_or
#define __nv_atomic_fetch_sub SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_sub
#define __nv_atomic_fetch_xor SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_fetch_xor
#define __nv_atomic_load SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_load
#define __nv_atomic_load_n SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_load_n
#define __nv_atomic_max SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_max
#define __nv_atomic_min SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_min
#define __nv_atomic_or SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_or
#define __nv_atomic_store SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_store
#define __nv_atomic_store_n SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_store_n
#define __nv_atomic_sub SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_sub
#define __nv_atomic_thread_fence SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_thread_fence
#define __nv_atomic_xor SIMULATOR_NO_ATOMIC_BUILTINS __nv_atomic_xor

// In the file that is compiled and those that it includes itself; the C library's headers, which lie deeper,
// keep it. The second of the two is chosen: of what SIMULATOR_OWN_... stands for, or else of these.
#define SIMULATOR_REFUSED_ASM SIMULATOR_REFUSE(GCC error "inline PTX is not simulated: it needs a GPU")
#define SIMULATOR_OWN_FILE_0 ~, SIMULATOR_REFUSED_ASM
#define SIMULATOR_OWN_FILE_1 ~, SIMULATOR_REFUSED_ASM
#define SIMULATOR_SECOND(first, second, ...) second
#define SIMULATOR_SECOND_OF(...) SIMULATOR_SECOND(__VA_ARGS__, ~)
#define SIMULATOR_ASM_AT(level) SIMULATOR_SECOND_OF(SIMULATOR_OWN_FILE_##level, )
#define SIMULATOR_ASM_HERE(level) SIMULATOR_ASM_AT(level)
#define asm __asm__
#define __asm __asm__
#define __asm__ SIMULATOR_ASM_HERE(__INCLUDE_LEVEL__) __asm__

// The host's side of CUDA: a lab's file has none, the harness launches.
#define SIMULATOR_NO_RUNTIME \
  SIMULATOR_REFUSE(GCC error "the CUDA runtime's host functions are not simulated: they need a GPU")
#define cudaDeviceGetAttribute SIMULATOR_NO_RUNTIME cudaDeviceGetAttribute
#define cudaDeviceSynchronize SIMULATOR_NO_RUNTIME cudaDeviceSynchronize
#define cudaFree SIMULATOR_NO_RUNTIME cudaFree
#define cudaFuncSetAttribute SIMULATOR_NO_RUNTIME cudaFuncSetAttribute
#define cudaGetDevice SIMULATOR_NO_RUNTIME cudaGetDevice
#define cudaGetDeviceProperties SIMULATOR_NO_RUNTIME cudaGetDeviceProperties
#define cudaGetLastError SIMULATOR_NO_RUNTIME cudaGetLastError
#define cudaLaunchKernel SIMULATOR_NO_RUNTIME cudaLaunchKernel
#define cudaMalloc SIMULATOR_NO_RUNTIME cudaMalloc
#define cudaMemcpy SIMULATOR_NO_RUNTIME cudaMemcpy
#define cudaMemcpyToSymbol SIMULATOR_NO_RUNTIME cudaMemcpyToSymbol
#define cudaMemset SIMULATOR_NO_RUNTIME cudaMemset
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor \
  SIMULATOR_NO_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessor

#define SIMULATOR_NO_SPACES \
  SIMULATOR_REFUSE(GCC error "the constant and local address spaces are not simulated: they need a GPU")
#define __isConstant SIMULATOR_NO_SPACES __isConstant
#define __isGridConstant SIMULATOR_NO_SPACES __isGridConstant
#define __cvta_generic_to_constant SIMULATOR_NO_SPACES __cvta_generic_to_constant
#define __cvta_generic_to_grid_constant SIMULATOR_NO_SPACES __cvta_generic_to_grid_constant
#define __cvta_generic_to_local SIMULATOR_NO_SPACES __cvta_generic_to_local
#define __cvta_constant_to_generic SIMULATOR_NO_SPACES __cvta_constant_to_generic
#define __cvta_grid_constant_to_generic SIMULATOR_NO_SPACES __cvta_grid_constant_to_generic
#define __cvta_local_to_generic SIMULATOR_NO_SPACES __cvta_local_to_generic
