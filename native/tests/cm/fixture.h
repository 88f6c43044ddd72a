// Ids of librdmacm in this process; what they say to each other goes through the kernel like any other's.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace uroce::cm::test {

inline sockaddr_in ip4(const char* text, uint16_t port = 0) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  EXPECT_EQ(inet_pton(AF_INET, text, &out.sin_addr), 1);
  return out;
}
inline sockaddr* plain(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }
inline sockaddr* plain(sockaddr_storage& address) { return reinterpret_cast<sockaddr*>(&address); }

constexpr const char* kHere = "127.0.0.1";

// A channel whose events are taken with a limit of time: a missing event is a failed test, not a hang.
class Channel {
 public:
  Channel() : channel_(rdma_create_event_channel()) {}
  ~Channel() {
    if (event != nullptr) rdma_ack_cm_event(event);
    rdma_destroy_event_channel(channel_);
  }
  operator rdma_event_channel*() { return channel_; }
  bool readable(int timeout_ms = 0) {
    pollfd p{channel_->fd, POLLIN, 0};
    return poll(&p, 1, timeout_ms) == 1;
  }
  // The next event, acknowledged when the one after it is taken; null if none comes.
  rdma_cm_event* next(int timeout_ms = 60'000) {
    acknowledge();
    if (!readable(timeout_ms) || rdma_get_cm_event(channel_, &event) != 0) event = nullptr;
    return event;
  }
  void acknowledge() {
    if (event != nullptr) rdma_ack_cm_event(event);
    event = nullptr;
  }
  // Takes the next event, which must be this one.
  rdma_cm_event* expect(rdma_cm_event_type type, int status = 0) {
    rdma_cm_event* got = next();
    EXPECT_NE(got, nullptr) << "no " << rdma_event_str(type);
    if (got != nullptr) {
      EXPECT_STREQ(rdma_event_str(got->event), rdma_event_str(type)) << "status " << got->status;
      EXPECT_EQ(got->status, status);
    }
    return got;
  }

  rdma_cm_event* event = nullptr;

 private:
  rdma_event_channel* channel_;
};

inline rdma_cm_id* make_id(rdma_event_channel* channel, rdma_port_space ps = RDMA_PS_TCP,
                           void* context = nullptr) {
  rdma_cm_id* id = nullptr;
  EXPECT_EQ(rdma_create_id(channel, &id, context, ps), 0) << strerror(errno);
  return id;
}

inline ibv_qp_init_attr qp_attr() {
  ibv_qp_init_attr attr{};
  attr.cap = {
      .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 16};
  attr.qp_type = IBV_QPT_RC;
  attr.sq_sig_all = 1;
  return attr;
}

// Finds the way to a port of the device's own address.
inline void resolve(rdma_cm_id* id, Channel& channel, uint16_t port) {
  sockaddr_in there = ip4(kHere, port);
  ASSERT_EQ(rdma_resolve_addr(id, nullptr, plain(there), 1000), 0) << strerror(errno);
  channel.expect(RDMA_CM_EVENT_ADDR_RESOLVED);
  ASSERT_EQ(rdma_resolve_route(id, 1000), 0) << strerror(errno);
  channel.expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
}

inline void create_qp(rdma_cm_id* id) {
  ibv_qp_init_attr attr = qp_attr();
  ASSERT_EQ(rdma_create_qp(id, nullptr, &attr), 0) << strerror(errno);
}

inline uint16_t port_of(rdma_cm_id* id) { return ntohs(rdma_get_src_port(id)); }

// A listener, and a client whose way to it is resolved.
class CmPair : public ::testing::Test {
 protected:
  void SetUp() override {
    listener = make_id(server);
    sockaddr_in here = ip4(kHere);
    ASSERT_EQ(rdma_bind_addr(listener, plain(here)), 0) << strerror(errno);
    client_id = make_id(client);
  }
  void TearDown() override {
    client.acknowledge();
    server.acknowledge();
    for (rdma_cm_id** id : {&client_id, &server_id, &listener}) {
      if (*id == nullptr) continue;
      if ((*id)->qp != nullptr) rdma_destroy_qp(*id);
      EXPECT_EQ(rdma_destroy_id(*id), 0);
    }
  }
  void listen(int backlog = 0) { ASSERT_EQ(rdma_listen(listener, backlog), 0) << strerror(errno); }
  void resolve(rdma_cm_id* id, Channel& channel) { test::resolve(id, channel, port_of(listener)); }
  // The client asks for a connection.
  void ask() {
    resolve(client_id, client);
    create_qp(client_id);
    ASSERT_EQ(rdma_connect(client_id, nullptr), 0) << strerror(errno);
  }
  // Takes the request, whose id is then server_id.
  void take_request() {
    rdma_cm_event* event = server.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
    ASSERT_NE(event, nullptr);
    server_id = event->id;
  }
  void connect() {
    listen();
    resolve(client_id, client);
    create_qp(client_id);
    rdma_conn_param param{};
    param.responder_resources = param.initiator_depth = 2;
    param.retry_count = param.rnr_retry_count = 7;
    ASSERT_EQ(rdma_connect(client_id, &param), 0) << strerror(errno);
    take_request();
    create_qp(server_id);
    ASSERT_EQ(rdma_accept(server_id, &param), 0) << strerror(errno);
    client.expect(RDMA_CM_EVENT_ESTABLISHED);
    server.expect(RDMA_CM_EVENT_ESTABLISHED);
  }

  Channel server, client;
  rdma_cm_id *listener = nullptr, *server_id = nullptr, *client_id = nullptr;
};

}  // namespace uroce::cm::test
