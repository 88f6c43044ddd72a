// The state machine of the connection manager, one behavior per test.
#include <gtest/gtest.h>

#include <cerrno>

#include "machine_fixture.h"
#include "uroce/cm/protocol/machine_times.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm::test {
namespace {

TEST_F(CmMachine, BothSidesLearnWhatTheyNeed) {
  Story& story = connected();
  EXPECT_EQ(story.events, std::vector{reply});
  EXPECT_EQ(request().events, (std::vector{EventType::request, established}));
  const Connection& active = *story.connection;
  const Connection& passive = *request().connection;
  EXPECT_EQ(active.state, State::established);
  EXPECT_EQ(passive.state, State::established);
  EXPECT_EQ(active.remote_qpn, 0x2000u);
  EXPECT_EQ(passive.remote_qpn, 0x1000u);
  // Each end announces the PSN that it expects to receive.
  EXPECT_EQ(active.receive_psn, 0x1007u);
  EXPECT_EQ(passive.send_psn, active.receive_psn);
  EXPECT_EQ(active.send_psn, passive.receive_psn);
  EXPECT_EQ(passive.path_mtu, 5);
  EXPECT_EQ(passive.ack_timeout, 14);
  EXPECT_EQ(active.responder_resources, 3);
  EXPECT_EQ(active.initiator_depth, 5);
}

TEST_F(CmMachine, PrivateDataGoesBothWays) {
  a.data = std::vector<uint8_t>(wire::CmReq::kPrivate, 0x5a);
  Story& story = requested();
  EXPECT_EQ(request().data, a.data);
  const std::vector<uint8_t> answer(wire::CmRej::kPrivate, 0xa5);
  EXPECT_EQ(b.machine.reject(*request().connection, wire::cm_reject::consumer_defined, answer, network.now),
            0);
  run();
  EXPECT_EQ(story.events, std::vector{rejected});
  EXPECT_EQ(story.status, 28);
  EXPECT_EQ(story.data, answer);
}

TEST_F(CmMachine, TooMuchPrivateDataIsInvalid) {
  a.data.resize(wire::CmReq::kPrivate + 1);
  EXPECT_EQ(a.connect(a.open(b)), EINVAL);
  EXPECT_EQ(network.sent, 0u);
}

TEST_F(CmMachine, NobodyListens) {
  b.listening = false;
  Story& story = requested();
  EXPECT_EQ(story.events, std::vector{rejected});
  EXPECT_EQ(story.status, wire::cm_reject::invalid_service_id);
  EXPECT_EQ(b.machine.size(), 0u);
}

TEST_F(CmMachine, CallsOutOfTurnAreInvalid) {
  Story& story = a.open(b);
  EXPECT_EQ(a.machine.send_rtu(*story.connection), EINVAL);
  EXPECT_EQ(a.accept(story), EINVAL);
  EXPECT_EQ(a.machine.disconnect(*story.connection, network.now), EINVAL);
  EXPECT_EQ(a.machine.reject(*story.connection, 28, {}, network.now), EINVAL);
  EXPECT_EQ(a.machine.notify(*story.connection), EINVAL);
  EXPECT_EQ(a.connect(story), 0);
  EXPECT_EQ(a.connect(story), EINVAL);
}

TEST_F(CmMachine, EveryMessageIsRepeatedUntilItIsAnswered) {
  for (uint16_t lost : {wire::cm_attribute::req, wire::cm_attribute::rep, wire::cm_attribute::rtu}) {
    Network lossy(1, {});
    Host one(lossy, 1), two(lossy, 2);
    two.react = [&](Story& s, const Event& e) {
      if (e.type == EventType::request) two.accept(s);
    };
    one.react = [&](Story& s, const Event& e) {
      if (e.type == reply) one.machine.send_rtu(*s.connection);
    };
    int left = 3;
    lossy.filter = [&](const Address&, const wire::MadBytes& mad) {
      return attribute_of(mad) != lost || left-- <= 0;
    };
    Story& story = one.open(two);
    one.connect(story);
    lossy.run(lossy.now + 10'000'000'000);
    EXPECT_EQ(story.connection->state, State::established) << lost;
    ASSERT_EQ(two.stories.size(), 1u) << lost;
    EXPECT_EQ(two.stories[0]->connection->state, State::established) << lost;
    EXPECT_EQ(two.stories[0]->count(established), 1u) << lost;
    EXPECT_EQ(story.count(reply), 1u) << lost;
  }
}

TEST_F(CmMachine, TheFirstRepetitionComesAfterAQuarterOfASecond) {
  Story& story = a.open(b);
  lose(wire::cm_attribute::req, 1);
  const uint64_t begin = network.now;
  a.connect(story);
  network.run(begin + 400'000'000);
  EXPECT_EQ(network.sent, 2u);
  ASSERT_EQ(b.stories.size(), 1u);
  EXPECT_GE(request().last_event, begin + 250'000'000);
}

TEST_F(CmMachine, ASlowConsumerIsNotTakenForALostOne) {
  int mras = 0;
  network.filter = [&](const Address&, const wire::MadBytes& mad) {
    mras += attribute_of(mad) == wire::cm_attribute::mra;
    return true;
  };
  Story& story = a.open(b);
  a.connect(story);
  // The application answers after forty seconds: no third REQ is sent meanwhile.
  network.run(network.now + 40'000'000'000);
  EXPECT_EQ(mras, 1);
  EXPECT_EQ(network.sent, 3u);
  EXPECT_TRUE(story.events.empty());
  b.accept(request());
  run();
  EXPECT_EQ(story.events, std::vector{reply});
}

TEST_F(CmMachine, APeerThatIsAwayIsUnreachable) {
  network.filter = [](const Address&, const wire::MadBytes&) { return false; };
  Story& story = a.open(b);
  const uint64_t begin = network.now;
  a.connect(story);
  network.settle();
  EXPECT_EQ(story.events, std::vector{unreachable});
  EXPECT_EQ(story.status, ETIMEDOUT);
  // 16 times REQ, and the notice of the end.
  EXPECT_EQ(network.sent, 17u);
  EXPECT_GT(story.last_event - begin, 30'000'000'000u);
  EXPECT_LT(story.last_event - begin, 90'000'000'000u);
}

TEST_F(CmMachine, APeerThatVanishesAfterItsRequestIsUnreachable) {
  requested();
  network.filter = [](const Address&, const wire::MadBytes&) { return false; };
  b.accept(request());
  network.settle();
  EXPECT_TRUE(request().saw(unreachable));
  EXPECT_FALSE(request().saw(established));
}

TEST_F(CmMachine, DisconnectTellsBothSidesOnce) {
  Story& story = connected();
  EXPECT_EQ(a.machine.disconnect(*story.connection, network.now), 0);
  run();
  EXPECT_EQ(request().events.back(), disconnect_request);
  EXPECT_FALSE(story.saw(disconnected));
  EXPECT_EQ(b.machine.disconnect(*request().connection, network.now), 0);
  run();
  EXPECT_EQ(story.events.back(), disconnected);
  EXPECT_EQ(story.status, 0);
  network.settle();
  EXPECT_EQ(story.events.back(), timewait_exit);
  EXPECT_EQ(request().events.back(), timewait_exit);
  a.drop(story);
  b.drop(request());
  EXPECT_EQ(a.machine.size() + b.machine.size(), 0u);
}

TEST_F(CmMachine, BothDisconnectAtOnce) {
  Story& story = connected();
  a.machine.disconnect(*story.connection, network.now);
  b.machine.disconnect(*request().connection, network.now);
  run();
  EXPECT_EQ(story.count(disconnected), 1u);
  EXPECT_EQ(request().count(disconnected), 1u);
}

TEST_F(CmMachine, ALostDrepIsSaidAgain) {
  Story& story = connected();
  lose(wire::cm_attribute::drep, 2);
  a.machine.disconnect(*story.connection, network.now);
  run();
  b.machine.disconnect(*request().connection, network.now);
  network.run(network.now + 2'000'000'000);
  EXPECT_EQ(story.count(disconnected), 1u);
  EXPECT_EQ(story.status, 0);
}

TEST_F(CmMachine, APeerThatDoesNotAnswerDreqIsGoneAfterSeconds) {
  Story& story = connected();
  network.filter = [](const Address&, const wire::MadBytes&) { return false; };
  const uint64_t begin = network.now;
  a.machine.disconnect(*story.connection, network.now);
  network.settle();
  EXPECT_EQ(story.count(disconnected), 1u);
  EXPECT_EQ(story.events.back(), timewait_exit);
  EXPECT_LT(story.last_event - begin, 15'000'000'000u);
}

TEST_F(CmMachine, LettingGoSaysGoodBye) {
  // Cases: a request that was sent, one that was not answered, one that was accepted, a connection.
  Story& sent = a.open(b);
  a.connect(sent, 1);
  run();
  a.drop(sent);
  run();
  EXPECT_TRUE(b.stories[0]->saw(rejected));

  Story& unanswered = a.open(b);
  a.connect(unanswered, 2);
  run();
  b.drop(*b.stories[1]);
  run();
  EXPECT_EQ(unanswered.events, std::vector{rejected});
  EXPECT_EQ(unanswered.status, wire::cm_reject::consumer_defined);

  Story& accepted = a.open(b);
  a.connect(accepted, 3);
  run();
  b.accept(*b.stories[2], 30);
  run();
  a.drop(accepted);
  run();
  EXPECT_TRUE(b.stories[2]->saw(rejected));

  Story& up = a.open(b);
  a.connect(up, 4);
  run();
  b.accept(*b.stories[3], 40);
  run();
  a.machine.send_rtu(*up.connection);
  run();
  a.drop(up);
  run();
  EXPECT_EQ(b.stories[3]->events.back(), disconnect_request);
  b.drop(*b.stories[3]);
  b.drop(*b.stories[2]);
  b.drop(*b.stories[0]);
  a.drop(unanswered);
  network.settle();
  EXPECT_EQ(a.machine.size() + b.machine.size(), 0u);
}

// The process behind b died; another one has its slot and knows nothing.
TEST_F(CmMachine, MessagesOfTheDeadAreAnswered) {
  Story& story = connected();
  Host reborn(network, 2);
  a.machine.disconnect(*story.connection, network.now);
  run();
  EXPECT_EQ(story.count(disconnected), 1u);
  EXPECT_EQ(story.status, 0);

  // A REP follows for a request whose process died before the answer.
  Story& next = a.open(b);
  a.connect(next, 0x1001);
  run();
  Host forgetful(network, 1);
  reborn.accept(*reborn.stories.at(0));
  run();
  EXPECT_TRUE(reborn.stories[0]->saw(rejected));
  EXPECT_EQ(reborn.stories[0]->status, wire::cm_reject::invalid_comm_id);
}

TEST_F(CmMachine, AQueuePairInTwoConnectionsIsStale) {
  Story& first = connected();
  // A second request names the same queue pair with another communication ID, as after a restart.
  Story& second = a.open(b);
  a.connect(second, 0x1000);
  run();
  EXPECT_EQ(second.events, std::vector{rejected});
  EXPECT_EQ(second.status, wire::cm_reject::stale_connection);
  EXPECT_EQ(first.events.back(), disconnect_request);
}

TEST_F(CmMachine, APacketIsAsGoodAsRtu) {
  lose(wire::cm_attribute::rtu, 1);
  Story& story = replied();
  a.machine.send_rtu(*story.connection);
  run();
  EXPECT_EQ(request().connection->state, State::rep_sent);
  EXPECT_EQ(b.machine.notify(*request().connection), 0);
  EXPECT_EQ(request().events.back(), established);
  network.settle();
  EXPECT_EQ(request().count(established), 1u);
}

TEST_F(CmMachine, ServiceIdsOfDatagramsAreResolved) {
  Story& story = a.open(b);
  const std::vector<uint8_t> question{7, 8};
  EXPECT_EQ(a.machine.send_sidr_req(*story.connection, kService, question, network.now), 0);
  run();
  ASSERT_EQ(request().events, std::vector{sidr_request});
  EXPECT_EQ(request().data[0], 7);
  lose(wire::cm_attribute::sidr_rep, 2);
  EXPECT_EQ(b.machine.send_sidr_rep(*request().connection, 0, 0x77, 0x01234567, {}), 0);
  network.run(network.now + 3'000'000'000);
  EXPECT_EQ(story.events, std::vector{sidr_reply});
  EXPECT_EQ(story.status, 0);
  EXPECT_EQ(story.connection->remote_qpn, 0x77u);
  EXPECT_EQ(b.stories.size(), 1u);
  b.listening = false;
  Story& other = a.open(b);
  a.machine.send_sidr_req(*other.connection, kService, {}, network.now);
  run();
  EXPECT_EQ(other.events, std::vector{sidr_reply});
  EXPECT_EQ(other.status, wire::sidr_status::unsupported);
}

TEST_F(CmMachine, OthersCannotSpeakForThePeer) {
  Story& story = connected();
  Host stranger(network, 3);
  wire::CmDreq dreq;
  dreq.local_comm_id = story.connection->local_id;
  dreq.remote_comm_id = request().connection->local_id;
  network.send({.local = stranger.gid, .remote = b.gid}, wire::make_mad(1, dreq));
  wire::CmRej rej;
  rej.remote_comm_id = story.connection->local_id;
  rej.reason = 28;
  network.send({.local = stranger.gid, .remote = a.gid}, wire::make_mad(1, rej));
  run();
  EXPECT_EQ(story.connection->state, State::established);
  EXPECT_EQ(request().connection->state, State::established);
}

// A listener that refuses everything, and requests from everywhere at the speed of a network.
TEST_F(CmMachine, StrangersCannotFillTheMemory) {
  // Refused by destroying the request, or by a REJ first.
  b.react = [&](Story& story, const Event& event) {
    if (event.type == EventType::request && b.stories.size() % 3 == 0) {
      b.machine.reject(event.connection, wire::cm_reject::consumer_defined, {}, network.now);
    }
    b.drop(story);
  };
  const Story& mine = connected_before_the_flood();
  network.filter = [](const Address&, const wire::MadBytes&) { return false; };
  constexpr uint32_t kRequests = 100'000;
  for (uint32_t i = 0; i < kRequests; ++i) {
    Address from{.local = b.gid, .remote = address(9)};
    from.remote[13] = static_cast<uint8_t>(i >> 16);
    from.remote[14] = static_cast<uint8_t>(i >> 8);
    wire::MadBytes mad;
    if (i % 2 == 0) {
      wire::CmReq req;
      req.local_comm_id = i;
      req.local_qpn = i & 0xffffff;
      req.service_id = kService;
      req.primary.local_ack_timeout = 31;  // the longest timewait that a request can ask for
      mad = wire::make_mad(i, req);
    } else {
      wire::CmSidrReq req;
      req.request_id = i;
      req.service_id = kService;
      mad = wire::make_mad(i, req);
    }
    const uint32_t sent = network.sent;
    b.machine.on_mad(mad.data(), from, network.now);
    ASSERT_EQ(network.sent, sent + 1) << "each is answered";
  }
  EXPECT_LE(b.machine.size(), kMostRemembered + 1);
  EXPECT_EQ(mine.connection->state, State::established);
  network.settle();
  EXPECT_LE(b.machine.size(), 1u);
}

}  // namespace
}  // namespace uroce::cm::test
