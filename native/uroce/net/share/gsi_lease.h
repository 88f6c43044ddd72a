// Which process takes in the management datagrams of an address: one of those that share it, held by the
// kernel. The holder listens on an abstract name; every other process keeps a connection to it, which ends
// when the holder does, however it dies. The first to notice takes the name, and the rest connect to the
// new holder.
#pragma once

#include <cstdint>
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
  enum class Served : uint8_t {
    done,
    holder_gone,    // or there is no connection to it: contend() then
    no_descriptor,  // none is left for a process that has connected, and fd() stays readable: ask again later
  };
  // Never blocks.
  Served serve();

 private:
  std::string name_;
  UniqueFd listener_;                 // ours, when we hold the lease
  std::vector<UniqueFd> contenders_;  // their connections
  UniqueFd holder_;                   // our connection to the holder
};

}  // namespace uroce::net
