// The part of the abuser that deals with queue pairs.
#include <errno.h>

#include <algorithm>

#include "tests/device/abuse.h"

namespace uroce::verbs::test {
namespace {

constexpr int kInit = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
constexpr int kRtr = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                     IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
constexpr int kRts = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                     IBV_QP_MAX_QP_RD_ATOMIC;

ibv_qp_state state_of(ibv_qp* qp) {
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ibv_query_qp(qp, &attr, IBV_QP_STATE, &init);
  return attr.qp_state;
}

// Attributes that are all in range.
ibv_qp_attr good_attr(ibv_context* context, uint32_t peer) {
  ibv_qp_attr attr{};
  attr.port_num = 1;
  attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  attr.path_mtu = IBV_MTU_1024;
  attr.dest_qp_num = peer;
  attr.max_dest_rd_atomic = attr.max_rd_atomic = 4;
  attr.min_rnr_timer = 1;
  attr.timeout = 8;
  attr.retry_cnt = attr.rnr_retry = 2;
  attr.ah_attr.is_global = 1;
  attr.ah_attr.port_num = 1;
  attr.ah_attr.grh.sgid_index = 1;
  ibv_query_gid(context, 1, 1, &attr.ah_attr.grh.dgid);
  return attr;
}

}  // namespace

void Abuser::make_qp() {
  Pd* p = any(pds_);
  Cq *send = any(cqs_), *recv = any(cqs_);
  if (p == nullptr || send == nullptr || qps_.size() >= 8) return;
  Srq* s = one_in(3) ? any(srqs_) : nullptr;
  ibv_qp_init_attr init{};
  init.qp_context = this;
  init.send_cq = one_in(32) ? nullptr : send->cq;
  init.recv_cq = recv->cq;
  init.srq = s != nullptr ? s->srq : nullptr;
  init.qp_type = IBV_QPT_RC;
  init.sq_sig_all = one_in(2);
  const auto max_wr = static_cast<uint32_t>(limits_.max_qp_wr),
             max_sge = static_cast<uint32_t>(limits_.max_sge);
  init.cap = {.max_send_wr = number(max_wr),
              .max_recv_wr = number(max_wr),
              .max_send_sge = number(max_sge),
              .max_recv_sge = number(max_sge),
              .max_inline_data = number(400)};
  const ibv_qp_cap cap = init.cap;
  ibv_qp* qp = ibv_create_qp(p->pd, &init);
  const bool good = init.send_cq != nullptr && cap.max_send_wr <= max_wr && cap.max_send_sge <= max_sge &&
                    cap.max_inline_data <= 400 &&
                    (s != nullptr || (cap.max_recv_wr <= max_wr && cap.max_recv_sge <= max_sge));
  expect("ibv_create_qp", qp == nullptr ? errno : 0, {good ? 0 : EINVAL});
  if (qp == nullptr) return;
  ++p->users, ++send->users, ++recv->users;
  if (s != nullptr) ++s->users;
  qps_.push_back(new Qp{qp, p, send, recv, s, init.cap});
}

void Abuser::connect_qps() {
  Qp *one = any(qps_), *other = any(qps_);
  if (one == nullptr) return;
  for (auto [from, to] : {std::pair(one, other), std::pair(other, one)}) {
    ibv_qp_attr attr = good_attr(context_, to->qp->qp_num);
    attr.qp_state = IBV_QPS_RESET;
    expect("to RESET", ibv_modify_qp(from->qp, &attr, IBV_QP_STATE), {0});
    attr.qp_state = IBV_QPS_INIT;
    expect("to INIT", ibv_modify_qp(from->qp, &attr, kInit), {0});
    attr.qp_state = IBV_QPS_RTR;
    expect("to RTR", ibv_modify_qp(from->qp, &attr, kRtr), {0});
    attr.qp_state = IBV_QPS_RTS;
    // A packet of a peer from an earlier connection may have failed it meanwhile.
    const int error = ibv_modify_qp(from->qp, &attr, kRts);
    if (state_of(from->qp) != IBV_QPS_ERR) expect("to RTS", error, {0});
  }
}

// Any state, any mask: refused unless the mask is the one of that transition.
void Abuser::change_qp() {
  Qp* q = any(qps_);
  if (q == nullptr) return;
  ibv_qp_attr attr = good_attr(context_, static_cast<uint32_t>(random_()) & 0xffffff);
  attr.qp_state = static_cast<ibv_qp_state>(below(8));
  int mask = IBV_QP_STATE;
  switch (below(5)) {
    case 0:
      mask = static_cast<int>(random_() & 0x3ffffff);
      break;
    case 1:
      mask = kInit;
      break;
    case 2:
      mask = kRtr;
      break;
    case 3:
      mask = kRts;
      break;
    default:
      break;
  }
  if (one_in(8)) attr.ah_attr.grh.sgid_index = static_cast<uint8_t>(random_());
  if (one_in(8)) attr.path_mtu = static_cast<ibv_mtu>(below(9));
  const ibv_qp_state before = state_of(q->qp);
  const int error = ibv_modify_qp(q->qp, &attr, mask);
  const ibv_qp_state after = state_of(q->qp);
  expect("ibv_modify_qp", error, {0, EINVAL});
  if (error == 0 && (mask & IBV_QP_STATE) != 0) {
    expect("the state asked for", after, {attr.qp_state, IBV_QPS_ERR});
    if (mask == IBV_QP_STATE) {
      // Only these transitions need nothing else.
      const bool plain = attr.qp_state == IBV_QPS_RESET ||
                         (attr.qp_state == IBV_QPS_ERR && before != IBV_QPS_RESET) ||
                         attr.qp_state == before || (before == IBV_QPS_RTS && attr.qp_state == IBV_QPS_SQD) ||
                         (before == IBV_QPS_SQD && attr.qp_state == IBV_QPS_RTS);
      expect("a transition with nothing but the state", plain, {1});
    }
  } else if (error != 0) {
    expect("the state after a refusal", after, {before, IBV_QPS_ERR});
  }
}

void Abuser::post_send() {
  Qp* q = any(qps_);
  if (q == nullptr) return;
  ibv_sge list[40];
  for (ibv_sge& each : list) each = sge();
  ibv_send_wr wr{};
  wr.wr_id = random_();
  wr.sg_list = list;
  wr.num_sge = one_in(8) ? static_cast<int>(below(42)) - 1 : static_cast<int>(below(3));
  const uint32_t opcode = one_in(16) ? static_cast<uint32_t>(random_() & 0xffff) : below(13);
  wr.opcode = static_cast<ibv_wr_opcode>(opcode);
  wr.send_flags = below(16) & (one_in(4) ? 15u : 7u);
  wr.imm_data = key(true);
  const bool atomic = opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  const ibv_sge there = sge();
  const uint64_t remote = there.addr;
  bool bad = wr.num_sge < 0 || wr.num_sge > static_cast<int>(q->cap.max_send_sge);
  uint64_t length = 0;
  for (int i = 0; i < wr.num_sge && i < 40; ++i) length += list[i].length;
  if (atomic) {
    wr.wr.atomic = {.remote_addr = remote & ~uint64_t{one_in(8) ? 0u : 7u},
                    .compare_add = random_(),
                    .swap = random_(),
                    .rkey = one_in(4) ? key(true) : there.lkey};
  } else {
    wr.wr.rdma = {.remote_addr = remote, .rkey = one_in(4) ? key(true) : there.lkey};
  }
  const bool local = opcode == IBV_WR_LOCAL_INV || opcode == IBV_WR_BIND_MW;
  Mw* w = any(mws_);
  if (opcode == IBV_WR_BIND_MW) {
    Mr* m = any(mrs_);
    wr.bind_mw.mw = w != nullptr ? w->mw : nullptr;
    wr.bind_mw.rkey = static_cast<uint32_t>(random_());
    wr.bind_mw.bind_info = {.mr = m != nullptr ? m->mr : nullptr,
                            .addr = remote,
                            .length = below(1000),
                            .mw_access_flags = below(64)};
    bad = bad || w == nullptr || (m == nullptr && wr.bind_mw.bind_info.length != 0);
  }
  const bool reads = opcode == IBV_WR_RDMA_READ || atomic;
  if ((wr.send_flags & IBV_SEND_INLINE) != 0) {
    bad = bad || reads || local || length > q->cap.max_inline_data;
  }
  const bool missing = opcode == IBV_WR_TSO || opcode == IBV_WR_DRIVER1 || opcode == IBV_WR_ATOMIC_WRITE;
  bad = bad || (opcode > IBV_WR_SEND_WITH_INV && !missing);
  bad = bad || state_of(q->qp) < IBV_QPS_RTS;
  ibv_send_wr* at = nullptr;
  const int error = ibv_post_send(q->qp, &wr, &at);
  if (missing) {
    expect("ibv_post_send of what there is not", error, {EOPNOTSUPP, EINVAL});
  } else {
    expect("ibv_post_send", error, {bad ? EINVAL : 0, bad ? EINVAL : ENOMEM});
  }
  ++(error == 0 ? figures_.posted : figures_.refused);
  if (error == 0 && opcode == IBV_WR_BIND_MW) w->mw->rkey = (w->mw->rkey & ~0xffu) | (wr.bind_mw.rkey & 0xff);
  if (error != 0 && at != &wr) expect("bad_wr of ibv_post_send", 1, {0});
}

void Abuser::post_recv() {
  Qp* q = any(qps_);
  if (q == nullptr) return;
  ibv_sge list[40];
  for (ibv_sge& each : list) each = sge();
  ibv_recv_wr wr{};
  wr.sg_list = list;
  wr.num_sge = one_in(8) ? static_cast<int>(below(42)) - 1 : static_cast<int>(below(3));
  const bool bad = wr.num_sge < 0 || wr.num_sge > static_cast<int>(q->cap.max_recv_sge) ||
                   q->srq != nullptr || state_of(q->qp) == IBV_QPS_RESET;
  ibv_recv_wr* at = nullptr;
  const int error = ibv_post_recv(q->qp, &wr, &at);
  expect("ibv_post_recv", error, {bad ? EINVAL : 0, bad ? EINVAL : ENOMEM});
  if (error != 0 && at != &wr) expect("bad_wr of ibv_post_recv", 1, {0});
}

void Abuser::free_qp() {
  Qp* q = any(qps_);
  if (q == nullptr) return;
  take_events();
  expect("ibv_destroy_qp", ibv_destroy_qp(q->qp), {0});
  --q->pd->users, --q->send->users, --q->recv->users;
  if (q->srq != nullptr) --q->srq->users;
  drop(qps_, q);
}

}  // namespace uroce::verbs::test
