// Several processes on one address: ports are seen by all, requests find their listener, and the dead leave
// nothing behind.
#include <memory>

#include "child.h"
#include "fixture.h"

namespace uroce::cm::test {
namespace {

// Leaked on purpose: the child lives until it is killed.
rdma_cm_id* bound(uint16_t port, bool listening) {
  auto* channel = rdma_create_event_channel();
  rdma_cm_id* id = nullptr;
  sockaddr_in here = ip4(kHere, port);
  if (rdma_create_id(channel, &id, nullptr, RDMA_PS_TCP) != 0) return nullptr;
  if (rdma_bind_addr(id, plain(here)) != 0) return nullptr;
  return !listening || rdma_listen(id, 4) == 0 ? id : nullptr;
}

int port_or_errno(uint16_t port, bool listening) {
  rdma_cm_id* id = bound(port, listening);
  return id != nullptr ? port_of(id) : -errno;
}

// An id that has asked for a connection to the port.
rdma_cm_id* connecting(Channel& channel, uint16_t port) {
  rdma_cm_id* id = make_id(channel);
  resolve(id, channel, port);
  create_qp(id);
  EXPECT_EQ(rdma_connect(id, nullptr), 0);
  return id;
}

// Connects once; the status of REJECTED, 0 for a request that was left waiting, -1 for anything else.
int try_connect(uint16_t port, int patience_ms) {
  Channel channel;
  rdma_cm_id* id = connecting(channel, port);
  rdma_cm_event* event = channel.next(patience_ms);
  const int outcome = event == nullptr ? 0 : event->event == RDMA_CM_EVENT_REJECTED ? event->status : -1;
  channel.acknowledge();
  rdma_destroy_qp(id);
  rdma_destroy_id(id);
  return outcome;
}

TEST(CmProcesses, APortIsTakenForAll) {
  Child first([] { return port_or_errno(0, true); });
  const int port = first.said();
  ASSERT_GT(port, 0);
  Child second([port] { return port_or_errno(static_cast<uint16_t>(port), false); });
  EXPECT_EQ(second.said(), -EADDRINUSE);
  first.kill9();
  Child third([port] { return port_or_errno(static_cast<uint16_t>(port), true); });
  EXPECT_EQ(third.said(), port);
}

TEST(CmProcesses, ARequestFindsItsListenerAndADeadOneIsRefused) {
  Child other([] { return port_or_errno(0, true); });
  Child listener([] { return port_or_errno(0, true); });
  const int wrong = other.said(), port = listener.said();
  ASSERT_GT(port, 0);
  ASSERT_GT(wrong, 0);
  Child client([port] { return try_connect(static_cast<uint16_t>(port), 500); });
  EXPECT_EQ(client.said(), 0);
  listener.kill9();
  Child late([port] { return try_connect(static_cast<uint16_t>(port), 10'000); });
  EXPECT_EQ(late.said(), 8);
}

// A server that takes one request, closes its listener and then is slow: copies of the request arrive at
// another process meanwhile.
int serve_one_slowly() {
  rdma_cm_id* listener = bound(0, true);
  if (listener == nullptr) return -1;
  Child::say(port_of(listener));
  rdma_cm_event* event = nullptr;
  if (rdma_get_cm_event(listener->channel, &event) != 0) return -1;
  rdma_event_channel* channel = listener->channel;
  rdma_cm_id* id = event->id;
  rdma_ack_cm_event(event);
  rdma_destroy_id(listener);
  poll(nullptr, 0, 700);
  ibv_qp_init_attr attr = qp_attr();
  if (rdma_create_qp(id, nullptr, &attr) != 0 || rdma_accept(id, nullptr) != 0) return -1;
  if (rdma_get_cm_event(channel, &event) != 0) return -1;
  return event->event == RDMA_CM_EVENT_ESTABLISHED ? 0 : -1;
}

// The event after the answer: 0 if there is none for a second.
int connect_and_watch(uint16_t port) {
  Channel channel;
  connecting(channel, port);
  rdma_cm_event* event = channel.next();
  if (event == nullptr || event->event != RDMA_CM_EVENT_ESTABLISHED) return -1;
  return channel.next(1000) == nullptr ? 0 : -1;
}

TEST(CmProcesses, AListenerClosedEarlyKeepsItsConnection) {
  Child reader([] { return port_or_errno(0, true); });
  ASSERT_GT(reader.said(), 0);
  Child server([] { return serve_one_slowly(); });
  const int port = server.said();
  ASSERT_GT(port, 0);
  Child client([port] { return connect_and_watch(static_cast<uint16_t>(port)); });
  EXPECT_EQ(client.said(), 0);
  EXPECT_EQ(server.said(), 0);
  // The handshake is over, so the port is free again although its process lives.
  Child next([port] { return port_or_errno(static_cast<uint16_t>(port), true); });
  EXPECT_EQ(next.said(), port);
}

// The process that receives the requests of the address is killed again and again.
TEST(CmProcesses, SomebodyAlwaysTakesRequestsIn) {
  std::vector<std::unique_ptr<Child>> processes;
  for (int i = 0; i < 3; ++i) {
    processes.push_back(std::make_unique<Child>([] { return port_or_errno(0, true); }));
    ASSERT_GT(processes.back()->said(), 0);
  }
  for (int round = 0; round < 6; ++round) {
    Child listener([] { return port_or_errno(0, true); });
    const int port = listener.said();
    ASSERT_GT(port, 0);
    processes.front().reset();
    processes.erase(processes.begin());
    Child client([port] { return try_connect(static_cast<uint16_t>(port), 1000); });
    EXPECT_EQ(client.said(), 0);
    Child refused([port] { return try_connect(static_cast<uint16_t>(port == 1025 ? 1026 : 1025), 10'000); });
    EXPECT_EQ(refused.said(), 8);
    processes.push_back(std::make_unique<Child>([] { return port_or_errno(0, true); }));
    ASSERT_GT(processes.back()->said(), 0);
  }
}

// A child that was only forked must not keep what its dead parent had: the lease and the port.
TEST(CmProcesses, AForkedChildKeepsNothingOfItsParent) {
  int life[2];
  ASSERT_EQ(pipe(life), 0);
  Child parent([&] {
    const int port = port_or_errno(0, true);
    if (fork() == 0) {
      char byte;
      close(life[1]);
      [[maybe_unused]] const ssize_t n = read(life[0], &byte, 1);  // until the test is over
      _exit(0);
    }
    return port;
  });
  const int port = parent.said();
  ASSERT_GT(port, 0);
  parent.kill9();
  {
    Child next([port] { return port_or_errno(static_cast<uint16_t>(port), true); });
    EXPECT_EQ(next.said(), port);
    Child client([port] { return try_connect(static_cast<uint16_t>(port), 300); });
    EXPECT_EQ(client.said(), 0);
    Child refused([port] { return try_connect(static_cast<uint16_t>(port == 1025 ? 1026 : 1025), 5000); });
    EXPECT_EQ(refused.said(), 8);
  }
  close(life[0]);
  close(life[1]);
}

}  // namespace
}  // namespace uroce::cm::test
