#include "uroce/transport/qp_state.h"

#include <algorithm>
#include <cerrno>
#include <span>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"

namespace uroce::transport {
namespace {

namespace m = qp_mask;

struct Transition {
  QpState from, to;
  uint32_t required, optional;
};

constexpr QpState kReset = QpState::reset, kInit = QpState::init, kRtr = QpState::rtr, kRts = QpState::rts,
                  kSqd = QpState::sqd, kSqe = QpState::sqe, kErr = QpState::err;

constexpr uint32_t kLive =
    m::cur_state | m::alt_path | m::access_flags | m::min_rnr_timer | m::path_mig_state;

// RC. Any state goes to RESET and, RESET excepted, to ERR.
constexpr Transition kRc[] = {
    {kReset, kInit, m::pkey_index | m::port | m::access_flags, 0},
    {kInit, kInit, 0, m::pkey_index | m::port | m::access_flags},
    {kInit, kRtr, m::av | m::path_mtu | m::dest_qpn | m::rq_psn | m::max_dest_rd_atomic | m::min_rnr_timer,
     m::alt_path | m::access_flags | m::pkey_index},
    {kRtr, kRts, m::timeout | m::retry_cnt | m::rnr_retry | m::sq_psn | m::max_qp_rd_atomic, kLive},
    {kRts, kRts, 0, kLive},
    {kRts, kSqd, 0, m::en_sqd_async_notify},
    {kSqd, kRts, 0, kLive},
    {kSqd, kSqd, 0,
     m::port | m::av | m::timeout | m::retry_cnt | m::rnr_retry | m::max_qp_rd_atomic |
         m::max_dest_rd_atomic | m::alt_path | m::access_flags | m::pkey_index | m::min_rnr_timer |
         m::path_mig_state},
};

constexpr uint32_t kLiveUc = m::cur_state | m::alt_path | m::access_flags | m::path_mig_state;

constexpr Transition kUc[] = {
    {kReset, kInit, m::pkey_index | m::port | m::access_flags, 0},
    {kInit, kInit, 0, m::pkey_index | m::port | m::access_flags},
    {kInit, kRtr, m::av | m::path_mtu | m::dest_qpn | m::rq_psn,
     m::alt_path | m::access_flags | m::pkey_index},
    {kRtr, kRts, m::sq_psn, kLiveUc},
    {kRts, kRts, 0, kLiveUc},
    {kRts, kSqd, 0, m::en_sqd_async_notify},
    {kSqd, kRts, 0, kLiveUc},
    {kSqd, kSqd, 0, m::av | m::alt_path | m::access_flags | m::pkey_index | m::path_mig_state},
    {kSqe, kRts, 0, m::cur_state | m::access_flags},
};

constexpr Transition kUd[] = {
    {kReset, kInit, m::pkey_index | m::port | m::qkey, 0},
    {kInit, kInit, 0, m::pkey_index | m::port | m::qkey},
    {kInit, kRtr, 0, m::pkey_index | m::qkey},
    {kRtr, kRts, m::sq_psn, m::cur_state | m::qkey},
    {kRts, kRts, 0, m::cur_state | m::qkey},
    {kRts, kSqd, 0, m::en_sqd_async_notify},
    {kSqd, kRts, 0, m::cur_state | m::qkey},
    {kSqd, kSqd, 0, m::pkey_index | m::qkey},
    {kSqe, kRts, 0, m::cur_state | m::qkey},
};

std::span<const Transition> transitions(QpType type) {
  switch (type) {
    case QpType::uc:
      return kUc;
    case QpType::ud:
      return kUd;
    default:
      return kRc;
  }
}

bool valid_mtu(uint32_t mtu) { return mtu == 256 || mtu == 512 || mtu == 1024 || mtu == 2048 || mtu == 4096; }

// A step and what its mask has too little or too much.
int refuse_step(Cause cause, QpState from, QpState to, uint32_t third) {
  return refuse(EINVAL, cause, static_cast<uint64_t>(from), static_cast<uint64_t>(to), third);
}

}  // namespace

int refused_mask(QpType type, QpState from, QpState to, uint32_t mask) {
  if ((mask & m::cur_state) && from != kRtr && from != kRts && from != kSqd && from != kSqe)
    return refuse_step(Cause::cur_state_early, from, from, 0);
  const uint32_t given = mask & ~m::state;
  uint32_t required = 0, optional = 0;
  if (to == kErr ? from == kReset : to != kReset) {
    const auto steps = transitions(type);
    const auto step =
        std::ranges::find_if(steps, [&](const Transition& t) { return t.from == from && t.to == to; });
    if (step == steps.end()) return refuse_step(Cause::transition, from, to, static_cast<uint32_t>(type));
    required = step->required;
    optional = step->optional;
  }
  if (const uint32_t missing = required & ~given) return refuse_step(Cause::mask_missing, from, to, missing);
  const uint32_t foreign = given & ~(required | optional);
  return foreign != 0 ? refuse_step(Cause::mask_foreign, from, to, foreign) : 0;
}

bool modify_mask_ok(QpType type, QpState from, QpState to, uint32_t mask) {
  return refused_mask(type, from, to, mask) == 0;
}

int QpStateMachine::refused_value(const EngineConfig& c, const QpAttr& a, uint32_t mask) {
  if (mask & m::alt_path) return refuse(EINVAL, Cause::alternate_path);  // the kernel refuses it too
  if ((mask & m::pkey_index) && a.pkey_index != 0) return refuse(EINVAL, Cause::pkey_index, a.pkey_index);
  if ((mask & m::port) && a.port_num != 1) return refuse(EINVAL, Cause::qp_port, a.port_num);
  if ((mask & m::path_mtu) && a.path_mtu > c.max_mtu)
    return refuse(EINVAL, Cause::mtu_beyond_active, a.path_mtu, c.max_mtu);
  if ((mask & m::path_mtu) && !valid_mtu(a.path_mtu)) return refuse(EINVAL, Cause::mtu_not_enum, a.path_mtu);
  if ((mask & m::dest_qpn) && a.dest_qp_num > kQpnMask)
    return refuse(EINVAL, Cause::qpn_too_long, a.dest_qp_num);
  if ((mask & m::max_qp_rd_atomic) && a.max_rd_atomic > c.max_rd_atomic)
    return refuse(EINVAL, Cause::rd_atomic, a.max_rd_atomic, c.max_rd_atomic);
  if ((mask & m::max_dest_rd_atomic) && a.max_dest_rd_atomic > c.max_rd_atomic)
    return refuse(EINVAL, Cause::dest_rd_atomic, a.max_dest_rd_atomic, c.max_rd_atomic);
  const struct {
    uint32_t bit, value, most;
  } ranges[] = {{m::min_rnr_timer, a.min_rnr_timer, 31},
                {m::timeout, a.timeout, 31},
                {m::retry_cnt, a.retry_cnt, 7},
                {m::rnr_retry, a.rnr_retry, 7}};
  for (const auto& range : ranges) {
    if ((mask & range.bit) && range.value > range.most)
      return refuse(EINVAL, Cause::attribute_range, range.bit, range.value, range.most);
  }
  return 0;
}

void QpStateMachine::apply(Qp& qp, const QpAttr& a, uint32_t mask) {
  QpAttr& q = qp.attr_;
  if (mask & m::en_sqd_async_notify) q.en_sqd_async_notify = a.en_sqd_async_notify;
  if (mask & m::access_flags) q.qp_access_flags = a.qp_access_flags;
  if (mask & m::pkey_index) q.pkey_index = a.pkey_index;
  if (mask & m::port) q.port_num = a.port_num;
  if (mask & m::qkey) q.qkey = a.qkey;
  if (mask & m::av) q.av = a.av;
  if (mask & m::path_mtu) {
    q.path_mtu = a.path_mtu;
    qp.mtu_ = a.path_mtu;
  }
  if (mask & m::dest_qpn) q.dest_qp_num = a.dest_qp_num;
  if (mask & m::timeout) q.timeout = a.timeout;
  if (mask & m::retry_cnt) q.retry_cnt = a.retry_cnt;
  if (mask & m::rnr_retry) q.rnr_retry = a.rnr_retry;
  if (mask & m::min_rnr_timer) q.min_rnr_timer = a.min_rnr_timer;
  if (mask & m::max_qp_rd_atomic) q.max_rd_atomic = a.max_rd_atomic;
  if (mask & m::max_dest_rd_atomic) {
    q.max_dest_rd_atomic = a.max_dest_rd_atomic;
    qp.responder_.set_resources(a.max_dest_rd_atomic);
  }
  if (mask & m::rq_psn) qp.reset_receiver(a.rq_psn & kPsnMask);
  if (mask & m::sq_psn) qp.requester_.reset(a.sq_psn & kPsnMask);
}

void QpStateMachine::enter(Engine& engine, Qp& qp, QpState from, QpState to, uint64_t now) {
  if (to == kReset) {
    qp.to_reset();
  } else if (to == kErr) {
    qp.to_error(now);
  } else {
    qp.attr_.qp_state = to;
    if (to == kSqd && from == kRts) qp.requester_.start_drain();
    if (from == kSqe) qp.requester_.resume();
    if (to == kRts) engine.activate(qp);
  }
}

int QpStateMachine::modify(Engine& engine, Qp& qp, const QpAttr& attr, uint32_t mask, uint64_t now) {
  const QpState state = qp.attr_.qp_state;
  const QpState from = mask & m::cur_state ? attr.cur_qp_state : state;
  const QpState to = mask & m::state ? attr.qp_state : from;
  if (from != state) return refuse_step(Cause::cur_state, state, from, 0);
  if (const int error = refused_mask(qp.init_.type, from, to, mask)) return error;
  if (const int error = refused_value(engine.config(), attr, mask)) return error;
  if (from == kSqd && to != kErr && to != kReset && !qp.requester_.drained())
    return refuse(EINVAL, Cause::not_drained);
  apply(qp, attr, mask);
  if (mask & m::state) enter(engine, qp, from, to, now);
  return 0;
}

}  // namespace uroce::transport
