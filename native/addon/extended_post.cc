#include "addon/extended_post.h"

#include <algorithm>
#include <cerrno>

namespace addon {
namespace {

void build(ibv_qp_ex* qp, const ibv_send_wr& wr) {
  const auto& rdma = wr.wr.rdma;
  const auto& atomic = wr.wr.atomic;
  switch (wr.opcode) {
    case IBV_WR_SEND:
      ibv_wr_send(qp);
      return;
    case IBV_WR_SEND_WITH_IMM:
      ibv_wr_send_imm(qp, wr.imm_data);
      return;
    case IBV_WR_SEND_WITH_INV:
      ibv_wr_send_inv(qp, wr.invalidate_rkey);
      return;
    case IBV_WR_RDMA_WRITE:
      ibv_wr_rdma_write(qp, rdma.rkey, rdma.remote_addr);
      return;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      ibv_wr_rdma_write_imm(qp, rdma.rkey, rdma.remote_addr, wr.imm_data);
      return;
    case IBV_WR_RDMA_READ:
      ibv_wr_rdma_read(qp, rdma.rkey, rdma.remote_addr);
      return;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
      ibv_wr_atomic_cmp_swp(qp, atomic.rkey, atomic.remote_addr, atomic.compare_add, atomic.swap);
      return;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      ibv_wr_atomic_fetch_add(qp, atomic.rkey, atomic.remote_addr, atomic.compare_add);
      return;
    case IBV_WR_LOCAL_INV:
      ibv_wr_local_inv(qp, wr.invalidate_rkey);
      return;
    case IBV_WR_BIND_MW:
      ibv_wr_bind_mw(qp, wr.bind_mw.mw, wr.bind_mw.rkey, &wr.bind_mw.bind_info);
      return;
    default:
      return;  // not among the ops
  }
}

void set_data(ibv_qp_ex* qp, const ibv_send_wr& wr) {
  // A local operation has no data.
  if (wr.opcode == IBV_WR_LOCAL_INV || wr.opcode == IBV_WR_BIND_MW) return;
  const auto count = static_cast<size_t>(wr.num_sge);
  if ((wr.send_flags & IBV_SEND_INLINE) == 0) {
    ibv_wr_set_sge_list(qp, count, wr.sg_list);
    return;
  }
  std::vector<ibv_data_buf> pieces;
  for (size_t i = 0; i < count; ++i)
    pieces.push_back({reinterpret_cast<void*>(uintptr_t{wr.sg_list[i].addr}), wr.sg_list[i].length});
  ibv_wr_set_inline_data_list(qp, count, pieces.data());
}

}  // namespace

int post_extended(ibv_qp_ex* qp, uint64_t ops, const SendList& list, bool datagram) {
  // IBV_QP_EX_WITH_* is the bit with the number of the opcode. A builder that was not asked for is a null
  // pointer.
  const bool known = std::ranges::all_of(list.wrs, [ops](const ibv_send_wr& wr) {
    return static_cast<unsigned>(wr.opcode) < 64 && (ops >> static_cast<unsigned>(wr.opcode) & 1) != 0;
  });
  if (!known) return EOPNOTSUPP;
  ibv_wr_start(qp);
  for (const ibv_send_wr& wr : list.wrs) {
    qp->wr_id = wr.wr_id;
    qp->wr_flags = wr.send_flags & ~unsigned{IBV_SEND_INLINE};
    build(qp, wr);
    if (datagram) ibv_wr_set_ud_addr(qp, wr.wr.ud.ah, wr.wr.ud.remote_qpn, wr.wr.ud.remote_qkey);
    set_data(qp, wr);
  }
  return ibv_wr_complete(qp);
}

}  // namespace addon
