// The objects behind the verbs handles. Each begins with the structure that programs see, so a handle is its
// object.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <type_traits>
#include <unordered_set>

#include "uroce/refusal.h"
#include "uroce/report/finding.h"
#include "uroce/transport/engine.h"
#include "uroce/verbs/abi/abi.h"
#include "uroce/verbs/abi/handle_table.h"
#include "uroce/verbs/device/spin_lock.h"

namespace uroce::verbs {

class Device;
class WrBuilder;

struct QpObject;
struct MrObject;
struct MwObject;

struct AsyncEvent {
  ibv_event_type type;
  void* element;  // ibv_qp*, ibv_cq* or ibv_srq*, by type; nullptr for the port
};

bool is_qp_event(ibv_event_type type);

struct ContextObject {
  verbs_context verbs;  // programs hold &verbs.context
  Device* device = nullptr;
  std::atomic<uint32_t> objects{0};  // PDs, CQs, channels, SRQs
  // Queue pairs, regions and windows, which must not stay reachable from the wire after the context is
  // closed. Engine lock.
  std::unordered_set<QpObject*> qps;
  std::unordered_set<MrObject*> mrs;
  std::unordered_set<MwObject*> mws;
  // Asynchronous events, guarded by verbs.context.mutex. The descriptor counts them (EFD_SEMAPHORE).
  std::deque<AsyncEvent> events;

  static ContextObject* of(ibv_context* context) {
    return reinterpret_cast<ContextObject*>(reinterpret_cast<char*>(context) -
                                            offsetof(verbs_context, context));
  }
};
static_assert(offsetof(ContextObject, verbs) == 0);

struct TdObject {
  ibv_td base;
  std::atomic<uint32_t> parents{0};  // parent domains with it
};

struct PdObject {
  ibv_pd base;
  Device* device = nullptr;
  uint32_t id = 0;
  std::atomic<uint32_t> address_handles{0};
  std::atomic<uint32_t> domains{0};  // parent domains over it
  // PD from which a parent domain was made.
  PdObject* parent = nullptr;
  TdObject* td = nullptr;
};

// Names of regions, windows and domains are kept beside the fields of `base`, which programs can overwrite.
struct MrObject {
  ibv_mr base;
  Device* device = nullptr;
  uint32_t key = 0;
  uintptr_t address = 0;
  std::size_t length = 0;
};

struct MwObject {
  ibv_mw base;
  Device* device = nullptr;
  uint32_t key = 0;  // the first rkey, which names the window for its whole life
};

struct AhObject {
  ibv_ah base;
  PdObject* pd = nullptr;
  Path path;
};

struct CqObject;

struct ChannelObject {
  ibv_comp_channel base;
  Device* device = nullptr;
  // Engine lock: events in order of arrival, one entry each, and the number of them that the descriptor
  // does not show yet.
  std::deque<CqObject*> events;
  uint32_t unsignaled = 0;
  bool signal_later = false;  // the thread that makes progress now waits on this channel
  // Threads that wait in ibv_get_cq_event.
  std::atomic<uint32_t> waiters{0};
};

struct CqObject {
  // The first members of an extended queue are those of a plain one.
  union {
    ibv_cq_ex ex{};
    ibv_cq base;
  };
  Device* device = nullptr;
  transport::Cq* cq = nullptr;
  ChannelObject* channel = nullptr;
  uint32_t handle = 0;  // base.handle at creation
  SpinLock poll_lock;
  uint32_t events_got = 0;  // handed out by ibv_get_cq_event; engine lock
  uint32_t async_got = 0;   // asynchronous events handed out; base.mutex

  // While report::on(): number of polls, about (threads may overwrite each other), and the latest.
  std::atomic<uint64_t> polls{0};
  std::atomic<const void*> polled_at{nullptr}, polled_outer{nullptr};

  // State of an extended queue between start_poll and end_poll.
  bool timed = false;
  bool single_threaded = false;  // the program promises it
  SpinLock batch_lock;
  transport::Completion current{};
  uint64_t current_time = 0;
  uint64_t wall_offset = 0;  // ns; the current batch's
};

struct SrqObject {
  ibv_srq base;
  Device* device = nullptr;
  transport::Srq* srq = nullptr;
  uint32_t async_got = 0;  // base.mutex
  // The latest ibv_post_srq_recv, while report::on(); engine lock.
  report::Caller posted_from{};
};

struct QpObject {
  ibv_qp_ex ex;  // its first member is the ibv_qp that programs hold
  Device* device = nullptr;
  transport::Qp* qp = nullptr;
  ibv_ah_attr ah_attr{};  // as passed by the program, for ibv_query_qp
  ibv_qp_cap cap{};
  bool sq_sig_all = false;
  bool sockets_only = false;  // uroce_set_qp_link; engine lock
  bool extended = false;      // created with send operations: ibv_qp_to_qp_ex works
  uint32_t async_got = 0;     // base.mutex
  // The latest ibv_post_recv, while report::on(); engine lock.
  report::Caller received_from{};

