// Times at which packets go out: windows, fences, limits of READs and atomics, acknowledgments, room.
#include <atomic>
#include <thread>

#include "pair.h"
#include "tests/under_sanitizers.h"
#include "uroce/transport/memory/memory.h"

namespace uroce::transport::test {
namespace {

namespace op = wire::opcode;
namespace aeth = wire::aeth;

TEST(Window, LimitsPacketsInFlight) {
  Options o;
  o.engine.window_packets = 4;
  Pair p(o);
  p.a.post_write(0, 100'000);
  const auto sent = p.a.take();
  EXPECT_EQ(sent.size(), 4u);
  EXPECT_TRUE(sent.back().bth().ack_req);  // else nothing would ever open the window again
  p.b.give(sent);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 4u);
}

TEST(Window, LimitsBytesInFlight) {
  Options o;
  o.engine.window_bytes = 3000;
  Pair p(o);
  p.a.post_write(0, 100'000);
  const auto sent = p.a.take();
  EXPECT_EQ(sent.size(), 2u);
  EXPECT_TRUE(sent.back().bth().ack_req);
}

TEST(Window, OnePacketMayAlwaysGo) {
  Options o;
  o.engine.window_bytes = 1;
  o.engine.engine_window_bytes = 1;
  Pair p(o);
  p.a.fill(0, 5000, 2);
  p.a.post_write(0, 5000);
  EXPECT_GE(p.run(), 10u);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Window, IsSharedByAllQps) {
  Options o;
  o.engine.engine_window_bytes = 4096;
  Pair p(o);
  Qp* second = *p.a.engine.create_qp({QpType::rc, p.a.pd, p.a.cq, p.a.cq, {8, 8, 1, 1, 0}, false, nullptr});
  Qp* first = p.a.qp;
  p.a.qp = second;
  p.a.to_init();
  p.a.to_rtr(p.b, 5);
  p.a.to_rts();
  p.a.qp = first;
  p.a.post_write(0, 10'000);
  p.a.qp = second;
  p.a.post_write(0, 10'000);
  const auto sent = p.a.take();
  EXPECT_EQ(sent.size(), 5u);  // four of the first QP; one of the second, which had nothing in flight
  p.a.qp = first;
  p.b.give(std::deque(sent.begin(), sent.begin() + 4));
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 4u);  // three more of the second, whose turn it is; one of the first
}

TEST(Window, TakesNewSizesAtOnce) {
  Options o;
  o.engine.window_packets = 2;
  Pair p(o);
  p.a.engine.set_windows(8, 1 << 20, 1 << 20);
  p.a.post_write(0, 100'000);
  EXPECT_EQ(p.a.take().size(), 8u);
}

TEST(AckRequest, StandsOnEverySoManyPackets) {
  Options o;
  o.engine.ack_request_packets = 3;
  Pair p(o);
  p.a.post_write(0, 8 * 1024);
  const auto sent = p.a.take();
  ASSERT_EQ(sent.size(), 8u);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(sent[i].bth().ack_req, i == 2 || i == 5 || i == 7) << i;
}

TEST(Ack, OneCoversManyRequests) {
  Pair p;
  for (int i = 0; i < 10; ++i) p.a.post_write(0, 10);
  p.b.give(p.a.take());
  const Packet ack = p.b.take_one();
  EXPECT_EQ(ack.psn(), 1009u);
  EXPECT_EQ(ack.aeth().syndrome, aeth::kAckUnlimited);
  EXPECT_EQ(ack.aeth().msn, 10u);
  p.a.give(ack);
  EXPECT_EQ(p.a.poll().size(), 10u);
}

TEST(Ack, MayWaitForItsDeadline) {
  Options o;
  o.engine.ack_delay_ns = 5000;
  Pair p(o);
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  EXPECT_TRUE(p.b.take(kDeferAcks).empty());
  EXPECT_TRUE(p.b.engine.acks_deferred());
  EXPECT_FALSE(p.b.engine.tx_pending());
  EXPECT_EQ(p.b.engine.next_wake(), p.b.now + 5000);
  p.b.now += 4999;
  EXPECT_TRUE(p.b.take(kDeferAcks).empty());
  p.b.now += 1;
  EXPECT_EQ(p.b.take(kDeferAcks).size(), 1u);
  EXPECT_EQ(p.b.engine.next_wake(), kNever);
}

// The peer must not have the answer to a request before that request completes.
TEST(Ack, GoesAheadOfDataOfTheSameQp) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  EXPECT_TRUE(p.b.take(kDeferAcks).empty());
  p.b.post_write(100, 10);
  const auto sent = p.b.take(kDeferAcks);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].opcode(), op::acknowledge);
  EXPECT_EQ(sent[1].opcode(), op::write_only);
}

TEST(Ack, GoesAheadOfDataOfAnotherQp) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  Qp* first = p.b.qp;
  p.b.qp = *p.b.engine.create_qp({QpType::rc, p.b.pd, p.b.cq, p.b.cq, {8, 8, 1, 1, 0}, false, nullptr});
  EXPECT_EQ(p.b.to_init(), 0);
  EXPECT_EQ(p.b.to_rtr(p.a, 1000), 0);
  EXPECT_EQ(p.b.to_rts(), 0);
  p.b.post_write(100, 10);
  const auto sent = p.b.take(kDeferAcks);
  p.b.qp = first;
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].opcode(), op::acknowledge);
  EXPECT_EQ(sent[1].opcode(), op::write_only);
}

