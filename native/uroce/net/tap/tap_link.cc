#include "uroce/net/tap/tap_link.h"

#include "uroce/ext/uroce.h"
#include "uroce/net/host/address.h"

namespace uroce::net {

SendResult TapLink::send(const GsoBatch& batch) {
  const SendResult result = below_.send(batch);
  if (result == SendResult::busy) return result;
  if (!wanted()) {
    pass(batch.count);
    return result;
  }
  CapturedPacket captured;
  captured.time_ns = batch.time;
  captured.direction = UROCE_DIR_TX;
  captured.flags = batch.marks;
  IpUdp fields{.source = batch.flow->source,
               .destination = batch.flow->destination,
               .source_port = batch.flow->source_port,
               .destination_port = wire::kRocePort,
               .tos = batch.tos(),
               .ttl = batch.flow->hop_limit != 0 ? batch.flow->hop_limit : IpUdp{}.ttl};
  for (uint32_t i = 0; i < batch.count; ++i) {
    const uint32_t offset = i * batch.segment;
    fields.id = static_cast<uint16_t>(batch.counted ? i : 0);
    captured.payload = batch.data + offset;
    captured.payload_length = std::min(batch.segment, batch.length - offset);
    captured.header_length = write_ip_udp(fields, captured.payload_length, captured.header);
    show(captured);
  }
  return result;
}

uint32_t TapLink::receive_from(Link& link, DatagramHandler& handler, uint32_t max) {
  handler_ = &handler;
  return link.receive(*this, max);
}

void TapLink::on_datagram(const Datagram& d) {
  // An unsplit datagram has an unknown number of packets: at least one.
  if (!wanted()) {
    pass(d.segment != 0 ? (d.length + d.segment - 1) / d.segment : 1);
    handler_->on_datagram(d);
    return;
  }
  CapturedPacket captured;
  captured.time_ns = d.time;
  captured.direction = UROCE_DIR_RX;
  IpUdp fields{.source = *d.source,
               .destination = *d.destination,
               .source_port = d.source_port,
               .destination_port = wire::kRocePort,
               .tos = d.tos,
               .ttl = d.ttl};
  const auto all = [](const uint8_t*, uint32_t) { return true; };
  split_.each(d, icrc_, all, [&](const uint8_t* packet, uint32_t length, bool right) {
    captured.payload = packet;
    captured.payload_length = length;
    captured.flags = right ? 0 : UROCE_PKT_BAD_ICRC;
    fields.id = icrc_.id();
    captured.header_length = write_ip_udp(fields, length, captured.header);
    show(captured);
  });
  handler_->on_datagram(d);
}

}  // namespace uroce::net
