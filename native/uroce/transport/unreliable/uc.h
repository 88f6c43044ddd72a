// Unreliable connection: SEND and WRITE, with and without immediate data. A message whose packets do not come
// one after the other is dropped, up to the First or Only of the next one (IBA 9.8.2).
#pragma once

#include "uroce/transport/unreliable/unreliable.h"

namespace uroce::transport {

class Uc final : public Unreliable {
 public:
  using Unreliable::Unreliable;
  int check(const SendWr& wr) const override;
  int post(const SendWr& wr, uint64_t now) override;
  void on_packet(uint64_t now, const RxPacket& packet, const wire::BthView& bth, const uint8_t* body,
                 uint32_t len) override;

 private:
  Step send_one(uint64_t now, PacketSink& sink, SendWqe& wqe) override;
};

}  // namespace uroce::transport
