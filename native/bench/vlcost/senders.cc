#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "bench/vlcost/connect.h"
#include "uroce/ext/uroce.h"

namespace vlcost {
namespace {

constexpr uint32_t kSize = 64 << 10;  // bytes a message
constexpr uint32_t kDepth = 16;       // outstanding messages per process
constexpr double kWarmUp = 0.3;       // seconds that do not count

struct End {
  uint32_t qpn;
  uint32_t rkey;
  uint64_t address;
};
struct Sent {
  uint64_t bytes;
  uint64_t retransmitted;
};

template <class T>
void tell(int fd, const T& value) {
  if (write(fd, &value, sizeof value) != sizeof value) fail("write", errno);
}

template <class T>
T hear(int fd) {
  T value;
  const ssize_t got = read(fd, &value, sizeof value);
  if (got < 0) fail("read", errno);
  if (got != sizeof value) throw std::runtime_error("the process at the other end is gone");
  return value;
}

// Memory that is registered, and the RC queue pair that uses it.
class Side {
 public:
  Side(const OpenDevice& device, uint32_t qps, uint32_t length) {
    done(ibv_query_gid(device.context(), 1, 1, &gid), "ibv_query_gid");
    memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap", errno);
    const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;  // ibv_reg_mr is a macro
    mr = made(ibv_reg_mr(device.pd(), memory, length, access), "ibv_reg_mr");
    cq = made(ibv_create_cq(device.context(), 2 * kDepth, nullptr, nullptr, 0), "ibv_create_cq");
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq;
    init.qp_type = IBV_QPT_RC;
    init.sq_sig_all = 1;
    init.cap = {
        .max_send_wr = kDepth, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
    for (uint32_t i = 0; i < qps; ++i) {
      qp.push_back(made(ibv_create_qp(device.pd(), &init), "ibv_create_qp"));
    }
  }

  ibv_gid gid;
  void* memory;
  ibv_mr* mr;
  ibv_cq* cq;
  std::vector<ibv_qp*> qp;
};

uint64_t counter(ibv_context* context, const char* name) {
  auto* query =
      reinterpret_cast<decltype(uroce_query_counters)*>(dlsym(RTLD_DEFAULT, "uroce_query_counters"));
  if (query == nullptr)
    throw std::runtime_error("this is not the device in user space: its counters are missing");
  uint32_t count = 0;
  query(context, nullptr, &count);
  std::vector<uroce_counter> counters(count);
  done(query(context, counters.data(), &count), "uroce_query_counters");
  for (const auto& counter : counters) {
    if (std::string(counter.name) == name) return counter.value;
  }
  throw std::runtime_error(std::string("the device has no counter ") + name);
}

void post(const Side& side, const End& target) {
  ibv_sge sge{.addr = reinterpret_cast<uintptr_t>(side.memory), .length = kSize, .lkey = side.mr->lkey};
  ibv_send_wr wr{}, *bad;
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.opcode = IBV_WR_RDMA_WRITE;
  wr.wr.rdma = {.remote_addr = target.address, .rkey = target.rkey};
  done(ibv_post_send(side.qp[0], &wr, &bad), "ibv_post_send");
}

// Waits for completions, and posts as many messages again. The bytes of those that ended.
uint64_t turn(const Side& side, const End& target) {
  ibv_wc completions[kDepth];
  const int count = ibv_poll_cq(side.cq, kDepth, completions);
  if (count < 0) fail("ibv_poll_cq", EIO);
  for (int i = 0; i < count; ++i) {
    if (completions[i].status != IBV_WC_SUCCESS)
      throw std::runtime_error(std::string("a WRITE failed: ") + ibv_wc_status_str(completions[i].status));
    post(side, target);
  }
  return static_cast<uint64_t>(count) * kSize;
}

void write_until_end(int fd, double seconds) {
  OpenDevice device;
  const Side side(device, 1, kSize);
  tell(fd, End{.qpn = side.qp[0]->qp_num, .rkey = 0, .address = 0});
  const End target = hear<End>(fd);
  connect(side.qp[0], target.qpn, side.gid, IBV_MTU_4096);
  tell(fd, true);
  const auto start = hear<uint64_t>(fd) + static_cast<uint64_t>(kWarmUp * 1e9);  // on the clock of all
  const uint64_t end = start + static_cast<uint64_t>(seconds * 1e9);
  for (uint32_t i = 0; i < kDepth; ++i) post(side, target);
  Sent sent{};
  for (uint64_t now; (now = monotonic_ns()) < end;) {
    const uint64_t bytes = turn(side, target);
    if (now >= start) sent.bytes += bytes;
  }
  sent.retransmitted = counter(device.context(), "retransmitted_pkts");
  tell(fd, sent);
  hear<bool>(fd);  // no process leaves while others still write
}

int start_sender(double seconds) {
  int ends[2];
  done(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
  const pid_t child = fork();
  if (child < 0) fail("fork", errno);
  if (child == 0) {
    close(ends[0]);
    int code = 0;
    try {
      write_until_end(ends[1], seconds);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "vlcost sender: %s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  close(ends[1]);
  return ends[0];
}

}  // namespace

void measure_senders(uint32_t count, double seconds) {
  // Before this process has a device of its own.
  std::vector<int> senders;
  for (uint32_t i = 0; i < count; ++i) senders.push_back(start_sender(seconds));
  OpenDevice device;
  const Side side(device, count, count * kSize);
  for (uint32_t i = 0; i < count; ++i) {
    connect(side.qp[i], hear<End>(senders[i]).qpn, side.gid, IBV_MTU_4096);
    tell(senders[i], End{.qpn = side.qp[i]->qp_num,
                         .rkey = side.mr->rkey,
                         .address = reinterpret_cast<uintptr_t>(side.memory) + uint64_t{i} * kSize});
    hear<bool>(senders[i]);
  }
  const uint64_t start = monotonic_ns();
  for (const int sender : senders) tell(sender, start);
  std::string bytes;
  uint64_t again = 0;
  for (const int sender : senders) {
    const Sent sent = hear<Sent>(sender);
    bytes += (bytes.empty() ? "" : ",") + std::to_string(sent.bytes);
    again += sent.retransmitted;
  }
  for (const int sender : senders) tell(sender, true);
  while (wait(nullptr) > 0) {
  }
  // After a lost packet the next one is out of sequence. Packets that are sent again although none was
  // lost, since their receiver was not scheduled for longer than the timeout, are duplicates.
  std::printf("{\"bytes\":[%s],\"retransmitted\":%llu,\"outOfSequence\":%llu}\n", bytes.c_str(),
              static_cast<unsigned long long>(again),
              static_cast<unsigned long long>(counter(device.context(), "out_of_sequence")));
}

}  // namespace vlcost
