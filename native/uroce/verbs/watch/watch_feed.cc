// What a registered process tells while it works: objects, states, failed calls, work, samples.
#include "uroce/verbs/watch/watch_feed.h"

#include <arpa/inet.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "uroce/feed/object.h"
#include "uroce/net/host/clock.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_attributes.h"
#include "uroce/verbs/watch/watch_control.h"
#include "uroce/verbs/watch/watch_traffic.h"
#include "uroce/verbs/watch/watch_work.h"

namespace uroce::verbs::watch {
namespace {

using feed::Feed;
using feed::Object;
using report::Kind;

constexpr uint64_t kCountersEvery = 10;       // ticks
constexpr uint32_t kFailuresOfOneCall = 50;   // for one reason, reported one by one
constexpr std::size_t kFailuresOfAll = 1000;  // kinds of failures told of a process, and kept
// A listener that has something to say at the beginning says it at once.
constexpr std::chrono::seconds kFirstWord{1};

void tell(feed::Object& object) { feed::feed().tell(object.take(), net::now_ns()); }

// ---- Objects

void object_made(const report::Live& object) {
  if (!feed::on()) return;
  if (object.kind == report::Kind::qp) {
    std::lock_guard guard(work().mutex);
    work().states[static_cast<const QpObject*>(object.handle)] = QpState::reset;
  }
  const report::KindText& text = report::text_of(object.kind);
  feed::Object out("made");
  out.text("kind", text.name).number("number", object.number).text("call", text.make);
  out.raw("attrs", attributes_of(object));
  tell(out);
}

// The state may have changed without a call of the program's. Engine lock.
void look_at(const QpObject* qp, QpState& known) {
  const QpState now = qp->qp->state();
  if (now == known) return;
  feed::Object out("qp");
  out.number("qpn", qp->ex.qp_base.qp_num).text("from", state_name(known)).text("to", state_name(now));
  tell(out.raw("attrs", "{}"));
  known = now;
}

void object_gone(const report::Live& object) {
  if (!feed::on()) return;
  if (object.kind == report::Kind::qp) {
    std::lock_guard guard(work().mutex);
    work().states.erase(static_cast<const QpObject*>(object.handle));
  }
  const report::KindText& text = report::text_of(object.kind);
  feed::Object out("gone");
  out.text("kind", text.name).number("number", object.number).text("call", text.destroy);
  tell(out);
}

constexpr report::Observer kObserver{object_made, object_gone};

// ---- Samples

void tell_counters(Device& device, const char* when) {
  feed::Object values;
  for (const uroce_counter& counter : device.counters()) values.number(counter.name, counter.value);
  const Work& w = work();
  uint64_t sends = 0;
  for (uint32_t i = 0; i < kOpcodeCount; ++i) {
    const uint64_t n = get(w.sends[i]);
    sends += n;
    if (n > 0) values.number(std::string("posted_") + wr_opcode_name(i), n);
  }
  values.number("posted_sends", sends).number("posted_recvs", get(w.receives));
  values.number("posted_srq_recvs", get(w.shared_receives));
  for (uint32_t i = 0; i < kStatusCount; ++i) {
    const uint64_t n = get(w.statuses[i]);
    if (n > 0 || i == 0) values.number(std::string("wc_") + status_name(i), n);
  }
  values.number("retired_unsignaled", get(w.unsignaled));
  feed::Object out("counters");
  out.text("when", when).raw("values", values.closed());
  tell(out);
}

uint64_t ns_of(const timeval& t) {
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_usec) * 1000u;
}

void tell_progress(Device& device) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const CpuMeter::Figures cpu = device.cpu().figures();
  feed::Object out("tick");
  const Work& w = work();
  out.number("bytes", bytes_of(w)).number("messages", get(w.messages));
  for (uint32_t i = 0; i < kMoveCount; ++i) out.number(kMoveNames[i], get(w.bytes[i]));
  if (const uint64_t first = get(w.first_polled); first != 0) {
    out.number("firstPolled", feed::feed().after_epoch(first));
    out.number("lastPolled", feed::feed().after_epoch(get(w.last_polled)));
    out.number("bytesAtFirst", get(w.bytes_at_first));
  }
  if (const uint64_t first = get(w.first_posted); first != 0) {
    out.number("firstPosted", feed::feed().after_epoch(first));
    out.raw("oneAtATime", w.overlapped.load(std::memory_order_relaxed) ? "false" : "true");
  }
  out.number("userNs", ns_of(usage.ru_utime)).number("systemNs", ns_of(usage.ru_stime));
  out.number("nicUserNs", cpu.engine_user_ns).number("nicKernelNs", cpu.engine_kernel_ns);
  out.number("voluntary", static_cast<uint64_t>(usage.ru_nvcsw));
  tell(out.number("involuntary", static_cast<uint64_t>(usage.ru_nivcsw)));
}

