// SPDX-License-Identifier: MIT
// The counters of docs/counters.md: which there are, what each means, the metrics of ncu that equal it, a set
// of their values, and what is derived from them. A new counter is an enumerator, a row of the table, and the
// place that counts it; a derived one is a row of the second table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace facts {

// Who gives a metric its value: the hardware's counters (CUPTI knows these too), or ncu itself, from the
// launch or by patching the program.
enum class MetricSource { hardware, ncu };

struct Metric {
  std::string_view name = {};  // as ncu takes it
  std::string_view instances =
      {};  // the sum over the instances with this prefix; empty: the metric's own value
  MetricSource source = MetricSource::hardware;
};

// The metrics that add up to a value: none, one or two.
class Metrics {
 public:
  constexpr Metrics(std::initializer_list<Metric> metrics = {}) : size_(metrics.size()) {
    std::copy(metrics.begin(), metrics.end(), all_.begin());
  }
  constexpr const Metric* begin() const { return all_.data(); }
  constexpr const Metric* end() const { return all_.data() + size_; }
  constexpr bool empty() const { return size_ == 0; }

 private:
  std::array<Metric, 2> all_ = {};
  std::size_t size_ = 0;
};

// A number that describes a launch: a counter, or a figure that only hardware has.
struct Quantity {
  std::string_view name;
  Metrics sum = {};
  std::string_view unit =
      {};  // with `--print-units base`: "%", "ns", "byte" or "byte/s"; empty: a plain number
  std::string_view meaning = {};
};

// In the order in which they are shown.
enum class Counter : std::uint8_t {
  threads,
  warps,
  barriers,
  global_load_requests,
  global_load_sectors,
  global_store_requests,
  global_store_sectors,
  global_atomic_requests,
  global_atomics,
  shared_load_requests,
  shared_load_wavefronts,
  shared_store_requests,
  shared_store_wavefronts,
  shared_atomic_requests,
  shared_atomic_wavefronts,
  shared_atomics,
  warp_steps,
  thread_steps,
};

struct CounterRow {
  Counter counter;
  Quantity quantity;
};

