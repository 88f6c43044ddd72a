// Chooses the link that carries packets (UROCE_LINK), and tells the user why shared memory cannot carry them.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "uroce/net/shm/memory.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::verbs {
namespace {

constexpr uint32_t kAnswerStep = 50;  // us between two checks whether the other process has answered

}  // namespace

std::expected<void, Error> Device::open_rings() {
  const char* value = std::getenv("UROCE_LINK");
  const std::string wanted = value == nullptr || *value == '\0' ? "auto" : value;
  if (wanted == "udp") return {};
  if (wanted != "auto" && wanted != "shm") {
    return std::unexpected(Error{EINVAL, "UROCE_LINK: \"" + wanted + "\" is neither udp, shm nor auto."});
  }
  rings_only_ = wanted == "shm";
  auto rings = net::ShmLink::create(*share_);
  if (!rings && rings_only_) {
    const auto [code, cause, cure] = net::shm::explain(rings.error());
    return std::unexpected(Error{rings.error(), "UROCE_LINK=shm: cannot make shared memory: " + cause + ". " +
                                                    cure + ", or choose UROCE_LINK=auto (--link auto)."});
  }
  if (!rings) {
    warn_of_obstacle(rings.error());
    return {};
  }
  rings_ = std::move(*rings);
  rings_->on_obstacle([this](int error) { warn_of_obstacle(error); });
  host_link_ = std::make_unique<net::HostLink>(*udp_link_, *rings_);
  return {};
}

// Once in a process. A process that has chosen the kernel's way is no obstacle for `auto`.
void Device::warn_of_obstacle(int error) {
  if (obstacle_reported_ || (!rings_only_ && error == net::shm::kRefused)) return;
  obstacle_reported_ = true;
  const auto [code, cause, cure] = net::shm::explain(error);
  std::fprintf(
      stderr, "uroce: cannot use shared memory: %s. %s. %s, or choose %s.\n", cause.c_str(),
      rings_only_ ? "Packets to that process are dropped" : "Packets go through the kernel (UDP) instead",
      cure.c_str(), rings_only_ ? "UROCE_LINK=auto (--link auto)" : "UROCE_LINK=udp (--link udp)");
}

bool Device::is_own(const Gid& address) const {
  return std::ranges::any_of(plan_.gids, [&](const auto& entry) { return entry.gid == address; });
}

bool Device::is_own(const Path& to, uint32_t qpn) const { return share_->is_own(to.dgid, net::slot_of(qpn)); }

bool Device::nobody_has(const Path& to, uint32_t qpn) const {
  const uint32_t scope = plan_.gids[plan_.entry(to.sgid_index)].scope_id;
  net::UniqueFd connection;
  return !is_own(to, qpn) && net::is_address_of_this_host(to.dgid, scope) &&
         share_->connect(to.dgid, scope, net::slot_of(qpn), &connection) == ECONNREFUSED;
}

int Device::check_reach(const Path& path, std::optional<uint32_t> dest_qpn) {
  if (!rings_only_) return 0;
  const auto& flow = *reinterpret_cast<const net::Flow*>(path.cookie);
  if (flow.sockets_only || is_multicast(path.dgid)) return 0;
  const std::string address = net::to_text(path.dgid);
  if (!net::is_address_of_this_host(path.dgid, plan_.gids[plan_.entry(path.sgid_index)].scope_id)) {
    return watch::refuse_saying(
        EHOSTUNREACH, "UROCE_LINK=shm does not reach " + address + ", which is not an address of this host",
        "Choose UROCE_LINK=auto (--link auto).");
  }
  if (!dest_qpn) return 0;
  for (bool ask_again = true;; ask_again = false) {
    int error;
    {
      std::lock_guard guard(lock_);
      error = roce_port_->obstacle_to(path, *dest_qpn, ask_again);
    }
    if (error == 0) return 0;
    if (error == EAGAIN) {
      usleep(kAnswerStep);
      continue;
    }
    const auto [code, cause, cure] = net::shm::explain(error);
    char qpn[16];
    std::snprintf(qpn, sizeof qpn, "0x%06x", *dest_qpn);
    return watch::refuse_saying(
        EHOSTUNREACH,
        std::string("UROCE_LINK=shm does not reach queue pair ") + qpn + " at " + address + ": " + cause,
        cure + ", or choose UROCE_LINK=auto (--link auto).");
  }
}

}  // namespace uroce::verbs
