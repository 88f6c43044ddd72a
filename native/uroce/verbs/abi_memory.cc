// Protection domains, memory regions, address handles.
#include <errno.h>

#include <cstdio>
#include <cstring>
#include <mutex>

#include "uroce/verbs/device.h"
#include "uroce/verbs/objects.h"
#include "uroce/verbs/watch.h"
#include "uroce/verbs/watch_feed.h"

using namespace uroce;

#undef ibv_reg_mr
#undef ibv_reg_mr_iova

namespace {

constexpr unsigned kEngineAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                                   IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
// Accepted and without effect: there is no PCI bus to relax, and page size does not matter.
constexpr unsigned kHarmless = unsigned{IBV_ACCESS_HUGETLB} | unsigned{IBV_ACCESS_OPTIONAL_RANGE};
constexpr unsigned kUnsupported = IBV_ACCESS_ON_DEMAND;

void explain_memlock(std::size_t length) {
  std::fprintf(stderr,
               "uroce: cannot pin %zu bytes: the limit on locked memory (RLIMIT_MEMLOCK) is %llu bytes and "
               "UROCE_STRICT_MEMLOCK=1 is set. Raise it (`ulimit -l unlimited`, or a memlock line in "
               "/etc/security/limits.conf), or unset UROCE_STRICT_MEMLOCK.\n",
               length, static_cast<unsigned long long>(memlock_limit()));
}

bool writable(unsigned access) {
  return (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0;
}

int check_access(unsigned access) {
  if ((access & kUnsupported) != 0) return EOPNOTSUPP;
  if ((access & ~(kEngineAccess | kHarmless | kUnsupported | IBV_ACCESS_ZERO_BASED)) != 0) return EINVAL;
  return 0;
}

// Replaces what the flags name. Nothing is changed on failure: EINVAL, EFAULT, ENOMEM, EBUSY (a window is
// bound to it).
int change_region(MrObject* mr, int flags, ibv_pd* pd, void* addr, size_t length, unsigned access) {
  Device* device = mr->device;
  const bool move = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0;
  Mr old;
  {
    std::lock_guard guard(device->lock());
    const Mr* known = device->engine().mrs().find(mr->base.lkey);
    if (known == nullptr) return EINVAL;
    old = *known;
  }
  const unsigned rights = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0 ? access & kEngineAccess : old.access;
  const auto from = reinterpret_cast<uintptr_t>(mr->base.addr);
  const auto to = move ? reinterpret_cast<uintptr_t>(addr) : from;
  const size_t size = move ? length : mr->base.length;
  if (const int error = device->pins().pin(to, size, writable(rights)); error != 0) return error;
  int error;
  {
    std::lock_guard guard(device->lock());
    const uint64_t iova = !move ? old.iova : (access & IBV_ACCESS_ZERO_BASED) != 0 ? 0 : to;
    const uint32_t domain = (flags & IBV_REREG_MR_CHANGE_PD) != 0 ? object(pd)->id : old.pd;
    error = device->engine().mrs().change(mr->base.lkey, reinterpret_cast<uint8_t*>(to), iova, size,
                                          rights & kEngineAccess, domain);
  }
  // The pages of whichever is not the region any more.
  device->pins().unpin(error == 0 ? from : to, error == 0 ? mr->base.length : size);
  if (error != 0) return error;
  if (move) {
    mr->base.addr = addr;
    mr->base.length = length;
  }
  if ((flags & IBV_REREG_MR_CHANGE_PD) != 0) mr->base.pd = pd;
  return 0;
}

ibv_mr* register_region(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned access) {
  if (const int error = check_access(access); error != 0) return fail<ibv_mr>(error);
  if (length == 0) return fail<ibv_mr>(EINVAL);
  if ((access & IBV_ACCESS_ZERO_BASED) != 0) iova = 0;
  Device* device = object(pd)->device;
  const auto address = reinterpret_cast<uintptr_t>(addr);
  if (const int error = device->pins().pin(address, length, writable(access)); error != 0) {
    if (error == ENOMEM) explain_memlock(length);
    return fail<ibv_mr>(error);
  }
  auto* mr = new (std::nothrow) MrObject{};
  int error = ENOMEM;
  if (mr != nullptr) {
    std::lock_guard guard(device->lock());
    const auto key = device->engine().reg_mr(object(pd)->id, static_cast<uint8_t*>(addr), iova, length,
                                             access & kEngineAccess);
    if (key) {
      mr->device = device;
      mr->base.context = pd->context;
      mr->base.pd = pd;
      mr->base.addr = addr;
      mr->base.length = length;
      mr->base.handle = mr->base.lkey = mr->base.rkey = *key;
      ContextObject::of(pd->context)->mrs.insert(mr);
      report::made(report::Kind::mr, mr, *key);
      return &mr->base;
    }
    error = key.error();
  }
  delete mr;
  device->pins().unpin(address, length);
  return fail<ibv_mr>(error);
}

}  // namespace

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  ContextObject* owner = ContextObject::of(context);
  auto* pd = new (std::nothrow) PdObject{};
  if (pd == nullptr) return fail<ibv_pd>(ENOMEM);
  pd->device = owner->device;
  pd->base.context = context;
  {
    std::lock_guard guard(owner->device->lock());
    pd->id = owner->device->engine().alloc_pd();
  }
  pd->base.handle = pd->id;
  ++owner->objects;
  report::made(report::Kind::pd, pd, pd->id);
  return &pd->base;
}

