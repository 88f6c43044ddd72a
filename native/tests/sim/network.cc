#include "network.h"

#include <algorithm>
#include <cstring>

#include "recorder.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"

namespace uroce::sim {
namespace {

bool is_mapped(const Gid& gid) { return gid[10] == 0xff && gid[11] == 0xff; }

uint32_t begin(const Gid& src, const Gid& dst, uint16_t src_port, uint32_t len) {
  const auto udp = static_cast<uint16_t>(wire::Udp::kSize + len);
  return is_mapped(src) ? wire::icrc_begin_ipv4(&src[12], &dst[12], src_port, wire::kRocePort, udp)
                        : wire::icrc_begin_ipv6(src.data(), dst.data(), src_port, wire::kRocePort, udp);
}

}  // namespace

Gid node_address(int node, bool ipv6) {
  Gid gid{};
  if (ipv6) {
    gid[0] = 0xfd;
  } else {
    gid[10] = gid[11] = 0xff;
    gid[12] = 10;
  }
  gid[15] = static_cast<uint8_t>(node + 1);
  return gid;
}

void encode(const transport::TxPacket& p, Frame& f) {
  uint8_t* out = f.bytes.data();
  f.len = transport::udp_length(p);
  f.damaged = false;
  std::memcpy(out, p.header, p.header_len);
  uint32_t crc = begin(p.path->sgid, p.path->dgid, p.path->udp_source_port, f.len);
  crc = wire::icrc_headers(crc, p.header, p.header_len);
  out += p.header_len;
  for (uint32_t i = 0; i < p.iov_count; ++i) {
    crc = wire::crc_copy(crc, out, p.iov[i].base, p.iov[i].len);
    out += p.iov[i].len;
  }
  std::memset(out, 0, p.pad);
  crc = wire::crc_update(crc, out, p.pad);
  wire::icrc_store(out + p.pad, wire::icrc_end(crc));
}

bool icrc_right(const Frame& f, const Gid& src, const Gid& dst, uint16_t src_port) {
  if (f.len < wire::Bth::kSize + wire::kIcrcSize) return false;
  const uint32_t covered = f.len - wire::kIcrcSize;
  const uint32_t crc = wire::icrc_headers(begin(src, dst, src_port, f.len), f.bytes.data(), covered);
  return wire::icrc_end(crc) == wire::icrc_load(f.bytes.data() + covered);
}

uint32_t Network::allocate() {
  if (free_.empty()) {
    frames_.push_back(std::make_unique<Frame>());
    return static_cast<uint32_t>(frames_.size() - 1);
  }
  const uint32_t frame = free_.back();
  free_.pop_back();
  return frame;
}

void Network::schedule(uint64_t time, int direction, uint32_t frame) {
  if (chance(faults_[direction].reorder)) time += random_.below(static_cast<uint32_t>(8 * shape_.delay_ns));
  queue_.push({time, order_++, frame, direction});
  if (recorder_ != nullptr) recorder_->arrives(time, *frames_[frame]);
}

// Damage that CRC-32 certainly finds at these lengths: up to three bits, or a burst of up to 32. A cut is
// found except for one chance in 2^32. Byte 4 of the BTH is not covered, as routers may change it.
void Network::damage(Frame& f) {
  constexpr uint32_t kUncovered = 4;
  ++damaged_;
  if (random_.below(8) == 0) {
    f.len = random_.below(f.len);
    f.damaged = true;
    return;
  }
  const bool burst = random_.below(4) == 0;
  uint32_t at = random_.below(f.len - 4);
  uint32_t places[4], bits[4];
  const uint32_t count = burst ? 4 : 1 + random_.below(3);
  for (uint32_t i = 0; i < count; ++i) {
    places[i] = burst ? at + i : random_.below(f.len);
    bits[i] = burst ? 1 + random_.below(255) : 1u << random_.below(8);
    f.bytes[places[i]] ^= static_cast<uint8_t>(bits[i]);
  }
  // Two flips of the same bit cancel out.
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t flipped = 0;
    for (uint32_t k = 0; k < count; ++k) flipped ^= places[k] == places[i] ? bits[k] : 0;
    f.damaged |= flipped != 0 && places[i] != kUncovered;
  }
}

void Network::send(uint64_t now, int direction, const transport::TxPacket& packet, bool marked) {
  ++sent_;
  const Faults& faults = faults_[direction];
  uint64_t& free = link_free_[direction];
  free =
      std::max(free, now) + (transport::udp_length(packet) + kFraming) * uint64_t{shape_.ps_per_byte} / 1000;
  if (recorder_ != nullptr) recorder_->leaves(free, direction, packet);
  const bool kth = faults.drop_every != 0 && ++passed_[direction] % faults.drop_every == 0;
  if (kth || chance(faults.drop)) {
    ++dropped_;
    return;
  }
  if (chance(faults.delay)) free += random_.below(static_cast<uint32_t>(4 * shape_.delay_ns));
  const uint32_t frame = allocate();
  Frame& f = *frames_[frame];
  encode(packet, f);
  f.marked = marked;
  const uint64_t time = free + shape_.delay_ns;
  if (chance(faults.duplicate)) {
    ++duplicated_;
    const uint32_t copy = allocate();
    frames_[copy]->len = f.len;
    frames_[copy]->damaged = false;
    frames_[copy]->marked = marked;
    std::memcpy(frames_[copy]->bytes.data(), f.bytes.data(), f.len);
    schedule(time + random_.below(static_cast<uint32_t>(shape_.delay_ns)), direction, copy);
  }
  if (chance(faults.corrupt)) damage(f);
  schedule(time, direction, frame);
}

const Frame* Network::receive(uint64_t now, int* direction) {
  if (last_ != UINT32_MAX) {
    free_.push_back(last_);
    last_ = UINT32_MAX;
  }
  if (queue_.empty() || queue_.top().time > now) return nullptr;
  last_ = queue_.top().frame;
  *direction = queue_.top().direction;
  queue_.pop();
  return frames_[last_].get();
}

}  // namespace uroce::sim
