// 127.0.0.1 and ::1 stand for the device, as in the kernel, where the device has another address.
#include <cstdlib>

#include "child.h"
#include "fixture.h"

namespace uroce::cm::test {
namespace {

constexpr const char* kElsewhere = "127.0.6.1";

// Runs in a process whose device has the other address; -1 if an expectation fails there.
int elsewhere(const std::function<void()>& work) {
  setenv("UROCE_ADDR", kElsewhere, 1);
  work();
  fflush(stdout);
  return ::testing::Test::HasFailure() ? -1 : 0;
}

sockaddr_storage localhost(int family, uint16_t port) {
  sockaddr_storage out{};
  if (family == AF_INET) {
    const sockaddr_in v4 = ip4(kHere, port);
    std::memcpy(&out, &v4, sizeof v4);
  } else {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    v6.sin6_addr = in6addr_loopback;
    std::memcpy(&out, &v6, sizeof v6);
  }
  return out;
}

bool is_localhost(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == htonl(INADDR_LOOPBACK);
  }
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

void connects_to_itself(int family, const char* bound_to) {
  Channel server, client;
  rdma_cm_id* listener = make_id(server);
  sockaddr_storage here = localhost(family, 0);
  sockaddr_in named = ip4(bound_to != nullptr ? bound_to : "0.0.0.0");
  ASSERT_EQ(rdma_bind_addr(listener, bound_to != nullptr ? test::plain(named) : plain(here)), 0)
      << strerror(errno);
  ASSERT_NE(port_of(listener), 0);
  if (bound_to == nullptr) {
    EXPECT_NE(listener->verbs, nullptr);
    EXPECT_TRUE(is_localhost(rdma_get_local_addr(listener)));
  }
  ASSERT_EQ(rdma_listen(listener, 4), 0);

  rdma_cm_id* id = make_id(client);
  sockaddr_storage there = localhost(family, port_of(listener));
  ASSERT_EQ(rdma_resolve_addr(id, nullptr, plain(there), 1000), 0) << strerror(errno);
  ASSERT_NE(client.expect(RDMA_CM_EVENT_ADDR_RESOLVED), nullptr);
  EXPECT_TRUE(is_localhost(rdma_get_local_addr(id)));
  EXPECT_TRUE(is_localhost(rdma_get_peer_addr(id)));
  EXPECT_NE(port_of(id), 0);
  const uint8_t gid[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 6, 1};
  EXPECT_EQ(std::memcmp(id->route.addr.addr.ibaddr.sgid.raw, gid, sizeof gid), 0);
  EXPECT_EQ(std::memcmp(id->route.addr.addr.ibaddr.dgid.raw, gid, sizeof gid), 0);
  ASSERT_EQ(rdma_resolve_route(id, 1000), 0);
  client.expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
  ibv_qp_init_attr attr = qp_attr();
  ASSERT_EQ(rdma_create_qp(id, nullptr, &attr), 0);
  ASSERT_EQ(rdma_connect(id, nullptr), 0);
  rdma_cm_event* request = server.expect(RDMA_CM_EVENT_CONNECT_REQUEST);
  ASSERT_NE(request, nullptr);
  rdma_cm_id* accepted = request->id;
  EXPECT_TRUE(is_localhost(rdma_get_local_addr(accepted)));
  EXPECT_EQ(rdma_get_dst_port(accepted), rdma_get_src_port(id));
  attr = qp_attr();
  ASSERT_EQ(rdma_create_qp(accepted, nullptr, &attr), 0);
  ASSERT_EQ(rdma_accept(accepted, nullptr), 0) << strerror(errno);
  client.expect(RDMA_CM_EVENT_ESTABLISHED);
  server.expect(RDMA_CM_EVENT_ESTABLISHED);
}

TEST(CmLocalhost, StandsForTheDevice) {
  for (const int family : {AF_INET, AF_INET6}) {
    Child child([family] { return elsewhere([family] { connects_to_itself(family, nullptr); }); });
    EXPECT_EQ(child.said(), 0) << family;
  }
}

TEST(CmLocalhost, ReachesAListenerOnTheDevicesAddress) {
  Child child([] { return elsewhere([] { connects_to_itself(AF_INET, kElsewhere); }); });
  EXPECT_EQ(child.said(), 0);
}

// The device is on one loopback address and the listener on another.
TEST(CmLocalhost, IsAnotherDeviceWhereNobodyListensHere) {
  Child listener([] {
    static Channel channel;
    rdma_cm_id* id = make_id(channel);
    sockaddr_in here = ip4(kHere);
    return rdma_bind_addr(id, test::plain(here)) == 0 && rdma_listen(id, 4) == 0 ? port_of(id) : -1;
  });
  const int port = listener.said();
  ASSERT_GT(port, 0);
  Child client([port] {
    return elsewhere([port] {
      Channel channel;
      rdma_cm_id* id = make_id(channel);
      sockaddr_storage there = localhost(AF_INET, static_cast<uint16_t>(port));
      ASSERT_EQ(rdma_resolve_addr(id, nullptr, plain(there), 1000), 0);
      ASSERT_NE(channel.expect(RDMA_CM_EVENT_ADDR_RESOLVED), nullptr);
      EXPECT_EQ(id->route.addr.addr.ibaddr.dgid.raw[14], 0);
      EXPECT_EQ(id->route.addr.addr.ibaddr.sgid.raw[14], 6);
    });
  });
  EXPECT_EQ(client.said(), 0);
}

}  // namespace
}  // namespace uroce::cm::test
