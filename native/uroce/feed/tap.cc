#include "uroce/feed/tap.h"

#include <algorithm>
#include <cstring>

namespace uroce::feed {

void Tap::passed(uint32_t packets) {
  seen_ += packets;
  records_.drop(packets);
}

void Tap::on_packet(const net::CapturedPacket& p) {
  const uint32_t whole = p.length();
  struct {
    PacketRecord record;
    uint8_t header[net::kMaxIpUdpHeader];
  } head;
  const uint32_t cap_len = seen_ < kWhole ? whole : std::min(whole, kSnap);
  head.record = {.t = p.time_ns > epoch_ ? p.time_ns - epoch_ : 0,
                 .seq = seen_++,
                 .orig_len = whole,
                 .cap_len = cap_len,
                 .direction = p.direction,
                 .flags = p.flags};
  const uint32_t header = std::min(p.header_length, cap_len);
  std::memcpy(head.header, p.header, header);
  records_.put(&head, sizeof head.record + header, p.payload, cap_len - header);
}

}  // namespace uroce::feed
