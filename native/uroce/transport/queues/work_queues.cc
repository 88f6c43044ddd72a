#include "uroce/transport/queues/work_queues.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/refusal.h"

namespace uroce::transport {

void SendQueue::init(uint32_t max_wr, uint32_t max_sge, uint32_t max_inline) {
  max_wr_ = max_wr;
  max_sge_ = max_sge;
  max_inline_ = max_inline;
  const size_t slots = std::bit_ceil(std::max(max_wr, 1u));
  mask_ = static_cast<uint32_t>(slots - 1);
  wqes_.reset(new SendWqe[slots]);
  sges_.reset(new Sge[slots * max_sge]);
  inline_.reset(new uint8_t[slots * max_inline]);
}

void SendQueue::enable_stamps() {
  if (!stamps_) stamps_.reset(new WrStamps[static_cast<size_t>(mask_) + 1]);
}

void RecvQueue::init(uint32_t max_wr, uint32_t max_sge, Owner owner) {
  owner_ = owner;
  max_wr_ = max_wr;
  max_sge_ = max_sge;
  const size_t slots = std::bit_ceil(std::max(max_wr, 1u));
  mask_ = static_cast<uint32_t>(slots - 1);
  wqes_.reset(new RecvWqe[slots]);
  sges_.reset(new Sge[slots * max_sge]);
}

int RecvQueue::add(const RecvWr& wr) {
  if (wr.num_sge > max_sge_) return refuse(EINVAL, Cause::post_sges, wr.num_sge, owner_, max_sge_);
  uint64_t length = 0;
  for (uint32_t i = 0; i < wr.num_sge; ++i) length += wr.sg_list[i].length;
  if (length > UINT32_MAX) return refuse(EINVAL, Cause::post_receive_length, length);
  if (full()) return refuse(ENOMEM, Cause::post_queue_full, max_wr_, owner_, owner_);
  at(tail_) = {wr.wr_id, static_cast<uint32_t>(length), wr.num_sge};
  if (wr.num_sge != 0) std::memcpy(sges(tail_), wr.sg_list, wr.num_sge * sizeof(Sge));
  push();
  return 0;
}

void RecvQueue::add_from(RecvQueue& other) {
  const RecvWqe& w = other.at(other.head_);
  at(tail_) = w;
  if (w.num_sge != 0) std::memcpy(sges(tail_), other.sges(other.head_), w.num_sge * sizeof(Sge));
  push();
}

void RecvQueue::resize(uint32_t max_wr) {
  RecvQueue larger;
  larger.init(max_wr, max_sge_, owner_);
  for (; !empty(); pop()) larger.add_from(*this);
  *this = std::move(larger);
}

}  // namespace uroce::transport
