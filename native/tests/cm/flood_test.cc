// A hostile neighbor: a process that sends packets of any kind to the device, as fast as it can, while two
// queue pairs go on with their work. It knows all their numbers: queue pairs, keys and addresses.
#include <rdma/rdma_cma.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <random>

#include "raw_sender.h"
#include "tests/device/fixture.h"
#include "tests/under_sanitizers.h"
#include "uroce/wire/cm_messages.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::cm::test {
namespace {

constexpr Ip kDevice{127, 0, 0, 1};
constexpr Ip kPeer{127, 0, 0, 64};  // the victims are connected to it
constexpr uint32_t kQkey = 0x11111111;
constexpr uint32_t kPeerQpn = 0x77;
constexpr uint32_t kGuard = 4096;

// Sent to the neighbor when everything is set up.
struct Knowledge {
  std::array<uint32_t, 4> victims;     // RC, RC, UC, UD
  std::array<uint32_t, 2> bystanders;  // the pair at work
  uint64_t granted;                    // where the victims' peer may write
  uint32_t granted_rkey, bystander_rkey;
  uint64_t bystander_memory;
  uint16_t cm_port;
  uint32_t packets;  // to send
  uint32_t seed;
};

class Neighbor {
 public:
  explicit Neighbor(const Knowledge& k) : k_(k), random_(k.seed), sender_(kDevice) {
    if (!sender_.ready()) _exit(2);
    for (int i = 0; i < 20'000; ++i) pool_.push_back(invent());
  }

  void flood() {
    std::array<const RawPacket*, RawSender::kBatch> batch;
    for (uint32_t sent = 0; sent < k_.packets; sent += RawSender::kBatch) {
      for (std::size_t i = 0; i < RawSender::kBatch; ++i) {
        // Most packets are sent once; some again, like a replay.
        batch[i] = &pool_[below(10) == 0 ? below(64) : (sent + i) % pool_.size()];
      }
      if (!sender_.send(batch)) _exit(3);
    }
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  template <class T>
  auto& any(T& choices) {
    return choices[below(static_cast<uint32_t>(choices.size()))];
  }
  Bytes noise(uint32_t length) {
    Bytes out(length);
    for (uint8_t& b : out) b = static_cast<uint8_t>(random_());
    return out;
  }
  Ip stranger() {
    return {127, static_cast<uint8_t>(65 + below(100)), static_cast<uint8_t>(below(256)),
            static_cast<uint8_t>(1 + below(250))};
  }

  RawPacket sealed(const Ip& source, Bytes bytes) { return sender_.sealed(source, std::move(bytes)); }
  Bytes bth(uint8_t opcode, uint32_t qpn) {
    wire::Bth header;
    header.opcode = opcode;
    header.pkey = 0xffff;
    header.dest_qpn = qpn;
    header.ack_req = below(2) == 0;
    header.psn = below(4) == 0 ? below(1 << 24) : 100 + below(16);
    Bytes out(wire::Bth::kSize);
    header.emit(out.data());
    return out;
  }
  Bytes reth(uint64_t address, uint32_t rkey, uint32_t length) {
    Bytes out(wire::Reth::kSize);
    wire::Reth{.va = address, .rkey = rkey, .length = length}.emit(out.data());
    return out;
  }

  // Requests of the victims' own peer, one-sided and two-sided: into the granted memory, around it, beside
  // it.
  RawPacket of_the_peer() {
    static constexpr uint8_t kServices[] = {0x00, 0x20, 0x60};
    const uint32_t victim = below(4);
    const auto opcode = static_cast<uint8_t>(kServices[victim == 3 ? 2 : victim == 2 ? 1 : 0] | below(0x18));
    Bytes out = bth(opcode, k_.victims[victim]);
    if (victim == 3) {
      Bytes deth(wire::Deth::kSize);
      wire::Deth{.qkey = below(4) == 0 ? below(1u << 30) : kQkey, .src_qpn = kPeerQpn}.emit(deth.data());
      append(&out, deth);
    } else if (below(4) != 0) {
      const uint64_t around = k_.granted - kGuard + below(3 * kGuard);
      append(&out, reth(below(8) == 0 ? random_() : around, below(8) == 0 ? below(1u << 30) : k_.granted_rkey,
                        below(16) == 0 ? static_cast<uint32_t>(random_()) : below(2 * kGuard)));
    }
    const uint32_t length = below(3) == 0 ? below(9000) : below(300);
    append(&out, noise(length));
    return sealed(kPeer, std::move(out));
  }
  // Requests that claim to come from one of the pair at work, but from another address.
  RawPacket impostor() {
    Bytes out = bth(static_cast<uint8_t>(below(0x18)), any(k_.bystanders));
    append(&out, reth(k_.bystander_memory + below(1 << 16), k_.bystander_rkey, below(4096)));
    append(&out, noise(below(4096)));
    return sealed(stranger(), std::move(out));
  }
  RawPacket connection_request() {
    wire::CmReq req;
    req.local_comm_id = static_cast<uint32_t>(random_());
    req.local_qpn = below(1 << 24);
    req.service_id = 0x01060000u | (below(4) == 0 ? below(1 << 16) : k_.cm_port);
    req.primary.local_ack_timeout = static_cast<uint8_t>(below(32));
    wire::CmIp ip;
    ip.ip_version = 4;
    ip.emit(req.private_data.data());
    Bytes out = mad_packet(wire::make_mad(random_(), req));
    if (below(4) == 0) {
      // Any other message of connection management.
      out[wire::Bth::kSize + wire::Deth::kSize + 17] = static_cast<uint8_t>(0x10 + below(12));
    }
    return sealed(stranger(), std::move(out));
  }
  RawPacket invent() {
    switch (below(8)) {
      case 0:
        return {stranger(), noise(below(2000))};
      case 1: {
        RawPacket cut = of_the_peer();
        cut.bytes.resize(below(static_cast<uint32_t>(cut.bytes.size())));
        return cut;
      }
      case 2: {
        Bytes out = bth(static_cast<uint8_t>(below(256)), any(k_.victims));
        append(&out, noise(below(100) == 0 ? 60'000 : below(64)));
        return sealed(kPeer, std::move(out));
      }
      case 3:
        return impostor();
      case 4:
      case 5:
        return connection_request();
      default:
        return of_the_peer();
    }
  }

  Knowledge k_;
  std::mt19937_64 random_;
  RawSender sender_;
  std::vector<RawPacket> pool_;
};

// Bytes of resident memory of the process.
uint64_t resident() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

class FloodTest : public verbs::test::DeviceTest {
 protected:
  void SetUp() override {
    // Forked first, so that it inherits nothing of the device.
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    neighbor_ = fork();
    if (neighbor_ == 0) {
      close(ends[1]);
      Knowledge knowledge;
      if (read(ends[0], &knowledge, sizeof knowledge) != sizeof knowledge) _exit(1);
      Neighbor(knowledge).flood();
      _exit(0);
    }
    close(ends[0]);
    to_neighbor_ = ends[1];
    verbs::test::DeviceTest::SetUp();
    connect();
    arena_.assign(3 * kGuard, 0x5a);
    granted_ = ibv_reg_mr(pd, arena_.data() + kGuard, kGuard, verbs::test::kAllAccess);
    ASSERT_NE(granted_, nullptr);
    cq_ = ibv_create_cq(context, 4096, nullptr, nullptr, 0);
    for (ibv_qp_type type : {IBV_QPT_RC, IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD})
      victims_.push_back(victim(type));
    listen();
  }
  void TearDown() override {
    close(to_neighbor_);
    if (neighbor_ > 0) waitpid(neighbor_, nullptr, 0);
    EXPECT_EQ(rdma_destroy_id(listener_), 0);
    rdma_destroy_event_channel(channel_);
    for (ibv_qp* qp : victims_) EXPECT_EQ(ibv_destroy_qp(qp), 0);
    EXPECT_EQ(ibv_destroy_cq(cq_), 0);
    EXPECT_EQ(ibv_dereg_mr(granted_), 0);
    verbs::test::DeviceTest::TearDown();
  }

  // Ready to receive from the neighbor.
  ibv_qp* victim(ibv_qp_type type) {
    ibv_qp* qp = create_qp(cq_, type);
    EXPECT_NE(qp, nullptr);
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qkey = kQkey;
    attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
                           (type == IBV_QPT_RC ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC : 0);
    const int last = type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
    EXPECT_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | last), 0);
    for (int i = 0; i < 64; ++i) {
      ibv_sge sge{reinterpret_cast<uintptr_t>(granted_->addr), kGuard, granted_->lkey};
      EXPECT_EQ(post_recv(qp, sge), 0);
    }
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_4096;
    attr.dest_qp_num = kPeerQpn;
    attr.rq_psn = 100;
    attr.max_dest_rd_atomic = 16;
    attr.min_rnr_timer = 12;
    attr.ah_attr.is_global = 1;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.grh.sgid_index = 1;
    attr.ah_attr.grh.hop_limit = 64;
    EXPECT_EQ(ibv_query_gid(context, 1, 1, &attr.ah_attr.grh.dgid), 0);
    std::copy(kPeer.begin(), kPeer.end(), attr.ah_attr.grh.dgid.raw + 12);
    int mask = IBV_QP_STATE;
    if (type != IBV_QPT_UD) mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (type == IBV_QPT_RC) mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    EXPECT_EQ(ibv_modify_qp(qp, &attr, mask), 0);
    return qp;
  }
  // Requests arrive, and the program accepts none of them.
  void listen() {
    channel_ = rdma_create_event_channel();
    ASSERT_EQ(rdma_create_id(channel_, &listener_, nullptr, RDMA_PS_TCP), 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    std::memcpy(&here.sin_addr, kDevice.data(), 4);
    ASSERT_EQ(rdma_bind_addr(listener_, reinterpret_cast<sockaddr*>(&here)), 0);
    ASSERT_EQ(rdma_listen(listener_, 16), 0);
  }
  Knowledge knowledge(uint32_t packets, uint32_t seed) const {
    return {.victims = {victims_[0]->qp_num, victims_[1]->qp_num, victims_[2]->qp_num, victims_[3]->qp_num},
            .bystanders = {qp_a->qp_num, qp_b->qp_num},
            .granted = reinterpret_cast<uintptr_t>(granted_->addr),
            .granted_rkey = granted_->rkey,
            .bystander_rkey = mr_b->rkey,
            .bystander_memory = reinterpret_cast<uintptr_t>(memory_b.data()),
            .cm_port = ntohs(rdma_get_src_port(listener_)),
            .packets = packets,
            .seed = seed};
  }
  bool gone() { return waitpid(neighbor_, &status_, WNOHANG) == neighbor_; }
  // Sends bytes that are unique to this round, and checks that they arrived.
  void round(uint32_t number) {
    constexpr uint32_t kLength = 60'000;
    for (uint32_t i = 0; i < kLength; ++i) memory_a[i] = static_cast<uint8_t>(i * 7 + number);
    ibv_sge sge = sge_a(0, kLength);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge, number);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    ibv_wc wc = verbs::test::poll_one(cq_a);
    for (int i = 0; i < 10 && wc.wr_id == UINT64_MAX; ++i)
      wc = verbs::test::poll_one(cq_a);  // it may be slow
    ASSERT_EQ(wc.status, IBV_WC_SUCCESS) << "round " << number;
    ASSERT_EQ(wc.wr_id, number);
    ASSERT_TRUE(std::equal(memory_a.begin(), memory_a.begin() + kLength, memory_b.begin())) << number;
  }

  pid_t neighbor_ = 0;
  int to_neighbor_ = -1, status_ = 0;
  Bytes arena_;
  ibv_mr* granted_ = nullptr;
  ibv_cq* cq_ = nullptr;
  std::vector<ibv_qp*> victims_;
  rdma_event_channel* channel_ = nullptr;
  rdma_cm_id* listener_ = nullptr;
};

TEST_F(FloodTest, OthersWorkOnAndOnlyWhatWasGrantedChanges) {
  const uint32_t packets = kUnderSanitizers ? 50'000 : 300'000;
  const uint32_t seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  uint32_t rounds = 0;
  for (; rounds < 10; ++rounds) ASSERT_NO_FATAL_FAILURE(round(rounds));
  const uint64_t before = resident();
  const Knowledge all = knowledge(packets, seed);
  ASSERT_EQ(write(to_neighbor_, &all, sizeof all), static_cast<ssize_t>(sizeof all));
  const uint32_t first = rounds;
  const auto begin = std::chrono::steady_clock::now();
  while (!gone()) {
    ASSERT_NO_FATAL_FAILURE(round(rounds));
    ++rounds;
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  neighbor_ = 0;
  const uint64_t after = resident();
  EXPECT_TRUE(WIFEXITED(status_) && WEXITSTATUS(status_) == 0) << status_;
  std::printf("%u packets and %u rounds of 60 kB in %.1f s; memory grew by %.1f MiB\n", packets,
              rounds - first, passed.count(), static_cast<double>(after - before) / (1 << 20));
  EXPECT_GT(rounds, first) << "nothing moved while the neighbor was at it";
  if (!kUnderSanitizers) {
    EXPECT_LT(after, before + (32u << 20));
  }
  // The flood reached the device, not only its buffer.
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(victims_[0], &attr, IBV_QP_STATE, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_ERR) << "a forbidden request ends a reliable connection";
  for (std::size_t i = 0; i < arena_.size(); ++i) {
    ASSERT_TRUE(i / kGuard == 1 || arena_[i] == 0x5a) << "byte " << i;
  }
  ASSERT_NO_FATAL_FAILURE(round(rounds));
}

}  // namespace
}  // namespace uroce::cm::test
