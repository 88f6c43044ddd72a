// Traffic of a simulated network and its causes, in the form of captures at its three places.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "network.h"

namespace uroce::sim {

// Reasons why a requester went back.
enum class Cause : uint8_t { nak, read, timeout, rnr };

class Recorder {
 public:
  // A separate seed: the random numbers of the simulation are the same without the recorder.
  Recorder(uint64_t seed, uint64_t delay_ns) : random_(seed), delay_ns_(delay_ns) {}

  void went_back(int node, uint32_t qpn, Cause cause);
  // Announces the queue pair of the next packet; again: a request that was sent before.
  void next(int node, uint32_t qpn, bool again);
  void leaves(uint64_t time, int direction, const transport::TxPacket& packet);
  // The packet that left last arrives at the other node at this time. Called twice if the network makes a
  // copy; not at all if it is lost.
  void arrives(uint64_t time, const Frame& frame);

  // A line of JSON, and behind it all packets from IPv4 on, one after the other. In the line:
  //   sent     [node, payload, why it was sent, whether the requester went back right before, index of the packet]
  //   passed   [place, time in ns, index in sent, index of the packet], in the order of time. Places: 0 is node 0, 1 in the
  //            middle, 2 is node 1. A packet that is not the one sent was damaged.
  //   lengths  of the packets
  void write(std::FILE* to, uint64_t seed, const std::string& description);

 private:
  struct Arrival {
    uint64_t time;
    size_t packet;
  };
  struct Sent {
    int node;
    uint32_t payload;
    const char* why;
    bool head;
    uint64_t time;
    size_t packet;
    std::vector<Arrival> arrivals;
  };
  struct Passed {
    int place;
    uint64_t time;
    size_t sent;
    size_t packet;
  };
  struct Resend {
    Cause cause;
    bool head;
  };
  size_t keep(const Frame& frame);
  bool half() { return random_.below(2) == 0; }
  std::vector<Passed> passed();

  SeededRandom random_;
  uint64_t delay_ns_;
  std::unordered_map<uint64_t, Resend> resends_;  // by a node's queue pair
  const char* why_ = "new";
  bool head_ = false;
  std::vector<Sent> sent_;
  std::vector<std::vector<uint8_t>> packets_;
};

}  // namespace uroce::sim
