#include "uroce/transport/policy/reorder.h"

#include <cstring>
#include <utility>

namespace uroce::transport {
namespace {

constexpr uint16_t kNone = HeldPackets::kNone;

}  // namespace

void ReorderPool::open(uint32_t packets, uint32_t bytes) {
  slots_.resize(packets);
  bytes_ = bytes;
  memory_ = std::make_unique_for_overwrite<uint8_t[]>(std::size_t{packets} * bytes);
  for (uint32_t i = packets; i-- != 0;) slots_[i].next = std::exchange(free_, static_cast<uint16_t>(i));
}

// Packets mostly come in order behind the gap, so a new one is usually the last.
ReorderPool::Result ReorderPool::hold(HeldPackets& list, uint64_t psn, std::span<const uint8_t> bytes,
                                      uint32_t len) {
  uint16_t before = list.last;
  if (before != kNone && slots_[before].psn >= psn) {
    before = kNone;
    for (uint16_t i = list.first; slots_[i].psn <= psn; i = slots_[i].next) {
      if (slots_[i].psn == psn) return Result::there;
      before = i;
    }
  }
  if (free_ == kNone || bytes.size() > bytes_) return Result::full;
  const uint16_t place = std::exchange(free_, slots_[free_].next);
  uint16_t& link = before == kNone ? list.first : slots_[before].next;
  slots_[place] = {psn, static_cast<uint32_t>(bytes.size()), len, std::exchange(link, place)};
  if (slots_[place].next == kNone) list.last = place;
  std::memcpy(&memory_[std::size_t{place} * bytes_], bytes.data(), bytes.size());
  ++held_;
  return Result::kept;
}

uint16_t ReorderPool::detach_first(HeldPackets& list) {
  const uint16_t place = list.first;
  list.first = slots_[place].next;
  if (list.first == kNone) list.last = kNone;
  return place;
}

uint16_t ReorderPool::take(HeldPackets& list, uint64_t psn) {
  while (!list.empty() && slots_[list.first].psn < psn) give_back(detach_first(list));
  return list.empty() || slots_[list.first].psn != psn ? kNone : detach_first(list);
}

void ReorderPool::give_back(uint16_t place) {
  slots_[place].next = std::exchange(free_, place);
  --held_;
}

void ReorderPool::release(HeldPackets& list) {
  while (!list.empty()) give_back(detach_first(list));
}

Arrived ReorderPool::arrived(const HeldPackets& list, uint64_t expected) const {
  Arrived arrived;
  for (uint16_t i = list.first; i != kNone; i = slots_[i].next) {
    const uint64_t ahead = slots_[i].psn - expected - 1;
    if (ahead < Arrived::kReach) arrived.set(static_cast<uint32_t>(ahead));
  }
  return arrived;
}

}  // namespace uroce::transport
