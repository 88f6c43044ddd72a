// Queue pairs that share the engine's window: they take turns, none starves, and none needs a timeout.
#include <algorithm>

#include "pair.h"

namespace uroce::transport::test {
namespace {

constexpr uint32_t kMtu = 1024;

// Several connections between two engines.
class Fan : public Pair {
 public:
  Fan(const Options& o, uint32_t connections) : Pair(unconnected(o)) {
    for (uint32_t i = 0; i < connections; ++i) {
      if (i != 0) {
        for (Side* side : {&a, &b}) {
          side->qp = *side->engine.create_qp(
              {QpType::rc, side->pd, side->cq, side->cq, side->options.cap, false, nullptr});
        }
      }
      connect();
      qps_.push_back(a.qp);
    }
  }
  // The connection that the helpers of `a` work on.
  void select(uint32_t i) { a.qp = qps_[i]; }
  Qp& qp(uint32_t i) { return *qps_[i]; }
  uint32_t connections() const { return static_cast<uint32_t>(qps_.size()); }
  uint32_t index_of(uint32_t qpn) const {
    const auto it = std::find_if(qps_.begin(), qps_.end(), [qpn](const Qp* qp) { return qp->qpn() == qpn; });
    return static_cast<uint32_t>(it - qps_.begin());
  }
  // Number of packets of each connection among these.
  std::vector<uint32_t> count(const std::deque<Packet>& packets) const {
    std::vector<uint32_t> n(qps_.size());
    for (const Packet& p : packets) {
      for (size_t i = 0; i < qps_.size(); ++i) n[i] += p.bth().dest_qpn == qps_[i]->query().dest_qp_num;
    }
    return n;
  }

 private:
  static Options unconnected(Options o) {
    o.connect = false;
    return o;
  }
  std::vector<Qp*> qps_;
};

// A link in virtual time that loses nothing: packets leave one after the other, and take a while to arrive.
class Link {
 public:
  static constexpr uint64_t kDelay = 5000;   // ns
  static constexpr uint64_t kNsPerKiB = 80;  // about 100 Gb/s
  void send(uint64_t now, std::deque<Packet> packets) {
    for (Packet& p : packets) {
      free_ = std::max(now, free_) + kNsPerKiB * p.bytes.size() / 1024;
      flying_.push_back({free_ + kDelay, std::move(p)});
    }
  }
  void deliver(Side& to) {
    for (; !flying_.empty() && flying_.front().at <= to.now; flying_.pop_front())
      to.give(flying_.front().packet);
  }
  uint64_t next() const { return flying_.empty() ? kNever : flying_.front().at; }

