#include "uroce/net/tap/fault_port.h"

#include <algorithm>
#include <cerrno>

#include "uroce/net/host/clock.h"
#include "uroce/net/udp/link.h"

namespace uroce::net {
namespace {

constexpr uint32_t kMillion = 1'000'000;
constexpr uint64_t kSwapPatience = 100'000;  // ns: then no next packet is waited for

}  // namespace

int FaultPort::validate(const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n) {
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
    if (rules[i].action < UROCE_FAULT_DROP || rules[i].action > UROCE_FAULT_CORRUPT) return EINVAL;
    if ((rules[i].match & ~kKnown) != 0) return EINVAL;
  }
  return 0;
}

FaultPort::FaultPort(Port& below, const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n,
                     uint64_t seed)
    : below_(below), random_(seed) {
  if (rates != nullptr) rates_ = *rates;
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

// A duplicate takes twice the room, and what was swapped or is due comes on top.
uint32_t FaultPort::room() {
  const uint32_t room = below_.room();
  return room > 4 ? (room - 2) / 2 : 0;
}

void FaultPort::hold(const transport::TxPacket& packet, uint64_t due) {
  Held held{.due = due, .packet = packet, .path = *packet.path, .header = {}, .payload = {}};
  held.header.assign(packet.header, packet.header + packet.header_len);
  for (uint32_t i = 0; i < packet.iov_count; ++i) {
    held.payload.insert(held.payload.end(), packet.iov[i].base, packet.iov[i].base + packet.iov[i].len);
  }
  if (due == kNever) {
    held.due = now_ns() + kSwapPatience;
    swapped_.push_back(std::move(held));
    return;
  }
  const auto later = std::upper_bound(delayed_.begin(), delayed_.end(), due,
                                      [](uint64_t t, const Held& h) { return t < h.due; });
  delayed_.insert(later, std::move(held));
}

void FaultPort::release(const Held& held) {
  const transport::IoVec iov{held.payload.data(), static_cast<uint32_t>(held.payload.size())};
  transport::TxPacket packet = held.packet;
  packet.path = &held.path;
  packet.header = held.header.data();
  packet.iov = &iov;
  packet.iov_count = 1;
  below_.emit_marked(packet, {.marks = packet_mark::late});
}

void FaultPort::release_swapped() {
  while (!swapped_.empty()) {
    release(swapped_.front());
    swapped_.pop_front();
  }
}

void FaultPort::damage(const transport::TxPacket& packet, uint8_t marks) {
  ++report_.corrupted;
  below_.emit_marked(
      packet, {.marks = static_cast<uint8_t>(marks | packet_mark::corrupt), .corrupt_bit = random_.next()});
}

void FaultPort::emit(const transport::TxPacket& packet) {
  ++report_.packets;
  const uroce_fault_rule* rule = match(packet);
  const uint32_t action = rule != nullptr ? rule->action : 0;
  const bool drop = rule != nullptr ? action == UROCE_FAULT_DROP : draw(rates_.drop_ppm);
  const bool twice = rule != nullptr ? action == UROCE_FAULT_DUPLICATE : draw(rates_.duplicate_ppm);
  const bool swap = rule != nullptr ? action == UROCE_FAULT_REORDER : draw(rates_.reorder_ppm);
  const bool delay = rule != nullptr ? action == UROCE_FAULT_DELAY : draw(rates_.delay_ppm);
  const bool bad = rule != nullptr ? action == UROCE_FAULT_CORRUPT : draw(rates_.corrupt_ppm);
  if (drop) {
    ++report_.dropped;
    below_.emit_marked(packet, {.marks = packet_mark::dropped});
    return;
  }
  if (delay) {
    ++report_.delayed;
    hold(packet, now_ns() + uint64_t{1000} * (rule != nullptr ? rule->delay_us : rates_.delay_us));
    return;
  }
  if (swap && swapped_.empty()) {
    ++report_.reordered;
    hold(packet, kNever);
    return;
  }
  if (bad) {
    damage(packet, 0);
  } else {
    below_.emit(packet);
  }
  if (twice) {
    ++report_.duplicated;
    below_.emit_marked(packet, {.marks = packet_mark::duplicate});
  }
  release_swapped();
}

void FaultPort::flush() { below_.flush(); }

void FaultPort::on_time(uint64_t now) {
  while (!delayed_.empty() && delayed_.front().due <= now && below_.room() > 0) {
    release(delayed_.front());
    delayed_.pop_front();
  }
  if (!swapped_.empty() && swapped_.front().due <= now && below_.room() > 0) release_swapped();
  below_.flush();
}

void FaultPort::release_all() {
  while (!delayed_.empty() && below_.room() > 0) {
    release(delayed_.front());
    delayed_.pop_front();
  }
  if (below_.room() > 0) release_swapped();
  below_.flush();
}

uint64_t FaultPort::next_wake() const {
  uint64_t wake = below_.next_wake();
  if (!delayed_.empty()) wake = std::min(wake, delayed_.front().due);
  if (!swapped_.empty()) wake = std::min(wake, swapped_.front().due);
  return wake;
}

}  // namespace uroce::net
