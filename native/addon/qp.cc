#include "addon/qp.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "addon/address.h"
#include "addon/args.h"
#include "addon/cm_id.h"
#include "addon/cq.h"
#include "addon/extended_post.h"
#include "addon/pd.h"
#include "addon/srq.h"
#include "addon/work.h"

namespace addon {

Napi::Function QpWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Qp",
      {InstanceMethod<&QpWrap::close>("close"), InstanceAccessor("closed", &QpWrap::closed, nullptr),
       InstanceAccessor<&QpWrap::qpn>("qpn"), InstanceAccessor<&QpWrap::max_send_wr>("maxSendWr"),
       InstanceAccessor<&QpWrap::max_recv_wr>("maxRecvWr"),
       InstanceAccessor<&QpWrap::max_inline_data>("maxInlineData"), InstanceMethod<&QpWrap::modify>("modify"),
       InstanceMethod<&QpWrap::query>("query"), InstanceMethod<&QpWrap::post_send>("postSend"),
       InstanceMethod<&QpWrap::post_extended>("postExtended"), InstanceMethod<&QpWrap::post_recv>("postRecv"),
       InstanceMethod<&QpWrap::bind_mw>("bindMw"), InstanceMethod<&QpWrap::attach_mcast>("attachMcast"),
       InstanceMethod<&QpWrap::detach_mcast>("detachMcast")});
}

QpWrap::QpWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const Napi::Object options = object(info[1], "options");
  const uint64_t send_ops = big(options.Get("sendOps"), "sendOps");
  const Napi::Value cm_id = options.Get("cmId");
  const char* const call = !cm_id.IsNull() ? "rdma_create_qp"
                           : send_ops == 0 ? "ibv_create_qp"
                                           : "ibv_create_qp_ex";
  const auto& pd = PdWrap::from(info[0], "pd").open(call);
  auto res = std::make_shared<QpRes>();
  res->pd = pd;
  res->send_cq = CqWrap::from(options.Get("sendCq"), "sendCq").open(call);
  res->recv_cq = CqWrap::from(options.Get("recvCq"), "recvCq").open(call);
  if (const Napi::Value srq = options.Get("srq"); !srq.IsNull())
    res->srq = SrqWrap::from(srq, "srq").open(call);
  if (!cm_id.IsNull()) res->cm_id = CmIdWrap::from(cm_id, "cmId").open(call);
  res->send_ops = send_ops;
  ibv_qp_init_attr_ex attr{};
  attr.pd = pd->pd;
  attr.comp_mask = IBV_QP_INIT_ATTR_PD;
  attr.srq = res->srq ? res->srq->srq : nullptr;
  attr.send_cq = res->send_cq->cq;
  attr.recv_cq = res->recv_cq->cq;
  attr.qp_type = static_cast<ibv_qp_type>(integer<int>(options.Get("type"), "type"));
  attr.sq_sig_all = boolean(options.Get("signalAll"), "signalAll") ? 1 : 0;
  attr.cap.max_send_wr = integer<uint32_t>(options.Get("maxSendWr"), "maxSendWr");
  attr.cap.max_recv_wr = integer<uint32_t>(options.Get("maxRecvWr"), "maxRecvWr");
  attr.cap.max_send_sge = integer<uint32_t>(options.Get("maxSendSge"), "maxSendSge");
  attr.cap.max_recv_sge = integer<uint32_t>(options.Get("maxRecvSge"), "maxRecvSge");
  attr.cap.max_inline_data = integer<uint32_t>(options.Get("maxInlineData"), "maxInlineData");
  errno = 0;
  if (res->cm_id) {
    const auto& id = *res->cm_id;
    if (id.channel->cm->create_qp(id.id, pd->pd, reinterpret_cast<ibv_qp_init_attr*>(&attr)) == 0)
      res->qp = id.id->qp;
  } else if (res->send_ops == 0)
    // The extended attributes begin with the plain ones.
    res->qp = pd->context->verbs->create_qp(pd->pd, reinterpret_cast<ibv_qp_init_attr*>(&attr));
  else
    create_extended(*res, attr);
  if (res->qp == nullptr) throw_errno(info.Env(), errno, call);
  res->cap = cap_ = attr.cap;
  res->signal_all = attr.sq_sig_all != 0;
  res->of_pd = ChildOf(&pd->children);
  res->of_send_cq = ChildOf(&res->send_cq->children);
  res->of_recv_cq = ChildOf(&res->recv_cq->children);
  if (res->srq) res->of_srq = ChildOf(&res->srq->children);
  if (res->cm_id) res->of_cm_id = ChildOf(&res->cm_id->children);
  qpn_ = res->qp->qp_num;
  resource_ = std::move(res);
}

