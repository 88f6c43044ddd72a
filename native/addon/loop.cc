#include "addon/loop.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "addon/mr.h"
#include "addon/option_reader.h"
#include "addon/qp.h"
#include "bench/rdma_loop.h"
#include "bench/socket_loop.h"

namespace addon {
namespace {

// Objects that the loop has for itself while it runs. Counted on the JavaScript thread.
struct Claim {
  std::vector<std::shared_ptr<QpRes>> qps;
  std::vector<std::shared_ptr<CqRes>> cqs;
  std::vector<std::shared_ptr<ChannelRes>> channels;
  std::shared_ptr<MrRes> mr;

  void change(int by) noexcept {
    for (const auto& qp : qps) qp->users += by;
    for (const auto& cq : cqs) cq->users += by;
    for (const auto& channel : channels) channel->users += by;
    mr->users += by;
  }
};

template <typename T>
void add_unique(std::vector<T>& list, const T& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// Options that loops of all kinds share. Returns the ring, which must be kept alive until the loop has ended.
Napi::Value read_common(OptionReader& in, vlbench::LoopOptions& options) {
  in.read("role", options.target)
      .read("measure", options.latency)
      .read("wait", options.event)
      .read("size", options.size)
      .read("iterations", options.iterations)
      .read_ms("durationMs", options.duration_ns)
      .read_ms("omitMs", options.omit_ns)
      .read("messagesPerSecond", options.messages_per_second)
      .read_ms("reportMs", options.report_ns)
      .read_ms("idleTimeoutMs", options.idle_timeout_ns)
      .read("whenFull", options.ring_wait)
      .read("kernelTime", options.kernel_time);
  const Napi::Value ring = in.value("ring");
  if (ring.IsTypedArray()) {
    auto words = ring.As<Napi::Uint32Array>();
    options.ring = vlbench::RingWriter(std::span<uint32_t>(words.Data(), words.ElementLength()));
  }
  return ring;
}

std::unique_ptr<LoopHost> start_rdma(const Napi::CallbackInfo& info) {
  const char* const call = "startLoop";
  Napi::Env env = info.Env();
  OptionReader in(info[0]);
  vlbench::RdmaOptions options;
  const Napi::Value ring = read_common(in, options);
  auto claim = std::make_shared<Claim>();
  claim->mr = MrWrap::from(in.value("mr"), "mr").open(call);

  const Napi::Array qps = array(in.value("qps"), "qps");
  for (uint32_t i = 0; i < qps.Length(); ++i) {
    const auto& qp = QpWrap::from(qps.Get(i), "qp").open(call);
    const std::string name = "QP " + std::to_string(qp->qp->qp_num);
    if (qp->users != 0) throw_errno(env, EBUSY, call, name + " is used by another loop");
    if (qp->pd->context != claim->mr->pd->context)
      throw_errno(env, EINVAL, call, name + " and the memory region belong to different contexts");
    claim->qps.push_back(qp);
    add_unique(claim->cqs, qp->send_cq);
    add_unique(claim->cqs, qp->recv_cq);
    options.qps.push_back(
        {qp->qp, qp->cap.max_send_wr, qp->cap.max_recv_wr, qp->cap.max_inline_data, qp->signal_all});
  }
  for (const auto& cq : claim->cqs) {
    if (cq->users != 0) throw_errno(env, EBUSY, call, "a CQ is used by another loop");
    if (!options.event || !cq->channel) continue;
    if (cq->channel->watched || cq->channel->users != 0)
      throw_errno(
          env, EBUSY, call,
          "the completion channel is in use; give the CQs of an event-driven loop a channel of their own");
    add_unique(claim->channels, cq->channel);
  }

  const Library& verbs = claim->mr->pd->context->verbs;
  options.verbs = verbs;
  std::size_t offset = 0;
  in.read("op", options.op)
      .read("offset", offset)
      .read("remoteAddr", options.remote)
      .read("remoteLength", options.remote_length)
      .read("rkey", options.rkey)
      .read("txDepth", options.tx_depth)
      .read("rxDepth", options.rx_depth)
      .read("postList", options.post_list)
      .read("cqMod", options.cq_mod)
      .read("inline", options.inline_data)
      .read("walk", options.walk)
      .read("threads", options.threads)
      .read("lock", options.lock)
      .end();
  offset = std::min(offset, claim->mr->mr->length);
  options.local = static_cast<uint8_t*>(claim->mr->mr->addr) + offset;
  options.local_length = claim->mr->mr->length - offset;
  options.lkey = claim->mr->mr->lkey;

  ibv_context* const context = claim->mr->pd->context->context;
  claim->change(1);
  try {
    return std::make_unique<LoopHost>(
        env, object(info[1], "callbacks"), ring,
        [&](vlbench::Callbacks callbacks) {
          return vlbench::make_rdma_loop(options, std::move(callbacks),
                                         vlbench::make_probe(verbs->handle, context));
        },
        [claim] { claim->change(-1); });
  } catch (...) {
    claim->change(-1);
    throw;
  }
}

template <class Options>
std::unique_ptr<LoopHost> start_on_socket(const Napi::CallbackInfo& info, OptionReader& in, Options& options,
                                          std::unique_ptr<vlbench::Loop> (*make)(const Options&,
                                                                                 vlbench::Callbacks)) {
  const Napi::Value ring = read_common(in, options);
  in.read("host", options.host).read("port", options.port).end();
  return std::make_unique<LoopHost>(
      info.Env(), object(info[1], "callbacks"), ring,
      [&](vlbench::Callbacks callbacks) { return make(options, std::move(callbacks)); }, nullptr);
}

std::unique_ptr<LoopHost> start_tcp(const Napi::CallbackInfo& info) {
  OptionReader in(info[0]);
  vlbench::TcpOptions options;
  in.read("direction", options.direction)
      .read("connections", options.connections)
      .read("socketBuffer", options.socket_buffer)
      .read("noDelay", options.no_delay)
      .read("ackEvery", options.ack_every)
      .read("memory", options.memory);
  return start_on_socket(info, in, options, vlbench::make_tcp_loop);
}

std::unique_ptr<LoopHost> start_udp(const Napi::CallbackInfo& info) {
  OptionReader in(info[0]);
  vlbench::UdpOptions options;
  in.read("connected", options.connected);
  return start_on_socket(info, in, options, vlbench::make_udp_pingpong);
}

// A class of loops: its name, and the function that starts one.
struct Kind {
  const char* name;
  std::unique_ptr<LoopHost> (*start)(const Napi::CallbackInfo& info);
};
constexpr Kind kKinds[] = {{"Loop", start_rdma}, {"TcpLoop", start_tcp}, {"UdpLoop", start_udp}};

}  // namespace

void LoopWrap::define(Napi::Env env, Napi::Object& exports) {
  for (const Kind& kind : kKinds) {
    exports[kind.name] = DefineClass(
        env, kind.name,
        {InstanceMethod<&LoopWrap::stop>("stop"), InstanceAccessor<&LoopWrap::running>("running")},
        const_cast<Kind*>(&kind));
  }
}

LoopWrap::LoopWrap(const Napi::CallbackInfo& info)
    : ObjectWrap(info), host_(static_cast<const Kind*>(info.Data())->start(info)) {}

void LoopWrap::stop(const Napi::CallbackInfo& info) {
  host_->stop(static_cast<uint64_t>(number(info[0], "drainMs") * 1e6));
}

Napi::Value LoopWrap::running(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), host_->running());
}

}  // namespace addon
