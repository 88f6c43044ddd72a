#include "uroce/transport/queues/srq.h"

#include <cerrno>

#include "uroce/refusal.h"
#include "uroce/transport/queues/event_sink.h"

namespace uroce::transport {

Srq::Srq(uint32_t pd, const SrqAttr& attr, EventSink& events) : events_(events), pd_(pd) {
  queue_.init(attr.max_wr, attr.max_sge, RecvQueue::srq);
}

bool Srq::pop_into(RecvQueue& to) {
  const bool any = !queue_.empty();
  if (any) {
    to.add_from(queue_);
    queue_.pop();
  }
  if (limit_ != 0 && queued() < limit_) {
    limit_ = 0;
    events_.srq_event(*this, EventType::srq_limit_reached);
  }
  return any;
}

int Srq::modify(const SrqAttr& attr, uint32_t mask) {
  const bool resize = mask & srq_mask::max_wr;
  const bool arm = mask & srq_mask::limit;
  const uint32_t size = resize ? attr.max_wr : queue_.max_wr();
  const uint32_t limit = arm ? attr.limit : limit_;
  if (size == 0) return refuse(EINVAL, Cause::srq_empty);
  if (size < queued()) return refuse(EINVAL, Cause::srq_holds_more, queued(), size);
  if (limit > size) return refuse(EINVAL, Cause::srq_limit, limit, size);
  if (resize) queue_.resize(size);
  limit_ = limit;
  return 0;
}

}  // namespace uroce::transport
