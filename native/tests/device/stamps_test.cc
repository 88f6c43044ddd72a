// The stamps of work requests compared with the packets in the tap.
#include <algorithm>
#include <tuple>

#include "fixture.h"

namespace uroce::verbs::test {
namespace {

constexpr uint32_t kMtu = 4096;
constexpr uint32_t kFirstPsn = 100;  // DeviceTest::to_rts
constexpr std::size_t kIpUdp = 28;
constexpr uint8_t kOpcodeInService = 0x1f;

struct Packet {
  uint64_t time;
  bool out;
  uint8_t flags, opcode, syndrome;
  uint32_t dest_qpn, psn;

  bool positive_answer() const {
    const uint8_t op = opcode & kOpcodeInService;
    if (op == 0x0d || op == 0x0f || op == 0x10 || op == 0x12) return true;  // answers to a READ or an atomic
    return op == 0x11 && (syndrome & 0x60) == 0;
  }
};

uint32_t load24(const uint8_t* p) { return uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2]; }

class StampsTest : public DeviceTest {
 protected:
  void start() {
    const uroce_stamps_attr stamps{};
    const uroce_tap_attr tap{};
    ASSERT_EQ(uroce_tap_start(context, &tap), 0);
    ASSERT_EQ(uroce_stamps_start(context, &stamps), 0);
  }

  void stop() {
    ASSERT_EQ(uroce_stamps_stop(context), 0);
    ASSERT_EQ(uroce_tap_stop(context), 0);
    uint32_t n = 256;
    stamps.resize(n);
    ASSERT_EQ(uroce_stamps_read(context, stamps.data(), &n, nullptr), 0);
    stamps.resize(n);
    std::vector<uint64_t> buffer(4 << 20);
    std::size_t used = 0;
    uint64_t dropped = 0;
    ASSERT_EQ(uroce_tap_read(context, buffer.data(), buffer.size() * 8, &used, &dropped), 0);
    ASSERT_EQ(dropped, 0u);
    for (std::size_t at = 0; at < used;) {
      uroce_tap_record record;
      const auto* bytes = reinterpret_cast<const uint8_t*>(buffer.data()) + at;
      std::memcpy(&record, bytes, sizeof record);
      const uint8_t* bth = bytes + sizeof record + kIpUdp;
      packets.push_back({record.time_ns, record.direction == UROCE_DIR_TX, record.flags, bth[0], bth[12],
                         load24(bth + 5), load24(bth + 9)});
      at += (sizeof record + record.cap_len + 7) & ~std::size_t{7};
    }
  }

  void post_to_b(ibv_wr_opcode opcode, uint32_t bytes, bool signaled = true) {
    ibv_sge sge = sge_a(0, bytes);
    ibv_send_wr wr = send_wr(opcode, &sge, opcode);
    if (!signaled) wr.send_flags = 0;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
      wr.wr.atomic = {reinterpret_cast<uintptr_t>(memory_b.data()), 1, 0, mr_b->rkey};
    } else {
      aim(&wr, 0);
    }
    ASSERT_EQ(post(qp_a, wr), 0);
  }

  // Times of the packets to b with that PSN.
  std::vector<uint64_t> departures(uint32_t psn) const {
    std::vector<uint64_t> times;
    for (const Packet& p : packets)
      if (p.out && p.dest_qpn == qp_b->qp_num && p.psn == psn) times.push_back(p.time);
    return times;
  }
  // Time of the first answer to a that covers that PSN; 0: none came.
  uint64_t answered(uint32_t psn) const {
    for (const Packet& p : packets)
      if (!p.out && p.dest_qpn == qp_a->qp_num && p.positive_answer() && p.psn >= psn) return p.time;
    return 0;
  }

  // Checks requests that a posted in this order, all answered.
  void check_with_packets() const {
    uint32_t psn = kFirstPsn;
    for (const uroce_stamp& s : stamps) {
      SCOPED_TRACE("opcode " + std::to_string(s.opcode) + ", " + std::to_string(s.byte_len) + " bytes");
      const uint32_t end = psn + std::max(1u, (s.byte_len + kMtu - 1) / kMtu);
      const auto first = departures(psn);
      uint32_t last_psn = end - 1;
      while (last_psn > psn && departures(last_psn).empty()) --last_psn;  // a READ of few requests
      const auto last = departures(last_psn);
      ASSERT_FALSE(first.empty());
      EXPECT_LE(s.posted, s.first_tx);
      EXPECT_EQ(s.first_tx, first.front()) << "the first transmission";
      EXPECT_EQ(s.last_tx, last.back()) << "the last transmission";
      EXPECT_LE(s.first_tx, s.last_tx);
      EXPECT_LE(s.last_tx, s.acked);
      EXPECT_EQ(s.acked, answered(end - 1)) << "the packet that answered it";
      if (s.polled != 0) {
        EXPECT_LE(s.acked, s.cqe);
        EXPECT_LE(s.cqe, s.polled);
      }
      psn = end;
    }
  }

