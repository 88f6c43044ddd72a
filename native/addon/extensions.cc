#include "addon/extensions.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "addon/args.h"
#include "addon/context.h"
#include "addon/cq.h"
#include "addon/qp.h"
#include "addon/srq.h"
#include "uroce/ext/faults_bytes.h"

namespace addon {

Napi::Function ExtensionsWrap::define(Napi::Env env) {
  using E = ExtensionsWrap;
  return DefineClass(env, "Extensions",
                     {InstanceMethod<&E::cpu>("cpu"),
                      InstanceMethod<&E::counters>("counters"),
                      InstanceMethod<&E::tap_start>("tapStart"),
                      InstanceMethod<&E::tap_read>("tapRead"),
                      InstanceMethod<&E::tap_stop>("tapStop"),
                      InstanceMethod<&E::pcap_open>("pcapOpen"),
                      InstanceMethod<&E::pcap_close>("pcapClose"),
                      InstanceMethod<&E::set_faults>("setFaults"),
                      InstanceMethod<&E::query_faults>("queryFaults"),
                      InstanceMethod<&E::stamps_start>("stampsStart"),
                      InstanceMethod<&E::stamps_read>("stampsRead"),
                      InstanceMethod<&E::stamps_stop>("stampsStop"),
                      InstanceMethod<&E::pinned>("pinned"),
                      InstanceMethod<&E::set_qp_link>("setQpLink"),
                      InstanceMethod<&E::qp_link>("qpLink"),
                      InstanceMethod<&E::send_packet>("sendPacket"),
                      InstanceMethod<&E::qp_queues>("qpQueues"),
                      InstanceMethod<&E::srq_queue>("srqQueue"),
                      InstanceMethod<&E::cq_queue>("cqQueue"),
                      InstanceMethod<&E::set_qp_policy>("setQpPolicy"),
                      InstanceMethod<&E::qp_policy>("qpPolicy")});
}

ExtensionsWrap::ExtensionsWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  context_ = ContextWrap::from(info[0], "context").open("extensions");
}

ibv_context* ExtensionsWrap::context(const char* name) {
  const auto res = context_.lock();
  if (!res || res->context == nullptr) throw_errno(Env(), EBADF, name, "the context is closed");
  return res->context;
}

template <typename F>
F* ExtensionsWrap::call(const char* name) {
  const auto res = context_.lock();
  if (!res) throw_errno(Env(), EBADF, name, "the context is closed");
  auto* function = reinterpret_cast<F*>(dlsym(res->verbs->handle, name));
  if (function == nullptr) throw_errno(Env(), ENOSYS, name, "this device does not support it");
  return function;
}

#define EXT(name) call<decltype(name)>(#name)

Napi::Value ExtensionsWrap::cpu(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  uroce_cpu cpu{};
  check(env, EXT(uroce_query_cpu)(context("uroce_query_cpu"), &cpu), "uroce_query_cpu");
  Napi::Object out = Napi::Object::New(env);
  out["engineUserNs"] = js(env, cpu.engine_user_ns);
  out["engineKernelNs"] = js(env, cpu.engine_kernel_ns);
  out["appThreadNs"] = js(env, cpu.app_thread_ns);
  out["threadCpuNs"] = js(env, cpu.thread_cpu_ns);
  out["progressCalls"] = js(env, cpu.progress_calls);
  out["emptyPolls"] = js(env, cpu.empty_polls);
  return out;
}

Napi::Value ExtensionsWrap::counters(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  auto* query = EXT(uroce_query_counters);
  uint32_t count = 0;
  query(context("uroce_query_counters"), nullptr, &count);
  std::vector<uroce_counter> list(count);
  check(env, query(context("uroce_query_counters"), list.data(), &count), "uroce_query_counters");
  Napi::Object out = Napi::Object::New(env);
  for (uint32_t i = 0; i < std::min<size_t>(count, list.size()); ++i)
    out[list[i].name] = js(env, list[i].value);
  return out;
}

void ExtensionsWrap::tap_start(const Napi::CallbackInfo& info) {
  uroce_tap_attr attr{};
  attr.max_packets = integer<uint32_t>(info[0], "maxPackets");
  attr.max_bytes = integer<uint64_t>(info[1], "maxBytes");
  attr.snap_len = integer<uint32_t>(info[2], "snapLength");
  attr.mode = integer<uint32_t>(info[3], "mode");
  check(info.Env(), EXT(uroce_tap_start)(context("uroce_tap_start"), &attr), "uroce_tap_start");
}

