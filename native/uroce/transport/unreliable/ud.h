// Unreliable datagram: SEND and SEND with immediate, one packet each, to any queue pair that an address
// handle and a Q_Key reach, or to a multicast group. Every receive buffer begins with 40 bytes of GRH (IBA
// 9.8.3, 11.4.1.2).
#pragma once

#include <functional>
#include <memory>

#include "uroce/transport/unreliable/unreliable.h"

namespace uroce::transport {

class Ud final : public Unreliable {
 public:
  Ud(Qp& qp, SendState& send, ReceiveState& recv);
  int check(const SendWr& wr) const override;
  int post(const SendWr& wr, uint64_t now) override;
  void on_packet(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                 uint32_t len) override;
  // Calls f(path) for the path of each WR in the queue.
  void for_each_path(const std::function<void(const Path&)>& f) const;

 private:
  // Destination of the WR in the same place of the send queue: a copy, so the address handle may be
  // destroyed before the WR is sent.
  struct Target {
    Path path;
    uint32_t qpn;
    uint32_t qkey;
  };
  Step send_one(uint64_t now, PacketSink& sink, SendWqe& wqe) override;
  Target& target(uint32_t index) { return targets_[index & mask_]; }

  std::unique_ptr<Target[]> targets_;
  uint32_t mask_;
};

}  // namespace uroce::transport
