// Taking events from a channel: signals, and channels that may not block.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "fixture.h"

namespace uroce::cm::test {
namespace {

// Events that wait in the channel.
long queued(rdma_event_channel* channel) {
  std::ifstream info("/proc/self/fdinfo/" + std::to_string(channel->fd));
  const std::string name = "eventfd-count:";
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with(name)) return std::stol(line.substr(name.size()), nullptr, 16);
  }
  return -1;
}

long sleeps_of_this_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

class ChannelTest : public CmPair {};

TEST_F(ChannelTest, NeverSleepsBetweenRequestsIfItMayNotBlock) {
  listen(4);
  ASSERT_EQ(fcntl(static_cast<rdma_event_channel*>(server)->fd, F_SETFL, O_NONBLOCK), 0);
  Channel second;
  rdma_cm_id* other = make_id(second);
  for (auto [id, channel] : {std::pair(client_id, &client), std::pair(other, &second)}) {
    resolve(id, *channel);
    create_qp(id);
    rdma_conn_param param{};
    ASSERT_EQ(rdma_connect(id, &param), 0) << strerror(errno);
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (queued(server) < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  ASSERT_EQ(queued(server), 2);
  rdma_cm_event* first = nullptr;
  ASSERT_EQ(rdma_get_cm_event(server, &first), 0);
  const long before = sleeps_of_this_thread();
  rdma_cm_event* next = nullptr;
  ASSERT_EQ(rdma_get_cm_event(server, &next), 0);
  EXPECT_LT(sleeps_of_this_thread() - before, 5) << "it may have waited for the engine's lock, and no longer";
  for (rdma_cm_event* event : {first, next}) {
    ASSERT_EQ(event->event, RDMA_CM_EVENT_CONNECT_REQUEST);
    rdma_cm_id* id = event->id;
    EXPECT_EQ(rdma_reject(id, nullptr, 0), 0);
    EXPECT_EQ(rdma_ack_cm_event(event), 0);
    EXPECT_EQ(rdma_destroy_id(id), 0);
  }
  rdma_destroy_qp(other);
  second.acknowledge();
  EXPECT_EQ(rdma_destroy_id(other), 0);
}

std::atomic<int> g_signals{0};

TEST_F(ChannelTest, AWaitGoesOnAfterSignalsThatRestartCalls) {
  struct sigaction action{};
  action.sa_handler = [](int) { ++g_signals; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  std::thread waiter([&] {
    rdma_cm_event* event = nullptr;
    ASSERT_EQ(rdma_get_cm_event(client, &event), 0) << strerror(errno);
    EXPECT_EQ(event->event, RDMA_CM_EVENT_ADDR_RESOLVED);
    EXPECT_EQ(rdma_ack_cm_event(event), 0);
  });
  // A wait that ended at a signal handles no more of them.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (g_signals < 50 && std::chrono::steady_clock::now() < end) {
    pthread_kill(waiter.native_handle(), SIGUSR2);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  sockaddr_in there = ip4(kHere, port_of(listener));
  EXPECT_EQ(rdma_resolve_addr(client_id, nullptr, plain(there), 1000), 0) << strerror(errno);
  waiter.join();
}

}  // namespace
}  // namespace uroce::cm::test
