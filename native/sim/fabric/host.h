// A host: the transport engine, a NIC that takes packets from it one at a time, and the receive side of its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/packet.h"
#include "sim/core/random.h"
#include "uroce/transport/engine.h"

namespace vlsim {

class Fabric;
struct Port;

struct HostSettings {
  Time latency = 500 * kNs;     // PCIe and the NIC's pipeline, each way
  Rate receive = {0};           // at which the memory takes packets; 0: as they come
  uint64_t buffer = 2'000'000;  // bytes of the NIC for received packets
  uint64_t xoff = 1'000'000;    // bytes in it at which the switch is paused
  uint64_t xon = 936'000;
  uint8_t data_class = 3;
  uint8_t ack_class = 3;
  uint8_t cnp_class = 6;
  uint8_t hops = 64;  // TTL of its packets: switches that each may pass
  bool obeys_pause = true;
  bool sends_pause = true;
};

// ::ffff:10.x.y.z of the host's number.
uroce::Gid host_address(uint32_t host);

// What a connection is made with.
struct ConnectionSettings {
  uint32_t mtu = 4096;
  uint8_t timeout = 14;
  uint8_t retries = 7;
  uint32_t depth = 4;     // work requests
  uint32_t receives = 0;  // posted receives, for messages that notify their receiver
  uint8_t reads = 0;      // READs outstanding
};

class Host final : public uroce::transport::PacketSink, public uroce::transport::EventSink {
 public:
  Host(Fabric& fabric, uint32_t index, const HostSettings& settings,
       const uroce::transport::EngineConfig& config, uint64_t seed);

  // A packet has come from the link.
  void arrive(Time now, uint32_t packet);
  // The memory has taken a packet of the receive buffer.
  void received(Time now, uint32_t packet);
  void on_time(Time now);
  // Puts the engine's next packet into the queues of the port. False if it has none.
  bool pull(Time now);
  // Something was posted or changed: sends what the engine has.
  void kick(Time now);

  uroce::transport::Qp* create(const ConnectionSettings& settings);
  static bool connect(Host& a, uroce::transport::Qp& qp, Host& b, uroce::transport::Qp& peer,
                      const ConnectionSettings& settings, uint16_t entropy, Time now);
  // 0 or errno. Messages read and write memory that is not there: only its length counts. offset: in the memory of both
  // ends.
  int post(uroce::transport::Qp& qp, uroce::WrOpcode opcode, uint64_t id, uint32_t bytes, uint32_t immediate,
           const Host& peer, Time now, uint32_t offset = 0);
  void post_receive(uroce::transport::Qp& qp, uint64_t id);

  uroce::transport::Engine& engine() { return engine_; }
  const uroce::transport::Engine& engine() const { return engine_; }
  HostSettings& settings() { return settings_; }
  const HostSettings& settings() const { return settings_; }
  uint32_t index() const { return index_; }
  uint8_t* memory();
  bool wants_to_send() const { return wants_to_send_; }
  uint64_t payload_received() const { return payload_received_; }
  uint64_t raw_received() const { return raw_received_; }
  uint64_t most_buffered() const { return most_buffered_; }
  uint64_t failed_qps() const { return failed_qps_; }

  uint32_t room() override;
  bool emit(const uroce::transport::TxPacket& packet) override;
  void qp_event(uroce::transport::Qp&, uroce::EventType) override { ++failed_qps_; }
  void cq_error(uroce::transport::Cq&) override { ++failed_qps_; }
  void completion_event(uroce::transport::Cq&) override {}

  static constexpr uint64_t kIova = 0x5000'0000'0000;
  static constexpr uint32_t kMemory = 1 << 30;      // bytes, of which none exist; the longest message
  static constexpr uint32_t kRealMemory = 1 << 20;  // where payload is carried

 private:
  void deliver(Time now, uint32_t packet);
  void poll(Time now);
  void schedule_wake(Time now);
  void update_pause(Time now);

  Fabric& fabric_;
  const uint32_t index_;
  HostSettings settings_;
  SeededRandom random_;
  uroce::transport::Engine engine_;
  uroce::Gid address_;
  std::unique_ptr<uint8_t[]> own_memory_;
  uint32_t pd_;
  uint32_t key_;
  uroce::transport::Cq* cq_;
  uint32_t defer_acks_;  // a flag of transmit()
  Time now_ = 0;
  uint64_t wake_ns_ = UINT64_MAX;  // time of the next event `wake`
  Time memory_free_at_ = 0;
  uint64_t buffered_ = 0, most_buffered_ = 0;  // bytes in the NIC's receive buffer
  uint64_t payload_received_ = 0, raw_received_ = 0, failed_qps_ = 0;
  bool wants_to_send_ = false;
  bool polling_ = false;
  bool only_acks_ = false;
};

}  // namespace vlsim
