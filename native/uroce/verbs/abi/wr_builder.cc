#include "uroce/verbs/abi/wr_builder.h"

#include <errno.h>

#include "uroce/report/place.h"
#include "uroce/verbs/watch/watch.h"

namespace uroce::verbs {
namespace {

WrBuilder& builder(ibv_qp_ex* qp) { return *reinterpret_cast<QpObject*>(qp)->builder; }

void rdma(ibv_qp_ex* qp, ibv_wr_opcode opcode, uint32_t rkey, uint64_t addr, __be32 imm = 0) {
  ibv_send_wr& wr = builder(qp).add(opcode);
  wr.wr.rdma.rkey = rkey;
  wr.wr.rdma.remote_addr = addr;
  wr.imm_data = imm;
}

void wr_write(ibv_qp_ex* qp, uint32_t rkey, uint64_t addr) { rdma(qp, IBV_WR_RDMA_WRITE, rkey, addr); }
void wr_write_imm(ibv_qp_ex* qp, uint32_t rkey, uint64_t addr, __be32 imm) {
  rdma(qp, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, addr, imm);
}
void wr_read(ibv_qp_ex* qp, uint32_t rkey, uint64_t addr) { rdma(qp, IBV_WR_RDMA_READ, rkey, addr); }
void wr_send(ibv_qp_ex* qp) { builder(qp).add(IBV_WR_SEND); }
void wr_send_imm(ibv_qp_ex* qp, __be32 imm) { builder(qp).add(IBV_WR_SEND_WITH_IMM).imm_data = imm; }
void wr_cas(ibv_qp_ex* qp, uint32_t rkey, uint64_t addr, uint64_t compare, uint64_t swap) {
  ibv_send_wr& wr = builder(qp).add(IBV_WR_ATOMIC_CMP_AND_SWP);
  wr.wr.atomic = {.remote_addr = addr, .compare_add = compare, .swap = swap, .rkey = rkey};
}
void wr_add(ibv_qp_ex* qp, uint32_t rkey, uint64_t addr, uint64_t add) {
  ibv_send_wr& wr = builder(qp).add(IBV_WR_ATOMIC_FETCH_AND_ADD);
  wr.wr.atomic = {.remote_addr = addr, .compare_add = add, .swap = 0, .rkey = rkey};
}
void wr_send_inv(ibv_qp_ex* qp, uint32_t rkey) {
  builder(qp).add(IBV_WR_SEND_WITH_INV).invalidate_rkey = rkey;
}
void wr_local_inv(ibv_qp_ex* qp, uint32_t rkey) { builder(qp).add(IBV_WR_LOCAL_INV).invalidate_rkey = rkey; }
void wr_bind_mw(ibv_qp_ex* qp, ibv_mw* mw, uint32_t rkey, const ibv_mw_bind_info* info) {
  builder(qp).add(IBV_WR_BIND_MW).bind_mw = {.mw = mw, .rkey = rkey, .bind_info = *info};
}

void set_sge(ibv_qp_ex* qp, uint32_t lkey, uint64_t addr, uint32_t length) {
  const ibv_sge sge{addr, length, lkey};
  builder(qp).set_sges(&sge, 1);
}
void set_sge_list(ibv_qp_ex* qp, size_t n, const ibv_sge* list) { builder(qp).set_sges(list, n); }
void set_inline(ibv_qp_ex* qp, void* addr, size_t length) {
  const ibv_data_buf data{addr, length};
  builder(qp).set_inline(&data, 1);
}
void set_inline_list(ibv_qp_ex* qp, size_t n, const ibv_data_buf* list) { builder(qp).set_inline(list, n); }

void set_ud_addr(ibv_qp_ex* qp, ibv_ah* ah, uint32_t qpn, uint32_t qkey) {
  builder(qp).set_ud_address(ah, qpn, qkey);
}

void wr_start(ibv_qp_ex* qp) { builder(qp).start(); }
int wr_complete(ibv_qp_ex* qp) { return builder(qp).complete(post_all); }
int wr_complete_watched(ibv_qp_ex* qp) {
  watch::posting_from(report::direct_caller());
  return builder(qp).complete(watch::post_gathered);
}
void wr_abort(ibv_qp_ex* qp) { builder(qp).abort(); }

}  // namespace

void fill_wr_ops(ibv_qp_ex* qp, uint64_t ops) {
  if (ops & IBV_QP_EX_WITH_RDMA_WRITE) qp->wr_rdma_write = wr_write;
  if (ops & IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM) qp->wr_rdma_write_imm = wr_write_imm;
  if (ops & IBV_QP_EX_WITH_RDMA_READ) qp->wr_rdma_read = wr_read;
  if (ops & IBV_QP_EX_WITH_SEND) qp->wr_send = wr_send;
  if (ops & IBV_QP_EX_WITH_SEND_WITH_IMM) qp->wr_send_imm = wr_send_imm;
  if (ops & IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP) qp->wr_atomic_cmp_swp = wr_cas;
  if (ops & IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD) qp->wr_atomic_fetch_add = wr_add;
  if (ops & IBV_QP_EX_WITH_SEND_WITH_INV) qp->wr_send_inv = wr_send_inv;
  if (ops & IBV_QP_EX_WITH_LOCAL_INV) qp->wr_local_inv = wr_local_inv;
  if (ops & IBV_QP_EX_WITH_BIND_MW) qp->wr_bind_mw = wr_bind_mw;
  qp->wr_set_sge = set_sge;
  qp->wr_set_sge_list = set_sge_list;
  qp->wr_set_inline_data = set_inline;
  qp->wr_set_inline_data_list = set_inline_list;
  qp->wr_start = wr_start;
  qp->wr_complete = report::on() ? wr_complete_watched : wr_complete;
  qp->wr_abort = wr_abort;
}

void fill_ud_ops(ibv_qp_ex* qp) { qp->wr_set_ud_addr = set_ud_addr; }

uint64_t wr_ops(uint32_t type) {
  constexpr uint64_t kSend = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
  constexpr uint64_t kWrite = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM;
  constexpr uint64_t kConnected = IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
                                  IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_LOCAL_INV |
                                  IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_SEND_WITH_INV;
  switch (type) {
    case IBV_QPT_RC:
      return kSend | kWrite | kConnected;
    case IBV_QPT_UC:
      return kSend | kWrite;
    case IBV_QPT_UD:
      return kSend;
    default:
      return 0;
  }
}

void WrBuilder::start() {
  if (locks_) mutex_.lock();
  count_ = 0;
}

void WrBuilder::abort() {
  count_ = 0;
  if (locks_) mutex_.unlock();
}

ibv_send_wr& WrBuilder::add(ibv_wr_opcode opcode) {
  if (count_ == requests_.size()) requests_.emplace_back();
  Request& request = requests_[count_++];
  request.wr = {};
  request.sges.clear();
  request.data.clear();
  request.wr.wr_id = qp_.ex.wr_id;
  request.wr.send_flags = qp_.ex.wr_flags;
  request.wr.opcode = opcode;
  return request.wr;
}

void WrBuilder::set_ud_address(ibv_ah* ah, uint32_t qpn, uint32_t qkey) {
  if (Request* request = last()) request->wr.wr.ud = {ah, qpn, qkey};
}

void WrBuilder::set_sges(const ibv_sge* list, std::size_t n) {
  if (Request* request = last()) request->sges.assign(list, list + n);
}

void WrBuilder::set_inline(const ibv_data_buf* list, std::size_t n) {
  if (count_ == 0) return;
  Request& request = *last();
  for (std::size_t i = 0; i < n; ++i) {
    const auto* bytes = static_cast<const uint8_t*>(list[i].addr);
    request.data.insert(request.data.end(), bytes, bytes + list[i].length);
  }
  request.sges.assign(
      1, {reinterpret_cast<uintptr_t>(request.data.data()), static_cast<uint32_t>(request.data.size()), 0});
  request.wr.send_flags |= IBV_SEND_INLINE;
}

int WrBuilder::complete(int (*post)(QpObject*, ibv_send_wr*)) {
  for (std::size_t i = 0; i < count_; ++i) {
    ibv_send_wr& wr = requests_[i].wr;
    wr.sg_list = requests_[i].sges.data();
    wr.num_sge = static_cast<int>(requests_[i].sges.size());
    wr.next = i + 1 < count_ ? &requests_[i + 1].wr : nullptr;
  }
  const int error = count_ == 0 ? 0 : post(&qp_, &requests_.front().wr);
  abort();  // nothing is left to be posted
  return error;
}

}  // namespace uroce::verbs