// A counter without metrics is the simulator's alone.
inline constexpr std::array counter_table{
    CounterRow{Counter::threads,
               {"threads", {{"launch__thread_count", {}, MetricSource::ncu}}, {}, "threads of the grid"}},
    CounterRow{Counter::warps, {"warps", {{"smsp__warps_launched.sum"}}, {}, "warps of the grid"}},
    CounterRow{Counter::barriers,
               {"barriers",
                {{"sass__inst_executed_per_opcode", "BAR", MetricSource::ncu}},
                {},
                "times that a warp waited at a barrier of its block"}},
    CounterRow{Counter::global_load_requests,
               {"global_load_requests",
                {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
                {},
                "instructions of a warp that read global memory"}},
    CounterRow{Counter::global_load_sectors,
               {"global_load_sectors",
                {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
                {},
                "pieces of 32 bytes that these fetched: fewer is better coalesced"}},
    CounterRow{Counter::global_store_requests,
               {"global_store_requests",
                {{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
                {},
                "instructions of a warp that wrote global memory"}},
    CounterRow{Counter::global_store_sectors,
               {"global_store_sectors",
                {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
                {},
                "pieces of 32 bytes that these touched"}},
    CounterRow{Counter::global_atomic_requests,
               {"global_atomic_requests",
                {{"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
                 {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}},
                {},
                "instructions of a warp that changed global memory atomically"}},
    CounterRow{Counter::global_atomics,
               {"global_atomics",
                {},
                {},
                "the same counted by lanes: changes that may have to wait for each other"}},
    CounterRow{Counter::shared_load_requests,
               {"shared_load_requests",
                {{"smsp__sass_inst_executed_op_shared_ld.sum"}},
                {},
                "instructions of a warp that read shared memory"}},
    CounterRow{Counter::shared_load_wavefronts,
               {"shared_load_wavefronts",
                {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
                {},
                "turns that these took: more than one each is a bank conflict"}},
    CounterRow{Counter::shared_store_requests,
               {"shared_store_requests",
                {{"smsp__sass_inst_executed_op_shared_st.sum"}},
                {},
                "instructions of a warp that wrote shared memory"}},
    CounterRow{Counter::shared_store_wavefronts,
               {"shared_store_wavefronts",
                {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
                {},
                "turns that these took"}},
    CounterRow{Counter::shared_atomic_requests,
               {"shared_atomic_requests",
                {{"smsp__inst_executed_op_shared_atom.sum"}},
                {},
                "instructions of a warp that changed shared memory atomically"}},
    CounterRow{Counter::shared_atomic_wavefronts,
               {"shared_atomic_wavefronts",
                {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}},
                {},
                "turns that these took: lanes that meet in a bank take turns"}},
    CounterRow{Counter::shared_atomics, {"shared_atomics", {}, {}, "the same counted by lanes"}},
    CounterRow{Counter::warp_steps, {"warp_steps", {}, {}, "steps of the warps: accesses and basic blocks"}},
    CounterRow{
        Counter::thread_steps,
        {"thread_steps", {}, {}, "the same counted by lanes: 32 times as many where no warp diverges"}},
};

constexpr std::size_t index_of(Counter counter) { return static_cast<std::size_t>(counter); }

static_assert([] {
  for (std::size_t i = 0; i < counter_table.size(); ++i) {
    if (index_of(counter_table[i].counter) != i) return false;
  }
  return true;
}());

constexpr std::string_view name_of(Counter counter) { return counter_table[index_of(counter)].quantity.name; }
std::optional<Counter> find_counter(std::string_view name);

// What has been counted. A counter is known from the first time that it is set or added to: of a GPU ncu
// gives some, by place in a program only what is not 0 is counted. To its readers it is a map of the known
// ones, by name in alphabetical order.
class Counters {
 public:
  Counters() = default;
  // Throws std::out_of_range for a name that no counter has.
  Counters(std::initializer_list<std::pair<std::string_view, std::uint64_t>> values);

  std::uint64_t& operator[](Counter counter) {
    known_ |= bit(counter);
    return values_[index_of(counter)];
  }
  Counters& operator+=(const Counters& other);

  // 0 where the counter is not known.
  std::uint64_t value(Counter counter) const { return values_[index_of(counter)]; }
  std::uint64_t value(std::string_view name) const;

  std::optional<std::uint64_t> find(Counter counter) const;
  std::optional<std::uint64_t> find(std::string_view name) const;
  std::uint64_t at(std::string_view name) const;  // throws std::out_of_range
  bool empty() const { return known_ == 0; }
  std::size_t size() const;
  bool operator==(const Counters&) const = default;

  class Iterator {
   public:
    using value_type = std::pair<std::string_view, std::uint64_t>;

    value_type operator*() const;
    Iterator& operator++();
    bool operator==(const Iterator&) const = default;

   private:
    friend Counters;
    Iterator(const Counters& counters, std::size_t at) : counters_(&counters), at_(at) { pass_unknown(); }
    void pass_unknown();

    const Counters* counters_;
    std::size_t at_;  // in alphabetical order
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, counter_table.size()}; }

 private:
  static constexpr std::uint32_t bit(Counter counter) { return std::uint32_t{1} << index_of(counter); }
  static_assert(counter_table.size() <= 32);

  std::array<std::uint64_t, counter_table.size()> values_{};  // 0 where it is not known
  std::uint32_t known_ = 0;
};

// One counter over another: it compares kernels of different sizes.
struct DerivedCounter {
  std::string_view name;
  Counter of, over;
  std::string_view meaning;
};

inline constexpr std::array derived_table{
    DerivedCounter{"lane_efficiency", Counter::thread_steps, Counter::warp_steps,
                   "active lanes in a step of a warp, on average, of 32"}};

// Its value; nullopt where one of the two is not known, or there is nothing to divide by.
std::optional<double> derived(const DerivedCounter& which, const Counters& counters);

// Those that the counters give, by name: an object of numbers in JSON.
std::map<std::string, double> derived(const Counters& counters);

// A derived counter's value as all tables show it: "23.25".
std::string derived_text(double value);

// A counter's value, or a derived one's; nullopt where it is not known, or none has that name.
std::optional<double> find_figure(std::string_view name, const Counters& counters);

// As an object of numbers by name, for nlohmann's types of JSON. Names that no counter has are passed over:
// what another version of this program wrote stays readable.
template <class Json>
void to_json(Json& json, const Counters& counters) {
  json = Json::object();
  for (const auto& [name, value] : counters) json[std::string(name)] = value;
}
template <class Json>
void from_json(const Json& json, Counters& counters) {
  counters = {};
  for (const auto& [name, value] : json.template get_ref<const typename Json::object_t&>()) {
    const auto number = value.template get<std::uint64_t>();
    if (const auto counter = find_counter(name)) counters[*counter] = number;
  }
}

}  // namespace facts
