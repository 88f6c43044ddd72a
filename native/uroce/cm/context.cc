// The context through which ids see the device: one for the process, opened with the first id and closed at
// the process's end, so that pending messages (a DREP, a repetition) are still sent.
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "uroce/bounded.h"
#include "uroce/cm/service.h"
#include "uroce/report/report.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/watch/refusal.h"

namespace uroce::cm {
namespace {

std::mutex g_mutex;
Shared g_shared;
std::atomic<uint32_t> g_references{0};
pid_t g_pid = 0;

// The parent owns what is open, and one of its threads may have held the lock.
void after_fork() {
  new (&g_mutex) std::mutex;
  g_shared = {};
  g_references.store(0);
}

__attribute__((constructor)) void begin() { pthread_atfork(nullptr, nullptr, after_fork); }

int open_shared() {
  const report::Quiet ours;
  int n = 0;
  ibv_device** list = ibv_get_device_list(&n);
  if (list == nullptr) return errno;
  errno = 0;
  Shared shared;
  shared.verbs = n > 0 ? ibv_open_device(list[0]) : nullptr;
  const int error = errno;
  ibv_free_device_list(list);
  if (shared.verbs == nullptr) return error != 0 ? error : ENODEV;
  shared.pd = ibv_alloc_pd(shared.verbs);
  if (shared.pd == nullptr) {
    const int no_pd = errno;
    ibv_close_device(shared.verbs);
    return no_pd;
  }
  shared.service = static_cast<Service*>(&verbs::ContextObject::of(shared.verbs)->device->management());
  g_shared = shared;
  return 0;
}

// A signal handler may have called exit() while its thread held the engine lock. Closing could then wait
// forever.
__attribute__((destructor)) void close_shared() {
  if (g_pid != getpid() || g_references.load() != 0 || g_shared.verbs == nullptr) return;
  constexpr uint32_t kTimeoutMs = 1000;
  run_bounded(
      [] {
        ibv_dealloc_pd(g_shared.pd);
        ibv_close_device(g_shared.verbs);
      },
      kTimeoutMs);
}

}  // namespace

int refuse_phase(const Id& id, Phase needed) {
  return refuse(EINVAL, Cause::cm_phase, static_cast<uint64_t>(id.phase), static_cast<uint64_t>(needed));
}

int fail(int error, const rdma_cm_id* id, const char* call) {
  if (t_refusal.cause != Cause::none) verbs::watch::refused_call(call, error, id);
  errno = error;
  return -1;
}

const Shared* acquire_shared() {
  std::lock_guard guard(g_mutex);
  g_pid = getpid();
  if (g_shared.verbs == nullptr) {
    if (const int error = open_shared(); error != 0) {
      errno = error;
      return nullptr;
    }
  }
  g_references.fetch_add(1);
  return &g_shared;
}

void share_again() { g_references.fetch_add(1); }

void release_shared() {
  if (g_pid == getpid()) g_references.fetch_sub(1);
}

void assign_device(Id* id) {
  id->base.verbs = g_shared.verbs;
  id->base.port_num = 1;
  if (id->base.pd == nullptr) id->base.pd = g_shared.pd;
}

}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

ibv_context** rdma_get_devices(int* num_devices) {
  const Shared* shared = acquire_shared();
  if (num_devices != nullptr) *num_devices = 0;
  if (shared == nullptr) return nullptr;
  auto** list = static_cast<ibv_context**>(std::calloc(2, sizeof(ibv_context*)));
  if (list == nullptr) {
    release_shared();
    errno = ENOMEM;
    return nullptr;
  }
  list[0] = shared->verbs;
  if (num_devices != nullptr) *num_devices = 1;
  return list;
}

void rdma_free_devices(ibv_context** list) {
  if (list == nullptr) return;
  std::free(list);
  release_shared();
}

}  // extern "C"
