// Memory that is gone while it is registered: the operation fails as on a NIC without the page, and nothing
// else happens.
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ostream>
#include <thread>
#include <tuple>

#include "fixture.h"
#include "tests/map_apart.h"

namespace uroce::verbs::test {
namespace {

enum class Loss { unmapped, unreadable, read_only, truncated };

std::ostream& operator<<(std::ostream& out, Loss loss) {
  constexpr const char* kNames[] = {"unmapped", "unreadable", "read_only", "truncated"};
  return out << kNames[static_cast<int>(loss)];
}

// Registered memory that can be lost from any page on.
class Losable {
 public:
  static constexpr std::size_t kSize = 1 << 16;

  Losable(ibv_pd* pd, Loss loss) : loss_(loss) {
    if (loss == Loss::truncated) {
      file_ = memfd_create("losable", 0);
      EXPECT_EQ(ftruncate(file_, kSize), 0);
    }
    const int flags = file_ >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    at_ = map_apart(kSize, flags, file_);
    EXPECT_NE(at_, MAP_FAILED);
    mr_ = ibv_reg_mr(pd, at_, kSize, kAllAccess);
    EXPECT_NE(mr_, nullptr);
  }
  ~Losable() {
    EXPECT_EQ(ibv_dereg_mr(mr_), 0);
    munmap(at_, loss_ == Loss::unmapped ? kept_ : kSize);
    if (file_ >= 0) close(file_);
  }
  Losable(const Losable&) = delete;
  Losable& operator=(const Losable&) = delete;

  void lose(std::size_t from = 0) {
    kept_ = from;
    uint8_t* begin = static_cast<uint8_t*>(at_) + from;
    switch (loss_) {
      case Loss::unmapped:
        EXPECT_EQ(munmap(begin, kSize - from), 0);
        break;
      case Loss::unreadable:
        EXPECT_EQ(mprotect(begin, kSize - from, PROT_NONE), 0);
        break;
      case Loss::read_only:
        EXPECT_EQ(mprotect(begin, kSize - from, PROT_READ), 0);
        break;
      case Loss::truncated:
        EXPECT_EQ(ftruncate(file_, static_cast<off_t>(from)), 0);
        break;
    }
  }
  uint64_t address() const { return reinterpret_cast<uintptr_t>(at_); }
  uint32_t key() const { return mr_->rkey; }
  ibv_sge sge(uint32_t length) const { return {address(), length, mr_->lkey}; }

 private:
  Loss loss_;
  int file_ = -1;
  void* at_ = nullptr;
  ibv_mr* mr_ = nullptr;
  std::size_t kept_ = kSize;
};

// The use of the lost memory.
enum class Need {
  write_source,
  write_target,
  read_source,
  read_target,
  send_source,
  receive,
  atomic_target,
  atomic_result,
  immediate
};

std::ostream& operator<<(std::ostream& out, Need need) {
  constexpr const char* kNames[] = {"write_source",  "write_target",  "read_source",
                                    "read_target",   "send_source",   "receive",
                                    "atomic_target", "atomic_result", "immediate"};
  return out << kNames[static_cast<int>(need)];
}

bool is_local(Need need) {
  return need == Need::write_source || need == Need::read_target || need == Need::send_source ||
         need == Need::atomic_result;
}

bool is_atomic(Need need) { return need == Need::atomic_target || need == Need::atomic_result; }

bool only_read(Need need) {
  return need == Need::write_source || need == Need::read_source || need == Need::send_source;
}

class GoneMemory : public DeviceTest {
 protected:
  // A request of 8 bytes or more with one side in `lost`.
  ibv_send_wr request(Need need, const Losable& lost, uint32_t length, ibv_sge* sge) {
    static constexpr ibv_wr_opcode kOpcodes[] = {IBV_WR_RDMA_WRITE,
                                                 IBV_WR_RDMA_WRITE,
                                                 IBV_WR_RDMA_READ,
                                                 IBV_WR_RDMA_READ,
                                                 IBV_WR_SEND,
                                                 IBV_WR_SEND,
                                                 IBV_WR_ATOMIC_FETCH_AND_ADD,
                                                 IBV_WR_ATOMIC_CMP_AND_SWP,
                                                 IBV_WR_RDMA_WRITE_WITH_IMM};
    *sge = is_local(need) ? lost.sge(length) : sge_a(0, length);
    ibv_send_wr wr = send_wr(kOpcodes[static_cast<int>(need)], sge);
    const uint64_t to = is_local(need) ? reinterpret_cast<uintptr_t>(memory_b.data()) : lost.address();
    const uint32_t key = is_local(need) ? mr_b->rkey : lost.key();
    if (need == Need::atomic_target || need == Need::atomic_result) {
      wr.wr.atomic = {.remote_addr = to, .compare_add = 0, .swap = 1, .rkey = key};
    } else {
      wr.wr.rdma = {.remote_addr = to, .rkey = key};
    }
    return wr;
  }
  void prepare_receive(Need need, const Losable& lost, uint32_t length) {
    if (need == Need::receive) {
      ASSERT_EQ(post_recv(qp_b, lost.sge(length)), 0);
    } else if (need == Need::send_source || need == Need::immediate) {
      ASSERT_EQ(post_recv(qp_b, sge_b(0, length)), 0);
    }
  }
  // Checks the statuses of both ends.
  void expect_failure(Need need, bool in_the_middle = false) {
    const ibv_wc sent = poll_one(cq_a);
    EXPECT_EQ(sent.wr_id, 1u);
    EXPECT_EQ(sent.status, is_local(need) ? IBV_WC_LOC_PROT_ERR : IBV_WC_REM_OP_ERR);
    if (need == Need::receive || need == Need::immediate) {
      const ibv_wc received = poll_one(cq_b);
      EXPECT_EQ(received.wr_id, 2u);
      // The last packet of a WRITE with immediate data needs the receive.
      const bool needed = need == Need::receive || !in_the_middle;
      EXPECT_EQ(received.status, needed ? IBV_WC_LOC_PROT_ERR : IBV_WC_WR_FLUSH_ERR);
    }
  }
  // Checks that two more QPs of this process still reach each other.
  void expect_alive() {
    ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_RC));
    ASSERT_NO_FATAL_FAILURE(connect());
    memory_a[0] = 0x77;
    ibv_sge sge = sge_a(0, 4096);
    ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
    aim(&wr, 0);
    ASSERT_EQ(post(qp_a, wr), 0);
    while (true) {
      const ibv_wc wc = poll_one(cq_a);
      if (wc.status == IBV_WC_WR_FLUSH_ERR) continue;
      EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
      break;
    }
    EXPECT_EQ(memory_b[0], 0x77);
  }
};

