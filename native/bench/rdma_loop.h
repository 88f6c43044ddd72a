// Measuring loops over verbs. One thread runs all QPs of a loop, as in perftest, unless several are
// requested.
//
//                     initiator                                    target
//   bandwidth  write  keeps tx_depth requests per QP outstanding   asleep, or busy; reports its CPU time
//              read, atomics   the same                            asleep
//              send, write-imm the same                            keeps RECVs posted
//   latency    write  ping-pong; both ends poll memory, as ib_write_lat does
//              send, write-imm ping-pong over RECVs
//              read, atomics   one request at a time               asleep
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/loop.h"
#include "bench/verbs_library.h"

namespace vlbench {

enum class RdmaOp { kWrite, kWriteImm, kRead, kSend, kFetchAdd, kCompareSwap };

struct RdmaQp {
  ibv_qp* qp = nullptr;
  uint32_t max_send_wr = 0;
  uint32_t max_recv_wr = 0;
  uint32_t max_inline = 0;
  bool signal_all = false;
};

// Lock that threads hold while they post to and poll queues that they share.
enum class ThreadLock { kNone, kMutex, kSpin };

struct RdmaOptions : LoopOptions {
  std::shared_ptr<const VerbsLibrary> verbs;
  std::vector<RdmaQp> qps;
  RdmaOp op = RdmaOp::kWrite;
  // Local memory, divided among the QPs.
  uint8_t* local = nullptr;
  size_t local_length = 0;
  uint32_t lkey = 0;
  // The peer's memory, with the same layout.
  uint64_t remote = 0;
  uint64_t remote_length = 0;
  uint32_t rkey = 0;
  uint32_t tx_depth = 128;
  uint32_t rx_depth = 512;
  uint32_t post_list = 1;
  uint32_t cq_mod = 1;
  bool inline_data = false;
  // Makes messages take turns through all of the memory, large ones too.
  bool walk = false;
  // The target of one-sided operations polls its CQ instead of sleeping, as a busy server does.
  bool busy = false;
  // Number of threads, each with tx_depth requests outstanding, on its own QP or all on the only one. 0:
  // the loop's own thread. Only for initiators that measure bandwidth and poll.
  uint32_t threads = 0;
  ThreadLock lock = ThreadLock::kNone;
};

// Throws Failure(EINVAL) when the options do not fit each other, the memory or the QPs. The QPs must stay
// alive, and must not be used for anything else, until the loop has ended.
std::unique_ptr<Loop> make_rdma_loop(const RdmaOptions& options, Callbacks callbacks,
                                     std::unique_ptr<Probe> probe);

}  // namespace vlbench