Napi::Value ExtensionsWrap::tap_read(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto max = integer<size_t>(info[0], "maxBytes");
  // 8-byte aligned, as the call wants it.
  std::vector<uint64_t> buffer((max + 7) / 8);
  size_t used = 0;
  uint64_t dropped = 0;
  check(env,
        EXT(uroce_tap_read)(context("uroce_tap_read"), buffer.data(), buffer.size() * sizeof(uint64_t), &used,
                            &dropped),
        "uroce_tap_read");
  Napi::Uint8Array records = Napi::Uint8Array::New(env, used);
  if (used != 0) std::memcpy(records.Data(), buffer.data(), used);
  Napi::Object out = Napi::Object::New(env);
  out["records"] = records;
  out["dropped"] = js(env, dropped);
  return out;
}

void ExtensionsWrap::tap_stop(const Napi::CallbackInfo& info) {
  check(info.Env(), EXT(uroce_tap_stop)(context("uroce_tap_stop")), "uroce_tap_stop");
}

void ExtensionsWrap::pcap_open(const Napi::CallbackInfo& info) {
  const std::string path = text(info[0], "path");
  check(info.Env(), EXT(uroce_pcapng_open)(context("uroce_pcapng_open"), path.c_str()), "uroce_pcapng_open",
        path);
}

void ExtensionsWrap::pcap_close(const Napi::CallbackInfo& info) {
  check(info.Env(), EXT(uroce_pcapng_close)(context("uroce_pcapng_close")), "uroce_pcapng_close");
}

namespace {

uroce::ext::Faults read_faults(const Napi::CallbackInfo& info) {
  uroce_fault_rates rates{};
  const bool random = info[0].IsObject();
  if (random) {
    const Napi::Object in = info[0].As<Napi::Object>();
    rates.drop_ppm = integer<uint32_t>(in.Get("dropPpm"), "dropPpm");
    rates.duplicate_ppm = integer<uint32_t>(in.Get("duplicatePpm"), "duplicatePpm");
    rates.reorder_ppm = integer<uint32_t>(in.Get("reorderPpm"), "reorderPpm");
    rates.delay_ppm = integer<uint32_t>(in.Get("delayPpm"), "delayPpm");
    rates.corrupt_ppm = integer<uint32_t>(in.Get("corruptPpm"), "corruptPpm");
    rates.delay_us = integer<uint32_t>(in.Get("delayUs"), "delayUs");
    rates.seed = big(in.Get("seed"), "seed");
  }
  const Napi::Array list = array(info[1], "rules");
  std::vector<uroce_fault_rule> rules(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object in = object(list.Get(i), "rule");
    uroce_fault_rule& rule = rules[i];
    rule.match = integer<uint32_t>(in.Get("match"), "match");
    rule.qpn = integer<uint32_t>(in.Get("qpn"), "qpn");
    rule.psn = integer<uint32_t>(in.Get("psn"), "psn");
    rule.iter = integer<uint32_t>(in.Get("iter"), "iter");
    rule.opcode = integer<uint8_t>(in.Get("opcode"), "opcode");
    rule.opcode_mask = integer<uint8_t>(in.Get("opcodeMask"), "opcodeMask");
    rule.action = integer<uint32_t>(in.Get("action"), "action");
    rule.times = integer<uint32_t>(in.Get("times"), "times");
    rule.delay_us = integer<uint32_t>(in.Get("delayUs"), "delayUs");
  }
  uroce::ext::Faults faults;
  if (random) faults.rates = rates;
  faults.rules = std::move(rules);
  if (!info[2].IsObject()) return faults;
  const Napi::Object in = info[2].As<Napi::Object>();
  uroce_shaping shaping{};
  shaping.delay_us = integer<uint32_t>(in.Get("delayUs"), "delayUs");
  shaping.jitter_us = integer<uint32_t>(in.Get("jitterUs"), "jitterUs");
  shaping.rate_bps = integer<uint64_t>(in.Get("rateBps"), "rateBps");
  shaping.limit = integer<uint32_t>(in.Get("limit"), "limit");
  shaping.mark_ppm = integer<uint32_t>(in.Get("markPpm"), "markPpm");
  faults.shaping = shaping;
  return faults;
}

}  // namespace

Napi::Value faults_bytes(const Napi::CallbackInfo& info) {
  const std::vector<uint8_t> bytes = uroce::ext::faults_bytes(read_faults(info));
  Napi::Uint8Array out = Napi::Uint8Array::New(info.Env(), bytes.size());
  std::memcpy(out.Data(), bytes.data(), bytes.size());
  return out;
}

