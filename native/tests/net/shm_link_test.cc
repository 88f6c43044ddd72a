// Packets through shared memory between two devices on one host. Both live in this process, each with a
// thread that serves the connections, as the engine thread does. Tests with killed processes are in
// e2e/stock.
#include "uroce/net/shm/shm_link.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "tests/net/own_address.h"
#include "tests/net/share_member.h"
#include "tests/net/shm_peer.h"

namespace uroce::net::test {
namespace {

std::vector<uint8_t> packet(uint32_t length, uint8_t fill) { return std::vector<uint8_t>(length, fill); }

// Acts as a sender that finds no room in a channel that opens. Returns the time of its next check.
uint64_t sleep_until_the_answer_is_due(Peer& peer, const Flow& flow, uint32_t slot) {
  EXPECT_EQ(peer.with([&](ShmLink& link) { return link.room(link.channel(flow, slot)); }), 0u);
  EXPECT_FALSE(peer.with([](ShmLink& link) { return link.room_returned(); }));
  const uint64_t deadline = peer.with([](ShmLink& link) { return link.next_wake(); });
  EXPECT_NE(deadline, kNever) << "nothing would wake the sender";
  return deadline;
}

// Two devices on one address, with an open channel from the first to the second.
class OpenShmLink : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(one.settled(flow, two.slot()), ShmChannel::State::open); }

  const std::string address = own_address(0);
  Peer one{address}, two{address};
  const Flow flow = one.flow_to(two);
};

TEST(ShmLink, OpensAChannelOnFirstUseAndHandsPacketsOver) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  Flow flow = one.flow_to(two);
  flow.traffic_class = 0xb8;
  flow.hop_limit = 9;
  EXPECT_NE(one.state(flow, two.slot()), ShmChannel::State::sockets);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmChannel::State::open);
  ASSERT_TRUE(one.send(flow, two.slot(), packet(300, 0x5a)));
  Arrivals got;
  ASSERT_EQ(two.receive(got), 1u);
  EXPECT_EQ(got.packets[0], packet(300, 0x5a));
  EXPECT_EQ(got.source, one.own_gid());
  EXPECT_EQ(got.destination, two.own_gid());
  EXPECT_EQ(got.last.source_port, wire::kRocePort);
  EXPECT_EQ(got.last.tos, 0xb8);
  EXPECT_EQ(got.last.ttl, 9);
  EXPECT_TRUE(got.last.same_host);
  EXPECT_EQ(one.counters().bytes_out, 300u);
  EXPECT_EQ(two.counters().bytes_in, 300u);
}

TEST(ShmLink, ReachesAnotherAddressOfThisHost) {
  Peer one(own_address(0)), two(own_address(1));
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmChannel::State::open);
  ASSERT_TRUE(one.send(flow, two.slot(), packet(20, 1)));
  Arrivals got;
  EXPECT_EQ(two.receive(got), 1u);
  EXPECT_EQ(got.source, one.own_gid());
}

TEST(ShmLink, ReachesItsOwnProcess) {
  Peer one(own_address(0));
  const Flow flow = one.flow_to(one);
  ASSERT_EQ(one.state(flow, one.slot()), ShmChannel::State::open);
  ASSERT_TRUE(one.send(flow, one.slot(), packet(64, 2)));
  Arrivals got;
  EXPECT_EQ(one.receive(got), 1u);
}

TEST(ShmLink, UsesTheSocketsWhereTheOtherProcessHasNoRings) {
  const std::string address = own_address(0);
  Peer one(address), two(address, false);
  const Flow flow = one.flow_to(two);
  EXPECT_EQ(one.settled(flow, two.slot()), ShmChannel::State::sockets);
  EXPECT_EQ(one.counters().refused, 1u);
  EXPECT_EQ(one.state(flow, two.slot()), ShmChannel::State::sockets) << "does not ask each time";
}

// The other process is stopped (SIGSTOP, a debugger): it does not answer, and senders that wait for the
// channel sleep.
TEST(ShmLink, UsesTheSocketsWhereTheOtherProcessIsStopped) {
  const std::string address = own_address(0);
  Member gone(address);
  const auto slot = static_cast<uint32_t>(gone.slot());
  Peer one(address);
  const Flow flow = one.flow_to(one);
  gone.stop();
  ASSERT_EQ(one.state(flow, slot), ShmChannel::State::opening);
  const uint64_t deadline = sleep_until_the_answer_is_due(one, flow, slot);
  while (now_ns() < deadline) std::this_thread::yield();
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); }));
  EXPECT_EQ(one.state(flow, slot), ShmChannel::State::sockets);
  EXPECT_EQ(one.with([](ShmLink& link) { return link.next_wake(); }), kNever);
}

