#include "addon/qp.h"

#include <arpa/inet.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "addon/args.h"
#include "addon/cq.h"
#include "addon/pd.h"

namespace addon {

Napi::Function QpWrap::define(Napi::Env env) {
  return DefineClass(
      env, "Qp",
      {InstanceMethod<&QpWrap::close>("close"), InstanceAccessor("closed", &QpWrap::closed, nullptr),
       InstanceAccessor<&QpWrap::qpn>("qpn"), InstanceAccessor<&QpWrap::max_send_wr>("maxSendWr"),
       InstanceAccessor<&QpWrap::max_recv_wr>("maxRecvWr"),
       InstanceAccessor<&QpWrap::max_inline_data>("maxInlineData"), InstanceMethod<&QpWrap::modify>("modify"),
       InstanceMethod<&QpWrap::query>("query"), InstanceMethod<&QpWrap::post_send>("postSend"),
       InstanceMethod<&QpWrap::post_recv>("postRecv")});
}

QpWrap::QpWrap(const Napi::CallbackInfo& info) : Wrapped(info) {
  const char* const call = "ibv_create_qp";
  const auto& pd = PdWrap::from(info[0], "pd").open(call);
  const Napi::Object options = object(info[1], "options");
  auto res = std::make_shared<QpRes>();
  res->pd = pd;
  res->send_cq = CqWrap::from(options.Get("sendCq"), "sendCq").open(call);
  res->recv_cq = CqWrap::from(options.Get("recvCq"), "recvCq").open(call);
  ibv_qp_init_attr attr{};
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
  res->qp = pd->context->verbs->create_qp(pd->pd, &attr);
  if (res->qp == nullptr) throw_errno(info.Env(), errno, call);
  res->cap = cap_ = attr.cap;
  res->signal_all = attr.sq_sig_all != 0;
  res->of_pd = ChildOf(&pd->children);
  res->of_send_cq = ChildOf(&res->send_cq->children);
  res->of_recv_cq = ChildOf(&res->recv_cq->children);
  qpn_ = res->qp->qp_num;
  resource_ = std::move(res);
}

void QpWrap::close(const Napi::CallbackInfo&) {
  if (resource_) destroy(resource_->users);
}

std::string QpWrap::described() const { return "QP " + std::to_string(qpn_); }

const std::shared_ptr<QpRes>& QpWrap::idle(const char* call) const {
  const auto& res = open(call);
  if (res->users != 0) throw_errno(Env(), EBUSY, call, described() + ": a measuring loop has it for itself");
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
    field = static_cast<Field>(integer<uint32_t>(value, name));
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
    const Napi::Object vector = ah.As<Napi::Object>();
    const Napi::Value gid = vector.Get("gid");
    attr.ah_attr.is_global = gid.IsTypedArray() ? 1 : 0;
    if (gid.IsTypedArray()) {
      const auto bytes = gid.As<Napi::Uint8Array>();
      if (bytes.ByteLength() != 16) throw Napi::TypeError::New(info.Env(), "a GID has 16 bytes");
      std::memcpy(attr.ah_attr.grh.dgid.raw, bytes.Data(), 16);
    }
    attr.ah_attr.grh.sgid_index = integer<uint8_t>(vector.Get("gidIndex"), "gidIndex");
    attr.ah_attr.grh.hop_limit = integer<uint8_t>(vector.Get("hopLimit"), "hopLimit");
    attr.ah_attr.grh.traffic_class = integer<uint8_t>(vector.Get("trafficClass"), "trafficClass");
    attr.ah_attr.grh.flow_label = integer<uint32_t>(vector.Get("flowLabel"), "flowLabel");
    attr.ah_attr.dlid = integer<uint16_t>(vector.Get("dlid"), "dlid");
    attr.ah_attr.sl = integer<uint8_t>(vector.Get("sl"), "sl");
    attr.ah_attr.port_num = integer<uint8_t>(vector.Get("port"), "port");
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
                        IBV_QP_ACCESS_FLAGS | IBV_QP_CAP;
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
  out["accessFlags"] = js(env, attr.qp_access_flags);
  out["maxSendWr"] = js(env, attr.cap.max_send_wr);
  out["maxRecvWr"] = js(env, attr.cap.max_recv_wr);
  out["maxSendSge"] = js(env, attr.cap.max_send_sge);
  out["maxRecvSge"] = js(env, attr.cap.max_recv_sge);
  out["maxInlineData"] = js(env, attr.cap.max_inline_data);
  return out;
}

namespace {

void append_sges(const Napi::Value& value, std::vector<ibv_sge>& sges) {
  const Napi::Array list = array(value, "sges");
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object sge = object(list.Get(i), "sge");
    sges.push_back({big(sge.Get("addr"), "addr"), integer<uint32_t>(sge.Get("length"), "length"),
                    integer<uint32_t>(sge.Get("lkey"), "lkey")});
  }
}

// SGEs of all requests lie in one vector; pointers are set when it does not grow any more.
template <typename Wr>
void link(std::vector<Wr>& wrs, std::vector<ibv_sge>& sges) {
  size_t at = 0;
  for (size_t i = 0; i < wrs.size(); ++i) {
    wrs[i].sg_list = sges.data() + at;
    at += static_cast<size_t>(wrs[i].num_sge);
    wrs[i].next = i + 1 < wrs.size() ? &wrs[i + 1] : nullptr;
  }
}

template <typename Wr>
std::string taken(const std::vector<Wr>& wrs, const Wr* bad) {
  if (bad == nullptr || wrs.size() < 2) return {};
  return ": " + std::to_string(bad - wrs.data()) + " of " + std::to_string(wrs.size()) + " were taken";
}

}  // namespace

