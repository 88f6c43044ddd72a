// Datagrams: multicast to every queue pair of a group, and the paths that others wait to take.
#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/unreliable/ud.h"

namespace uroce::transport {

int Engine::attach_mcast(Qp& qp, const Gid& group) {
  if (qp.type() != QpType::ud) return refuse(EINVAL, Cause::mcast_qp, static_cast<uint64_t>(qp.type()));
  if (!is_multicast(group)) return refuse(EINVAL, Cause::mcast_gid);
  return mcast_.attach(group, qp);
}

void Engine::for_each_datagram_path(const std::function<void(const Path&)>& f) const {
  gsi_.for_each_path(f);
  for (const auto& qp : qps_) {
    if (qp && qp->type() == QpType::ud) static_cast<const Ud&>(*qp->unreliable_).for_each_path(f);
  }
}

int Engine::detach_mcast(Qp& qp, const Gid& group) { return mcast_.detach(group, qp); }

void Engine::on_multicast(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                          uint32_t len) {
  const std::vector<Qp*>* attached = mcast_.find(*packet.destination);
  if (attached == nullptr) return;
  for (Qp* qp : *attached) {
    if (!qp->can_receive()) continue;
    ++counters_.mcast_pkts;
    qp->unreliable_->on_packet(now, packet, bth, body, len);
  }
}

}  // namespace uroce::transport
