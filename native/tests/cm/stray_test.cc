// Messages that come twice, late, or from an unknown sender: their allowed effects on a connection.
#include <cerrno>

#include "machine_fixture.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm::test {
namespace {

class CmStray : public CmMachine {
 protected:
  // Sends a message with the address of the other host.
  template <class Message>
  void from_b(const Message& message) {
    network.send({.local = b.gid, .remote = a.gid}, wire::make_mad(1, message));
    run();
  }
  template <class Message>
  void from_a(const Message& message) {
    network.send({.local = a.gid, .remote = b.gid}, wire::make_mad(1, message));
    run();
  }
  // A process of b that does not know the connection refuses a late copy of its request.
  wire::CmRej refusal(const Story& story) {
    wire::CmRej rej;
    rej.remote_comm_id = story.connection->local_id;
    rej.message = wire::cm_message::req;
    rej.reason = wire::cm_reject::invalid_service_id;
    return rej;
  }
  wire::CmReq request_with(uint32_t qpn, uint64_t guid) {
    wire::CmReq req;
    req.local_comm_id = 0x7777;
    req.local_ca_guid = guid;
    req.local_qpn = qpn;
    req.service_id = kService;
    return req;
  }
};

TEST_F(CmStray, ARefusalOfTheRequestEndsNothingOnceTheReplyIsThere) {
  Story& story = replied();
  ASSERT_EQ(story.connection->state, State::rep_received);
  from_b(refusal(story));
  EXPECT_EQ(story.connection->state, State::rep_received);
  a.machine.send_rtu(*story.connection);
  run();
  from_b(refusal(story));
  EXPECT_EQ(story.events, std::vector{reply});
  EXPECT_EQ(story.connection->state, State::established);
  EXPECT_EQ(a.machine.counts().stray, 2u);
}

TEST_F(CmStray, ARejMustNameBothEnds) {
  Story& story = connected();
  wire::CmRej rej = refusal(story);
  rej.message = wire::cm_message::other;
  for (const uint32_t id : {0u, request().connection->local_id + 1}) {
    rej.local_comm_id = id;
    from_b(rej);
    EXPECT_EQ(story.connection->state, State::established) << id;
  }
  rej.local_comm_id = request().connection->local_id;
  from_b(rej);
  EXPECT_EQ(story.events.back(), rejected);
}

TEST_F(CmStray, GivingUpIsSaidWithTheGuid) {
  Story& story = requested();
  wire::CmRej rej;
  rej.local_comm_id = story.connection->local_id;
  rej.reason = wire::cm_reject::timeout;
  rej.message = wire::cm_message::other;
  from_a(rej);
  EXPECT_FALSE(request().saw(rejected));
  a.drop(story);
  run();
  EXPECT_TRUE(request().saw(rejected));
  EXPECT_EQ(request().status, wire::cm_reject::timeout);
}

TEST_F(CmStray, ALostRejOfTheReplyIsRepeated) {
  Story& story = replied();
  lose(wire::cm_attribute::rej, 1);
  EXPECT_EQ(a.machine.reject(*story.connection, wire::cm_reject::consumer_defined, {}, network.now), 0);
  network.run(network.now + 1'000'000'000);
  EXPECT_TRUE(request().saw(rejected));
  EXPECT_EQ(request().status, wire::cm_reject::consumer_defined);
}

TEST_F(CmStray, ALostRejOfADroppedReplyIsRepeated) {
  Story& story = replied();
  lose(wire::cm_attribute::rej, 1);
  a.drop(story);
  network.run(network.now + 1'000'000'000);
  EXPECT_EQ(request().status, wire::cm_reject::consumer_defined);
}

// b accepts and destroys, and neither REP nor REJ arrives: the next copy of the request must not be
// accepted.
TEST_F(CmStray, ACopyOfARequestIsRejectedOnceItsConnectionIsOver) {
  Story& story = requested();
  network.filter = [](const Address& to, const wire::MadBytes&) { return to.remote != address(1); };
  b.accept(request());
  b.drop(request());
  run();
  network.filter = nullptr;
  network.run(network.now + 1'000'000'000);
  EXPECT_EQ(story.events, std::vector{rejected});
  EXPECT_EQ(story.status, wire::cm_reject::consumer_defined);
}

// The REJ is lost, so the active side considers itself connected and sends RTU.
TEST_F(CmStray, AReadyPeerHearsThatItsConnectionIsOver) {
  Story& story = replied();
  lose(wire::cm_attribute::rej, 1);
  b.drop(request());
  a.machine.send_rtu(*story.connection);
  run();
  EXPECT_EQ(story.events, (std::vector{reply, rejected}));
}

TEST_F(CmStray, ADreqMustNameOurQueuePair) {
  Story& story = connected();
  wire::CmDreq dreq;
  dreq.local_comm_id = story.connection->local_id;
  dreq.remote_comm_id = request().connection->local_id;
  dreq.remote_qpn = request().connection->local_qpn + 1;
  from_a(dreq);
  EXPECT_EQ(request().connection->state, State::established);
  dreq.remote_qpn = request().connection->local_qpn;
  from_a(dreq);
  EXPECT_EQ(request().events.back(), disconnect_request);
}

TEST_F(CmStray, ADrepMustNameBothEnds) {
  Story& story = connected();
  lose(wire::cm_attribute::dreq, 100);
  a.machine.disconnect(*story.connection, network.now);
  wire::CmDrep drep;
  drep.local_comm_id = request().connection->local_id + 1;
  drep.remote_comm_id = story.connection->local_id;
  from_b(drep);
  EXPECT_EQ(story.connection->state, State::dreq_sent);
  drep.local_comm_id = request().connection->local_id;
  from_b(drep);
  EXPECT_EQ(story.events.back(), disconnected);
}

TEST_F(CmStray, AnMraCountsForTheMessageThatIsUnderWay) {
  Story& story = a.open(b);
  lose(wire::cm_attribute::req, 1);
  a.connect(story);
  const uint64_t wake = a.machine.next_wake();
  wire::CmMra mra;
  mra.remote_comm_id = story.connection->local_id;
  mra.message = wire::cm_message::rep;
  mra.service_timeout = 31;
  from_b(mra);
  EXPECT_EQ(a.machine.next_wake(), wake);
}

TEST_F(CmStray, AQueuePairIsStaleOnlyForTheSameAdapter) {
  Story& story = connected();
  const uint32_t qpn = story.connection->local_qpn;
  from_a(request_with(qpn, 0));
  EXPECT_EQ(request().connection->state, State::established);
  EXPECT_EQ(b.machine.counts().stale, 0u);
  // Like in the kernel, the right GUID means that the peer has lost the first connection.
  wire::CmReq again = request_with(qpn, 1);
  again.local_comm_id = 0x7778;
  from_a(again);
  EXPECT_EQ(story.events.back(), disconnect_request);
  EXPECT_EQ(b.machine.counts().stale, 1u);
}

// Requests for every QPN, from the peer's address, without its GUID.
TEST_F(CmStray, ASweepOfRequestsLeavesAConnectionAlone) {
  Story& story = connected();
  b.react = [&](Story& s, const Event&) { b.drop(s); };
  for (uint32_t qpn = 0x800; qpn < 0x2800; ++qpn) {
    wire::CmReq req = request_with(qpn, 0x1234);
    req.local_comm_id = qpn;
    b.machine.on_mad(wire::make_mad(qpn, req).data(), {.local = b.gid, .remote = a.gid}, network.now);
  }
  run();
  EXPECT_EQ(story.connection->state, State::established);
  EXPECT_EQ(request().connection->state, State::established);
}

TEST_F(CmStray, AQueuePairInAnotherReplyIsStale) {
  Story& first = connected();
  Story& second = a.open(b);
  a.connect(second, 0x1001);
  run();
  ASSERT_EQ(b.accept(*b.stories.at(1), request().connection->local_qpn), 0);
  run();
  EXPECT_EQ(second.events, std::vector{rejected});
  EXPECT_EQ(second.status, wire::cm_reject::stale_connection);
  EXPECT_EQ(b.stories[1]->status, wire::cm_reject::stale_connection);
  EXPECT_EQ(a.machine.counts().stale, 1u);
  EXPECT_EQ(request().events.back(), disconnect_request);
  // The first connection still owns its entry, and removes it.
  b.machine.disconnect(*request().connection, network.now);
  network.settle();
  Story& third = a.open(b);
  a.connect(third, 0x1002);
  run();
  b.accept(*b.stories.at(2), first.connection->remote_qpn);
  run();
  EXPECT_EQ(third.events, std::vector{reply});
}

TEST_F(CmStray, OfTwoWhoAnswerOneRequestTheSecondIsRejected) {
  Story& story = connected();
  wire::CmRep rep;
  rep.local_comm_id = 0x9999;
  rep.remote_comm_id = story.connection->local_id;
  std::optional<wire::CmRej> answer;
  network.filter = [&](const Address&, const wire::MadBytes& mad) {
    if (attribute_of(mad) == wire::cm_attribute::rej) {
      answer = wire::CmRej::parse(mad.data() + wire::MadHeader::kSize, wire::kMadPayload);
    }
    return true;
  };
  from_b(rep);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->remote_comm_id, rep.local_comm_id);
  EXPECT_EQ(answer->reason, wire::cm_reject::invalid_comm_id);
  EXPECT_EQ(story.connection->state, State::established);
}

TEST_F(CmStray, HandshakesAreKnownUntilBothEndsAreUp) {
  Story& story = a.open(b);
  a.connect(story);
  EXPECT_FALSE(b.machine.handshakes(kService));
  run();
  EXPECT_TRUE(b.machine.handshakes(kService));
  b.accept(request());
  run();
  EXPECT_TRUE(b.machine.handshakes(kService));
  a.machine.send_rtu(*story.connection);
  run();
  EXPECT_FALSE(b.machine.handshakes(kService));
  EXPECT_FALSE(a.machine.handshakes(kService));
}

TEST_F(CmStray, ARequestThatNoProgramSawLeavesNothing) {
  Story& story = a.open(b);
  b.react = [&](Story& s, const Event&) { b.machine.turn_down(std::exchange(s.connection, nullptr)); };
  a.connect(story);
  run();
  EXPECT_EQ(story.events, std::vector{rejected});
  EXPECT_EQ(story.status, wire::cm_reject::consumer_defined);
  EXPECT_EQ(b.machine.size(), 0u);
  EXPECT_EQ(b.machine.counts().refused, 1u);
}

}  // namespace
}  // namespace uroce::cm::test
