// Objects of the engine and its settings: PDs, memory, CQs, SRQs, QPs and multicast groups. engine.cc has
// what they do.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "uroce/refusal.h"
#include "uroce/transport/engine.h"
#include "uroce/transport/qp_state.h"
#include "uroce/transport/unreliable/ud.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::transport {
namespace {

constexpr uint32_t kLocalQps = 4096;
constexpr uint32_t kLocalMask = kLocalQps - 1;

}  // namespace

Engine::Engine(const EngineConfig& config, RandomSource& random, EventSink& events)
    : config_(config),
      random_(random),
      events_(events),
      mrs_(random, config.max_mr, config.max_mw),
      qps_(kLocalQps),
      mcast_(config.max_mcast_groups, config.max_mcast_qps) {
  config_.max_message = std::min(config_.max_message, kMaxMessage);
  config_.max_sge = std::min(config_.max_sge, kMaxSge);
  config_.max_rd_atomic = std::min(config_.max_rd_atomic, 128u);
  set_windows(config_.window_packets, config_.window_bytes, config_.engine_window_bytes);
  const uint32_t range = kLocalQps - config_.first_local_index;
  next_qp_index_ = config_.first_local_index + random_.next() % range;
}

Engine::~Engine() = default;

uint32_t Engine::alloc_pd() {
  if (pds_.size() >= config_.max_pd) return 0;
  pds_.emplace(next_pd_, 0);
  return next_pd_++;
}

int Engine::dealloc_pd(uint32_t pd) {
  const auto it = pds_.find(pd);
  if (it == pds_.end()) return EINVAL;
  if (it->second != 0 || mrs_.count_in_pd(pd) != 0) return refuse(EBUSY, Cause::in_use, 1);
  pds_.erase(it);
  return 0;
}

std::expected<uint32_t, int> Engine::reg_mr(uint32_t pd, uint8_t* base, uint64_t iova, uint64_t length,
                                            uint32_t access) {
  if (!pds_.contains(pd)) return std::unexpected(EINVAL);
  return mrs_.reg(base, iova, length, access, pd);
}

int Engine::dereg_mr(uint32_t key) { return mrs_.dereg(key); }

std::expected<uint32_t, int> Engine::alloc_mw(uint32_t pd, MwType type) {
  if (!pds_.contains(pd)) return std::unexpected(EINVAL);
  return mrs_.alloc_window(pd, type);
}

int Engine::dealloc_mw(uint32_t rkey) { return mrs_.free_window(rkey); }

std::expected<Cq*, int> Engine::create_cq(uint32_t capacity, bool timed) {
  if (capacity == 0) return std::unexpected(refuse(EINVAL, Cause::cqe));
  if (capacity > config_.max_cqe)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::cqe, capacity, config_.max_cqe));
  if (cqs_.size() >= config_.max_cq)
    return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::cqs, config_.max_cq));
  auto made = std::make_unique<Cq>(capacity, events_, timed);
  Cq* cq = made.get();
  cqs_.emplace(cq, std::move(made));
  if (stamping_) cq->enable_stamps();
  return cq;
}

int Engine::destroy_cq(Cq* cq) {
  const auto it = cqs_.find(cq);
  if (it == cqs_.end()) return EINVAL;
  if (cq->references != 0) return refuse(EBUSY, Cause::in_use, 0);
  cqs_.erase(it);
  return 0;
}

std::expected<Srq*, int> Engine::create_srq(uint32_t pd, const SrqAttr& attr) {
  const auto domain = pds_.find(pd);
  if (domain == pds_.end()) return std::unexpected(refuse(EINVAL, Cause::no_pd));
  if (attr.max_wr == 0) return std::unexpected(refuse(EINVAL, Cause::srq_empty));
  if (attr.max_wr > config_.max_srq_wr)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::srq_wr, attr.max_wr, config_.max_srq_wr));
  if (attr.max_sge > config_.max_sge)
    return std::unexpected(refuse(EINVAL, Cause::cap, Limit::srq_sge, attr.max_sge, config_.max_sge));
  if (srqs_.size() >= config_.max_srq)
    return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::srqs, config_.max_srq));
  auto made = std::make_unique<Srq>(pd, attr, events_);
  Srq* srq = made.get();
  srqs_.emplace(srq, std::move(made));
  ++domain->second;
  return srq;
}