class EveryLossOfAPart : public GoneMemory, public testing::WithParamInterface<std::tuple<Need, Loss>> {};
class EveryLoss : public GoneMemory, public testing::WithParamInterface<std::tuple<Need, Loss>> {};

TEST_P(EveryLoss, FailsTheRequestAndNothingElse) {
  const auto [need, loss] = GetParam();
  for (const uint32_t length : {1u, 100u, 4096u}) {
    SCOPED_TRACE(length);
    ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_RC));
    ASSERT_NO_FATAL_FAILURE(connect());
    Losable lost(pd, loss);
    prepare_receive(need, lost, length);
    lost.lose();
    ibv_sge sge;
    ASSERT_EQ(post(qp_a, request(need, lost, is_atomic(need) ? 8 : length, &sge)), 0);
    expect_failure(need);
    ASSERT_NO_FATAL_FAILURE(expect_alive());
  }
}

// The first packets find their memory, a later one does not.
TEST_P(EveryLossOfAPart, FailsInTheMiddleOfAMessage) {
  const auto [need, loss] = GetParam();
  ASSERT_NO_FATAL_FAILURE(connect());
  Losable lost(pd, loss);
  prepare_receive(need, lost, Losable::kSize);
  lost.lose(static_cast<std::size_t>(8 * sysconf(_SC_PAGESIZE)));
  ibv_sge sge;
  ASSERT_EQ(post(qp_a, request(need, lost, Losable::kSize, &sge)), 0);
  expect_failure(need, true);
  ASSERT_NO_FATAL_FAILURE(expect_alive());
}

std::string name_of(const testing::TestParamInfo<EveryLoss::ParamType>& info) {
  std::ostringstream name;
  name << std::get<0>(info.param) << "_" << std::get<1>(info.param);
  return name.str();
}

// Memory that is only read may be read-only, and an atomic has only one packet.
std::vector<std::tuple<Need, Loss>> losses(bool of_a_part) {
  std::vector<std::tuple<Need, Loss>> all;
  for (const Need need :
       {Need::write_source, Need::write_target, Need::read_source, Need::read_target, Need::send_source,
        Need::receive, Need::atomic_target, Need::atomic_result, Need::immediate}) {
    for (const Loss loss : {Loss::unmapped, Loss::unreadable, Loss::read_only, Loss::truncated}) {
      if (only_read(need) && loss == Loss::read_only) continue;
      if (!of_a_part || !is_atomic(need)) all.emplace_back(need, loss);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, EveryLoss, testing::ValuesIn(losses(false)), name_of);
INSTANTIATE_TEST_SUITE_P(All, EveryLossOfAPart, testing::ValuesIn(losses(true)), name_of);

// The thread that copies has SIGSEGV and SIGBUS blocked: then a fault would end the process without any
// handler.
TEST_F(GoneMemory, InAThreadWithAllSignalsBlocked) {
  ASSERT_NO_FATAL_FAILURE(connect());
  Losable lost(pd, Loss::unmapped);
  lost.lose();
  std::thread([&] {
    sigset_t all, before;
    sigfillset(&all);
    ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &all, nullptr), 0);
    ibv_sge sge;
    ASSERT_EQ(post(qp_a, request(Need::write_target, lost, 64, &sge)), 0);
    expect_failure(Need::write_target);
    // The thread sees the mask that it set.
    ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &before), 0);
    EXPECT_EQ(sigismember(&before, SIGSEGV), 1);
    EXPECT_EQ(sigismember(&before, SIGBUS), 1);
  }).join();
  ASSERT_NO_FATAL_FAILURE(expect_alive());
}

