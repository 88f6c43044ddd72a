// The objects behind the librdmacm handles. Each begins with the structure that programs see, so a handle is
// its object.
#pragma once

#include <pthread.h>

#include <array>
#include <deque>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "uroce/cm/abi.h"
#include "uroce/cm/ports.h"
#include "uroce/cm/protocol/machine.h"
#include "uroce/refusal.h"

namespace uroce::cm {

class Service;
struct Id;

// A joined multicast group.
struct Multicast {
  Gid mgid{};
  sockaddr_storage address{};
  void* context = nullptr;
  bool attached = false;
};

// An event on its way to the program, or in its hands. Freed by rdma_ack_cm_event.
struct EventObject {
  rdma_cm_event base{};
  Id* counted = nullptr;  // the ID whose destruction waits for the acknowledgment
  std::array<uint8_t, 256> data{};
  Multicast* joined = nullptr;
};

// An event channel, guarded by its own lock, which may be taken inside the engine lock. The descriptor
// counts the events.
struct Channel {
  rdma_event_channel base{};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::deque<EventObject*> events;
};

// State of an ID. Engine lock.
enum class Phase : uint8_t {
  idle,
  bound,
  addr_resolved,
  route_resolved,
  listening,
  requested,  // the other end of a connection request, to be accepted or rejected
  connecting,
  connected,
  disconnected,
};

struct Id;
// EINVAL: the call is too early or too late.
int refuse_phase(const Id& id, Phase needed);

struct Id {
  rdma_cm_id base{};
  Service* service = nullptr;
  bool sync = false;  // has a channel of its own; calls wait for their event

  // Engine lock.
  Phase phase = Phase::idle;
  Connection* connection = nullptr;
  Binding* binding = nullptr;
  std::size_t gid_index = 0;
  Id* listener = nullptr;  // the listener of a request that has not been handed out
  std::unordered_set<Id*> requests;
  uint32_t backlog = 0;
  uint32_t last_request = 0;  // communication ID of the request handed out last, and its time
  uint64_t last_request_time = 0;

  // Options.
  uint8_t tos = 0;
  bool reuse = false;
  bool afonly = false;
  uint8_t ack_timeout = 0;  // 0: not set

  // Connection parameters of this end, until REQ or REP carries them.
  uint8_t responder_resources = RDMA_MAX_RESP_RES;
  uint8_t initiator_depth = RDMA_MAX_INIT_DEPTH;
  uint32_t psn = 0;  // PSN of the peer's first packet
  uint32_t qkey = 0;
  // The queue pair could not be set up: errors that follow from that are not reported.
  bool connect_error = false;

  std::unique_ptr<ibv_qp_init_attr> qp_init;  // from rdma_create_ep, for the requests of a listener
  std::vector<uint8_t> connect_prefix;        // ai_connect of rdma_create_ep
  std::vector<std::unique_ptr<Multicast>> groups;

  // What rdma_resolve_addrinfo found, until rdma_query_addrinfo takes it. This mutex.
  bool resolving = false;
  rdma_addrinfo* resolved = nullptr;

  // Events handed out and acknowledged.
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  uint32_t events_got = 0;  // channel's lock and this mutex
  uint32_t events_acked = 0;

  Channel* channel() { return reinterpret_cast<Channel*>(base.channel); }
  bool datagram() const { return base.qp_type == IBV_QPT_UD; }
};

inline Id* object(rdma_cm_id* id) { return reinterpret_cast<Id*>(id); }
inline Channel* object(rdma_event_channel* channel) { return reinterpret_cast<Channel*>(channel); }

// Names for the functions of the ABI, which are in no namespace.
using uroce::Cause;
using uroce::refuse;

// Sets errno and returns -1, as librdmacm does. If refuse() named a cause, it is reported with the calling
// function and the ID (verbs/watch/refusal.h). Calls that allocate are function-try-blocks: no exception
// reaches C, and without memory they fail with ENOMEM.
int fail(int error, const rdma_cm_id* id = nullptr, const char* call = __builtin_FUNCTION());
// Result of verbs that return an errno value.
inline int result(int error, const rdma_cm_id* id = nullptr, const char* call = __builtin_FUNCTION()) {
  return error == 0 ? 0 : fail(error, id, call);
}

// Channels (channel.cc).
Channel* make_channel();
void free_channel(Channel* channel);
// Any lock of ours may be held.
void queue_event(Channel* channel, EventObject* event);
// Queues an event without parameters, but for `arg` of user events, for the id. Engine lock.
void queue_event(Id* id, rdma_cm_event_type type, int status, uint64_t arg = 0);
// Removes the id's events from its channel, and returns them.
std::vector<EventObject*> remove_events(Channel* channel, Id* id);
// Waits until the program has acknowledged all that it got.
void wait_for_acks(Id* id);

// The outcome of a call. For a synchronous ID, waits for the event.
int complete(Id* id);

// Queue pairs (qp.cc). 0 or -1 with errno.
int to_rtr(Id* id, uint8_t responder_resources);
int to_rts(Id* id, uint8_t initiator_depth);
int to_error(Id* id);
int init_connected_qp(Id* id, ibv_qp* qp);
int init_datagram_qp(Id* id, ibv_qp* qp);

// Addresses (address.cc).
socklen_t length_of(const sockaddr* address);  // 0 for a family that is not ours
int refuse_family(const sockaddr* address, int error);
uint16_t port_in(const sockaddr* address);  // host order
void set_port(sockaddr* address, uint16_t port);
sockaddr_storage to_sockaddr_of(const Gid& gid, uint16_t port, uint32_t scope_id);
// Binds an idle id. Engine lock. errno value.
int bind(Id* id, const sockaddr* address);

}  // namespace uroce::cm
