#include "uroce/cm/router.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

#include "uroce/net/share/share_message.h"
#include "uroce/verbs/device/device.h"

namespace uroce::cm {
namespace {

constexpr uint32_t kBudget = 16;           // datagrams received before others have their turn
constexpr long kRetryDelay = 100'000'000;  // ns; used when no descriptors were left

}  // namespace

Router::Router(verbs::Device& device, RouterClient& client)
    : device_(device),
      client_(client),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {
  add_to_epoll(timer_.get());
  const auto& gids = device.plan().gids;
  for (std::size_t i = 0; i < gids.size(); ++i) {
    const int socket = device.share().management_socket(i);
    if (net::is_zero(gids[i].gid) || socket < 0) continue;
    readers_.push_back({net::GsiLease(device.share().name_prefix(i) + "gsi"), socket, gids[i].gid});
  }
  for (Reader& reader : readers_) contend(reader);
}

Router::GsiLink::GsiLink(verbs::Device& device, int socket, const Gid& gid)
    : device_(device), link_({{socket, gid}}, device.features()) {}

uint32_t Router::GsiLink::receive(net::DatagramHandler& handler, uint32_t max) {
  net::TapLink* tap = device_.tap_link();
  link_.stamp(tap != nullptr ? &device_.clock() : nullptr);
  return tap != nullptr ? tap->receive_from(link_, handler, max) : link_.receive(handler, max);
}

void Router::add_to_epoll(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void Router::contend(Reader& reader) {
  reader.lease.contend();
  if (reader.lease.fd() < 0) return arm_retry();
  add_to_epoll(reader.lease.fd());
  if (!reader.lease.held() || reader.link) return;
  reader.link = std::make_unique<GsiLink>(device_, reader.socket, reader.gid);
  reader.port = std::make_unique<net::RocePort>(*reader.link, device_.features());
  add_to_epoll(reader.socket);
}

void Router::serve() {
  epoll_event events[16];
  const int n = epoll_wait(epoll_.get(), events, 16, 0);
  if (n <= 0) return;
  std::lock_guard guard(device_.lock());
  now_ = device_.now();
  for (int i = 0; i < n; ++i) {
    const int fd = events[i].data.fd;
    if (fd == timer_.get()) {
      retry_paused();
      continue;
    }
    if (const auto it = connections_.find(fd); it != connections_.end()) {
      if (!read_from(fd)) connections_.erase(it);
      continue;
    }
    const auto reader = std::find_if(readers_.begin(), readers_.end(),
                                     [fd](Reader& r) { return r.lease.owns(fd) || r.socket == fd; });
    if (reader == readers_.end()) {
      accept_from(fd);
    } else if (reader->socket == fd) {
      reader->port->receive(*this, kBudget);
    } else {
      const auto served = reader->lease.serve([this](int contender) { add_to_epoll(contender); });
      if (served == net::GsiLease::Served::holder_gone) contend(*reader);
      if (served == net::GsiLease::Served::no_descriptor) pause(reader->lease.fd());
    }
  }
  device_.push(now_, transport::kDeferPiggybackAcks);
}

bool Router::wants(const transport::RxPacket& packet) {
  validated_ = device_.engine().validate(packet);
  return validated_.wanted();
}

void Router::on_packet(const transport::RxPacket& packet) {
  now_ = std::max(now_, packet.time);
  device_.engine().process(now_, packet, validated_);
}

int Router::claim_name(const std::string& name) {
  net::UniqueFd fd;
  if (const int error = net::share::listen_abstract(name, &fd); error != 0) return error;
  add_to_epoll(fd.get());
  names_[name] = std::move(fd);
  return 0;
}

void Router::drop(const std::string& name) {
  const auto it = names_.find(name);
  if (it == names_.end()) return;
  std::erase(paused_, it->second.get());
  names_.erase(it);
}

// Stops watching a listener. The listener would keep the engine thread awake, and a connection that is
// closed at once would lose a datagram.
void Router::pause(int listener) {
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener, nullptr);
  paused_.push_back(listener);
  arm_retry();
}

void Router::arm_retry() {
  const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = kRetryDelay}};
  timerfd_settime(timer_.get(), 0, &once, nullptr);
}

void Router::retry_paused() {
  uint64_t times;
  [[maybe_unused]] const ssize_t got = read(timer_.get(), &times, sizeof times);
  for (const int listener : std::exchange(paused_, {})) add_to_epoll(listener);
  for (Reader& reader : readers_) {
    if (reader.lease.fd() < 0) contend(reader);
  }
}

bool Router::name_in_use(const std::string& name) const {
  net::UniqueFd fd;
  return net::share::connect_abstract(name, &fd) != ECONNREFUSED;
}

void Router::accept_from(int listener) {
  const bool ours =
      std::any_of(names_.begin(), names_.end(), [&](const auto& n) { return n.second.get() == listener; });
  if (!ours) return;
  for (;;) {
    net::UniqueFd fd(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) {
      if (net::share::out_of_descriptors(errno)) pause(listener);
      return;
    }
    if (!net::share::same_user(fd.get())) continue;
    const int connection = fd.get();
    if (!read_from(connection)) continue;
    add_to_epoll(connection);
    connections_[connection] = std::move(fd);
  }
}

bool Router::read_from(int connection) {
  net::ForwardedMad mad;
  const int error = net::receive_forwarded(connection, &mad);
  if (error == 0) client_.on_forwarded(mad);
  return error == EAGAIN;
}

}  // namespace uroce::cm
