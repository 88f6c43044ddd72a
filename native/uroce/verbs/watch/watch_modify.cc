#include "uroce/verbs/watch/watch_modify.h"

#include <mutex>
#include <utility>

#include "uroce/transport/qp_state.h"
#include "uroce/verbs/abi/names.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"

namespace uroce::verbs::watch {
namespace {

namespace m = qp_mask;

// Field of ibv_qp_attr and bit of its mask.
struct Attribute {
  uint32_t bit;
  const char *field, *mask;
};

constexpr Attribute kAttributes[] = {
    {m::access_flags, "qp_access_flags", "IBV_QP_ACCESS_FLAGS"},
    {m::pkey_index, "pkey_index", "IBV_QP_PKEY_INDEX"},
    {m::port, "port_num", "IBV_QP_PORT"},
    {m::qkey, "qkey", "IBV_QP_QKEY"},
    {m::av, "ah_attr", "IBV_QP_AV"},
    {m::path_mtu, "path_mtu", "IBV_QP_PATH_MTU"},
    {m::dest_qpn, "dest_qp_num", "IBV_QP_DEST_QPN"},
    {m::rq_psn, "rq_psn", "IBV_QP_RQ_PSN"},
    {m::max_dest_rd_atomic, "max_dest_rd_atomic", "IBV_QP_MAX_DEST_RD_ATOMIC"},
    {m::min_rnr_timer, "min_rnr_timer", "IBV_QP_MIN_RNR_TIMER"},
    {m::timeout, "timeout", "IBV_QP_TIMEOUT"},
    {m::retry_cnt, "retry_cnt", "IBV_QP_RETRY_CNT"},
    {m::rnr_retry, "rnr_retry", "IBV_QP_RNR_RETRY"},
    {m::sq_psn, "sq_psn", "IBV_QP_SQ_PSN"},
    {m::max_qp_rd_atomic, "max_rd_atomic", "IBV_QP_MAX_QP_RD_ATOMIC"},
};

// `timeout (IBV_QP_TIMEOUT), sq_psn (IBV_QP_SQ_PSN)`
std::string names(uint32_t mask) {
  std::string text;
  for (const Attribute& one : kAttributes) {
    if ((mask & one.bit) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(one.field) + " (" + one.mask + ")";
  }
  return text;
}

}  // namespace

std::string why_not_modified(QpObject* qp, const ibv_qp_attr& attr, uint32_t mask) {
  if ((mask & m::state) == 0 || (mask & m::cur_state) != 0) return {};
  const QpState to = static_cast<QpState>(attr.qp_state);
  if (to == QpState::reset || to == QpState::err) return {};
  QpState from;
  QpType type;
  {
    std::lock_guard guard(qp->device->lock());
    from = qp->qp->state();
    type = qp->qp->init().type;
  }
  const std::string step = std::string(state_name(from)) + " to " + state_name(to);
  const auto fault = transport::mask_fault(type, from, to, mask);
  if (!fault) return "A QP does not go from " + step + " in one step.";
  if (const std::string text = names(fault->missing); !text.empty())
    return "The step from " + step + " also needs " + text + ".";
  if (const std::string text = names(fault->foreign); !text.empty())
    return "The step from " + step + " does not take " + text + ".";
  return {};
}

}  // namespace uroce::verbs::watch
