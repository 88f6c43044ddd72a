#include "uroce/verbs/watch/watch_standstill.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "uroce/feed/feed.h"
#include "uroce/feed/object.h"
#include "uroce/net/host/clock.h"
#include "uroce/report/await_acks.h"
#include "uroce/report/place.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/mutex_guard.h"
#include "uroce/verbs/watch/request_text.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_attributes.h"
#include "uroce/verbs/watch/watch_work.h"

namespace uroce::verbs::watch {
namespace {

constexpr uint64_t kStill = 1'000'000'000;     // ns without movement
constexpr uint64_t kInterval = 1'000'000'000;  // ns between messages
constexpr uint64_t kPolling = 300'000'000;     // ns: a CQ that was polled lately is polled now
constexpr uint64_t kRnrPause = 2'000'000'000;  // ns: more than the longest min_rnr_timer, and a retry
constexpr std::size_t kMost = 16;              // queue pairs, and CQs, of a message

uint64_t after(uint64_t ns) { return feed::feed().after_epoch(ns); }

}  // namespace

struct Standstill::QpShot {
  uint32_t qpn = 0, peer = 0;
  const char* type = "";
  QpState state{};
  uint64_t state_since = 0;
  bool waits = false;  // for more than a receive that has not come
  const ibv_cq *send_cq = nullptr, *recv_cq = nullptr;
  uint32_t send_cq_number = 0, recv_cq_number = 0;
  QpAttr attr;
  uint32_t send_queued = 0, send_used = 0, send_size = 0, retries = 0, rnr = 0;
  uint64_t send_since = 0;
  bool rnr_now = false, stalled = false;
  std::optional<transport::OldestSend> oldest{};
  report::Caller posted_from;
  std::string why, cure;
  uint32_t recv_queued = 0, recv_posted = 0, recv_size = 0, rnr_sent = 0, srq = 0;
  uint64_t recv_since = 0;
  report::Caller received_from;
};

struct Standstill::CqShot {
  const ibv_cq* handle = nullptr;
  uint32_t number = 0, completions = 0, size = 0, events = 0, unacknowledged = 0, waiters = 0;
  uint64_t since = 0, polled = 0;  // polled 0: never
  bool stands = false, polling = false, channel = false, armed = false, solicited = false;
  report::Caller polled_from;
  std::optional<transport::Completion> first;
};

struct Standstill::Shot {
  std::vector<QpShot> qps;
  std::vector<CqShot> cqs;
  std::size_t more = 0;    // queue pairs that stand still and have no place here
  std::size_t others = 0;  // queue pairs that do not stand still
  uint64_t moved = 0;      // when something last moved in any queue; 0: never
  std::optional<report::AwaitedAcks> awaited;
};

void Standstill::made(const report::Live& object) {
  if (object.kind == report::Kind::qp) qps_[static_cast<const QpObject*>(object.handle)] = {};
  if (object.kind == report::Kind::cq)
    cqs_[static_cast<const CqObject*>(object.handle)] = {.number = object.number, .taken = {}, .polls = {}};
}

void Standstill::gone(const report::Live& object) {
  if (object.kind == report::Kind::qp) qps_.erase(static_cast<const QpObject*>(object.handle));
  if (object.kind == report::Kind::cq) cqs_.erase(static_cast<const CqObject*>(object.handle));
}

std::string Standstill::end() {
  std::string text = last_.empty() ? std::string() : text_of({});
  *this = {};
  return text;
}

void Standstill::look_at(Device& device, const QpObject& object, OfQp& of, uint64_t now, Shot& shot) {
  transport::Qp& qp = *object.qp;
  const uint32_t queued = qp.send_queued(), used = object.cap.max_send_wr - qp.send_room();
  // A queue without requests counts as moving.
  const bool moved = of.sends.sample(used == 0 ? now : qp.send_progress(), now);
  of.state.sample(qp.state(), now);
  const auto* srq = object.ex.qp_base.srq != nullptr ? verbs::object(object.ex.qp_base.srq) : nullptr;
  const uint32_t left = srq != nullptr ? srq->srq->queued() : qp.recv_queued();
  const bool took = of.receives.sample(uint64_t{qp.recv_posted()} << 32 | left, now);
  const auto [received, sent] = report::ledger().rnr_naks(&object);
  of.rnr_received.sample(received, now);
  of.rnr_sent.sample(sent, now);
  if (moved) {
    of.rnr_before = received;
    of.look_again = 0;
    of.why.clear();
    of.cure.clear();
  }
  if (took) of.rnr_sent_before = sent;
  if (took || (moved && used != 0)) moved_ = now;

  const bool sends = used != 0 && now - of.sends.since() >= kStill;
  const bool failed = qp.state() == QpState::err && now - of.state.since() >= kStill;
  const bool refuses = left == 0 && sent != of.rnr_sent_before;
  const bool listens = left != 0 && qp.state() >= QpState::rtr && qp.state() != QpState::err &&
                       now - of.receives.since() >= kStill;
  if (!sends && !failed && !refuses && !listens) {
    ++shot.others;
    return;
  }
  QpShot out;
  out.qpn = qp.qpn();
  out.attr = qp.query();
  out.type = qp_type_name(object.ex.qp_base.qp_type);
  out.peer = qp.type() == QpType::ud ? 0 : out.attr.dest_qp_num;
  out.state = qp.state();
  out.state_since = of.state.since();
  out.waits = sends || failed || refuses;
  out.send_cq = object.ex.qp_base.send_cq;
  out.recv_cq = object.ex.qp_base.recv_cq;
  out.send_queued = queued;
  out.send_used = used;
  out.send_size = object.cap.max_send_wr;
  out.send_since = of.sends.since();
  out.retries = qp.retries();
  out.rnr = received - of.rnr_before;
  out.rnr_now = out.rnr != 0 && (qp.waits_for_receive() || now - of.rnr_received.since() < kRnrPause);
  out.stalled = qp.stalled();
  out.oldest = qp.oldest_send();
  if (out.oldest) out.posted_from = posted_from(&object, out.oldest->wqe);
  out.recv_queued = left;
  out.recv_posted = qp.recv_posted();
  out.recv_size = srq != nullptr ? srq->srq->query().max_wr : object.cap.max_recv_wr;
  out.recv_since = of.receives.since();
  out.rnr_sent = sent - of.rnr_sent_before;
  out.srq = number_of(object.ex.qp_base.srq);
  out.received_from = srq != nullptr ? srq->posted_from : object.received_from;
  if (sends && out.oldest && out.oldest->sent && !out.rnr_now && qp.type() == QpType::rc &&
      now >= of.look_again) {
    // Asking opens a connection that a stopped process never takes: the pauses grow.
    of.look_again = now + (now - of.sends.since());
    report::Note note;
    why_silent(device, qp, note);
    of.why = std::move(note.detail);
    of.cure = std::move(note.cure);
  }
  if (!out.rnr_now) {
    out.why = of.why;
    out.cure = of.cure;
  }
  shot.qps.push_back(std::move(out));
}

void Standstill::look_at(const CqObject& object, OfCq& of, uint64_t now, Shot& shot) {
  auto& cq = const_cast<CqObject&>(object);
  const uint32_t count = cq.cq->count();
  if (of.taken.sample(count == 0 ? now : cq.cq->polled(), now) && count != 0) moved_ = now;
  const uint64_t polls = cq.polls.load(std::memory_order_relaxed);
  of.polls.sample(polls, now);
  CqShot out;
  out.handle = &cq.base;
  out.number = of.number;
  out.completions = count;
  out.size = cq.cq->capacity();
  out.since = of.taken.since();
  out.stands = count != 0 && now - out.since >= kStill;
  out.polled = polls == 0 ? 0 : of.polls.since();
  out.polling = polls != 0 && now - of.polls.since() < kPolling;
  out.polled_from = {cq.polled_at.load(std::memory_order_relaxed),
                     cq.polled_outer.load(std::memory_order_relaxed)};
  out.channel = cq.channel != nullptr;
  out.armed = cq.cq->armed();
  out.solicited = cq.cq->armed_solicited();
  if (cq.channel != nullptr) {
    out.events = static_cast<uint32_t>(std::ranges::count(cq.channel->events, &cq));
    out.waiters = cq.channel->waiters;
  }
  {
    MutexGuard guard(cq.base.mutex);
    out.unacknowledged = cq.events_got - cq.base.comp_events_completed;
  }
  if (count != 0) {
    const std::lock_guard guard(cq.poll_lock);
    if (cq.cq->count() != 0) out.first = cq.cq->peek(0);
  }
  shot.cqs.push_back(std::move(out));
}

// Engine lock and the mutex of Work. False if nothing stands still.
bool Standstill::take(Device& device, Shot& shot) {
  const uint64_t now = net::now_ns();
  shot.awaited = report::awaited_acks();
  if (shot.awaited && now < shot.awaited->since + kStill) shot.awaited.reset();
  for (auto& [qp, of] : qps_) look_at(device, *qp, of, now, shot);
  for (auto& [cq, of] : cqs_) look_at(*cq, of, now, shot);
  const auto waits = [](const auto& qp) { return qp.waits; };
  std::ranges::sort(shot.qps, [](const QpShot& a, const QpShot& b) {
    return a.waits != b.waits ? a.waits : a.qpn < b.qpn;
  });
  const auto kept = std::min(shot.qps.size(), kMost);
  shot.more = static_cast<std::size_t>(
      std::ranges::count_if(shot.qps.begin() + static_cast<std::ptrdiff_t>(kept), shot.qps.end(), waits));
  shot.qps.resize(kept);
  // The CQs that stand still, and those of the queue pairs above, remain.
  std::erase_if(shot.cqs, [&](const CqShot& cq) {
    return !cq.stands && std::ranges::none_of(shot.qps, [&](const QpShot& qp) {
      return qp.send_cq == cq.handle || qp.recv_cq == cq.handle;
    });
  });
  std::ranges::sort(shot.cqs, [](const CqShot& a, const CqShot& b) {
    return a.stands != b.stands ? a.stands : a.number < b.number;
  });
  shot.cqs.resize(std::min(shot.cqs.size(), kMost));
  for (QpShot& qp : shot.qps) {
    qp.send_cq_number = number_of(qp.send_cq);
    qp.recv_cq_number = number_of(qp.recv_cq);
  }
  shot.moved = moved_;
  if (shot.awaited || std::ranges::any_of(shot.qps, waits) ||
      std::ranges::any_of(shot.cqs, [](const CqShot& cq) { return cq.stands; }))
    return true;
  // Receives wait, as they should. A server whose clients come and go is silent.
  return !shot.qps.empty() && now - moved_ >= kStill;
}

namespace {

feed::Object& flag(feed::Object& out, const char* name, bool value) {
  return out.raw(name, value ? "true" : "false");
}

feed::Object& place(feed::Object& out, const report::Caller& where) {
  return out.raw("where", report::place_json(where));
}

std::string oldest_json(const transport::OldestSend& wr, const report::Caller& where) {
  feed::Object out;
  out.text("wrId", std::to_string(wr.wr_id)).text("opcode", opcode_name(wr.opcode));
  out.number("length", wr.length).number("psn", wr.psn);
  if (wr.posted != 0) out.number("posted", after(wr.posted));
  return place(flag(out, "sent", wr.sent), where).closed();
}

std::string first_json(const transport::Completion& wc) {
  feed::Object out;
  out.number("qpn", wc.qp_num).text("wrId", std::to_string(wc.wr_id));
  return out.text("status", status_name(static_cast<uint32_t>(wc.status))).closed();
}

template <class T, class F>
std::string list_of(const T& items, F&& text) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? "," : "") + text(item);
  return out + "]";
}

}  // namespace

