// A node of the simulation of UC and UD: its engine, queue pairs, memory, and a ledger of messages sent to
// it.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "memory.h"
#include "network.h"
#include "uroce/transport/engine.h"

namespace uroce::sim {

struct UnreliableShape {
  std::array<Faults, 2> faults;
  LinkShape link;
  uint16_t mtu = 1024;
  uint32_t connections = 1;  // UC
  uint32_t datagram_qps = 1;
  uint32_t max_size = 1 << 14;  // bytes of a UC message
  uint32_t depth = 8;
  uint32_t recv_depth = 4;
  uint32_t recv_delay_ns = 1;  // until a receive is posted again
  uint32_t refuse = 0;         // refusals of admit() per 10,000 packets
  bool ipv6 = false;
  bool faultless = false;  // then everything arrives: no more is sent than there are receives
};

class UnreliableEnd final : public transport::PacketSink, public transport::EventSink {
 public:
  UnreliableEnd(int index, const UnreliableShape& shape, uint64_t seed, Network& network);
  void connect(UnreliableEnd& peer);
  static Gid group(bool ipv6);

  void post_sends(uint64_t now);
  void post_recvs(uint64_t now);
  uint64_t next_recv_time() const;
  bool can_post() const;
  void transmit(uint64_t now);
  // Handles a frame of the network.
  void receive(uint64_t now, const Frame& frame);
  void check_memory();
  // With nothing in flight: in a faultless network everything has arrived.
  void check_all_came();

  transport::Engine& engine() { return engine_; }
  uint64_t messages() const { return messages_; }
  uint64_t received() const { return received_; }
  uint64_t refused() const { return refused_; }

 private:
  static constexpr uint32_t kInline = 64, kPieces = 3, kQkey = 0x1badcafe, kGrh = 40;
  static constexpr uint32_t kNumber = 4;  // bytes of a message that hold its number
  static constexpr uint16_t kPort = 0xc123;

  static uint64_t place_of(uint32_t qpn, uint32_t psn) { return uint64_t{qpn} << 24 | psn; }

  // A message sent to a QP, by its number.
  struct Sent {
    uint32_t len;
    uint32_t imm;
    uint32_t src_qp;
    bool has_imm;
    bool deliverable;  // false: a wrong key, or no right to it
    bool write;
    uint64_t window_at;   // destination of a WRITE
    uint32_t copies = 0;  // copies of its last packet, received
    uint32_t taken = 0;   // times received
  };
  struct Region {
    uint32_t at = 0, size = 0, key = 0;
  };
  struct Posted {
    uint64_t id;
    bool signaled;
  };
  struct Slot {
    transport::Qp* qp = nullptr;
    bool datagram = false;
    bool attached = false;
    uint32_t slot_size = 0;  // bytes of a receive, and of a WRITE's place in the window
    Region source, recv, window;
    uint32_t peer_qpn = 0;           // UC
    std::deque<Posted> outstanding;  // sends, in order
    std::deque<uint32_t> leaving;    // numbers of messages whose last packet has not left
    std::deque<uint32_t> posted;     // places of the receives posted
    std::vector<uint32_t> lengths;   // bytes of the receive in each place
    std::vector<uint64_t> due;       // when the receive in a place is posted again; kNever: it is
    std::map<uint32_t, Sent> inbox;  // by message number
    uint64_t posts = 0;
    uint64_t backlog = 0;  // sent to this QP and not yet received; faultless only
  };

  uint32_t room() override { return 64; }
  bool admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) override;
  bool emit(const transport::TxPacket& packet) override;
  void qp_event(transport::Qp&, EventType) override { throw Violation("a QP failed"); }
  void cq_error(transport::Cq&) override { throw Violation("a CQ overrun"); }
  void completion_event(transport::Cq&) override {}

  Region reserve(uint32_t size) { return {memory_.reserve(size), size, 0}; }
  void make(Slot& slot, QpType type);
  void post_one(Slot& slot, uint64_t now);
  bool aim_connected(Slot& slot, transport::SendWr& wr, const Sent& sent);
  bool aim_datagram(transport::SendWr& wr, const Sent& sent, transport::UdDestination& to, Path& path);
  void expect(Slot& slot, const Sent& sent);
  void poll(uint64_t now);
  void received(Slot& slot, uint64_t now, const transport::Completion& wc);
  void note_arrival(const uint8_t* bytes, uint32_t len);
  Slot* slot_of(uint32_t qpn);
  uint32_t random_size(uint32_t max);
  static void write_body(uint8_t* to, uint32_t number, uint32_t len);

  int index_;
  UnreliableShape shape_;
  SeededRandom random_;
  Network& network_;
  transport::Engine engine_;
  UnreliableEnd* peer_ = nullptr;
  Gid address_;
  uint32_t pd_;
  transport::Cq* cq_;
  Memory memory_;
  std::vector<Slot> slots_;
  // Message of a packet that ends one: by sending QP and PSN. Kept by the receiver.
  std::map<uint64_t, uint32_t> ends_;
  uint64_t now_ = 0;
  uint32_t next_number_ = 1;
  uint64_t messages_ = 0, received_ = 0, refused_ = 0;
};

}  // namespace uroce::sim
