#include "uroce/net/tap/fault_port.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/net/packets.h"
#include "uroce/net/host/clock.h"
#include "uroce/net/port/roce_port.h"

namespace uroce::net::test {
namespace {

class FaultPortTest : public ::testing::Test {
 protected:
  void emit(Port& port, uint32_t psn, uint32_t qpn = 0x1002, uint8_t opcode = 0x0a) {
    port.emit(*TestPacket(flow_, qpn, psn, 32, opcode));
  }
  // PSNs that reached the wire, in order.
  std::vector<uint32_t> wire() {
    std::vector<uint32_t> psns;
    for (const auto& batch : link_.sent) {
      if ((batch.marks & packet_mark::dropped) != 0) continue;
      for (uint32_t i = 0; i < batch.count; ++i) psns.push_back(batch.psn(i));
    }
    return psns;
  }
  Flow flow_ = make_flow(ipv4(10, 0, 0, 1), ipv4(10, 0, 0, 2));
  FakeLink link_;
  RocePort below_{link_, kPlain};
};

uroce_fault_rule rule(uint32_t match, uint32_t action) {
  uroce_fault_rule r{};
  r.match = match;
  r.action = action;
  return r;
}

TEST_F(FaultPortTest, DropsTheFirstTransmissionOnlyWhenAskedForIt) {
  auto r = rule(UROCE_MATCH_PSN | UROCE_MATCH_ITER, UROCE_FAULT_DROP);
  r.psn = 5;
  r.iter = 1;
  FaultPort port(below_, nullptr, &r, 1, 1);
  for (uint32_t psn : {4u, 5u, 6u, 5u, 6u}) emit(port, psn);
  port.flush();
  EXPECT_EQ(wire(), (std::vector<uint32_t>{4, 6, 5, 6}));
  EXPECT_EQ(port.report().dropped, 1u);
}

TEST_F(FaultPortTest, ActsSoManyTimes) {
  auto r = rule(0, UROCE_FAULT_DROP);
  r.times = 3;
  FaultPort port(below_, nullptr, &r, 1, 1);
  for (uint32_t psn = 0; psn < 6; ++psn) emit(port, psn);
  port.flush();
  EXPECT_EQ(wire(), (std::vector<uint32_t>{3, 4, 5}));
}

TEST_F(FaultPortTest, MatchesQpAndOpcode) {
  auto by_qp = rule(UROCE_MATCH_QPN, UROCE_FAULT_DROP);
  by_qp.qpn = 0x1003;
  auto by_opcode = rule(UROCE_MATCH_OPCODE, UROCE_FAULT_DROP);
  by_opcode.opcode = 0x11;
  const uroce_fault_rule rules[] = {by_qp, by_opcode};
  FaultPort port(below_, nullptr, rules, 2, 1);
  emit(port, 1);
  emit(port, 2, 0x1003);
  emit(port, 3, 0x1002, 0x11);
  emit(port, 4);
  port.flush();
  EXPECT_EQ(wire(), (std::vector<uint32_t>{1, 4}));
}

TEST_F(FaultPortTest, DroppedPacketsAreStillShownBelow) {
  const auto r = rule(0, UROCE_FAULT_DROP);
  FaultPort port(below_, nullptr, &r, 1, 1);
  emit(port, 9);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 1u);
  EXPECT_EQ(link_.sent[0].marks, packet_mark::dropped);
}

TEST_F(FaultPortTest, DuplicatesAndSwaps) {
  auto twice = rule(UROCE_MATCH_PSN, UROCE_FAULT_DUPLICATE);
  twice.psn = 1;
  auto swap = rule(UROCE_MATCH_PSN, UROCE_FAULT_REORDER);
  swap.psn = 2;
  const uroce_fault_rule rules[] = {twice, swap};
  FaultPort port(below_, nullptr, rules, 2, 1);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn);
  port.flush();
  EXPECT_EQ(wire(), (std::vector<uint32_t>{0, 1, 1, 3, 2, 4}));
}

TEST_F(FaultPortTest, ASwappedPacketWithNobodyBehindItComesAfterAWhile) {
  const auto r = rule(0, UROCE_FAULT_REORDER);
  FaultPort port(below_, nullptr, &r, 1, 1);
  emit(port, 7);
  port.flush();
  EXPECT_TRUE(wire().empty());
  ASSERT_NE(port.next_wake(), kNever);
  port.on_time(port.next_wake());
  EXPECT_EQ(wire(), (std::vector<uint32_t>{7}));
  EXPECT_EQ(port.next_wake(), kNever);
}

