// Extended completion queues: completions are visited one by one and read through functions. A thread between
// start_poll and end_poll keeps out only threads that poll the same way: a plain poll, a resize or an event
// never waits for it.
#include <errno.h>
#include <time.h>

#include "uroce/net/host/clock.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {
namespace {

constexpr uint64_t kTimes =
    uint64_t{IBV_WC_EX_WITH_COMPLETION_TIMESTAMP} | uint64_t{IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK};
constexpr uint64_t kFields = uint64_t{IBV_WC_STANDARD_FLAGS} | kTimes;

int visit(CqObject* cq) {
  ibv_wc wc;
  if (report::on()) watch::polls(*cq, {});
  if (poll_cq(cq, 1, &wc, cq->timed ? &cq->current_time : nullptr) == 0) return ENOENT;
  if (report::on()) watch::polled(&wc, 1);
  std::memcpy(&cq->current, &wc, sizeof wc);
  cq->ex.wr_id = wc.wr_id;
  cq->ex.status = wc.status;
  return 0;
}

// From the device's clock, the monotonic one, to the time of day, ns.
uint64_t wall_offset() {
  timespec wall{};
  clock_gettime(CLOCK_REALTIME, &wall);
  return static_cast<uint64_t>(wall.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(wall.tv_nsec) -
         net::now_ns();
}

int start_poll(ibv_cq_ex* handle, ibv_poll_cq_attr* attr) {
  CqObject* cq = object(handle);
  if (attr->comp_mask != 0) return EINVAL;
  if (!cq->single_threaded) cq->batch_lock.lock();
  // Once for all of a batch, so that its times stay in their order.
  if (handle->read_completion_wallclock_ns != nullptr) cq->wall_offset = wall_offset();
  const int error = visit(cq);
  if (error != 0 && !cq->single_threaded) cq->batch_lock.unlock();
  return error;
}

int next_poll(ibv_cq_ex* handle) { return visit(object(handle)); }

void end_poll(ibv_cq_ex* handle) {
  CqObject* cq = object(handle);
  if (!cq->single_threaded) cq->batch_lock.unlock();
}

const transport::Completion& current(ibv_cq_ex* handle) { return object(handle)->current; }

ibv_wc_opcode read_opcode(ibv_cq_ex* cq) { return static_cast<ibv_wc_opcode>(current(cq).opcode); }
uint32_t read_vendor_err(ibv_cq_ex* cq) { return current(cq).vendor_err; }
uint32_t read_byte_len(ibv_cq_ex* cq) { return current(cq).byte_len; }
__be32 read_imm_data(ibv_cq_ex* cq) { return current(cq).imm_data; }
uint32_t read_qp_num(ibv_cq_ex* cq) { return current(cq).qp_num; }
uint32_t read_src_qp(ibv_cq_ex* cq) { return current(cq).src_qp; }
unsigned int read_wc_flags(ibv_cq_ex* cq) { return current(cq).wc_flags; }
uint32_t read_slid(ibv_cq_ex* cq) { return current(cq).slid; }
uint8_t read_sl(ibv_cq_ex* cq) { return current(cq).sl; }
uint8_t read_dlid_path_bits(ibv_cq_ex* cq) { return current(cq).dlid_path_bits; }
uint64_t read_completion_ts(ibv_cq_ex* cq) { return object(cq)->current_time; }

uint64_t read_wallclock(ibv_cq_ex* cq) { return object(cq)->current_time + object(cq)->wall_offset; }

// Read functions for fields that were not requested stay null, as the man page says.
void fill_readers(ibv_cq_ex* cq, uint64_t fields) {
  cq->start_poll = start_poll;
  cq->next_poll = next_poll;
  cq->end_poll = end_poll;
  cq->read_opcode = read_opcode;
  cq->read_vendor_err = read_vendor_err;
  cq->read_wc_flags = read_wc_flags;
  if (fields & IBV_WC_EX_WITH_BYTE_LEN) cq->read_byte_len = read_byte_len;
  if (fields & IBV_WC_EX_WITH_IMM) cq->read_imm_data = read_imm_data;
  if (fields & IBV_WC_EX_WITH_QP_NUM) cq->read_qp_num = read_qp_num;
  if (fields & IBV_WC_EX_WITH_SRC_QP) cq->read_src_qp = read_src_qp;
  if (fields & IBV_WC_EX_WITH_SLID) cq->read_slid = read_slid;
  if (fields & IBV_WC_EX_WITH_SL) cq->read_sl = read_sl;
  if (fields & IBV_WC_EX_WITH_DLID_PATH_BITS) cq->read_dlid_path_bits = read_dlid_path_bits;
  if (fields & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP) cq->read_completion_ts = read_completion_ts;
  if (fields & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
    cq->read_completion_wallclock_ns = read_wallclock;
}

}  // namespace

namespace {

// EINVAL: bits that do not exist. EOPNOTSUPP: fields of other devices, overrun to be ignored.
ibv_cq_ex* create_extended(ibv_context* context, ibv_cq_init_attr_ex* attr) {
  constexpr uint32_t kMasks = IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD;
  constexpr uint32_t kFlags = IBV_CREATE_CQ_ATTR_SINGLE_THREADED | IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
  const uint32_t flags = (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS) != 0 ? attr->flags : 0;
  if ((attr->comp_mask & ~kMasks) != 0 || (flags & ~kFlags) != 0)
    return fail<ibv_cq_ex>(
        refuse(EINVAL, Cause::unknown_flags, (attr->comp_mask & ~kMasks) | (flags & ~kFlags)));
  const uint32_t most =
      context->device != nullptr ? ContextObject::of(context)->device->engine().config().max_cqe : 0;
  if (attr->cqe > INT32_MAX) return fail<ibv_cq_ex>(refuse(EINVAL, Cause::cap, Limit::cqe, attr->cqe, most));
  if (attr->comp_vector > INT32_MAX)
    return fail<ibv_cq_ex>(refuse(EINVAL, Cause::comp_vector, attr->comp_vector, 1));
  if ((attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD) != 0 &&
      (!is_live(attr->parent_domain) || !in_context(context, attr->parent_domain) ||
       object(attr->parent_domain)->parent == nullptr)) {
    return fail<ibv_cq_ex>(refuse(EINVAL, Cause::no_pd));
  }
  if ((attr->wc_flags & ~kFields) != 0 || (flags & IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN) != 0)
    return fail<ibv_cq_ex>(refuse(EOPNOTSUPP, Cause::unsupported, (attr->wc_flags & ~kFields) | flags));
  const bool timed = (attr->wc_flags & kTimes) != 0;
  CqObject* cq = create_cq(context, static_cast<int>(attr->cqe), attr->cq_context, attr->channel,
                           static_cast<int>(attr->comp_vector), timed);
  if (cq == nullptr) return nullptr;
  cq->timed = timed;
  cq->single_threaded = (flags & IBV_CREATE_CQ_ATTR_SINGLE_THREADED) != 0;
  fill_readers(&cq->ex, attr->wc_flags);
  return &cq->ex;
}

}  // namespace

ibv_cq_ex* ops::create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* attr) {
  if (const int error = call_faults::injected("ibv_create_cq"); error != 0)
    return watch::outcome("ibv_create_cq", context, fail<ibv_cq_ex>(error));
  return watch::outcome("ibv_create_cq_ex", context,
                        or_no_memory([&] { return create_extended(context, attr); }));
}

}  // namespace uroce::verbs
