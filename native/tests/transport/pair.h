// Two engines on one imaginary wire, and short helpers to run them with explicit time: one behavior per
// test.
//
//   Pair p;                       // two connected QPs, `a` and `b`, one 1 MiB region each
//   p.a.post_write(0, 100);       // 100 bytes from a's region to b's
//   p.run();                      // carry packets to and fro until nothing moves; no time passes
//   p.a.wc();                     // the one completion, or a test failure
// For packets in the middle: p.a.take() gives what a has to send; p.b.give(packet) hands one over.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "uroce/transport/engine.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/opcode.h"

namespace uroce::transport::test {

// A packet as bytes from BTH to the pad.
struct Packet {
  std::vector<uint8_t> bytes;
  wire::Bth bth() const { return *wire::Bth::parse(bytes.data(), bytes.size()); }
  uint8_t opcode() const { return bytes[0]; }
  uint32_t psn() const { return bth().psn; }
  wire::Aeth aeth() const { return *wire::Aeth::parse(bytes.data() + 12, bytes.size() - 12); }
  size_t payload() const { return bytes.size() - wire::kOpcodes[opcode()].header_size - bth().pad; }
};

class CollectingSink final : public PacketSink {
 public:
  uint32_t room() override {
    return limit - std::min<uint32_t>(limit, static_cast<uint32_t>(packets.size()));
  }
  uint32_t room_to(const Path&, uint32_t) override { return way; }
  bool emit(const TxPacket& p) override {
    Packet out;
    out.bytes.assign(p.header, p.header + p.header_len);
    uint32_t payload = 0;
    for (uint32_t i = 0; i < p.iov_count; ++i) {
      out.bytes.insert(out.bytes.end(), p.iov[i].base, p.iov[i].base + p.iov[i].len);
      payload += p.iov[i].len;
    }
    EXPECT_EQ(payload, p.payload_len);
    EXPECT_EQ(p.opcode, p.header[0]);
    out.bytes.resize(out.bytes.size() + p.pad);
    packets.push_back(std::move(out));
    if (p.position_flags != 0) departures.push_back(p.timestamp());
    return true;
  }
  uint32_t limit = 1u << 20;
  uint32_t way = UINT32_MAX;  // room on the way to any peer
  std::deque<Packet> packets;
  std::vector<TxTimestamp> departures;
};

class Events final : public EventSink {
 public:
  void qp_event(Qp&, EventType type) override { qp.push_back(type); }
  void cq_error(Cq&) override { ++cq_errors; }
  void srq_event(Srq&, EventType type) override { srq.push_back(type); }
  void completion_event(Cq&) override { ++notifications; }
  void unsignaled_stamps(const WrStamps& s) override { stamps.push_back(s); }
  void waits_forever(const Qp&, uint64_t) override { ++waiting; }
  std::vector<EventType> qp, srq;
  int cq_errors = 0;
  int notifications = 0;
  int waiting = 0;
  std::vector<WrStamps> stamps;
};

struct Options {
  EngineConfig engine;
  QpType type = QpType::rc;
  uint32_t qkey = 0x11111111;
  uint16_t mtu = 1024;
  uint32_t sq_psn = 1000;
  uint8_t timeout = 14;
  uint8_t retry_cnt = 7;
  uint8_t rnr_retry = 7;
  uint8_t min_rnr_timer = 12;
  uint8_t rd_atomic = 4;
  uint32_t access = access_flag::local_write | access_flag::remote_any;  // rights of the regions
  uint32_t qp_access = access_flag::remote_any;
  QpCap cap{128, 128, 4, 4, 256};
  uint32_t cqe = 512;
  bool sig_all = false;
  bool connect = true;
  uint32_t srq_wr = 0;  // receives come from a shared queue of this size
};

class Side {
 public:
  static constexpr size_t kMemory = 1 << 20;

  Side(const Options& o, uint64_t seed, uint8_t host)
      : random(seed), memory(kMemory + 8), engine(o.engine, random, events), options(o) {
    address[15] = host;
    pd = engine.alloc_pd();
    cq = *engine.create_cq(o.cqe);
    if (o.srq_wr != 0) srq = *engine.create_srq(pd, {o.srq_wr, o.cap.max_recv_sge, 0});
    qp = *engine.create_qp({o.type, pd, cq, cq, o.cap, o.sig_all, nullptr, srq});
    key = *engine.reg_mr(pd, base(), va(0), kMemory, o.access);
  }
  uint8_t* base() { return memory.data() + (8 - reinterpret_cast<uintptr_t>(memory.data()) % 8) % 8; }
  // The region's addresses are not the host's: it is registered with an iova.
  static uint64_t va(uint64_t offset) { return 0x100000000000 + offset; }
  Sge sge(uint32_t offset, uint32_t len) { return {va(offset), len, key}; }
  uint8_t& byte(size_t offset) { return base()[offset]; }
  void fill(size_t offset, size_t len, uint64_t seed) {
    SeededRandom r(seed);
    for (size_t i = 0; i < len; ++i) byte(offset + i) = static_cast<uint8_t>(r.next());
  }