TEST_F(FaultPortTest, DelaysKeepTheirBytes) {
  auto r = rule(UROCE_MATCH_PSN, UROCE_FAULT_DELAY);
  r.psn = 0;
  r.delay_us = 1000;
  FaultPort port(below_, nullptr, &r, 1, 1);
  emit(port, 0);
  emit(port, 1);
  port.flush();
  EXPECT_EQ(wire(), (std::vector<uint32_t>{1}));
  port.on_time(now_ns());
  const uint64_t due = port.next_wake();
  EXPECT_GT(due, now_ns() - 1);
  port.on_time(due);
  EXPECT_EQ(wire(), (std::vector<uint32_t>{1, 0}));
  const auto late = link_.sent.back().packet(0);
  EXPECT_EQ(icrc_on_wire(late), icrc_wanted(flow_, late, 0));
  EXPECT_EQ(late[12 + 5], 5);
}

TEST_F(FaultPortTest, MarkedPacketsLeaveInBatchesOfTheirOwn) {
  RocePort below(link_, kModern);
  auto r = rule(UROCE_MATCH_PSN, UROCE_FAULT_MARK);
  r.psn = 2;
  FaultPort port(below, nullptr, &r, 1, 1);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn);
  port.flush();
  ASSERT_EQ(link_.sent.size(), 3u);
  EXPECT_EQ(link_.sent[0].count, 2u);
  EXPECT_EQ(link_.sent[1].count, 1u);
  EXPECT_EQ(link_.sent[1].psn(0), 2u);
  EXPECT_EQ(link_.sent[1].marks, packet_mark::congested);
  EXPECT_EQ(link_.sent[2].count, 2u);
  EXPECT_EQ(port.marked(), 1u);
}

TEST_F(FaultPortTest, RatesFollowTheirSeed) {
  uroce_fault_rates rates{};
  rates.drop_ppm = 100'000;
  rates.duplicate_ppm = 50'000;
  std::vector<uint32_t> first;
  for (int round = 0; round < 2; ++round) {
    link_.sent.clear();
    FaultPort port(below_, &rates, nullptr, 0, 42);
    for (uint32_t psn = 0; psn < 10'000; ++psn) {
      if (port.room() == 0) port.flush();
      emit(port, psn);
    }
    port.flush();
    EXPECT_NEAR(static_cast<double>(port.report().dropped), 1000, 150);
    EXPECT_NEAR(static_cast<double>(port.report().duplicated), 450, 100);
    if (round == 0) first = wire();
  }
  EXPECT_EQ(wire(), first);
}