TEST(Ack, GoesAheadOfDataOfAnUnreliableQp) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  Qp* first = p.b.qp;
  p.b.qp = *p.b.engine.create_qp({QpType::ud, p.b.pd, p.b.cq, p.b.cq, {8, 8, 1, 1, 0}, false, nullptr});
  p.b.options.type = QpType::ud;
  EXPECT_EQ(p.b.to_init(), 0);
  EXPECT_EQ(p.b.to(QpState::rtr), 0);
  QpAttr rts;
  rts.qp_state = QpState::rts;
  EXPECT_EQ(p.b.engine.modify_qp(*p.b.qp, rts, 0x10001, p.b.now), 0);
  EXPECT_EQ(p.b.post_datagram(100, 10), 0);
  const auto sent = p.b.take(kDeferAcks);
  p.b.qp = first;
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].opcode(), op::acknowledge);
}

// A program that posts READs and then answers: the ACK waits for the responses, and the answer for the ACK.
TEST(Ack, GoesBetweenReadResponsesAndData) {
  Pair p;
  p.a.post_read(0, 3000);
  p.a.post_write(5000, 10);
  p.b.give(p.a.take());
  p.b.post_write(100, 10);
  const auto sent = p.b.take(kDeferAcks);
  ASSERT_EQ(sent.size(), 5u);
  EXPECT_EQ(sent[2].opcode(), op::read_response_last);
  EXPECT_EQ(sent[3].opcode(), op::acknowledge);
  EXPECT_EQ(sent[4].opcode(), op::write_only);
}

TEST(Ack, IsNotDeferredWhenManyPacketsWait) {
  Options o;
  o.engine.ack_coalesce_packets = 4;
  Pair p(o);
  for (int i = 0; i < 4; ++i) p.a.post_write(0, 10);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.take(kDeferAcks).size(), 1u);
}

TEST(Ack, OnlyOfPingPongsWaitsWhenAsked) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  EXPECT_EQ(p.b.take(kDeferPiggybackAcks).size(), 1u);  // one-way traffic
  p.b.post_write(0, 10);
  p.b.take();
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  EXPECT_TRUE(p.b.take(kDeferPiggybackAcks).empty());  // it has posted since the last ACK
  EXPECT_EQ(p.b.take().size(), 1u);
}

TEST(Ack, ComesBehindReadResponses) {
  Pair p;
  p.a.post_read(0, 3000);
  p.a.post_write(5000, 10);
  p.b.give(p.a.take());
  const auto sent = p.b.take();
  ASSERT_EQ(sent.size(), 4u);
  EXPECT_EQ(sent[3].opcode(), op::acknowledge);
  EXPECT_EQ(sent[3].psn(), 1003u);
}

TEST(Ack, IsImpliedByAReadResponseBehindIt) {
  Pair p;
  p.a.post_write(5000, 10);
  p.a.post_read(0, 100);
  p.b.give(p.a.take());
  const Packet response = p.b.take_one();
  EXPECT_EQ(response.opcode(), op::read_response_only);
  p.a.give(response);
  EXPECT_EQ(p.a.poll().size(), 2u);
  EXPECT_EQ(p.b.engine.next_wake(), kNever);
}

TEST(Reads, AtMostTheAgreedNumberIsOutstanding) {
  Options o;
  o.rd_atomic = 2;
  Pair p(o);
  for (int i = 0; i < 3; ++i) p.a.post_read(0, 10);
  p.a.post_atomic(WrOpcode::atomic_fetch_and_add, 8, 0, 1);
  const auto sent = p.a.take();
  EXPECT_EQ(sent.size(), 2u);
  p.b.give(sent[0]);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take().size(), 1u);
}

