#include "uroce/net/share/share_group.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "uroce/net/host/clock.h"
#include "uroce/net/share/share_message.h"
#include "uroce/net/udp/steering.h"

namespace uroce::net::share {
namespace {

int milliseconds_until(uint64_t deadline_ns) {
  const uint64_t now = now_ns();
  return now >= deadline_ns ? 0 : static_cast<int>((deadline_ns - now) / 1'000'000 + 1);
}

// Identity of a socket, however many descriptors there are of it.
uint64_t cookie_of(int fd) {
  uint64_t cookie = 0;
  socklen_t length = sizeof cookie;
  getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length);
  return cookie;
}

}  // namespace

std::string name_prefix(const Gid& address, uint32_t scope_id) {
  std::string prefix = kNamesBegin + std::to_string(geteuid()) + "." + to_text(address);
  if (scope_id != 0) prefix += "%" + std::to_string(scope_id);
  return prefix + ".";
}

Group::Group(const LocalAddress& local, const UdpFeatures& features)
    : local_(local), features_(features), prefix_(name_prefix(local.gid, local.scope_id)) {}

void Group::fetch(const Timeouts& timeouts) {
  std::optional<std::vector<uint32_t>> slots = numbered_names(prefix_);
  if (!slots) {
    // Try every slot. A refused connect costs a microsecond.
    slots.emplace();
    for (uint32_t slot = 0; slot < kMaxSlots; ++slot) slots->push_back(slot);
  }
  for (uint32_t slot : *slots) {
    UniqueFd fd;
    if (connect_abstract(name(slot), &fd) != 0) continue;
    if (send_message(fd.get(), Header{.type = Type::fetch}, nullptr) == 0) peers_.push_back(std::move(fd));
  }
  std::vector<pollfd> waiting;
  for (const UniqueFd& peer : peers_) waiting.push_back({peer.get(), POLLIN, 0});
  std::size_t left = waiting.size();
  const uint64_t begin = now_ns();
  uint64_t deadline = begin + timeouts.ordinary;
  while (left > 0) {
    const bool late = poll(waiting.data(), waiting.size(), milliseconds_until(deadline)) <= 0;
    if (late && now_ns() >= begin + timeouts.longest) break;
    if (late) deadline = now_ns() + timeouts.ordinary;
    for (pollfd& p : waiting) {
      if (p.fd < 0) continue;
      if (late && !runs(p.fd)) {
        p.fd = -1;
        --left;
      }
      if (late || p.revents == 0) continue;
      Message message;
      const int error = receive_message(p.fd, &message);
      if (error == EAGAIN) continue;
      const bool last = error != 0 || !add_sockets(&message) ||
                        message.header.first + message.header.count >= message.header.total;
      if (last) {
        p.fd = -1;
        --left;
      }
    }
  }
}

int Group::claim(uint32_t slot) { return listen_abstract(name(slot), &listener_); }

bool Group::add_socket(uint32_t slot, UniqueFd fd) {
  if (slot >= kMaxSlots) return false;
  if (slot < sockets_.size() && sockets_[slot]) return true;
  // Only a UDP socket of this very address belongs here.
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  if (getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) return false;
  if (gid_from(reinterpret_cast<sockaddr*>(&bound)) != local_.gid) return false;
  // Nor may one socket be in two places.
  const uint64_t cookie = cookie_of(fd.get());
  const auto same = std::find_if(sockets_.begin(), sockets_.end(),
                                 [&](const UniqueFd& s) { return s && cookie_of(s.get()) == cookie; });
  if (same != sockets_.end()) return true;
  if (sockets_.size() <= slot) sockets_.resize(slot + 1);
  sockets_[slot] = std::move(fd);
  return true;
}

bool Group::add_sockets(Message* message) {
  if (message->header.type == Type::fetch) return false;
  for (std::size_t i = 0; i < message->fds.size(); ++i) {
    if (!add_socket(message->header.first + static_cast<uint32_t>(i), std::move(message->fds[i])))
      return false;
  }
  return true;
}