// Engine lock.
void look_at_all() {
  std::lock_guard guard(work().mutex);
  for (auto& [qp, state] : work().states) look_at(qp, state);
}

std::string one_line(std::string json) {
  while (!json.empty() && json.back() == '\n') json.pop_back();
  return json;
}

// What the listener has if the process is killed.
void tell_draft() {
  // The feed's thread only, which a forked child starts over.
  static pid_t pid = 0;
  static uint64_t version = 0, next = 0;
  if (std::exchange(pid, getpid()) != getpid()) version = next = 0;
  // Drafts take at most a twentieth of a core.
  constexpr uint64_t kShare = 20;
  const uint64_t begin = net::now_ns();
  if (begin < next) return;
  const auto draft = report::draft(version);
  if (!draft) return;
  feed::Object out("draft");
  tell(out.raw("report", one_line(report::to_json(*draft))));
  next = begin + (net::now_ns() - begin) * kShare;
}

void sample(feed::Feed&, void* subject) {
  tell_draft();
  if (subject == nullptr) return;
  Device& device = *static_cast<Device*>(subject);
  tell_progress(device);
  const bool counters = ++work().ticks % kCountersEvery == 0;
  if (counters) tell_traffic();
  // At process exit a thread that no longer runs may hold the lock. Everything sent before still arrives.
  if (!device.lock().lock_within(EngineLock::kAtTheEnd)) return;
  const std::lock_guard guard(device.lock(), std::adopt_lock);
  look_at_all();
  if (counters) tell_counters(device, "sample");
}

void last_words(const std::string& report) {
  if (!feed::on()) return;
  // A device that is still open has sent no last samples.
  if (Device* device = Device::current()) {
    tell_progress(*device);
    tell_traffic();
    if (device->lock().lock_within(EngineLock::kAtTheEnd)) {
      const std::lock_guard guard(device->lock(), std::adopt_lock);
      tell_counters(*device, "after");
    }
  }
  feed::Object out("report");
  tell(out.raw("report", one_line(report)));
  feed::feed().finish();
}

}  // namespace

void follow(Device& device) {
  if (!feed::wanted()) return;
  const bool known = feed::on();
  if (!known) {
    g_work = new Work;
    begin_traffic();
  }
  if (!feed::begin(sample)) return;
  if (!known) {
    feed::Object hello("hello");
    hello.number("version", 1).number("control", feed::kControlVersion);
    hello.number("pid", static_cast<uint64_t>(getpid()));
    hello.text("program", program_invocation_short_name).text("epoch", std::to_string(feed::feed().epoch()));
    tell(hello);
    report::set_reader(last_words);
  }
  report::ledger().set_observer(&kObserver);
  feed::Object out("device");
  std::string gids = "[";
  for (std::size_t i = 0; i < device.plan().gids.size(); ++i) {
    if (device.plan().entry(i) != i || !device.has_gid(i)) continue;
    if (gids.size() > 1) gids += ",";
    gids += json_quoted(net::to_text(device.plan().gids[i].gid));
  }
  tell(out.text("name", "uroce0").raw("gids", gids + "]"));
  {
    std::lock_guard guard(device.lock());
    device.start_feed(feed::feed());
    reapply_control(device);
    tell_counters(device, "before");
  }
  feed::feed().set_subject(&device);
  // The listener has this of a process that is killed before the first tick.
  feed::feed().hurry();
  if (known) return;
  feed::feed().listen(apply_control);
  // Faults from the first packet on: without them the device must not be used.
  if (std::getenv("UROCE_AWAIT_FAULTS") != nullptr) feed::feed().heard_within(kFirstWord);
}