int Engine::modify_srq(Srq& srq, const SrqAttr& attr, uint32_t mask) {
  if ((mask & srq_mask::max_wr) && attr.max_wr > config_.max_srq_wr)
    return refuse(EINVAL, Cause::cap, Limit::srq_wr, attr.max_wr, config_.max_srq_wr);
  return srq.modify(attr, mask);
}

int Engine::destroy_srq(Srq* srq) {
  const auto it = srqs_.find(srq);
  if (it == srqs_.end()) return EINVAL;
  if (srq->references != 0) return refuse(EBUSY, Cause::in_use, 0);
  --pds_.at(srq->pd());
  srqs_.erase(it);
  return 0;
}

std::expected<Qp*, int> Engine::create_qp(const QpInit& init) {
  if (init.type != QpType::rc && init.type != QpType::uc && init.type != QpType::ud)
    return std::unexpected(refuse(EOPNOTSUPP, Cause::qp_type, static_cast<uint64_t>(init.type)));
  const auto domain = pds_.find(init.pd);
  if (init.send_cq == nullptr || init.recv_cq == nullptr)
    return std::unexpected(refuse(EINVAL, Cause::no_cq));
  if (domain == pds_.end()) return std::unexpected(refuse(EINVAL, Cause::no_pd));
  if (const int error = refused_cap(init)) return std::unexpected(error);
  const uint32_t range = kLocalQps - config_.first_local_index;
  if (qp_count_ == range) return std::unexpected(refuse(ENOMEM, Cause::too_many, Thing::qps, range));
  while (qps_[next_qp_index_]) next_qp_index_ = next_index(next_qp_index_);
  const uint32_t index = next_qp_index_;
  next_qp_index_ = next_index(index);
  used_.set(index);
  if (spare_slots_.empty()) spare_slots_.push_back(std::make_unique<PolledSlots>());
  qps_[index] = std::make_unique<Qp>(*this, config_.qpn_base + index, init, std::move(spare_slots_.back()));
  spare_slots_.pop_back();
  Qp* qp = qps_[index].get();
  if (init.type == QpType::rc) set_policy(*qp, config_.policy);
  if (stamping_) qp->sq_.enable_stamps();
  ++init.send_cq->references;
  ++init.recv_cq->references;
  if (init.srq != nullptr) ++init.srq->references;
  ++domain->second;
  ++qp_count_;
  return qp;
}

int Engine::refused_cap(const QpInit& init) const {
  const QpCap& cap = init.cap;
  const bool own = init.srq == nullptr;
  const struct {
    Limit limit;
    uint32_t asked, most;
  } limits[] = {{Limit::send_wr, cap.max_send_wr, config_.max_qp_wr},
                {Limit::send_sge, cap.max_send_sge, config_.max_sge},
                {Limit::inline_data, cap.max_inline_data, config_.max_inline},
                {Limit::recv_wr, own ? cap.max_recv_wr : 0, config_.max_qp_wr},
                {Limit::recv_sge, own ? cap.max_recv_sge : 0, config_.max_sge}};
  for (const auto& [limit, asked, most] : limits) {
    if (asked > most) return refuse(EINVAL, Cause::cap, limit, asked, most);
  }
  return 0;
}

uint32_t Engine::next_index(uint32_t index) const {
  return index + 1 == kLocalQps ? config_.first_local_index : index + 1;
}

int Engine::destroy_qp(Qp* qp) {
  const uint32_t index = qp->qpn() & kLocalMask;
  if (qps_[index].get() != qp) return EINVAL;
  if (mcast_.holds(*qp)) return refuse(EBUSY, Cause::in_use, 3);
  qp->to_reset();
  mrs_.unbind_qp(qp->qpn());
  --qp->init_.send_cq->references;
  --qp->init_.recv_cq->references;
  if (qp->init_.srq != nullptr) --qp->init_.srq->references;
  --pds_.at(qp->init_.pd);
  spare_slots_.push_back(std::move(qp->polled_));
  qps_[index].reset();
  --qp_count_;
  return 0;
}

