// Measuring loops over verbs. One thread drives all QPs of a loop, as perftest does, unless several are asked for.
//
//                     initiator                                    target
//   bandwidth  write  keeps tx_depth requests a QP under way       asleep, or busy; tells its CPU
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

// What threads hold while they post to and poll queues that they share.
enum class ThreadLock { kNone, kMutex, kSpin };

struct RdmaOptions : LoopOptions {
  std::shared_ptr<const VerbsLibrary> verbs;
  std::vector<RdmaQp> qps;
  RdmaOp op = RdmaOp::kWrite;
  // Local memory, shared out over the QPs.
  uint8_t* local = nullptr;
  size_t local_length = 0;
  uint32_t lkey = 0;
  // The peer's, laid out alike.
  uint64_t remote = 0;
  uint64_t remote_length = 0;
  uint32_t rkey = 0;
  uint32_t tx_depth = 128;
  uint32_t rx_depth = 512;
  uint32_t post_list = 1;
  uint32_t cq_mod = 1;
  bool inline_data = false;
  // Messages take turns through all of the memory, large ones too.
  bool walk = false;
  // The target of one-sided operations polls its CQ instead of sleeping, as a busy server does.
  bool busy = false;
  // So many threads, each with tx_depth requests under way, on a QP of its own or all on the only one. 0: the
  // loop's own thread. Initiators that measure bandwidth and poll.
  uint32_t threads = 0;
  ThreadLock lock = ThreadLock::kNone;
};

// Throws Failure(EINVAL) when the options do not fit each other, the memory or the QPs. The QPs must stay
// alive, and must not be used otherwise, until the loop has ended.
std::unique_ptr<Loop> make_rdma_loop(const RdmaOptions& options, Callbacks callbacks,
                                     std::unique_ptr<Probe> probe);

}  // namespace vlbench