void QpWrap::post_send(const Napi::CallbackInfo& info) {
  const auto& res = idle("ibv_post_send");
  const Napi::Array list = array(info[0], "wrs");
  if (list.Length() == 0) return;
  std::vector<ibv_send_wr> wrs(list.Length());
  std::vector<ibv_sge> sges;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object in = object(list.Get(i), "wr");
    ibv_send_wr& wr = wrs[i];
    wr.wr_id = big(in.Get("wrId"), "wrId");
    wr.opcode = static_cast<ibv_wr_opcode>(integer<int>(in.Get("opcode"), "opcode"));
    wr.send_flags = integer<unsigned>(in.Get("flags"), "flags");
    wr.imm_data = htonl(integer<uint32_t>(in.Get("immediate"), "immediate"));
    const uint64_t remote = big(in.Get("remoteAddr"), "remoteAddr");
    const auto rkey = integer<uint32_t>(in.Get("rkey"), "rkey");
    if (wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
      wr.wr.atomic.remote_addr = remote;
      wr.wr.atomic.rkey = rkey;
      wr.wr.atomic.compare_add = big(in.Get("compareAdd"), "compareAdd");
      wr.wr.atomic.swap = big(in.Get("swap"), "swap");
    } else {
      wr.wr.rdma.remote_addr = remote;
      wr.wr.rdma.rkey = rkey;
    }
    const size_t before = sges.size();
    append_sges(in.Get("sges"), sges);
    wr.num_sge = static_cast<int>(sges.size() - before);
  }
  link(wrs, sges);
  ibv_send_wr* bad = nullptr;
  const int err = ibv_post_send(res->qp, wrs.data(), &bad);
  check(info.Env(), err, "ibv_post_send", described() + taken(wrs, static_cast<const ibv_send_wr*>(bad)));
}

void QpWrap::post_recv(const Napi::CallbackInfo& info) {
  const auto& res = idle("ibv_post_recv");
  const Napi::Array list = array(info[0], "wrs");
  if (list.Length() == 0) return;
  std::vector<ibv_recv_wr> wrs(list.Length());
  std::vector<ibv_sge> sges;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object in = object(list.Get(i), "wr");
    wrs[i].wr_id = big(in.Get("wrId"), "wrId");
    const size_t before = sges.size();
    append_sges(in.Get("sges"), sges);
    wrs[i].num_sge = static_cast<int>(sges.size() - before);
  }
  link(wrs, sges);
  ibv_recv_wr* bad = nullptr;
  const int err = ibv_post_recv(res->qp, wrs.data(), &bad);
  check(info.Env(), err, "ibv_post_recv", described() + taken(wrs, static_cast<const ibv_recv_wr*>(bad)));
}

}  // namespace addon
