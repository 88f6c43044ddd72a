// Bad rings that a process of the same user may hand over, and too many of them. A process that writes into
// a live ring is in e2e/stock/hostile.test.ts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>

#include "tests/net/own_address.h"
#include "tests/net/shm_peer.h"
#include "uroce/net/share/share_message.h"

namespace uroce::net::test {
namespace {

// Things that a process of the same user might hand over instead of a ring.
class HostileRing : public ::testing::Test {
 protected:
  UniqueFd connect() {
    UniqueFd connection;
    EXPECT_EQ(victim_.share().connect(victim_.own_gid(), 0, victim_.slot(), &connection), 0);
    return connection;
  }
  // True if the member accepts these descriptors.
  bool accepted(int memory, int page, int event, uint32_t bytes) {
    return accepted_on(connect(), memory, page, event, bytes);
  }
  static int ask_on(const UniqueFd& connection, int memory, int page, int event, uint32_t bytes) {
    const int fds[] = {memory, page, event};
    return share::send_message(connection.get(), {.type = share::Type::ring, .first = bytes, .count = 3},
                               fds);
  }
  static bool accepted_on(const UniqueFd& connection, int memory, int page, int event, uint32_t bytes) {
    // A refused connection may be closed already.
    if (ask_on(connection, memory, page, event, bytes) != 0) return false;
    share::Message answer;
    return answer_on(connection, &answer) == 0 && answer.header.type == share::Type::ring_taken;
  }
  // receive_message(), after waiting for a message.
  static int answer_on(const UniqueFd& connection, share::Message* answer) {
    pollfd p{connection.get(), POLLIN, 0};
    EXPECT_EQ(poll(&p, 1, 10'000), 1);
    return share::receive_message(connection.get(), answer);
  }
  static UniqueFd memfd(std::size_t bytes, int seals) {
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(fcntl(fd.get(), F_ADD_SEALS, seals), 0);
    return fd;
  }
  // A ring with that source address.
  static shm::SharedMemory ring(const Gid& source) {
    auto memory = *shm::SharedMemory::create(shm::ring_memory(shm::kMinRing), shm::PeerRights::write);
    std::memcpy(reinterpret_cast<shm::RingControl*>(memory.span().data())->source, source.data(), 16);
    return memory;
  }

  Peer victim_{own_address(0)};
  shm::Bell bell_ = *shm::Bell::create();
  UniqueFd event_ = *bell_.eventfd_for_peer();
};

TEST_F(HostileRing, AcceptsAValidOne) {
  const auto memory = ring(victim_.own_gid());
  EXPECT_TRUE(accepted(memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing));
}

// A lock that runs `meanwhile` when it is free.
struct FreeLock {
  std::function<void()> meanwhile;
  void unlock() const { meanwhile(); }
  void lock() const {}
};

TEST_F(HostileRing, IsMappedWithTheLockFree) {
  const auto memory = ring(victim_.own_gid());
  victim_.pause();
  const UniqueFd connection = connect();
  ASSERT_EQ(ask_on(connection, memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing), 0);
  victim_.with([&](ShmLink& link) {
    victim_.share().serve();
    int times = 0;
    FreeLock lock{[&] {
      ++times;
      EXPECT_FALSE(link.has_rings());
    }};
    link.accept_rings(lock);
    EXPECT_EQ(times, 1);
    EXPECT_TRUE(link.has_rings());
  });
}

TEST_F(HostileRing, IsForgottenWhenItsProcessEndsWhileItIsMapped) {
  const auto memory = ring(victim_.own_gid());
  victim_.pause();
  UniqueFd connection = connect();
  ASSERT_EQ(ask_on(connection, memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing), 0);
  victim_.with([&](ShmLink& link) {
    victim_.share().serve();
    FreeLock lock{[&] {
      connection.reset();
      victim_.share().serve();
    }};
    link.accept_rings(lock);
    EXPECT_FALSE(link.has_rings());
  });
  victim_.resume();
  EXPECT_TRUE(accepted(memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing)) << "others are taken";
}

TEST_F(HostileRing, RefusesMemoryWithoutSeals) {
  constexpr int kNoShrink = F_SEAL_GROW | F_SEAL_SEAL;
  const UniqueFd open = memfd(shm::ring_memory(shm::kMinRing), kNoShrink);
  EXPECT_FALSE(accepted(open.get(), bell_.page_fd(), event_.get(), shm::kMinRing));
}

TEST_F(HostileRing, RefusesASizeThatDiffersFromTheAnnounced) {
  const auto memory = ring(victim_.own_gid());
  for (const uint32_t bytes : {shm::kMinRing * 2, shm::kMinRing / 2, shm::kMinRing + 1, 0u, ~0u}) {
    EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), event_.get(), bytes)) << bytes;
  }
}

TEST_F(HostileRing, RefusesAFileInsteadOfAnEventfd) {
  const auto memory = ring(victim_.own_gid());
  const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  const UniqueFd blocking(eventfd(0, EFD_CLOEXEC));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), null.get(), shm::kMinRing));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), blocking.get(), shm::kMinRing));
  EXPECT_FALSE(accepted(memory.fd(), null.get(), event_.get(), shm::kMinRing));
}

