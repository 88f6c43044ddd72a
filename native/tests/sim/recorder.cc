#include "recorder.h"

#include <algorithm>
#include <cinttypes>
#include <tuple>
#include <utility>

#include "endpoint.h"
#include "uroce/wire/ip.h"

namespace uroce::sim {
namespace {

constexpr const char* kNames[] = {"nak", "read", "timeout", "rnr"};

uint64_t key(int node, uint32_t qpn) { return static_cast<uint64_t>(node) << 32 | qpn; }

wire::Ipv4::Address ipv4(int node) {
  const Gid gid = node_address(node, false);
  return {gid[12], gid[13], gid[14], gid[15]};
}

}  // namespace

void Recorder::went_back(int node, uint32_t qpn, Cause cause) { resends_[key(node, qpn)] = {cause, true}; }

void Recorder::next(int node, uint32_t qpn, bool again) {
  why_ = "new";
  head_ = false;
  const auto resend = resends_.find(key(node, qpn));
  if (!again || resend == resends_.end()) return;
  why_ = kNames[static_cast<size_t>(resend->second.cause)];
  head_ = std::exchange(resend->second.head, false);
}

void Recorder::leaves(uint64_t time, int direction, const transport::TxPacket& packet) {
  Frame frame;
  encode(packet, frame);
  sent_.push_back({direction, packet.payload_len, why_, head_, time, 0, {}});
  sent_.back().packet = keep(frame);
}

void Recorder::arrives(uint64_t time, const Frame& frame) {
  Sent& sent = sent_.back();
  sent.arrivals.push_back({time, frame.damaged ? keep(frame) : sent.packet});
}

size_t Recorder::keep(const Frame& frame) {
  const int from = sent_.back().node;
  const auto udp = static_cast<uint16_t>(wire::Udp::kSize + frame.len);
  std::vector<uint8_t> bytes(wire::Ipv4::kSize + udp);
  wire::Ipv4 ip;
  ip.tos = 2;
  ip.total_length = static_cast<uint16_t>(bytes.size());
  ip.src = ipv4(from);
  ip.dst = ipv4(1 - from);
  ip.emit(bytes.data());
  ip.checksum = wire::ipv4_checksum(bytes.data());
  ip.emit(bytes.data());
  wire::Udp{Endpoint::kPort, wire::kRocePort, udp}.emit(bytes.data() + wire::Ipv4::kSize);
  std::copy_n(frame.bytes.data(), frame.len, bytes.data() + wire::Ipv4::kSize + wire::Udp::kSize);
  packets_.push_back(std::move(bytes));
  return packets_.size() - 1;
}

// Faults of the network happen before the middle or behind it, equally often.
std::vector<Recorder::Passed> Recorder::passed() {
  std::vector<Passed> all;
  for (size_t i = 0; i < sent_.size(); ++i) {
    Sent& s = sent_[i];
    const auto earlier = [](const Arrival& a, const Arrival& b) { return a.time < b.time; };
    std::sort(s.arrivals.begin(), s.arrivals.end(), earlier);
    all.push_back({2 * s.node, s.time, i, s.packet});
    if (s.arrivals.empty() && half()) all.push_back({1, s.time + delay_ns_ / 2, i, s.packet});
    for (size_t k = 0; k < s.arrivals.size(); ++k) {
      const Arrival& a = s.arrivals[k];
      all.push_back({2 - 2 * s.node, a.time, i, a.packet});
      if (k != 0 && half()) continue;  // the copy was made behind the middle
      const uint64_t early = half() ? a.time - s.time - delay_ns_ : 0;
      all.push_back({1, s.time + delay_ns_ / 2 + early, i, half() ? a.packet : s.packet});
    }
  }
  std::sort(all.begin(), all.end(), [](const Passed& a, const Passed& b) {
    return std::tie(a.time, a.sent, a.place, a.packet) < std::tie(b.time, b.sent, b.place, b.packet);
  });
  return all;
}

void Recorder::write(std::FILE* to, uint64_t seed, const std::string& description) {
  std::fprintf(to, R"({"seed":%)" PRIu64 R"(,"description":"%s","sent":[)", seed, description.c_str());
  const char* comma = "";
  for (const Sent& s : sent_) {
    std::fprintf(to, R"(%s[%d,%u,"%s",%s,%zu])", comma, s.node, s.payload, s.why, s.head ? "true" : "false",
                 s.packet);
    comma = ",";
  }
  std::fputs(R"(],"passed":[)", to);
  comma = "";
  for (const Passed& p : passed()) {
    std::fprintf(to, "%s[%d,%" PRIu64 ",%zu,%zu]", comma, p.place, p.time, p.sent, p.packet);
    comma = ",";
  }
  std::fputs(R"(],"lengths":[)", to);
  comma = "";
  for (const auto& bytes : packets_) {
    std::fprintf(to, "%s%zu", comma, bytes.size());
    comma = ",";
  }
  std::fputs("]}\n", to);
  for (const auto& bytes : packets_) std::fwrite(bytes.data(), 1, bytes.size(), to);
}

}  // namespace uroce::sim
