// SPDX-License-Identifier: MIT
#include "problems/histogram/conduct_observer.hpp"

#include <doctest/doctest.h>

#include <array>

#include "simulator/program_image.hpp"

using simulator::AccessKind;
using simulator::Space;
using simulator::WarpAccess;

// The simulator's library asks for them; no kernel is linked here that would have any.
unsigned char* simulator::dynamic_shared_begin() { return nullptr; }
extern const char* const simulator::unit_variables[] = {nullptr};

namespace {

using Counts = std::map<std::string, std::uint64_t>;

// Memory to have addresses of; nothing is read or written.
alignas(32) std::array<unsigned char, 4096> input;
alignas(32) std::array<unsigned char, 64> histogram_copies;

histogram::ConductObserver observer() { return {input, std::span(histogram_copies).first(28)}; }

void begin_block(histogram::ConductObserver& observer, std::uint64_t number) {
  observer.block_begins({{static_cast<unsigned>(number), 0, 0}, number, {64}, {2}});
}

// Lanes 0 to lanes - 1 of a warp, each `stride` bytes further than the one before.
struct Access : WarpAccess {
  Access(AccessKind kind, const unsigned char* first, unsigned lanes, unsigned stride, unsigned size = 1,
         unsigned warp = 0)
      : WarpAccess{.kind = kind,
                   .space = Space::global,
                   .size = size,
                   .place = 0,
                   .warp = warp,
                   .lanes = lanes == 32 ? ~0u : (1u << lanes) - 1,
                   .operands = &own} {
    for (unsigned lane = 0; lane < lanes; ++lane)
      own.address[lane] = reinterpret_cast<std::uintptr_t>(first) + lane * stride;
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  simulator::Operands own;
};

// What is not 0.
Counts counted(const histogram::ConductObserver& observer) {
  Counts counts = observer.counted();
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  return counts;
}

}  // namespace

TEST_CASE("lanes side by side read few sectors and no neighbours") {
  auto seen = observer();
  begin_block(seen, 0);
  for (unsigned round = 0; round < 4; ++round)
    seen.access(Access(AccessKind::load, &input[round * 64], 32, 1));
  CHECK(counted(seen) == Counts{{"input_bytes", 128}, {"input_requests", 4}, {"input_sectors", 4}});
}

TEST_CASE("a thread that goes on beside its last byte reads neighbours, upwards, downwards and by turns") {
  auto seen = observer();
  begin_block(seen, 0);
  for (const unsigned at : {0u, 1u, 2u, 1u, 17u, 3u})
    seen.access(Access(AccessKind::load, &input[at], 2, 64));
  CHECK(counted(seen) ==
        Counts{{"input_bytes", 12}, {"input_near_bytes", 10}, {"input_requests", 6}, {"input_sectors", 12}});
}

TEST_CASE("bytes of one load are neighbours; 32 bytes further is far, and a new block begins anew") {
  auto seen = observer();
  begin_block(seen, 0);
  seen.access(Access(AccessKind::load, &input[0], 1, 0, 16));
  seen.access(Access(AccessKind::load, &input[32], 1, 0, 16));
  CHECK(counted(seen).at("input_near_bytes") == 30);
  begin_block(seen, 1);
  seen.access(Access(AccessKind::load, &input[33], 1, 0));
  CHECK(counted(seen).at("input_near_bytes") == 30);
  seen.access(Access(AccessKind::load, &input[64], 1, 0));
  CHECK(counted(seen).at("input_near_bytes") == 31);
}

TEST_CASE("threads of different warps are different threads") {
  auto seen = observer();
  begin_block(seen, 0);
  seen.access(Access(AccessKind::load, &input[0], 1, 0, 1, 0));
  seen.access(Access(AccessKind::load, &input[1], 1, 0, 1, 1));
  CHECK(counted(seen).count("input_near_bytes") == 0);
}

TEST_CASE("of the threads of all blocks, the one is told that reads or writes most") {
  auto seen = observer();
  WarpAccess shared = Access(AccessKind::atomic, &histogram_copies[0], 1, 4, 4);
  shared.space = Space::shared;
  for (const unsigned rounds : {1u, 5u, 3u}) {
    begin_block(seen, rounds);
    for (unsigned round = 0; round < rounds; ++round) {
      seen.access(Access(AccessKind::load, &input[0], 32, 4, 4));
      seen.access(Access(AccessKind::atomic, &histogram_copies[0], 2, 4, 4, 1));
    }
    seen.access(shared);
    seen.block_ends();
  }
  CHECK(counted(seen).at("most_input_bytes") == 20);
  CHECK(counted(seen).at("most_writes") == 5);
}

TEST_CASE("writes are told apart by their memory and their block, threads by whether they use an atomic") {
  auto seen = observer();
  begin_block(seen, 0);
  seen.access(Access(AccessKind::atomic_increment, &histogram_copies[0], 5, 4, 4));
  seen.access(Access(AccessKind::atomic, &histogram_copies[0], 2, 4, 4));
  seen.access(Access(AccessKind::store, &histogram_copies[24], 1, 0, 4));
  seen.block_ends();
  begin_block(seen, 1);
  seen.access(
      Access(AccessKind::atomic, &histogram_copies[24], 2, 4, 4));  // one on the result, one behind it
  seen.access(Access(AccessKind::store, &histogram_copies[28], 1, 0, 4));
  Access shared(AccessKind::atomic, &histogram_copies[0], 3, 4, 4);
  shared.space = Space::shared;
  seen.access(shared);
  shared.kind = AccessKind::load;
  seen.access(shared);
  seen.block_ends();
  Counts counts = counted(seen);
  CHECK(counts.extract("most_writes").mapped() == 3);
  CHECK(counts == Counts{{"result_atomics", 8},
                         {"result_writes", 9},
                         {"result_writes_of_other_blocks", 1},
                         {"atomic_threads", 6},
                         {"elsewhere_writes", 2},
                         {"shared_writes", 3}});
}
