// Two engines with one connected QP each and a network between them: the small driver of the scripted
// simulations. No randomness but the network's.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "network.h"
#include "violation.h"

namespace uroce::sim {

struct DuoSetup {
  std::array<Faults, 2> faults;
  LinkShape link;
  transport::EngineConfig engine;
  uint64_t seed = 1;
  uint16_t mtu = 1024;
  uint32_t depth = 64;
  uint8_t timeout = 8;
  uint8_t retry_cnt = 7;
  uint8_t rnr_retry = 7;
  uint8_t min_rnr_timer = 1;
  uint32_t memory = 1 << 20;  // bytes at each end
  uint32_t mark_above = 0;    // bytes that wait for the link of a packet that is marked; 0: none is
  // Engines are asked for one packet when their link is free, as a NIC does; else for all that they have.
  bool when_link_is_free = false;
};

class Duo {
 public:
  static constexpr uint64_t kIova = 0x5000'0000'0000;
  struct End final : public transport::PacketSink, public transport::EventSink {
    End(const DuoSetup& setup, int number, Network& net);
    uint32_t room() override {
      if (!when_link_is_free) return 1024;
      return network.departed(index) <= *now ? 1 : 0;
    }
    bool emit(const transport::TxPacket& packet) override;
    void qp_event(transport::Qp&, EventType) override { ++events; }
    void cq_error(transport::Cq&) override { throw Violation("a CQ overrun"); }
    void completion_event(transport::Cq&) override {}
    // Bytes that waited for the link before a packet of data, on average.
    double mean_queue() const { return static_cast<double>(queued) / static_cast<double>(data_packets); }
    // A list of one piece of this end's memory.
    transport::Sge sge(uint64_t offset, uint32_t length) const { return {kIova + offset, length, key}; }

    int index;
    Network& network;
    const uint64_t* now = nullptr;
    SeededRandom random;
    transport::Engine engine;
    std::vector<uint8_t> memory;
    transport::Cq* cq;
    transport::Qp* qp;
    uint32_t key;
    uint32_t events = 0;
    LinkShape link;
    uint32_t mark_above;
    bool when_link_is_free;
    std::function<void(int, const transport::TxPacket&, uint64_t)> sent;
    uint64_t queued = 0, data_packets = 0;
    Gid address;
    std::vector<transport::Completion> done;
  };

  explicit Duo(const DuoSetup& setup);
  End& end(int i) { return *ends_[i]; }
  Network& network() { return network_; }
  uint64_t now() const { return now_; }
  // Called with the direction, the packet and the time at which it begins to leave.
  void on_sent(std::function<void(int, const transport::TxPacket&, uint64_t)> f) {
    for (auto& end : ends_) end->sent = f;
  }
  // Sends what is ready, then goes on to the next thing that happens and lets it happen. False if nothing
  // will.
  bool step();
  // Until nothing moves any more.
  void run() {
    while (step()) {
    }
  }

 private:
  static constexpr uint16_t kPort = 0xc001;
  void connect(int i);

  DuoSetup setup_;
  Network network_;
  std::unique_ptr<End> ends_[2];
  uint64_t now_ = 1'000'000;
};

}  // namespace uroce::sim
