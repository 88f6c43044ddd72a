// Common parts of the loops over verbs: memory layout, posting, polling, waiting for events. Internal to
// bench/.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "bench/rdma_loop.h"

namespace vlbench {

// wr_id: the QP's place in the list, and the request's number on that QP.
inline constexpr int kWrSeqBits = 48;
constexpr uint64_t wr_id_of(size_t lane, uint64_t seq) noexcept {
  return (static_cast<uint64_t>(lane) << kWrSeqBits) | (seq & ((uint64_t{1} << kWrSeqBits) - 1));
}
constexpr size_t lane_of(uint64_t wr_id) noexcept { return static_cast<size_t>(wr_id >> kWrSeqBits); }
constexpr uint64_t seq_of(uint64_t wr_id) noexcept { return wr_id & ((uint64_t{1} << kWrSeqBits) - 1); }

// Messages take turns in small slots of the buffer, so that neighbors do not share a cache line, and a slot
// does not always stay in the same cache line; messages of a page and more all use the same slot. perftest
// does the same.
struct Slots {
  uint64_t stride = 64;
  uint32_t count = 1;
};
// `walk`: goes through all of the room instead, for any size.
Slots slots_for(uint64_t size, uint64_t room, bool walk) noexcept;

const char* opcode_name(RdmaOp op) noexcept;
ibv_wr_opcode wr_opcode(RdmaOp op) noexcept;
inline bool is_atomic(RdmaOp op) noexcept { return op == RdmaOp::kFetchAdd || op == RdmaOp::kCompareSwap; }
inline bool takes_recv(RdmaOp op) noexcept { return op == RdmaOp::kSend || op == RdmaOp::kWriteImm; }

// The parts of local and remote memory that one QP's requests use.
struct LaneMemory {
  uint64_t local = 0;
  uint64_t local_room = 0;
  uint64_t remote = 0;
  uint64_t remote_room = 0;
};
// Even shares of the whole; `half` 0 or 1 of each share for ping-pongs (0 sends, 1 receives), -1 for all of
// it.
LaneMemory lane_memory(const RdmaOptions& options, size_t index, int half);

// Messages that a QP or a thread is to send: an even share of all. UINT64_MAX if no number is given.
uint64_t lane_goal(const RdmaOptions& options, size_t index) noexcept;

// Sending side of a QP, or of one of the threads that share it: prepared work requests, and their progress.
class SendLane {
 public:
  // `goal`: requests to post in all.
  SendLane(size_t index, const RdmaOptions& options, uint64_t goal, const LaneMemory& memory);

  const RdmaQp& target() const noexcept { return qp_; }
  uint64_t posted() const noexcept { return posted_; }
  uint64_t completed() const noexcept { return completed_; }
  uint64_t outstanding() const noexcept { return posted_ - completed_; }
  bool at_goal() const noexcept { return posted_ >= goal_; }
  // True if requests were posted after the last signaled one: no completion will announce them.
  bool unannounced() const noexcept { return posted_ > signaled_end_; }
  // Requests that may be posted now: a whole list, or the rest of the goal.
  uint32_t postable() const noexcept;

  // Posts `n` requests with one ibv_post_send; `announce` signals the last one. Throws.
  void post(uint32_t n, bool announce = false);
  // Handles a completion: returns the number of requests that it completes, and the latency of the signaled
  // one.
  uint64_t complete(uint64_t seq, uint64_t now, uint64_t& latency) noexcept;
  // Posted requests that ask for a completion.
  uint64_t signaled() const noexcept { return signaled_; }
  // Highest number of requests that were outstanding at the same time.
  uint64_t most_outstanding() const noexcept { return most_outstanding_; }

  ibv_send_wr& request(uint32_t i = 0) noexcept { return wrs_[i]; }
  ibv_sge& piece(uint32_t i = 0) noexcept { return sges_[i]; }

 private:
  void stamp(uint64_t seq, uint64_t& now) noexcept;

  size_t index_;
  RdmaQp qp_;
  uint64_t goal_;
  uint32_t depth_;
  uint32_t post_list_;
  uint32_t cq_mod_;
  bool signal_all_;
  bool atomic_;
  unsigned base_flags_;
  Slots local_slots_;
  Slots remote_slots_;
  LaneMemory memory_;
  uint32_t local_slot_ = 0;
  uint32_t remote_slot_ = 0;
  uint64_t posted_ = 0;
  uint64_t completed_ = 0;
  uint64_t signaled_end_ = 0;
  uint64_t signaled_ = 0;
  uint64_t most_outstanding_ = 0;
  uint32_t until_signal_;
  uint64_t stamp_mask_;
  std::vector<uint64_t> stamps_;  // post time of signaled requests
  std::vector<ibv_send_wr> wrs_;
  std::vector<ibv_sge> sges_;
};

// Receiving side of one QP.
class RecvLane {
 public:
  // `address` is the destination of messages; 0 bytes of SGE for write-imm.
  RecvLane(size_t index, const RdmaQp& qp, uint64_t address, uint32_t length, uint32_t lkey, bool empty);
  // Posts `n` RECVs. Throws.
  void post(uint64_t n);
  uint64_t posted() const noexcept { return posted_; }

 private:
  static constexpr uint32_t kList = 64;
  size_t index_;
  RdmaQp qp_;
  std::vector<ibv_sge> sge_;  // an SGE, in a vector so that wrs_ can point to it when the lane moves
  std::vector<ibv_recv_wr> wrs_;
  uint64_t posted_ = 0;
};

class RdmaLoop : public Loop {
 public:
  RdmaLoop(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe);

 protected:
  void kick() noexcept override;
  bool makes_calls() const noexcept override { return rdma_.event; }

  // Polls each of `cqs` once. Returns the number of completions in wcs_; throws on a failed poll.
  int poll(const std::vector<ibv_cq*>& cqs);
  // Throws the failure that a completion stands for, if it is one.
  void check(const ibv_wc& wc) const;
  void record_completion(const ibv_wc& wc, uint64_t now, uint64_t latency, uint32_t batch) noexcept;
  // Call when no completion came: in event mode, sleeps until a CQ of `cqs` has an event, at most
  // `limit_ns` (0: no limit).
  void wait(const std::vector<ibv_cq*>& cqs, uint64_t limit_ns);
  // Lets outstanding requests of `lanes` complete in time, uncounted; then flushes.
  void drain(std::vector<SendLane>& lanes);
  // Puts all QPs into ERR, so that everything posted comes back flushed.
  void flush_qps() noexcept;
  std::vector<ibv_cq*> send_cqs() const;
  std::vector<ibv_cq*> recv_cqs() const;

  static constexpr int kBatch = 32;
  // Successful completions of requests that lanes posted.
  uint64_t completions_ = 0;
  RdmaOptions rdma_;
  ibv_wc wcs_[kBatch];

 private:
  bool drain_until(std::vector<SendLane>& lanes, uint64_t deadline, bool flushing);

  ibv_comp_channel* channel_ = nullptr;
  bool armed_ = false;
};

std::unique_ptr<Loop> make_bandwidth_initiator(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_threads_initiator(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_recv_target(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_passive_target(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_one_sided_latency(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_recv_pingpong(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);
std::unique_ptr<Loop> make_memory_pingpong(const RdmaOptions&, Callbacks, std::unique_ptr<Probe>);

}  // namespace vlbench
