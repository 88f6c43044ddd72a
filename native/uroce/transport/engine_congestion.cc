// Congestion: a connected QP answers packets that a switch has marked (ECN) with notifications (CNPs). The device counts
// the CNPs that it gets, and sends no slower for them (no DCQCN).
#include <array>

#include "uroce/transport/engine.h"
#include "uroce/wire/cnp.h"

namespace uroce::transport {

// A datagram's sender is known to no QP: it gets none.
void Engine::on_congestion(uint64_t now, Qp* qp) {
  ++counters_.np_ecn_marked_roce_packets;
  if (qp == nullptr || qp->type() == QpType::ud || now < qp->next_cnp_) return;
  qp->next_cnp_ = now + config_.cnp_interval_ns;
  cnp_due_.push_back(qp);
}

// One that finds no room on its way is not sent: the next mark asks for another. True if the sink has no room.
bool Engine::transmit_cnps(PacketSink& sink) {
  constexpr std::array<uint8_t, wire::kCnpReserved> kReserved{};
  while (Qp* qp = cnp_due_.front()) {
    if (sink.room() == 0) return true;
    cnp_due_.remove(qp);
    if (room_to(*qp, sink) == 0) continue;
    const uint32_t dest_qpn = qp->attr_.dest_qp_num;
    uint8_t header[wire::Bth::kSize];
    wire::cnp_bth(dest_qpn).emit(header);
    const IoVec reserved{kReserved.data(), kReserved.size()};
    sink.emit({.path = &qp->attr_.av,
               .header = header,
               .iov = &reserved,
               .header_len = wire::Bth::kSize,
               .iov_count = 1,
               .payload_len = kReserved.size(),
               .pad = 0,
               .qpn = qp->qpn(),
               .dest_qpn = dest_qpn,
               .psn = 0,
               .opcode = wire::opcode::cnp});
    ++counters_.sent_pkts;
    ++counters_.np_cnp_sent;
  }
  return false;
}

}  // namespace uroce::transport