void unfollow(Device& device) {
  if (!feed::on()) return;
  feed::feed().set_subject(nullptr);
  tell_progress(device);
  tell_traffic();
  std::lock_guard guard(device.lock());
  tell_counters(device, "after");
  device.stop_feed();
  std::lock_guard states(work().mutex);
  work().states.clear();
}

void posted(const ibv_send_wr* wr, const ibv_send_wr* end) {
  for (; wr != end; wr = wr->next) {
    if (raw(wr->opcode) < kOpcodeCount) add(work().sends[raw(wr->opcode)], 1);
  }
}

void posted(const ibv_recv_wr* wr, const ibv_recv_wr* end, bool shared) {
  uint64_t n = 0;
  for (; wr != end; wr = wr->next) ++n;
  add(shared ? work().shared_receives : work().receives, n);
}

namespace {

void show_life(const transport::WrStamps& s, uint64_t polled) {
  feed::Feed& f = feed::feed();
  if (!f.lives.open()) return f.lives.drop(1);
  const feed::LifeRecord record{.wr_id = s.wr_id,
                                .qpn = s.qpn,
                                .opcode = static_cast<uint32_t>(s.opcode),
                                .byte_len = s.byte_len,
                                .status = static_cast<uint32_t>(s.status),
                                .posted = f.after_epoch(s.posted),
                                .first_tx = f.after_epoch(s.first_tx),
                                .last_tx = f.after_epoch(s.last_tx),
                                .acked = f.after_epoch(s.acked),
                                .cqe = f.after_epoch(s.cqe),
                                .polled = f.after_epoch(polled)};
  f.lives.put(&record, sizeof record);
}

// The first failure of each kind on a QP is an event of its own; a flush is not: it follows from another.
void show_failure(const ibv_wc& wc) {
  if (wc.status == IBV_WC_WR_FLUSH_ERR) return;
  const std::string key = std::to_string(wc.qp_num) + " " + std::to_string(wc.status);
  {
    std::lock_guard guard(work().mutex);
    auto& failures = work().failures;
    if (failures.contains(key) || failures.size() >= kFailuresOfAll) return;
    failures.emplace(key, 1);
  }
  feed::Object out("wc");
  out.text("wrId", std::to_string(wc.wr_id)).number("qpn", wc.qp_num).number("status", wc.status);
  tell(out.number("vendorErr", wc.vendor_err));
}

// A send, with the moments at which it was posted and completed.
void follow_send(Work& w, const transport::WrStamps& s) {
  uint64_t first = get(w.first_posted);
  while ((first == 0 || s.posted < first) &&
         !w.first_posted.compare_exchange_weak(first, s.posted, std::memory_order_relaxed)) {
  }
  if (s.posted < get(w.last_cqe)) w.overlapped.store(true, std::memory_order_relaxed);
  // An unsignaled one has no CQE: its peer has acknowledged it.
  if (const uint64_t done = std::max(s.cqe, s.acked); done != 0)
    w.last_cqe.store(done, std::memory_order_relaxed);
}

}  // namespace

void polled(const ibv_wc* wc, const transport::WrStamps* stamps, uint32_t n) {
  Work& w = work();
  feed::Feed& f = feed::feed();
  const uint64_t now = net::now_ns();
  uint64_t none = 0;
  const bool first = get(w.first_polled) == 0 &&
                     w.first_polled.compare_exchange_strong(none, now, std::memory_order_relaxed);
  w.last_polled.store(now, std::memory_order_relaxed);
  uint64_t bytes[kMoveCount]{}, good = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const bool received = wc[i].status == IBV_WC_SUCCESS && (wc[i].opcode & IBV_WC_RECV) != 0;
    if (wc[i].status == IBV_WC_SUCCESS) {
      ++good;
      bytes[move_of(wc[i].opcode)] += received ? wc[i].byte_len : stamps[i].valid ? stamps[i].byte_len : 0;
    } else {
      if (wc[i].status < kStatusCount) add(w.statuses[wc[i].status], 1);
      show_failure(wc[i]);
    }
    // Another thread wrote the completion, and its clock may be ahead of this one's by a little.
    const uint64_t at = std::max({now, stamps[i].posted, stamps[i].cqe});
    if (stamps[i].valid) {
      follow_send(w, stamps[i]);
      show_life(stamps[i], at);
    }
    if (!f.completions.open()) {
      f.completions.drop(1);
      continue;
    }
    const uint64_t cqe = stamps[i].cqe != 0 ? stamps[i].cqe : at;
    const uint64_t latency = stamps[i].valid ? cqe - stamps[i].posted : 0;
    const feed::CompletionRecord record{
        .t = f.after_epoch(at),
        .wr_id = wc[i].wr_id,
        .qpn = wc[i].qp_num,
        .meta = (raw(wc[i].opcode) & 0xff) | (wc[i].status & 0xffu) << 8 | (wc[i].wc_flags & 0xffffu) << 16,
        .byte_len = received || !stamps[i].valid ? wc[i].byte_len : stamps[i].byte_len,
        .imm = ntohl(wc[i].imm_data),
        .latency = static_cast<uint32_t>(std::min<uint64_t>(latency, UINT32_MAX)),
        .batch = n};
    f.completions.put(&record, sizeof record);
  }
  add(w.statuses[IBV_WC_SUCCESS], good);
  for (uint32_t i = 0; i < kMoveCount; ++i) {
    if (bytes[i] != 0) add(w.bytes[i], bytes[i]);
  }
  if (first) w.bytes_at_first.store(bytes_of(w), std::memory_order_relaxed);
  add(w.messages, good);
}

