// Packets through shared memory between two devices on one host. Both live in this process, each with a
// thread that serves the connections, as the engine thread does; processes that are killed stand in
// e2e/stock.
#include "uroce/net/shm/shm_link.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "tests/net/own_address.h"
#include "tests/net/packets.h"
#include "uroce/net/share/share_message.h"

namespace uroce::net::test {
namespace {

// What came in.
struct Arrivals final : DatagramHandler {
  void on_datagram(const Datagram& d) override {
    packets.emplace_back(d.data, d.data + d.length);
    last = d;
    source = *d.source;
    destination = *d.destination;
  }
  std::vector<std::vector<uint8_t>> packets;
  Datagram last;
  Gid source{}, destination{};
};

// A device's share of an address and its rings.
class Peer {
 public:
  explicit Peer(const std::string& address, bool with_rings = true)
      : plan_(*plan_addresses(address.c_str(), nullptr)),
        share_(*AddressShare::join(plan_, probe_udp_features())) {
    if (with_rings) link_ = *ShmLink::create(*share_);
    thread_ = std::thread([this] { serve(); });
  }
  ~Peer() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Serves no connections from now on.
  void pause() {
    stop_ = true;
    thread_.join();
  }
  uint32_t slot() const { return share_->slot(); }
  AddressShare& share() { return *share_; }
  // What the engine lock is to a device.
  template <class Function>
  auto with(Function function) {
    std::lock_guard guard(mutex_);
    return function(*link_);
  }
  Flow flow_to(const Peer& other) const {
    Flow flow;
    flow.source = own_gid();
    flow.destination = other.own_gid();
    flow.to_length = to_sockaddr(flow.destination, 0, &flow.to);
    flow.source_port = wire::kRocePort;
    flow.ipv4 = true;
    return flow;
  }
  Gid own_gid() const {
    for (const LocalAddress& local : plan_.gids) {
      if (!is_zero(local.gid)) return local.gid;
    }
    return {};
  }
  ShmLane::State state(const Flow& flow, uint32_t slot) {
    return with([&](ShmLink& link) { return link.lane(flow, slot).state(); });
  }
  // Until the lane is no longer opening.
  ShmLane::State settled(const Flow& flow, uint32_t slot) {
    for (;;) {
      const ShmLane::State state = this->state(flow, slot);
      if (state != ShmLane::State::opening) return state;
      std::this_thread::yield();
    }
  }
  bool send(const Flow& flow, uint32_t slot, const std::vector<uint8_t>& packet) {
    return with([&](ShmLink& link) {
      ShmLane& lane = link.lane(flow, slot);
      if (link.room(lane) == 0) return false;
      uint8_t* place = link.reserve(lane, static_cast<uint32_t>(packet.size()));
      if (place == nullptr) return false;
      std::memcpy(place, packet.data(), packet.size());
      link.publish(lane, static_cast<uint32_t>(packet.size()), flow);
      link.flush();
      return true;
    });
  }
  uint32_t receive(Arrivals& to, uint32_t bytes = 1u << 30) {
    return with([&](ShmLink& link) {
      uint32_t packets = 0;
      if (link.has_rings()) link.receive(to, bytes, &packets);
      return packets;
    });
  }
  ShmCounters counters() {
    return with([](ShmLink& link) { return link.counters(); });
  }

