// Connections through the librdmacm calls, one behavior per test.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "fixture.h"

namespace uroce::cm::test {
namespace {

// Sends a message over the queue pairs of two IDs with separate CQs.
void expect_message(rdma_cm_id* from, rdma_cm_id* to) {
  char out[16] = "over the QP", in[16] = {};
  ibv_mr* out_mr = rdma_reg_msgs(from, out, sizeof out);
  ibv_mr* in_mr = rdma_reg_msgs(to, in, sizeof in);
  ASSERT_TRUE(out_mr != nullptr && in_mr != nullptr);
  ASSERT_EQ(rdma_post_recv(to, nullptr, in, sizeof in, in_mr), 0);
  ASSERT_EQ(rdma_post_send(from, nullptr, out, sizeof out, out_mr, 0), 0);
  ibv_wc wc{};
  ASSERT_EQ(rdma_get_recv_comp(to, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  ASSERT_EQ(rdma_get_send_comp(from, &wc), 1);
  EXPECT_EQ(wc.status, IBV_WC_SUCCESS);
  EXPECT_STREQ(in, out);
  rdma_dereg_mr(out_mr);
  rdma_dereg_mr(in_mr);
}

// The client sets up its queue pair itself, and has the server's answer.
class CmOwnQueuePair : public CmPair {
 protected:
  void SetUp() override {
    CmPair::SetUp();
    listen();
    resolve(client_id, client);
    cq = ibv_create_cq(client_id->verbs, 4, nullptr, nullptr, 0);
    ibv_qp_init_attr init = qp_attr();
    init.send_cq = init.recv_cq = cq;
    qp = ibv_create_qp(client_id->pd, &init);
    ASSERT_NE(qp, nullptr);
    rdma_conn_param param{};
    param.qp_num = qp->qp_num;
    ASSERT_EQ(rdma_connect(client_id, &param), 0);
    take_request();
    create_qp(server_id);
    ASSERT_EQ(rdma_accept(server_id, nullptr), 0);
    response = client.expect(RDMA_CM_EVENT_CONNECT_RESPONSE);
    ASSERT_NE(response, nullptr);
  }
  void TearDown() override {
    ibv_destroy_qp(qp);
    ibv_destroy_cq(cq);
    CmPair::TearDown();
  }

  ibv_cq* cq = nullptr;
  ibv_qp* qp = nullptr;
  rdma_cm_event* response = nullptr;
};

TEST_F(CmPair, ConnectsCarriesDataAndDisconnects) {
  connect();
  expect_message(client_id, server_id);
  expect_message(server_id, client_id);
  EXPECT_EQ(rdma_get_dst_port(client_id), rdma_get_src_port(listener));
  EXPECT_EQ(rdma_get_dst_port(server_id), rdma_get_src_port(client_id));
  EXPECT_EQ(rdma_disconnect(client_id), 0);
  server.expect(RDMA_CM_EVENT_DISCONNECTED);
  EXPECT_FALSE(client.readable(50));
  EXPECT_EQ(rdma_disconnect(server_id), 0);
  client.expect(RDMA_CM_EVENT_DISCONNECTED);
  // Both ends are over after a while.
  client.expect(RDMA_CM_EVENT_TIMEWAIT_EXIT);
  server.expect(RDMA_CM_EVENT_TIMEWAIT_EXIT);
}

TEST_F(CmPair, ParametersAndPrivateDataArrive) {
  listen();
  resolve(client_id, client);
  create_qp(client_id);
  const char hello[] = "hello", welcome[] = "welcome";
  rdma_conn_param param{};
  param.private_data = hello;
  param.private_data_len = sizeof hello;
  param.responder_resources = 3;
  param.initiator_depth = 5;
  param.retry_count = 6;
  param.rnr_retry_count = 4;
  ASSERT_EQ(rdma_connect(client_id, &param), 0);
  take_request();
  const rdma_conn_param& got = server.event->param.conn;
  EXPECT_EQ(server.event->listen_id, listener);
  EXPECT_EQ(got.private_data_len, 56);
  EXPECT_STREQ(static_cast<const char*>(got.private_data), hello);
  // Initiator depth of one end is responder resources of the other.
  EXPECT_EQ(got.responder_resources, 5);
  EXPECT_EQ(got.initiator_depth, 3);
  EXPECT_EQ(got.retry_count, 6);
  EXPECT_EQ(got.rnr_retry_count, 4);
  EXPECT_EQ(got.qp_num, client_id->qp->qp_num);
  create_qp(server_id);
  rdma_conn_param answer{};
  answer.private_data = welcome;
  answer.private_data_len = sizeof welcome;
  answer.responder_resources = 5;
  answer.initiator_depth = 2;
  answer.rnr_retry_count = 7;
  ASSERT_EQ(rdma_accept(server_id, &answer), 0);
  rdma_cm_event* up = client.expect(RDMA_CM_EVENT_ESTABLISHED);
  ASSERT_NE(up, nullptr);
  EXPECT_STREQ(static_cast<const char*>(up->param.conn.private_data), welcome);
  EXPECT_EQ(up->param.conn.qp_num, server_id->qp->qp_num);
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ASSERT_EQ(ibv_query_qp(client_id->qp, &attr, 0, &init), 0);
  EXPECT_EQ(attr.qp_state, IBV_QPS_RTS);
  EXPECT_EQ(attr.max_rd_atomic, 5);
  EXPECT_EQ(attr.max_dest_rd_atomic, 2);
  EXPECT_EQ(attr.dest_qp_num, server_id->qp->qp_num);
  EXPECT_EQ(attr.retry_cnt, 6);
  EXPECT_EQ(attr.rnr_retry, 7);
  // The longest RNR timer, as with the kernel.
  EXPECT_EQ(attr.min_rnr_timer, 0);
  ASSERT_EQ(ibv_query_qp(server_id->qp, &attr, 0, &init), 0);
  EXPECT_EQ(attr.min_rnr_timer, 0);
}

TEST_F(CmPair, TooMuchPrivateDataIsInvalid) {
  resolve(client_id, client);
  create_qp(client_id);
  const char data[57] = {};
  rdma_conn_param param{};
  param.private_data = data;
  param.private_data_len = sizeof data;
  errno = 0;
  EXPECT_EQ(rdma_connect(client_id, &param), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(CmPair, NobodyListens) {
  ask();
  client.expect(RDMA_CM_EVENT_REJECTED, 8);  // invalid service ID
}

TEST_F(CmPair, RejectsWithPrivateData) {
  listen();
  ask();
  take_request();
  const char why[] = "full";
  EXPECT_EQ(rdma_reject(server_id, why, sizeof why), 0);
  rdma_cm_event* event = client.expect(RDMA_CM_EVENT_REJECTED, 28);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->param.conn.private_data_len, 148);
  EXPECT_STREQ(static_cast<const char*>(event->param.conn.private_data), why);
  EXPECT_EQ(rdma_reject(server_id, nullptr, 0), -1);
  EXPECT_EQ(errno, EINVAL);
}

// A failed accept rejects, like in the kernel: otherwise the peer would retry for a minute.
TEST_F(CmPair, AnAcceptThatFailsRejects) {
  listen();
  ask();
  take_request();
  create_qp(server_id);
  const char data[197] = {};
  rdma_conn_param param{};
  param.private_data = data;
  param.private_data_len = sizeof data;
  errno = 0;
  EXPECT_EQ(rdma_accept(server_id, &param), -1);
  EXPECT_EQ(errno, EINVAL);
  client.expect(RDMA_CM_EVENT_REJECTED, 28);
}

TEST_F(CmOwnQueuePair, AnAnswerIsRejected) {
  const char why[] = "changed my mind";
  EXPECT_EQ(rdma_reject(client_id, why, sizeof why), 0);
  rdma_cm_event* event = server.expect(RDMA_CM_EVENT_REJECTED, 28);
  ASSERT_NE(event, nullptr);
  EXPECT_STREQ(static_cast<const char*>(event->param.conn.private_data), why);
  EXPECT_EQ(rdma_reject(client_id, nullptr, 0), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(CmPair, MoreRequestsThanTheBacklogAreTurnedDown) {
  listen(1);
  ask();
  ASSERT_TRUE(server.readable(60'000));
  Channel more;
  rdma_cm_id* second = make_id(more);
  resolve(second, more);
  create_qp(second);
  ASSERT_EQ(rdma_connect(second, nullptr), 0);
  more.expect(RDMA_CM_EVENT_REJECTED, 28);
  more.acknowledge();
  rdma_destroy_qp(second);
  rdma_destroy_id(second);
  take_request();
}

TEST_F(CmPair, AListenerThatGoesTurnsItsRequestsDown) {
  listen();
  ask();
  ASSERT_TRUE(server.readable(60'000));
  EXPECT_EQ(rdma_destroy_id(std::exchange(listener, nullptr)), 0);
  client.expect(RDMA_CM_EVENT_REJECTED, 28);
  EXPECT_FALSE(server.readable());
}

TEST_F(CmPair, DestroyingAConnectedIdDisconnectsThePeer) {
  connect();
  server.acknowledge();
  rdma_destroy_qp(server_id);
  EXPECT_EQ(rdma_destroy_id(std::exchange(server_id, nullptr)), 0);
  client.expect(RDMA_CM_EVENT_DISCONNECTED);
}

TEST_F(CmPair, DestroyWaitsForAcknowledgment) {
  connect();
  EXPECT_EQ(rdma_disconnect(client_id), 0);
  ASSERT_NE(server.expect(RDMA_CM_EVENT_DISCONNECTED), nullptr);
  std::atomic<bool> acknowledged{false};
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    acknowledged = true;
    server.acknowledge();
  });
  rdma_destroy_qp(server_id);
  EXPECT_EQ(rdma_destroy_id(std::exchange(server_id, nullptr)), 0);
  EXPECT_TRUE(acknowledged);
  later.join();
}

TEST_F(CmOwnQueuePair, GoesThroughItsStates) {
  EXPECT_EQ(response->param.conn.qp_num, server_id->qp->qp_num);
  for (ibv_qp_state state : {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS}) {
    ibv_qp_attr attr{};
    attr.qp_state = state;
    int mask = 0;
    ASSERT_EQ(rdma_init_qp_attr(client_id, &attr, &mask), 0);
    ASSERT_EQ(ibv_modify_qp(qp, &attr, mask), 0);
  }
  EXPECT_EQ(rdma_establish(client_id), 0);
  server.expect(RDMA_CM_EVENT_ESTABLISHED);
  EXPECT_EQ(rdma_establish(client_id), -1);
}

TEST_F(CmPair, SynchronousCallsWaitForTheirEvents) {
  rdma_addrinfo hints{};
  hints.ai_flags = RAI_PASSIVE;
  hints.ai_port_space = RDMA_PS_TCP;
  rdma_addrinfo *passive = nullptr, *active = nullptr;
  ASSERT_EQ(rdma_getaddrinfo(kHere, "0", &hints, &passive), 0);
  ibv_qp_init_attr attr = qp_attr();
  rdma_cm_id* waiting = nullptr;
  ASSERT_EQ(rdma_create_ep(&waiting, passive, nullptr, &attr), 0) << strerror(errno);
  ASSERT_EQ(rdma_listen(waiting, 0), 0);
  std::thread other([&] {
    rdma_cm_id* request = nullptr;
    ASSERT_EQ(rdma_get_request(waiting, &request), 0) << strerror(errno);
    ASSERT_NE(request->qp, nullptr);
    ASSERT_EQ(rdma_accept(request, nullptr), 0) << strerror(errno);
    EXPECT_EQ(request->event->event, RDMA_CM_EVENT_ESTABLISHED);
    EXPECT_EQ(rdma_disconnect(request), 0) << strerror(errno);
    rdma_destroy_ep(request);
  });
  hints.ai_flags = 0;
  ASSERT_EQ(rdma_getaddrinfo(kHere, std::to_string(port_of(waiting)).c_str(), &hints, &active), 0);
  EXPECT_EQ(active->ai_qp_type, IBV_QPT_RC);
  rdma_cm_id* id = nullptr;
  attr = qp_attr();
  ASSERT_EQ(rdma_create_ep(&id, active, nullptr, &attr), 0) << strerror(errno);
  ASSERT_EQ(rdma_connect(id, nullptr), 0) << strerror(errno);
  EXPECT_EQ(rdma_disconnect(id), 0) << strerror(errno);
  other.join();
  rdma_destroy_ep(id);
  rdma_destroy_ep(waiting);

  // The peer is gone, and the call reports it.
  attr = qp_attr();
  ASSERT_EQ(rdma_create_ep(&id, active, nullptr, &attr), 0) << strerror(errno);
  errno = 0;
  EXPECT_EQ(rdma_connect(id, nullptr), -1);
  EXPECT_EQ(errno, ECONNREFUSED);
  rdma_destroy_ep(id);
  rdma_freeaddrinfo(active);
  rdma_freeaddrinfo(passive);
}

TEST_F(CmPair, EventsMoveWithTheirId) {
  listen();
  ask();
  ASSERT_TRUE(server.readable(60'000));
  Channel target;
  ASSERT_EQ(rdma_migrate_id(listener, target), 0);
  EXPECT_FALSE(server.readable());
  rdma_cm_event* event = target.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->id->channel, listener->channel);
  server_id = event->id;
  EXPECT_EQ(rdma_reject(server_id, nullptr, 0), 0);
  client.expect(RDMA_CM_EVENT_REJECTED, 28);
  target.acknowledge();
  EXPECT_EQ(rdma_migrate_id(listener, server), 0);
  EXPECT_EQ(rdma_migrate_id(server_id, server), 0);
  // Migration between two channels of a synchronous ID is invalid, as in librdmacm.
  ASSERT_EQ(rdma_migrate_id(server_id, nullptr), 0);
  EXPECT_EQ(rdma_migrate_id(server_id, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace uroce::cm::test
