// Sharing an address between processes, with no daemon and no root.
//
// A process that joins takes the join lock (user_key.h), fetches the existing sockets from the running
// processes, and claims the lowest slot whose name is free on every address. It makes sure that this slot
// has a socket, and gives the socket to the others. After kill -9 at any moment there is at worst a socket
// without an owner, which the next process to join takes over, or one that only some processes hold, which
// the probe of its slot finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "uroce/net/host/address.h"
#include "uroce/net/share/share_group.h"

namespace uroce::net {

namespace share {

struct Message;

// Handler of messages about rings (share_message.h). Called from serve().
class RingHandler {
 public:
  // A process wants to send to this process's slot of that address. False ends the connection; a later
  // failure ends it by drop().
  virtual bool on_ring(const LocalAddress& local, int connection, Message& message) = 0;
  // The answer to a message sent on a connection of keep(). False ends the connection.
  virtual bool on_answer(int connection, Message& message) = 0;
  // A connection of on_ring() or keep() ends. Its descriptor is closed next.
  virtual void on_end(int connection) = 0;

 protected:
  ~RingHandler() = default;
};

}  // namespace share

class AddressShare {
 public:
  // Connections, and so rings, that one peer process may hold: one per pair of addresses.
  static constexpr std::ptrdiff_t kConnectionsOfOne = 64;

  // EADDRINUSE (the port is taken), EBUSY (another process has been joining for too long), EADDRNOTAVAIL, or
  // the error of the sockets.
  static std::expected<std::unique_ptr<AddressShare>, Error> join(const AddressPlan& plan,
                                                                  const UdpFeatures& features);
  ~AddressShare() = default;
  AddressShare(const AddressShare&) = delete;
  AddressShare& operator=(const AddressShare&) = delete;

  uint32_t slot() const { return slot_; }
  // Socket of this process on the address with this GID index; -1 for an empty entry of the table.
  int socket(std::size_t gid_index) const { return own_[gid_index]; }

  // Socket 0 of that address, where management requests arrive. Every process holds it, and the one with the
  // lease (gsi_lease.h) reads it. -1 for an empty entry, or if no process could hand it over.
  int management_socket(std::size_t gid_index) const { return management_[gid_index]; }
  // Prefix of the abstract names of that address.
  const std::string& name_prefix(std::size_t gid_index) const { return prefixes_[gid_index]; }
  // The socket of the process in that slot of one of this device's addresses; -1 if the address is
  // another's or the slot is unknown. Not while another thread is in serve().
  int peer_socket(const Gid& address, uint32_t slot) const;

  // None: requests to open rings are refused.
  void set_ring_handler(share::RingHandler* handler) { ring_handler_ = handler; }
  // True if this process has that slot of that address.
  bool is_own(const Gid& address, uint32_t slot) const;
  // Connects to the process in that slot of an address of this host, the device's or not. ECONNREFUSED: no
  // process of this user has it.
  int connect(const Gid& address, uint32_t scope_id, uint32_t slot, UniqueFd* out) const;
  // Keeps a connection for the ring handler, and returns its descriptor; drop() ends it, without on_end().
  int keep(UniqueFd connection);
  void drop(int connection);

  // Connections turned away because their process held kConnectionsOfOne, or because no descriptor was left.
  uint64_t refused_connections() const { return refused_connections_; }

  // Readable when serve() has something to do. serve() never blocks; one thread at a time.
  int fd() const { return epoll_.get(); }
  void serve();

 private:
  struct Connection {
    UniqueFd fd;
    share::Group* group;  // none: a connection of keep()
    pid_t peer = 0;       // accepted: the process; 0: cannot be seen
    bool asks = false;    // it has no answer yet
    bool rings = false;   // it belongs to the ring handler
  };

  AddressShare() = default;
  std::expected<void, Error> join_all(const AddressPlan& plan);
  std::expected<void, Error> claim_slot();
  void accept_from(share::Group& group);
  bool is_too_many(pid_t peer) const;
  // Accepts a connection although no descriptor is left, and closes it. False: there was none, or it
  // failed.
  bool turn_away(int listener);
  // Reads one message, or accepts waiting connections. True if a process asks for this process's sockets.
  bool handle_ready(int fd);
  bool handle_message(Connection& connection, share::Message& message);

  std::vector<std::unique_ptr<share::Group>> groups_;  // by name
  std::vector<Connection> connections_;
  std::vector<int> own_;
  std::vector<int> management_;
  std::vector<std::string> prefixes_;
  UniqueFd epoll_;
  UniqueFd spare_;  // its number is for turn_away()
  uint64_t refused_connections_ = 0;
  share::RingHandler* ring_handler_ = nullptr;
  uint32_t slot_ = 0;
};

}  // namespace uroce::net
