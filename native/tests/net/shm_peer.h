// A device's share of an address with its rings, for tests with several in one process. Each has a thread that
// serves the connections, as the engine thread does.
#pragma once

#include <fcntl.h>
#include <poll.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/net/packets.h"
#include "uroce/net/shm/shm_link.h"

namespace uroce::net::test {

// Received datagrams.
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
    resume();
  }
  ~Peer() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Stops serving connections.
  void pause() {
    stop_ = true;
    thread_.join();
  }
  void resume() {
    stop_ = false;
    thread_ = std::thread([this] { serve(); });
  }
  uint32_t slot() const { return share_->slot(); }
  AddressShare& share() { return *share_; }
  // Runs a function under a lock, which is the engine lock of a device.
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
  ShmChannel::State state(const Flow& flow, uint32_t slot) {
    return with([&](ShmLink& link) { return link.channel(flow, slot).state(); });
  }
  // The channel's state, once it is no longer opening.
  ShmChannel::State settled(const Flow& flow, uint32_t slot) {
    for (;;) {
      const ShmChannel::State state = this->state(flow, slot);
      if (state != ShmChannel::State::opening) return state;
      std::this_thread::yield();
    }
  }
  bool send(const Flow& flow, uint32_t slot, const std::vector<uint8_t>& packet) {
    return with([&](ShmLink& link) {
      ShmChannel& channel = link.channel(flow, slot);
      if (link.room(channel) == 0) return false;
      uint8_t* place = link.reserve(channel, static_cast<uint32_t>(packet.size()));
      if (place == nullptr) return false;
      std::memcpy(place, packet.data(), packet.size());
      link.publish(channel, static_cast<uint32_t>(packet.size()), flow, flow.traffic_class);
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
      std::unique_lock lock(mutex_);
      share_->serve();
      if (link_) link_->accept_rings(lock);
    }
  }
  AddressPlan plan_;
  std::unique_ptr<AddressShare> share_;
  std::unique_ptr<ShmLink> link_;
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

inline bool readable(int fd) {
  pollfd p{fd, POLLIN, 0};
  return poll(&p, 1, 0) == 1;
}

inline UniqueFd duplicate(int fd) { return UniqueFd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

}  // namespace uroce::net::test