  WrBuilder* builder = nullptr;  // null unless the QP is extended

  ibv_qp& base() { return ex.qp_base; }
};

inline TdObject* object(ibv_td* td) { return reinterpret_cast<TdObject*>(td); }
inline PdObject* object(ibv_pd* pd) { return reinterpret_cast<PdObject*>(pd); }
inline MrObject* object(ibv_mr* mr) { return reinterpret_cast<MrObject*>(mr); }
inline MwObject* object(ibv_mw* mw) { return reinterpret_cast<MwObject*>(mw); }
inline CqObject* object(ibv_cq_ex* cq) { return reinterpret_cast<CqObject*>(cq); }
inline CqObject* object(ibv_cq* cq) { return reinterpret_cast<CqObject*>(cq); }
inline SrqObject* object(ibv_srq* srq) { return reinterpret_cast<SrqObject*>(srq); }
inline QpObject* object(ibv_qp* qp) { return reinterpret_cast<QpObject*>(qp); }
inline const MwObject* object(const ibv_mw* mw) { return reinterpret_cast<const MwObject*>(mw); }
inline AhObject* object(ibv_ah* ah) { return reinterpret_cast<AhObject*>(ah); }
inline ChannelObject* object(ibv_comp_channel* channel) { return reinterpret_cast<ChannelObject*>(channel); }

// The number in an enum of the program, which may be none of its values.
template <class E>
uint32_t raw(const E& e) {
  static_assert(sizeof(E) == sizeof(uint32_t));
  uint32_t value;
  std::memcpy(&value, &e, sizeof value);
  return value;
}

// True for the operations of a datagram QP whose work requests name an address handle. All others complete
// in error; there the program may have filled in another member of the union.
inline bool names_address(const ibv_send_wr& wr) {
  return wr.opcode == IBV_WR_SEND || wr.opcode == IBV_WR_SEND_WITH_IMM;
}

// A receive request for the engine; num_sge must not be negative.
inline transport::RecvWr to_engine(const ibv_recv_wr& wr) {
  static_assert(sizeof(transport::Sge) == sizeof(ibv_sge));
  return {wr.wr_id, reinterpret_cast<const transport::Sge*>(wr.sg_list), static_cast<uint32_t>(wr.num_sge)};
}

// True if the context is of this device (a program may have other devices open too).
bool is_ours(const ibv_context* context);

// Names for the functions of the ABI, which are in no namespace.
using uroce::Cause;
using uroce::Limit;
using uroce::refuse;
using uroce::Thing;

// Refuses a call on an object that was destroyed, or whose memory was overwritten.
inline int refuse_dead() { return refuse(ENOENT, Cause::dead_object); }
inline int refuse_foreign() { return refuse(EINVAL, Cause::other_context); }
inline int refuse_memory() { return refuse(ENOMEM, Cause::no_memory); }

// Sets errno and returns null, as verbs that make objects do.
template <class T>
T* fail(int error) {
  errno = error;
  return nullptr;
}

// Makes a call that allocates, for C: no exception leaves it, and without memory it fails with ENOMEM.
template <class F>
auto or_no_memory(F&& call) -> decltype(call()) {
  using R = decltype(call());
  try {
    return call();
  } catch (const std::exception&) {  // std::bad_alloc, or a container's std::length_error
    if constexpr (std::is_pointer_v<R>) {
      return fail<std::remove_pointer_t<R>>(refuse_memory());
    } else {
      return refuse_memory();
    }
  }
}

// Makes a completion queue with room for cqe; timed keeps the time of each completion. Null with errno set.
CqObject* create_cq(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                    int comp_vector, bool timed);
// Takes up to n completions, and makes progress if there are none. times, if given, has room for n; only of
// a timed queue.
uint32_t poll_cq(CqObject* cq, uint32_t n, ibv_wc* wc, uint64_t* times);

// Posts like ibv_post_send, for a call of that name.
int post_for(const char* call, ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad);
// Posts all of a list, or nothing, with the errno of the first request that cannot be posted.
int post_all(QpObject* qp, ibv_send_wr* wr);

// Removes the events of a destroyed CQ from its channel's queue; engine lock.
void forget_events(ChannelObject* channel, CqObject* cq);
// Queues an asynchronous event for the context; engine lock.
void raise_async(ibv_context* context, AsyncEvent event);
// Removes the events of a destroyed object from the queue, and waits until those handed out are
// acknowledged.
void drain_async_events(ibv_context* context, void* element, pthread_mutex_t& mutex, pthread_cond_t& cond,
                        const uint32_t& completed, const uint32_t& handed_out, const char* destroy);

}  // namespace uroce::verbs
