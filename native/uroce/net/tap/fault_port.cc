#include "uroce/net/tap/fault_port.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <ranges>
#include <utility>

#include "uroce/net/host/clock.h"
#include "uroce/net/udp/link.h"

namespace uroce::net {
namespace {

constexpr uint32_t kMillion = 1'000'000;
constexpr uint64_t kSwapTimeout = 100'000;  // ns: waits no longer for the next packet
constexpr uint32_t kLimit = 1000;           // packets, as in tc-netem(8)
constexpr uint64_t kBitsPerByte = 8, kNsPerSecond = 1'000'000'000, kNsPerUs = 1000;
constexpr uint32_t kUdpHeader = 8, kIpv4Header = 20, kIpv6Header = 40;

// Bytes of a packet from its IP header on.
uint64_t ip_length(const transport::TxPacket& packet) {
  return uint64_t{flow_of(*packet.path).ipv4 ? kIpv4Header : kIpv6Header} + kUdpHeader +
         transport::udp_length(packet);
}

}  // namespace

int FaultPort::validate(const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n,
                        const uroce_shaping* shaping) {
  if (shaping != nullptr && (shaping->jitter_us > shaping->delay_us || shaping->mark_ppm > kMillion))
    return EINVAL;
  if (n > UROCE_FAULT_RULES_MAX) return E2BIG;
  if (n > 0 && rules == nullptr) return EINVAL;
  if (rates != nullptr) {
    for (uint32_t ppm :
         {rates->drop_ppm, rates->duplicate_ppm, rates->reorder_ppm, rates->delay_ppm, rates->corrupt_ppm}) {
      if (ppm > kMillion) return EINVAL;
    }
  }
  constexpr uint32_t kKnown = UROCE_MATCH_QPN | UROCE_MATCH_PSN | UROCE_MATCH_OPCODE | UROCE_MATCH_ITER;
  for (uint32_t i = 0; i < n; ++i) {
    if (rules[i].action < UROCE_FAULT_DROP || rules[i].action > UROCE_FAULT_MARK) return EINVAL;
    if ((rules[i].match & ~kKnown) != 0) return EINVAL;
  }
  return 0;
}

FaultPort::FaultPort(Port& below, const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n,
                     uint64_t seed, const uroce_shaping* shaping)
    : below_(below), random_(seed) {
  if (rates != nullptr) rates_ = *rates;
  if (shaping != nullptr) shaping_ = *shaping;
  if (shaping_.limit == 0) shaping_.limit = kLimit;
  for (uint32_t i = 0; i < n; ++i) {
    rules_.push_back({.rule = rules[i]});
    if (rules_.back().rule.opcode_mask == 0) rules_.back().rule.opcode_mask = 0xff;
  }
  report_.seed = seed;
}

const uroce_fault_rule* FaultPort::match(const transport::TxPacket& p) {
  for (Rule& r : rules_) {
    const uroce_fault_rule& rule = r.rule;
    if ((rule.match & UROCE_MATCH_QPN) != 0 && rule.qpn != p.dest_qpn) continue;
    if ((rule.match & UROCE_MATCH_PSN) != 0 && rule.psn != p.psn) continue;
    if ((rule.match & UROCE_MATCH_OPCODE) != 0 && (p.opcode & rule.opcode_mask) != rule.opcode) continue;
    ++r.seen;
    if ((rule.match & UROCE_MATCH_ITER) != 0 && rule.iter != r.seen) continue;
    if (rule.times != 0 && r.acted >= rule.times) continue;
    ++r.acted;
    return &rule;
  }
  return nullptr;
}

// A duplicate takes twice the room; swapped and due packets come on top.
uint32_t FaultPort::room() {
  const uint32_t room = below_.room();
  return room > 4 ? (room - 2) / 2 : 0;
}

// Room of a ring as the port below reports it. More packets may leave than the engine asked for (duplicates
// and due packets): they wait in ready_.
uint32_t FaultPort::room_to(const Path& path, uint32_t dest_qpn) {
  const uint32_t room = below_.room_to(path, dest_qpn);
  return waits(path, dest_qpn) ? 0 : room;
}

bool FaultPort::room_returned() {
  const bool returned = below_.room_returned();
  return release_ready() || returned;
}

bool FaultPort::waits(const Path& path, uint32_t dest_qpn) const {
  return std::ranges::any_of(ready_, [&](const Held& held) {
    return held.packet.dest_qpn == dest_qpn && held.path.cookie == path.cookie;
  });
}

bool FaultPort::has_room(const Path& path, uint32_t dest_qpn, uint32_t bytes) {
  if (below_.room() == 0) {
    below_.flush();
    if (below_.room() == 0) return false;
  }
  return below_.room_to(path, dest_qpn) > 0 || below_.admit(path, dest_qpn, bytes);
}

void FaultPort::adopt_held(FaultPort& other) {
  for (auto* queue : {&other.ready_, &other.delayed_, &other.swapped_}) {
    std::ranges::move(*queue, std::back_inserter(ready_));
    queue->clear();
  }
}

std::optional<FaultPort::Held> FaultPort::copy(const transport::TxPacket& packet, const Mark& mark,
                                               uint64_t due) {
  Held held{.due = due, .mark = mark, .packet = packet, .path = *packet.path, .header = {}, .payload = {}};
  held.header.assign(packet.header, packet.header + packet.header_len);
  held.payload.resize(packet.payload_len);
  if (!transport::copy_payload(packet, held.payload.data())) return std::nullopt;
  return held;
}

bool FaultPort::hold(const transport::TxPacket& packet, uint64_t due, const Mark& mark) {
  auto copied = copy(packet, mark, due);
  if (!copied) return false;
  Held& held = *copied;
  held.mark.marks |= packet_mark::late;
  if (due == kNever) {
    held.due = now_ns() + kSwapTimeout;
    swapped_.push_back(std::move(held));
    return true;
  }
  const auto later = std::upper_bound(delayed_.begin(), delayed_.end(), due,
                                      [](uint64_t t, const Held& h) { return t < h.due; });
  delayed_.insert(later, std::move(held));
  return true;
}

void FaultPort::release(const Held& held) {
  const transport::IoVec iov{held.payload.data(), static_cast<uint32_t>(held.payload.size())};
  transport::TxPacket packet = held.packet;
  packet.path = &held.path;
  packet.header = held.header.data();
  packet.iov = &iov;
  packet.iov_count = 1;
  below_.emit_marked(packet, held.mark);
}

// Releases each packet whose path has room, unless it would overtake another to the same queue pair. True
// if any left.
bool FaultPort::release_ready() {
  std::vector<std::pair<uint64_t, uint32_t>> full;
  return std::erase_if(ready_, [&](const Held& held) {
           const std::pair key{uint64_t{held.path.cookie}, held.packet.dest_qpn};
           if (std::ranges::find(full, key) != full.end()) return false;
           if (!has_room(held.path, held.packet.dest_qpn, transport::udp_length(held.packet))) {
             full.push_back(key);
             return false;
           }
           release(held);
           return true;
         }) != 0;
}

void FaultPort::release_swapped() {
  std::ranges::move(swapped_, std::back_inserter(ready_));
  swapped_.clear();
  release_ready();
}

bool FaultPort::drop(const transport::TxPacket& packet, const Mark& mark) {
  ++report_.dropped;
  Mark lost = mark;
  lost.marks |= packet_mark::dropped;
  return below_.emit_marked(packet, lost);
}

// Passes the packet to the link, or lets it wait.
bool FaultPort::pass(const transport::TxPacket& packet, const Mark& mark, uint32_t delay_us) {
  uint64_t wait = (uint64_t{delay_us} + shaping_.delay_us) * kNsPerUs;
  if (shaping_.jitter_us > 0) {
    const uint64_t jitter = uint64_t{shaping_.jitter_us} * kNsPerUs;
    wait = wait - jitter + random_.next64() % (2 * jitter + 1);
  }
  const bool now = wait == 0 && shaping_.rate_bps == 0;
  const uint32_t bytes = transport::udp_length(packet);
  if (now && !waits(*packet.path, packet.dest_qpn) && has_room(*packet.path, packet.dest_qpn, bytes))
    return mark.marks == 0 ? below_.emit(packet) : below_.emit_marked(packet, mark);
  if (is_full()) return drop(packet, mark);
  if (now) {
    auto copied = copy(packet, mark, 0);
    if (copied) ready_.push_back(std::move(*copied));
    return copied.has_value();
  }
  uint64_t due = now_ns() + wait;
  if (shaping_.rate_bps > 0) {
    const uint64_t bits = ip_length(packet) * kBitsPerByte;
    free_at_ = std::max(due, free_at_) + bits * kNsPerSecond / shaping_.rate_bps;
    due = free_at_;
  }
  return hold(packet, due, mark);
}

bool FaultPort::emit(const transport::TxPacket& packet) {
  ++report_.packets;
  const uroce_fault_rule* rule = match(packet);
  const uint32_t action = rule != nullptr ? rule->action : 0;
  const bool lose = rule != nullptr ? action == UROCE_FAULT_DROP : draw(rates_.drop_ppm);
  const bool twice = rule != nullptr ? action == UROCE_FAULT_DUPLICATE : draw(rates_.duplicate_ppm);
  const bool swap = rule != nullptr ? action == UROCE_FAULT_REORDER : draw(rates_.reorder_ppm);
  const bool delay = rule != nullptr ? action == UROCE_FAULT_DELAY : draw(rates_.delay_ppm);
  const bool bad = rule != nullptr ? action == UROCE_FAULT_CORRUPT : draw(rates_.corrupt_ppm);
  const bool congested = rule != nullptr ? action == UROCE_FAULT_MARK : draw(shaping_.mark_ppm);
  if (lose) return drop(packet, {});
  Mark mark;
  if (congested) {
    ++marked_;
    mark.marks = packet_mark::congested;
  }
  if (delay) {
    ++report_.delayed;
    return pass(packet, mark, rule != nullptr ? rule->delay_us : rates_.delay_us);
  }
  if (swap && swapped_.empty()) {
    ++report_.reordered;
    return hold(packet, kNever, mark);
  }
  const uint8_t copy_marks = mark.marks | packet_mark::duplicate;
  if (bad) {
    ++report_.corrupted;
    mark.marks |= packet_mark::corrupt;
    mark.corrupt_bit = random_.next();
  }
  const bool sent = pass(packet, mark, 0);
  if (twice && sent) {
    ++report_.duplicated;
    pass(packet, {.marks = copy_marks}, 0);
  }
  release_swapped();
  return sent;
}

void FaultPort::flush() { below_.flush(); }

void FaultPort::on_time(uint64_t now) {
  while (!delayed_.empty() && delayed_.front().due <= now) {
    ready_.push_back(std::move(delayed_.front()));
    delayed_.pop_front();
  }
  if (!swapped_.empty() && swapped_.front().due <= now) release_swapped();
  release_ready();
  below_.flush();
}

bool FaultPort::release_all() {
  std::ranges::move(delayed_, std::back_inserter(ready_));
  delayed_.clear();
  release_swapped();
  below_.flush();
  return empty();
}

// Packets that wait for room need no time: room_returned() releases them.
uint64_t FaultPort::next_wake() const {
  uint64_t wake = below_.next_wake();
  if (!delayed_.empty()) wake = std::min(wake, delayed_.front().due);
  if (!swapped_.empty()) wake = std::min(wake, swapped_.front().due);
  return wake;
}

}  // namespace uroce::net
