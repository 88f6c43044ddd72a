// A path with its own flow control (a ring) that has no room: the waiting QPs, their timers, and the ends
// of the wait.
#include <utility>

#include "pair.h"

namespace uroce::transport::test {
namespace {

class PathSink final : public PacketSink {
 public:
  uint32_t room() override { return 1000; }
  uint32_t room_to(const Path&, uint32_t) override { return path_room; }
  bool room_returned() override { return std::exchange(returned, false); }
  bool made_progress(const Path&, uint32_t, uint64_t* position) override {
    return std::exchange(*position, taken) != taken;
  }
  bool admit(const Path&, uint32_t, uint32_t) override { return gives_up; }
  bool emit(const TxPacket& p) override {
    EXPECT_TRUE(path_room != 0 || gives_up);
    if (path_room != 0) --path_room;
    Packet out;
    out.bytes.assign(p.header, p.header + p.header_len);
    for (uint32_t i = 0; i < p.iov_count; ++i)
      out.bytes.insert(out.bytes.end(), p.iov[i].base, p.iov[i].base + p.iov[i].len);
    out.bytes.resize(out.bytes.size() + p.pad);
    packets.push_back(std::move(out));
    return true;
  }
  uint32_t path_room = 0;
  bool returned = false;
  bool gives_up = false;
  uint64_t taken = 1;  // changes when the receiver takes packets
  std::deque<Packet> packets;
};

Options rc(uint8_t timeout, uint8_t retry_cnt) {
  Options o;
  o.timeout = timeout;
  o.retry_cnt = retry_cnt;
  return o;
}

// Runs the timers of one side until none is left, or this many have run. Returns their number.
int run_timers(Side& side, PathSink& sink, int most) {
  int count = 0;
  for (; count < most && side.engine.next_wake() != kNever; ++count) {
    side.now = std::max(side.now, side.engine.next_wake());
    side.engine.on_time(side.now);
    EXPECT_FALSE(side.engine.transmit(side.now, sink));
  }
  return count;
}

TEST(FullPath, RequestsThatNeverLeaveEndWithRetryExceeded) {
  Pair p(rc(10, 3));
  PathSink sink;
  const uint64_t begin = p.a.now;
  p.a.post_write(0, 100);
  p.a.post_write(0, 100);
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  run_timers(p.a, sink, 1000);
  const auto done = p.a.poll();
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].status, WcStatus::retry_exc_err);
  EXPECT_EQ(done[1].status, WcStatus::wr_flush_err);
  EXPECT_EQ(p.a.qp->state(), QpState::err);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 4u);
  EXPECT_EQ(p.a.engine.counters().retry_exceeded_err, 1u);
  // IBA 9.7.6.1.3: each timeout is between once and four times the attribute's.
  EXPECT_GE(p.a.now - begin, 4 * ack_timeout(10));
  EXPECT_LE(p.a.now - begin, 16 * ack_timeout(10));
}

TEST(FullPath, RequestsInFlightWhenItFillsUpEndSoToo) {
  Pair p(rc(10, 3));
  PathSink sink;
  sink.path_room = 2;
  p.a.post_write(0, 5000);
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_EQ(sink.packets.size(), 2u);
  run_timers(p.a, sink, 1000);
  EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 4u);
}

// Another of the peer's QPs may get the room first, again and again.
TEST(FullPath, APeerThatTakesPacketsIsWaitedFor) {
  Pair p(rc(10, 0));
  PathSink sink;
  p.a.post_write(0, 100);
  p.a.engine.transmit(p.a.now, sink);
  for (int i = 0; i < 100; ++i) {
    ++sink.taken;
    ASSERT_EQ(run_timers(p.a, sink, 1), 1);
  }
  EXPECT_EQ(p.a.qp->state(), QpState::rts);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
  sink.path_room = 5;
  sink.returned = true;
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  p.b.give(sink.packets);
  p.a.give(p.b.take());
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
}

