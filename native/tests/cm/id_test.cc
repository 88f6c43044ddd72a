// IDs before they connect: addresses, ports, options, channels, and the errno of mistakes.
#include <fcntl.h>
#include <netdb.h>
#include <rdma/rsocket.h>

#include <atomic>
#include <set>
#include <thread>

#include "fixture.h"

namespace uroce::cm::test {
namespace {

#define EXPECT_FAILS(call, error) \
  do {                            \
    errno = 0;                    \
    EXPECT_EQ(call, -1);          \
    EXPECT_EQ(errno, error);      \
  } while (0)

class CmId : public ::testing::Test {
 protected:
  ~CmId() override {
    channel.acknowledge();
    for (rdma_cm_id* id : ids) EXPECT_EQ(rdma_destroy_id(id), 0);
  }
  rdma_cm_id* make(rdma_port_space ps = RDMA_PS_TCP) { return ids.emplace_back(make_id(channel, ps)); }
  int bind(rdma_cm_id* id, const char* address, uint16_t port = 0) {
    sockaddr_in to = ip4(address, port);
    return rdma_bind_addr(id, plain(to));
  }

  Channel channel;
  std::vector<rdma_cm_id*> ids;
};

TEST_F(CmId, StartsWithoutADevice) {
  int mine = 0;
  rdma_cm_id* id = make_id(channel, RDMA_PS_UDP, &mine);
  ids.push_back(id);
  EXPECT_EQ(id->context, &mine);
  EXPECT_EQ(id->ps, RDMA_PS_UDP);
  EXPECT_EQ(id->qp_type, IBV_QPT_UD);
  EXPECT_EQ(id->verbs, nullptr);
  EXPECT_EQ(make()->qp_type, IBV_QPT_RC);
  rdma_cm_id* none = nullptr;
  EXPECT_FAILS(rdma_create_id(channel, &none, nullptr, static_cast<rdma_port_space>(0x99)), EINVAL);
}

TEST_F(CmId, BindingChoosesTheDevice) {
  rdma_cm_id* any = make();
  ASSERT_EQ(bind(any, "0.0.0.0"), 0);
  EXPECT_EQ(any->verbs, nullptr);
  rdma_cm_id* here = make();
  ASSERT_EQ(bind(here, kHere), 0);
  ASSERT_NE(here->verbs, nullptr);
  EXPECT_EQ(here->port_num, 1);
  EXPECT_NE(here->pd, nullptr);
  EXPECT_NE(port_of(here), 0);
  EXPECT_FAILS(bind(here, kHere), EINVAL);
  EXPECT_FAILS(bind(make(), "192.0.2.1"), EADDRNOTAVAIL);
  EXPECT_FAILS(rdma_bind_addr(make(), nullptr), EINVAL);
  int n = 0;
  ibv_context** devices = rdma_get_devices(&n);
  ASSERT_EQ(n, 1);
  EXPECT_EQ(devices[0], here->verbs);
  EXPECT_EQ(devices[1], nullptr);
  rdma_free_devices(devices);
}

TEST_F(CmId, APortIsOnesOwn) {
  rdma_cm_id* first = make();
  ASSERT_EQ(bind(first, kHere), 0);
  const uint16_t port = port_of(first);
  EXPECT_FAILS(bind(make(), kHere, port), EADDRINUSE);
  EXPECT_FAILS(bind(make(), "0.0.0.0", port), EADDRINUSE);
  // Another port space has separate ports.
  EXPECT_EQ(bind(make(RDMA_PS_UDP), kHere, port), 0);
  EXPECT_EQ(rdma_destroy_id(first), 0);
  ids.erase(ids.begin());
  EXPECT_EQ(bind(make(), kHere, port), 0);
}

TEST_F(CmId, WhoIsWillingToShareAPortMayUntilOneListens) {
  int on = 1;
  rdma_cm_id *one = make(), *two = make(), *three = make();
  for (rdma_cm_id* id : {one, two, three}) {
    ASSERT_EQ(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &on, sizeof on), 0);
  }
  rdma_cm_id* finder = make();
  ASSERT_EQ(bind(finder, kHere), 0);
  const uint16_t port = port_of(finder);
  EXPECT_EQ(rdma_destroy_id(finder), 0);
  ids.pop_back();
  ASSERT_EQ(bind(one, kHere, port), 0);
  ASSERT_EQ(bind(two, kHere, port), 0);
  // A listener shares its port with no other ID, as in the kernel.
  EXPECT_FAILS(rdma_listen(one, 1), EADDRINUSE);
  EXPECT_EQ(rdma_destroy_id(two), 0);
  std::erase(ids, two);
  ASSERT_EQ(rdma_listen(one, 1), 0);
  EXPECT_FAILS(bind(three, kHere, port), EADDRINUSE);
}

TEST_F(CmId, PortsThatTheSystemChoosesDiffer) {
  std::set<uint16_t> ports;
  for (int i = 0; i < 200; ++i) {
    rdma_cm_id* id = make();
    ASSERT_EQ(bind(id, i % 2 == 0 ? kHere : "0.0.0.0"), 0) << strerror(errno);
    EXPECT_GE(port_of(id), 1024);
    EXPECT_TRUE(ports.insert(port_of(id)).second);
  }
}

TEST_F(CmId, ResolvingFindsTheWay) {
  rdma_cm_id* id = make();
  sockaddr_in there = ip4(kHere, 7);
  EXPECT_FAILS(rdma_resolve_route(id, 100), EINVAL);
  ASSERT_EQ(rdma_resolve_addr(id, nullptr, plain(there), 100), 0);
  rdma_cm_event* event = channel.expect(RDMA_CM_EVENT_ADDR_RESOLVED);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->id, id);
  EXPECT_NE(id->verbs, nullptr);
  EXPECT_EQ(id->route.addr.src_sin.sin_addr.s_addr, there.sin_addr.s_addr);
  EXPECT_EQ(ntohs(rdma_get_dst_port(id)), 7);
  EXPECT_FAILS(rdma_connect(id, nullptr), EINVAL);
  ASSERT_EQ(rdma_resolve_route(id, 100), 0);
  channel.expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
  ASSERT_EQ(id->route.num_paths, 1);
  EXPECT_EQ(id->route.path_rec->mtu, IBV_MTU_4096);
  // There is no queue pair to connect, nor the number of one.
  EXPECT_FAILS(rdma_connect(id, nullptr), EINVAL);
}

