// The extension API: every call behaves as its comment says.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tests/device/fixture.h"
#include "uroce/ext/uroce.h"

namespace uroce::verbs::test {
namespace {

class ExtensionTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    connect();
  }
  void write(uint32_t bytes, uint64_t id = 1, unsigned flags = IBV_SEND_SIGNALED) {
    ibv_sge sge = sge_a(0, bytes);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, id);
    wr.send_flags = flags;
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    if ((flags & IBV_SEND_SIGNALED) != 0) {
      ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
    }
  }
};

TEST_F(ExtensionTest, RefusesForeignContexts) {
  ibv_context foreign{};
  uroce_cpu cpu{};
  EXPECT_EQ(uroce_query_cpu(&foreign, &cpu), EINVAL);
  EXPECT_EQ(uroce_query_cpu(nullptr, &cpu), EINVAL);
  EXPECT_EQ(uroce_tap_stop(&foreign), EINVAL);
  EXPECT_EQ(uroce_version() >> 16, static_cast<uint32_t>(UROCE_VERSION_MAJOR));
}

TEST_F(ExtensionTest, CountersCountPackets) {
  const auto before = counters();
  write(8192);
  const auto after = counters();
  EXPECT_GE(after.at("sent_pkts") - before.at("sent_pkts"), 3u);  // two of data, an ACK
  EXPECT_GE(after.at("rcvd_pkts") - before.at("rcvd_pkts"), 3u);
  EXPECT_TRUE(after.contains("duplicate_request"));
  EXPECT_TRUE(after.contains("icrc_errors"));
}

