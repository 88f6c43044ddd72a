#include "uroce/transport/gsi.h"

#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport {
namespace {

constexpr uint8_t kUdSendOnly = wire::service::kUd | wire::opcode::send_only;
constexpr uint32_t kMadHeader = wire::Bth::kSize + wire::Deth::kSize;

}  // namespace

std::optional<RxMad> Gsi::parse(const RxPacket& packet) {
  if (packet.len != kMadHeader + wire::kMadSize) return std::nullopt;
  const auto bth = wire::BthView::of(packet.data, packet.len);
  const auto deth = wire::DethView::of(packet.data + wire::Bth::kSize, packet.len - wire::Bth::kSize);
  if (!bth || !deth || bth->opcode() != kUdSendOnly || bth->pad() != 0 || !is_default_pkey(bth->pkey()) ||
      deth->qkey() != wire::kGsiQkey) {
    return std::nullopt;
  }
  return RxMad{packet.data + kMadHeader, packet.source, packet.destination};
}

void Gsi::post(const Path& path, const wire::MadBytes& mad) {
  if (queue_.size() == kMaxQueued) queue_.pop_front();
  queue_.push_back({path, mad});
}

bool Gsi::transmit(PacketSink& sink) {
  uint32_t room = 0;
  while (!queue_.empty()) {
    if (room == 0 && (room = sink.room()) == 0) return true;
    const Queued& next = queue_.front();
    wire::Bth bth;
    bth.opcode = kUdSendOnly;
    bth.pkey = kDefaultPkey;
    bth.dest_qpn = wire::kGsiQpn;
    bth.psn = psn_;
    uint8_t header[kMadHeader];
    bth.emit(header);
    wire::Deth{.qkey = wire::kGsiQkey, .src_qpn = wire::kGsiQpn}.emit(header + wire::Bth::kSize);
    const IoVec payload{next.mad.data(), wire::kMadSize};
    sink.emit({.path = &next.path,
               .header = header,
               .iov = &payload,
               .header_len = kMadHeader,
               .iov_count = 1,
               .payload_len = wire::kMadSize,
               .pad = 0,
               .qpn = wire::kGsiQpn,
               .dest_qpn = wire::kGsiQpn,
               .psn = psn_,
               .opcode = kUdSendOnly});
    psn_ = (psn_ + 1) & kPsnMask;
    queue_.pop_front();
    --room;
  }
  return false;
}

}  // namespace uroce::transport
