#include <algorithm>
#include <bit>

#include "bench/rdma_base.h"

namespace vlbench {
namespace {

constexpr uint64_t kCacheLine = 64;
// perftest's cycle buffer: small messages wander through one page.
constexpr uint64_t kCycle = 4096;

}  // namespace

const char* opcode_name(RdmaOp op) noexcept {
  switch (op) {
    case RdmaOp::kWrite:
      return "RDMA_WRITE";
    case RdmaOp::kWriteImm:
      return "RDMA_WRITE_WITH_IMM";
    case RdmaOp::kRead:
      return "RDMA_READ";
    case RdmaOp::kSend:
      return "SEND";
    case RdmaOp::kFetchAdd:
      return "ATOMIC_FETCH_AND_ADD";
    case RdmaOp::kCompareSwap:
      return "ATOMIC_CMP_AND_SWP";
  }
  return "work request";
}

ibv_wr_opcode wr_opcode(RdmaOp op) noexcept {
  switch (op) {
    case RdmaOp::kWrite:
      return IBV_WR_RDMA_WRITE;
    case RdmaOp::kWriteImm:
      return IBV_WR_RDMA_WRITE_WITH_IMM;
    case RdmaOp::kRead:
      return IBV_WR_RDMA_READ;
    case RdmaOp::kSend:
      return IBV_WR_SEND;
    case RdmaOp::kFetchAdd:
      return IBV_WR_ATOMIC_FETCH_AND_ADD;
    case RdmaOp::kCompareSwap:
      return IBV_WR_ATOMIC_CMP_AND_SWP;
  }
  return IBV_WR_SEND;
}

Slots slots_for(uint64_t size, uint64_t room, bool walk) noexcept {
  Slots slots;
  slots.stride = std::max(kCacheLine, (size + kCacheLine - 1) / kCacheLine * kCacheLine);
  if (walk || slots.stride * 2 <= kCycle) {
    const uint64_t used = walk ? room : std::min(room, kCycle);
    slots.count = static_cast<uint32_t>(std::max<uint64_t>(1, used / slots.stride));
  }
  return slots;
}

LaneMemory lane_memory(const RdmaOptions& options, size_t index, int half) {
  const uint64_t lanes = options.qps.size();
  const auto share = [&](uint64_t length) { return length / lanes / kCacheLine * kCacheLine; };
  LaneMemory memory;
  memory.local_room = lanes == 1 ? options.local_length : share(options.local_length);
  memory.remote_room = lanes == 1 ? options.remote_length : share(options.remote_length);
  memory.local = reinterpret_cast<uintptr_t>(options.local) + index * memory.local_room;
  memory.remote = options.remote + index * memory.remote_room;
  if (half >= 0) {
    memory.local_room = memory.local_room / 2 / kCacheLine * kCacheLine;
    memory.remote_room = memory.remote_room / 2 / kCacheLine * kCacheLine;
    memory.local += static_cast<uint64_t>(half) * memory.local_room;
    // Messages from the first half of one side are written to the peer's second half.
    memory.remote += static_cast<uint64_t>(1 - half) * memory.remote_room;
  }
  return memory;
}

uint64_t lane_goal(const RdmaOptions& options, size_t index) noexcept {
  if (options.iterations == 0) return UINT64_MAX;
  const uint64_t lanes = options.qps.size();
  return options.iterations / lanes + (index < options.iterations % lanes ? 1 : 0);
}

SendLane::SendLane(size_t index, const RdmaOptions& options, uint64_t goal, const LaneMemory& memory)
    : index_(index),
      qp_(options.qps[index]),
      goal_(goal),
      depth_(options.tx_depth),
      post_list_(options.post_list),
      cq_mod_(options.cq_mod),
      signal_all_(options.qps[index].signal_all),
      atomic_(is_atomic(options.op)),
      base_flags_(options.inline_data ? static_cast<unsigned>(IBV_SEND_INLINE) : 0u),
      local_slots_(slots_for(options.size, memory.local_room, options.walk)),
      remote_slots_(slots_for(options.size, memory.remote_room, options.walk)),
      memory_(memory),
      until_signal_(options.cq_mod),
      stamp_mask_(std::bit_ceil(uint64_t{options.tx_depth} + 1) - 1),
      stamps_(stamp_mask_ + 1),
      wrs_(options.post_list),
      sges_(options.post_list) {
  // A ping-pong uses one slot: the peer polls its last byte.
  if (options.latency) local_slots_.count = remote_slots_.count = 1;
  for (uint32_t i = 0; i < post_list_; ++i) {
    ibv_sge& sge = sges_[i];
    sge.addr = memory.local;
    sge.length = static_cast<uint32_t>(options.size);
    sge.lkey = options.lkey;
    ibv_send_wr& wr = wrs_[i];
    wr = {};
    wr.sg_list = &sge;
    wr.num_sge = options.size == 0 ? 0 : 1;
    wr.opcode = wr_opcode(options.op);
    if (atomic_) {
      wr.wr.atomic.remote_addr = memory.remote;
      wr.wr.atomic.rkey = options.rkey;
      wr.wr.atomic.compare_add = options.op == RdmaOp::kFetchAdd ? 1 : 0;
      wr.wr.atomic.swap = 0;
    } else if (options.op != RdmaOp::kSend) {
      wr.wr.rdma.remote_addr = memory.remote;
      wr.wr.rdma.rkey = options.rkey;
    }
  }
}

uint32_t SendLane::postable() const noexcept {
  const uint64_t left = goal_ - posted_;
  const uint64_t room = depth_ - (posted_ - completed_);
  const uint64_t want = std::min<uint64_t>(post_list_, left);
  return want <= room ? static_cast<uint32_t>(want) : 0;
}

// Stamps all requests of a list with one time.
void SendLane::stamp(uint64_t seq, uint64_t& now) noexcept {
  if (now == 0) now = monotonic_ns();
  signaled_end_ = seq + 1;
  ++signaled_;
  stamps_[seq & stamp_mask_] = now;
}

void SendLane::post(uint32_t n, bool announce) {
  uint64_t now = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t seq = posted_ + i;
    ibv_send_wr& wr = wrs_[i];
    wr.wr_id = wr_id_of(index_, seq);
    wr.next = i + 1 < n ? &wrs_[i + 1] : nullptr;
    wr.send_flags = base_flags_;
    const bool due = --until_signal_ == 0;
    if (due) until_signal_ = cq_mod_;
    if (due || seq + 1 == goal_ || (announce && i + 1 == n)) {
      wr.send_flags |= IBV_SEND_SIGNALED;
      stamp(seq, now);
    } else if (signal_all_) {
      stamp(seq, now);
    }
    if (wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) wr.imm_data = __builtin_bswap32(static_cast<uint32_t>(seq));
    if (local_slots_.count > 1) {
      sges_[i].addr = memory_.local + local_slot_ * local_slots_.stride;
      if (++local_slot_ == local_slots_.count) local_slot_ = 0;
    }
    if (remote_slots_.count > 1) {
      const uint64_t address = memory_.remote + remote_slot_ * remote_slots_.stride;
      // The first member of both: wr.rdma and wr.atomic are a union.
      wr.wr.rdma.remote_addr = address;
      if (++remote_slot_ == remote_slots_.count) remote_slot_ = 0;
    }
  }
  ibv_send_wr* bad = nullptr;
  const int err = ibv_post_send(qp_.qp, wrs_.data(), &bad);
  if (err != 0) throw Failure(err, "ibv_post_send", "QP " + std::to_string(qp_.qp->qp_num));
  posted_ += n;
  most_outstanding_ = std::max(most_outstanding_, outstanding());
}