TEST_F(FaultPortTest, ALongerLinkHoldsEachPacketForItsDelay) {
  uroce_shaping shaping{};
  shaping.delay_us = 2000;
  FaultPort port(below_, nullptr, nullptr, 0, 1, &shaping);
  const uint64_t before = now_ns();
  for (uint32_t psn = 0; psn < 4; ++psn) emit(port, psn);
  port.flush();
  EXPECT_TRUE(wire().empty());
  EXPECT_GE(port.next_wake(), before + 2'000'000);
  port.on_time(before + 2'000'000 - 1);
  EXPECT_TRUE(wire().empty());
  port.on_time(now_ns() + 2'000'000);
  EXPECT_EQ(wire(), (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(port.report().delayed, 0u) << "counts what rates and rules delay";
}

TEST_F(FaultPortTest, JitterLetsPacketsOvertakeWithinItsBounds) {
  uroce_shaping shaping{};
  shaping.delay_us = 1'000'000;
  shaping.jitter_us = 500'000;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    link_.sent.clear();
    FaultPort port(below_, nullptr, nullptr, 0, seed, &shaping);
    const uint64_t before = now_ns();
    for (uint32_t psn = 0; psn < 200; ++psn) emit(port, psn);
    const uint64_t after = now_ns();
    port.on_time(before + 500'000'000 - 1);
    EXPECT_TRUE(wire().empty());
    port.on_time(before + 1'000'000'000);
    const auto early = wire().size();
    EXPECT_GT(early, 60u);
    EXPECT_LT(early, 140u);
    while (port.next_wake() != kNever) port.on_time(after + 1'500'000'000);
    auto psns = wire();
    ASSERT_EQ(psns.size(), 200u);
    EXPECT_FALSE(std::is_sorted(psns.begin(), psns.end()));
    std::sort(psns.begin(), psns.end());
    EXPECT_EQ(std::unique(psns.begin(), psns.end()), psns.end());
  }
}

TEST_F(FaultPortTest, ASlowerLinkSpacesPacketsByTheirLength) {
  // BTH, 32 bytes, ICRC, UDP and IPv4.
  constexpr uint64_t kBits = (12 + 32 + 4 + 8 + 20) * 8;
  uroce_shaping shaping{};
  shaping.rate_bps = kBits * 10;  // ten packets a second
  FaultPort port(below_, nullptr, nullptr, 0, 1, &shaping);
  const uint64_t before = now_ns();
  for (uint32_t psn = 0; psn < 20; ++psn) emit(port, psn);
  const uint64_t after = now_ns();
  port.on_time(before + 100'000'000 - 1);
  EXPECT_TRUE(wire().empty());
  port.on_time(before + 1'000'000'000 - 1);
  EXPECT_EQ(wire().size(), 9u);
  port.on_time(after + 2'000'000'000);
  EXPECT_EQ(wire().size(), 20u);
}

TEST_F(FaultPortTest, WhatFindsNoRoomBeforeALinkIsLost) {
  uroce_shaping shaping{};
  shaping.delay_us = 1000;
  shaping.limit = 3;
  FaultPort port(below_, nullptr, nullptr, 0, 1, &shaping);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn);
  port.on_time(now_ns() + 1'000'000);
  EXPECT_EQ(wire(), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(port.report().dropped, 2u);
}

TEST_F(FaultPortTest, ADamagedPacketIsDamagedWhenItArrivesLate) {
  const auto r = rule(0, UROCE_FAULT_CORRUPT);
  uroce_shaping shaping{};
  shaping.delay_us = 1000;
  FaultPort port(below_, nullptr, &r, 1, 1, &shaping);
  emit(port, 3);
  port.on_time(now_ns() + 1'000'000);
  ASSERT_EQ(link_.sent.size(), 1u);
  EXPECT_EQ(link_.sent[0].marks, packet_mark::corrupt | packet_mark::late);
  const auto packet = link_.sent[0].packet(0);
  EXPECT_NE(icrc_on_wire(packet), icrc_wanted(flow_, packet, 0));
}

TEST_F(FaultPortTest, RefusesNonsense) {
  uroce_fault_rates rates{};
  rates.drop_ppm = 1'000'001;
  EXPECT_EQ(FaultPort::validate(&rates, nullptr, 0), EINVAL);
  auto r = rule(0, 99);
  EXPECT_EQ(FaultPort::validate(nullptr, &r, 1), EINVAL);
  EXPECT_EQ(FaultPort::validate(nullptr, nullptr, 1), EINVAL);
  EXPECT_EQ(FaultPort::validate(nullptr, nullptr, UROCE_FAULT_RULES_MAX + 1), E2BIG);
  r = rule(1u << 20, UROCE_FAULT_DROP);
  EXPECT_EQ(FaultPort::validate(nullptr, &r, 1), EINVAL);
  EXPECT_EQ(FaultPort::validate(nullptr, nullptr, 0), 0);
  uroce_shaping shaping{};
  shaping.jitter_us = 1;
  EXPECT_EQ(FaultPort::validate(nullptr, nullptr, 0, &shaping), EINVAL)
      << "a packet cannot arrive before it left";
  shaping.delay_us = 1;
  EXPECT_EQ(FaultPort::validate(nullptr, nullptr, 0, &shaping), 0);
}

// A port over rings: so many packets fit in the one to each queue pair.
class RingPort final : public Port {
 public:
  uint32_t room() override { return 1000; }
  uint32_t room_to(const Path&, uint32_t qpn) override { return room_of(qpn); }
  bool room_returned() override { return std::exchange(returned, false); }
  bool admit(const Path&, uint32_t qpn, uint32_t) override { return room_of(qpn) != 0 || stopped; }
  bool emit(const transport::TxPacket& packet) override { return emit_marked(packet, {}); }
  bool emit_marked(const transport::TxPacket& packet, const Mark& mark) override {
    if ((mark.marks & packet_mark::dropped) != 0) {
      ++dropped;
      return true;
    }
    if (room_of(packet.dest_qpn) == 0) {
      ++lost;
      return true;
    }
    --room_of(packet.dest_qpn);
    sent.emplace_back(packet.dest_qpn, packet.psn);
    return true;
  }
  bool blocked() const override { return false; }
  bool waiting() const override { return false; }
  uint32_t receive(PacketHandler&, uint32_t) override { return 0; }
  void on_time(uint64_t) override {}
  uint64_t next_wake() const override { return kNever; }

  uint32_t& room_of(uint32_t qpn) { return rooms.try_emplace(qpn, 2).first->second; }
  // The reader takes all.
  void drain(uint32_t qpn) {
    room_of(qpn) = 2;
    returned = true;
  }
  std::map<uint32_t, uint32_t> rooms;
  std::vector<std::pair<uint32_t, uint32_t>> sent;
  bool returned = false, stopped = false;
  int lost = 0, dropped = 0;
};

using Sent = std::vector<std::pair<uint32_t, uint32_t>>;

class FaultsOverRings : public FaultPortTest {
 protected:
  RingPort ring_;
  uroce_shaping slow_ = [] {
    uroce_shaping s{};
    s.delay_us = 1000;
    return s;
  }();
};

// The engine asks before it sends, and finds an empty ring. All falls due together.
TEST_F(FaultsOverRings, ABurstThatFallsDueTogetherWaitsForRoomAndLosesNothing) {
  FaultPort port(ring_, nullptr, nullptr, 0, 1, &slow_);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn, 0x1002);
  emit(port, 9, 0x2002);
  port.on_time(now_ns() + 10'000'000);
  EXPECT_EQ(ring_.sent, (Sent{{0x1002, 0}, {0x1002, 1}, {0x2002, 9}}));
  EXPECT_EQ(port.next_wake(), kNever);  // room ends the wait, not time
  EXPECT_FALSE(port.empty());
  EXPECT_EQ(port.room_to(*(*TestPacket(flow_, 0x1002, 1, 1, 0)).path, 0x1002), 0u);
  EXPECT_FALSE(port.room_returned());
  ring_.drain(0x1002);
  EXPECT_TRUE(port.room_returned());
  ring_.drain(0x1002);
  EXPECT_TRUE(port.room_returned());
  EXPECT_TRUE(port.empty());
  EXPECT_EQ(ring_.sent, (Sent{{0x1002, 0}, {0x1002, 1}, {0x2002, 9}, {0x1002, 2}, {0x1002, 3}, {0x1002, 4}}));
  EXPECT_EQ(ring_.lost, 0);
  EXPECT_EQ(port.report().dropped, 0u);
}

TEST_F(FaultsOverRings, ADuplicateThatFindsNoRoomComesLater) {
  const auto r = rule(0, UROCE_FAULT_DUPLICATE);
  FaultPort port(ring_, nullptr, &r, 1, 1);
  emit(port, 1);
  emit(port, 2);
  EXPECT_EQ(ring_.sent, (Sent{{0x1002, 1}, {0x1002, 1}}));
  ring_.drain(0x1002);
  EXPECT_TRUE(port.room_returned());
  EXPECT_EQ(ring_.sent, (Sent{{0x1002, 1}, {0x1002, 1}, {0x1002, 2}, {0x1002, 2}}));
  EXPECT_EQ(port.report().duplicated, 2u);
  EXPECT_EQ(ring_.lost, 0);
}

TEST_F(FaultsOverRings, WhatFindsNoRoomWhenTheFaultsEndIsTakenOver) {
  FaultPort port(ring_, nullptr, nullptr, 0, 1, &slow_);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn);
  EXPECT_FALSE(port.release_all());
  FaultPort next(ring_, nullptr, nullptr, 0, 1);
  next.adopt_held(port);
  EXPECT_TRUE(port.empty());
  for (int i = 0; i < 2; ++i) {
    ring_.drain(0x1002);
    next.room_returned();
  }
  EXPECT_TRUE(next.empty());
  EXPECT_EQ(ring_.sent.size(), 5u);
  EXPECT_EQ(ring_.sent.back().second, 4u);
}

TEST_F(FaultsOverRings, PacketsToAReaderThatHasStoppedAreNotKept) {
  FaultPort port(ring_, nullptr, nullptr, 0, 1, &slow_);
  for (uint32_t psn = 0; psn < 5; ++psn) emit(port, psn);
  ring_.stopped = true;
  port.on_time(now_ns() + 10'000'000);
  EXPECT_TRUE(port.empty());
  EXPECT_EQ(ring_.lost, 3);
}

TEST_F(FaultsOverRings, TheLimitHoldsForDelaysOfRulesAndForWhatWaitsForRoom) {
  auto r = rule(UROCE_MATCH_QPN, UROCE_FAULT_DELAY);
  r.qpn = 0x1002;
  r.delay_us = 1000;
  uroce_shaping limit{};
  limit.limit = 3;
  FaultPort port(ring_, nullptr, &r, 1, 1, &limit);
  for (uint32_t psn = 0; psn < 10; ++psn) emit(port, psn);
  EXPECT_EQ(port.report().dropped, 7u);
  EXPECT_EQ(ring_.dropped, 7);
  port.on_time(now_ns() + 10'000'000);
  EXPECT_EQ(ring_.sent.size(), 2u);
  for (uint32_t psn = 0; psn < 10; ++psn) emit(port, psn, 0x2002);
  EXPECT_EQ(ring_.sent.size(), 4u);  // two fit, two more may wait beside the one that does already
  EXPECT_EQ(port.report().dropped, 13u);
}

}  // namespace
}  // namespace uroce::net::test
