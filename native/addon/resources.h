// The verbs objects behind the JavaScript ones, and the order in which they die.
//
// Each resource owns one verbs object and holds its parents by shared_ptr, so `ibv_destroy_*` of a parent can
// only run when its last child is gone: whatever order garbage collection, explicit close(), the end of a
// worker or of the process choose.
//
//   DeviceList <- Context <- Pd <- Mr <- Mw -> Pd
//                            Pd <- Ah
//                            Pd <- Srq
//                         <- CompChannel <- Cq <- Qp -> Pd, Srq
//
// An explicit close() with children alive is refused with EBUSY instead. Measuring loops and watching threads
// hold the resources they use in the same way, and are joined before they let go of them. Libraries are never
// unloaded.
//
// Every resource belongs to one JavaScript thread; its counters are plain integers. Loops change them on that
// thread.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bench/verbs_library.h"

namespace addon {

using Library = std::shared_ptr<const vlbench::VerbsLibrary>;

struct DeviceListRes {
  Library verbs;
  ibv_device** list = nullptr;
  int count = 0;
  ~DeviceListRes();
};

// Counts itself among the children of its parents while it lives.
class ChildOf {
 public:
  ChildOf() = default;
  explicit ChildOf(int* counter) noexcept : counter_(counter) { ++*counter_; }
  ChildOf(ChildOf&& other) noexcept : counter_(other.counter_) { other.counter_ = nullptr; }
  ChildOf& operator=(ChildOf&& other) noexcept {
    std::swap(counter_, other.counter_);
    return *this;
  }
  ~ChildOf() {
    if (counter_ != nullptr) --*counter_;
  }

 private:
  int* counter_ = nullptr;
};

// destroy() returns the errno of the verbs call and may be called again after a failure; destructors ignore
// it.

struct CmDevicesRes;
struct CmIdRes;

struct ContextRes {
  Library verbs;
  std::shared_ptr<DeviceListRes> devices;
  // Set: the connection manager opened the device, and closes it.
  std::shared_ptr<CmDevicesRes> borrowed;
  ibv_context* context = nullptr;
  int children = 0;
  int destroy() noexcept;
  ~ContextRes() { destroy(); }
};

struct PdRes {
  std::shared_ptr<ContextRes> context;
  ibv_pd* pd = nullptr;
  int children = 0;
  ChildOf of_context;
  int destroy() noexcept;
  ~PdRes() { destroy(); }
};

// A number that no other CQ or SRQ of the process has. Events carry it, so that no pointer does.
uint32_t next_token() noexcept;

// Page-aligned zeroed memory, shared by a region and the ArrayBuffer that shows it.
class Memory {
 public:
  // nullptr when the machine has not so much available. In huge pages on request; errno then says why there
  // are none.
  static std::shared_ptr<Memory> allocate(size_t length, bool huge);
  ~Memory();
  uint8_t* data() const noexcept { return data_; }
  // Zeroed pages in place of the old ones, at the same addresses. False with errno.
  bool replace_pages() noexcept;

 private:
  uint8_t* data_ = nullptr;
  size_t length_ = 0;
  int flags_ = 0;  // flags of mmap
};

struct MrRes {
  std::shared_ptr<PdRes> pd;
  std::shared_ptr<Memory> memory;  // empty: JavaScript's own, kept by a reference there
  ibv_mr* mr = nullptr;
  int users = 0;  // loops
  ChildOf of_pd;
  int destroy() noexcept;
  ~MrRes() { destroy(); }
};

struct MwRes {
  std::shared_ptr<PdRes> pd;
  std::shared_ptr<MrRes> bound;  // the region of the last bind
  ibv_mw* mw = nullptr;
  ChildOf of_pd;
  int destroy() noexcept;
  ~MwRes() { destroy(); }
};

struct AhRes {
  std::shared_ptr<PdRes> pd;
  ibv_ah* ah = nullptr;
  ChildOf of_pd;
  int destroy() noexcept;
  ~AhRes() { destroy(); }
};

struct SrqRes {
  std::shared_ptr<PdRes> pd;
  ibv_srq* srq = nullptr;
  int children = 0;
  ChildOf of_pd;
  int destroy() noexcept;
  ~SrqRes() { destroy(); }
};

struct ChannelRes {
  std::shared_ptr<ContextRes> context;
  ibv_comp_channel* channel = nullptr;
  int children = 0;
  bool watched = false;
  int users = 0;  // loops
  ChildOf of_context;
  int destroy() noexcept;
  ~ChannelRes() { destroy(); }
};

struct CqRes {
  std::shared_ptr<ContextRes> context;
  std::shared_ptr<ChannelRes> channel;
  ibv_cq* cq = nullptr;
  uint32_t token = 0;
  int children = 0;
  int users = 0;  // loops
  ChildOf of_context;
  ChildOf of_channel;
  int destroy() noexcept;
  ~CqRes() { destroy(); }
};

struct QpRes {
  std::shared_ptr<PdRes> pd;
  std::shared_ptr<CqRes> send_cq;
  std::shared_ptr<CqRes> recv_cq;
  std::shared_ptr<SrqRes> srq;
  std::shared_ptr<CmIdRes> cm_id;  // set: made by rdma_create_qp
  ibv_qp* qp = nullptr;
  ibv_qp_ex* extended = nullptr;  // qp, if it was created for extended posting
  uint64_t send_ops = 0;          // IBV_QP_EX_WITH_*
  ibv_qp_cap cap{};
  bool signal_all = false;
  // Multicast groups that it is attached to; destroy() leaves them first.
  std::vector<std::pair<ibv_gid, uint16_t>> groups;
  int users = 0;  // loops
  ChildOf of_pd;
  ChildOf of_send_cq;
  ChildOf of_recv_cq;
  ChildOf of_srq;
  ChildOf of_cm_id;
  int destroy() noexcept;
  ~QpRes() { destroy(); }
};

}  // namespace addon