std::string Standstill::text_of(const Shot& shot) {
  const auto qp_text = [](const QpShot& qp) {
    feed::Object send;
    send.number("queued", qp.send_queued).number("used", qp.send_used).number("size", qp.send_size);
    send.number("since", after(qp.send_since)).number("retries", qp.retries).number("rnr", qp.rnr);
    flag(flag(send, "rnrNow", qp.rnr_now), "stalled", qp.stalled);
    if (qp.oldest) send.raw("oldest", oldest_json(*qp.oldest, qp.posted_from));
    feed::Object recv;
    recv.number("queued", qp.recv_queued).number("size", qp.recv_size);
    recv.number("since", after(qp.recv_since)).number("rnrSent", qp.rnr_sent);
    if (qp.srq != 0) {
      recv.number("srq", qp.srq);
    } else {
      recv.number("posted", qp.recv_posted);
    }
    feed::Object out;
    out.number("qpn", qp.qpn).text("type", qp.type).text("state", state_name(qp.state));
    out.number("stateSince", after(qp.state_since));
    if (qp.peer != 0) out.number("peerQpn", qp.peer);
    out.number("timeout", qp.attr.timeout).number("retryCnt", qp.attr.retry_cnt);
    out.number("rnrRetry", qp.attr.rnr_retry);
    out.number("sendCq", qp.send_cq_number).number("recvCq", qp.recv_cq_number);
    if (!qp.why.empty()) out.text("why", qp.why);
    if (!qp.cure.empty()) out.text("cure", qp.cure);
    out.raw("send", send.closed());
    return out.raw("recv", place(recv, qp.received_from).closed()).closed();
  };
  const auto cq_text = [](const CqShot& cq) {
    feed::Object out;
    out.number("number", cq.number).number("completions", cq.completions).number("size", cq.size);
    // Times that go on would make each message another.
    if (cq.completions != 0) out.number("since", after(cq.since));
    if (cq.polled != 0 && !cq.polling) out.number("polled", after(cq.polled));
    flag(flag(out, "polling", cq.polling), "channel", cq.channel);
    out.text("armed", cq.solicited ? "solicited" : cq.armed ? "all" : "no");
    out.number("events", cq.events).number("unacknowledged", cq.unacknowledged).number("waiters", cq.waiters);
    if (cq.first) out.raw("first", first_json(*cq.first));
    return place(out, cq.polled_from).closed();
  };
  feed::Object out("standstill");
  out.raw("qps", list_of(shot.qps, qp_text)).raw("cqs", list_of(shot.cqs, cq_text));
  out.number("more", shot.more).number("others", shot.others);
  if (shot.moved != 0) out.number("moved", after(shot.moved));
  if (shot.awaited) {
    feed::Object acks;
    acks.text("call", shot.awaited->destroy).text("acknowledge", shot.awaited->acknowledge);
    acks.number("events", shot.awaited->events).number("since", after(shot.awaited->since));
    out.raw("acks", place(acks, shot.awaited->where).closed());
  }
  return out.take();
}

std::string Standstill::sample(Device& device) {
  Shot shot;
  bool still;
  {
    // At process exit a thread that no longer runs may hold the lock.
    if (!device.lock().lock_within(EngineLock::kAtTheEnd)) return {};
    const std::lock_guard guard(device.lock(), std::adopt_lock);
    std::lock_guard work_guard(work().mutex);
    still = take(device, shot);
  }
  const uint64_t now = net::now_ns();
  if (!still && last_.empty()) return {};
  if (still && now < next_) return {};
  // Places are looked up without the lock: a library that is being loaded may wait for it.
  std::string text = text_of(still ? shot : Shot{});
  if (text == last_) return {};
  next_ = now + kInterval;
  last_ = still ? text : std::string();
  return text;
}

}  // namespace uroce::verbs::watch