 private:
  void serve() {
    while (!stop_) {
      pollfd p{share_->fd(), POLLIN, 0};
      if (poll(&p, 1, 5) <= 0) continue;
      std::lock_guard guard(mutex_);
      share_->serve();
    }
  }
  AddressPlan plan_;
  std::unique_ptr<AddressShare> share_;
  std::unique_ptr<ShmLink> link_;
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

bool readable(int fd) {
  pollfd p{fd, POLLIN, 0};
  return poll(&p, 1, 0) == 1;
}

std::vector<uint8_t> packet(uint32_t length, uint8_t fill) { return std::vector<uint8_t>(length, fill); }

TEST(ShmLink, OpensALaneOnFirstUseAndHandsPacketsOver) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  Flow flow = one.flow_to(two);
  flow.traffic_class = 0xb8;
  flow.hop_limit = 9;
  EXPECT_NE(one.state(flow, two.slot()), ShmLane::State::sockets);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  ASSERT_TRUE(one.send(flow, two.slot(), packet(300, 0x5a)));
  Arrivals got;
  ASSERT_EQ(two.receive(got), 1u);
  EXPECT_EQ(got.packets[0], packet(300, 0x5a));
  EXPECT_EQ(got.source, one.own_gid());
  EXPECT_EQ(got.destination, two.own_gid());
  EXPECT_EQ(got.last.source_port, wire::kRocePort);
  EXPECT_EQ(got.last.tos, 0xb8);
  EXPECT_EQ(got.last.ttl, 9);
  EXPECT_TRUE(got.last.same_host);
  EXPECT_EQ(one.counters().bytes_out, 300u);
  EXPECT_EQ(two.counters().bytes_in, 300u);
}

TEST(ShmLink, ReachesAnotherAddressOfThisHost) {
  Peer one(own_address(0)), two(own_address(1));
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  ASSERT_TRUE(one.send(flow, two.slot(), packet(20, 1)));
  Arrivals got;
  EXPECT_EQ(two.receive(got), 1u);
  EXPECT_EQ(got.source, one.own_gid());
}

TEST(ShmLink, ReachesItsOwnProcess) {
  Peer one(own_address(0));
  const Flow flow = one.flow_to(one);
  ASSERT_EQ(one.state(flow, one.slot()), ShmLane::State::open);
  ASSERT_TRUE(one.send(flow, one.slot(), packet(64, 2)));
  Arrivals got;
  EXPECT_EQ(one.receive(got), 1u);
}

TEST(ShmLink, UsesTheSocketsWhereTheOtherProcessHasNoRings) {
  const std::string address = own_address(0);
  Peer one(address), two(address, false);
  const Flow flow = one.flow_to(two);
  EXPECT_EQ(one.settled(flow, two.slot()), ShmLane::State::sockets);
  EXPECT_EQ(one.counters().refused, 1u);
  EXPECT_EQ(one.state(flow, two.slot()), ShmLane::State::sockets) << "does not ask each time";
}

// The other process is stopped (SIGSTOP, a debugger): it does not answer, and who waits for the lane sleeps.
TEST(ShmLink, UsesTheSocketsWhereTheOtherProcessDoesNotAnswer) {
  const std::string address = own_address(0);
  Peer one(address), gone(address);
  const Flow flow = one.flow_to(gone);
  gone.pause();
  ASSERT_EQ(one.state(flow, gone.slot()), ShmLane::State::opening);
  ASSERT_EQ(one.with([&](ShmLink& link) { return link.room(link.lane(flow, gone.slot())); }), 0u);
  EXPECT_FALSE(one.with([](ShmLink& link) { return link.room_returned(); }));
  const uint64_t deadline = one.with([](ShmLink& link) { return link.next_wake(); });
  ASSERT_NE(deadline, kNever) << "nothing would wake the sender";
  while (now_ns() < deadline) std::this_thread::yield();
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); }));
  EXPECT_EQ(one.state(flow, gone.slot()), ShmLane::State::sockets);
  EXPECT_EQ(one.with([](ShmLink& link) { return link.next_wake(); }), kNever);
}

TEST(ShmLink, UsesTheSocketsWhereNoProcessListens) {
  Peer one(own_address(0));
  Flow flow = one.flow_to(one);
  EXPECT_EQ(one.state(flow, one.slot() + 5), ShmLane::State::sockets);
  flow.destination = ipv4(192, 0, 2, 1);
  EXPECT_EQ(one.state(flow, 1), ShmLane::State::sockets);
  EXPECT_EQ(one.counters().refused, 0u);
}

TEST(ShmLink, ReceivesWhatADeadProcessSentAndOpensANewLaneToItsSuccessor) {
  const std::string address = own_address(0);
  Peer one(address);
  std::optional<Peer> two(address);
  const Flow there = one.flow_to(*two), back = two->flow_to(one);
  const uint32_t slot = two->slot();
  ASSERT_EQ(one.settled(there, slot), ShmLane::State::open);
  ASSERT_EQ(two->settled(back, one.slot()), ShmLane::State::open);
  ASSERT_TRUE(two->send(back, one.slot(), packet(100, 3)));
  two.reset();
  while (one.state(there, slot) == ShmLane::State::open) std::this_thread::yield();
  Arrivals got;
  EXPECT_EQ(one.receive(got), 1u);
  while (one.with([](ShmLink& link) { return link.has_rings(); })) one.receive(got);
  two.emplace(address);
  ASSERT_EQ(two->slot(), slot);
  for (ShmLane::State state = ShmLane::State::sockets; state != ShmLane::State::open;) {
    state = one.settled(there, slot);
  }
  ASSERT_TRUE(one.send(there, slot, packet(100, 4)));
  EXPECT_EQ(two->receive(got), 1u);
}

