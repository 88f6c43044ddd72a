// core_bench [CPU seconds per case]: how much the transport core alone costs, per second of CPU time.
// core_bench CASE ROUNDS: one case (its number, from 0), so often, with a clock of its own: for counting
// instructions. Two engines in one thread; the sink copies each packet (and checksums it on the way, in the
// second column) into a buffer that is handed straight to the other engine. No system call is in the way,
// so a device cannot do better than this, and its distance from it is what the sockets cost.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <vector>

#include "uroce/transport/engine.h"
#include "uroce/wire/icrc.h"

namespace {

using namespace uroce;

// CPU time of this thread, so that a busy machine does not spoil the figures.
uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

class Events final : public transport::EventSink {
 public:
  void qp_event(transport::Qp&, EventType) override { std::abort(); }
  void cq_error(transport::Cq&) override { std::abort(); }
  void completion_event(transport::Cq&) override {}
};

// 64 packets, as a device would gather for a few segmented sends.
class Batch final : public transport::PacketSink {
 public:
  explicit Batch(bool crc) : crc_(crc), bytes_(kSlots * kSlot) {}
  uint32_t room() override { return kSlots - count; }
  bool emit(const transport::TxPacket& p) override {
    uint8_t* out = &bytes_[count * kSlot];
    std::memcpy(out, p.header, p.header_len);
    uint8_t* to = out + p.header_len;
    uint32_t state = crc_ ? wire::icrc_headers(wire::kIcrcSeed, p.header, p.header_len) : 0;
    for (uint32_t i = 0; i < p.iov_count; ++i) {
      if (crc_) {
        state = wire::crc_copy(state, to, p.iov[i].base, p.iov[i].len);
      } else {
        std::memcpy(to, p.iov[i].base, p.iov[i].len);
      }
      to += p.iov[i].len;
    }
    std::memset(to, 0, p.pad);
    if (crc_) wire::icrc_store(to + p.pad, state);
    len[count++] = transport::udp_length(p) - wire::kIcrcSize;
    return true;
  }
  // Hands everything to the other engine, checking what was checksummed.
  void deliver(transport::Engine& to, uint64_t now, const Gid& src, const Gid& dst) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint8_t* p = &bytes_[i * kSlot];
      if (crc_ && wire::icrc_headers(wire::kIcrcSeed, p, len[i]) != wire::icrc_load(p + len[i])) std::abort();
      to.on_packet(now, {p, len[i], &src, &dst});
    }
    count = 0;
  }
  uint32_t count = 0;

 private:
  static constexpr uint32_t kSlots = 64, kSlot = 4096 + 128;
  bool crc_;
  std::vector<uint8_t> bytes_;
  uint32_t len[kSlots];
};

struct Host {
  Host(uint8_t id, const transport::EngineConfig& config)
      : random(id), engine(config, random, events), memory(1 << 20) {
    address[15] = id;
    pd = engine.alloc_pd();
    cq = *engine.create_cq(4096);
    qp = *engine.create_qp({QpType::rc, pd, cq, cq, {512, 512, 1, 1, 0}, false, nullptr});
    key = *engine.reg_mr(pd, memory.data(), reinterpret_cast<uintptr_t>(memory.data()), memory.size(),
                         access_flag::local_write | access_flag::remote_any);
  }
  void connect(const Host& peer) {
    QpAttr a;
    a.qp_state = QpState::init;
    a.qp_access_flags = access_flag::remote_any;
    engine.modify_qp(*qp, a, 0x39, 0);
    a.qp_state = QpState::rtr;
    a.av.sgid = address;
    a.av.dgid = peer.address;
    a.path_mtu = 4096;
    a.dest_qp_num = peer.qp->qpn();
    a.max_dest_rd_atomic = 16;
    engine.modify_qp(*qp, a, 0x129181, 0);
    a.qp_state = QpState::rts;
    a.timeout = 14;
    a.retry_cnt = a.rnr_retry = 7;
    a.max_rd_atomic = 16;
    engine.modify_qp(*qp, a, 0x12e01, 0);
  }
  SeededRandom random;
  Events events;
  transport::Engine engine;
  std::vector<uint8_t> memory;
  Gid address{};
  uint32_t pd, key;
  transport::Cq* cq;
  transport::Qp* qp;
};

