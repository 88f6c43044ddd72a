// The sockets and the rings of the device as one Link.
//
// Polling the sockets takes a system call, polling the rings does not. So while packets come through rings,
// the sockets are polled every kSocketsEvery ns; while packets come through them, too, each time.
#pragma once

#include <cstdint>

#include "uroce/net/shm/shm_link.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/udp_link.h"

namespace uroce::net {

class HostLink final : public Link {
 public:
  HostLink(UdpLink& sockets, ShmLink& rings) : sockets_(sockets), rings_(rings) {}

  SendResult send(const GsoBatch& batch) override;
  std::size_t send_all(std::span<const GsoBatch> batches) override;
  void flush() override { rings_.flush(); }
  uint32_t receive(DatagramHandler& handler, uint32_t max) override;
  // The next receive() polls the sockets, whenever the last one did.
  void poll_sockets_next() { sockets_due_ = 0; }

 private:
  void expect_answers();

  UdpLink& sockets_;
  ShmLink& rings_;
  uint64_t sockets_due_ = 0;  // ns: the sockets are due
  uint64_t busy_until_ = 0;   // ns: until then they are due each time
};

}  // namespace uroce::net