  std::vector<uroce_stamp> stamps;
  std::vector<Packet> packets;
};

TEST_F(StampsTest, AreTheTimesOfThePackets) {
  connect();
  start();
  int signaled = 0;
  for (int round = 0; round < 5; ++round) {
    for (const auto opcode : {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD}) {
      for (const uint32_t bytes : {8u, 10'000u, 200'000u}) {
        if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD && bytes != 8) continue;
        const bool ask = opcode != IBV_WR_RDMA_WRITE || bytes != 10'000;
        post_to_b(opcode, bytes, ask);
        signaled += ask;
      }
    }
    while (signaled > 0) {
      ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
      --signaled;
    }
  }
  stop();
  ASSERT_EQ(stamps.size(), 35u);
  // Unsignaled ones are recorded when they retire, the others when they are polled.
  std::sort(stamps.begin(), stamps.end(), [](const auto& x, const auto& y) {
    return std::tie(x.posted, x.first_tx) < std::tie(y.posted, y.first_tx);
  });
  check_with_packets();
}

TEST_F(StampsTest, TellTheFirstAndTheLastTransmission) {
  connect();
  uroce_fault_rule rules[2]{};
  for (auto& rule : rules) {
    rule.match = UROCE_MATCH_QPN | UROCE_MATCH_PSN | UROCE_MATCH_ITER;
    rule.qpn = qp_b->qp_num;
    rule.iter = 1;
    rule.action = UROCE_FAULT_DROP;
  }
  rules[0].psn = kFirstPsn;
  rules[1].psn = kFirstPsn + 2;
  ASSERT_EQ(uroce_set_faults(context, nullptr, rules, 2), 0);
  start();
  post_to_b(IBV_WR_RDMA_WRITE, 3 * kMtu);
  ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  stop();
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  ASSERT_EQ(stamps.size(), 1u);
  EXPECT_GE(departures(kFirstPsn).size(), 2u);
  EXPECT_GE(departures(kFirstPsn + 2).size(), 2u);
  check_with_packets();
}

// Unreliable services have no ACK: a request completes once its packets were handed over.
TEST_F(StampsTest, OfDatagramsEndWithTheCompletion) {
  ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_UD));
  ibv_qp_attr attr{};
  attr.port_num = 1;
  for (ibv_qp* qp : {qp_a, qp_b}) {
    attr.qp_state = IBV_QPS_INIT;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), 0);
    attr.qp_state = IBV_QPS_RTR;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    attr.qp_state = IBV_QPS_RTS;
    attr.sq_psn = kFirstPsn;
    ASSERT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
  }
  ibv_ah_attr address{};
  address.is_global = 1;
  address.port_num = 1;
  address.grh.sgid_index = 1;
  ASSERT_EQ(ibv_query_gid(context, 1, 1, &address.grh.dgid), 0);
  ibv_ah* ah = ibv_create_ah(pd, &address);
  ASSERT_NE(ah, nullptr);
  start();
  for (int i = 0; i < 30; ++i) {
    ibv_sge sge = sge_a(0, 500);
    ibv_send_wr wr = send_wr(IBV_WR_SEND, &sge);
    wr.wr.ud = {ah, qp_b->qp_num, 0};
    ASSERT_EQ(post(qp_a, wr), 0);
  }
  for (int i = 0; i < 30; ++i) ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  stop();
  EXPECT_EQ(ibv_destroy_ah(ah), 0);
  ASSERT_EQ(stamps.size(), 30u);
  for (uint32_t i = 0; i < 30; ++i) {
    const uroce_stamp& s = stamps[i];
    const auto times = departures(kFirstPsn + i);
    ASSERT_EQ(times.size(), 1u);
    EXPECT_LE(s.posted, s.first_tx);
    EXPECT_EQ(s.first_tx, times[0]);
    EXPECT_EQ(s.last_tx, times[0]);
    EXPECT_EQ(s.acked, 0u);
    EXPECT_LE(s.last_tx, s.cqe);
    EXPECT_LE(s.cqe, s.polled);
  }
}

}  // namespace
}  // namespace uroce::verbs::test
