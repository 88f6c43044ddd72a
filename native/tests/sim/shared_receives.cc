#include "shared_receives.h"

#include <algorithm>
#include <cerrno>

namespace uroce::sim {

SharedReceives::SharedReceives(transport::Engine& engine, uint32_t pd, const Shape& shape,
                               uint32_t connections, uint64_t seed)
    : engine_(engine), shape_(shape), random_(seed), count_(shape.recv_depth * connections) {
  srq_ = *engine.create_srq(pd, {count_, kPieces, 0});
  at_ = memory_.reserve(uint64_t{count_} * shape.max_size);
  memory_.start(random_);
  key_ = *engine.reg_mr(pd, memory_.real(at_), Memory::iova(at_), uint64_t{count_} * shape.max_size,
                        access_flag::local_write);
  for (uint32_t i = 0; i < count_; ++i) {
    free_.push_back(i);
    times_.push_back(0);
  }
}

void SharedReceives::post(uint64_t now) {
  while (!times_.empty() && times_.front() <= now) {
    times_.erase(times_.begin());
    Posted p;
    p.place = free_.back();
    free_.pop_back();
    uint32_t left = shape_.max_size;
    uint64_t from = Memory::iova(at_ + p.place * shape_.max_size);
    const uint32_t parts = 1 + random_.below(random_.below(4) == 0 ? kPieces : 2);
    for (uint32_t i = 1; i <= parts; ++i) {
      const uint32_t n = i == parts ? left : random_.below(left + 1);
      p.list.push_back({from, n, n != 0 ? key_ : random_.next()});
      from += n;
      left -= n;
    }
    require(srq_->post({next_id_, p.list.data(), static_cast<uint32_t>(p.list.size())}) == 0,
            "post to an SRQ failed");
    posted_.emplace(next_id_++, std::move(p));
  }
  if (random_.below(16) == 0 && limit_ == 0 && srq_->queued() != 0) {
    limit_ = 1 + random_.below(srq_->queued());
    require(engine_.modify_srq(*srq_, {0, 0, limit_}, transport::srq_mask::limit) == 0,
            "arming a limit failed");
  }
  if (random_.below(64) == 0) {
    // Never below what will be posted.
    const uint32_t size = count_ + random_.below(count_);
    require(engine_.modify_srq(*srq_, {size, 0, 0}, transport::srq_mask::max_wr) == 0,
            "resizing an SRQ failed");
    const uint32_t few = srq_->queued() == 0 ? 0 : srq_->queued() - 1;
    require(engine_.modify_srq(*srq_, {few, 0, 0}, transport::srq_mask::max_wr) == EINVAL,
            "an SRQ resized too small");
  }
}

void SharedReceives::completed(uint64_t now, uint64_t wr_id, const std::vector<uint8_t>& bytes) {
  const auto it = posted_.find(wr_id);
  require(it != posted_.end(), "a shared receive completed twice or never posted");
  memory_.scatter(it->second.list, bytes.data(), static_cast<uint32_t>(bytes.size()));
  require(memory_.holds(it->second.list), "wrong bytes in a shared receive");
  free_.push_back(it->second.place);
  posted_.erase(it);
  times_.push_back(now + random_.below(shape_.rq_delay_ns));
  std::sort(times_.begin(), times_.end());
}

void SharedReceives::limit_reached() {
  require(limit_ != 0 && srq_->queued() < limit_, "an SRQ limit told early or twice");
  limit_ = 0;
}

void SharedReceives::check() const {
  require(limit_ == 0 || srq_->queued() >= limit_, "an SRQ limit not told");
  require(srq_->queued() <= posted_.size() && srq_->query().limit == limit_, "an SRQ that miscounts");
}

void SharedReceives::destroy() {
  require(srq_->queued() == posted_.size(), "shared receives gone without a completion");
  require(engine_.destroy_srq(srq_) == 0, "destroy_srq failed");
  require(engine_.dereg_mr(key_) == 0, "dereg_mr failed");
}

}  // namespace uroce::sim