TEST_F(CmId, NoWayIsAnEvent) {
  rdma_cm_id* id = make();
  sockaddr_in there = ip4("192.0.2.1", 7);
  ASSERT_EQ(rdma_resolve_addr(id, nullptr, plain(there), 100), 0);
  rdma_cm_event* event = channel.next();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->event, RDMA_CM_EVENT_ADDR_ERROR);
  EXPECT_LT(event->status, 0);
  EXPECT_FAILS(rdma_resolve_addr(make(), nullptr, nullptr, 100), EINVAL);
}

TEST_F(CmId, CallsOutOfTurnAreInvalid) {
  rdma_cm_id* id = make();
  EXPECT_FAILS(rdma_accept(id, nullptr), EINVAL);
  EXPECT_FAILS(rdma_reject(id, nullptr, 0), EINVAL);
  EXPECT_FAILS(rdma_disconnect(id), EINVAL);
  EXPECT_FAILS(rdma_establish(id), EINVAL);
  EXPECT_FAILS(rdma_notify(id, IBV_EVENT_COMM_EST), EINVAL);
  rdma_cm_id* request = nullptr;
  EXPECT_FAILS(rdma_get_request(id, &request), EINVAL);  // not synchronous
  ibv_qp_init_attr attr = qp_attr();
  EXPECT_FAILS(rdma_create_qp(id, nullptr, &attr), EINVAL);  // no device yet
  ibv_qp_attr qp{};
  int mask = 0;
  qp.qp_state = IBV_QPS_RTR;
  EXPECT_FAILS(rdma_init_qp_attr(id, &qp, &mask), EINVAL);
  ASSERT_EQ(rdma_listen(id, 1), 0);
  EXPECT_FAILS(rdma_listen(id, 1), EINVAL);
}

TEST_F(CmId, OptionsAreChecked) {
  rdma_cm_id* id = make();
  uint8_t byte = 32;
  int on = 1;
  EXPECT_EQ(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &byte, sizeof byte), 0);
  EXPECT_FAILS(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &on, sizeof on), EINVAL);
  EXPECT_FAILS(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &byte, sizeof byte), EINVAL);
  byte = 14;
  EXPECT_EQ(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &byte, sizeof byte), 0);
  EXPECT_EQ(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, &on, sizeof on), 0);
  EXPECT_FAILS(rdma_set_option(id, RDMA_OPTION_ID, 99, &on, sizeof on), ENOSYS);
  EXPECT_FAILS(rdma_set_option(id, 99, 0, &on, sizeof on), ENOSYS);
  EXPECT_FAILS(rdma_set_option(id, RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, &on, sizeof on), EOPNOTSUPP);
}

TEST_F(CmId, AChannelThatDoesNotBlockSaysSo) {
  rdma_event_channel* raw = channel;
  ASSERT_EQ(fcntl(raw->fd, F_SETFL, fcntl(raw->fd, F_GETFL) | O_NONBLOCK), 0);
  rdma_cm_event* event = nullptr;
  EXPECT_FAILS(rdma_get_cm_event(channel, &event), EAGAIN);
  EXPECT_FALSE(channel.readable());
  sockaddr_in there = ip4(kHere, 7);
  ASSERT_EQ(rdma_resolve_addr(make(), nullptr, plain(there), 100), 0);
  EXPECT_TRUE(channel.readable());
  channel.expect(RDMA_CM_EVENT_ADDR_RESOLVED);
  EXPECT_FALSE(channel.readable());
}