uint64_t SendLane::complete(uint64_t seq, uint64_t now, uint64_t& latency) noexcept {
  const uint64_t end = seq + 1;
  latency = now - stamps_[seq & stamp_mask_];
  if (end <= completed_) return 0;
  const uint64_t done = end - completed_;
  completed_ = end;
  return done;
}

RecvLane::RecvLane(size_t index, const RdmaQp& qp, uint64_t address, uint32_t length, uint32_t lkey,
                   bool empty)
    : index_(index), qp_(qp), sge_{ibv_sge{address, length, lkey}}, wrs_(kList) {
  for (auto& wr : wrs_) {
    wr = {};
    wr.sg_list = sge_.data();
    wr.num_sge = empty || length == 0 ? 0 : 1;
  }
}

void RecvLane::post(uint64_t n) {
  while (n > 0) {
    const auto list = static_cast<uint32_t>(std::min<uint64_t>(n, kList));
    for (uint32_t i = 0; i < list; ++i) {
      wrs_[i].wr_id = wr_id_of(index_, posted_ + i);
      wrs_[i].next = i + 1 < list ? &wrs_[i + 1] : nullptr;
    }
    ibv_recv_wr* bad = nullptr;
    const int err = ibv_post_recv(qp_.qp, wrs_.data(), &bad);
    if (err != 0) throw Failure(err, "ibv_post_recv", "QP " + std::to_string(qp_.qp->qp_num));
    posted_ += list;
    n -= list;
  }
}

}  // namespace vlbench
