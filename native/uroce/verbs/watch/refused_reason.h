// Why a peer's request was refused or its message dropped, what to do about it, and which call is to change.
#pragma once

#include <string>

#include "uroce/transport/queues/event_sink.h"
#include "uroce/types.h"

namespace uroce::transport {
class Qp;
struct Mr;
}  // namespace uroce::transport

namespace uroce::verbs::watch {

// Faults of the memory that a peer asks for.
enum class MemoryFault : uint8_t {
  none,
  deregistered,
  unknown_key,
  other_pd,
  unbound,
  other_region,
  right,
  before,
  after,
  past_end,
};

struct Reason {
  std::string text;
  std::string cure{};
  const void* handle = nullptr;  // the object whose call is to be changed; null: the QP
  const char* call = "ibv_reg_mr";
  MemoryFault fault = MemoryFault::none;
  uint32_t key = 0;  // the region that the fault is about, where the object is none
};

// Refusals of one kind on one object are one finding.
uint64_t kind_of(const transport::RefusedRequest& r, const Reason& reason);
// Engine lock, this one and the next.
Reason why(const transport::Qp& qp, const transport::RefusedRequest& r);
// Memory that is gone, at that address; null: the region is not known.
Reason gone_reason(const transport::Mr* mr, uintptr_t at);
// Why a memory window cannot be bound or invalidated. `region`: of a bind; 0 for an invalidation.
Reason why_window(transport::WindowFault fault, uint32_t window, uint32_t region, uint32_t qpn);

}  // namespace uroce::verbs::watch
