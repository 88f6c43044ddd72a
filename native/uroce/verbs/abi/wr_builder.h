// The extended way of posting (ibv_wr_start .. ibv_wr_complete): requests are gathered here and posted
// together.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/abi/objects.h"

namespace uroce::verbs {

// Send operations of a queue pair of this type (enum ibv_qp_type, or any other number); 0 for a type that
// the device does not have.
uint64_t wr_ops(uint32_t type);

// Fills the table of operations; those not in `send_ops` stay null, as the man page says.
void fill_wr_ops(ibv_qp_ex* qp, uint64_t send_ops);
// Fills in the operations that only datagrams have: the address.
void fill_ud_ops(ibv_qp_ex* qp);

class WrBuilder {
 public:
  // locks: several threads may post (no thread domain rules it out).
  WrBuilder(QpObject& qp, bool locks) : qp_(qp), locks_(locks) {}

  // From here to abort() or complete() other threads wait in start().
  void start();
  void abort();
  // Posts with post_all or a similar function: 0, or the errno of the first request that could not be
  // posted; then none was.
  int complete(int (*post)(QpObject*, ibv_send_wr*));

  // A new request with wr_id and flags from the ibv_qp_ex.
  ibv_send_wr& add(ibv_wr_opcode opcode);
  // Sets the destination of the request under construction.
  void set_ud_address(ibv_ah* ah, uint32_t qpn, uint32_t qkey);
  void set_sges(const ibv_sge* list, std::size_t n);
  void set_inline(const ibv_data_buf* list, std::size_t n);

 private:
  struct Request {
    ibv_send_wr wr;
    std::vector<ibv_sge> sges;
    std::vector<uint8_t> data;  // inline
  };
  Request* last() { return count_ != 0 ? &requests_[count_ - 1] : nullptr; }

  QpObject& qp_;
  const bool locks_;
  std::mutex mutex_;
  // The first count_ are pending; the others keep their memory for the next ones.
  std::vector<Request> requests_;
  std::size_t count_ = 0;
};

}  // namespace uroce::verbs