void QpWrap::create_extended(QpRes& res, ibv_qp_init_attr_ex& attr) {
  const ContextRes& context = *res.pd->context;
  verbs_context* extended = verbs_get_ctx_op(context.context, create_qp_ex);
  if (extended == nullptr || context.verbs->qp_to_qp_ex == nullptr)
    throw_errno(Env(), EOPNOTSUPP, "ibv_create_qp_ex", "the device has no extended posting");
  attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  attr.send_ops_flags = res.send_ops;
  res.qp = extended->create_qp_ex(context.context, &attr);
  if (res.qp != nullptr) res.extended = context.verbs->qp_to_qp_ex(res.qp);
}

void QpWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->users);
}

std::string QpWrap::described() const { return "QP " + std::to_string(qpn_); }

bool QpWrap::datagram() const { return resource_ && resource_->qp->qp_type == IBV_QPT_UD; }

const std::shared_ptr<QpRes>& QpWrap::idle(const char* call) const {
  const auto& res = open(call);
  if (res->users != 0)
    throw_errno(Env(), EBUSY, call, described() + ": a measuring loop has exclusive use of it");
  return res;
}

Napi::Value QpWrap::qpn(const Napi::CallbackInfo& info) { return js(info.Env(), qpn_); }
Napi::Value QpWrap::max_send_wr(const Napi::CallbackInfo& info) { return js(info.Env(), cap_.max_send_wr); }
Napi::Value QpWrap::max_recv_wr(const Napi::CallbackInfo& info) { return js(info.Env(), cap_.max_recv_wr); }
Napi::Value QpWrap::max_inline_data(const Napi::CallbackInfo& info) {
  return js(info.Env(), cap_.max_inline_data);
}

void QpWrap::modify(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_modify_qp");
  const Napi::Object in = object(info[0], "attributes");
  ibv_qp_attr attr{};
  int mask = 0;
  const auto take = [&](const char* name, int bit, auto& field) {
    const Napi::Value value = in.Get(name);
    if (value.IsUndefined()) return;
    using Field = std::remove_reference_t<decltype(field)>;
    using Range = std::conditional_t<std::is_integral_v<Field>, Field, uint32_t>;
    field = static_cast<Field>(fitting<Range>(number(value, name), info.Env(), name));
    mask |= bit;
  };
  take("state", IBV_QP_STATE, attr.qp_state);
  take("curState", IBV_QP_CUR_STATE, attr.cur_qp_state);
  take("pkeyIndex", IBV_QP_PKEY_INDEX, attr.pkey_index);
  take("port", IBV_QP_PORT, attr.port_num);
  take("qkey", IBV_QP_QKEY, attr.qkey);
  take("accessFlags", IBV_QP_ACCESS_FLAGS, attr.qp_access_flags);
  take("pathMtu", IBV_QP_PATH_MTU, attr.path_mtu);
  take("destQpn", IBV_QP_DEST_QPN, attr.dest_qp_num);
  take("rqPsn", IBV_QP_RQ_PSN, attr.rq_psn);
  take("sqPsn", IBV_QP_SQ_PSN, attr.sq_psn);
  take("timeout", IBV_QP_TIMEOUT, attr.timeout);
  take("retryCount", IBV_QP_RETRY_CNT, attr.retry_cnt);
  take("rnrRetry", IBV_QP_RNR_RETRY, attr.rnr_retry);
  take("minRnrTimer", IBV_QP_MIN_RNR_TIMER, attr.min_rnr_timer);
  take("maxRdAtomic", IBV_QP_MAX_QP_RD_ATOMIC, attr.max_rd_atomic);
  take("maxDestRdAtomic", IBV_QP_MAX_DEST_RD_ATOMIC, attr.max_dest_rd_atomic);
  if (const Napi::Value ah = in.Get("ah"); ah.IsObject()) {
    attr.ah_attr = address_vector(ah.As<Napi::Object>());
    mask |= IBV_QP_AV;
  }
  const int rc = res->pd->context->verbs->modify_qp(res->qp, &attr, mask);
  check(info.Env(), rc < 0 ? errno : rc, "ibv_modify_qp", described());
}