// Room is found even if the sink does not report that it has returned.
TEST(FullPath, RoomIsFoundWhenTheTimerIsDue) {
  Pair p(rc(10, 0));
  PathSink sink;
  p.a.post_write(0, 100);
  p.a.engine.transmit(p.a.now, sink);
  sink.path_room = 5;
  EXPECT_EQ(run_timers(p.a, sink, 1), 1);
  EXPECT_EQ(sink.packets.size(), 1u);
  EXPECT_EQ(p.a.engine.counters().local_ack_timeout_err, 0u);
}

TEST(FullPath, TimersOfRequestsThatWaitAreNoBusyLoop) {
  Pair p(rc(1, 7));
  PathSink sink;
  const uint64_t begin = p.a.now;
  p.a.post_write(0, 100);
  p.a.engine.transmit(p.a.now, sink);
  const int turns = run_timers(p.a, sink, 1000);
  EXPECT_LE(static_cast<uint64_t>(turns), 1 + (p.a.now - begin) / ms(1));
  EXPECT_EQ(p.a.wc().status, WcStatus::retry_exc_err);
}

TEST(FullPath, WithoutAnAckTimeoutItWaitsForEver) {
  Pair p(rc(0, 7));
  PathSink sink;
  p.a.post_write(0, 100);
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  sink.path_room = 1;
  sink.returned = true;
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_EQ(sink.packets.size(), 1u);
}

TEST(FullPath, AnAckThatFindsNoRoomWakesNobodyAndGoesFirstLater) {
  Pair p;
  p.a.post_write(0, 10);
  p.b.give(p.a.take());
  PathSink sink;
  for (int i = 0; i < 3; ++i) {
    p.b.now += us(100);  // past its deadline
    EXPECT_FALSE(p.b.engine.transmit(p.b.now, sink, kDeferAcks));
    EXPECT_EQ(p.b.engine.next_wake(), kNever);
  }
  sink.path_room = 5;
  sink.returned = true;
  EXPECT_FALSE(p.b.engine.transmit(p.b.now, sink, kDeferAcks));
  ASSERT_EQ(sink.packets.size(), 1u);
  EXPECT_EQ(sink.packets.front().opcode(), wire::opcode::acknowledge);
  p.a.give(sink.packets);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

TEST(FullPath, WorkThatSendsNothingNeedsNoRoom) {
  Pair p;
  const auto window = p.a.engine.alloc_mw(p.a.pd, MwType::type2);
  ASSERT_TRUE(window.has_value());
  PathSink sink;
  SendWr wr;
  wr.opcode = WrOpcode::local_inv;
  wr.imm_data = *window + 1;  // not a key: it fails, and everything behind it
  wr.flags = send_flag::signaled;
  ASSERT_EQ(p.a.post(wr), 0);
  ASSERT_EQ(p.a.post_write(0, 100), 0);
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  const auto done = p.a.poll();
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].status, WcStatus::mw_bind_err);
}

TEST(FullPath, AQpThatWaitsCanFailAndBeDestroyed) {
  Pair p;
  PathSink sink;
  p.a.post_write(0, 100);
  p.a.engine.transmit(p.a.now, sink);
  ASSERT_EQ(p.a.to(QpState::err), 0);
  EXPECT_EQ(p.a.wc().status, WcStatus::wr_flush_err);
  EXPECT_EQ(p.a.engine.next_wake(), kNever);
  EXPECT_EQ(p.a.engine.destroy_qp(p.a.qp), 0);
  sink.returned = true;
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
}

// UC packets need no answer. So the sink decides how long they wait.
TEST(FullPath, UcLosesItsPacketsOnceTheSinkGivesUp) {
  Options o;
  o.type = QpType::uc;
  Pair p(o);
  PathSink sink;
  p.a.post_send(0, 3000);
  p.a.engine.transmit(p.a.now, sink);
  EXPECT_TRUE(sink.packets.empty());
  sink.gives_up = sink.returned = true;
  EXPECT_FALSE(p.a.engine.transmit(p.a.now, sink));
  EXPECT_EQ(sink.packets.size(), 3u);
  EXPECT_EQ(p.a.wc().status, WcStatus::success);
}

}  // namespace
}  // namespace uroce::transport::test
