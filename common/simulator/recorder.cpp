// SPDX-License-Identifier: MIT
#include "simulator/recorder.hpp"

#include <algorithm>

#include "simulator/machine.hpp"

namespace simulator {

constinit Recording recording;  // hooks are called before main()
constinit Progress progress;

namespace {

// The lane's event before this one; null where that has been passed on.
Row* event_before(const Row* row) {
  do row = row->previous;
  while (row->key != row_key::none && (row->skipped & recording.bit));
  return row->key == row_key::none ? nullptr : const_cast<Row*>(row);
}

// The running lane's last event up to `row` that is an access to the address, not further back than its last
// `blocks` basic blocks.
Row* last_access_to(std::uintptr_t address, unsigned blocks, Row* row) {
  for (; row && row->key != row_key::none; row = event_before(row)) {
    const std::uint64_t what = row->key & row_key::kind_bits;
    if (what == row_key::basic_block && blocks-- == 0) return nullptr;
    if (row_key::is_access(row->key) && row->operands->address[recording.lane] == address) return row;
  }
  return nullptr;
}

}  // namespace

void record_entry(std::uintptr_t site) {
  if (!recording.at()) return;
  if (++recording.depth <= row_key::deepest)
    recording.base -= row_key::one_call, recording.returns_base -= row_key::one_call;
  Machine::instance().entered(site);
}

void record_exit() {
  if (!recording.at() || recording.depth == 0) return;
  if (--recording.depth < row_key::deepest)
    recording.base += row_key::one_call, recording.returns_base += row_key::one_call;
}

void refuse_any_frame(std::uintptr_t address, std::uintptr_t site) {
  if (Machine::instance().running()) Machine::instance().refuse(address, AccessKind::store, site);
}

void record_result_used() {
  if (!recording.last_atomic) return;
  recording.last_atomic->access.kind = recording.last_atomic->kind_if_used;
  recording.last_atomic->access.overwrites &= ~recording.bit;
}

namespace {

// For a lane that is as far ahead as it may: its warp's rows are merged, and other lanes run, before it goes
// on.
void make_room() { Machine::instance().give_way(); }

// Marks the event just written, if it is a strong access and threads have fenced.
void synchronize_with_others(std::uintptr_t address, AccessKind kind, bool for_block) {
  const bool goes_on = Synchronisation::instance().strong_access(
      Machine::instance().current().number, address, kind != AccessKind::store, writes(kind), for_block);
  if (goes_on) recording.at()->access.goes_on |= recording.bit;
}

// Whether what a strong store or an exchange writes to the word follows from a strong load of it: both stand
// in one basic block.
bool follows_strong_load(std::uintptr_t address) {
  const Row* const before = last_access_to(address, 0, event_before(recording.at()));
  if (!before) return false;
  return before->access.kind == AccessKind::load ? before->access.strong
                                                 : (before->access.unchanged & recording.bit) != 0;
}

// A plain store, if it is one to a lock.
void open_lock(std::uintptr_t address) {
  const auto& words = recording.lock_words;
  if (std::find(words.begin(), words.end(), address) != words.end())
    Synchronisation::instance().strong_access(Machine::instance().current().number, address, false, true,
                                              false);
}

// The access just written is about to be made.
[[gnu::cold]] void record_value(Row& row, std::uintptr_t address, AccessKind kind) {
  if (kind == AccessKind::store) return;  // known as StoredValue
  Machine::instance().recorder().values_of(row).read[recording.lane] =
      value_at(address, row_key::bytes(row.key));
  if (is_atomic(kind)) recording.last_valued = &row;
}

// One of the arrays that were touched lately; null: none of them holds all of the access.
const Range* remembered_array(std::uintptr_t address, std::uintptr_t size, AccessKind kind) {
  if (kind == AccessKind::load && recording.read_only.contains(address, size)) return &recording.read_only;
  for (const Range* const array : {&recording.shared, &recording.global[0], &recording.global[1]}) {
    if (array->contains(address, size)) return array;
  }
  return nullptr;
}

// The running lane has just looked at memory there.
void note_look(Row& row) {
  row.looks |= recording.bit;
  Machine::instance().note_look(row.operands->address[recording.lane], row_key::bytes(row.key));
}

// The running lane's next event, in its row.
Row* append_event(std::uint64_t key) {
  if (recording.budget.left() == 0) make_room();
  recording.budget.number -= Budget::event;
  Row* row = recording.ahead;
  if (row->key != key) row = Machine::instance().recorder().find_or_insert(key);
  recording.ahead = row->next;
  return row;
}

}  // namespace

bool record_any_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site,
                       bool alone, unsigned marks) {
  if (!recording.at()) return false;
  if (recording.last_valued) Machine::instance().recorder().read_back_atomic();
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  const bool aligned = (address & (size - 1)) == 0;
  const Range* array = aligned ? remembered_array(address, size, kind) : nullptr;
  bool in_shared = array == &recording.shared, in_constant = false;
  if (!array) {
    if (simulator_own_stack.contains(address, size)) return false;
    const std::optional<Space> found = Machine::instance().locate(address, size, kind, site);
    if (!found) return false;
    in_shared = *found == Space::shared;
    in_constant = *found == Space::constant;
    if (aligned) array = remembered_array(address, size, kind);
  }
  // Kept here: while others run, other arrays are remembered.
  const Range holder = array ? *array : Range{};
  const Range within = array ? Range{array->begin, array->bytes - size + 1} : Range{};
  if (kind == AccessKind::load) {
    // Loads one right after the other stay together, as far as there is room.
    const bool follows_load =
        recording.at()->access.kind == AccessKind::load && row_key::is_access(recording.at()->key);
    const int left = recording.budget.left();
    if (left < kept_behind_load && (!follows_load || left < kept_behind_loads)) make_room();
  } else if (recording.done > 0) {
    Machine::instance().recorder().read_back_stores();
  }
  Row* const row = append_event(row_key::of_access(site, log2_size, kind));
  row->operands->address[recording.lane] = address;
  row->in_constant |= in_constant ? recording.bit : 0;
  const bool is_first = !(row->in_shared || row->in_other);
  row->access.array = is_first || row->access.array == holder ? holder : Range{};
  (in_shared ? row->in_shared : row->in_other) = true;
  row->within = within;
  if (recording.values) record_value(*row, address, kind);
  if (is_atomic(kind)) recording.last_atomic = row;
  if (is_atomic(kind) || marks) {
    row->access.strong = true;
    row->access.for_block |= (marks & block_scope) != 0;
    if (recording.synchronizing) synchronize_with_others(address, kind, (marks & block_scope) != 0);
    if (kind == AccessKind::store && follows_strong_load(address)) row->access.updates |= recording.bit;
    if (kind == AccessKind::load) note_look(*row);
  } else if (kind == AccessKind::store && recording.synchronizing) {
    open_lock(address);
  }
  if (kind != AccessKind::store) return true;
  row->operands->stored[recording.lane].known = false;
  if (!alone) return true;
  recording.unread_stores[recording.unread++] = row;
  recording.done = recording.unread;
  return true;
}