  int to_init() {
    QpAttr a;
    a.qp_state = QpState::init;
    a.qp_access_flags = options.qp_access;
    a.qkey = options.qkey;
    return engine.modify_qp(*qp, a, options.type == QpType::ud ? 0x71 : 0x39, now);
  }
  int to_rtr(const Side& peer, uint32_t rq_psn) {
    QpAttr a;
    a.qp_state = QpState::rtr;
    a.av.sgid = address;
    a.av.dgid = peer.address;
    a.path_mtu = options.mtu;
    a.dest_qp_num = peer.qp->qpn();
    a.rq_psn = rq_psn;
    a.max_dest_rd_atomic = options.rd_atomic;
    a.min_rnr_timer = options.min_rnr_timer;
    const uint32_t mask = options.type == QpType::rc   ? 0x129181
                          : options.type == QpType::uc ? 0x101181
                                                       : qp_mask::state;
    return engine.modify_qp(*qp, a, mask, now);
  }
  int to_rts() {
    QpAttr a;
    a.qp_state = QpState::rts;
    a.timeout = options.timeout;
    a.retry_cnt = options.retry_cnt;
    a.rnr_retry = options.rnr_retry;
    a.sq_psn = options.sq_psn;
    a.max_rd_atomic = options.rd_atomic;
    return engine.modify_qp(*qp, a, options.type == QpType::rc ? 0x12e01 : 0x10001, now);
  }
  int to(QpState state, uint32_t more = 0) {
    QpAttr a;
    a.qp_state = state;
    a.en_sqd_async_notify = 1;
    return engine.modify_qp(*qp, a, qp_mask::state | more, now);
  }

  int post(SendWr wr) { return engine.post_send(*qp, wr, now); }
  SendWr wr(WrOpcode opcode, const Sge* list, uint32_t n, uint64_t remote_offset, uint32_t rkey) {
    SendWr w;
    w.wr_id = next_id++;
    w.opcode = opcode;
    w.flags = send_flag::signaled;
    w.sg_list = list;
    w.num_sge = n;
    w.remote_addr = va(remote_offset);
    w.rkey = rkey;
    return w;
  }
  // Everything here moves `len` bytes between equal offsets of the two regions.
  int post_op(WrOpcode opcode, uint32_t offset, uint32_t len, uint32_t flags = send_flag::signaled) {
    const Sge s = sge(offset, len);
    SendWr w = wr(opcode, &s, 1, offset, peer->key);
    w.flags = flags;
    w.imm_data = 0x04030201;
    return post(w);
  }
  int post_write(uint32_t offset, uint32_t len, uint32_t flags = send_flag::signaled) {
    return post_op(WrOpcode::rdma_write, offset, len, flags);
  }
  int post_read(uint32_t offset, uint32_t len) { return post_op(WrOpcode::rdma_read, offset, len); }
  int post_send(uint32_t offset, uint32_t len) { return post_op(WrOpcode::send, offset, len); }
  // A datagram to a QP of the peer's host, by default the peer itself.
  Path path_to(const Gid& destination) const {
    Path path;
    path.sgid = address;
    path.dgid = destination;
    return path;
  }
  int post_datagram(uint32_t offset, uint32_t len, const UdDestination& to, WrOpcode opcode = WrOpcode::send,
                    uint32_t flags = send_flag::signaled) {
    const Sge s = sge(offset, len);
    SendWr w = wr(opcode, &s, 1, 0, 0);
    w.flags = flags;
    w.imm_data = 0x04030201;
    w.ud = &to;
    return post(w);
  }
  int post_datagram(uint32_t offset, uint32_t len) {
    const Path path = path_to(peer->address);
    return post_datagram(offset, len, {&path, peer->qp->qpn(), peer->options.qkey});
  }
  int post_recv(uint32_t offset, uint32_t len) {
    const Sge s = sge(offset, len);
    const RecvWr wr{next_recv_id++, &s, 1};
    return srq != nullptr ? srq->post(wr) : engine.post_recv(*qp, wr);
  }
  int post_atomic(WrOpcode opcode, uint32_t local, uint32_t remote, uint64_t compare_add, uint64_t swap = 0) {
    const Sge s = sge(local, 8);
    SendWr w = wr(opcode, &s, 1, remote, peer->key);
    w.compare_add = compare_add;
    w.swap = swap;
    return post(w);
  }
  uint64_t word(size_t offset) {
    uint64_t v;
    std::memcpy(&v, &byte(offset), 8);
    return v;
  }
  void set_word(size_t offset, uint64_t v) { std::memcpy(&byte(offset), &v, 8); }