// The signals are blocked after the thread has already copied.
TEST_F(GoneMemory, InAThreadThatBlocksSignalsLater) {
  ASSERT_NO_FATAL_FAILURE(expect_alive());
  Losable lost(pd, Loss::unmapped);
  lost.lose();
  std::thread([&] {
    ASSERT_NO_FATAL_FAILURE(expect_alive());
    sigset_t all;
    sigfillset(&all);
    ASSERT_EQ(sigprocmask(SIG_BLOCK, &all, nullptr), 0);
    ibv_sge sge;
    ASSERT_EQ(post(qp_a, request(Need::write_source, lost, 64, &sge)), 0);
    expect_failure(Need::write_source);
  }).join();
}

// The device's own thread copies while the program sleeps.
TEST_F(GoneMemory, WhileTheTargetSleeps) {
  ASSERT_NO_FATAL_FAILURE(connect());
  Losable lost(pd, Loss::unmapped);
  lost.lose();
  ibv_sge sge;
  ASSERT_EQ(post(qp_a, request(Need::write_target, lost, 4096, &sge)), 0);
  ibv_async_event event{};
  ASSERT_EQ(ibv_get_async_event(context, &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_QP_FATAL);
  EXPECT_EQ(event.element.qp, qp_b);
  ibv_ack_async_event(&event);
  expect_failure(Need::write_target);
}

// Pages that come back when they are touched are not gone.
TEST_F(GoneMemory, MemoryThatIsOnlyDroppedIsThere) {
  ASSERT_NO_FATAL_FAILURE(connect());
  // A sanitizer replaces munlock() by a function that does nothing.
  ASSERT_EQ(syscall(SYS_munlock, memory_b.data(), memory_b.size()), 0);
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t at = (reinterpret_cast<uintptr_t>(memory_b.data()) + page - 1) & ~(page - 1);
  ASSERT_EQ(madvise(reinterpret_cast<void*>(at), 16 * page, MADV_DONTNEED), 0);
  ibv_sge sge = sge_a(0, 4096);
  ibv_send_wr wr = send_wr(IBV_WR_RDMA_WRITE, &sge);
  aim(&wr, at - reinterpret_cast<uintptr_t>(memory_b.data()));
  ASSERT_EQ(post(qp_a, wr), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
}

class GoneMemoryUc : public GoneMemory {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(replace_qps(IBV_QPT_UC));
    for (auto [one, other] : {std::pair(qp_a, qp_b), std::pair(qp_b, qp_a)}) {
      ASSERT_EQ(to_init(one), 0);
      ibv_qp_attr attr{};
      attr.qp_state = IBV_QPS_RTR;
      attr.path_mtu = IBV_MTU_1024;
      attr.dest_qp_num = other->qp_num;
      attr.ah_attr.is_global = 1;
      attr.ah_attr.port_num = 1;
      attr.ah_attr.grh.sgid_index = 1;
      ASSERT_EQ(ibv_query_gid(context, 1, 1, &attr.ah_attr.grh.dgid), 0);
      ASSERT_EQ(ibv_modify_qp(one, &attr,
                              IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN),
                0);
      attr.qp_state = IBV_QPS_RTS;
      ASSERT_EQ(ibv_modify_qp(one, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    }
  }
};

TEST_F(GoneMemoryUc, TheSenderFails) {
  Losable lost(pd, Loss::unmapped);
  lost.lose();
  ibv_sge sge;
  ASSERT_EQ(post(qp_a, request(Need::send_source, lost, 64, &sge)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_LOC_PROT_ERR);
}

TEST_F(GoneMemoryUc, TheReceiveFails) {
  Losable lost(pd, Loss::unmapped);
  prepare_receive(Need::receive, lost, 4096);
  lost.lose();
  ibv_sge sge;
  ASSERT_EQ(post(qp_a, request(Need::receive, lost, 4096, &sge)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  EXPECT_EQ(poll_one(cq_b).status, IBV_WC_LOC_PROT_ERR);
}

// A WRITE to lost memory is dropped, and the next message arrives.
TEST_F(GoneMemoryUc, TheWriteIsDropped) {
  Losable lost(pd, Loss::truncated);
  lost.lose();
  ibv_sge sge;
  ASSERT_EQ(post(qp_a, request(Need::write_target, lost, 4096, &sge)), 0);
  EXPECT_EQ(poll_one(cq_a).status, IBV_WC_SUCCESS);
  ASSERT_EQ(post_recv(qp_b, sge_b(0, 4096)), 0);
  ibv_sge there = sge_a(0, 64);
  ASSERT_EQ(post(qp_a, send_wr(IBV_WR_SEND, &there)), 0);
  EXPECT_EQ(poll_one(cq_b).status, IBV_WC_SUCCESS);
}

}  // namespace
}  // namespace uroce::verbs::test
