// The extension API: the functions of ext/uroce.h.
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "uroce/ext/uroce.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/policies.h"
#include "uroce/verbs/device/policy_state.h"

using namespace uroce::verbs;

namespace {

// The device behind the context, or nullptr if it is another device's.
Device* device_of(ibv_context* ctx) { return is_ours(ctx) ? ContextObject::of(ctx)->device : nullptr; }

}  // namespace

extern "C" {

uint32_t uroce_version(void) { return UROCE_VERSION_MAJOR << 16 | UROCE_VERSION_MINOR; }

int uroce_query_cpu(ibv_context* ctx, uroce_cpu* cpu) {
  Device* device = device_of(ctx);
  if (device == nullptr || cpu == nullptr) return EINVAL;
  const CpuMeter::Figures f = device->cpu().figures();
  cpu->engine_user_ns = f.engine_user_ns;
  cpu->engine_kernel_ns = f.engine_kernel_ns;
  cpu->app_thread_ns = f.app_thread_ns;
  cpu->thread_cpu_ns = device->thread().cpu_ns();
  cpu->progress_calls = f.progress_calls;
  cpu->empty_polls = f.empty_polls;
  cpu->app_user_ns = f.app_user_ns;
  return 0;
}

int uroce_query_counters(ibv_context* ctx, uroce_counter* counters, uint32_t* n) {
  Device* device = device_of(ctx);
  if (device == nullptr || n == nullptr || (*n > 0 && counters == nullptr)) return EINVAL;
  std::vector<uroce_counter> all;
  {
    std::lock_guard guard(device->lock());
    all = device->counters();
  }
  const uint32_t capacity = *n;
  *n = static_cast<uint32_t>(all.size());
  const uint32_t count = capacity < *n ? capacity : *n;
  if (count > 0) std::memcpy(counters, all.data(), count * sizeof *counters);
  return capacity < *n ? ENOSPC : 0;
}

int uroce_tap_start(ibv_context* ctx, const uroce_tap_attr* attr) {
  Device* device = device_of(ctx);
  if (device == nullptr || attr == nullptr || attr->mode > UROCE_TAP_KEEP || attr->reserved != 0)
    return EINVAL;
  std::unique_ptr<uroce::net::TapRing> ring;
  try {
    ring = std::make_unique<uroce::net::TapRing>(*attr);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
  std::lock_guard guard(device->lock());
  if (device->tap_running()) return EBUSY;
  device->set_tap(std::move(ring));
  return 0;
}

int uroce_tap_read(ibv_context* ctx, void* buf, size_t len, size_t* used, uint64_t* dropped) {
  Device* device = device_of(ctx);
  if (device == nullptr || buf == nullptr || used == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  uroce::net::TapRing* ring = device->tap();
  if (ring == nullptr) return ENOENT;
  if (dropped != nullptr) *dropped = ring->dropped();
  return ring->read(buf, len, used);
}

int uroce_tap_stop(ibv_context* ctx) {
  Device* device = device_of(ctx);
  if (device == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  if (!device->tap_running()) return ENOENT;
  device->stop_tap();
  return 0;
}

int uroce_pcapng_open(ibv_context* ctx, const char* path) {
  Device* device = device_of(ctx);
  if (device == nullptr || path == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  return device->open_pcapng(path);
}

int uroce_pcapng_close(ibv_context* ctx) {
  Device* device = device_of(ctx);
  if (device == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  return device->close_pcapng();
}

int uroce_set_faults(ibv_context* ctx, const uroce_fault_rates* rates, const uroce_fault_rule* rules,
                     uint32_t n) {
  return uroce_set_shaped_faults(ctx, rates, rules, n, nullptr);
}

int uroce_set_shaped_faults(ibv_context* ctx, const uroce_fault_rates* rates, const uroce_fault_rule* rules,
                            uint32_t n, const uroce_shaping* shaping) {
  Device* device = device_of(ctx);
  if (device == nullptr) return EINVAL;
  auto faults = device->make_faults(rates, rules, n, shaping);
  if (!faults) return faults.error();
  std::lock_guard guard(device->lock());
  device->set_faults(std::move(*faults));
  return 0;
}

int uroce_query_faults(ibv_context* ctx, uroce_fault_report* report) {
  Device* device = device_of(ctx);
  if (device == nullptr || report == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  *report = device->faults() != nullptr ? device->faults()->report() : uroce_fault_report{};
  return 0;
}

int uroce_query_fault_marks(ibv_context* ctx, uint64_t* marked) {
  Device* device = device_of(ctx);
  if (device == nullptr || marked == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  *marked = device->faults() != nullptr ? device->faults()->marked() : 0;
  return 0;
}

int uroce_stamps_start(ibv_context* ctx, const uroce_stamps_attr* attr) {
  Device* device = device_of(ctx);
  if (device == nullptr || attr == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  return device->start_stamps(*attr);
}

int uroce_stamps_read(ibv_context* ctx, uroce_stamp* records, uint32_t* n, uint64_t* dropped) {
  Device* device = device_of(ctx);
  if (device == nullptr || n == nullptr || (*n > 0 && records == nullptr)) return EINVAL;
  std::shared_ptr<StampRing> ring;
  {
    std::lock_guard guard(device->lock());
    ring = device->stamps();
  }
  if (!ring) return ENOENT;
  *n = ring->read(records, *n, dropped);
  return 0;
}

int uroce_stamps_stop(ibv_context* ctx) {
  Device* device = device_of(ctx);
  if (device == nullptr) return EINVAL;
  std::lock_guard guard(device->lock());
  return device->stop_stamps();
}

int uroce_query_mr_pinned(ibv_context* ctx, uroce_pinned* pinned) {
  Device* device = device_of(ctx);
  if (device == nullptr || pinned == nullptr) return EINVAL;
  const PinTable::Figures f = device->pins().figures();
  *pinned = {f.pinned_bytes, f.unpinned_bytes, f.regions, memlock_limit()};
  return 0;
}

int uroce_note_library(const char* path) {
  if (path == nullptr) return EINVAL;
  if (uroce::report::on()) uroce::report::ledger().loaded_library(path);
  return 0;
}

int uroce_set_qp_link(ibv_qp* qp, uroce_link link) {
  if (!is_live(qp) || (raw(link) != UROCE_LINK_UDP && raw(link) != UROCE_LINK_AUTO)) return EINVAL;
  std::lock_guard guard(object(qp)->device->lock());
  object(qp)->sockets_only = link == UROCE_LINK_UDP;
  return 0;
}

int uroce_query_qp_link(ibv_qp* qp, uroce_link* link) {
  using State = uroce::net::RocePort::LinkState;
  if (!is_live(qp) || link == nullptr || qp->qp_type == IBV_QPT_UD) return EINVAL;
  Device& device = *object(qp)->device;
  std::lock_guard guard(device.lock());
  const uroce::QpAttr attr = object(qp)->qp->query();
  if (attr.av.cookie == 0) return ENOTCONN;
  const State state = device.roce_port().link_to(attr.av, attr.dest_qp_num);
  if (state == State::undecided) return EAGAIN;
  *link = state == State::rings ? UROCE_LINK_SHM : UROCE_LINK_UDP;
  return 0;
}

// The function, not the macro: what was built before the macro passes a structure that ends with line_rate.
int(uroce_set_qp_policy)(ibv_qp* qp, const uroce_qp_policy* policy) {
  return uroce_set_qp_policy_sized(qp, policy, offsetof(uroce_qp_policy, ack_every));
}

int uroce_set_qp_policy_sized(ibv_qp* qp, const uroce_qp_policy* policy, uint32_t size) {
  if (!is_live(qp) || policy == nullptr || size < offsetof(uroce_qp_policy, ack_every)) return EINVAL;
  const auto* bytes = reinterpret_cast<const uint8_t*>(policy);
  for (uint32_t i = sizeof *policy; i < size; ++i) {
    if (bytes[i] != 0) return EINVAL;
  }
  uroce_qp_policy known{};
  std::memcpy(&known, policy, std::min<size_t>(size, sizeof known));
  const auto chosen = policy_of(known);
  if (!chosen) return chosen.error();
  Device& device = *object(qp)->device;
  std::lock_guard guard(device.lock());
  return device.engine().set_policy(*object(qp)->qp, *chosen);
}

int uroce_query_qp_policy(ibv_qp* qp, uroce_qp_policy_state* state) {
  constexpr uint32_t kLeast = offsetof(uroce_qp_policy_state, marks) + sizeof state->marks;
  if (!is_live(qp) || state == nullptr || state->size < kLeast) return EINVAL;
  Device& device = *object(qp)->device;
  uroce_qp_policy_state now;
  {
    std::lock_guard guard(device.lock());
    now = policy_state(*object(qp)->qp, device.now());
  }
  now.size = std::min<uint32_t>(state->size, sizeof now);
  std::memcpy(state, &now, now.size);
  return 0;
}

int uroce_query_qp_queues(ibv_qp* qp, uroce_queue* send, uroce_queue* recv) {
  if (!is_live(qp)) return EINVAL;
  QpObject& of = *object(qp);
  std::lock_guard guard(of.device->lock());
  if (send != nullptr) {
    const uint32_t size = of.cap.max_send_wr;
    *send = {size - std::min(size, of.qp->send_room()), size, of.qp->send_queued(), 0};
  }
  if (recv != nullptr) {
    const uint32_t left = qp->srq == nullptr ? of.qp->recv_queued() : 0;
    *recv = {left, qp->srq == nullptr ? of.cap.max_recv_wr : 0, left, 0};
  }
  return 0;
}

int uroce_query_srq_queue(ibv_srq* srq, uroce_queue* queue) {
  if (!is_live(srq) || queue == nullptr) return EINVAL;
  std::lock_guard guard(object(srq)->device->lock());
  const uint32_t left = object(srq)->srq->queued();
  *queue = {left, object(srq)->srq->query().max_wr, left, 0};
  return 0;
}

int uroce_query_cq_queue(ibv_cq* cq, uroce_queue* queue) {
  if (!is_live(cq) || queue == nullptr) return EINVAL;
  std::lock_guard guard(object(cq)->device->lock());
  const uint32_t count = object(cq)->cq->count();
  *queue = {count, object(cq)->cq->capacity(), count, 0};
  return 0;
}

int uroce_send_packet(ibv_qp* qp, const void* packet, size_t length) {
  using Port = uroce::net::RocePort;
  if (!is_live(qp) || packet == nullptr || qp->qp_type == IBV_QPT_UD) return EINVAL;
  if (length < Port::kShortest || length > Port::kLongest) return EINVAL;
  Device& device = *object(qp)->device;
  std::lock_guard guard(device.lock());
  const uroce::QpAttr attr = object(qp)->qp->query();
  if (attr.av.cookie == 0) return ENOTCONN;
  const std::span bytes(static_cast<const uint8_t*>(packet), length);
  return device.roce_port().send_as_is(attr.av, attr.dest_qp_num, bytes) ? 0 : EAGAIN;
}

}  // extern "C"
