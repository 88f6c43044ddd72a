// Group: one address and the sockets of all processes on it, the SO_REUSEPORT group, mirrored.
//
// The kernel numbers the sockets of a group in the order of bind() and renumbers them when one is closed.
// So no socket is closed while any process lives: every process holds a duplicate of every socket of the
// group. A process that dies leaves its socket held by the others; the numbers stay, and the next process
// to join takes the slot over.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "uroce/net/host/address.h"
#include "uroce/net/host/unique_fd.h"
#include "uroce/net/share/user_key.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net::share {

struct Message;

// Prefix of the abstract names of the processes on an address; their slots follow.
std::string name_prefix(const Gid& address, uint32_t scope_id);

class Group {
 public:
  Group(const LocalAddress& local, const UdpFeatures& features);

  const LocalAddress& local() const { return local_; }
  const std::string& key() const { return prefix_; }
  int socket(uint32_t slot) const { return sockets_[slot].get(); }
  // Like socket(), but -1 for an unknown slot.
  int find_socket(uint32_t slot) const { return slot < sockets_.size() ? sockets_[slot].get() : -1; }
  int listener() const { return listener_.get(); }

  // Asks every live process for its sockets and merges the replies. A process that does not answer (stopped
  // in a debugger) still gets this process's socket later.
  void fetch(const Timeouts& timeouts);

  // Takes the name of the slot: 0, EADDRINUSE, or another errno.
  int claim(uint32_t slot);
  void disclaim() { listener_.reset(); }

  // Makes sure that the socket of `slot` exists and has that place in the kernel's group. Returns 0;
  // EAGAIN with *at_least set when the kernel's group already is longer (try again with a slot not below it);
  // or errno.
  int ensure_socket(uint32_t slot, uint32_t* at_least);
  // Gives the sockets that ensure_socket() made to every live process.
  void announce();

  // Adds the sockets of a message, other than "fetch", from a connection to the listener. False ends the
  // connection.
  bool add_sockets(Message* message);
  // Answers "fetch": sends all known sockets.
  void send_sockets(int connection);

  // The error of a failed claim() or ensure_socket().
  Error explain(int error) const;

 private:
  std::string name(uint32_t slot) const { return prefix_ + std::to_string(slot); }
  bool has_place(int fd, uint32_t slot) const;
  bool add_socket(uint32_t slot, UniqueFd fd);

  LocalAddress local_;
  UdpFeatures features_;
  std::string prefix_;
  UniqueFd listener_;
  std::vector<UniqueFd> sockets_;  // by slot; empty for an unknown slot
  std::vector<UniqueFd> peers_;    // connections, while joining
  std::vector<uint32_t> created_;  // places that ensure_socket() filled
};

}  // namespace uroce::net::share
