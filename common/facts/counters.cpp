// SPDX-License-Identifier: MIT
#include "facts/counters.hpp"

#include <bit>
#include <cstdio>
#include <stdexcept>

namespace facts {

namespace {

constexpr auto alphabetical = [] {
  std::array<Counter, counter_table.size()> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Counter>(i);
  std::sort(order.begin(), order.end(), [](Counter a, Counter b) { return name_of(a) < name_of(b); });
  return order;
}();

Counter counter_named(std::string_view name) {
  if (const auto counter = find_counter(name)) return *counter;
  throw std::out_of_range("no such counter: " + std::string(name));
}

}  // namespace

std::optional<Counter> find_counter(std::string_view name) {
  for (const CounterRow& row : counter_table) {
    if (row.quantity.name == name) return row.counter;
  }
  return std::nullopt;
}

Counters::Counters(std::initializer_list<std::pair<std::string_view, std::uint64_t>> values) {
  for (const auto& [name, value] : values) (*this)[counter_named(name)] = value;
}

Counters& Counters::operator+=(const Counters& other) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += other.values_[i];
  known_ |= other.known_;
  return *this;
}

std::uint64_t Counters::value(std::string_view name) const { return find(name).value_or(0); }

std::optional<std::uint64_t> Counters::find(Counter counter) const {
  return known_ & bit(counter) ? std::optional(value(counter)) : std::nullopt;
}

std::optional<std::uint64_t> Counters::find(std::string_view name) const {
  const auto counter = find_counter(name);
  return counter ? find(*counter) : std::nullopt;
}

std::uint64_t Counters::at(std::string_view name) const {
  if (const auto known = find(name)) return *known;
  throw std::out_of_range("not counted: " + std::string(name));
}

std::size_t Counters::size() const { return static_cast<std::size_t>(std::popcount(known_)); }

Counters::Iterator::value_type Counters::Iterator::operator*() const {
  return {name_of(alphabetical[at_]), counters_->value(alphabetical[at_])};
}

Counters::Iterator& Counters::Iterator::operator++() {
  ++at_;
  pass_unknown();
  return *this;
}

void Counters::Iterator::pass_unknown() {
  while (at_ < alphabetical.size() && !(counters_->known_ & bit(alphabetical[at_]))) ++at_;
}

std::optional<double> derived(const DerivedCounter& which, const Counters& counters) {
  const auto of = counters.find(which.of), over = counters.find(which.over);
  if (!of || over.value_or(0) == 0) return std::nullopt;
  return static_cast<double>(*of) / static_cast<double>(*over);
}

std::string derived_text(double value) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.2f", value);
  return {text, static_cast<std::size_t>(length)};
}

std::map<std::string, double> derived(const Counters& counters) {
  std::map<std::string, double> values;
  for (const DerivedCounter& which : derived_table) {
    if (const auto value = derived(which, counters)) values.emplace(which.name, *value);
  }
  return values;
}

std::optional<double> find_figure(std::string_view name, const Counters& counters) {
  for (const DerivedCounter& which : derived_table) {
    if (which.name == name) return derived(which, counters);
  }
  const auto value = counters.find(name);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

}  // namespace facts