  // All packets that may go out now.
  std::deque<Packet> take(uint32_t flags = 0) {
    CollectingSink sink;
    sink.way = way;
    EXPECT_FALSE(engine.transmit(now, sink, flags));
    for (const TxTimestamp& d : sink.departures) engine.note_tx_timestamp(d, now);
    return std::move(sink.packets);
  }
  // The one packet that may go out now.
  Packet take_one(uint32_t flags = 0) {
    auto packets = take(flags);
    EXPECT_EQ(packets.size(), 1u);
    return packets.empty() ? Packet{std::vector<uint8_t>(64)} : packets.front();
  }
  void give(const Packet& p) {
    engine.on_packet(now, {p.bytes.data(), static_cast<uint32_t>(p.bytes.size()), &peer->address, &address});
  }
  void give(const std::deque<Packet>& packets) {
    for (const Packet& p : packets) give(p);
  }

  std::vector<Completion> poll() {
    std::vector<Completion> out(64);
    out.resize(cq->poll(out.data(), 64));
    return out;
  }
  // The one completion that is there.
  Completion wc() {
    auto all = poll();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Completion{} : all.front();
  }

  SeededRandom random;
  Events events;
  std::vector<uint8_t> memory;
  Engine engine;
  Options options;
  uint32_t way = UINT32_MAX;  // room on the way to any peer
  Gid address{};
  uint32_t pd;
  Cq* cq;
  Srq* srq = nullptr;
  Qp* qp;
  uint32_t key;
  Side* peer = nullptr;
  uint64_t now = 1'000'000;
  uint64_t next_id = 1;
  uint64_t next_recv_id = 1001;
};

class Pair {
 public:
  explicit Pair(const Options& oa = {}, const std::optional<Options>& ob = std::nullopt)
      : a(oa, 1, 1), b(ob.value_or(oa), 2, 2) {
    a.peer = &b;
    b.peer = &a;
    if (oa.connect) connect();
  }
  void connect() {
    EXPECT_EQ(a.to_init(), 0);
    EXPECT_EQ(b.to_init(), 0);
    EXPECT_EQ(a.to_rtr(b, b.options.sq_psn), 0);
    EXPECT_EQ(b.to_rtr(a, a.options.sq_psn), 0);
    EXPECT_EQ(a.to_rts(), 0);
    EXPECT_EQ(b.to_rts(), 0);
  }
  // Carries packets both ways until neither side has any. No time passes. Returns how many went.
  size_t run() {
    size_t count = 0;
    for (;;) {
      auto from_a = a.take();
      b.give(from_a);
      auto from_b = b.take();
      a.give(from_b);
      count += from_a.size() + from_b.size();
      if (from_a.empty() && from_b.empty()) return count;
    }
  }
  void advance(uint64_t ns) {
    a.now += ns;
    b.now += ns;
    a.engine.on_time(a.now);
    b.engine.on_time(b.now);
  }
  // To the next timer of either side; false if there is none.
  bool advance_to_wake() {
    const uint64_t wake = std::min(a.engine.next_wake(), b.engine.next_wake());
    if (wake == kNever) return false;
    advance(wake > a.now ? wake - a.now : 0);
    return true;
  }

  Side a;
  Side b;
};

inline uint64_t us(uint64_t n) { return n * 1000; }
inline uint64_t ms(uint64_t n) { return n * 1'000'000; }
inline uint64_t ack_timeout(uint8_t t) { return 4096ull << t; }

// A WRITE of a's to b's memory.
inline SendWr write_of(Pair& p, const Sge& s, uint64_t offset, uint32_t rkey) {
  return p.a.wr(WrOpcode::rdma_write, &s, 1, offset, rkey);
}

}  // namespace uroce::transport::test
