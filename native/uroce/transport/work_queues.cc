#include "uroce/transport/work_queues.h"

#include <algorithm>
#include <bit>

namespace uroce {

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

void RecvQueue::init(uint32_t max_wr, uint32_t max_sge) {
  max_wr_ = max_wr;
  max_sge_ = max_sge;
  const size_t slots = std::bit_ceil(std::max(max_wr, 1u));
  mask_ = static_cast<uint32_t>(slots - 1);
  wqes_.reset(new RecvWqe[slots]);
  sges_.reset(new Sge[slots * max_sge]);
}

}  // namespace uroce
