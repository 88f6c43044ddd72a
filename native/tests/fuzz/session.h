// An end of a fuzzed session: an engine with a few queue pairs, its memory, and a ledger of posts that
// every completion is compared with.
#pragma once

#include <array>
#include <deque>

#include "harness.h"

namespace uroce::fuzz {

inline constexpr uint32_t kQps = 4;
inline constexpr QpType kTypes[kQps] = {QpType::rc, QpType::rc, QpType::uc, QpType::ud};
inline constexpr uint32_t kDepth = 16;
inline constexpr uint32_t kRegion = 8192;
inline constexpr uint64_t kIova = 0x10000;

class Node {
 public:
  // lazy: completions are polled only when the input says so, from a small CQ that may overrun.
  Node(uint8_t number, const transport::EngineConfig& config, bool lazy);
  transport::Engine& engine() { return engine_; }
  transport::Qp& qp(uint32_t i) { return *slots_[i].qp; }
  const Gid& gid() const { return gid_; }

  void connect(uint32_t i, Node& peer, uint32_t j, uint8_t how, uint64_t now);
  void recreate(uint32_t i);
  // Puts the QP into RESET, and chooses its policy if it is an RC QP.
  void choose(uint32_t i, const transport::QpPolicy& policy, uint64_t now);
  void post_send(Input& in, uint32_t i, Node& peer, uint64_t now);
  void post_recv(Input& in, uint32_t i);
  void modify(Input& in, uint32_t i, uint64_t now);
  void change_state(uint32_t i, QpState to, uint64_t now);
  // Registers the region that comes and goes, or takes it away.
  void flip_region();
  void change_region(Input& in);
  void resize_cq(uint32_t capacity);
  void arm(bool solicited);
  void poll(uint32_t limit);
  // Takes completions unless lazy, and compares each QP with its ledger.
  void settle();
  // Emits into `wire`, at most `room` packets.
  bool transmit(uint64_t now, std::deque<Sink::Bytes>& wire, uint32_t room, uint32_t flags);
  void receive(uint64_t now, const Sink::Bytes& packet, const Gid& from);
  void check_memory() { arena_.check(); }
  void destroy();
  bool lazy() const { return lazy_; }

 private:
  struct Region {
    uint32_t offset = 0;
    uint32_t key = 0;
  };
  struct Posted {
    uint64_t id;
    uint32_t length;
    bool signaled;
  };
  struct Slot {
    transport::Qp* qp = nullptr;
    std::deque<Posted> sends, recvs;  // posted and maybe not done
  };

  void create(uint32_t i);
  void forget(uint32_t i);
  Region region(uint32_t access);
  uint32_t key(uint8_t which, bool sends) const;
  uint32_t window_key(uint8_t which) const;
  void completed(Slot& slot, const transport::Completion& wc);

  Gid gid_;
  SeededRandom random_;
  Events events_;
  transport::Engine engine_;
  Arena arena_;
  Sink sink_;
  bool lazy_;
  bool lost_ = false;  // a CQ overran: completions may be missing
  bool armed_ = false;
  uint32_t pd_;
  Region open_, readable_, local_, source_, passing_;
  bool registered_ = false;
  std::array<uint32_t, 2> windows_{};  // a memory window of each type
  transport::Cq* cq_;
  std::array<Slot, kQps> slots_;
  uint64_t next_id_ = 0;
};

}  // namespace uroce::fuzz