// A running process among many may wait for a core for longer than an answer usually takes.
TEST(ShmLink, WaitsOnForAProcessThatIsNotStopped) {
  const std::string address = own_address(0);
  Peer one(address), busy(address);
  const Flow flow = one.flow_to(busy);
  busy.pause();
  ASSERT_EQ(one.state(flow, busy.slot()), ShmChannel::State::opening);
  const uint64_t deadline = sleep_until_the_answer_is_due(one, flow, busy.slot());
  while (now_ns() < deadline) std::this_thread::yield();
  EXPECT_EQ(one.state(flow, busy.slot()), ShmChannel::State::opening);
  one.with([](ShmLink& link) { return link.room_returned(); });
  EXPECT_GT(sleep_until_the_answer_is_due(one, flow, busy.slot()), deadline);
  busy.resume();
  EXPECT_EQ(one.settled(flow, busy.slot()), ShmChannel::State::open);
}

TEST(ShmLink, UsesTheSocketsWhereNoProcessListens) {
  Peer one(own_address(0));
  Flow flow = one.flow_to(one);
  EXPECT_EQ(one.state(flow, one.slot() + 5), ShmChannel::State::sockets);
  flow.destination = ipv4(192, 0, 2, 1);
  EXPECT_EQ(one.state(flow, 1), ShmChannel::State::sockets);
  EXPECT_EQ(one.counters().refused, 0u);
}

// A sender of datagrams may write to any number of them.
TEST_F(OpenShmLink, ForgetsChannelsWithoutAListener) {
  Flow elsewhere = flow;
  for (uint32_t i = 0; i < 2 * ShmLink::kManyChannels; ++i) {
    elsewhere.destination = ipv4(192, 0, static_cast<uint8_t>(i >> 8), static_cast<uint8_t>(i));
    ASSERT_EQ(one.state(elsewhere, 1), ShmChannel::State::sockets);
  }
  EXPECT_LE(one.with([](ShmLink& link) { return link.channels(); }), ShmLink::kManyChannels);
  ASSERT_TRUE(one.send(flow, two.slot(), packet(100, 1))) << "an open channel stays";
  Arrivals got;
  EXPECT_EQ(two.receive(got), 1u);
}

TEST(ShmLink, ReceivesWhatADeadProcessSentAndOpensANewChannelToItsSuccessor) {
  const std::string address = own_address(0);
  Peer one(address);
  std::optional<Peer> two(address);
  const Flow there = one.flow_to(*two), back = two->flow_to(one);
  const uint32_t slot = two->slot();
  ASSERT_EQ(one.settled(there, slot), ShmChannel::State::open);
  ASSERT_EQ(two->settled(back, one.slot()), ShmChannel::State::open);
  ASSERT_TRUE(two->send(back, one.slot(), packet(100, 3)));
  two.reset();
  while (one.state(there, slot) == ShmChannel::State::open) std::this_thread::yield();
  Arrivals got;
  EXPECT_EQ(one.receive(got), 1u);
  while (one.with([](ShmLink& link) { return link.has_rings(); })) one.receive(got);
  two.emplace(address);
  ASSERT_EQ(two->slot(), slot);
  for (ShmChannel::State state = ShmChannel::State::sockets; state != ShmChannel::State::open;) {
    state = one.settled(there, slot);
  }
  ASSERT_TRUE(one.send(there, slot, packet(100, 4)));
  EXPECT_EQ(two->receive(got), 1u);
}

TEST_F(OpenShmLink, HoldsTheSenderBackUntilThereIsRoomAndDropsNothing) {
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); })) << "the channel has opened";
  uint32_t sent = 0;
  while (one.send(flow, two.slot(), packet(4112, static_cast<uint8_t>(sent)))) ++sent;
  EXPECT_GT(sent, 100u);
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.waiting(); }));
  EXPECT_FALSE(one.with([](ShmLink& link) { return link.room_returned(); }));
  ASSERT_TRUE(one.with([](ShmLink& link) { return link.sleep(); }));
  const int bell = one.with([](ShmLink& link) { return link.bell(); });
  EXPECT_FALSE(readable(bell));
  Arrivals got;
  while (two.receive(got, 64 << 10) != 0) {
  }
  EXPECT_TRUE(readable(bell)) << "the reader wakes a writer that waits for room";
  one.with([](ShmLink& link) { link.end_sleep(); });
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); }));
  EXPECT_FALSE(one.with([](ShmLink& link) { return link.waiting(); }));
  ASSERT_EQ(got.packets.size(), sent);
  for (uint32_t i = 0; i < sent; ++i) ASSERT_EQ(got.packets[i][0], static_cast<uint8_t>(i));
}