// Bytes of a packet from BTH to pad that are in memory.
static uint32_t longest_packet(const EngineConfig& config) {
  constexpr uint32_t kHeaders = wire::Bth::kSize + wire::Reth::kSize + wire::ImmDt::kSize;
  static_assert(kHeaders >= wire::Bth::kSize + wire::Ieth::kSize);
  constexpr uint32_t kLongest = std::max<uint32_t>(kHeaders, wire::Bth::kSize + wire::AtomicEth::kSize);
  return kLongest + (config.carry_payload ? config.max_mtu : 0);
}

int Engine::set_policy(Qp& qp, const QpPolicy& policy) {
  if (qp.type() != QpType::rc || qp.state() > QpState::init || !policy.valid()) return EINVAL;
  qp.recovery_.choose(policy.recovery);
  if (policy.recovery == RecoveryKind::selective_repeat && !reorder_.is_open())
    reorder_.open(config_.reorder_packets, longest_packet(config_));
  qp.congestion_.set_ceiling(qp.recovery_.most_in_flight());
  qp.congestion_.choose(policy.congestion, config_.pace_slack_ns);
  qp.responder_.set_acks(policy.ack_every, policy.ack_delay_ns);
  return 0;
}

int Engine::modify_qp(Qp& qp, const QpAttr& attr, uint32_t mask, uint64_t now) {
  return QpStateMachine::modify(*this, qp, attr, mask, now);
}

Qp* Engine::find_qp(uint32_t qpn) const {
  return (qpn & ~kLocalMask) == config_.qpn_base ? qps_[qpn & kLocalMask].get() : nullptr;
}

bool Engine::was_here(uint32_t qpn) const {
  return (qpn & ~kLocalMask) == config_.qpn_base && used_.test(qpn & kLocalMask);
}

std::optional<std::size_t> Engine::peers(std::span<Gid> out) const {
  std::size_t count = 0;
  for (const auto& qp : qps_) {
    if (!qp || !(qp->can_receive() || qp->can_send())) continue;
    if (qp->type() == QpType::ud) return std::nullopt;
    const Gid& peer = qp->attr_.av.dgid;
    const auto known = out.first(count);
    if (std::ranges::find(known, peer) != known.end()) continue;
    if (count == out.size()) return std::nullopt;
    out[count++] = peer;
  }
  return count;
}

int Engine::attach_mcast(Qp& qp, const Gid& group) {
  if (qp.type() != QpType::ud) return refuse(EINVAL, Cause::mcast_qp, static_cast<uint64_t>(qp.type()));
  if (!is_multicast(group)) return refuse(EINVAL, Cause::mcast_gid);
  return mcast_.attach(group, qp);
}

int Engine::detach_mcast(Qp& qp, const Gid& group) { return mcast_.detach(group, qp); }

void Engine::for_each_datagram_path(const std::function<void(const Path&)>& f) const {
  gsi_.for_each_path(f);
  for (const auto& qp : qps_) {
    if (qp && qp->type() == QpType::ud) static_cast<const Ud&>(*qp->unreliable_).for_each_path(f);
  }
}

void Engine::set_windows(uint32_t window_packets, uint32_t window_bytes, uint64_t engine_window_bytes) {
  // Far below half the PSN space, so that "ahead" and "behind" are never confused.
  config_.window_packets = std::clamp(window_packets, 1u, 1u << 20);
  config_.window_bytes = std::max(window_bytes, 1u);
  config_.engine_window_bytes = engine_window_bytes;
  window_full_ = false;
}

void Engine::set_stamping(bool on) {
  stamping_ = on;
  if (!on) return;
  for (auto& [key, cq] : cqs_) cq->enable_stamps();
  for (auto& qp : qps_) {
    if (qp) qp->sq_.enable_stamps();
  }
}

}  // namespace uroce::transport
