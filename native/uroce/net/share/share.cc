#include "uroce/net/share/share.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/net/host/clock.h"
#include "uroce/net/share/share_message.h"
#include "uroce/net/udp/steering.h"

namespace uroce::net {
namespace {

constexpr share::Timeouts kLockTimeouts{5'000'000'000, 30'000'000'000};  // others join in front of us
constexpr share::Timeouts kFetchTimeouts{500'000'000, 5'000'000'000};    // others may be kept from a core
constexpr int kRounds = 1000;                                            // rounds of messages in one serve()
constexpr int kAtOnce = 16;  // messages of a round, and connections of a listener: others have their turn

void add_to_epoll(int epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

}  // namespace

std::expected<std::unique_ptr<AddressShare>, Error> AddressShare::join(const AddressPlan& plan,
                                                                       const UdpFeatures& features) {
  std::unique_ptr<AddressShare> share(new AddressShare);
  for (const LocalAddress& local : plan.gids) {
    if (!is_zero(local.gid)) share->groups_.push_back(std::make_unique<share::Group>(local, features));
  }
  std::sort(share->groups_.begin(), share->groups_.end(),
            [](const auto& a, const auto& b) { return a->key() < b->key(); });
  if (auto joined = share->join_all(plan); !joined) return std::unexpected(std::move(joined.error()));
  return share;
}

std::expected<void, Error> AddressShare::join_all(const AddressPlan& plan) {
  epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) {
    const int error = errno;
    return std::unexpected(
        Error{error, std::string("cannot watch the sockets: ") + std::strerror(error) + "."});
  }
  spare_.reset(fcntl(epoll_.get(), F_DUPFD_CLOEXEC, 0));
  if (!spare_)
    return std::unexpected(
        Error{errno, std::string("cannot keep a descriptor: ") + std::strerror(errno) + "."});
  const auto joining = share::lock_joining(kLockTimeouts);  // until we have joined
  if (!joining) return std::unexpected(joining.error());
  for (auto& group : groups_) group->fetch(kFetchTimeouts);
  if (auto claimed = claim_slot(); !claimed) return claimed;
  for (auto& group : groups_) group->announce();

  for (auto& group : groups_) add_to_epoll(epoll_.get(), group->listener());
  own_.assign(plan.gids.size(), -1);
  management_.assign(plan.gids.size(), -1);
  prefixes_.resize(plan.gids.size());
  for (std::size_t i = 0; i < plan.gids.size(); ++i) {
    for (auto& group : groups_) {
      if (group->local().gid != plan.gids[i].gid) continue;
      own_[i] = group->socket(slot_);
      management_[i] = group->socket(kManagementSlot);
      prefixes_[i] = group->key();
    }
  }
  return {};
}

std::expected<void, Error> AddressShare::claim_slot() {
  for (uint32_t slot = kManagementSlot + 1; slot < kMaxSlots;) {
    uint32_t next = slot + 1;
    int error = 0;
    share::Group* at = nullptr;
    for (auto& group : groups_) {
      at = group.get();
      error = group->claim(slot);
      if (error == 0) continue;
      break;
    }
    if (error != 0 && error != EADDRINUSE) return std::unexpected(at->explain(error));
    if (error == 0) {
      for (auto& group : groups_) {
        at = group.get();
        uint32_t at_least = next;
        error = group->ensure_socket(slot, &at_least);
        if (error != 0) next = std::max(next, at_least);
        if (error != 0) break;
      }
      if (error == 0) {
        slot_ = slot;
        return {};
      }
      if (error != EAGAIN) return std::unexpected(at->explain(error));
    }
    for (auto& group : groups_) group->disclaim();
    slot = next;
  }
  return std::unexpected(Error{EADDRINUSE, "all " + std::to_string(kMaxSlots) +
                                               " slots of this address are in use by running processes."});
}

void AddressShare::accept_from(share::Group& group) {
  for (int i = 0; i < kAtOnce; ++i) {
    UniqueFd fd(accept4(group.listener(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) {
      if (!share::out_of_descriptors(errno) || !turn_away(group.listener())) return;
      continue;
    }
    if (!share::same_user(fd.get())) continue;
    const pid_t peer = share::peer_of(fd.get());
    if (is_too_many(peer)) {
      ++refused_connections_;
      continue;
    }
    add_to_epoll(epoll_.get(), fd.get());
    connections_.push_back({.fd = std::move(fd), .group = &group, .peer = peer});
  }
}

bool AddressShare::is_too_many(pid_t peer) const {
  if (peer == 0) return false;  // may be several processes
  return std::ranges::count(connections_, peer, &Connection::peer) >= kConnectionsOfOne;
}

// A connection that stays in the backlog would leave its process without an answer, and this thread without
// sleep.
bool AddressShare::turn_away(int listener) {
  spare_.reset();
  UniqueFd fd(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  const bool accepted = static_cast<bool>(fd);
  if (accepted) ++refused_connections_;
  fd.reset();
  spare_.reset(fcntl(epoll_.get(), F_DUPFD_CLOEXEC, 0));
  return accepted;
}

int AddressShare::peer_socket(const Gid& address, uint32_t slot) const {
  for (const auto& group : groups_) {
    if (group->local().gid == address) return group->find_socket(slot);
  }
  return -1;
}

bool AddressShare::handle_ready(int fd) {
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](auto& g) { return g->listener() == fd; });
  if (group != groups_.end()) {
    accept_from(**group);
    return false;
  }
  const auto connection =
      std::find_if(connections_.begin(), connections_.end(), [&](auto& c) { return c.fd.get() == fd; });
  if (connection == connections_.end()) return false;
  share::Message message;
  const int error = share::receive_message(fd, &message);
  if (error == EAGAIN) return false;
  if (error == 0 && handle_message(*connection, message)) return connection->asks;
  if (connection->rings && ring_handler_ != nullptr) ring_handler_->on_end(fd);
  drop(fd);
  return false;
}

bool AddressShare::handle_message(Connection& connection, share::Message& message) {
  const int fd = connection.fd.get();
  switch (message.header.type) {
    case share::Type::fetch:
      connection.asks = connection.group != nullptr;
      return connection.asks;
    case share::Type::ring:
      if (ring_handler_ == nullptr || connection.group == nullptr || connection.rings) return false;
      connection.rings = ring_handler_->on_ring(connection.group->local(), fd, message);
      return connection.rings;
    case share::Type::ring_taken:
      return ring_handler_ != nullptr && connection.group == nullptr && ring_handler_->on_answer(fd, message);
    default:
      return connection.group != nullptr && connection.group->add_sockets(&message);
  }
}

bool AddressShare::is_own(const Gid& address, uint32_t slot) const {
  return slot == slot_ &&
         std::ranges::any_of(groups_, [&](const auto& group) { return group->local().gid == address; });
}

int AddressShare::connect(const Gid& address, uint32_t scope_id, uint32_t slot, UniqueFd* out) const {
  return share::connect_abstract(share::name_prefix(address, scope_id) + std::to_string(slot), out);
}

int AddressShare::keep(UniqueFd connection) {
  const int fd = connection.get();
  add_to_epoll(epoll_.get(), fd);
  connections_.push_back({.fd = std::move(connection), .group = nullptr, .rings = true});
  return fd;
}

// Closing the descriptor removes it from the epoll set.
void AddressShare::drop(int fd) {
  std::erase_if(connections_, [fd](const Connection& c) { return c.fd.get() == fd; });
}

// Answers a request for sockets only after receiving all waiting messages. Processes may have come and gone
// while this one was stopped, and the requester learns of them only from this process.
void AddressShare::serve() {
  bool asked = false;
  for (int round = 0; round < kRounds; ++round) {
    epoll_event events[kAtOnce];
    const int n = epoll_wait(epoll_.get(), events, kAtOnce, 0);
    if (n <= 0) break;
    for (int i = 0; i < n; ++i) asked |= handle_ready(events[i].data.fd);
  }
  if (!asked) return;
  for (Connection& connection : connections_) {
    if (std::exchange(connection.asks, false)) connection.group->send_sockets(connection.fd.get());
  }
}

}  // namespace uroce::net
