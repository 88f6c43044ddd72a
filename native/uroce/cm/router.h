// Brings management requests to the process that serves them, with no daemon.
//
// A request (REQ, SIDR_REQ) arrives at socket 0 of an address, which one process reads: the one with the
// lease (net/share/gsi_lease.h). A port that a process has bound is an abstract name on which it listens; the
// reader hands the datagram over there. The kernel frees names and leases when their process ends in
// any way. Answers need none of this (net/udp/steering.h).
//
// All under the engine lock, but for serve().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "uroce/cm/neighbors.h"
#include "uroce/net/port/port.h"
#include "uroce/net/port/roce_port.h"
#include "uroce/net/share/gsi_lease.h"
#include "uroce/net/udp/udp_link.h"
#include "uroce/transport/gsi.h"
#include "uroce/transport/validate.h"

namespace uroce::verbs {
class Device;
}

namespace uroce::cm {

class RouterClient {
 public:
  // Handed over by another process. Engine lock held.
  virtual void on_forwarded(const net::ForwardedMad& mad) = 0;

 protected:
  ~RouterClient() = default;
};

class Router final : public Neighbors, private net::PacketHandler {
 public:
  Router(verbs::Device& device, RouterClient& client);
  ~Router() = default;

  int fd() const { return epoll_.get(); }
  // Takes the engine lock.
  void serve();

  // Neighbors
  int claim_name(const std::string& name) override;
  void drop(const std::string& name) override;
  bool name_in_use(const std::string& name) const override;
  int forward(const std::string& name, const net::ForwardedMad& mad) override {
    return net::forward_mad(name, mad);
  }

 private:
  // Socket 0, seen by the device's tap while there is one.
  class GsiLink final : public net::Link {
   public:
    GsiLink(verbs::Device& device, int socket, const Gid& gid);
    net::SendResult send(const net::GsoBatch&) override { return net::SendResult::lost; }  // it only receives
    uint32_t receive(net::DatagramHandler& handler, uint32_t max) override;

   private:
    verbs::Device& device_;
    net::UdpLink link_;
  };
  struct Reader {
    net::GsiLease lease;
    int socket;
    Gid gid;
    std::unique_ptr<GsiLink> link{};
    std::unique_ptr<net::RocePort> port{};
  };

  void add_to_epoll(int fd);
  void contend(Reader& reader);
  void accept_from(int listener);
  // Connections to it cannot be accepted now. They stay, and are retried a little later.
  void pause(int listener);
  void arm_retry();
  void retry_paused();
  // False when nothing more will come from the connection.
  bool read_from(int connection);
  bool wants(const transport::RxPacket& packet) override;
  void on_packet(const transport::RxPacket& packet) override;

  verbs::Device& device_;
  RouterClient& client_;
  net::UniqueFd epoll_;
  net::UniqueFd timer_;      // for arm_retry(); in epoll_
  std::vector<int> paused_;  // listeners that are not in epoll_ until then
  std::vector<Reader> readers_;
  std::map<std::string, net::UniqueFd> names_;
  std::unordered_map<int, net::UniqueFd> connections_;
  uint64_t now_ = 0;
  transport::Validated validated_;  // validation of the current packet's headers
};

}  // namespace uroce::cm
