// SPDX-License-Identifier: MIT
#include "checking.hpp"

namespace {

constexpr Race lost_update{.across_blocks = true, .read_modify_write = true},
    between_blocks{.across_blocks = true};

}  // namespace

TEST_CASE("bins in global memory are counted in without atomics") {
  check_both("count_bytes", race(lost_update, "two threads change histo[2] without an atomic"),
             []<bool defect>() {
               const Array<unsigned char> text(
                   "text", filled(300, [](unsigned i) { return static_cast<unsigned char>(i % 3); }));
               const Array<unsigned> histo("histo", 3);
               auto result = launch_kernel({5, 64}, count_bytes<defect>, text.data(), 300, histo.data());
               if (!defect) CHECK(histo.values() == std::vector<unsigned>(3, 100));
               return result;
             });
}

TEST_CASE("all who find something store it in one word") {
  check_both("find_value", race(lacks_barrier, "two threads write where[0]"), []<bool defect>() {
    const Array<unsigned> in("in", filled(64, [](unsigned i) { return i % 5; })), where("where", 1, 99);
    auto result = launch_kernel({1, 64}, find_value<defect>, in.data(), 3, where.data());
    if (!defect) CHECK(where.values() == std::vector<unsigned>{3});
    return result;
  });
}

TEST_CASE("another block's result is read in the same launch") {
  check_both(
      "add_next_block", race(between_blocks, "one thread reads results[1] while another writes it"),
      []<bool defect>() {
        const Array<unsigned> in("in", counted(4)), results("results", 4), out("out", 4);
        auto result = launch_kernel({4, 32}, add_next_block<defect>, in.data(), results.data(), out.data());
        if (!defect) CHECK(out.values() == std::vector<unsigned>{3, 6, 9, 0});
        return result;
      });
}

TEST_CASE("the last block adds what others have not fenced") {
  check_both("sum_in_last_block", race(between_blocks, "one thread writes partial[0] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(6)), partial("partial", 6), finished("finished", 1),
                   out("out", 1);
               auto result = launch_kernel({6, 32}, sum_in_last_block<defect>, in.data(), partial.data(),
                                           finished.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{150});
               return result;
             });
}

TEST_CASE("a counter is read plainly while others change it atomically") {
  check_both("count_up_to_limit",
             race(between_blocks, "one thread reads counter[0] while another changes it atomically"),
             []<bool defect>() {
               const Array<unsigned> counter("counter", 1);
               auto result = launch_kernel({4, 64}, count_up_to_limit<defect>, 1000, counter.data());
               if (!defect) CHECK(counter.values() == std::vector<unsigned>{256});
               return result;
             });
}

TEST_CASE("four threads set bits of one word; bytes side by side are no race") {
  check_both(
      "pack_bytes",
      race({.within_warp = true, .read_modify_write = true}, "two threads change words[0] without an atomic"),
      []<bool defect>() {
        const Array<unsigned char> in("in", counted<unsigned char>(128));
        const Array<unsigned> words("words", 32);
        auto result = launch_kernel({2, 64}, pack_bytes<defect>, in.data(), words.data());
        if (!defect)
          CHECK(words.values() == filled(32, [](unsigned i) { return 0x04040404 * i + 0x03020100; }));
        return result;
      });
}

TEST_CASE("a comparison and a store in place of an atomic maximum") {
  check_both("largest_of_blocks", race(lost_update, "two threads change best[0] without an atomic"),
             []<bool defect>() {
               const Array<int> in("in", std::vector<int>{3, 8, -1, 9}), best("best", 1);
               auto result = launch_kernel({4, 1}, largest_of_blocks<defect>, in.data(), best.data());
               if (!defect) CHECK(best.values() == std::vector<int>{9});
               return result;
             });
}

TEST_CASE("several blocks add to the same columns") {
  check_both("column_sums", race(lost_update, "two threads change sums[0] without an atomic"),
             []<bool defect>() {
               const Array<float> matrix("matrix", 16 * 64, 0.5f), sums("sums", 64);
               auto result = launch_kernel({{2, 2}, 32}, column_sums<defect>, matrix.data(), 64, sums.data());
               if (!defect) CHECK(sums.values() == std::vector<float>(64, 8));
               return result;
             });
}

TEST_CASE("neighbours are smoothed in place") {
  check_both("smooth", race(between_blocks, "one thread reads cells[1] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> cells("cells", counted(100)), out("out", 100);
               auto result = launch_kernel({2, 64}, smooth<defect>, cells.data(), out.data(), 100);
               if (!defect) CHECK(out.values() == filled(100, [](unsigned i) { return i == 99 ? 0 : i; }));
               return result;
             });
}

TEST_CASE("a lock is opened by a plain store") {
  check_both("add_under_lock",
             race(between_blocks, "one thread writes lock[0] while another changes it atomically"),
             []<bool defect>() {
               const Array<unsigned> lock("lock", 1), total("total", 1);
               auto result = launch_kernel({10, 1}, add_under_lock<defect>, lock.data(), total.data());
               if (!defect) CHECK(total.values() == std::vector<unsigned>{45});
               return result;
             });
}

TEST_CASE("a list's head is replaced in two steps") {
  check_both("push_on_list", race(lost_update, "two threads change head[0] without an atomic"),
             []<bool defect>() {
               const Array<unsigned> head("head", 1), next("next", 97);
               auto result = launch_kernel({3, 32}, push_on_list<defect>, head.data(), next.data());
               if (!defect) {
                 unsigned length = 0;
                 const std::vector<unsigned> links = next.values();
                 for (unsigned node = head.values()[0]; node != 0 && length <= 96; node = links[node])
                   ++length;
                 CHECK(length == 96);
               }
               return result;
             });
}

TEST_CASE("a carry is added without an atomic") {
  check_both("wide_total", race({.read_modify_write = true}, "two threads change high[0] without an atomic"),
             []<bool defect>() {
               const Array<unsigned> in("in", 64, 0x40000000u), low("low", 1), high("high", 1);
               auto result = launch_kernel({1, 64}, wide_total<defect>, in.data(), low.data(), high.data());
               if (!defect) CHECK(high.values() == std::vector<unsigned>{16});
               return result;
             });
}
