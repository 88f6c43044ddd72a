// What the hosts of a fabric put on their links, packet by packet; and links that lose the packets that a rule names.
#pragma once

#include <functional>
#include <vector>

#include "sim/fabric/fabric.h"

namespace vlsim {

// Acknowledgments, and READ responses but those in the middle.
inline bool has_aeth(uint8_t opcode) {
  return opcode == 0x11 || opcode == 0x0d || opcode == 0x0f || opcode == 0x10;
}

inline uint32_t psn_of(const uint8_t* bth) {
  return uint32_t{bth[9]} << 16 | uint32_t{bth[10]} << 8 | bth[11];
}

struct SentPacket {
  Time at;  // when it begins to leave
  uint32_t host;
  PacketKind kind;
  uint8_t opcode;    // BTH
  uint8_t syndrome;  // AETH; 0: it has none
  uint32_t psn;
  uint32_t bytes;

  bool operator==(const SentPacket&) const = default;
  bool is_nak() const { return kind == PacketKind::ack && (syndrome & 0x60) == 0x60; }
  bool is_rnr_nak() const { return kind == PacketKind::ack && (syndrome & 0x60) == 0x20; }
};

class PacketLog final : public PacketTap {
 public:
  using Rule = std::function<bool(const SentPacket&)>;
  // The rule says which packets are lost. With one, the links of hosts must not go down for another reason.
  explicit PacketLog(Fabric& fabric, Rule loses = {}) : fabric_(fabric), loses_(std::move(loses)) {
    fabric.set_tap(this);
  }
  ~PacketLog() { fabric_.set_tap(nullptr); }
  PacketLog(const PacketLog&) = delete;
  PacketLog& operator=(const PacketLog&) = delete;

  void sent(const Port& by, const Packet& p, const uint8_t*, Time now) override {
    const bool answers = p.header_length >= 16 && has_aeth(p.header[0]);
    all.push_back({now, by.owner, p.kind, p.header[0], answers ? p.header[12] : uint8_t{0},
                   psn_of(p.header.data()), p.bytes});
    if (loses_) fabric_.ports[by.index]->link.up = !loses_(all.back());
  }
  void arrived(const Port&, const Port&, const Packet&, const uint8_t*, Time) override {}

  std::vector<SentPacket> all;

 private:
  Fabric& fabric_;
  Rule loses_;
};

}  // namespace vlsim
