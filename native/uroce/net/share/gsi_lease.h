// The lease to receive the management datagrams of an address, held by one of the processes that share it.
// The holder listens on an abstract name; every other process keeps a connection to it. The kernel ends the
// connection when the holder ends, however it dies. The first to notice takes the name, and the rest
// connect to the new holder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "uroce/net/host/unique_fd.h"

namespace uroce::net {

class GsiLease {
 public:
  explicit GsiLease(std::string name) : name_(std::move(name)) {}

  // Takes the lease if it is free, else connects to its holder. When
  // there are no descriptors left, held() is false and fd() is negative.
  void contend();

  bool held() const { return static_cast<bool>(listener_); }
  // Readable when serve() has something to do. Changes with contend().
  int fd() const { return listener_ ? listener_.get() : holder_.get(); }
  // fd(), or the connection of a process that waits for the lease.
  bool owns(int fd) const;
  enum class Served : uint8_t {
    done,
    holder_gone,    // no connection to the holder (any more): call contend()
    no_descriptor,  // none is left for a process that connects, and fd() stays readable: retry later
  };
  // Calls `joined` with each new connection of a process that waits for the lease. The connection is readable once that
  // process is gone, and the next serve() closes it. Never blocks.
  Served serve(const std::function<void(int fd)>& joined);

 private:
  std::string name_;
  UniqueFd listener_;                 // ours, when we hold the lease
  std::vector<UniqueFd> contenders_;  // their connections
  UniqueFd holder_;                   // our connection to the holder
};

}  // namespace uroce::net