bool is_recorded_swap(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (simulator_own_stack.contains(address, size)) return false;
  const bool aligned = (address & (size - 1)) == 0;
  if (aligned && remembered_array(address, size, AccessKind::compare_and_swap)) return true;
  return Machine::instance().locate(address, size, AccessKind::compare_and_swap, site).has_value();
}

void record_basic_block(std::uintptr_t site) {
  if (recording.at()) append_event(row_key::of(site, row_key::basic_block));
}

void record_question(std::uintptr_t site) {
  if (recording.at()) append_event(row_key::of(site, row_key::question));
}

void record_step(std::uintptr_t site) {
  if (recording.at()) append_event(row_key::of(site, row_key::step));
}

void record_fence(const Fencing& fencing, std::uintptr_t site) {
  if (!recording.at()) return;
  append_event(row_key::of(site, row_key::fence));
  recording.synchronizing = 1;
  Synchronisation::instance().fence(Machine::instance().current().number, fencing);
}

void record_exchange(std::uintptr_t address) {
  if (recording.at() && recording.last_atomic && follows_strong_load(address))
    recording.last_atomic->access.updates |= recording.bit;
}

void record_lock(std::uintptr_t address) {
  if (recording.lock_words[recording.locks % recording.lock_words.size()] == address) return;
  recording.lock_words[++recording.locks % recording.lock_words.size()] = address;
}

void record_unchanged() {
  if (!recording.at() || !recording.last_atomic) return;
  recording.last_atomic->access.unchanged |= recording.bit;
  note_look(*recording.last_atomic);
}

void record_overwrite() {
  if (recording.at() && recording.last_atomic) recording.last_atomic->access.overwrites |= recording.bit;
}

std::uintptr_t word_of_last_atomic() {
  return has_changed_a_word() ? recording.last_atomic->operands->address[recording.lane] : 0;
}

bool has_changed_a_word() {
  return recording.at() && recording.last_atomic &&
         !(recording.last_atomic->access.unchanged & recording.bit);
}

void record_goal(const Goal& goal) {
  if (!recording.at() || !recording.last_atomic) return;
  std::memcpy(recording.last_atomic->operands->stored[recording.lane].bytes.data(), &goal, sizeof goal);
}

void record_equal_exchange() {
  if (recording.at() && recording.last_atomic) note_look(*recording.last_atomic);
}

bool Recorder::has_only_looked() const {
  const Row& last = *recording.at();
  for (const Row* row = event_before(&last); row; row = event_before(row)) {
    if (!row_key::is_access(row->key)) continue;
    if (!(row->looks & recording.bit)) return false;
    if (row->key == last.key)
      return row->operands->address[recording.lane] == last.operands->address[recording.lane];
  }
  return false;
}

void record_guess(std::uintptr_t address) {
  constexpr unsigned loop_heads = 4;
  Row* const before = last_access_to(address, loop_heads, recording.at());
  if (before && before->access.kind == AccessKind::load && !before->access.strong)
    before->access.guesses |= recording.bit;
}

