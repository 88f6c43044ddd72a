#include "addon/figures.h"

#include <cstring>

#include "addon/args.h"

namespace addon {
namespace {

Napi::Uint8Array bytes(Napi::Env env, const std::vector<uint8_t>& data) {
  Napi::Uint8Array out = Napi::Uint8Array::New(env, data.size());
  if (!data.empty()) std::memcpy(out.Data(), data.data(), data.size());
  return out;
}

Napi::Object cpu_to_js(Napi::Env env, const vlbench::CpuFigures& cpu) {
  Napi::Object out = Napi::Object::New(env);
  out["threadUserNs"] = js(env, cpu.thread.user_ns);
  out["threadSystemNs"] = js(env, cpu.thread.system_ns);
  out["processUserNs"] = js(env, cpu.process.user_ns);
  out["processSystemNs"] = js(env, cpu.process.system_ns);
  out["processAtNs"] = js(env, cpu.process_at_ns);
  if (cpu.engine) {
    Napi::Object engine = Napi::Object::New(env);
    engine["userNs"] = js(env, cpu.engine->user_ns);
    engine["kernelNs"] = js(env, cpu.engine->kernel_ns);
    engine["appThreadNs"] = js(env, cpu.engine->app_thread_ns);
    engine["threadNs"] = js(env, cpu.engine->thread_ns);
    out["engine"] = engine;
  } else {
    out["engine"] = env.Null();
  }
  out["softirqNs"] = cpu.softirq_ns ? js(env, *cpu.softirq_ns) : env.Null();
  out["outsideNs"] = cpu.outside_ns ? js(env, *cpu.outside_ns) : env.Null();
  out["voluntarySwitches"] = js(env, cpu.thread.voluntary);
  out["involuntarySwitches"] = js(env, cpu.thread.involuntary);
  Napi::Object split = Napi::Object::New(env);
  split["appNs"] = js(env, cpu.app_ns);
  split["nicNs"] = js(env, cpu.nic_ns);
  split["kernelNs"] = js(env, cpu.kernel_ns);
  out["split"] = split;
  return out;
}

Napi::Object latency_to_js(Napi::Env env, const vlbench::LatencySummary& latency) {
  Napi::Object out = Napi::Object::New(env);
  out["count"] = js(env, latency.count);
  out["minNs"] = js(env, latency.min);
  out["meanNs"] = Napi::Number::New(env, latency.mean);
  out["maxNs"] = js(env, latency.max);
  return out;
}

Napi::Object threads_to_js(Napi::Env env, const vlbench::ThreadFigures& threads) {
  Napi::Object out = Napi::Object::New(env);
  Napi::Array messages = Napi::Array::New(env, threads.messages.size());
  for (uint32_t i = 0; i < threads.messages.size(); ++i) messages[i] = js(env, threads.messages[i]);
  out["elapsedNs"] = js(env, threads.elapsed_ns);
  out["cpus"] = js(env, threads.cpus);
  out["messages"] = messages;
  out["posts"] = js(env, threads.posts);
  out["postNs"] = js(env, threads.post_ns);
  out["polls"] = js(env, threads.polls);
  out["pollNs"] = js(env, threads.poll_ns);
  out["contended"] = js(env, threads.contended);
  out["waitNs"] = js(env, threads.wait_ns);
  out["foreign"] = js(env, threads.foreign);
  return out;
}

}  // namespace

Napi::Object to_js(Napi::Env env, const vlbench::Figures& figures) {
  Napi::Object out = Napi::Object::New(env);
  out["seq"] = js(env, figures.seq);
  out["startedAtNs"] = Napi::BigInt::New(env, figures.started_at_ns);
  out["tNs"] = js(env, figures.t_ns);
  out["intervalNs"] = js(env, figures.interval_ns);
  out["omitted"] = Napi::Boolean::New(env, figures.omitted);
  out["bytes"] = js(env, figures.bytes);
  out["messages"] = js(env, figures.messages);
  out["outstanding"] = js(env, figures.outstanding);
  out["latency"] = latency_to_js(env, figures.latency);
  out["histogram"] = bytes(env, figures.histogram);
  out["histogramTotal"] = bytes(env, figures.histogram_total);
  out["cpu"] = cpu_to_js(env, figures.cpu);
  Napi::Object counters = Napi::Object::New(env);
  for (const auto& [name, value] : figures.counters) counters[name] = js(env, value);
  out["counters"] = counters;
  out["recordsWritten"] = js(env, figures.records_written);
  out["recordsDropped"] = js(env, figures.records_dropped);
  return out;
}

Napi::Object to_js(Napi::Env env, const vlbench::Outcome& outcome) {
  Napi::Object out = Napi::Object::New(env);
  out["reason"] = static_cast<int>(outcome.reason);
  out["drained"] = Napi::Boolean::New(env, outcome.drained);
  out["startedAtNs"] = Napi::BigInt::New(env, outcome.started_at_ns);
  out["latencyKind"] = static_cast<int>(outcome.latency_kind);
  out["totals"] = to_js(env, outcome.totals);
  Napi::Object whole = Napi::Object::New(env);
  const auto tell = [&](const char* name, const std::optional<uint64_t>& value) {
    whole[name] = value ? js(env, *value) : env.Null();
  };
  tell("signaled", outcome.whole.signaled);
  tell("completions", outcome.whole.completions);
  tell("mostOutstanding", outcome.whole.most_outstanding);
  tell("sentBytes", outcome.whole.sent_bytes);
  tell("receivedBytes", outcome.whole.received_bytes);
  whole["threads"] = outcome.whole.threads ? threads_to_js(env, *outcome.whole.threads) : env.Null();
  out["whole"] = whole;
  return out;
}

}  // namespace addon
