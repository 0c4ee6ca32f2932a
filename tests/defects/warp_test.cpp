// SPDX-License-Identifier: MIT
#include "checking.hpp"

TEST_CASE("lanes exchange values without a __syncwarp") {
  check_both("exchange_in_pairs", race(lacks_warp_sync, "one thread writes values[1] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> data("data", counted(32));
               auto result = launch_kernel({1, 32}, exchange_in_pairs<defect>, data.data());
               if (!defect) CHECK(data.values() == filled(32, [](unsigned i) { return i ^ 1; }));
               return result;
             });
}

TEST_CASE("a __syncwarp of half the lanes orders nothing for the others") {
  check_both("reverse_after_half_sync",
             race(lacks_warp_sync, "one thread writes mirrored[0] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(32)), out("out", 32);
               auto result = launch_kernel({1, 32}, reverse_after_half_sync<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == filled(32, [](unsigned i) { return 31 - i; }));
               return result;
             });
}

TEST_CASE("a vote orders no memory") {
  check_both("vote_in_place_of_sync",
             race(lacks_warp_sync, "one thread writes staged[0] while another reads it"), []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), out("out", 64);
               auto result = launch_kernel({1, 64}, vote_in_place_of_sync<defect>, in.data(), out.data());
               if (!defect)
                 CHECK(out.values() == filled(64, [](unsigned i) { return i / 32 * 32 + (i + 27) % 32; }));
               return result;
             });
}

TEST_CASE("a reduction that trusts in lockstep") {
  check_both("sum_in_lockstep", race(lacks_warp_sync, "one thread writes sums[8] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(32)), out("out", 1);
               auto result = launch_kernel({1, 32}, sum_in_lockstep<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{31 * 16});
               return result;
             });
}

TEST_CASE("what the leader has written is read by its warp") {
  check_both("places_for_warps", race(lacks_warp_sync, "one thread writes base[0] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> cursor("cursor", 1), out("out", 128, 99);
               auto result = launch_kernel({1, 128}, places_for_warps<defect>, cursor.data(), out.data());
               if (!defect) CHECK(out.values() == filled(128, [](unsigned i) { return i % 32; }));
               return result;
             });
}

TEST_CASE("all lanes store different values in one instruction") {
  check_both("every_lane_stores", race(lacks_warp_sync, "two threads write winner[0]"), []<bool defect>() {
    const Array<unsigned> in("in", counted(32)), out("out", 1);
    auto result = launch_kernel({1, 32}, every_lane_stores<defect>, in.data(), out.data());
    if (!defect) CHECK(out.values() == std::vector<unsigned>{1});
    return result;
  });
}

TEST_CASE("a mask without the caller") {
  check_both("ballot_of_the_others",
             divergent_barrier("a lane called a warp operation whose mask does not contain it"),
             []<bool defect>() {
               const Array<int> in("in", std::vector<int>(32, -1));
               const Array<unsigned> out("out", 32);
               auto result = launch_kernel({1, 32}, ballot_of_the_others<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>(32, 0xffffffffu));
               return result;
             });
}

TEST_CASE("a mask names lanes that wait at the block's barrier") {
  check_both("full_mask_in_branch",
             divergent_barrier("a warp operation with mask 0xffffffff waits for lanes 16 to 31, which wait "
                               "at a barrier of the block"),
             []<bool defect>() {
               const Array<float> in("in", counted<float>(32)), out("out", 1);
               auto result = launch_kernel({1, 32}, full_mask_in_branch<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<float>{120});
               return result;
             });
}

TEST_CASE("masks that name lanes of the other branch") {
  check_both("masks_that_overlap",
             divergent_barrier("a warp operation with mask 0x77777777 waits for lanes that wait in another "
                               "operation or with another mask"),
             []<bool defect>() {
               const Array<unsigned> out("out", 32);
               auto result = launch_kernel({1, 32}, masks_that_overlap<defect>, out.data());
               if (!defect) CHECK(out.values()[1] == 0xaaaa);
               return result;
             });
}

TEST_CASE("a mask names lanes that have left the loop") {
  check_both("vote_in_uneven_loop",
             divergent_barrier("a warp operation with mask 0xffffffff waits for lanes that wait in another "
                               "operation or with another mask"),
             []<bool defect>() {
               const Array<unsigned> rounds("rounds", filled(32, [](unsigned i) { return i < 8 ? 2u : 3u; })),
                   out("out", 32);
               auto result = launch_kernel({1, 32}, vote_in_uneven_loop<defect>, rounds.data(), out.data());
               if (!defect)
                 CHECK(out.values() == filled(32, [](unsigned i) { return i < 8 ? 32u : 32u + 24; }));
               return result;
             });
}
