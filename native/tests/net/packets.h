// Helpers for tests of the port: a link without a network, and packets to send over it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "uroce/net/host/address.h"
#include "uroce/net/port/port.h"
#include "uroce/net/udp/ip_headers.h"
#include "uroce/net/udp/link.h"
#include "uroce/net/udp/udp_socket.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/opcode.h"

namespace uroce::net::test {

inline constexpr UdpFeatures kPlain{};
inline constexpr UdpFeatures kModern{.gso = true, .gro = true, .max_segments = 128};

inline Gid ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d};
}
inline Gid ipv6(uint8_t last) { return {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last}; }

inline Flow make_flow(const Gid& source, const Gid& destination) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.source_port = wire::kRocePort;
  flow.ipv4 = is_ipv4(source);
  return flow;
}

// A packet with `payload` bytes that count upwards from its PSN; lives as long as the object.
class TestPacket {
 public:
  TestPacket(const Flow& flow, uint32_t dest_qpn, uint32_t psn, uint32_t payload, uint8_t opcode = 0x0a) {
    path_.cookie = reinterpret_cast<uintptr_t>(&flow);
    for (uint32_t i = 0; i < payload; ++i) payload_.push_back(static_cast<uint8_t>(psn + i));
    wire::Bth bth;
    bth.opcode = opcode;
    bth.pad = static_cast<uint8_t>(-payload & 3);
    bth.dest_qpn = dest_qpn;
    bth.psn = psn;
    bth.emit(header_.data());
    iov_ = {payload_.data(), payload};
    packet_ = {&path_, header_.data(), &iov_, wire::Bth::kSize, 1, payload, -payload & 3, 0x77, dest_qpn,
               psn,    opcode};
  }
  TestPacket(const TestPacket&) = delete;
  TestPacket& operator=(const TestPacket&) = delete;
  const transport::TxPacket& operator*() const { return packet_; }

 private:
  Path path_;
  std::array<uint8_t, wire::Bth::kSize> header_;
  std::vector<uint8_t> payload_;
  transport::IoVec iov_;
  transport::TxPacket packet_;
};

// An ACK to that queue pair; lives as long as the object.
class AckPacket {
 public:
  AckPacket(const Flow& flow, uint32_t dest_qpn, uint32_t psn) {
    path_.cookie = reinterpret_cast<uintptr_t>(&flow);
    wire::Bth bth;
    bth.opcode = wire::opcode::acknowledge;
    bth.dest_qpn = dest_qpn;
    bth.psn = psn;
    bth.emit(header_.data());
    wire::Aeth{}.emit(header_.data() + wire::Bth::kSize);
    packet_.path = &path_;
    packet_.header = header_.data();
    packet_.header_len = static_cast<uint32_t>(header_.size());
    packet_.dest_qpn = dest_qpn;
    packet_.psn = psn;
    packet_.opcode = wire::opcode::acknowledge;
  }
  AckPacket(const AckPacket&) = delete;
  AckPacket& operator=(const AckPacket&) = delete;
  const transport::TxPacket& operator*() const { return packet_; }

 private:
  Path path_;
  std::array<uint8_t, wire::Bth::kSize + wire::Aeth::kSize> header_;
  transport::TxPacket packet_{};
};

// Records batches; refuses them while told so; hands over datagrams that a test made.
class FakeLink final : public Link {
 public:
  struct Sent {
    const Flow* flow;
    std::vector<uint8_t> data;
    uint32_t segment, count;
    uint8_t marks;
    bool counted;

    std::vector<uint8_t> packet(uint32_t i) const {
      const uint32_t offset = i * segment;
      const auto length = std::min<std::size_t>(segment, data.size() - offset);
      return {data.begin() + offset, data.begin() + offset + static_cast<std::ptrdiff_t>(length)};
    }
    uint32_t psn(uint32_t i) const { return wire::Bth::parse(packet(i).data(), wire::Bth::kSize)->psn; }
  };

  SendResult send(const GsoBatch& batch) override {
    if (busy || sent.size() >= capacity) return SendResult::busy;
    sent.push_back({batch.flow,
                    {batch.data, batch.data + batch.length},
                    batch.segment,
                    batch.count,
                    batch.marks,
                    batch.counted});
    return SendResult::sent;
  }
  uint32_t receive(DatagramHandler& handler, uint32_t max) override {
    uint32_t n = 0;
    for (; n < max && !incoming.empty(); ++n) {
      auto& [bytes, segment] = incoming.front();
      handler.on_datagram({.data = bytes.data(),
                           .length = static_cast<uint32_t>(bytes.size()),
                           .segment = segment,
                           .source = &source,
                           .destination = &destination,
                           .source_port = source_port,
                           .same_host = same_host});
      incoming.pop_front();
    }
    return n;
  }

  bool busy = false;
  std::size_t capacity = SIZE_MAX;  // batches that it takes
  std::vector<Sent> sent;
  std::deque<std::pair<std::vector<uint8_t>, uint32_t>> incoming;
  Gid source = ipv4(10, 0, 0, 1), destination = ipv4(10, 0, 0, 2);
  uint16_t source_port = wire::kRocePort;
  bool same_host = false;
};

// The ICRC on the wire, and the one that the packet should have with IPv4 identification `id`.
inline uint32_t icrc_on_wire(const std::vector<uint8_t>& p) { return wire::icrc_load(&p[p.size() - 4]); }
inline uint32_t icrc_wanted(const Flow& flow, const std::vector<uint8_t>& p, uint16_t id) {
  std::vector<uint8_t> ip(kMaxIpUdpHeader);
  const IpUdp fields{.source = flow.source,
                     .destination = flow.destination,
                     .source_port = flow.source_port,
                     .destination_port = wire::kRocePort,
                     .id = id};
  ip.resize(write_ip_udp(fields, static_cast<uint32_t>(p.size()), ip.data()));
  ip.insert(ip.end(), p.begin(), p.end() - 4);
  return *wire::icrc_of_packet(ip.data(), ip.size());
}

// A packet with a right ICRC for that identification, as a datagram's bytes. selective: of an end that uses selective repeat.
inline std::vector<uint8_t> wire_packet(const Flow& flow, uint32_t psn, uint32_t payload, uint16_t id,
                                        bool selective = false) {
  const TestPacket p(flow, 0x1002, psn, payload);
  std::vector<uint8_t> bytes((*p).header, (*p).header + (*p).header_len);
  if (selective) bytes[8] |= 0x40;
  bytes.insert(bytes.end(), (*p).iov[0].base, (*p).iov[0].base + payload);
  bytes.resize(bytes.size() + (*p).pad + 4);
  wire::icrc_store(&bytes[bytes.size() - 4], icrc_wanted(flow, bytes, id));
  return bytes;
}

class Collector final : public PacketHandler {
 public:
  bool wants(const transport::RxPacket& p) override {
    ++asked;
    if (only_short && p.len > wire::Bth::kSize) return false;
    return wire::Bth::parse(p.data, p.len)->dest_qpn != unwanted_qpn;
  }
  void on_packet(const transport::RxPacket& p) override {
    psns.push_back(wire::Bth::parse(p.data, p.len)->psn);
    lengths.push_back(p.len);
  }
  uint32_t unwanted_qpn = 0xffffff;
  bool only_short = false;
  uint32_t asked = 0;
  std::vector<uint32_t> psns, lengths;
};

}  // namespace uroce::net::test