TEST_F(ExtensionTest, QueuesHoldWhatWasNotPolled) {
  uroce_queue send{}, recv{}, cq{};
  ASSERT_EQ(uroce_query_qp_queues(qp_a, &send, &recv), 0);
  const uint32_t before = send.used;
  EXPECT_EQ(before, 0u);
  EXPECT_GT(send.size, 0u);
  ibv_sge sge = sge_a(0, 64);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, 1);
  wr.send_flags = IBV_SEND_SIGNALED;
  aim(&wr, 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(post(qp_a, wr), 0);
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (cq.used < 3 && std::chrono::steady_clock::now() < end) ASSERT_EQ(uroce_query_cq_queue(cq_a, &cq), 0);
  EXPECT_EQ(cq.used, 3u);
  ASSERT_EQ(uroce_query_qp_queues(qp_a, &send, nullptr), 0);
  EXPECT_EQ(send.used, 3u);
  EXPECT_EQ(send.queued, 0u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ASSERT_EQ(uroce_query_qp_queues(qp_a, &send, nullptr), 0);
  ASSERT_EQ(uroce_query_cq_queue(cq_a, &cq), 0);
  EXPECT_EQ(send.used + cq.used, 0u);
  EXPECT_EQ(uroce_query_qp_queues(nullptr, &send, &recv), EINVAL);
  EXPECT_EQ(uroce_query_cq_queue(cq_a, nullptr), EINVAL);
  EXPECT_EQ(uroce_query_srq_queue(nullptr, &cq), EINVAL);
}

TEST_F(ExtensionTest, CpuTimeGrowsWithWork) {
  uroce_cpu before{}, after{};
  ASSERT_EQ(uroce_query_cpu(context, &before), 0);
  for (int i = 0; i < 200; ++i) write(1 << 20);
  ASSERT_EQ(uroce_query_cpu(context, &after), 0);
  EXPECT_GT(after.engine_user_ns, before.engine_user_ns);
  // Through shared memory the kernel has no part in it, except for occasional polls of the sockets.
  const uint64_t kernel = after.engine_kernel_ns - before.engine_kernel_ns;
  if (has_rings()) {
    EXPECT_LT(kernel, (after.engine_user_ns - before.engine_user_ns) / 10);
  } else {
    EXPECT_GT(kernel, 0u);
  }
  EXPECT_GE(after.app_thread_ns, after.app_user_ns);
  EXPECT_GT(after.progress_calls, before.progress_calls);
  // Copies and checksums of 400 MiB take more than a millisecond and less than a minute.
  EXPECT_GT(after.engine_user_ns - before.engine_user_ns, 1'000'000u);
  EXPECT_LT(after.engine_user_ns - before.engine_user_ns, 60'000'000'000u);
}

TEST_F(ExtensionTest, StampsTellTheLifeOfARequest) {
  const uroce_stamps_attr attr{};
  EXPECT_EQ(uroce_stamps_stop(context), ENOENT);
  ASSERT_EQ(uroce_stamps_start(context, &attr), 0);
  EXPECT_EQ(uroce_stamps_start(context, &attr), EBUSY);
  write(100'000, 33);
  write(10, 34, 0);
  write(10, 35);
  ASSERT_EQ(uroce_stamps_stop(context), 0);
  uroce_stamp stamps[8];
  uint32_t n = 8;
  uint64_t dropped = 9;
  ASSERT_EQ(uroce_stamps_read(context, stamps, &n, &dropped), 0);
  ASSERT_EQ(n, 3u);
  EXPECT_EQ(dropped, 0u);
  const uroce_stamp& s = stamps[0];
  EXPECT_EQ(s.wr_id, 33u);
  EXPECT_EQ(s.qpn, qp_a->qp_num);
  EXPECT_EQ(s.opcode, static_cast<uint32_t>(IBV_WR_RDMA_WRITE));
  EXPECT_EQ(s.byte_len, 100'000u);
  EXPECT_EQ(s.status, static_cast<uint32_t>(IBV_WC_SUCCESS));
  EXPECT_LE(s.posted, s.first_tx);
  EXPECT_LE(s.first_tx, s.last_tx);
  EXPECT_LE(s.last_tx, s.acked);
  EXPECT_LE(s.acked, s.cqe);
  EXPECT_LE(s.cqe, s.polled);
  EXPECT_GT(s.posted, 0u);
  for (const uroce_stamp& other : stamps) {
    if (&other - stamps >= n || other.wr_id != 34) continue;
    EXPECT_EQ(other.polled, 0u) << "unsignaled: it is never polled";
    EXPECT_GT(other.acked, 0u);
  }
  n = 8;
  ASSERT_EQ(uroce_stamps_read(context, stamps, &n, nullptr), 0);
  EXPECT_EQ(n, 0u);
}

TEST_F(ExtensionTest, SendsAPacketAsItIs) {
  const uroce_tap_attr attr{};
  std::vector<uint64_t> buffer(10'000);
  std::size_t used = 0;
  uroce_fault_rule drop{};
  drop.match = UROCE_MATCH_QPN;
  drop.qpn = qp_b->qp_num;
  drop.action = UROCE_FAULT_DROP;
  ASSERT_EQ(uroce_tap_start(context, &attr), 0);
  ASSERT_EQ(uroce_set_faults(context, nullptr, &drop, 1), 0);
  ibv_sge sge = sge_a(0, 64);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, 7);
  wr.send_flags = IBV_SEND_SIGNALED;
  aim(&wr, 0);
  ASSERT_EQ(post(qp_a, wr), 0);
  ASSERT_EQ(uroce_tap_read(context, buffer.data(), buffer.size() * 8, &used, nullptr), 0);
  ASSERT_GT(used, sizeof(uroce_tap_record));
  const auto& record = reinterpret_cast<const uroce_tap_record&>(buffer[0]);
  ASSERT_NE(record.flags & UROCE_PKT_FAULT_DROP, 0);
  const auto* packet = reinterpret_cast<const uint8_t*>(&record + 1);
  const std::size_t headers = (packet[0] >> 4 == 4 ? 20 : 40) + 8;
  // Only the length of the packet is checked.
  EXPECT_EQ(uroce_send_packet(qp_a, packet + headers, 15), EINVAL);
  EXPECT_EQ(uroce_send_packet(qp_a, nullptr, 64), EINVAL);
  EXPECT_EQ(uroce_send_packet(nullptr, packet + headers, 64), EINVAL);
  // The peer executes the packet like the request, and the request completes.
  ASSERT_EQ(uroce_send_packet(qp_a, packet + headers, record.cap_len - headers), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  ASSERT_EQ(uroce_tap_stop(context), 0);
}

TEST_F(ExtensionTest, TapShowsBothDirections) {
  const uroce_tap_attr attr{};
  std::vector<uint64_t> buffer(100'000);
  std::size_t used = 0;
  EXPECT_EQ(uroce_tap_stop(context), ENOENT);
  ASSERT_EQ(uroce_tap_start(context, &attr), 0);
  EXPECT_EQ(uroce_tap_start(context, &attr), EBUSY);
  write(10'000);
  ASSERT_EQ(uroce_tap_stop(context), 0);
  ASSERT_EQ(uroce_tap_read(context, buffer.data(), buffer.size() * 8, &used, nullptr), 0);
  int rx = 0, tx = 0;
  for (std::size_t at = 0; at < used;) {
    uroce_tap_record record;
    const auto* bytes = reinterpret_cast<const uint8_t*>(buffer.data()) + at;
    std::memcpy(&record, bytes, sizeof record);
    (record.direction == UROCE_DIR_RX ? rx : tx)++;
    EXPECT_EQ(record.flags, 0);
    EXPECT_EQ(record.cap_len, record.orig_len);
    EXPECT_EQ(bytes[sizeof record], 0x45) << "an IPv4 header";
    at += (sizeof record + record.cap_len + 7) & ~std::size_t{7};
  }
  EXPECT_EQ(tx, rx) << "both ends are in this process";
  EXPECT_GE(tx, 4);  // three of data, an ACK
  EXPECT_EQ(uroce_tap_start(context, nullptr), EINVAL);
}

TEST_F(ExtensionTest, FaultsAreRepaired) {
  uroce_fault_rates rates{};
  rates.drop_ppm = 20'000;
  rates.duplicate_ppm = 10'000;
  rates.reorder_ppm = 10'000;
  rates.corrupt_ppm = 10'000;
  rates.seed = 5;
  ASSERT_EQ(uroce_set_faults(context, &rates, nullptr, 0), 0);
  for (std::size_t i = 0; i < kBuffer; ++i) memory_a[i] = static_cast<uint8_t>(i * 7);
  for (int i = 0; i < 10; ++i) {
    std::fill(memory_b.begin(), memory_b.end(), uint8_t{0});
    write(kBuffer);
    ASSERT_EQ(memory_a, memory_b);
  }
  uroce_fault_report report{};
  ASSERT_EQ(uroce_query_faults(context, &report), 0);
  EXPECT_EQ(report.seed, 5u);
  EXPECT_GT(report.dropped, 0u);
  EXPECT_GT(report.corrupted, 0u);
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  EXPECT_GE(counters().at("icrc_errors"), 1u);
  write(kBuffer);
}

TEST_F(ExtensionTest, ARuleDropsTheFirstTransmissionOfOnePacket) {
  uroce_fault_rule rule{};
  rule.match = UROCE_MATCH_QPN | UROCE_MATCH_OPCODE | UROCE_MATCH_ITER;
  rule.qpn = qp_b->qp_num;
  rule.opcode = 0x0a;  // RC WRITE Only
  rule.iter = 1;
  rule.action = UROCE_FAULT_DROP;
  ASSERT_EQ(uroce_set_faults(context, nullptr, &rule, 1), 0);
  const uint64_t before = counters().at("retransmitted_pkts");
  write(8);
  EXPECT_EQ(counters().at("retransmitted_pkts"), before + 1);
  ASSERT_EQ(uroce_set_faults(context, nullptr, nullptr, 0), 0);
  rule.action = 77;
  EXPECT_EQ(uroce_set_faults(context, nullptr, &rule, 1), EINVAL);
}

TEST_F(ExtensionTest, CaptureFile) {
  const std::string path = ::testing::TempDir() + "uroce-device.pcapng";
  EXPECT_EQ(uroce_pcapng_close(context), ENOENT);
  ASSERT_EQ(uroce_pcapng_open(context, path.c_str()), 0);
  EXPECT_EQ(uroce_pcapng_open(context, path.c_str()), EBUSY);
  write(10'000);
  ASSERT_EQ(uroce_pcapng_close(context), 0);
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  EXPECT_GT(file.tellg(), 20'000);
  std::remove(path.c_str());
  EXPECT_EQ(uroce_pcapng_open(context, "/nonexistent/file"), ENOENT);
}

// Two connected queue pairs that have not sent anything.
class LinkTest : public DeviceTest {
 protected:
  // Growth since the last call; 0 for a counter that a process without rings does not have.
  uint64_t grown(const char* name) {
    const auto now = counters();
    const uint64_t value = now.contains(name) ? now.at(name) : 0;
    return value - std::exchange(last_[name], value);
  }
  std::map<std::string, uint64_t> last_;
  // The link, once the other process has answered.
  static uroce_link link_of(ibv_qp* qp) {
    uroce_link link{};
    int error = EAGAIN;
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    while (error == EAGAIN && std::chrono::steady_clock::now() < end) error = uroce_query_qp_link(qp, &link);
    EXPECT_EQ(error, 0);
    return link;
  }
  void write() {
    ibv_sge sge = sge_a(0, 4096);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, 1);
    wr.send_flags = IBV_SEND_SIGNALED;
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    ASSERT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  }
};

TEST_F(LinkTest, IsThatOfTheProcessByDefault) {
  connect();
  EXPECT_EQ(link_of(qp_a), has_rings() ? UROCE_LINK_SHM : UROCE_LINK_UDP);
  grown("shm_packets_out");
  write();
  // With the ACK; more if this process did not run for longer than the ACK timeout, and sent again.
  const uint64_t packets = grown("shm_packets_out");
  if (has_rings()) {
    EXPECT_GE(packets, 2u);
  } else {
    EXPECT_EQ(packets, 0u);
  }
}

TEST_F(LinkTest, CanBeTheSocketsForSomeQueuePairs) {
  ASSERT_EQ(uroce_set_qp_link(qp_a, UROCE_LINK_UDP), 0);
  ASSERT_EQ(uroce_set_qp_link(qp_b, UROCE_LINK_AUTO), 0);
  connect();
  EXPECT_EQ(link_of(qp_a), UROCE_LINK_UDP);
  EXPECT_EQ(link_of(qp_b), has_rings() ? UROCE_LINK_SHM : UROCE_LINK_UDP);
  grown("shm_packets_out");
  grown("udp_sends");
  write();
  const uint64_t packets = grown("shm_packets_out");  // the ACK, or several
  if (has_rings()) {
    EXPECT_GE(packets, 1u);
  } else {
    EXPECT_EQ(packets, 0u);
  }
  EXPECT_GE(grown("udp_sends"), 1u);
}

TEST_F(LinkTest, HasNoAnswerForOthers) {
  uroce_link link{};
  EXPECT_EQ(uroce_query_qp_link(qp_a, &link), ENOTCONN);
  EXPECT_EQ(uroce_query_qp_link(qp_a, nullptr), EINVAL);
  ibv_qp foreign{};
  EXPECT_EQ(uroce_query_qp_link(&foreign, &link), EINVAL);
  EXPECT_EQ(uroce_set_qp_link(nullptr, UROCE_LINK_UDP), EINVAL);
  EXPECT_EQ(uroce_set_qp_link(qp_a, UROCE_LINK_SHM), EINVAL);
}

}  // namespace
}  // namespace uroce::verbs::test
