// Posting work requests.
#include <errno.h>

#include <mutex>

#include "uroce/net/clock.h"
#include "uroce/verbs/context.h"
#include "uroce/verbs/device.h"
#include "uroce/verbs/objects.h"

namespace uroce {
namespace {

uint64_t length_of(const ibv_send_wr& wr) {
  uint64_t length = 0;
  for (int i = 0; i < wr.num_sge; ++i) length += wr.sg_list[i].length;
  return length;
}

int to_engine(const ibv_send_wr& in, SendWr* out) {
  if (in.num_sge < 0) return EINVAL;
  if (in.opcode > IBV_WR_ATOMIC_FETCH_AND_ADD) return EOPNOTSUPP;
  out->wr_id = in.wr_id;
  out->opcode = static_cast<WrOpcode>(in.opcode);
  out->flags = in.send_flags;
  out->sg_list = reinterpret_cast<const Sge*>(in.sg_list);
  out->num_sge = static_cast<uint32_t>(in.num_sge);
  out->imm_data = in.imm_data;
  if (in.opcode >= IBV_WR_ATOMIC_CMP_AND_SWP) {
    out->remote_addr = in.wr.atomic.remote_addr;
    out->rkey = in.wr.atomic.rkey;
    out->compare_add = in.wr.atomic.compare_add;
    out->swap = in.wr.atomic.swap;
  } else {
    out->remote_addr = in.wr.rdma.remote_addr;
    out->rkey = in.wr.rdma.rkey;
  }
  return 0;
}

}  // namespace

int ops::post_send(ibv_qp* handle, ibv_send_wr* wr, ibv_send_wr** bad) {
  QpObject* qp = object(handle);
  Device& device = *qp->device;
  std::lock_guard guard(device.lock());
  const uint64_t now = now_ns();
  const bool idle = qp->qp->send_idle();
  uint32_t requests = 0;
  uint64_t bytes = 0;
  int error = 0;
  for (; wr != nullptr; wr = wr->next) {
    SendWr request;
    error = to_engine(*wr, &request);
    if (error == 0) error = device.engine().post_send(*qp->qp, request, now);
    if (error != 0) {
      *bad = wr;
      break;
    }
    ++requests;
    // A READ or atomic sends no payload.
    if (wr->opcode < IBV_WR_RDMA_READ) bytes += length_of(*wr);
  }
  if (requests > 0) device.posted(now, idle, requests, bytes);
  return error;
}

int ops::post_recv(ibv_qp* handle, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  QpObject* qp = object(handle);
  Device& device = *qp->device;
  std::lock_guard guard(device.lock());
  for (; wr != nullptr; wr = wr->next) {
    const int error = wr->num_sge < 0 ? EINVAL : device.engine().post_recv(*qp->qp, to_engine(*wr));
    if (error != 0) {
      *bad = wr;
      return error;
    }
  }
  return 0;
}

}  // namespace uroce