// The reader's ring is full, and it takes nothing: packets that need no answer need not wait without end.
TEST(ShmLink, CallsAReaderStoppedThatTakesNothingForHalfASecond) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const Flow flow = one.flow_to(two);
  const uint32_t slot = two.slot();
  const auto stopped = [&] {
    return one.with([&](ShmLink& link) { return link.reader_stopped(link.channel(flow, slot)); });
  };
  const auto wake = [&] { return one.with([](ShmLink& link) { return link.next_wake(); }); };
  const auto returned = [&] { return one.with([](ShmLink& link) { return link.room_returned(); }); };
  ASSERT_EQ(one.settled(flow, slot), ShmChannel::State::open);
  returned();
  while (one.send(flow, slot, packet(4112, 1))) {
  }
  EXPECT_FALSE(stopped());
  const uint64_t first = wake();
  EXPECT_FALSE(returned());
  while (now_ns() < first) std::this_thread::yield();
  // The reader takes a little now, not enough to let the senders go on.
  Arrivals got;
  two.receive(got, 8192);
  EXPECT_FALSE(returned());
  EXPECT_FALSE(stopped());
  const uint64_t second = wake();
  EXPECT_GT(second, first);
  while (now_ns() < second) std::this_thread::yield();
  EXPECT_TRUE(returned()) << "senders of unreliable packets may go on";
  EXPECT_TRUE(stopped());
  while (one.send(flow, slot, packet(4112, 1))) {
  }
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.waiting(); }));
  EXPECT_FALSE(returned()) << "and the others still wait";
  while (two.receive(got, 64 << 10) != 0) {
  }
  EXPECT_TRUE(returned());
  EXPECT_FALSE(stopped());
}

// The engine thread may fill a ring for a thread that already sleeps.
TEST_F(OpenShmLink, WakesASleeperWhoseRingFilledAfterItsLastLook) {
  ASSERT_TRUE(one.with([](ShmLink& link) { return link.sleep(); }));
  while (one.send(flow, two.slot(), packet(4112, 1))) {
  }
  const int bell = one.with([](ShmLink& link) { return link.bell(); });
  EXPECT_FALSE(readable(bell));
  Arrivals got;
  while (two.receive(got, 64 << 10) != 0) {
  }
  EXPECT_TRUE(readable(bell));
  one.with([](ShmLink& link) { link.end_sleep(); });
}

TEST(ShmLink, WakesASleeperByTheLastPacketOfAProcessThatEndsAtOnce) {
  const std::string address = own_address(0);
  std::optional<Peer> one(address);
  Peer two(address);
  const Flow flow = one->flow_to(two);
  ASSERT_EQ(one->settled(flow, two.slot()), ShmChannel::State::open);
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  ASSERT_TRUE(one->send(flow, two.slot(), packet(64, 1)));
  one.reset();
  EXPECT_TRUE(readable(two.with([](ShmLink& link) { return link.bell(); })));
  two.with([](ShmLink& link) { link.end_sleep(); });
  Arrivals got;
  EXPECT_EQ(two.receive(got), 1u);
}

// Two threads of a device sleep on one bell. The first to wake may leave the packet to the other one.
TEST_F(OpenShmLink, KeepsTheBellSetUntilTheRingsAreRead) {
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  const int bell = two.with([](ShmLink& link) { return link.bell(); });
  two.with([](ShmLink& link) { link.end_sleep(); });
  EXPECT_TRUE(readable(bell));
  two.with([](ShmLink& link) { link.end_sleep(); });
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); }));
}

TEST_F(OpenShmLink, RingsOnlyForASleeper) {
  const int bell = two.with([](ShmLink& link) { return link.bell(); });
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  EXPECT_FALSE(readable(bell)) << "it is awake and polls by itself";
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); })) << "there is something to do";
  Arrivals got;
  two.receive(got);
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  EXPECT_FALSE(readable(bell));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 2)));
  EXPECT_TRUE(readable(bell));
  two.with([](ShmLink& link) { link.end_sleep(); });
  EXPECT_TRUE(readable(bell)) << "another thread may sleep on it, and be the one that polls";
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); })) << "the packet has not been taken in";
  EXPECT_FALSE(readable(bell));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 3)));
  EXPECT_FALSE(readable(bell)) << "awake again";
}

// An application that spins on memory makes no progress while its engine thread is in a poll-mode sleep.
TEST_F(OpenShmLink, RingsForAPollSleepThatPacketsHaveWaitedFor) {
  const int fd = two.with([](ShmLink& link) { return link.poll_sleep_fd(); });
  const auto sleep_again = [&] {
    two.with([](ShmLink& link) { link.end_poll_sleep(), link.begin_poll_sleep(); });
  };
  const auto ring_late = [&] { one.with([](ShmLink& link) { link.ring_late(); }); };
  two.with([](ShmLink& link) { link.begin_poll_sleep(); });
  ring_late();
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  ring_late();
  EXPECT_FALSE(readable(fd)) << "the packet may have been sent just now";
  Arrivals got;
  ASSERT_EQ(two.receive(got), 1u);
  ring_late();
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 2)));
  ring_late();
  EXPECT_FALSE(readable(fd)) << "it has read since the last call";
  ring_late();
  EXPECT_TRUE(readable(fd));
  sleep_again();
  ring_late();
  EXPECT_FALSE(readable(fd)) << "it has rung for this sleep";
  for (int i = 0; i < 10; ++i) ring_late();
  EXPECT_TRUE(readable(fd)) << "and rings again when that does not help";
  two.receive(got);
  sleep_again();
  for (int i = 0; i < 10; ++i) ring_late();
  EXPECT_FALSE(readable(fd)) << "nothing waits";
}