TEST(ShmLink, HoldsTheSenderBackUntilThereIsRoomAndDropsNothing) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); })) << "the lane has opened";
  uint32_t sent = 0;
  while (one.send(flow, two.slot(), packet(4112, static_cast<uint8_t>(sent)))) ++sent;
  EXPECT_GT(sent, 100u);
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.waiting(); }));
  EXPECT_FALSE(one.with([](ShmLink& link) { return link.room_returned(); }));
  ASSERT_TRUE(one.with([](ShmLink& link) { return link.sleep(); }));
  const int bell = one.with([](ShmLink& link) { return link.bell(); });
  EXPECT_FALSE(readable(bell));
  Arrivals got;
  while (two.receive(got, 64 << 10) != 0) {
  }
  EXPECT_TRUE(readable(bell)) << "the reader wakes a writer that waits for room";
  one.with([](ShmLink& link) { link.woke(); });
  EXPECT_TRUE(one.with([](ShmLink& link) { return link.room_returned(); }));
  EXPECT_FALSE(one.with([](ShmLink& link) { return link.waiting(); }));
  ASSERT_EQ(got.packets.size(), sent);
  for (uint32_t i = 0; i < sent; ++i) ASSERT_EQ(got.packets[i][0], static_cast<uint8_t>(i));
}

// The engine thread may fill a ring for a thread that sleeps already.
TEST(ShmLink, WakesASleeperWhoseRingFilledAfterItsLastLook) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  ASSERT_TRUE(one.with([](ShmLink& link) { return link.sleep(); }));
  while (one.send(flow, two.slot(), packet(4112, 1))) {
  }
  const int bell = one.with([](ShmLink& link) { return link.bell(); });
  EXPECT_FALSE(readable(bell));
  Arrivals got;
  while (two.receive(got, 64 << 10) != 0) {
  }
  EXPECT_TRUE(readable(bell));
  one.with([](ShmLink& link) { link.woke(); });
}

// Two threads of a device sleep on one bell. The first to wake may leave the packet to the other one.
TEST(ShmLink, KeepsTheBellSetUntilTheRingsAreRead) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  const int bell = two.with([](ShmLink& link) { return link.bell(); });
  two.with([](ShmLink& link) { link.woke(); });
  EXPECT_TRUE(readable(bell));
  two.with([](ShmLink& link) { link.woke(); });
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); }));
}

TEST(ShmLink, RingsOnlyForASleeper) {
  const std::string address = own_address(0);
  Peer one(address), two(address);
  const Flow flow = one.flow_to(two);
  ASSERT_EQ(one.settled(flow, two.slot()), ShmLane::State::open);
  const int bell = two.with([](ShmLink& link) { return link.bell(); });
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 1)));
  EXPECT_FALSE(readable(bell)) << "it is awake and looks by itself";
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); })) << "there is something to do";
  Arrivals got;
  two.receive(got);
  ASSERT_TRUE(two.with([](ShmLink& link) { return link.sleep(); }));
  EXPECT_FALSE(readable(bell));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 2)));
  EXPECT_TRUE(readable(bell));
  two.with([](ShmLink& link) { link.woke(); });
  EXPECT_TRUE(readable(bell)) << "another thread may sleep on it, and be the one that looks";
  EXPECT_FALSE(two.with([](ShmLink& link) { return link.sleep(); })) << "the packet has not been taken in";
  EXPECT_FALSE(readable(bell));
  ASSERT_TRUE(one.send(flow, two.slot(), packet(64, 3)));
  EXPECT_FALSE(readable(bell)) << "awake again";
}

// A peer shares the bell's descriptor with us, and so its flags.
TEST(ShmLink, IsNotStoppedByAPeerThatMakesTheBellBlock) {
  auto bell = *shm::Bell::create();
  auto peer = *shm::PeerBell::take(UniqueFd(fcntl(bell.fd(), F_DUPFD_CLOEXEC, 0)),
                                   UniqueFd(fcntl(bell.page_fd(), F_DUPFD_CLOEXEC, 0)));
  ASSERT_EQ(fcntl(bell.fd(), F_SETFL, 0), 0);
  bell.sleep();  // nothing is there to be read
  const uint64_t full = UINT64_MAX - 1;
  ASSERT_EQ(write(bell.fd(), &full, sizeof full), static_cast<ssize_t>(sizeof full));
  peer.ring();  // and no room to write
  EXPECT_TRUE(readable(bell.fd()));
  bell.woke();
}

