// SPDX-License-Identifier: MIT
// The compare-and-swaps of a warp's lanes, and the loops in which they try them again.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "launching.hpp"

namespace {

using simulator::AccessKind;

// The lanes of each load from global memory, and of each compare-and-swap, a line each in their order.
class LoadsAndSwaps final : public simulator::Observer {
 public:
  void access(const simulator::WarpAccess& access) override {
    const bool is_load = access.kind == AccessKind::load && access.space == simulator::Space::global;
    if (!is_load && access.kind != AccessKind::compare_and_swap) return;
    lines += is_load ? "load " : "swap ";
    for (unsigned lane = 0; lane < simulator::ModelDevice::lanes; ++lane)
      lines += access.lanes >> lane & 1 ? '*' : '.';
    lines += '\n';
  }
  std::string lines;
};

}  // namespace

// Read off an H200, where each lane noted its clock and the active lanes (__activemask) before each load and
// each compare-and-swap.
TEST_CASE("lanes that try compare-and-swaps again drift apart in a GPU's order") {
  const std::vector<unsigned char> bytes{
      108, 130, 165, 98,  203, 128, 141, 16,  214, 50,  190, 137, 200, 81,  62,  191, 108, 146, 159,
      52,  221, 250, 140, 159, 99,  201, 150, 14,  246, 227, 72,  163, 82,  140, 138, 63,  204, 47,
      4,   78,  57,  163, 252, 91,  148, 73,  47,  143, 3,   46,  117, 73,  162, 0,   152, 249, 91,
      239, 214, 18,  72,  162, 60,  215, 168, 22,  136, 57,  233, 31,  128, 53,  88,  250, 201, 246,
      9,   93,  156, 146, 121, 25,  112, 19,  35,  66,  170, 4,   22,  139, 173, 10,  230, 219, 177,
      133, 93,  220, 180, 116, 144, 50,  184, 254, 56,  166, 104, 75,  81,  74,  51,  219, 191, 230,
      71,  109, 94,  234, 223, 158, 154, 36,  178, 104, 171, 146, 59,  233};
  const DeviceArray<unsigned char> data(bytes);
  const DeviceArray<unsigned> counts(64);
  LoadsAndSwaps seen;
  const auto length = static_cast<unsigned>(bytes.size());
  launch({.grid = 1, .block = 32, .observers = {&seen}},
         [&] { count_packed(data.data(), length, counts.data()); });
  CHECK(seen.lines ==
        "load ********************************\n"
        "swap ********************************\n"
        "load *****.******.**..*****....******\n"
        "swap ********************************\n"
        "load .....*......*..**......**.......\n"
        "swap .....*......*..***.**.****..****\n"
        "load .........................*......\n"
        "load *****************.****.**.**..**\n"
        "swap ********************************\n"
        "load .................*....*..*..**..\n"
        "swap .................*....*.**.***..\n"
        "load ********************************\n"
        "swap ********************************\n"
        "load ......................*.........\n"
        "swap .............**.....*.*....*****\n");
  std::vector<unsigned> expected(64);
  for (const unsigned char byte : bytes) expected[byte / 4] += 1u << 8 * (byte % 4);
  CHECK(counts.values() == expected);
}

TEST_CASE("lanes that leave the loop with a compare-and-swap that has failed wait behind it for the others") {
  const DeviceArray<unsigned char> keys(
      filled(64, [](unsigned i) { return static_cast<unsigned char>(i % 5); }));
  const DeviceArray<unsigned> places(64), counts(16);
  const auto result =
      launch({.grid = 1, .block = 64}, [&] { count_keys(keys.data(), places.data(), counts.data()); });
  CHECK(result.hazards.empty());
  std::vector<unsigned> expected(16);
  for (const unsigned place : places.values()) ++expected[place];
  CHECK(counts.values() == expected);
  for (unsigned i = 0; i < 64; ++i) CHECK(places[i] == places[i % 5]);
  CHECK(std::ranges::count(expected, 0u) == 11);
}