TEST_F(HostileRing, RefusesAnAddressOfAnotherHost) {
  const auto memory = ring(ipv4(192, 0, 2, 7));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing));
}

TEST_F(HostileRing, ClosesARingWithInvalidContents) {
  const auto memory = ring(victim_.own_gid());
  ASSERT_TRUE(accepted(memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing));
  std::memset(memory.span().data() + shm::kRecords, 0xff, 64);
  Arrivals got;
  EXPECT_EQ(victim_.receive(got), 0u);
  EXPECT_EQ(victim_.counters().broken, 1u);
  EXPECT_FALSE(victim_.with([](ShmLink& link) { return link.has_rings(); }));
}

TEST_F(HostileRing, RefusesARingLargerThanAnyOfOurs) {
  auto memory = *shm::SharedMemory::create(shm::ring_memory(2 * shm::kMaxRing), shm::PeerRights::write);
  std::memcpy(memory.span().data() + offsetof(shm::RingControl, source), victim_.own_gid().data(), 16);
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), event_.get(), 2 * shm::kMaxRing));
}

TEST_F(HostileRing, TurnsAwayMoreConnectionsOfOneProcessThanItNeeds) {
  const auto memory = ring(victim_.own_gid());
  std::vector<UniqueFd> connections;
  for (std::ptrdiff_t i = 0; i < AddressShare::kConnectionsOfOne; ++i) connections.push_back(connect());
  const UniqueFd last = connect();
  share::Message answer;
  EXPECT_NE(answer_on(last, &answer), 0);
  EXPECT_EQ(victim_.with([&](ShmLink&) { return victim_.share().refused_connections(); }), 1u);
  EXPECT_TRUE(accepted_on(connections.front(), memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing))
      << "those that it has go on";
  connections.pop_back();
  while (!accepted(memory.fd(), bell_.page_fd(), event_.get(), shm::kMinRing)) std::this_thread::yield();
}

// A connection in the backlog that cannot be accepted would keep poll() from sleeping, and its process waiting.
TEST(HostileConnection, IsTurnedAwayWhereNoDescriptorIsLeft) {
  const auto plan = *plan_addresses(own_address(0).c_str(), nullptr);
  const auto share = *AddressShare::join(plan, probe_udp_features());
  UniqueFd connection;
  ASSERT_EQ(share->connect(plan.gids[1].gid, 0, share->slot(), &connection), 0);
  ASSERT_TRUE(readable(share->fd()));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit tight{static_cast<rlim_t>(duplicate(0).get()), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  share->serve();
  const bool again = readable(share->fd());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(again) << "it is still waiting";
  EXPECT_EQ(share->refused_connections(), 1u);
  share::Message answer;
  EXPECT_EQ(share::receive_message(connection.get(), &answer), EPIPE);
}

}  // namespace
}  // namespace uroce::net::test
