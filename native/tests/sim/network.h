// A network in virtual time between two engines: real RoCEv2 packets with a real ICRC, carried with seeded
// faults. A packet may be dropped, duplicated, delayed, overtaken or damaged; damage is left to the
// receiver's ICRC check to find.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "uroce/transport/engine.h"

namespace uroce::sim {

// Rates of faults per 10,000 packets. Whole numbers: the same on every machine.
struct Faults {
  uint32_t drop = 0;
  uint32_t drop_every = 0;  // each so many-th packet, in any case; 0: none
  uint32_t duplicate = 0;
  uint32_t reorder = 0;  // held back by up to 8 times the base delay, so that others overtake it
  uint32_t delay = 0;    // later packets wait as well: a pause of the link
  uint32_t corrupt = 0;  // bits flipped anywhere from BTH to ICRC, or the end cut off
};

struct LinkShape {
  uint64_t delay_ns = 5'000;  // propagation
  uint32_t ps_per_byte = 0;   // 800 is 10 Gb/s; 0: no serialization delay
};

// Bytes on the link besides the UDP payload: Ethernet with preamble, gap and FCS, IPv4, UDP.
inline constexpr uint32_t kFraming = 38 + 20 + 8;

// UDP payload of one packet: BTH to ICRC.
struct Frame {
  uint32_t len;
  bool damaged;         // in a part that the ICRC covers
  bool marked = false;  // as congested
  std::array<uint8_t, 4096 + 64 + 8> bytes;
};

class Recorder;

class Network {
 public:
  // Direction 0 is from node 0 to node 1; each has separate faults.
  Network(uint64_t seed, const std::array<Faults, 2>& faults, const LinkShape& shape)
      : random_(seed), faults_(faults), shape_(shape) {}

  // Reports every packet to the recorder from now on.
  void record(Recorder& recorder) { recorder_ = &recorder; }
  Recorder* recorder() const { return recorder_; }

  // marked: a switch on the way marks it as congested.
  void send(uint64_t now, int direction, const transport::TxPacket& packet, bool marked = false);
  uint64_t next_arrival() const { return queue_.empty() ? kNever : queue_.top().time; }
  // Takes out a packet that has arrived by now: the frame and its direction, or nullptr. Valid until the
  // next call.
  const Frame* receive(uint64_t now, int* direction);
  // Time when the last packet sent in this direction has left the sender.
  uint64_t departed(int direction) const { return link_free_[direction]; }

  uint64_t sent() const { return sent_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t duplicated() const { return duplicated_; }
  uint64_t damaged() const { return damaged_; }

 private:
  struct Arrival {
    uint64_t time, order;
    uint32_t frame;
    int direction;
    bool operator<(const Arrival& o) const { return time != o.time ? time > o.time : order > o.order; }
  };
  bool chance(uint32_t rate) { return rate != 0 && random_.below(10'000) < rate; }
  uint32_t allocate();
  void schedule(uint64_t time, int direction, uint32_t frame);
  void damage(Frame& frame);

  SeededRandom random_;
  std::array<Faults, 2> faults_;
  LinkShape shape_;
  std::priority_queue<Arrival> queue_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<uint32_t> free_;
  uint64_t order_ = 0, sent_ = 0, dropped_ = 0, duplicated_ = 0, damaged_ = 0;
  uint64_t link_free_[2] = {0, 0};
  uint64_t passed_[2] = {0, 0};  // packets of each direction
  uint32_t last_ = UINT32_MAX;
  Recorder* recorder_ = nullptr;
};

// Addresses of the two nodes: IPv4-mapped 10.0.0.1 and 10.0.0.2, or fd00::1 and fd00::2.
Gid node_address(int node, bool ipv6);

// Builds the frame of a packet, ICRC included.
void encode(const transport::TxPacket& packet, Frame& frame);
// True if the ICRC of a frame from src to dst with this UDP source port is right.
bool icrc_right(const Frame& frame, const Gid& src, const Gid& dst, uint16_t src_port);

}  // namespace uroce::sim