Napi::Value QpWrap::query(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const auto& res = open("ibv_query_qp");
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  constexpr int kMask = IBV_QP_STATE | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_SQ_PSN |
                        IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MIN_RNR_TIMER |
                        IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_PORT |
                        IBV_QP_ACCESS_FLAGS | IBV_QP_CAP | IBV_QP_QKEY;
  const int rc = res->pd->context->verbs->query_qp(res->qp, &attr, kMask, &init);
  check(env, rc < 0 ? errno : rc, "ibv_query_qp", described());
  Napi::Object out = Napi::Object::New(env);
  out["state"] = static_cast<int>(attr.qp_state);
  out["pathMtu"] = static_cast<int>(attr.path_mtu);
  out["destQpn"] = js(env, attr.dest_qp_num);
  out["rqPsn"] = js(env, attr.rq_psn);
  out["sqPsn"] = js(env, attr.sq_psn);
  out["timeout"] = static_cast<int>(attr.timeout);
  out["retryCount"] = static_cast<int>(attr.retry_cnt);
  out["rnrRetry"] = static_cast<int>(attr.rnr_retry);
  out["minRnrTimer"] = static_cast<int>(attr.min_rnr_timer);
  out["maxRdAtomic"] = static_cast<int>(attr.max_rd_atomic);
  out["maxDestRdAtomic"] = static_cast<int>(attr.max_dest_rd_atomic);
  out["port"] = static_cast<int>(attr.port_num);
  out["qkey"] = js(env, attr.qkey);
  out["accessFlags"] = js(env, attr.qp_access_flags);
  out["maxSendWr"] = js(env, attr.cap.max_send_wr);
  out["maxRecvWr"] = js(env, attr.cap.max_recv_wr);
  out["maxSendSge"] = js(env, attr.cap.max_send_sge);
  out["maxRecvSge"] = js(env, attr.cap.max_recv_sge);
  out["maxInlineData"] = js(env, attr.cap.max_inline_data);
  return out;
}

void QpWrap::post_send(const Napi::CallbackInfo& info) {
  const auto& res = idle("ibv_post_send");
  SendList list(info[0], "ibv_post_send", datagram());
  if (list.wrs.empty()) return;
  ibv_send_wr* bad = nullptr;
  const int err = ibv_post_send(res->qp, list.wrs.data(), &bad);
  if (err == 0) bad = nullptr;
  list.accepted(bad);
  check(info.Env(), err, "ibv_post_send", described() + list.taken(bad));
}

void QpWrap::post_extended(const Napi::CallbackInfo& info) {
  const char* const call = "ibv_wr_complete";
  const auto& res = idle(call);
  if (res->extended == nullptr)
    throw_errno(info.Env(), EOPNOTSUPP, call, described() + " was not created for extended posting");
  const SendList list(info[0], call, datagram());
  if (list.wrs.empty()) return;
  check(info.Env(), addon::post_extended(res->extended, res->send_ops, list, datagram()), call, described());
  list.accepted(nullptr);
}

void QpWrap::post_recv(const Napi::CallbackInfo& info) {
  const auto& res = idle("ibv_post_recv");
  RecvList list(info[0]);
  if (list.wrs.empty()) return;
  ibv_recv_wr* bad = nullptr;
  const int err = ibv_post_recv(res->qp, list.wrs.data(), &bad);
  check(info.Env(), err, "ibv_post_recv", described() + list.taken(bad));
}

void QpWrap::bind_mw(const Napi::CallbackInfo& info) {
  const char* const call = "ibv_bind_mw";
  const auto& res = idle(call);
  const Napi::Object in = object(info[0], "bind");
  const Bind bind(in, call);
  ibv_mw_bind request{};
  request.wr_id = big(in.Get("wrId"), "wrId");
  request.send_flags = integer<unsigned>(in.Get("flags"), "flags");
  request.bind_info = bind.info;
  const int rc = ibv_bind_mw(res->qp, bind.mw->mw, &request);
  check(info.Env(), rc < 0 ? errno : rc, call, described());
  bind.accepted(bind.mw->mw->rkey);
}

void QpWrap::attach_mcast(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_attach_mcast");
  const ibv_gid gid = gid_of(info[0]);
  const auto lid = integer<uint16_t>(info[1], "lid");
  const int rc = res->pd->context->verbs->attach_mcast(res->qp, &gid, lid);
  check(info.Env(), rc < 0 ? errno : rc, "ibv_attach_mcast", described());
  res->groups.emplace_back(gid, lid);
}

void QpWrap::detach_mcast(const Napi::CallbackInfo& info) {
  const auto& res = open("ibv_detach_mcast");
  const ibv_gid gid = gid_of(info[0]);
  const auto lid = integer<uint16_t>(info[1], "lid");
  const int rc = res->pd->context->verbs->detach_mcast(res->qp, &gid, lid);
  check(info.Env(), rc < 0 ? errno : rc, "ibv_detach_mcast", described());
  const auto one = std::ranges::find_if(res->groups, [&](const auto& group) {
    return group.second == lid && std::memcmp(group.first.raw, gid.raw, sizeof gid.raw) == 0;
  });
  if (one != res->groups.end()) res->groups.erase(one);
}

}  // namespace addon
