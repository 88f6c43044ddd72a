// A capture of what hosts send and receive, as a classic pcap with times in nanoseconds: Ethernet, IPv4, UDP and all RoCE
// headers as on a wire, with the ICRC and ECN bits; PAUSE frames as those of 802.1Qbb.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/fabric/fabric.h"

namespace vlsim {

struct PcapSettings {
  // These hosts, with what they send and receive. A packet between two of them is captured where it is sent. Empty: what
  // arrives at any host.
  std::vector<uint32_t> hosts;
  uint64_t most_bytes = 256u << 20;  // limit of the file; later packets are left out
  bool payload = false;              // else a data packet ends behind its headers
};

class Pcap final : public PacketTap {
 public:
  // The file stays the caller's. hosts: those of the fabric.
  Pcap(std::FILE* file, const PcapSettings& settings, uint32_t hosts);
  void sent(const Port& by, const Packet& packet, const uint8_t* payload, Time now) override;
  void arrived(const Port& at, const Port& by, const Packet& packet, const uint8_t* payload,
               Time now) override;

  uint64_t packets() const { return packets_; }
  uint64_t left_out() const { return left_out_; }
  // A line of JSON, with a sentence on what the capture has.
  std::string line() const;

 private:
  void write(const Port& by, const Packet& packet, const uint8_t* payload, Time now);
  size_t roce_frame(const Packet& packet, const uint8_t* payload);
  size_t pause_frame(const Port& by, const Packet& packet);

  std::FILE* file_;
  PcapSettings set_;
  std::vector<uint8_t> chosen_;  // per host
  uint64_t packets_ = 0, left_out_ = 0;
  uint64_t bytes_ = 0;          // size of the file
  Time last_ = 0;               // time of the last packet that is there
  std::vector<uint8_t> frame_;  // the one that is being made, without FCS
};

}  // namespace vlsim