// Every socket of the mirror stands in the kernel's group. So where the mirror has no gap below a slot, a
// packet for that slot has a place of its own to go to, and arriving proves it; else the place has to be
// searched for.
bool Group::has_place(int fd, uint32_t slot) const {
  const bool gap = slot > sockets_.size() || std::any_of(sockets_.begin(), sockets_.begin() + slot,
                                                         [](const UniqueFd& s) { return !s; });
  return gap ? find_slot(fd, kMaxSlots) == static_cast<int>(slot) : probe_slot(fd, slot);
}

int Group::ensure_socket(uint32_t slot, uint32_t* at_least) {
  if (slot < sockets_.size() && sockets_[slot]) {
    drain_socket(sockets_[slot].get());
    if (has_place(sockets_[slot].get(), slot)) {
      configure_udp_socket(sockets_[slot].get(), local_, features_);
      return 0;
    }
    // A place that moved: another process closed a socket of the group in the meantime.
    sockets_[slot].reset();
  }
  for (;;) {
    auto fd = open_udp_socket(local_, features_);
    if (!fd) return fd.error();
    if (const int error = attach_steering(fd->get()); error != 0) return error;
    auto place = static_cast<uint32_t>(sockets_.size());
    if (!has_place(fd->get(), place)) {
      const int found = find_slot(fd->get(), kMaxSlots);
      if (found < 0) return ENOPROTOOPT;
      place = static_cast<uint32_t>(found);
    }
    if (sockets_.size() <= place) sockets_.resize(place + 1);
    sockets_[place] = std::move(*fd);
    created_.push_back(place);
    if (place == slot) return 0;
    if (place > slot) {
      *at_least = place;
      return EAGAIN;
    }
  }
}

void Group::announce() {
  for (const UniqueFd& peer : peers_) {
    for (uint32_t slot : created_) {
      const int fd = sockets_[slot].get();
      send_message(peer.get(), Header{.type = Type::push, .first = slot, .count = 1, .total = slot + 1}, &fd);
    }
  }
  // A process that was stopped answers our fetch into a closed connection later. We know the answer, or can
  // do without.
  peers_.clear();
  created_.clear();
}

void Group::send_sockets(int connection) {
  const auto total = static_cast<uint32_t>(sockets_.size());
  uint32_t first = 0;
  while (first < total) {
    if (!sockets_[first]) {
      ++first;
      continue;
    }
    std::vector<int> fds;
    while (first + fds.size() < total && fds.size() < kMaxFds && sockets_[first + fds.size()]) {
      fds.push_back(sockets_[first + fds.size()].get());
    }
    const Header header{
        .type = Type::table, .first = first, .count = static_cast<uint32_t>(fds.size()), .total = total};
    if (send_message(connection, header, fds.data()) != 0) return;  // it is gone
    first += header.count;
  }
}

Error Group::explain(int error) const {
  const std::string where = "UDP port 4791 of " + to_text(local_.gid);
  switch (error) {
    case EADDRINUSE:
      return {
          error,
          where +
              " is taken by another user or by the kernel's rxe. Choose an address of your own, for "
              "example UROCE_ADDR=127.0.0.2, or end the program that holds it (`ss -lunp 'sport = 4791'`, "
              "`rdma link`)."};
    case EACCES:
    case EPERM:
      return {error, where + " cannot be used: " + std::strerror(error) + "."};
    case ENOPROTOOPT:  // ensure_socket() found no place
      return {EADDRINUSE,
              where + " is held by a program that is not this device, or a firewall drops its packets."};
    case EADDRNOTAVAIL:
      return {error, where + ": no interface has this address any more."};
    default:
      return {error, where + ": " + std::strerror(error) + "."};
  }
}

}  // namespace uroce::net::share