// The reader gives the room of a brief packet back only with its next poll, which may be long after its
// answer.
TEST_F(OpenShmLink, DoesNotTakeAPacketThatWasReadInAHurryForOneThatWaits) {
  Arrivals got;
  ASSERT_EQ(two.receive(got), 0u) << "it keeps up";
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  ASSERT_EQ(two.receive(got), 1u);
  two.with([](ShmLink& link) { link.begin_poll_sleep(); });
  for (int i = 0; i < 10; ++i) one.with([](ShmLink& link) { link.ring_late(); });
  EXPECT_FALSE(readable(two.with([](ShmLink& link) { return link.poll_sleep_fd(); })));
}

TEST_F(OpenShmLink, AnswersABriefBatchBeforeItLooksForMore) {
  Arrivals got;
  EXPECT_EQ(two.receive(got), 0u) << "it keeps up";
  for (uint8_t i = 0; i < 3; ++i) ASSERT_TRUE(one.send(flow, two.slot(), packet(64, i)));
  EXPECT_EQ(two.receive(got), 1u);
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); })) << "there is more";
  EXPECT_EQ(two.receive(got), 2u) << "it does not keep up: all that is there";
  EXPECT_EQ(two.receive(got), 0u);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(one.send(flow, two.slot(), packet(4112, 9)));
  EXPECT_EQ(two.receive(got), 2u) << "long packets are no question that waits for its answer";
}

// Each fills the other's ring and sleeps without work, like two devices whose programs wait for events.
TEST(ShmLink, LosesNoPacketAndNoWakeUpBetweenThreadsThatSleep) {
  constexpr uint32_t kPackets = 5'000;
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const auto length_of = [](uint32_t i) { return 16 + i * 37 % (i / 256 % 2 == 0 ? 4096 : 64); };
  const auto exchange = [&](Peer& self, const Flow& flow, uint32_t slot, Arrivals& got) {
    for (uint32_t sent = 0; sent < kPackets || got.packets.size() < kPackets;) {
      const uint32_t before = sent;
      self.with([](ShmLink& link) { return link.room_returned(); });
      while (sent < kPackets && self.send(flow, slot, packet(length_of(sent), static_cast<uint8_t>(sent))))
        ++sent;
      if (self.receive(got) != 0 || sent != before) continue;
      if (!self.with([](ShmLink& link) { return link.sleep(); })) continue;
      pollfd bell{self.with([](ShmLink& link) { return link.bell(); }), POLLIN, 0};
      const int woken = poll(&bell, 1, 20'000);
      self.with([](ShmLink& link) { link.end_sleep(); });
      ASSERT_EQ(woken, 1) << sent << " sent, " << got.packets.size() << " received";
    }
  };
  const Flow there = one.flow_to(two), back = two.flow_to(one);
  ASSERT_EQ(one.settled(there, two.slot()), ShmChannel::State::open);
  ASSERT_EQ(two.settled(back, one.slot()), ShmChannel::State::open);
  Arrivals at_one, at_two;
  std::thread other([&] { exchange(two, back, one.slot(), at_two); });
  exchange(one, there, two.slot(), at_one);
  other.join();
  for (const Arrivals* got : {&at_one, &at_two}) {
    ASSERT_EQ(got->packets.size(), kPackets);
    for (uint32_t i = 0; i < kPackets; ++i)
      ASSERT_EQ(got->packets[i], packet(length_of(i), static_cast<uint8_t>(i))) << i;
  }
  EXPECT_GT(one.counters().full + two.counters().full, 0u) << "the rings were never full";
}

// 64 processes that all talk to each other: 63 rings each.
TEST(ShmLink, KeepsTheRingsOfManyProcessesBelowAGibibyte) {
  uint64_t bytes = 0;
  for (uint32_t rings = 0; rings < 63; ++rings) bytes += shm::ring_memory(ShmLink::ring_size(rings));
  EXPECT_LT(64 * bytes, 1u << 30);
  EXPECT_LE(2 * shm::ring_memory(ShmLink::ring_size(0)), 4u << 20) << "of a pair";
}

}  // namespace
}  // namespace uroce::net::test
