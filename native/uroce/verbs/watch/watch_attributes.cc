#include "uroce/verbs/watch/watch_attributes.h"

#include "uroce/feed/object.h"
#include "uroce/net/host/address.h"
#include "uroce/report/ledger.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs::watch {
namespace {

void describe_mr(feed::Object& out, const MrObject& mr) {
  out.number("pd", number_of(mr.base.pd)).hex("addr", reinterpret_cast<uintptr_t>(mr.base.addr));
  out.number("length", mr.base.length);
  // Regions are made under the engine lock.
  const transport::Mr* known = mr.device->engine().mrs().find(mr.base.lkey);
  // Address of the first byte for peers, if it differs (ibv_reg_mr_iova, ZERO_BASED).
  if (known != nullptr && known->iova != reinterpret_cast<uintptr_t>(mr.base.addr))
    out.hex("iova", known->iova);
  out.flags("access", known != nullptr ? known->access : 0,
            {{IBV_ACCESS_LOCAL_WRITE, "LOCAL_WRITE"},
             {IBV_ACCESS_REMOTE_WRITE, "REMOTE_WRITE"},
             {IBV_ACCESS_REMOTE_READ, "REMOTE_READ"},
             {IBV_ACCESS_REMOTE_ATOMIC, "REMOTE_ATOMIC"},
             {IBV_ACCESS_MW_BIND, "MW_BIND"}});
}

void describe_qp(feed::Object& out, const QpObject& qp) {
  const ibv_qp& base = qp.ex.qp_base;
  out.text("type", qp_type_name(base.qp_type)).number("pd", number_of(base.pd));
  out.number("send_cq", number_of(base.send_cq)).number("recv_cq", number_of(base.recv_cq));
  if (base.srq != nullptr) out.number("srq", number_of(base.srq));
  out.number("max_send_wr", qp.cap.max_send_wr).number("max_recv_wr", qp.cap.max_recv_wr);
  out.number("max_send_sge", qp.cap.max_send_sge).number("max_recv_sge", qp.cap.max_recv_sge);
  out.number("max_inline_data", qp.cap.max_inline_data);
  out.raw("sq_sig_all", qp.sq_sig_all ? "true" : "false");
}

}  // namespace

uint32_t number_of(const void* handle) {
  const auto live = report::ledger().find(handle);
  return live ? live->number : 0;
}

std::string attributes_of(const report::Live& object) {
  feed::Object out;
  if (object.kind == report::Kind::mr) {
    describe_mr(out, *static_cast<const MrObject*>(object.handle));
  } else if (object.kind == report::Kind::qp) {
    describe_qp(out, *static_cast<const QpObject*>(object.handle));
  } else if (object.kind == report::Kind::cq) {
    const auto* cq = static_cast<const CqObject*>(object.handle);
    out.number("cqe", static_cast<uint64_t>(cq->base.cqe));
    if (cq->channel != nullptr) out.number("channel", number_of(cq->channel));
  } else if (object.kind == report::Kind::srq) {
    const auto* srq = static_cast<const SrqObject*>(object.handle);
    out.number("pd", number_of(srq->base.pd)).number("max_wr", srq->srq->query().max_wr);
  } else if (object.kind == report::Kind::mw) {
    const auto* mw = static_cast<const MwObject*>(object.handle);
    out.number("pd", number_of(mw->base.pd)).number("type", mw->base.type);
  } else if (object.kind == report::Kind::ah) {
    const auto* ah = static_cast<const AhObject*>(object.handle);
    out.number("pd", number_of(ah->base.pd));
    out.text("dgid", net::to_text(ah->path.dgid));
  }
  return out.closed();
}

}  // namespace uroce::verbs::watch