void retired(const transport::WrStamps& stamps) {
  add(work().unsignaled, 1);
  add(work().messages, 1);
  add(work().bytes[move_of(stamps.opcode)], stamps.byte_len);
  follow_send(work(), stamps);
  show_life(stamps, 0);
}

void modified(const QpObject& qp, const ibv_qp_attr& attr, uint32_t mask) {
  std::lock_guard guard(work().mutex);
  const auto it = work().states.find(&qp);
  if (it == work().states.end() || (mask & IBV_QP_STATE) == 0) return;
  feed::Object attrs;
  const auto value = [&](uint32_t bit, const char* name, uint64_t number) {
    if ((mask & bit) != 0) attrs.number(name, number);
  };
  value(IBV_QP_PATH_MTU, "path_mtu", 128u << attr.path_mtu);
  value(IBV_QP_DEST_QPN, "dest_qp_num", attr.dest_qp_num);
  value(IBV_QP_RQ_PSN, "rq_psn", attr.rq_psn);
  value(IBV_QP_SQ_PSN, "sq_psn", attr.sq_psn);
  value(IBV_QP_TIMEOUT, "timeout", attr.timeout);
  value(IBV_QP_RETRY_CNT, "retry_cnt", attr.retry_cnt);
  value(IBV_QP_RNR_RETRY, "rnr_retry", attr.rnr_retry);
  value(IBV_QP_MIN_RNR_TIMER, "min_rnr_timer", attr.min_rnr_timer);
  value(IBV_QP_MAX_QP_RD_ATOMIC, "max_rd_atomic", attr.max_rd_atomic);
  value(IBV_QP_MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", attr.max_dest_rd_atomic);
  if ((mask & IBV_QP_AV) != 0) {
    Gid gid;
    std::memcpy(gid.data(), attr.ah_attr.grh.dgid.raw, gid.size());
    attrs.text("dgid", net::to_text(gid));
  }
  const QpState now = qp.qp->state();
  feed::Object out("qp");
  out.number("qpn", qp.ex.qp_base.qp_num).text("from", state_name(it->second)).text("to", state_name(now));
  tell(out.raw("attrs", attrs.closed()));
  it->second = now;
}

void raised(const AsyncEvent& event) {
  feed::Object out("async");
  out.text("event", event_name(event.type));
  if (is_qp_event(event.type)) out.number("qpn", static_cast<const ibv_qp*>(event.element)->qp_num);
  tell(out);
}

void tell_failed(const char* call, int error, const Words& words) {
  const std::string key = std::string(call) + " " + words.why;
  {
    std::lock_guard guard(work().mutex);
    auto& failures = work().failures;
    if (!failures.contains(key) && failures.size() >= kFailuresOfAll) return;
    if (failures[key]++ >= kFailuresOfOneCall) return;
  }
  feed::Object out("failed");
  out.text("call", call).number("errno", static_cast<uint64_t>(error));
  if (!words.why.empty()) out.text("reason", words.why).text("cure", words.cure);
  tell(out);
}

}  // namespace uroce::verbs::watch
