#include "uroce/net/tap/tap_link.h"

#include "uroce/ext/uroce.h"
#include "uroce/net/host/address.h"

namespace uroce {

SendResult TapLink::send(const Run& run) {
  const SendResult result = below_.send(run);
  if (result == SendResult::busy) return result;
  if (!wanted()) {
    pass(run.count);
    return result;
  }
  CapturedPacket captured;
  captured.time_ns = run.time;
  captured.direction = UROCE_DIR_TX;
  captured.flags = run.marks;
  IpUdp fields{.source = run.flow->source,
               .destination = run.flow->destination,
               .source_port = run.flow->source_port,
               .destination_port = kRocePort,
               .tos = run.flow->traffic_class,
               .ttl = run.flow->hop_limit != 0 ? run.flow->hop_limit : IpUdp{}.ttl};
  for (uint32_t i = 0; i < run.count; ++i) {
    const uint32_t offset = i * run.segment;
    fields.id = static_cast<uint16_t>(run.counted ? i : 0);
    captured.payload = run.data + offset;
    captured.payload_length = std::min(run.segment, run.length - offset);
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
  // How many packets an unsplit datagram has is not known without taking it apart: at least one.
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
               .destination_port = kRocePort,
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

}  // namespace uroce
