// SPDX-License-Identifier: MIT
#include "report/terminal/counters.hpp"

#include <array>

namespace report {

namespace {

constexpr std::array<CounterMeaning, 18> meanings{{
    {"threads", "threads of the grid"},
    {"warps", "warps of the grid"},
    {"barriers", "times that a warp waited at a barrier of its block"},
    {"global_load_requests", "instructions of a warp that read global memory"},
    {"global_load_sectors", "pieces of 32 bytes that these fetched: fewer is better coalesced"},
    {"global_store_requests", "instructions of a warp that wrote global memory"},
    {"global_store_sectors", "pieces of 32 bytes that these touched"},
    {"global_atomic_requests", "instructions of a warp that changed global memory atomically"},
    {"global_atomics", "the same counted by lanes: changes that may have to wait for each other"},
    {"shared_load_requests", "instructions of a warp that read shared memory"},
    {"shared_load_wavefronts", "turns that these took: more than one each is a bank conflict"},
    {"shared_store_requests", "instructions of a warp that wrote shared memory"},
    {"shared_store_wavefronts", "turns that these took"},
    {"shared_atomic_requests", "instructions of a warp that changed shared memory atomically"},
    {"shared_atomic_wavefronts", "turns that these took: lanes that meet in a bank take turns"},
    {"shared_atomics", "the same counted by lanes"},
    {"warp_steps", "steps of the warps: accesses and basic blocks"},
    {"thread_steps", "the same counted by lanes: 32 times as many where no warp diverges"},
}};

}  // namespace

std::span<const CounterMeaning> counter_meanings() { return meanings; }

}  // namespace report