int ibv_dealloc_pd(ibv_pd* handle) {
  PdObject* pd = object(handle);
  if (pd->address_handles.load() != 0 || pd->domains.load() != 0)
    return watch::outcome("ibv_dealloc_pd", EBUSY);
  if (pd->parent != nullptr) {
    --pd->parent->domains;
    if (pd->td != nullptr) --pd->td->parents;
  } else {
    std::lock_guard guard(pd->device->lock());
    if (const int error = pd->device->engine().dealloc_pd(pd->id); error != 0)
      return watch::outcome("ibv_dealloc_pd", error);
  }
  --ContextObject::of(handle->context)->objects;
  report::gone(pd);
  delete pd;
  return 0;
}

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* addr, size_t length, int access) {
  return watch::outcome("ibv_reg_mr", register_region(pd, addr, length, reinterpret_cast<uintptr_t>(addr),
                                                      static_cast<unsigned>(access)));
}

ibv_mr* ibv_reg_mr_iova(ibv_pd* pd, void* addr, size_t length, uint64_t iova, int access) {
  return watch::outcome("ibv_reg_mr", register_region(pd, addr, length, iova, static_cast<unsigned>(access)));
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* pd, void* addr, size_t length, uint64_t iova, unsigned int access) {
  return watch::outcome("ibv_reg_mr", register_region(pd, addr, length, iova, access));
}

int ibv_dereg_mr(ibv_mr* handle) {
  MrObject* mr = object(handle);
  Device* device = mr->device;
  {
    std::lock_guard guard(device->lock());
    if (const int error = device->engine().dereg_mr(handle->lkey); error != 0)
      return watch::outcome("ibv_dereg_mr", error);
    ContextObject::of(handle->context)->mrs.erase(mr);
    report::gone(mr);
  }
  device->pins().unpin(reinterpret_cast<uintptr_t>(handle->addr), handle->length);
  delete mr;
  return 0;
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd*, uint64_t, size_t, uint64_t, int, int) {
  return watch::outcome("ibv_reg_dmabuf_mr", fail<ibv_mr>(EOPNOTSUPP));
}

// Whatever fails, the old region stays valid: the man page has one code for that, and errno the reason.
int ibv_rereg_mr(ibv_mr* mr, int flags, ibv_pd* pd, void* addr, size_t length, int access) {
  const auto rights = static_cast<unsigned>(access);
  const bool named = flags != 0 && (flags & ~IBV_REREG_MR_FLAGS_SUPPORTED) == 0;
  const bool place = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) == 0 || (addr != nullptr && length != 0);
  const bool domain = (flags & IBV_REREG_MR_CHANGE_PD) == 0 || pd != nullptr;
  const bool asked = access == 0 || (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0;
  int error = named && place && domain && asked ? check_access(rights) : EINVAL;
  if (error == 0) error = change_region(object(mr), flags, pd, addr, length, rights);
  if (error == 0) return 0;
  watch::outcome("ibv_rereg_mr", error);
  errno = error;
  return IBV_REREG_MR_ERR_INPUT;
}

}  // extern "C"