struct Rate {
  double packets, messages, gigabytes;
};

// rounds: how often the queue is filled and emptied; 0: for so many seconds.
Rate measure(WrOpcode opcode, uint32_t size, uint32_t depth, bool crc, double seconds, uint64_t rounds) {
  transport::EngineConfig config;
  config.window_packets = 512;
  Host a(1, config), b(2, config);
  a.connect(b);
  b.connect(a);
  Batch from_a(crc), from_b(crc);
  const transport::Sge local{reinterpret_cast<uintptr_t>(a.memory.data()), size, a.key};
  const transport::Sge remote{reinterpret_cast<uintptr_t>(b.memory.data()), size, b.key};
  transport::SendWr wr;
  wr.opcode = opcode;
  wr.sg_list = &local;
  wr.num_sge = 1;
  wr.remote_addr = remote.addr;
  wr.rkey = b.key;
  uint64_t done = 0, outstanding = 0, recvs = 0;
  transport::Completion wcs[64];
  const uint64_t start = now_ns();
  uint64_t now = start;
  for (uint64_t round = 0; rounds != 0 ? round < rounds : now - start < static_cast<uint64_t>(seconds * 1e9);
       ++round) {
    for (; opcode == WrOpcode::send && recvs < 512; ++recvs) b.engine.post_recv(*b.qp, {recvs, &remote, 1});
    for (; outstanding < depth; ++outstanding) {
      wr.flags = outstanding % 16 == 15 || depth < 16 ? send_flag::signaled : 0;
      if (a.engine.post_send(*a.qp, wr, now) != 0) std::abort();
    }
    do {
      a.engine.transmit(now, from_a);
      from_a.deliver(b.engine, now, a.address, b.address);
      b.engine.transmit(now, from_b);
      from_b.deliver(a.engine, now, b.address, a.address);
    } while (a.engine.tx_pending() || b.engine.tx_pending());
    while (a.cq->poll(wcs, 64) != 0) {
    }
    for (uint32_t n; (n = b.cq->poll(wcs, 64)) != 0;) recvs -= n;
    done += outstanding - a.qp->send_queued();
    outstanding = a.qp->send_queued();
    now = rounds != 0 ? now + 10'000 : now_ns();
  }
  if (rounds != 0) std::printf("%llu messages\n", static_cast<unsigned long long>(done));
  const double s = static_cast<double>(now - start) / 1e9;
  const double packets =
      static_cast<double>(a.engine.counters().sent_pkts + b.engine.counters().sent_pkts) / s;
  return {packets, static_cast<double>(done) / s, static_cast<double>(done) * size / s / 1e9};
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.5;
  struct Case {
    const char* name;
    WrOpcode opcode;
    uint32_t size, depth;
  };
  constexpr Case kCases[] = {
      {"WRITE 64 B", WrOpcode::rdma_write, 64, 64},      {"WRITE 4 KiB", WrOpcode::rdma_write, 4096, 64},
      {"WRITE 64 KiB", WrOpcode::rdma_write, 65536, 16}, {"WRITE 1 MiB", WrOpcode::rdma_write, 1 << 20, 4},
      {"READ 64 KiB", WrOpcode::rdma_read, 65536, 16},   {"SEND 64 B", WrOpcode::send, 64, 64},
      {"SEND 64 KiB", WrOpcode::send, 65536, 16},
  };
  if (argc == 3) {
    const Case& c = kCases[std::strtoul(argv[1], nullptr, 10) % std::size(kCases)];
    measure(c.opcode, c.size, c.depth, false, 0, std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  std::printf("%-14s %32s   %32s\n", "", "copied", "copied and checksummed both ways");
  for (const Case& c : kCases) {
    std::printf("%-14s", c.name);
    for (bool crc : {false, true}) {
      const Rate r = measure(c.opcode, c.size, c.depth, crc, seconds, 0);
      std::printf("   %6.2f M msg/s %6.2f M pkt/s %6.2f GB/s", r.messages / 1e6, r.packets / 1e6,
                  r.gigabytes);
    }
    std::printf("\n");
  }
}
