#include "uroce/net/tap/tap_ring.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace uroce::net {
namespace {

constexpr uint32_t kDefaultPackets = 65536;
constexpr uint64_t kDefaultBytes = 64u << 20;

std::size_t round_up(std::size_t n) { return (n + 7) & ~std::size_t{7}; }

}  // namespace

TapRing::TapRing(const uroce_tap_attr& attr)
    : capacity_(round_up(attr.max_bytes != 0 ? attr.max_bytes : kDefaultBytes)),
      max_packets_(attr.max_packets != 0 ? attr.max_packets : kDefaultPackets),
      snap_length_(attr.snap_len != 0 ? attr.snap_len : UINT32_MAX),
      keep_old_(attr.mode == UROCE_TAP_KEEP),
      buffer_(new uint64_t[capacity_ / 8]) {}

// Finds `size` bytes in a row at write_, dropping old records if that is wanted.
bool TapRing::make_room(std::size_t size) {
  if (size > capacity_) return false;
  for (;;) {
    if (places_.empty()) {
      write_ = 0;
      return true;
    }
    const std::size_t oldest = places_.front().offset;
    const bool wrapped = write_ <= oldest;
    if (places_.size() < max_packets_) {
      if (wrapped ? write_ + size <= oldest : write_ + size <= capacity_) return true;
      if (!wrapped && size <= oldest) {
        write_ = 0;
        return true;
      }
    }
    if (keep_old_) return false;
    places_.pop_front();
    ++dropped_;
  }
}

void TapRing::on_packet(const CapturedPacket& p) {
  uroce_tap_record record{};
  record.time_ns = p.time_ns;
  record.seq = seen_++;
  record.orig_len = p.length();
  record.cap_len = std::min(record.orig_len, snap_length_);
  record.direction = p.direction;
  record.flags = p.flags;
  const std::size_t size = round_up(sizeof record + record.cap_len);
  if (!make_room(size)) {
    ++dropped_;
    return;
  }
  auto* out = reinterpret_cast<uint8_t*>(buffer_.get()) + write_;
  std::memcpy(out, &record, sizeof record);
  const uint32_t header = std::min(p.header_length, record.cap_len);
  std::memcpy(out + sizeof record, p.header, header);
  std::memcpy(out + sizeof record + header, p.payload, record.cap_len - header);
  places_.push_back({write_, size});
  write_ += size;
}

int TapRing::read(void* buffer, std::size_t length, std::size_t* used) {
  *used = 0;
  while (!places_.empty()) {
    const Place& place = places_.front();
    if (place.size > length - *used) return *used == 0 ? ENOSPC : 0;
    std::memcpy(static_cast<uint8_t*>(buffer) + *used,
                reinterpret_cast<uint8_t*>(buffer_.get()) + place.offset, place.size);
    *used += place.size;
    places_.pop_front();
  }
  return 0;
}

}  // namespace uroce::net
