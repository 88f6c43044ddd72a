// Losses that hurt most, with the engine's own retransmission: the answer to a loss is lost, the repetition is lost again, or
// something else goes wrong meanwhile. Every request completes once, in order, and memory holds what was moved.
#include "pair.h"

namespace vlsim {
namespace {

using uroce::WcStatus;
using uroce::WrOpcode;
using uroce::transport::RecoveryKind;

constexpr RecoveryKind kBoth[] = {RecoveryKind::go_back_n, RecoveryKind::selective_repeat};
constexpr uint32_t kMessageBytes = 1 << 16, kMessagePackets = 64;  // at an MTU of 1024
constexpr Time kTimeout = 4'096 * 256 * kNs;

bool is(RecoveryKind recovery, RecoveryKind kind) { return recovery == kind; }

PairSettings with(RecoveryKind recovery) {
  PairSettings s;
  s.recovery = recovery;
  return s;
}

// True for the first `times` packets that pass.
class First {
 public:
  explicit First(uint32_t times) : left_(times) {}
  bool operator()(bool passes) {
    if (!passes || left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  uint32_t left_;
};

PacketLog::Rule lose_data(uint32_t psn, uint32_t times = 1) {
  return [psn, first = First(times)](const SentPacket& p) mutable {
    return first(p.host == 0 && p.kind == PacketKind::data && p.psn == psn);
  };
}

void write_messages(Pair& pair, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) pair.post(WrOpcode::rdma_write, kMessageBytes, i * kMessageBytes);
}

// Go-back-N reports a gap once, so its timeout has to do; selective repeat reports it for later packets too.
TEST(Corners, NakLost) {
  for (const RecoveryKind recovery : kBoth) {
    First nak(1);
    Pair pair(with(recovery),
              [&, data = lose_data(100)](const SentPacket& p) { return data(p) || nak(p.is_nak()); });
    write_messages(pair, 4);
    pair.run(20 * kMs);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
    EXPECT_FALSE(nak(true)) << "none was lost";
    EXPECT_EQ(pair.counters(0).local_ack_timeout_err, is(recovery, RecoveryKind::go_back_n) ? 1u : 0u);
  }
}

TEST(Corners, LastPacketLost) {
  for (const RecoveryKind recovery : kBoth) {
    Pair pair(with(recovery), lose_data(4 * kMessagePackets - 1));
    write_messages(pair, 4);
    pair.run(20 * kMs);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
    EXPECT_EQ(pair.counters(0).local_ack_timeout_err, 1u);
    EXPECT_EQ(pair.counters(1).naks_sent, 0u);
  }
}

TEST(Corners, LastAckLost) {
  for (const RecoveryKind recovery : kBoth) {
    First ack(1);
    Pair pair(with(recovery), [&](const SentPacket& p) {
      return ack(p.kind == PacketKind::ack && p.psn == 4 * kMessagePackets - 1);
    });
    write_messages(pair, 4);
    pair.run(kTimeout / 2);
    EXPECT_EQ(pair.with_status(WcStatus::success), 3u);
    pair.run(20 * kMs);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
    EXPECT_EQ(pair.counters(0).local_ack_timeout_err, 1u);
    EXPECT_GE(pair.counters(1).duplicate_request, 1u);
  }
}

// A packet that is lost, and its repetition too. Go-back-N learns of it by its timeout, as the gap has been reported;
// selective repeat by what was sent later and has arrived.
TEST(Corners, RetransmissionLostAgain) {
  for (const RecoveryKind recovery : kBoth) {
    Pair pair(with(recovery), lose_data(100, 2));
    write_messages(pair, 8);
    pair.run(20 * kMs);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 8u);
    EXPECT_EQ(pair.counters(0).local_ack_timeout_err, is(recovery, RecoveryKind::go_back_n) ? 1u : 0u);
  }
}

// Until the timeouts are used up: the one before the last repetition arrives.
TEST(Corners, RetransmissionLostSevenTimes) {
  for (const RecoveryKind recovery : kBoth) {
    Pair pair(with(recovery), lose_data(4 * kMessagePackets - 1, 7));
    write_messages(pair, 4);
    pair.run(kSecond);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
    EXPECT_EQ(pair.counters(0).local_ack_timeout_err, 7u);
  }
}

// READs go back to the missing response with either recovery: a gap says so, and a missing last one by the timeout.
TEST(Corners, ReadResponsesLost) {
  constexpr uint32_t kFirst = 0, kMiddle = 30, kLast = 4 * kMessagePackets - 1;
  struct Case {
    uint32_t psn, times;
    uint64_t timeouts;
  };
  for (const RecoveryKind recovery : kBoth) {
    for (const auto& [psn, times, timeouts] :
         {Case{kFirst, 1, 0}, Case{kMiddle, 1, 0}, Case{kLast, 1, 1}, Case{kLast, 3, 3}}) {
      First lost(times);
      Pair pair(with(recovery),
                [&, at = psn](const SentPacket& p) { return lost(p.host == 1 && p.psn == at); });
      for (uint32_t i = 0; i < 4; ++i) pair.post(WrOpcode::rdma_read, kMessageBytes, i * kMessageBytes);
      pair.run(100 * kMs);
      pair.check();
      EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
      EXPECT_EQ(pair.counters(0).local_ack_timeout_err, timeouts) << "response " << psn;
      EXPECT_EQ(pair.counters(0).implied_nak_seq_err != 0, timeouts == 0) << "response " << psn;
    }
  }
}

// Every third response is lost, and every seventh request for the rest.
TEST(Corners, ManyReadResponsesLost) {
  for (const RecoveryKind recovery : kBoth) {
    uint32_t responses = 0, requests = 0;
    Pair pair(with(recovery),
              [&](const SentPacket& p) { return p.host == 1 ? ++responses % 3 == 0 : ++requests % 7 == 0; });
    for (uint32_t i = 0; i < 8; ++i) pair.post(WrOpcode::rdma_read, 5000, i * kMessageBytes);
    pair.run(kSecond);
    pair.check();
    EXPECT_EQ(pair.with_status(WcStatus::success), 8u);
  }
}

// The first packet of a SEND is lost. When it comes again, no receive is posted: the requester has to wait, and what selective
// repeat had kept ahead of its turn is of no use. Behind the wait the repetition is lost once more.
TEST(Corners, RnrDuringRecovery) {
  for (const RecoveryKind recovery : kBoth) {
    for (const uint32_t times : {1u, 3u}) {
      First lost(times), again(1);
      bool waited = false;
      Pair pair(with(recovery), [&](const SentPacket& p) {
        waited |= p.is_rnr_nak();
        const bool first_of_second = p.host == 0 && p.psn == kMessagePackets;
        return lost(first_of_second && !waited) || again(first_of_second && waited && times > 1);
      });
      pair.post_receives(1);
      for (uint32_t i = 0; i < 4; ++i) pair.post(WrOpcode::send, kMessageBytes, i * kMessageBytes);
      pair.run(5 * kMs);
      EXPECT_EQ(pair.with_status(WcStatus::success), 1u);
      EXPECT_TRUE(waited);
      pair.post_receives(3);
      pair.run(200 * kMs);
      pair.check();
      EXPECT_EQ(pair.with_status(WcStatus::success), 4u);
      EXPECT_EQ(pair.received, 4u);
      EXPECT_GE(pair.counters(0).rcvd_rnr_err, 1u);
      EXPECT_GE(pair.counters(0).packet_seq_err, 1u);
    }
  }
}

// A queue pair goes to its error state while its host is paused: by its owner, or because answers are lost. Its requests are
// flushed at once; another one of the same host goes on when the pause is over, and nothing stays paused.
TEST(Corners, ErrorInTheMiddleOfAPause) {
  for (const RecoveryKind recovery : kBoth) {
    for (const bool by_owner : {true, false}) {
      PairSettings settings = with(recovery);
      settings.queue_pairs = 2;
      // A request that cannot leave uses up no retry: none is allowed.
      settings.connection.timeout = by_owner ? 14 : 4;
      settings.connection.retries = 0;
      bool answers_lost = false;
      Pair pair(settings, [&](const SentPacket& p) { return answers_lost && p.kind == PacketKind::ack; });
      for (uint32_t i = 0; i < 8; ++i)
        pair.post(WrOpcode::rdma_write, kMessageBytes, i * kMessageBytes, i % 2);
      pair.run(20 * kUs);
      Fabric& f = pair.fabric();
      answers_lost = !by_owner;
      f.send_pause(f.host_port(1), 3, true, f.now());
      pair.run(30 * kUs);
      EXPECT_LT(pair.with_status(WcStatus::success), 8u);
      EXPECT_TRUE(f.host_port(0).paused(3, f.now()));
      if (by_owner) pair.fail(0);
      pair.run(5 * kMs);
      EXPECT_TRUE(f.host_port(0).paused(3, f.now()));
      EXPECT_EQ(pair.qp(0, 0).state(), uroce::QpState::err);
      EXPECT_GE(pair.with_status(WcStatus::wr_flush_err), 1u);
      EXPECT_EQ(pair.with_status(WcStatus::retry_exc_err), by_owner ? 0u : 2u);
      answers_lost = false;
      f.send_pause(f.host_port(1), 3, false, f.now());
      pair.run(100 * kMs);
      pair.check();
      EXPECT_EQ(f.host_port(0).queues[3].count, 0u);
      EXPECT_EQ(f.packets.in_use(), 0u);
      EXPECT_EQ(pair.qp(0, 1).state(), by_owner ? uroce::QpState::rts : uroce::QpState::err);
      if (by_owner) {
        EXPECT_GE(pair.with_status(WcStatus::success), 4u);
      }
    }
  }
}

}  // namespace
}  // namespace vlsim
