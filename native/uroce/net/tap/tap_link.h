// A wrapper around a Link that shows every packet to its consumers. In the path only while there is a
// consumer; batches and datagrams must be stamped then.
#pragma once

#include <algorithm>
#include <vector>

#include "uroce/net/port/icrc_check.h"
#include "uroce/net/port/packet_split.h"
#include "uroce/net/tap/capture.h"
#include "uroce/net/udp/link.h"

namespace uroce::net {

class TapLink final : public Link, private DatagramHandler {
 public:
  explicit TapLink(Link& below) : below_(below) {}

  void add(PacketConsumer* consumer) { consumers_.push_back(consumer); }
  void remove(PacketConsumer* consumer) { std::erase(consumers_, consumer); }
  bool empty() const { return consumers_.empty(); }

  SendResult send(const GsoBatch& batch) override;
  void flush() override { below_.flush(); }
  uint32_t receive(DatagramHandler& handler, uint32_t max) override {
    return receive_from(below_, handler, max);
  }
  // Receives from another link, for the same consumers.
  uint32_t receive_from(Link& link, DatagramHandler& handler, uint32_t max);

 private:
  void on_datagram(const Datagram& datagram) override;
  // True if a consumer wants packets. Splitting datagrams is expensive and is skipped otherwise.
  bool wanted() const {
    return std::any_of(consumers_.begin(), consumers_.end(), [](const auto* c) { return c->wants(); });
  }
  void pass(uint32_t packets) {
    for (PacketConsumer* consumer : consumers_) consumer->passed(packets);
  }
  void show(const CapturedPacket& packet) {
    for (PacketConsumer* consumer : consumers_) consumer->on_packet(packet);
  }

  Link& below_;
  std::vector<PacketConsumer*> consumers_;
  DatagramHandler* handler_ = nullptr;
  // A second ICRC check, for the identification with which the sender computed the ICRC.
  IcrcCheck icrc_;
  PacketSplit split_;
};

}  // namespace uroce::net