Recorder::Recorder() { clear(); }

void Recorder::clear(bool is_recorded) {
  rows_.clear();
  operands_.clear();
  head_ = {
      .key = row_key::none, .next = is_recorded ? &head_ : &no_row, .follower = &no_row, .previous = &head_};
  course_ = {}, courses_ = {};
  pending_ = load_rows_ = 0, stored_ = false;
}

// A hook is called before the access itself. When the lane stores the next time, its stores so far have
// happened, and nobody else has run. (Before it loads the next time they need not have: g++ reports both
// sides of a copied type first.)
void Recorder::read_back_stores() {
  for (unsigned i = 0; i < recording.done; ++i) {
    Row& row = *recording.unread_stores[i];
    StoredValue& value = row.operands->stored[recording.lane];
    const auto* const address = reinterpret_cast<const void*>(row.operands->address[recording.lane]);
    if (const unsigned bytes = row_key::bytes(row.key); bytes == sizeof(std::uint32_t)) {
      std::memcpy(value.bytes.data(), address, sizeof(std::uint32_t));  // nearly always, in one instruction
    } else {
      std::memcpy(value.bytes.data(), address, bytes);
    }
    value.known = true;
    note_move(row);
  }
  const auto stores = recording.unread_stores.begin();
  std::copy(stores + recording.done, stores + recording.unread, stores);
  recording.unread -= recording.done;
  recording.done = 0;
}

// Nearly always it is one store, of a word.
void Recorder::read_back_all_stores() {
  const Row& row = *recording.unread_stores[0];
  if (recording.unread == 1 && recording.done == 1 && load_rows_ == 0 &&
      row_key::bytes(row.key) == sizeof(std::uint32_t)) {
    StoredValue& value = row.operands->stored[recording.lane];
    std::memcpy(value.bytes.data(), reinterpret_cast<const void*>(row.operands->address[recording.lane]),
                sizeof(std::uint32_t));
    value.known = true;
    last_move_ = {};
  } else {
    read_back_stores();
  }
  recording.unread = recording.done = 0;
}

// Whether the lane has loaded from the address before this event.
bool has_loaded(const Row* row, std::uintptr_t address) {
  while ((row = event_before(row))) {
    const bool loads = row_key::is_access(row->key) && row->access.kind == AccessKind::load;
    if (loads && row->operands->address[recording.lane] == address) return true;
  }
  return false;
}

// Stores that one after another leave in a word what was read from the next one's word, until the last one
// leaves what was read from the first: an exchange, or a rotation. That value is nowhere in memory any more.
void Recorder::note_move(Row& row) {
  if (load_rows_ == 0) {  // nothing has been read that could be moved
    last_move_ = {};
    return;
  }
  const std::uintptr_t to = row.operands->address[recording.lane];
  const unsigned bytes = row_key::bytes(row.key);
  std::uintptr_t from = 0;
  const Row* before = event_before(&row);
  for (; before; before = event_before(before)) {
    if (!row_key::is_access(before->key)) continue;
    if (before->access.kind != AccessKind::load) break;
    const std::uintptr_t address = before->operands->address[recording.lane];
    const bool is_moved = address != to && row_key::bytes(before->key) == bytes &&
                          std::memcmp(reinterpret_cast<const void*>(address),
                                      row.operands->stored[recording.lane].bytes.data(), bytes) == 0;
    if (is_moved && !from) from = address;
  }
  const bool goes_on = before && last_move_.row == before && last_move_.lane == recording.lane &&
                       last_move_.from == to && has_loaded(before, last_move_.first);
  if (!goes_on) {
    last_move_ = from ? Move{&row, recording.lane, from, to} : Move{};
    return;
  }
  last_move_.row->access.moves |= recording.bit;
  if (!from) row.access.moves |= recording.bit;
  last_move_ = from ? Move{&row, recording.lane, from, last_move_.first} : Move{};
}

// The atomic of the running lane has happened: this is what it left.
void Recorder::read_back_atomic() {
  const Row& row = *std::exchange(recording.last_valued, nullptr);
  values_of(row).written[recording.lane] =
      value_at(row.operands->address[recording.lane], row_key::bytes(row.key));
}

std::optional<std::uintptr_t> Recorder::last_access_of_running_lane() const {
  if (!recording.at()) return std::nullopt;
  for (const Row* row = recording.at(); row != &head_; row = row->previous) {
    if (!(row->skipped & recording.bit) && row_key::is_access(row->key))
      return recording.load_address + row_key::place(row->key);
  }
  return std::nullopt;
}

std::span<const LaneEvent> Recorder::log_of(unsigned lane) {
  log_.clear();
  bool goes_on = ((pending_ & ~head_.ending) >> lane & 1) != 0;
  for (const Row* row = head_.next; goes_on; row = row->next) {
    if (!(row->skipped >> lane & 1))
      log_.push_back({row->key, row_key::is_access(row->key) ? row->operands->address[lane] : 0});
    goes_on = !(row->ending >> lane & 1);
  }
  return log_;
}

}  // namespace simulator
