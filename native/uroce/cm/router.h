// Brings management requests to the process that serves them, with no daemon.
//
// A request (REQ, SIDR_REQ) arrives at socket 0 of an address, which one process reads: the one with the
// lease (net/share/gsi_lease.h). A port that a process has bound is an abstract name on which it listens; the
// reader hands the datagram over there. Names and leases are the kernel's: they go with their process,
// however it ends. Answers need none of this (net/udp/steering.h).
//
// All under the engine lock, but for serve().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "uroce/cm/neighbors.h"
#include "uroce/net/share/gsi_lease.h"
#include "uroce/net/udp/port.h"
#include "uroce/net/udp/udp_link.h"
#include "uroce/net/udp/udp_port.h"
#include "uroce/transport/gsi.h"
#include "uroce/transport/screen.h"

namespace uroce {
class Device;
}

namespace uroce::cm {

class RouterClient {
 public:
  // Handed over by another process. Engine lock held.
  virtual void on_forwarded(const ForwardedMad& mad) = 0;

 protected:
  ~RouterClient() = default;
};

class Router final : public Neighbors, private PacketHandler {
 public:
  Router(Device& device, RouterClient& client);
  ~Router() = default;

  int fd() const { return epoll_.get(); }
  // Takes the engine lock.
  void serve();

  // Neighbors
  int take(const std::string& name) override;
  void drop(const std::string& name) override;
  bool taken(const std::string& name) const override;
  int forward(const std::string& name, const ForwardedMad& mad) override { return forward_mad(name, mad); }

 private:
  // Socket 0, seen by the device's tap while there is one.
  class GsiLink final : public Link {
   public:
    GsiLink(Device& device, int socket, const Gid& gid);
    SendResult send(const Run&) override { return SendResult::lost; }  // it only receives
    uint32_t receive(DatagramHandler& handler, uint32_t max) override;

   private:
    Device& device_;
    UdpLink link_;
  };
  struct Reader {
    GsiLease lease;
    int socket;
    Gid gid;
    std::unique_ptr<GsiLink> link{};
    std::unique_ptr<UdpPort> port{};
  };

  void watch(int fd);
  void contend(Reader& reader);
  void accept_from(int listener);
  // False when the connection has nothing more to say.
  bool read_from(int connection);
  bool wants(const RxPacket& packet) override;
  void on_packet(const RxPacket& packet) override;

  Device& device_;
  RouterClient& client_;
  UniqueFd epoll_;
  std::vector<Reader> readers_;
  std::map<std::string, UniqueFd> names_;
  std::unordered_map<int, UniqueFd> connections_;
  uint64_t now_ = 0;
  Screened screened_;  // what the headers of the packet under way said
};

}  // namespace uroce::cm
