// A wrapper around a Port that loses, doubles, swaps, delays, damages and marks packets on their way out:
// at random, by seeded rates, or by rules ("the second time that PSN 17 of QP 0x12 passes"). In the path
// only while there are rates or rules.
//
// Rules are tried in order; the first that matches decides. A packet that no rule matches is exposed to the
// rates, each drawn on its own. Surviving packets pass a longer and slower link, if one is set. A delayed
// or reordered packet is copied.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "uroce/ext/uroce.h"
#include "uroce/net/port/port.h"
#include "uroce/random.h"
#include "uroce/transport/packet_sink.h"

namespace uroce::net {

class FaultPort final : public Port {
 public:
  // rates and rules as checked by validate().
  FaultPort(Port& below, const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n,
            uint64_t seed, const uroce_shaping* shaping = nullptr);

  // 0, EINVAL or E2BIG.
  static int validate(const uroce_fault_rates* rates, const uroce_fault_rule* rules, uint32_t n,
                      const uroce_shaping* shaping = nullptr);

  uint32_t room() override;
  uint32_t room_to(const Path& path, uint32_t dest_qpn) override;
  bool room_returned() override;
  bool made_progress(const Path& path, uint32_t dest_qpn, uint64_t* position) override {
    return below_.made_progress(path, dest_qpn, position);
  }
  bool admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) override {
    return below_.admit(path, dest_qpn, bytes) && !waits(path, dest_qpn);
  }
  bool emit(const transport::TxPacket& packet) override;
  bool emit_marked(const transport::TxPacket& packet, const Mark& mark) override {
    return below_.emit_marked(packet, mark);
  }
  void flush() override;
  bool blocked() const override { return below_.blocked(); }
  bool waiting() const override { return below_.waiting() || !ready_.empty(); }
  uint32_t receive(PacketHandler& handler, uint32_t max) override { return below_.receive(handler, max); }
  void on_time(uint64_t now) override;
  uint64_t next_wake() const override;

  // Sends all delayed packets at once. False if there is no room for some: they are still here.
  bool release_all();
  // True if no packet waits here.
  bool empty() const { return queued() == 0 && swapped_.empty(); }
  // Calls f(path) for each packet that waits here.
  template <class F>
  void for_each_path(F&& f) const {
    for (const auto* queue : {&delayed_, &ready_, &swapped_}) {
      for (const Held& held : *queue) f(held.path);
    }
  }
  // Sends the packets that wait in `other` first; its faults are over.
  void adopt_held(FaultPort& other);
  const uroce_fault_report& report() const { return report_; }
  // Packets marked as congested.
  uint64_t marked() const { return marked_; }

 private:
  struct Rule {
    uroce_fault_rule rule;
    uint32_t seen = 0;  // packets that matched everything but iter
    uint32_t acted = 0;
  };
  struct Held {
    uint64_t due;
    Mark mark;
    transport::TxPacket packet;  // its pointers are set when it leaves
    Path path;
    std::vector<uint8_t> header;
    std::vector<uint8_t> payload;
  };

  const uroce_fault_rule* match(const transport::TxPacket& packet);
  bool draw(uint32_t ppm) { return ppm != 0 && random_.below(1'000'000) < ppm; }
  // pass(), hold() and drop() return false, and copy() nothing, if the memory of the payload is gone.
  bool pass(const transport::TxPacket& packet, const Mark& mark, uint32_t delay_us);
  static std::optional<Held> copy(const transport::TxPacket& packet, const Mark& mark, uint64_t due);
  bool hold(const transport::TxPacket& packet, uint64_t due, const Mark& mark);
  bool drop(const transport::TxPacket& packet, const Mark& mark);
  bool is_full() const { return queued() >= shaping_.limit; }
  std::size_t queued() const { return delayed_.size() + ready_.size(); }
  // True if packets to that queue pair are in ready_: none may overtake them.
  bool waits(const Path& path, uint32_t dest_qpn) const;
  // True if there is room below for a packet of that many bytes (UDP payload), or it is to be lost there.
  bool has_room(const Path& path, uint32_t dest_qpn, uint32_t bytes);
  void release(const Held& held);
  bool release_ready();
  void release_swapped();

  Port& below_;
  uroce_fault_rates rates_{};
  uroce_shaping shaping_{};
  uint64_t free_at_ = 0;  // when the slower link has sent its packets
  std::vector<Rule> rules_;
  SeededRandom random_;
  std::deque<Held> delayed_;  // by due time
  std::deque<Held> ready_;    // may leave, waiting for room below
  std::deque<Held> swapped_;  // waiting for the next packet to pass; one at most
  uroce_fault_report report_{};
  uint64_t marked_ = 0;
};

}  // namespace uroce::net
