#include "uroce/net/port/host_link.h"

#include <algorithm>

#include "uroce/net/host/clock.h"

namespace uroce::net {
namespace {

constexpr uint64_t kSocketsEvery = 100'000;  // ns
constexpr uint64_t kBusy = 1'000'000;        // ns after a packet through the sockets
constexpr uint32_t kDatagram = 65'536;       // bytes that count as one datagram of receive()

}  // namespace

SendResult HostLink::send(const GsoBatch& batch) {
  if (batch.channel == nullptr) {
    expect_answers();
    return sockets_.send(batch);
  }
  if ((batch.marks & packet_mark::dropped) == 0) {
    rings_.publish(*batch.channel, batch.length, *batch.flow, batch.tos());
  }
  return SendResult::sent;
}

std::size_t HostLink::send_all(std::span<const GsoBatch> batches) {
  expect_answers();
  return sockets_.send_all(batches);
}

// Through the sockets.
void HostLink::expect_answers() {
  busy_until_ = now_ns() + kBusy;
  poll_sockets_next();
}

uint32_t HostLink::receive(DatagramHandler& handler, uint32_t max) {
  if (!rings_.has_rings()) return sockets_.receive(handler, max);
  uint32_t packets = 0;
  const bool more = rings_.receive(handler, max * kDatagram, &packets);
  uint32_t datagrams = 0;
  const uint64_t now = now_ns();
  if (now >= sockets_due_) {
    datagrams = sockets_.receive(handler, max);
    if (datagrams != 0) busy_until_ = now + kBusy;
    sockets_due_ = now < busy_until_ ? 0 : now + kSocketsEvery;
  }
  if (more) return std::max(max, datagrams);
  // Fewer than max: nothing is waiting.
  return std::max(datagrams, packets != 0 && max > 1 ? 1u : 0u);
}

}  // namespace uroce::net
