#include "uroce/net/port/receiver_room.h"

#include <algorithm>

#include "uroce/net/udp/udp_socket.h"

namespace uroce::net {
namespace {

// The kernel's charge for a small datagram beyond its bytes, halved like all charges.
constexpr uint32_t kSlack = 400;
constexpr uint64_t kStoppedAfter = 500'000'000;  // ns: a buffer as full as before has lost its owner
constexpr uint64_t kRefill = 250'000;            // ns

}  // namespace

ReceiverRoom::Receiver& ReceiverRoom::receiver(const Flow& flow, uint32_t slot) {
  const Key key{&flow, slot};
  if (last_receiver_ == nullptr || !(last_ == key)) {
    last_ = key;
    last_receiver_ = &receivers_[key];
  }
  return *last_receiver_;
}

void ReceiverRoom::forget() {
  receivers_.clear();
  last_receiver_ = nullptr;
}

bool ReceiverRoom::reserve(const Flow& flow, uint32_t slot, uint32_t bytes) {
  Receiver& r = receiver(flow, slot);
  if (r.left < bytes + kSlack) return false;
  r.left -= bytes + kSlack;
  return true;
}

void ReceiverRoom::measure(Receiver& r, uint64_t now) {
  const auto info = socket_memory(r.socket);
  const uint32_t fill = info[SK_MEMINFO_RMEM_ALLOC];
  const uint32_t limit = info[SK_MEMINFO_RCVBUF] / 2;
  if (fill != r.fill || r.since == 0) r.since = now;
  r.fill = fill;
  // A datagram is charged up to twice its size.
  r.left = fill < limit ? (limit - fill) / 2 : 0;
}

void ReceiverRoom::refill(Receiver& r, uint64_t now) const {
  const uint64_t passed = r.at == 0 ? kRefill : std::min(now - r.at, kRefill);
  r.left = std::min(r.left + buffer_ * passed / kRefill, buffer_);
  r.at = now;
}

bool ReceiverRoom::reserve_after_measure(const Flow& flow, uint32_t slot, uint32_t bytes, uint64_t now) {
  // Threads' clocks differ by a little, and a time before `since` would look like a huge age.
  now_ = now = std::max(now, now_);
  Receiver& r = receiver(flow, slot);
  if (r.socket < 0) r.socket = find_(flow.destination, slot);
  if (r.socket < 0) {
    refill(r, now);
  } else {
    measure(r, now);
    // A packet of any size has room: the buffer is empty.
    if (r.fill == 0) r.left = std::max<uint64_t>(r.left, bytes + kSlack);
    // The owner is gone; let the kernel drop what arrives.
    if (r.left < bytes + kSlack && now - r.since >= kStoppedAfter) return true;
  }
  return reserve(flow, slot, bytes);
}

}  // namespace uroce::net
