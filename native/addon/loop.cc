#include "addon/loop.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "addon/args.h"
#include "addon/mr.h"
#include "addon/qp.h"
#include "bench/rdma_loop.h"

namespace addon {
namespace {

// What the loop has for itself while it runs. Counted on the JavaScript thread.
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

}  // namespace

Napi::Function LoopWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Loop",
      {InstanceMethod<&LoopWrap::stop>("stop"), InstanceAccessor<&LoopWrap::running>("running")});
}

LoopWrap::LoopWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const char* const call = "startLoop";
  Napi::Env env = info.Env();
  const Napi::Object in = object(info[0], "options");
  vlbench::RdmaOptions options;
  read_loop_options(in, options);
  auto claim = std::make_shared<Claim>();
  claim->mr = MrWrap::from(in.Get("mr"), "mr").open(call);

  const Napi::Array qps = array(in.Get("qps"), "qps");
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
  options.op = static_cast<vlbench::RdmaOp>(std::min(5, integer<int>(in.Get("op"), "op")));
  const auto offset = std::min(integer<size_t>(in.Get("offset"), "offset"), claim->mr->mr->length);
  options.local = static_cast<uint8_t*>(claim->mr->mr->addr) + offset;
  options.local_length = claim->mr->mr->length - offset;
  options.lkey = claim->mr->mr->lkey;
  options.remote = big(in.Get("remoteAddr"), "remoteAddr");
  options.remote_length = integer<uint64_t>(in.Get("remoteLength"), "remoteLength");
  options.rkey = integer<uint32_t>(in.Get("rkey"), "rkey");
  options.tx_depth = integer<uint32_t>(in.Get("txDepth"), "txDepth");
  options.rx_depth = integer<uint32_t>(in.Get("rxDepth"), "rxDepth");
  options.post_list = integer<uint32_t>(in.Get("postList"), "postList");
  options.cq_mod = integer<uint32_t>(in.Get("cqMod"), "cqMod");
  options.inline_data = boolean(in.Get("inline"), "inline");
  options.walk = boolean(in.Get("walk"), "walk");
  options.threads = integer<uint32_t>(in.Get("threads"), "threads");
  options.lock = static_cast<vlbench::ThreadLock>(std::min(2, integer<int>(in.Get("lock"), "lock")));

  ibv_context* const context = claim->mr->pd->context->context;
  claim->change(1);
  try {
    host_ = std::make_unique<LoopHost>(
        env, object(info[1], "callbacks"), in.Get("ring"),
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

void LoopWrap::stop(const Napi::CallbackInfo& info) {
  host_->stop(static_cast<uint64_t>(number(info[0], "drainMs") * 1e6));
}

Napi::Value LoopWrap::running(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), host_->running());
}

}  // namespace addon
