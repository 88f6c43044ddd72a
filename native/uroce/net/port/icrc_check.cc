#include "uroce/net/port/icrc_check.h"

#include <algorithm>
#include <cstring>

#include "uroce/net/host/address.h"
#include "uroce/net/port/icrc_check.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"

namespace uroce::net {
namespace {

constexpr uint16_t kPredictable = 512;  // packets a foreign sender may have sent to others in between
constexpr std::size_t kMaxSenders = 64;

}  // namespace

void IcrcCheck::begin(const Datagram& d) {
  // Most datagrams come from where the last one came from: the headers' CRC is then still good.
  if (!same_gid(source_, *d.source) || !same_gid(destination_, *d.destination) ||
      source_port_ != d.source_port) {
    source_ = *d.source;
    destination_ = *d.destination;
    source_port_ = d.source_port;
    ipv4_ = is_ipv4(source_);
    states_.forget();
    sender_ = nullptr;
  }
  same_host_ = d.same_host;
  if (ipv4_ && !same_host_ && sender_ == nullptr) sender_ = find_sender();
}

IcrcCheck::Sender* IcrcCheck::find_sender() {
  const auto it =
      std::find_if(senders_.begin(), senders_.end(), [&](const Sender& s) { return s.gid == source_; });
  return it == senders_.end() ? nullptr : &*it;
}

bool IcrcCheck::accept(uint16_t id, uint32_t index) {
  id_ = id;
  if (sender_ == nullptr && id < kSegmentIds) {
    counters_.other_place += id != index;
    return true;
  }
  if (same_host_) return false;
  if (sender_ != nullptr && static_cast<uint16_t>(id - sender_->next_id) < kPredictable) {
    ++counters_.foreign;
  } else if (sender_ != nullptr && id == index) {
    // Numbered as we do, after all: a damaged packet had made it look foreign.
    senders_.erase(senders_.begin() + (sender_ - senders_.data()));
    sender_ = nullptr;
    return true;
  } else {
    ++counters_.foreign_jumps;
  }
  if (sender_ == nullptr) {
    senders_.reserve(kMaxSenders);
    if (senders_.size() == kMaxSenders) senders_.erase(senders_.begin());
    senders_.push_back({source_, 0});
    sender_ = &senders_.back();
  }
  sender_->next_id = static_cast<uint16_t>(id + 1);
  return true;
}

// ICRC on the wire XOR the one computed with that identification.
uint32_t IcrcCheck::difference(uint8_t* packet, uint32_t length, uint16_t id) {
  uint32_t state = states_.of(source_, destination_, source_port_, length);
  if (id != 0) state ^= id < kSegmentIds ? kIdDifference[id] : wire::icrc_id_difference(id);
  state = wire::icrc_in_place(state, packet, length - wire::kIcrcSize);
  return wire::icrc_end(state) ^ wire::icrc_load(packet + length - wire::kIcrcSize);
}

bool IcrcCheck::matches(uint8_t* packet, uint32_t length) {
  return length >= kMinPacket && difference(packet, length, 0) == 0;
}

uint16_t IcrcCheck::guess(uint32_t index) const {
  return static_cast<uint16_t>(!ipv4_ ? 0 : sender_ != nullptr ? sender_->next_id : index);
}

uint32_t IcrcCheck::as_guessed(uint8_t* packet, uint32_t length, uint16_t id) {
  const uint32_t wrong = difference(packet, length, id);
  if (wrong != 0) return wrong;
  id_ = id;
  if (sender_ != nullptr) {
    ++counters_.foreign;
    sender_->next_id = static_cast<uint16_t>(id + 1);
  }
  return 0;
}

bool IcrcCheck::check(uint8_t* packet, uint32_t length, uint32_t index) {
  if (length < kMinPacket) {
    ++counters_.too_short;
    return false;
  }
  const uint16_t guessed = guess(index);
  const uint32_t wrong = as_guessed(packet, length, guessed);
  if (wrong == 0) return true;
  if (ipv4_) {
    const auto change = wire::explain_ip_id(wrong, static_cast<uint16_t>(wire::Udp::kSize + length));
    if (change && accept(static_cast<uint16_t>(guessed ^ *change), index)) return true;
  }
  ++counters_.bad;
  id_ = guessed;
  return false;
}

}  // namespace uroce::net
