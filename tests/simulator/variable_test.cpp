// SPDX-License-Identifier: MIT
// Variables that a kernel's file defines are memory like any other: counted, checked, and known by their
// names.
#include "kernels.hpp"
#include "launching.hpp"

namespace {

std::string what_went_wrong(const simulator::LaunchResult& result) {
  return result.hazards.empty() ? "nothing" : result.hazards[0].what;
}

}  // namespace

TEST_CASE("accesses to a device variable are counted") {
  device_counter_of_host() = 0;
  const auto atomics = launch({.grid = 2, .block = 64}, [] { count_in_variable(3); });
  CHECK(atomics.hazards.empty());
  CHECK(atomics.counters.value("global_atomics") == 2 * 64 * 3);
  CHECK(device_counter_of_host() == 2 * 64 * 3);
  const DeviceArray<unsigned> out(8);
  const auto loads = launch({.grid = 1, .block = 8}, [&] { read_table(0, out.data()); });
  CHECK(loads.hazards.empty());
  CHECK(loads.counters.value("global_load_requests") == 1);
  CHECK(out.values() == std::vector{1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u});
  const auto own = launch({.grid = 1, .block = 4}, [&] { count_calls(out.data()); });
  CHECK(own.counters.value("global_atomics") == 4);
  CHECK(out[3] == 3);
}

TEST_CASE("a race on a device variable is told by its name") {
  const auto race = launch({.grid = 1, .block = 64}, [] { count_in_variable_without_atomic(); });
  CHECK(what_went_wrong(race) == "two threads change device_counter without an atomic");
  const DeviceArray<unsigned> out(1);
  const auto unfenced = launch({.grid = 8, .block = 32}, [&] { add_last_block(false, out.data()); });
  CHECK(what_went_wrong(unfenced) == "one thread writes partial_sums[0] while another reads it");
  const auto fenced = launch({.grid = 8, .block = 32}, [&] { add_last_block(true, out.data()); });
  CHECK(fenced.hazards.empty());
  CHECK(out[0] == 36);
}

TEST_CASE("a device variable has bounds") {
  const DeviceArray<unsigned> out(64);
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [&] { read_table(8, out.data()); })) ==
        "read_table read device_table[8]; device_table has 8 elements");
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [] { write_table(8, 1); })) ==
        "write_table wrote device_table[8]; device_table has 8 elements");
  CHECK(launch({.grid = 1, .block = 1}, [] { write_table(7, 8); }).hazards.empty());
}

TEST_CASE("constant memory is read, not counted and not written") {
  const DeviceArray<unsigned> out(4);
  const auto read = launch({.grid = 1, .block = 4}, [&] { read_constant(0, out.data()); });
  CHECK(read.hazards.empty());
  CHECK(read.counters.value("global_load_requests") == 0);
  CHECK(out.values() == std::vector{15u, 25u, 35u, 45u});
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [&] { read_constant(4, out.data()); })) ==
        "read_constant read constant_table[4]; constant_table has 4 elements");
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [] { write_constant(2); })) ==
        "write_constant wrote constant_table[2], which is constant memory");
}

TEST_CASE("observers are told of loads of constants apart from other accesses") {
  struct Listener : simulator::Observer {
    void access(const simulator::WarpAccess& access) override { spaces.push_back(access.space); }
    void constant_load(const simulator::WarpAccess& load) override {
      lanes.push_back(load.lanes);
      last = load.address(3) - load.address(0);
    }
    std::vector<simulator::Space> spaces;
    std::vector<unsigned> lanes;
    std::uintptr_t last = 0;
  } listener;
  const DeviceArray<unsigned> out(4);
  launch({.grid = 1, .block = 4, .observers = {&listener}}, [&] { read_constant(0, out.data()); });
  CHECK(listener.spaces == std::vector{simulator::Space::global});  // what they have read is stored
  REQUIRE(!listener.lanes.empty());
  CHECK(listener.lanes.front() == 0xf);
  CHECK(listener.last <= 12);

  listener = {};
  launch({.grid = 1, .block = 4, .observers = {&listener}}, [&] { read_multiple(out.data()); });
  CHECK(out[0] == 21);
  CHECK(listener.spaces == std::vector{simulator::Space::global});
  CHECK(listener.lanes == std::vector{0xfu});
}

TEST_CASE("managed variables and literals are read and written") {
  const DeviceArray<unsigned> out(64);
  const auto managed = launch({.grid = 2, .block = 32}, [&] { share_managed(out.data()); });
  CHECK(managed.hazards.empty());
  CHECK(managed.counters.value("global_store_requests") == 4);
  const DeviceArray<char> letters(4);
  const auto literal = launch({.grid = 1, .block = 4}, [&] { read_literal(letters.data()); });
  CHECK(literal.hazards.empty());
  CHECK(literal.counters.value("global_load_requests") == 0);
  CHECK(letters.values() == std::vector{'a', 'b', 'c', 'd'});
}

TEST_CASE("an array that is only to be read keeps its values, whatever would change them") {
  const simulator::DeviceBuffer buffer(
      32, {.name = "data", .element_bytes = sizeof(unsigned), .read_only = true});
  auto* const data = reinterpret_cast<unsigned*>(buffer.bytes().data());
  std::fill_n(data, 8, 5u);
  const DeviceArray<unsigned> other(8);
  CHECK(launch({.grid = 1, .block = 1}, [&] { copy(other.data(), data, 8); }).hazards.empty());
  CHECK(other.values() == std::vector<unsigned>(8, 5));
  const auto expected = [](const std::string& what) { return what + " data[0], which is only to be read"; };
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [&] { copy(data, other.data(), 8); })) ==
        expected("copy wrote"));
  // It has been read before.
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [&] { count_plainly(8, data); })) ==
        expected("count_plainly wrote"));
  CHECK(what_went_wrong(launch({.grid = 1, .block = 1}, [&] { count_in_shared(8, data); })) ==
        expected("count_in_shared changed"));
  LaunchConfiguration lockstep{.grid = 1, .block = 1};
  lockstep.lockstep_seed = 1;
  CHECK(what_went_wrong(launch(lockstep, [&] { count_plainly(8, data); })) ==
        expected("count_plainly wrote"));
  CHECK(std::vector<unsigned>(data, data + 8) == std::vector<unsigned>(8, 5));
}
