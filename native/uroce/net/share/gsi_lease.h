// Which process takes in the management datagrams of an address: one of those that share it, held by the
// kernel. The holder listens on an abstract name; every other process keeps a connection to it, which ends
// when the holder does, however it dies. The first to notice takes the name, and the rest connect to the
// new holder.
#pragma once

#include <string>
#include <vector>

#include "uroce/net/host/unique_fd.h"

namespace uroce::net {

class GsiLease {
 public:
  explicit GsiLease(std::string name) : name_(std::move(name)) {}

  // Takes the lease if it is free, else connects to its holder. Skips a name that another user keeps. When
  // there are no descriptors left, held() is false and fd() is negative.
  void contend();

  bool held() const { return static_cast<bool>(listener_); }
  // Readable when serve() has something to do. Changes with contend().
  int fd() const { return listener_ ? listener_.get() : holder_.get(); }
  // Never blocks. True when the holder has gone: contend() then.
  bool serve();

 private:
  std::string name_;
  UniqueFd listener_;                 // ours, when we hold the lease
  std::vector<UniqueFd> contenders_;  // their connections
  UniqueFd holder_;                   // our connection to the holder
};

}  // namespace uroce::net
