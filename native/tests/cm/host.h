// A host with a connection manager, and a network between hosts in virtual time that loses, duplicates and
// delays management datagrams by a seed. The fate of each connection is recorded.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "uroce/cm/protocol/machine.h"

namespace uroce::cm::test {

inline constexpr uint64_t kService = 0x0000000001061c06;

inline Gid address(uint8_t last) {
  Gid gid{};
  gid[10] = gid[11] = 0xff;
  gid[12] = 10;
  gid[15] = last;
  return gid;
}

struct Loss {
  uint32_t drop = 0;  // percent
  uint32_t duplicate = 0;
  uint64_t longest_delay = 1'000'000;  // ns
};

class Host;

class Network {
 public:
  Network(uint64_t seed, Loss loss) : random(seed), loss_(loss) {}

  void add(Host* host);
  void send(const Address& to, const wire::MadBytes& mad);
  // Carries datagrams and runs timers until nothing is left to happen before `end`.
  void run(uint64_t end);
  // Runs until nothing is left at all.
  void settle() { run(now + 3'600'000'000'000u); }

  uint64_t now = 1;
  SeededRandom random;
  uint32_t sent = 0;
  // Sees every datagram; false: it is lost.
  std::function<bool(const Address&, const wire::MadBytes&)> filter;

 private:
  struct Flying {
    uint64_t time;
    uint64_t order;
    Address to;
    wire::MadBytes mad;
    bool operator>(const Flying& o) const { return std::pair(time, order) > std::pair(o.time, o.order); }
  };
  void launch(const Address& to, const wire::MadBytes& mad);

  Loss loss_;
  uint64_t order_ = 0;
  std::map<Gid, Host*> hosts_;
  std::priority_queue<Flying, std::vector<Flying>, std::greater<>> flying_;
};

// History of a connection on one side.
struct Story {
  Connection* connection = nullptr;
  std::vector<EventType> events;
  int status = 0;
  std::vector<uint8_t> data;  // private data of the last event
  uint64_t last_event = 0;

  bool saw(EventType type) const { return std::find(events.begin(), events.end(), type) != events.end(); }
  std::size_t count(EventType type) const {
    return static_cast<std::size_t>(std::count(events.begin(), events.end(), type));
  }
};

class Host final : public Owner {
 public:
  Host(Network& network, uint8_t number)
      : gid(address(number)),
        network_(network),
        machine({.id_base = uint32_t{number} << 20, .ca_guid = number}, network.random, *this) {
    network.add(this);
  }

  // Opens a new connection to that host.
  Story& open(const Host& to) {
    Story& story = *stories.emplace_back(std::make_unique<Story>());
    story.connection = machine.create(&story, {.local = gid, .remote = to.gid});
    return story;
  }
  int connect(Story& story, uint32_t qpn = 0x1000) {
    return machine.connect(*story.connection,
                           {.service_id = kService,
                            .qpn = qpn,
                            .starting_psn = qpn + 7,
                            .responder_resources = 3,
                            .initiator_depth = 5,
                            .path_mtu = 5,
                            .ack_timeout = 14,
                            .private_data = data},
                           network_.now);
  }
  int accept(Story& story, uint32_t qpn = 0x2000) {
    return machine.accept(
        *story.connection,
        {.qpn = qpn, .starting_psn = qpn + 9, .responder_resources = 5, .initiator_depth = 3}, network_.now);
  }
  void drop(Story& story) { machine.destroy(std::exchange(story.connection, nullptr), network_.now); }

  void send(const Address& to, const wire::MadBytes& mad) override { network_.send(to, mad); }
  void* listener(uint64_t service_id, const Address&, std::span<const uint8_t>, bool) override {
    return listening && service_id == kService ? this : nullptr;
  }
  void on_event(const Event& event) override {
    if (event.type == EventType::request || event.type == EventType::sidr_request) {
      event.connection.user = stories.emplace_back(std::make_unique<Story>()).get();
    }
    auto& story = *static_cast<Story*>(event.connection.user);
    story.connection = &event.connection;
    story.events.push_back(event.type);
    story.status = event.status;
    story.data.assign(event.private_data.begin(), event.private_data.end());
    story.last_event = network_.now;
    if (react) react(story, event);
  }

  Gid gid;
  bool listening = true;
  std::vector<uint8_t> data = {1, 2, 3};
  std::function<void(Story&, const Event&)> react;
  std::vector<std::unique_ptr<Story>> stories;

 private:
  Network& network_;

 public:
  Machine machine;
};

inline void Network::add(Host* host) { hosts_[host->gid] = host; }

inline void Network::launch(const Address& to, const wire::MadBytes& mad) {
  const uint64_t delay = 1 + random.next64() % loss_.longest_delay;
  flying_.push({now + delay, order_++, to, mad});
}

inline void Network::send(const Address& to, const wire::MadBytes& mad) {
  ++sent;
  if (filter && !filter(to, mad)) return;
  if (random.below(100) < loss_.drop) return;
  launch(to, mad);
  if (random.below(100) < loss_.duplicate) launch(to, mad);
}

inline void Network::run(uint64_t end) {
  for (;;) {
    uint64_t next = flying_.empty() ? kNever : flying_.top().time;
    for (auto& [gid, host] : hosts_) next = std::min(next, host->machine.next_wake());
    if (next > end) break;
    now = std::max(now, next);
    if (!flying_.empty() && flying_.top().time <= now) {
      const Flying arrived = flying_.top();
      flying_.pop();
      if (const auto host = hosts_.find(arrived.to.remote); host != hosts_.end()) {
        host->second->machine.on_mad(arrived.mad.data(),
                                     {.local = arrived.to.remote, .remote = arrived.to.local}, now);
      }
    }
    for (auto& [gid, host] : hosts_) host->machine.on_time(now);
  }
  now = std::max(now, std::min(end, now + 1));
}

inline uint16_t attribute_of(const wire::MadBytes& mad) {
  return wire::MadHeader::parse(mad.data(), mad.size())->attribute;
}

}  // namespace uroce::cm::test