void ExtensionsWrap::set_faults(const Napi::CallbackInfo& info) {
  const uroce::ext::Faults faults = read_faults(info);
  const uroce_fault_rates* rates = faults.rates ? &*faults.rates : nullptr;
  const auto n = static_cast<uint32_t>(faults.rules.size());
  if (!faults.shaping) {
    check(info.Env(), EXT(uroce_set_faults)(context("uroce_set_faults"), rates, faults.rules.data(), n),
          "uroce_set_faults");
    return;
  }
  check(info.Env(),
        EXT(uroce_set_shaped_faults)(context("uroce_set_shaped_faults"), rates, faults.rules.data(), n,
                                     &*faults.shaping),
        "uroce_set_shaped_faults");
}

Napi::Value ExtensionsWrap::query_faults(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  uroce_fault_report report{};
  check(env, EXT(uroce_query_faults)(context("uroce_query_faults"), &report), "uroce_query_faults");
  Napi::Object out = Napi::Object::New(env);
  out["seed"] = Napi::BigInt::New(env, report.seed);
  out["packets"] = js(env, report.packets);
  out["dropped"] = js(env, report.dropped);
  out["duplicated"] = js(env, report.duplicated);
  out["reordered"] = js(env, report.reordered);
  out["delayed"] = js(env, report.delayed);
  out["corrupted"] = js(env, report.corrupted);
  uint64_t marked = 0;
  check(env, EXT(uroce_query_fault_marks)(context("uroce_query_fault_marks"), &marked),
        "uroce_query_fault_marks");
  out["marked"] = js(env, marked);
  return out;
}

void ExtensionsWrap::stamps_start(const Napi::CallbackInfo& info) {
  uroce_stamps_attr attr{};
  attr.max_records = integer<uint32_t>(info[0], "maxRecords");
  attr.every = integer<uint32_t>(info[1], "every");
  check(info.Env(), EXT(uroce_stamps_start)(context("uroce_stamps_start"), &attr), "uroce_stamps_start");
}

Napi::Value ExtensionsWrap::stamps_read(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  auto count = integer<uint32_t>(info[0], "max");
  std::vector<uroce_stamp> list(count);
  uint64_t dropped = 0;
  check(env, EXT(uroce_stamps_read)(context("uroce_stamps_read"), list.data(), &count, &dropped),
        "uroce_stamps_read");
  Napi::Array stamps = Napi::Array::New(env, count);
  for (uint32_t i = 0; i < count; ++i) {
    const uroce_stamp& stamp = list[i];
    Napi::Object object = Napi::Object::New(env);
    object["wrId"] = Napi::BigInt::New(env, stamp.wr_id);
    object["qpn"] = js(env, stamp.qpn);
    object["opcode"] = js(env, stamp.opcode);
    object["byteLength"] = js(env, stamp.byte_len);
    object["status"] = js(env, stamp.status);
    object["postedNs"] = Napi::BigInt::New(env, stamp.posted);
    object["firstTxNs"] = Napi::BigInt::New(env, stamp.first_tx);
    object["lastTxNs"] = Napi::BigInt::New(env, stamp.last_tx);
    object["ackedNs"] = Napi::BigInt::New(env, stamp.acked);
    object["cqeNs"] = Napi::BigInt::New(env, stamp.cqe);
    object["polledNs"] = Napi::BigInt::New(env, stamp.polled);
    stamps[i] = object;
  }
  Napi::Object out = Napi::Object::New(env);
  out["stamps"] = stamps;
  out["dropped"] = js(env, dropped);
  return out;
}

void ExtensionsWrap::stamps_stop(const Napi::CallbackInfo& info) {
  check(info.Env(), EXT(uroce_stamps_stop)(context("uroce_stamps_stop")), "uroce_stamps_stop");
}

Napi::Value ExtensionsWrap::pinned(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  uroce_pinned pinned{};
  check(env, EXT(uroce_query_mr_pinned)(context("uroce_query_mr_pinned"), &pinned), "uroce_query_mr_pinned");
  Napi::Object out = Napi::Object::New(env);
  out["pinnedBytes"] = js(env, pinned.pinned_bytes);
  out["unpinnedBytes"] = js(env, pinned.unpinned_bytes);
  out["regions"] = js(env, pinned.regions);
  // -1: no limit.
  out["memlockLimit"] =
      pinned.memlock_limit == UINT64_MAX ? Napi::Number::New(env, -1) : js(env, pinned.memlock_limit);
  return out;
}