// What a process of the same user might hand over instead of a ring.
class HostileRing : public ::testing::Test {
 protected:
  // True if the member accepts these.
  bool accepted(int memory, int page, int event, uint32_t bytes) {
    UniqueFd connection;
    EXPECT_EQ(victim_.share().connect(victim_.own_gid(), 0, victim_.slot(), &connection), 0);
    const int fds[] = {memory, page, event};
    EXPECT_EQ(
        share::send_message(connection.get(), {.type = share::Type::ring, .first = bytes, .count = 3}, fds),
        0);
    pollfd p{connection.get(), POLLIN, 0};
    EXPECT_EQ(poll(&p, 1, 10'000), 1);
    share::Message answer;
    const int error = share::receive_message(connection.get(), &answer);
    return error == 0 && answer.header.type == share::Type::ring_taken;
  }
  static UniqueFd memfd(std::size_t bytes, int seals) {
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(fcntl(fd.get(), F_ADD_SEALS, seals), 0);
    return fd;
  }
  // A ring that says it comes from that address.
  static shm::SharedMemory ring(const Gid& source) {
    auto memory = *shm::SharedMemory::create(shm::ring_memory(shm::kMinRing), shm::Others::write);
    std::memcpy(reinterpret_cast<shm::RingControl*>(memory.span().data())->source, source.data(), 16);
    return memory;
  }

  Peer victim_{own_address(0)};
  shm::Bell bell_ = *shm::Bell::create();
};

TEST_F(HostileRing, AcceptsAValidOne) {
  const auto memory = ring(victim_.own_gid());
  EXPECT_TRUE(accepted(memory.fd(), bell_.page_fd(), bell_.fd(), shm::kMinRing));
}

TEST_F(HostileRing, RefusesMemoryWithoutSeals) {
  constexpr int kNoShrink = F_SEAL_GROW | F_SEAL_SEAL;
  const UniqueFd open = memfd(shm::ring_memory(shm::kMinRing), kNoShrink);
  EXPECT_FALSE(accepted(open.get(), bell_.page_fd(), bell_.fd(), shm::kMinRing));
}

TEST_F(HostileRing, RefusesASizeThatDiffersFromTheAnnounced) {
  const auto memory = ring(victim_.own_gid());
  for (const uint32_t bytes : {shm::kMinRing * 2, shm::kMinRing / 2, shm::kMinRing + 1, 0u, ~0u}) {
    EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), bell_.fd(), bytes)) << bytes;
  }
}

TEST_F(HostileRing, RefusesAFileInsteadOfAnEventfd) {
  const auto memory = ring(victim_.own_gid());
  const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  const UniqueFd blocking(eventfd(0, EFD_CLOEXEC));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), null.get(), shm::kMinRing));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), blocking.get(), shm::kMinRing));
  EXPECT_FALSE(accepted(memory.fd(), null.get(), bell_.fd(), shm::kMinRing));
}

TEST_F(HostileRing, RefusesAnAddressOfAnotherHost) {
  const auto memory = ring(ipv4(192, 0, 2, 7));
  EXPECT_FALSE(accepted(memory.fd(), bell_.page_fd(), bell_.fd(), shm::kMinRing));
}

TEST_F(HostileRing, ClosesARingWithInvalidContents) {
  const auto memory = ring(victim_.own_gid());
  ASSERT_TRUE(accepted(memory.fd(), bell_.page_fd(), bell_.fd(), shm::kMinRing));
  std::memset(memory.span().data() + shm::kRecords, 0xff, 64);
  Arrivals got;
  EXPECT_EQ(victim_.receive(got), 0u);
  EXPECT_EQ(victim_.counters().broken, 1u);
  EXPECT_FALSE(victim_.with([](ShmLink& link) { return link.has_rings(); }));
}

// 64 processes that all talk to each other: 63 rings each.
TEST(ShmLink, KeepsTheRingsOfManyProcessesBelowAGibibyte) {
  uint64_t bytes = 0;
  for (uint32_t rings = 0; rings < 63; ++rings) bytes += shm::ring_memory(ShmLink::ring_size(rings));
  EXPECT_LT(64 * bytes, 1u << 30);
  EXPECT_LE(2 * shm::ring_memory(ShmLink::ring_size(0)), 4u << 20) << "of a pair";
}

}  // namespace
}  // namespace uroce::net::test