TEST_F(CmId, MulticastGroupsAreJoinedLocally) {
  rdma_cm_id* id = make(RDMA_PS_UDP);
  sockaddr_in group = ip4("239.1.1.1");
  EXPECT_FAILS(rdma_join_multicast(id, plain(group), nullptr), EINVAL);  // no device yet
  ASSERT_EQ(bind(id, kHere), 0);
  int mine = 0;
  ASSERT_EQ(rdma_join_multicast(id, plain(group), &mine), 0);
  rdma_cm_event* event = channel.expect(RDMA_CM_EVENT_MULTICAST_JOIN);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->param.ud.private_data, &mine);
  EXPECT_EQ(event->param.ud.qp_num, 0xffffffu);
  EXPECT_EQ(event->param.ud.qkey, 0x01234567u);
  const uint8_t mgid[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239, 1, 1, 1};
  EXPECT_EQ(std::memcmp(event->param.ud.ah_attr.grh.dgid.raw, mgid, sizeof mgid), 0);
  EXPECT_EQ(rdma_leave_multicast(id, plain(group)), 0);
  EXPECT_FAILS(rdma_leave_multicast(id, plain(group)), EADDRNOTAVAIL);
}

// A thread takes the event of a group, which attaches the QP, while another one leaves the group.
TEST_F(CmId, AGroupMayBeLeftWhileItsEventIsTaken) {
  rdma_cm_id* id = make(RDMA_PS_UDP);
  ASSERT_EQ(bind(id, kHere), 0);
  ibv_qp_init_attr init{};
  init.qp_type = IBV_QPT_UD;
  init.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
  ASSERT_EQ(rdma_create_qp(id, nullptr, &init), 0);
  rdma_event_channel* raw = channel;
  ASSERT_EQ(fcntl(raw->fd, F_SETFL, fcntl(raw->fd, F_GETFL) | O_NONBLOCK), 0);
  std::atomic<bool> done{false};
  std::thread taker([&] {
    while (!done) {
      rdma_cm_event* event = nullptr;
      if (rdma_get_cm_event(raw, &event) != 0) {
        EXPECT_EQ(errno, EAGAIN);
        continue;
      }
      EXPECT_EQ(rdma_ack_cm_event(event), 0);
    }
  });
  sockaddr_in group = ip4("239.1.1.1");
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(rdma_join_multicast(id, plain(group), nullptr), 0);
    EXPECT_EQ(rdma_leave_multicast(id, plain(group)), 0);
  }
  done = true;
  taker.join();
  EXPECT_FAILS(rdma_leave_multicast(id, plain(group)), EADDRNOTAVAIL);
  rdma_destroy_qp(id);
}

TEST(CmAddrinfo, FollowsTheHints) {
  rdma_addrinfo* info = nullptr;
  EXPECT_FAILS(rdma_getaddrinfo(nullptr, nullptr, nullptr, &info), EINVAL);
  rdma_addrinfo hints{};
  hints.ai_flags = 1 << 20;
  EXPECT_EQ(rdma_getaddrinfo(kHere, "7", &hints, &info), EAI_BADFLAGS);
  hints.ai_flags = RAI_NUMERICHOST;
  EXPECT_EQ(rdma_getaddrinfo("not.an.address", "7", &hints, &info), EAI_NONAME);
  hints.ai_port_space = RDMA_PS_UDP;
  ASSERT_EQ(rdma_getaddrinfo(kHere, "7", &hints, &info), 0);
  EXPECT_EQ(info->ai_qp_type, IBV_QPT_UD);
  EXPECT_EQ(info->ai_family, AF_INET);
  EXPECT_EQ(info->ai_src_addr, nullptr);
  ASSERT_NE(info->ai_dst_addr, nullptr);
  EXPECT_EQ(ntohs(reinterpret_cast<sockaddr_in*>(info->ai_dst_addr)->sin_port), 7);
  rdma_freeaddrinfo(info);
  hints = {};
  hints.ai_flags = RAI_PASSIVE;
  ASSERT_EQ(rdma_getaddrinfo(nullptr, "7", &hints, &info), 0);
  EXPECT_EQ(info->ai_port_space, RDMA_PS_TCP);
  EXPECT_NE(info->ai_src_addr, nullptr);
  EXPECT_EQ(info->ai_dst_addr, nullptr);
  rdma_freeaddrinfo(info);
}

TEST(CmRsocket, IsNotThere) {
  EXPECT_FAILS(rsocket(AF_INET, SOCK_STREAM, 0), ENOSYS);
  EXPECT_STREQ(rdma_event_str(RDMA_CM_EVENT_ESTABLISHED), "RDMA_CM_EVENT_ESTABLISHED");
}

}  // namespace
}  // namespace uroce::cm::test