void ExtensionsWrap::set_qp_link(const Napi::CallbackInfo& info) {
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_set_qp_link");
  const auto link = static_cast<uroce_link>(integer<uint32_t>(info[1], "link"));
  check(info.Env(), EXT(uroce_set_qp_link)(qp->qp, link), "uroce_set_qp_link");
}

// -1 while it is not known.
Napi::Value ExtensionsWrap::qp_link(const Napi::CallbackInfo& info) {
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_query_qp_link");
  uroce_link link{};
  const int error = EXT(uroce_query_qp_link)(qp->qp, &link);
  if (error == EAGAIN) return Napi::Number::New(info.Env(), -1);
  check(info.Env(), error, "uroce_query_qp_link");
  return Napi::Number::New(info.Env(), link);
}

void ExtensionsWrap::set_qp_policy(const Napi::CallbackInfo& info) {
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_set_qp_policy");
  const uroce_qp_policy policy{integer<uint32_t>(info[1], "recovery"),
                               integer<uint32_t>(info[2], "congestion"),
                               integer<uint64_t>(info[3], "lineRate"), integer<uint32_t>(info[4], "ackEvery"),
                               integer<uint32_t>(info[5], "ackDelayNs")};
  check(info.Env(), EXT(uroce_set_qp_policy_sized)(qp->qp, &policy, sizeof policy), "uroce_set_qp_policy");
}

Napi::Value ExtensionsWrap::qp_policy(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_query_qp_policy");
  uroce_qp_policy_state state{};
  state.size = sizeof state;
  check(env, EXT(uroce_query_qp_policy)(qp->qp, &state), "uroce_query_qp_policy");
  Napi::Object out = Napi::Object::New(env);
  out["recovery"] = js(env, state.recovery);
  out["recoveryInEffect"] = js(env, state.recovery_in_effect);
  out["congestion"] = js(env, state.congestion);
  out["lineRate"] = js(env, state.line_rate);
  out["rate"] = js(env, state.rate);
  out["target"] = js(env, state.target_rate);
  out["alphaPpm"] = js(env, state.alpha_ppm);
  out["window"] = js(env, state.window_bytes);
  out["srttNs"] = js(env, state.srtt_ns);
  out["cnps"] = js(env, state.cnps);
  out["marks"] = js(env, state.marks);
  return out;
}

void ExtensionsWrap::send_packet(const Napi::CallbackInfo& info) {
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_send_packet");
  const auto bytes = info[1].As<Napi::Uint8Array>();
  check(info.Env(), EXT(uroce_send_packet)(qp->qp, bytes.Data(), bytes.ByteLength()), "uroce_send_packet");
}

namespace {

Napi::Value queue_object(Napi::Env env, const uroce_queue& queue) {
  Napi::Object out = Napi::Object::New(env);
  out["used"] = js(env, queue.used);
  out["size"] = js(env, queue.size);
  out["queued"] = js(env, queue.queued);
  return out;
}

}  // namespace

Napi::Value ExtensionsWrap::qp_queues(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& qp = QpWrap::from(info[0], "qp").open("uroce_query_qp_queues");
  uroce_queue send{}, recv{};
  check(env, EXT(uroce_query_qp_queues)(qp->qp, &send, &recv), "uroce_query_qp_queues");
  Napi::Object out = Napi::Object::New(env);
  out["send"] = queue_object(env, send);
  out["recv"] = queue_object(env, recv);
  return out;
}

Napi::Value ExtensionsWrap::srq_queue(const Napi::CallbackInfo& info) {
  const auto& srq = SrqWrap::from(info[0], "srq").open("uroce_query_srq_queue");
  uroce_queue queue{};
  check(info.Env(), EXT(uroce_query_srq_queue)(srq->srq, &queue), "uroce_query_srq_queue");
  return queue_object(info.Env(), queue);
}

Napi::Value ExtensionsWrap::cq_queue(const Napi::CallbackInfo& info) {
  const auto& cq = CqWrap::from(info[0], "cq").open("uroce_query_cq_queue");
  uroce_queue queue{};
  check(info.Env(), EXT(uroce_query_cq_queue)(cq->cq, &queue), "uroce_query_cq_queue");
  return queue_object(info.Env(), queue);
}

#undef EXT

}  // namespace addon
