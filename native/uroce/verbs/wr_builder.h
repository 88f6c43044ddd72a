// The extended way of posting (ibv_wr_start .. ibv_wr_complete): requests are gathered here and posted
// together.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "uroce/verbs/abi.h"
#include "uroce/verbs/objects.h"

namespace uroce {

// Send operations that ibv_qp_ex offers here.
inline constexpr uint64_t kWrOps = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
                                   IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM |
                                   IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
                                   IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_LOCAL_INV |
                                   IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_SEND_WITH_INV;

// Fills the table of operations; those not in `send_ops` stay null, as the man page has it.
void fill_wr_ops(ibv_qp_ex* qp, uint64_t send_ops);

class WrBuilder {
 public:
  // locks: threads may meet here (no thread domain says that they do not).
  WrBuilder(QpObject& qp, bool locks) : qp_(qp), locks_(locks) {}

  // From here to abort() or complete() other threads wait in start().
  void start();
  void abort();
  // 0, or the errno of the first request that could not be posted; then none was.
  int complete();

  // A new request with wr_id and flags as they stand in the ibv_qp_ex.
  ibv_send_wr& add(ibv_wr_opcode opcode);
  void set_sges(const ibv_sge* list, std::size_t n);
  void set_inline(const ibv_data_buf* list, std::size_t n);

 private:
  struct Request {
    ibv_send_wr wr;
    std::vector<ibv_sge> sges;
    std::vector<uint8_t> data;  // inline
  };
  QpObject& qp_;
  const bool locks_;
  std::mutex mutex_;
  std::deque<Request> requests_;
};

}  // namespace uroce
