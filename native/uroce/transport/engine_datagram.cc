// Dispatch of datagrams: by queue pair number, or to every queue pair of a multicast group.
#include <cerrno>

#include "uroce/transport/engine.h"

namespace uroce {

int Engine::attach_mcast(Qp& qp, const Gid& group) {
  if (qp.type() != QpType::ud || !is_multicast(group)) return EINVAL;
  return mcast_.attach(group, qp);
}

int Engine::detach_mcast(Qp& qp, const Gid& group) { return mcast_.detach(group, qp); }

void Engine::on_datagram(uint64_t now, const RxPacket& packet, const wire::BthView& bth, uint32_t len) {
  if ((bth.pkey() & 0x7fff) != (kDefaultPkey & 0x7fff)) {
    ++counters_.wrong_address_pkts;
    return;
  }
  if (packet.congested()) ++counters_.np_ecn_marked_roce_packets;
  if (bth.dest_qpn() == kMulticastQpn) return on_multicast(now, packet, bth, len);
  Qp* qp = find_qp(bth.dest_qpn());
  if (qp == nullptr || !qp->can_receive()) {
    ++counters_.unknown_qp_pkts;
  } else if (qp->type() != QpType::ud) {
    ++counters_.wrong_transport_pkts;
  } else if (is_multicast(*packet.destination)) {
    ++counters_.wrong_address_pkts;
  } else {
    qp->unreliable_->on_packet(now, packet, bth, packet.data + wire::Bth::kSize, len);
  }
}

void Engine::on_multicast(uint64_t now, const RxPacket& packet, const wire::BthView& bth, uint32_t len) {
  const std::vector<Qp*>* attached = mcast_.find(*packet.destination);
  if (attached == nullptr) {
    ++counters_.unknown_qp_pkts;
    return;
  }
  for (Qp* qp : *attached) {
    if (!qp->can_receive()) continue;
    ++counters_.mcast_pkts;
    qp->unreliable_->on_packet(now, packet, bth, packet.data + wire::Bth::kSize, len);
  }
}

}  // namespace uroce
