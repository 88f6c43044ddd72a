#include "sim/scenario/pcap.h"

#include <algorithm>
#include <cstring>

#include "sim/scenario/json.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"

namespace vlsim {
namespace {

namespace wire = uroce::wire;

constexpr size_t kEthernet = 14;
constexpr size_t kBeforeBth = kEthernet + wire::Ipv4::kSize + wire::Udp::kSize;
constexpr uint32_t kNotInFrame = 8 + 4 + 12;  // bytes on a link: preamble, FCS, gap
constexpr size_t kLongestFrame = 9216;
constexpr uint16_t kDiscard = 9;  // the port that packets without an engine go to
constexpr uint8_t kNoPayload[kLongestPayload] = {};

void little32(uint8_t* p, uint32_t value) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<uint8_t>(value >> 8 * i);
}

// Locally administered; 0: of a host, 1: of a switch.
void mac(uint8_t* p, uint8_t kind, uint32_t number) {
  p[0] = 0x02;
  p[1] = kind;
  wire::store16(p + 2, 0);
  wire::store16(p + 4, static_cast<uint16_t>(number));
}

wire::Ipv4::Address ipv4(uint32_t host) {
  const uroce::Gid gid = host_address(host);
  return {gid[12], gid[13], gid[14], gid[15]};
}

}  // namespace

Pcap::Pcap(std::FILE* file, const PcapSettings& settings, uint32_t hosts)
    : file_(file), set_(settings), chosen_(hosts), frame_(kLongestFrame) {
  for (const uint32_t host : set_.hosts) chosen_[host] = 1;
  uint8_t header[24] = {};
  little32(header, 0xa1b23c4d);  // nanoseconds
  header[4] = 2;                 // version 2.4
  header[6] = 4;
  little32(header + 16, kLongestFrame);
  little32(header + 20, 1);  // Ethernet
  std::fwrite(header, 1, sizeof header, file_);
  bytes_ = sizeof header;
}

void Pcap::sent(const Port& by, const Packet& packet, const uint8_t* payload, Time now) {
  if (chosen_[by.owner]) write(by, packet, payload, now);
}

void Pcap::arrived(const Port& at, const Port& by, const Packet& packet, const uint8_t* payload, Time now) {
  if (!set_.hosts.empty()) {
    if (!chosen_[at.owner]) return;
    // Captured where it was sent.
    if (packet.kind == PacketKind::pause ? by.host && chosen_[by.owner] : chosen_[packet.source]) return;
  }
  write(by, packet, payload, now);
}

// Fills frame_. Returns how much of it is captured.
size_t Pcap::roce_frame(const Packet& p, const uint8_t* payload) {
  uint8_t* const ip = frame_.data() + kEthernet;
  uint8_t* const udp = ip + wire::Ipv4::kSize;
  const bool raw = p.kind == PacketKind::raw;
  const auto length = static_cast<uint16_t>(p.bytes - kNotInFrame - kEthernet);
  mac(frame_.data(), 0, p.destination);
  mac(frame_.data() + 6, 0, p.source);
  wire::store16(frame_.data() + 12, 0x0800);
  wire::Ipv4 header;
  // Class selectors: class 3 is DSCP 24, class 6, which CNPs usually have, is 48.
  header.tos = static_cast<uint8_t>(p.traffic_class << 5 | p.ecn);
  header.total_length = length;
  header.ttl = p.hops_left;
  header.src = ipv4(p.source);
  header.dst = ipv4(p.destination);
  header.emit(ip);
  header.checksum = wire::ipv4_checksum(ip);
  header.emit(ip);
  const auto udp_length = static_cast<uint16_t>(length - wire::Ipv4::kSize);
  const auto from = static_cast<uint16_t>(p.entropy);
  wire::Udp{from, raw ? kDiscard : wire::kRocePort, udp_length}.emit(udp);
  uint8_t* const bth = udp + wire::Udp::kSize;
  if (raw && !set_.payload) return kBeforeBth;
  if (raw) {
    std::memset(bth, 0, kEthernet + length - kBeforeBth);
    return kEthernet + length;
  }
  std::memcpy(bth, p.header.data(), p.header_length);
  if (p.kind == PacketKind::data && p.payload != 0 && !set_.payload) return kBeforeBth + p.header_length;
  uint32_t crc = wire::icrc_begin_ipv4(ip + 12, ip + 16, from, wire::kRocePort, udp_length);
  crc = wire::icrc_headers(crc, bth, p.header_length);
  uint8_t* to = bth + p.header_length;
  crc = wire::crc_copy(crc, to, payload != nullptr ? payload : kNoPayload, p.payload);
  crc = wire::crc_copy(crc, to + p.payload, kNoPayload, p.pad);
  wire::icrc_store(to + p.payload + p.pad, wire::icrc_end(crc));
  return kEthernet + length;
}

// 802.1Qbb: a vector of classes, and quanta for each.
size_t Pcap::pause_frame(const Port& by, const Packet& p) {
  constexpr uint8_t kTo[] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
  constexpr size_t kShortest = 60;
  uint8_t* const f = frame_.data();
  std::memset(f, 0, kShortest);
  std::memcpy(f, kTo, sizeof kTo);
  mac(f + 6, by.host ? 0 : 1, by.owner);
  wire::store16(f + 12, 0x8808);
  wire::store16(f + 14, 0x0101);
  f[17] = p.header[0];
  for (uint32_t cls = 0; cls < kClasses; ++cls) {
    if (p.header[0] >> cls & 1) std::memcpy(f + 18 + 2 * cls, p.header.data() + 1 + 2 * cls, 2);
  }
  return kShortest;
}

void Pcap::write(const Port& by, const Packet& p, const uint8_t* payload, Time now) {
  uint8_t record[16];
  // Once one is left out, so are all behind it.
  const size_t captured = left_out_ != 0                ? 0
                          : p.kind == PacketKind::pause ? pause_frame(by, p)
                                                        : roce_frame(p, payload);
  if (captured == 0 || bytes_ + sizeof record + captured > set_.most_bytes) {
    ++left_out_;
    return;
  }
  ++packets_;
  bytes_ += sizeof record + captured;
  last_ = now;
  little32(record, static_cast<uint32_t>(now / kSecond));
  little32(record + 4, static_cast<uint32_t>(now % kSecond / kNs));
  little32(record + 8, static_cast<uint32_t>(captured));
  little32(record + 12, p.bytes - kNotInFrame);
  std::fwrite(record, 1, sizeof record, file_);
  std::fwrite(frame_.data(), 1, captured, file_);
}

std::string Pcap::line() const {
  const std::string kept = std::to_string(packets_) + (packets_ == 1 ? " packet" : " packets");
  JsonLine line("pcap");
  line.number("packets", packets_).number("left_out", left_out_);
  if (left_out_ == 0) return line.text("says", "The capture has all " + kept + ".").end();
  return line
      .text("says", "The capture ends after " + kept + ", at " + std::to_string(last_ / kUs) +
                        " us: " + std::to_string(left_out_) + " later ones are left out.")
      .end();
}

}  // namespace vlsim
