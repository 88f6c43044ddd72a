#include "uroce/verbs/watch/watch_queues.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>

#include "uroce/feed/feed.h"
#include "uroce/feed/object.h"
#include "uroce/net/host/clock.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch_work.h"

namespace uroce::verbs::watch {
namespace {

constexpr std::array<const char*, kQueueKinds> kNames{"SQ", "RQ", "SRQ", "CQ"};

bool of_receives(const QueueFill& queue) {
  return queue.kind == QueueKind::rq || queue.kind == QueueKind::srq;
}

// By kind; then the queues nearest to trouble: the fullest, and of receive queues in use the emptiest.
bool nearer_to_trouble(const QueueFill& a, const QueueFill& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.ever != b.ever) return a.ever;
  const uint64_t in_a = uint64_t{a.used} * b.size, in_b = uint64_t{b.used} * a.size;
  if (in_a != in_b) return of_receives(a) ? in_a < in_b : in_a > in_b;
  return a.number < b.number;
}

std::string fill_json(const QueueFill& queue) {
  feed::Object out;
  out.text("kind", kNames[static_cast<std::size_t>(queue.kind)]).number("number", queue.number);
  out.number("used", queue.used).number("size", queue.size);
  if (queue.kind == QueueKind::sq) out.number("queued", queue.queued);
  if (queue.since != 0) out.number("since", feed::feed().after_epoch(queue.since));
  return out.closed();
}

std::string sum_json(std::span<const QueueFill> queues) {
  uint64_t used = 0, size = 0;
  for (const QueueFill& queue : queues) {
    used += queue.used;
    size += queue.size;
  }
  feed::Object out;
  out.text("kind", kNames[static_cast<std::size_t>(queues.front().kind)]).number("queues", queues.size());
  return out.number("used", used).number("size", size).closed();
}

void append_item(std::string& list, const std::string& item) {
  if (list.size() > 1) list += ',';
  list += item;
}

std::string message_of(std::vector<QueueFill>& fills) {
  std::ranges::sort(fills, nearer_to_trouble);
  std::string queues = "[", others = "[";
  for (auto begin = fills.begin(); begin != fills.end();) {
    const auto end = std::ranges::find_if(
        begin, fills.end(), [kind = begin->kind](const QueueFill& queue) { return queue.kind != kind; });
    const auto cut = begin + std::min<std::ptrdiff_t>(end - begin, Queues::kMost);
    for (; begin != cut; ++begin) append_item(queues, fill_json(*begin));
    if (cut != end) append_item(others, sum_json({cut, end}));
    begin = end;
  }
  feed::Object out("queues");
  return out.raw("queues", queues + "]").raw("others", others + "]").take();
}

}  // namespace

void Queues::made(const report::Live& object) {
  if (object.kind == report::Kind::qp) qps_[static_cast<const QpObject*>(object.handle)] = {};
  if (object.kind == report::Kind::srq)
    srqs_[static_cast<const SrqObject*>(object.handle)] = {object.number, {}};
  if (object.kind == report::Kind::cq)
    cqs_[static_cast<const CqObject*>(object.handle)] = {object.number, {}};
}

void Queues::gone(const report::Live& object) {
  if (object.kind == report::Kind::qp) qps_.erase(static_cast<const QpObject*>(object.handle));
  if (object.kind == report::Kind::srq) srqs_.erase(static_cast<const SrqObject*>(object.handle));
  if (object.kind == report::Kind::cq) cqs_.erase(static_cast<const CqObject*>(object.handle));
}

// Engine lock and the mutex of Work.
void Queues::look(uint64_t now, std::vector<QueueFill>& fills) {
  const auto add = [&](QueueFill fill, Moves& moves, uint64_t moved) {
    // New queues have not moved yet.
    const bool known = moves.since() != 0;
    const bool moving = moves.sample({fill.used, moved}, now) && known;
    fill.ever = fill.used != 0 || moved != 0;
    if (!moving) fill.since = moves.since();
    fills.push_back(fill);
  };
  for (auto& [object, of] : qps_) {
    transport::Qp& qp = *object->qp;
    const ibv_qp_cap& cap = object->cap;
    if (cap.max_send_wr != 0) {
      const uint32_t used = cap.max_send_wr - std::min(cap.max_send_wr, qp.send_room());
      add({QueueKind::sq, qp.qpn(), used, qp.send_queued(), cap.max_send_wr}, of.sends,
          uint64_t{qp.next_wqe()} << 32 | qp.send_queued());
    }
    if (cap.max_recv_wr != 0 && object->ex.qp_base.srq == nullptr)
      add({QueueKind::rq, qp.qpn(), qp.recv_queued(), 0, cap.max_recv_wr}, of.receives, qp.recv_posted());
  }
  for (auto& [object, of] : srqs_)
    add({QueueKind::srq, of.number, object->srq->queued(), 0, object->srq->query().max_wr}, of.moves,
        object->srq->posted());
  for (auto& [object, of] : cqs_)
    add({QueueKind::cq, of.number, object->cq->count(), 0, object->cq->capacity()}, of.moves,
        object->cq->polled());
}

std::string Queues::sample(Device& device) {
  fills_.clear();
  {
    // At process exit a thread that no longer runs may hold the lock.
    if (!device.lock().lock_within(EngineLock::kAtTheEnd)) return {};
    const std::lock_guard guard(device.lock(), std::adopt_lock);
    std::lock_guard work_guard(work().mutex);
    look(net::now_ns(), fills_);
  }
  if (fills_.empty() && last_.empty()) return {};
  std::string text = message_of(fills_);
  if (text == last_) return {};
  last_ = text;
  return text;
}

std::string Queues::end() {
  fills_.clear();
  std::string text = last_.empty() ? std::string() : message_of(fills_);
  *this = {};
  return text;
}

}  // namespace uroce::verbs::watch
