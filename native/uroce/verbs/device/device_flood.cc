// Flood protection of the device: see flood_policy.h and net/udp/sender_filter.h.
#include <array>

#include "uroce/net/udp/sender_filter.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs {

void Device::check_flood(uint64_t now) {
  if (udp_link_->filtering()) {
    if (flood_.lift(now)) udp_link_->remove_filter();
    return;
  }
  const uint64_t rejected = transport::rejected_packets(engine_->counters()) + roce_port_->foreign_ports() +
                            roce_port_->icrc_counters().too_short;
  // A tap shows rejected packets, so they have to arrive.
  if (!flood_.raise(now, rejected) || tap_link_) return;
  std::array<Gid, net::kMaxKnownSenders> peers;
  if (const auto count = engine_->peers(peers)) udp_link_->filter_senders({peers.data(), *count});
}

void Device::peers_changed() { udp_link_->remove_filter(); }

}  // namespace uroce::verbs