TEST(Reads, ResponsesTakeTurnsWithTheRoomOfTheSink) {
  Pair p;
  p.b.fill(0, 10'000, 1);
  p.a.post_read(0, 10'000);
  p.b.give(p.a.take());
  CollectingSink sink;
  sink.limit = 3;
  EXPECT_TRUE(p.b.engine.transmit(p.b.now, sink));
  EXPECT_EQ(sink.packets.size(), 3u);
  sink.limit = 100;
  EXPECT_FALSE(p.b.engine.transmit(p.b.now, sink));
  EXPECT_EQ(sink.packets.size(), 10u);
  p.a.give(sink.packets);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(std::memcmp(p.a.base(), p.b.base(), 10'000), 0);
}

TEST(Fence, WaitsForReadsAndAtomics) {
  Pair p;
  p.a.post_read(0, 10);
  p.a.post_write(100, 10, send_flag::signaled | send_flag::fence);
  const auto sent = p.a.take();
  ASSERT_EQ(sent.size(), 1u);
  p.b.give(sent);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.take_one().opcode(), op::write_only);
}

TEST(Fence, DoesNotWaitForWrites) {
  Pair p;
  p.a.post_write(0, 10);
  p.a.post_write(100, 10, send_flag::signaled | send_flag::fence);
  EXPECT_EQ(p.a.take().size(), 2u);
}

TEST(Sink, WithoutRoomStopsTheEngine) {
  Pair p;
  p.a.post_write(0, 10'000);
  CollectingSink sink;
  sink.limit = 0;
  EXPECT_TRUE(p.a.engine.transmit(p.a.now, sink));
  sink.limit = 4;
  EXPECT_TRUE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_EQ(sink.packets.size(), 4u);
  EXPECT_TRUE(p.a.engine.tx_pending());
  sink.limit = 10;
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_EQ(sink.packets.size(), 10u);
}

TEST(Sink, WithRoomForOneCarriesDataAndAcks) {
  Pair p;
  p.a.post_write(0, 3000);
  p.b.give(p.a.take());
  p.b.post_write(5000, 3000);
  std::deque<Packet> all;
  for (int i = 0; i < 10; ++i) {
    CollectingSink sink;
    sink.limit = 1;
    p.b.engine.transmit(p.b.now, sink);
    for (auto& x : sink.packets) all.push_back(std::move(x));
  }
  ASSERT_EQ(all.size(), 4u);
  p.a.give(all);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(Burst, QpsTakeTurns) {
  Options o;
  o.engine.burst_packets = 2;
  Pair p(o);
  Qp* second = *p.a.engine.create_qp({QpType::rc, p.a.pd, p.a.cq, p.a.cq, {8, 8, 1, 1, 0}, false, nullptr});
  Qp* first = p.a.qp;
  p.a.post_write(0, 4 * 1024);
  p.a.qp = second;
  p.a.options.sq_psn = 5000;
  p.a.to_init();
  p.a.to_rtr(p.b, 5);
  p.a.to_rts();
  p.a.post_write(0, 4 * 1024);
  p.a.qp = first;
  const auto sent = p.a.take();
  ASSERT_EQ(sent.size(), 8u);
  const uint32_t expected[] = {1000, 1001, 5000, 5001, 1002, 1003, 5002, 5003};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(sent[i].psn(), expected[i]) << i;
}

TEST(Landing, WritesItsBytesAndNoOthers) {
  for (uint32_t offset = 0; offset < 9; ++offset) {
    for (uint32_t len = 0; len < 40; ++len) {
      const std::vector<uint8_t> from(40, 0x5a);
      alignas(8) uint8_t to[64] = {};
      ASSERT_TRUE(place(to + offset, from.data(), len));
      for (uint32_t i = 0; i < sizeof to; ++i)
        ASSERT_EQ(to[i], i >= offset && i < offset + len ? 0x5a : 0) << offset << " " << len;
    }
  }
}

// A program that spins on the last byte must then find all the others.
// The last byte, with all that was written before it. ThreadSanitizer joins a load only to a store of the
// same word, so for it this reads the word that place() stores.
uint8_t last_byte(const uint8_t* to, uint32_t len) {
  if (kUnderSanitizers && len >= 8 && (reinterpret_cast<uintptr_t>(to + len) & 7) == 0) {
    const auto* word = reinterpret_cast<const uint64_t*>(to + len - 8);
    return static_cast<uint8_t>(__atomic_load_n(word, __ATOMIC_ACQUIRE) >> 56);
  }
  return __atomic_load_n(to + len - 1, __ATOMIC_ACQUIRE);
}

TEST(Landing, LastByteBecomesVisibleLast) {
  for (uint32_t len : {2u, 7u, 8u, 17u, 33u, 64u, 1024u, 4096u}) {
    for (uint32_t offset : {0u, 1u}) {
      alignas(64) static uint8_t memory[8192];
      std::memset(memory, 0, sizeof memory);
      uint8_t* const to = memory + offset;
      std::atomic<uint32_t> taken{0};
      constexpr uint32_t kRounds = 200;
      std::thread reader([&] {
        for (uint32_t round = 1; round <= kRounds; ++round) {
          const auto value = static_cast<uint8_t>(1 + round % 255);
          for (uint32_t spins = 0; last_byte(to, len) != value;) {
            if (++spins % 1000 == 0) std::this_thread::yield();
          }
          for (uint32_t i = 0; i < len; ++i) {
            if (__atomic_load_n(to + i, __ATOMIC_RELAXED) != value)
              ADD_FAILURE() << "byte " << i << " of " << len << " was late";
          }
          taken.store(round, std::memory_order_release);
        }
      });
      std::vector<uint8_t> from(len);
      for (uint32_t round = 1; round <= kRounds; ++round) {
        std::fill(from.begin(), from.end(), static_cast<uint8_t>(1 + round % 255));
        ASSERT_TRUE(place(to, from.data(), len));
        while (taken.load(std::memory_order_acquire) != round) std::this_thread::yield();
      }
      reader.join();
    }
  }
}

}  // namespace
}  // namespace uroce::transport::test