 private:
  struct Flying {
    uint64_t at;
    Packet packet;
  };
  std::deque<Flying> flying_;
  uint64_t free_ = 0;
};

struct Shares {
  std::vector<uint64_t> done;  // work requests completed, by connection
  uint64_t least() const { return *std::min_element(done.begin(), done.end()); }
  uint64_t most() const { return *std::max_element(done.begin(), done.end()); }
};

// Keeps every connection busy for a while; opcode_of returns the operation of a connection.
template <class OpcodeOf>
Shares share_for(Fan& f, uint64_t duration, uint32_t length, uint32_t flags, OpcodeOf opcode_of) {
  Shares shares{std::vector<uint64_t>(f.connections())};
  Link there, back;
  const uint64_t end = f.a.now + duration;
  while (f.a.now < end) {
    for (const Completion& wc : f.a.poll()) {
      EXPECT_EQ(wc.status, WcStatus::success);
      ++shares.done[f.index_of(wc.qp_num)];
    }
    for (uint32_t i = 0; i < f.connections(); ++i) {
      f.select(i);
      while (f.qp(i).send_queued() < 2) EXPECT_EQ(f.a.post_op(opcode_of(i), i * 65536, length), 0);
    }
    there.send(f.a.now, f.a.take(flags));
    back.send(f.b.now, f.b.take(flags));
    const uint64_t next =
        std::min({there.next(), back.next(), f.a.engine.next_wake(), f.b.engine.next_wake()});
    if (next == kNever) {
      ADD_FAILURE() << "everything waits and nothing will happen";
      break;
    }
    f.advance(next - std::min(next, f.a.now));
    there.deliver(f.b);
    back.deliver(f.a);
  }
  return shares;
}

void expect_no_timeouts(const Fan& f) {
  const Counters& c = f.a.engine.counters();
  EXPECT_EQ(c.local_ack_timeout_err, 0u);
  EXPECT_EQ(c.retransmitted_pkts, 0u);
  EXPECT_EQ(c.completer_retry_err, 0u);
}

struct Case {
  uint32_t window;  // packets
  uint32_t burst;   // packets
  uint32_t ack_request;
  uint32_t length;
  uint32_t flags;
};

class SharedWindow : public testing::TestWithParam<Case> {
 protected:
  Options options() const {
    Options o;
    o.mtu = kMtu;
    o.timeout = 6;  // 262 us, many times what a turn of all takes
    o.retry_cnt = 0;
    o.engine.engine_window_bytes = GetParam().window * kMtu;
    o.engine.burst_packets = GetParam().burst;
    o.engine.ack_request_packets = GetParam().ack_request;
    return o;
  }
};

TEST_P(SharedWindow, IsSharedEvenlyAndWithoutTimeouts) {
  Fan f(options(), 8);
  const Shares shares = share_for(f, ms(20), GetParam().length, GetParam().flags,
                                  [](uint32_t) { return WrOpcode::rdma_write; });
  expect_no_timeouts(f);
  EXPECT_GT(shares.least(), 10u);
  EXPECT_LE(shares.most(), shares.least() + shares.least() / 4 + 1);
}

TEST_P(SharedWindow, ReadsAndWritesGoOnWithoutTimeouts) {
  Fan f(options(), 8);
  const Shares shares = share_for(f, ms(20), GetParam().length, GetParam().flags, [](uint32_t i) {
    return i % 2 == 0 ? WrOpcode::rdma_read : WrOpcode::rdma_write;
  });
  expect_no_timeouts(f);
  // Not equally: a READ asks for many packets at once, and may when its QP has nothing else in flight.
  EXPECT_GT(shares.least(), 5u);
}

INSTANTIATE_TEST_SUITE_P(, SharedWindow,
                         testing::Values(Case{4, 64, 64, 16384, 0}, Case{4, 1, 64, 16384, 0},
                                         Case{12, 2, 64, 16384, 0}, Case{12, 64, 3, 5000, kDeferAcks},
                                         Case{32, 3, 64, 65536, 0}, Case{32, 5, 64, 65536, kDeferAcks},
                                         Case{32, 64, 64, 65536, kDeferPiggybackAcks},
                                         Case{100, 7, 64, 65536, kDeferAcks}));

// The first of three fills the window; the others each have their single packet.
TEST(Turns, RotateWhenTheWindowIsGivenBack) {
  Options o;
  o.engine.engine_window_bytes = 4 * kMtu;
  Fan f(o, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    f.select(i);
    f.a.post_write(0, 100 * kMtu);
  }
  for (uint32_t round = 0; round < 9; ++round) {
    const auto sent = f.a.take();
    std::vector<uint32_t> expected(3, 1);
    expected[round % 3] = 4;
    EXPECT_EQ(f.count(sent), expected) << "round " << round;
    f.b.give(sent);
    f.a.give(f.b.take());
  }
}

// The shared window protects the receive buffers of sockets. Packets in a ring are not counted, since a
// ring has its own flow control: a peer that stops acknowledging does not slow the others down.
TEST(Turns, AWayWithRoomOfItsOwnTakesNoneOfTheSharedWindow) {
  Options o;
  o.engine.engine_window_bytes = 4 * kMtu;
  for (const bool own : {false, true}) {
    Fan f(o, 2);
    f.select(0);
    f.a.post_write(0, 100 * kMtu);
    if (own) f.a.way = 50;
    EXPECT_EQ(f.count(f.a.take())[0], own ? 100u : 4u);  // to a peer that never answers
    f.a.way = UINT32_MAX;
    f.select(1);
    f.a.post_write(0, 3 * kMtu);
    EXPECT_EQ(f.count(f.a.take())[1], own ? 3u : 1u);
  }
}

TEST(Turns, ANewcomerGoesBeforeWhoHasSent) {
  Options o;
  o.engine.engine_window_bytes = 4 * kMtu;
  Fan f(o, 2);
  f.select(0);
  f.a.post_write(0, 100 * kMtu);
  f.select(1);
  f.a.post_write(0, 100 * kMtu);
  const auto sent = f.a.take();
  EXPECT_EQ(f.count(sent), (std::vector{4u, 1u}));
  f.b.give(sent);
  f.a.give(f.b.take());
  EXPECT_EQ(f.count(f.a.take()), (std::vector{1u, 4u}));
}

// The window fills between two turns of a QP whose packets so far requested no answer.
TEST(SharedWindowFull, WhoHasNoAnswerComingAsksForOne) {
  Options o;
  o.engine.engine_window_bytes = 8 * kMtu;
  o.engine.burst_packets = 3;
  Fan f(o, 2);
  for (uint32_t i = 0; i < 2; ++i) {
    f.select(i);
    f.a.post_write(0, 100 * kMtu);
  }
  const auto sent = f.a.take();
  // Three of each, two more of the first, one more of the second.
  EXPECT_EQ(f.count(sent), (std::vector{5u, 4u}));
  for (uint32_t i = 0; i < 2; ++i) {
    const uint32_t qpn = f.qp(i).query().dest_qp_num;
    const auto last = std::find_if(sent.rbegin(), sent.rend(),
                                   [qpn](const Packet& packet) { return packet.bth().dest_qpn == qpn; });
    EXPECT_TRUE(last->bth().ack_req) << i;
  }
  EXPECT_TRUE(f.a.take().empty());
}

TEST(ShrunkWindow, LeavesNothingInFlightThatAsksForNoAck) {
  const struct {
    uint32_t packets, bytes;
    uint64_t engine_bytes;
  } cases[] = {{4, 1 << 20, 1 << 20}, {100, 4 * kMtu, 1 << 20}, {100, 1 << 20, 4 * kMtu}, {1, 1, 0}};
  for (const auto& c : cases) {
    Pair p;
    p.a.fill(0, 100 * kMtu, 3);
    p.a.post_write(0, 100 * kMtu);
    CollectingSink sink;
    sink.limit = 10;
    EXPECT_TRUE(p.a.engine.transmit(p.a.now, sink));
    ASSERT_EQ(sink.packets.size(), 10u);
    for (const Packet& packet : sink.packets) EXPECT_FALSE(packet.bth().ack_req);
    p.a.engine.set_windows(c.packets, c.bytes, c.engine_bytes);
    const Packet asking = p.a.take_one();
    EXPECT_TRUE(asking.bth().ack_req);
    p.b.give(sink.packets);
    p.b.give(asking);
    p.run();  // no time passes
    EXPECT_EQ(p.a.wc().status, WcStatus::success);
    EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 100 * kMtu), 0);
    EXPECT_EQ(p.a.engine.counters().retransmitted_pkts, 0u);
  }
}

// The window is below the data in flight, and the requested answer is already coming.
TEST(ShrunkWindow, SendsNothingWhileAnAnswerIsComing) {
  Options o;
  o.engine.ack_request_packets = 8;
  Pair p(o);
  p.a.post_write(0, 100 * kMtu);
  CollectingSink sink;
  sink.limit = 10;
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_TRUE(sink.packets[7].bth().ack_req);
  p.a.engine.set_windows(4, 1 << 20, 1 << 20);
  EXPECT_TRUE(p.a.take().empty());
  p.b.give(std::deque(sink.packets.begin(), sink.packets.begin() + 8));
  p.a.give(p.b.take());
  const auto more = p.a.take();
  EXPECT_EQ(more.size(), 2u);  // two are still in flight
  EXPECT_TRUE(more.back().bth().ack_req);
}

}  // namespace
}  // namespace uroce::transport::test
