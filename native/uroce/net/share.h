// Sharing an address between processes, with no daemon and no root.
//
// Joining: take the join lock (user_key.h); fetch the sockets that exist from those who live; claim the
// lowest slot whose name is free on every address; make sure that a socket stands in that place; give it to
// the others. kill -9 at any moment leaves at worst a socket that nobody owns (taken over by the next one to
// join) or one that few hold (found by the probe of its place).
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "uroce/net/address.h"
#include "uroce/net/share_group.h"

namespace uroce {

class AddressShare {
 public:
  // EADDRINUSE (the port is not to be had), EBUSY (somebody else has been joining for too long),
  // EADDRNOTAVAIL, or what the sockets gave.
  static std::expected<std::unique_ptr<AddressShare>, Problem> join(const AddressPlan& plan,
                                                                    const UdpFeatures& features);
  ~AddressShare() = default;
  AddressShare(const AddressShare&) = delete;
  AddressShare& operator=(const AddressShare&) = delete;

  uint32_t slot() const { return slot_; }
  // Our own socket on the address with this GID index; -1 for an empty place of the table.
  int socket(std::size_t gid_index) const { return own_[gid_index]; }

  // Socket 0 of that address, where management requests arrive: every process holds it, the one with the
  // lease (gsi_lease.h) reads it. -1 for an empty place, or where nobody could hand it over.
  int management_socket(std::size_t gid_index) const { return management_[gid_index]; }
  // What abstract names of that address begin with.
  const std::string& name_prefix(std::size_t gid_index) const { return prefixes_[gid_index]; }
  // The socket of the process in that slot of one of our addresses; -1 if the address is not ours or the slot
  // not known. Not while another thread is in serve().
  int peer_socket(const Gid& address, uint32_t slot) const;

  // Readable when serve() has something to do. serve() never blocks; one thread at a time.
  int fd() const { return epoll_.get(); }
  void serve();

 private:
  struct Connection {
    UniqueFd fd;
    share::Group* group;
    bool asks;  // and has not been answered
  };

  AddressShare() = default;
  std::expected<void, Problem> join_all(const AddressPlan& plan);
  std::expected<void, Problem> settle_all();
  void accept_from(share::Group& group);
  // One message, or what waits on a listener. True if somebody asks for our sockets.
  bool take_in(int fd);

  std::vector<std::unique_ptr<share::Group>> groups_;  // by name
  std::vector<Connection> connections_;
  std::vector<int> own_;
  std::vector<int> management_;
  std::vector<std::string> prefixes_;
  UniqueFd epoll_;
  uint32_t slot_ = 0;
};

}  // namespace uroce
