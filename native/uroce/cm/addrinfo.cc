// Functions of RDMACM_1.4, after the headers of this build (rdma-core 44): names resolved by an event, and events of the
// program's own.
#include <netdb.h>

#include <cerrno>
#include <utility>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/verbs/device/mutex_guard.h"

namespace {

using namespace uroce::cm;

// Events after those of rdma_cm_event_type in these headers.
constexpr int kAddrinfoResolved = 16, kUser = 18;
constexpr int kBySubnet = 0x10, kByName = 0x20;  // RAI_SA, RAI_DNS

// Marks the ID as resolving. Returns false if it already is, or if its result has not been fetched.
bool begin_resolving(Id* id) {
  uroce::verbs::MutexGuard guard(id->mutex);
  return !std::exchange(id->resolving, true);
}

void end_resolving(Id* id, rdma_addrinfo* found) {
  uroce::verbs::MutexGuard guard(id->mutex);
  id->resolving = found != nullptr;
  id->resolved = found;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// The name is resolved by the call itself, as rdma-core does it; the event says that the result can be taken.
int rdma_resolve_addrinfo(rdma_cm_id* handle, const char* node, const char* service,
                          const rdma_addrinfo* hints) {
  if (handle == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  if (hints != nullptr && (hints->ai_flags & kBySubnet) != 0)
    return fail(refuse(EOPNOTSUPP, Cause::unsupported, kBySubnet), handle);
  Id* id = object(handle);
  if (!begin_resolving(id)) return fail(EBUSY, handle);
  rdma_addrinfo wanted{};
  if (hints != nullptr) wanted = *hints;
  wanted.ai_flags &= ~kByName;
  rdma_addrinfo* found = nullptr;
  if (const int code = rdma_getaddrinfo(node, service, hints != nullptr ? &wanted : nullptr, &found);
      code != 0) {
    end_resolving(id, nullptr);
    // -1 has set errno; others are codes of getaddrinfo.
    return code == -1 || code == EAI_SYSTEM ? -1 : fail(ENOENT, handle);
  }
  end_resolving(id, found);
  {
    Call call(*id->service);
    queue_event(id, static_cast<rdma_cm_event_type>(kAddrinfoResolved), 0);
  }
  return complete(id);
}

int rdma_query_addrinfo(rdma_cm_id* handle, rdma_addrinfo** info) {
  if (handle == nullptr || info == nullptr) return fail(refuse(EINVAL, Cause::cm_null), handle);
  Id* id = object(handle);
  uroce::verbs::MutexGuard guard(id->mutex);
  if (id->resolved == nullptr) return fail(ENOENT, handle);
  *info = std::exchange(id->resolved, nullptr);
  id->resolving = false;
  return 0;
}

int rdma_write_cm_event(rdma_cm_id* handle, rdma_cm_event_type event, int status, uint64_t arg) {
  if (handle == nullptr) return fail(refuse(EINVAL, Cause::cm_null));
  if (static_cast<int>(event) != kUser) return fail(refuse(EINVAL, Cause::cm_event_kind, event), handle);
  Id* id = object(handle);
  Call call(*id->service);
  queue_event(id, event, status, arg);
  return 0;
}

}  // extern "C"
#pragma GCC visibility pop
