// Connection requests at the speed of a network, from the address of an established connection's peer.
#include <sys/wait.h>

#include "fixture.h"
#include "raw_sender.h"
#include "uroce/ext/uroce.h"
#include "uroce/wire/cm_messages.h"

namespace uroce::cm::test {
namespace {

constexpr uint32_t kRequests = 20'000;
constexpr int kBacklog = 8;

// A request for the listener's port whose sender claims to have that queue pair.
wire::MadBytes request(uint32_t number, uint32_t qpn, uint16_t port) {
  wire::CmReq req;
  req.local_comm_id = 0x70000000 + number;
  req.local_qpn = qpn & 0xffffff;
  req.service_id = wire::service_id_of(RDMA_PS_TCP, port);
  req.primary.local_ack_timeout = 31;  // the longest timewait that a request can ask for
  wire::CmIp ip;
  ip.emit(req.private_data.data());
  return wire::make_mad(number, req);
}

class CmStorm : public CmPair {
 protected:
  // Another process sends them, each from the device's own address and with the next QPN from `first` on.
  void storm(uint32_t first) {
    const uint16_t port = port_of(listener);
    const pid_t stranger = fork();
    if (stranger == 0) {
      constexpr Ip kDevice{127, 0, 0, 1};
      RawSender sender(kDevice);
      if (!sender.ready()) _exit(1);
      for (uint32_t n = 0; n < kRequests; ++n) {
        const RawPacket packet = sender.sealed(kDevice, mad_packet(request(n, first + n, port)));
        const RawPacket* const one = &packet;
        if (!sender.send({&one, 1})) _exit(2);
      }
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(stranger, &status, 0), stranger);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
  }
  uint64_t counter(const char* name) {
    std::array<uroce_counter, 128> all{};
    uint32_t n = all.size();
    EXPECT_EQ(uroce_query_counters(client_id->verbs, all.data(), &n), 0);
    for (uint32_t i = 0; i < n; ++i) {
      if (std::strcmp(all[i].name, name) == 0) return all[i].value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  // Until the device has answered a good part of them.
  void wait_for_refusals(uint64_t count) {
    for (int i = 0; i < 2000 && counter("cm_refused_requests") < count; ++i) poll(nullptr, 0, 5);
    EXPECT_GE(counter("cm_refused_requests"), count);
  }
};

TEST_F(CmStorm, LeavesAnEstablishedConnectionAlone) {
  connect();
  storm(client_id->qp->qp_num - 100);
  storm(server_id->qp->qp_num - 100);
  wait_for_refusals(100);
  EXPECT_EQ(counter("cm_stale_connections"), 0u);
  EXPECT_FALSE(client.readable());
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  for (rdma_cm_id* id : {client_id, server_id}) {
    ASSERT_EQ(ibv_query_qp(id->qp, &attr, IBV_QP_STATE, &init), 0);
    EXPECT_EQ(attr.qp_state, IBV_QPS_RTS);
  }
}

TEST_F(CmStorm, AListenerHasNoMoreRequestsThanItsBacklog) {
  listen(kBacklog);
  resolve(client_id, client);
  create_qp(client_id);
  storm(0x100);
  // The socket queues this one behind all of them.
  ASSERT_EQ(rdma_connect(client_id, nullptr), 0);
  client.expect(RDMA_CM_EVENT_REJECTED, 28);
  EXPECT_GE(counter("cm_refused_requests"), 100u);
  std::vector<rdma_cm_id*> requests;
  while (server.next(0) != nullptr) requests.push_back(server.event->id);
  EXPECT_EQ(requests.size(), kBacklog);
  server.acknowledge();
  for (rdma_cm_id* id : requests) EXPECT_EQ(rdma_destroy_id(id), 0);
}

}  // namespace
}  // namespace uroce::cm::test
