#include "tests/device/abuse.h"

#include <errno.h>
#include <poll.h>

#include <algorithm>
#include <cstring>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {

Abuser::Abuser(uint64_t seed) : random_(seed), context_(open_device()) {
  ibv_query_device(context_, &limits_);
}

std::string Abuser::run(int n) {
  for (int i = 0; i < n && wrong_.empty(); ++i) {
    call();
    if (!wrong_.empty()) wrong_ = "call " + std::to_string(i) + ": " + wrong_;
  }
  return wrong_;
}

void Abuser::expect(const char* what, int got, std::initializer_list<int> allowed) {
  if (std::find(allowed.begin(), allowed.end(), got) != allowed.end() || !wrong_.empty()) return;
  wrong_ = std::string(what) + " gave " + std::to_string(got) + ", not";
  for (int e : allowed) wrong_ += " " + std::to_string(e);
}

uint32_t Abuser::number(uint32_t limit) {
  switch (below(8)) {
    case 0:
      return 0;
    case 1:
      return limit;
    case 2:
      return limit + 1;
    case 3:
      return one_in(4) ? UINT32_MAX : 1;
    default:
      return 1 + below(std::min(limit, 40u));
  }
}

ibv_sge Abuser::sge() {
  if (Mr* m = one_in(16) ? nullptr : any(mrs_)) {
    const auto length = static_cast<uint32_t>(m->mr->length);
    const uint32_t into = below(length);
    return {reinterpret_cast<uintptr_t>(m->mr->addr) + into,
            below(std::min(length - into, one_in(4) ? 20'000u : 64u) + 1), m->mr->lkey};
  }
  const uint32_t at = below(static_cast<uint32_t>(arena_.size()));
  const uint32_t left = static_cast<uint32_t>(arena_.size()) - at;
  return {reinterpret_cast<uintptr_t>(arena_.data()) + at,
          below(std::min(left, one_in(4) ? 20'000u : 64u) + 1), key(false)};
}

uint32_t Abuser::key(bool remote) {
  Mw* w = one_in(3) ? any(mws_) : nullptr;
  if (remote && w != nullptr) return w->mw->rkey;
  Mr* r = any(mrs_);
  return r == nullptr || one_in(16) ? static_cast<uint32_t>(random_()) : r->mr->lkey;
}

void Abuser::call() {
  using Call = void (Abuser::*)();
  static constexpr Call kMaking[] = {&Abuser::make_pd,      &Abuser::make_mr, &Abuser::make_mw,
                                     &Abuser::make_channel, &Abuser::make_cq, &Abuser::make_srq,
                                     &Abuser::make_qp};
  static constexpr Call kChanging[] = {&Abuser::change_mr,  &Abuser::bind_mw,     &Abuser::resize_cq,
                                       &Abuser::change_srq, &Abuser::connect_qps, &Abuser::change_qp,
                                       &Abuser::ask};
  static constexpr Call kFreeing[] = {&Abuser::free_pd,      &Abuser::free_mr, &Abuser::free_mw,
                                      &Abuser::free_channel, &Abuser::free_cq, &Abuser::free_srq,
                                      &Abuser::free_qp};
  static constexpr Call kWorking[] = {&Abuser::post_send,  &Abuser::post_send, &Abuser::post_recv,
                                      &Abuser::post_srq,   &Abuser::use_cq,    &Abuser::connect_qps,
                                      &Abuser::take_events};
  const uint32_t kind = below(32);
  const auto& table = kind < 6 ? kMaking : kind < 7 ? kFreeing : kind < 10 ? kChanging : kWorking;
  (this->*table[below(7)])();
}

void Abuser::make_pd() {
  if (pds_.size() >= 4) return;
  ibv_pd* pd = ibv_alloc_pd(context_);
  expect("ibv_alloc_pd", pd == nullptr, {0});
  if (pd != nullptr) pds_.push_back(new Pd{pd});
}

void Abuser::free_pd() {
  Pd* p = any(pds_);
  if (p == nullptr) return;
  const int error = ibv_dealloc_pd(p->pd);
  expect("ibv_dealloc_pd", error, {p->users != 0 ? EBUSY : 0});
  if (error == 0) drop(pds_, p);
}

void Abuser::make_mr() {
  Pd* p = any(pds_);
  if (p == nullptr || mrs_.size() >= 12) return;
  const uint32_t at = below(static_cast<uint32_t>(arena_.size()));
  const uint32_t length = below(static_cast<uint32_t>(arena_.size()) - at);
  const unsigned access =
      one_in(8) ? static_cast<unsigned>(random_()) & 0xff : below(32) | (one_in(2) ? 1 : 0);
  ibv_mr* mr = ibv_reg_mr(p->pd, arena_.data() + at, length, static_cast<int>(access));
  const int error = mr == nullptr ? errno : 0;
  const bool unwritable = (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0 &&
                          !(access & IBV_ACCESS_LOCAL_WRITE);
  if ((access & IBV_ACCESS_ON_DEMAND) != 0) {
    expect("ibv_reg_mr on demand", error, {EOPNOTSUPP});
  } else {
    expect("ibv_reg_mr", error, {unwritable ? EINVAL : 0});
  }
  if (mr == nullptr) return;
  ++p->users;
  mrs_.push_back(new Mr{mr, p, access});
}

void Abuser::change_mr() {
  Mr* m = any(mrs_);
  if (m == nullptr) return;
  const int flags = static_cast<int>(below(9));
  Pd* p = any(pds_);
  const uint32_t at = below(static_cast<uint32_t>(arena_.size()));
  const uint32_t length = below(static_cast<uint32_t>(arena_.size()) - at);
  const unsigned access = one_in(2) ? 0 : below(32);
  errno = 0;
  const int result = ibv_rereg_mr(m->mr, flags, p->pd, arena_.data() + at, length, static_cast<int>(access));
  const bool input = flags < 8 && (access == 0 || (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0) &&
                     ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) == 0 || length != 0);
  const unsigned rights = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0 ? access : m->access;
  const bool unwritable = (rights & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0 &&
                          !(rights & IBV_ACCESS_LOCAL_WRITE);
  const bool named = input && flags != 0;
  if (result == 0) {
    expect("ibv_rereg_mr succeeds", named && !unwritable, {1});
    if ((flags & IBV_REREG_MR_CHANGE_PD) != 0) {
      --m->pd->users;
      m->pd = p;
      ++p->users;
    }
    if ((flags & IBV_REREG_MR_CHANGE_ACCESS) != 0) m->access = access;
  } else {
    expect("ibv_rereg_mr", result, {input ? IBV_REREG_MR_ERR_CMD : IBV_REREG_MR_ERR_INPUT});
    expect("errno of ibv_rereg_mr", errno, {named && !unwritable ? EBUSY : EINVAL});
  }
}

void Abuser::free_mr() {
  Mr* m = any(mrs_);
  if (m == nullptr) return;
  const int error = ibv_dereg_mr(m->mr);
  const bool may_be_bound = (m->access & IBV_ACCESS_MW_BIND) != 0 && !mws_.empty();
  expect("ibv_dereg_mr", error, {0, may_be_bound ? EBUSY : 0});
  if (error != 0) return;
  --m->pd->users;
  drop(mrs_, m);
}

void Abuser::make_mw() {
  Pd* p = any(pds_);
  if (p == nullptr || mws_.size() >= 6) return;
  const uint32_t type = below(4);
  ibv_mw* mw = ibv_alloc_mw(p->pd, static_cast<ibv_mw_type>(type));
  expect("ibv_alloc_mw", mw == nullptr ? errno : 0, {type == 1 || type == 2 ? 0 : EINVAL});
  if (mw == nullptr) return;
  ++p->users;
  mws_.push_back(new Mw{mw, p});
}

void Abuser::free_mw() {
  Mw* w = any(mws_);
  if (w == nullptr) return;
  expect("ibv_dealloc_mw", ibv_dealloc_mw(w->mw), {0});
  --w->pd->users;
  drop(mws_, w);
}

void Abuser::bind_mw() {
  Mw* w = any(mws_);
  Mr* m = any(mrs_);
  Qp* q = any(qps_);
  if (w == nullptr || m == nullptr || q == nullptr) return;
  ibv_mw_bind bind{.wr_id = 1, .send_flags = below(16), .bind_info = {}};
  bind.bind_info = {.mr = one_in(8) ? nullptr : m->mr,
                    .addr = one_in(2) ? reinterpret_cast<uintptr_t>(m->mr->addr) + below(64) : below(64),
                    .length = below(3) * below(4000),
                    .mw_access_flags = below(64)};
  ibv_qp_attr attr{};
  ibv_qp_init_attr init{};
  ibv_query_qp(q->qp, &attr, IBV_QP_STATE, &init);
  const int error = ibv_bind_mw(q->qp, w->mw, &bind);
  const ibv_mw_bind_info& info = bind.bind_info;
  if (w->mw->type != IBV_MW_TYPE_1 || (info.mr == nullptr && (info.addr != 0 || info.length != 0))) {
    expect("ibv_bind_mw", error, {EINVAL});
  } else if (info.mr != nullptr && info.mr->pd != w->mw->pd) {
    expect("ibv_bind_mw across PDs", error, {EPERM});
  } else if ((info.mw_access_flags & IBV_ACCESS_ZERO_BASED) != 0 || attr.qp_state < IBV_QPS_RTS ||
             (bind.send_flags & IBV_SEND_INLINE) != 0) {
    expect("ibv_bind_mw in a wrong way", error, {EINVAL});
  } else {
    expect("ibv_bind_mw", error, {0, ENOMEM});
  }
}

void Abuser::make_channel() {
  if (channels_.size() >= 3) return;
  ibv_comp_channel* channel = ibv_create_comp_channel(context_);
  expect("ibv_create_comp_channel", channel == nullptr, {0});
  if (channel != nullptr) channels_.push_back(new Channel{channel});
}

void Abuser::free_channel() {
  Channel* c = any(channels_);
  if (c == nullptr) return;
  const int error = ibv_destroy_comp_channel(c->channel);
  expect("ibv_destroy_comp_channel", error, {c->users != 0 ? EBUSY : 0});
  if (error == 0) drop(channels_, c);
}

void Abuser::make_cq() {
  if (cqs_.size() >= 6) return;
  Channel* c = one_in(2) ? any(channels_) : nullptr;
  const uint32_t cqe = number(static_cast<uint32_t>(limits_.max_cqe));
  const int vector = one_in(16) ? static_cast<int>(below(3)) - 1 : 0;
  if (cqe == static_cast<uint32_t>(limits_.max_cqe) && !one_in(16)) return;  // 48 MiB each
  ibv_cq* cq =
      ibv_create_cq(context_, static_cast<int>(cqe), this, c != nullptr ? c->channel : nullptr, vector);
  const bool good = cqe != 0 && cqe <= static_cast<uint32_t>(limits_.max_cqe) && vector == 0;
  expect("ibv_create_cq", cq == nullptr ? errno : 0, {good ? 0 : EINVAL});
  if (cq == nullptr) return;
  if (c != nullptr) ++c->users;
  cqs_.push_back(new Cq{cq, c});
}

void Abuser::resize_cq() {
  Cq* c = any(cqs_);
  if (c == nullptr) return;
  const uint32_t cqe = number(200);
  const int error = ibv_resize_cq(c->cq, static_cast<int>(cqe));
  expect("ibv_resize_cq", error,
         {EINVAL, cqe == 0 || cqe > static_cast<uint32_t>(limits_.max_cqe) ? EINVAL : 0});
}

void Abuser::use_cq() {
  Cq* c = any(cqs_);
  if (c == nullptr) return;
  ibv_wc wc[16];
  const int n = static_cast<int>(below(18)) - 1;
  const int got = ibv_poll_cq(c->cq, n, wc);
  if (got > n || (n >= 0 && got < 0) || (n < 0 && got >= 0)) expect("ibv_poll_cq", got, {n});
  for (int i = 0; i < got; ++i) {
    if (wc[i].status > IBV_WC_GENERAL_ERR) expect("a wc status", wc[i].status, {0});
    ++(wc[i].status == IBV_WC_SUCCESS        ? figures_.succeeded
       : wc[i].status == IBV_WC_WR_FLUSH_ERR ? figures_.flushed
                                             : figures_.failed);
  }
  if (one_in(4)) expect("ibv_req_notify_cq", ibv_req_notify_cq(c->cq, static_cast<int>(below(2))), {0});
  if (c->channel == nullptr) return;
  pollfd p{c->channel->channel->fd, POLLIN, 0};
  if (poll(&p, 1, 0) != 1) return;
  ibv_cq* cq = nullptr;
  void* cq_context = nullptr;
  expect("ibv_get_cq_event", ibv_get_cq_event(c->channel->channel, &cq, &cq_context), {0});
  if (cq_context != this) expect("cq_context", 1, {0});
  ibv_ack_cq_events(cq, 1);
}

void Abuser::free_cq() {
  Cq* c = any(cqs_);
  if (c == nullptr) return;
  take_events();
  const int error = ibv_destroy_cq(c->cq);
  expect("ibv_destroy_cq", error, {c->users != 0 ? EBUSY : 0});
  if (error != 0) return;
  if (c->channel != nullptr) --c->channel->users;
  drop(cqs_, c);
}

void Abuser::make_srq() {
  Pd* p = any(pds_);
  if (p == nullptr || srqs_.size() >= 3) return;
  ibv_srq_init_attr init{};
  init.attr = {.max_wr = number(static_cast<uint32_t>(limits_.max_srq_wr)),
               .max_sge = number(static_cast<uint32_t>(limits_.max_srq_sge)),
               .srq_limit = below(100)};
  ibv_srq* srq = ibv_create_srq(p->pd, &init);
  const bool good = init.attr.max_wr != 0 && init.attr.max_wr <= static_cast<uint32_t>(limits_.max_srq_wr) &&
                    init.attr.max_sge <= static_cast<uint32_t>(limits_.max_srq_sge);
  expect("ibv_create_srq", srq == nullptr ? errno : 0, {good ? 0 : EINVAL});
  if (srq == nullptr) return;
  ++p->users;
  srqs_.push_back(new Srq{srq, p, init.attr.max_wr, init.attr.max_sge});
}

void Abuser::change_srq() {
  Srq* s = any(srqs_);
  if (s == nullptr) return;
  ibv_srq_attr attr{.max_wr = number(static_cast<uint32_t>(limits_.max_srq_wr)),
                    .max_sge = 1,
                    .srq_limit = number(s->max_wr)};
  const int mask = static_cast<int>(below(5));
  const int error = ibv_modify_srq(s->srq, &attr, mask);
  const bool resize = (mask & IBV_SRQ_MAX_WR) != 0;
  const uint32_t size = resize ? attr.max_wr : s->max_wr;
  const bool bad = mask == 4 || size == 0 || size > static_cast<uint32_t>(limits_.max_srq_wr) ||
                   ((mask & IBV_SRQ_LIMIT) != 0 && attr.srq_limit > size);
  // Smaller than what is posted, or than a limit armed before: who knows.
  expect("ibv_modify_srq", error, {bad || resize ? EINVAL : 0, bad ? EINVAL : 0});
  if (error == 0) s->max_wr = size;
  ibv_srq_attr now{};
  expect("ibv_query_srq", ibv_query_srq(s->srq, &now), {0});
  expect("max_wr of an SRQ", static_cast<int>(now.max_wr), {static_cast<int>(s->max_wr)});
}

void Abuser::post_srq() {
  Srq* s = any(srqs_);
  if (s == nullptr) return;
  ibv_sge list[40];
  for (ibv_sge& each : list) each = sge();
  ibv_recv_wr wr{};
  wr.sg_list = list;
  wr.num_sge = one_in(8) ? static_cast<int>(below(42)) - 1 : static_cast<int>(below(3));
  ibv_recv_wr* bad = nullptr;
  const int error = ibv_post_srq_recv(s->srq, &wr, &bad);
  const bool good = wr.num_sge >= 0 && wr.num_sge <= static_cast<int>(s->max_sge);
  expect("ibv_post_srq_recv", error, {good ? 0 : EINVAL, good ? ENOMEM : EINVAL});
  if (error != 0 && bad != &wr) expect("bad_wr of ibv_post_srq_recv", 1, {0});
}

void Abuser::free_srq() {
  Srq* s = any(srqs_);
  if (s == nullptr) return;
  take_events();
  const int error = ibv_destroy_srq(s->srq);
  expect("ibv_destroy_srq", error, {s->users != 0 ? EBUSY : 0});
  if (error != 0) return;
  --s->pd->users;
  drop(srqs_, s);
}

void Abuser::ask() {
  ibv_port_attr port{};
  const auto number_of_port = static_cast<uint8_t>(below(3));
  expect("ibv_query_port", ibv_query_port(context_, number_of_port, &port),
         {number_of_port == 1 ? 0 : EINVAL});
  ibv_gid gid{};
  const int index = static_cast<int>(below(2000)) - 4;
  expect("ibv_query_gid", ibv_query_gid(context_, number_of_port, index, &gid),
         {number_of_port == 1 && index >= 0 && index < port.gid_tbl_len ? 0 : -1});
  __be16 pkey = 0;
  expect("ibv_query_pkey", ibv_query_pkey(context_, number_of_port, index, &pkey),
         {number_of_port == 1 && index == 0 ? 0 : -1});
  ibv_gid_entry entry{};
  const int error =
      ibv_query_gid_ex(context_, number_of_port, static_cast<uint32_t>(index), &entry, below(2));
  expect("ibv_query_gid_ex", error, {0, EINVAL, ENODATA, EOPNOTSUPP});
}

void Abuser::take_events() {
  pollfd p{context_->async_fd, POLLIN, 0};
  while (poll(&p, 1, 0) == 1) {
    ibv_async_event event{};
    expect("ibv_get_async_event", ibv_get_async_event(context_, &event), {0});
    ibv_ack_async_event(&event);
    ++figures_.events;
  }
}

void Abuser::finish() {
  while (!qps_.empty()) free_qp();
  while (!srqs_.empty()) free_srq();
  while (!mws_.empty()) free_mw();
  while (!mrs_.empty()) free_mr();
  while (!cqs_.empty()) free_cq();
  while (!channels_.empty()) free_channel();
  while (!pds_.empty()) free_pd();
  EXPECT_EQ(wrong_, "");
  EXPECT_EQ(ibv_close_device(context_), 0);
}

}  // namespace uroce::verbs::test
