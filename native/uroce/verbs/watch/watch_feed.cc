// Messages of a registered process while it works: objects, states, failed calls, samples.
#include "uroce/verbs/watch/watch_feed.h"

#include <sys/resource.h>
#include <unistd.h>

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

constexpr uint64_t kCountersEvery = 10;      // ticks
constexpr uint32_t kFailuresOfOneCall = 50;  // for one reason, reported one by one
// A listener with settings for the beginning sends them at once.
constexpr std::chrono::seconds kControlTimeout{10};

// Sends a message of a part of Work that has something to say.
void queue_text(std::string text) {
  if (!text.empty()) feed::feed().queue(std::move(text), net::now_ns());
}

// ---- Objects

void object_made(const report::Live& object) {
  if (!feed::on()) return;
  {
    std::lock_guard guard(work().mutex);
    if (object.kind == report::Kind::qp)
      work().states[static_cast<const QpObject*>(object.handle)] = QpState::reset;
    work().standstill.made(object);
    work().queues.made(object);
  }
  const report::KindText& text = report::text_of(object.kind);
  feed::Object out("made");
  out.text("kind", text.name).number("number", object.number).text("call", text.make);
  out.raw("attrs", attributes_of(object));
  queue(out);
}

// Reports a state that may have changed without a call of the program. Engine lock.
void report_state(const QpObject* qp, QpState& known) {
  const QpState now = qp->qp->state();
  if (now == known) return;
  feed::Object out("qp");
  out.number("qpn", qp->ex.qp_base.qp_num).text("from", state_name(known)).text("to", state_name(now));
  queue(out.raw("attrs", "{}"));
  known = now;
}

void object_gone(const report::Live& object) {
  if (!feed::on()) return;
  {
    std::lock_guard guard(work().mutex);
    if (object.kind == report::Kind::qp) work().states.erase(static_cast<const QpObject*>(object.handle));
    work().standstill.gone(object);
    work().queues.gone(object);
  }
  const report::KindText& text = report::text_of(object.kind);
  feed::Object out("gone");
  out.text("kind", text.name).number("number", object.number).text("call", text.destroy);
  queue(out);
}

constexpr report::Observer kObserver{object_made, object_gone};

// ---- Samples

void send_counters(Device& device, const char* when) {
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
  queue(out);
}

uint64_t ns_of(const timeval& t) {
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_usec) * 1000u;
}

void send_progress(Device& device) {
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
  queue(out.number("involuntary", static_cast<uint64_t>(usage.ru_nivcsw)));
}

// Engine lock.
void report_states() {
  std::lock_guard guard(work().mutex);
  for (auto& [qp, state] : work().states) report_state(qp, state);
}

std::string one_line(std::string json) {
  while (!json.empty() && json.back() == '\n') json.pop_back();
  return json;
}

// Sends a draft of the report, which the listener uses if the process is killed.
void send_draft() {
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
  queue(out.raw("report", one_line(report::to_json(*draft))));
  next = begin + (net::now_ns() - begin) * kShare;
}

void sample(feed::Feed&, void* subject) {
  send_draft();
  if (subject == nullptr) return;
  Device& device = *static_cast<Device*>(subject);
  send_progress(device);
  const bool counters = ++work().ticks % kCountersEvery == 0;
  if (counters) send_traffic();
  queue_text(work().standstill.sample(device));
  queue_text(work().queues.sample(device));
  queue_text(work().policies.sample(device));
  // At process exit a thread that no longer runs may hold the lock. Everything sent before still arrives.
  if (!device.lock().lock_within(EngineLock::kAtTheEnd)) return;
  const std::lock_guard guard(device.lock(), std::adopt_lock);
  report_states();
  if (counters) send_counters(device, "sample");
}

void last_words(const std::string& report) {
  if (!feed::on()) return;
  // A device that is still open has sent no last samples.
  if (Device* device = Device::current()) {
    send_progress(*device);
    send_traffic();
    queue_text(work().policies.sample(*device));
    if (device->lock().lock_within(EngineLock::kAtTheEnd)) {
      const std::lock_guard guard(device->lock(), std::adopt_lock);
      send_counters(*device, "after");
    }
  }
  feed::Object out("report");
  queue(out.raw("report", one_line(report)));
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
    queue(hello);
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
  queue(out.text("name", "uroce0").raw("gids", gids + "]"));
  {
    std::lock_guard guard(device.lock());
    device.start_feed(feed::feed());
    reapply_control(device);
    send_counters(device, "before");
  }
  feed::feed().set_subject(&device);
  // The listener gets this even of a process that is killed before the first tick.
  feed::feed().hurry();
  if (known) return;
  feed::feed().listen(apply_control);
  // Faults apply from the first packet on: without them the device must not be used.
  if (std::getenv("UROCE_AWAIT_FAULTS") != nullptr) feed::feed().wait_for_control(kControlTimeout);
}

void unfollow(Device& device) {
  if (!feed::on()) return;
  feed::feed().set_subject(nullptr);
  send_progress(device);
  send_traffic();
  std::lock_guard guard(device.lock());
  send_counters(device, "after");
  device.stop_feed();
  std::lock_guard states(work().mutex);
  work().states.clear();
  queue_text(work().standstill.end());
  queue_text(work().queues.end());
  queue_text(work().policies.end());
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
  queue(out.raw("attrs", attrs.closed()));
  it->second = now;
  if (now != QpState::rtr) return;
  queue_text(work().policies.connected(qp, qp.device->now()));
}

void leaving(const QpObject& qp) {
  std::lock_guard guard(work().mutex);
  queue_text(work().policies.leaving(qp, qp.device->now()));
}

void raised(const AsyncEvent& event) {
  feed::Object out("async");
  out.text("event", event_name(event.type));
  if (is_qp_event(event.type)) out.number("qpn", static_cast<const ibv_qp*>(event.element)->qp_num);
  queue(out);
}

void send_failed_call(const char* call, int error, const Words& words, bool injected) {
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
  if (injected) out.raw("injected", "true");
  queue(out);
}

}  // namespace uroce::verbs::watch
