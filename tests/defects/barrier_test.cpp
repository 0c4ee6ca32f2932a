// SPDX-License-Identifier: MIT
#include "checking.hpp"

namespace {

const std::string different_barriers = "threads of one block wait at different barriers";
// The report of a kernel that waits for what never comes.
Expected never_ends(const std::string& kernel, const std::string& elements) {
  return {facts::Verdict::timeout,
          kernel + " never ends: a thread repeats the same steps again and again, " + elements};
}

constexpr std::int64_t soon = 1 << 18;

}  // namespace

TEST_CASE("a barrier that only some threads reach") {
  check_both("barrier_inside_if",
             divergent_barrier("32 of 64 threads had already ended when the others waited at the barrier"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), out("out", 32);
               auto result = launch_kernel({1, 64}, barrier_inside_if<defect>, in.data(), out.data());
               CHECK(out.values() == counted(32));
               return result;
             });
}

TEST_CASE("a barrier in either branch") {
  check_both("barriers_in_both_branches", divergent_barrier(different_barriers), []<bool defect>() {
    const Array<unsigned> out("out", 64);
    auto result = launch_kernel({1, 64}, barriers_in_both_branches<defect>, out.data());
    CHECK(out.values() == filled(64, [](unsigned i) { return i % 2 == 0 ? 2 * i : i + 100; }));
    return result;
  });
}

TEST_CASE("a barrier in a loop that threads leave at different times") {
  check_both("barrier_in_uneven_loop", divergent_barrier(different_barriers), []<bool defect>() {
    const Array<unsigned> out("out", 1);
    auto result = launch_kernel({1, 64}, barrier_in_uneven_loop<defect>, 100, out.data());
    CHECK(out.values() == std::vector<unsigned>{100});
    return result;
  });
}

TEST_CASE("threads return before a barrier") {
  check_both(
      "return_before_barrier",
      divergent_barrier("28 of 64 threads had already ended when the others waited at the barrier"),
      []<bool defect>() {
        const Array<unsigned> in("in", counted(100)), out("out", 2);
        auto result = launch_kernel({2, 64}, return_before_barrier<defect>, in.data(), 100, out.data());
        CHECK(out.values() == std::vector<unsigned>{63 * 32, 36 * 64 + 35 * 18});
        return result;
      });
}

TEST_CASE("counting barriers at two places") {
  check_both("counts_at_two_places", divergent_barrier(different_barriers), []<bool defect>() {
    const Array<int> in("in", filled(64, [](unsigned i) { return static_cast<int>(i % 4); })), out("out", 64);
    auto result = launch_kernel({1, 64}, counts_at_two_places<defect>, in.data(), out.data());
    if (!defect) CHECK(out.values() == std::vector<int>(64, 32));
    return result;
  });
}

TEST_CASE("a flag that nobody sets") {
  check_both("wait_for_flag", never_ends("wait_for_flag", "accessing flag[0] atomically"), []<bool defect>() {
    const Array<unsigned> flag("flag", 1), out("out", 1);
    auto result = launch_kernel({.grid = 1, .block = 64, .patience = soon}, wait_for_flag<defect>,
                                flag.data(), out.data());
    CHECK(out.values() == std::vector<unsigned>{defect ? 0u : 5u});
    return result;
  });
}

TEST_CASE("a block waits for one that has not started") {
  check_both("wait_for_other_block", never_ends("wait_for_other_block", "accessing turn[0] atomically"),
             []<bool defect>() {
               const Array<unsigned> turn("turn", 1), order("order", 4, 9);
               auto result = launch_kernel({.grid = 4, .block = 32, .patience = soon},
                                           wait_for_other_block<defect>, turn.data(), order.data());
               CHECK(order.values() == (defect ? std::vector<unsigned>(4, 9) : counted(4)));
               return result;
             });
}

TEST_CASE("a lock is held at a barrier") {
  check_both("lock_across_barrier",
             never_ends("lock_across_barrier",
                        "accessing lock[0] atomically; 63 other threads wait for it at a barrier"),
             []<bool defect>() {
               const Array<unsigned> lock("lock", 1), out("out", 1);
               auto result = launch_kernel({.grid = 1, .block = 64, .patience = soon},
                                           lock_across_barrier<defect>, lock.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{32});
               return result;
             });
}

TEST_CASE("a warp that waits in step") {
  check_both("spin_in_step", never_ends("spin_in_step", "accessing ready[0] atomically"), []<bool defect>() {
    const Array<unsigned> ready("ready", 1), out("out", 32);
    auto result = launch_kernel({.grid = 1, .block = 64, .patience = soon}, spin_in_step<defect>,
                                ready.data(), out.data());
    if (!defect) CHECK(out.values() == std::vector<unsigned>(32, 1));
    return result;
  });
}

TEST_CASE("a block that goes round a barrier for ever") {
  check_both("search_with_barriers", never_ends("search_with_barriers", "reading in[0]"), []<bool defect>() {
    const Array<unsigned> in("in", counted(100)), where("where", 1, 1000);
    auto result = launch_kernel({.grid = 1, .block = 64, .patience = soon}, search_with_barriers<defect>,
                                in.data(), 64, 500, where.data());
    CHECK(where.values() == std::vector<unsigned>{1000});
    return result;
  });
}
